/* SPDX-License-Identifier: Apache-2.0 */
#include "report/audit_report.h"

#include "base/memory.h"
#include "base/cancel.h"
#include "base/number.h"
#include "golden/records.h"
#include "report/cells.h"

#include <string.h>

enum { EXPORT_BLOCK = 65536, EXPORT_VALUES = 4096 };

typedef struct {
	const rg_audit_source *source;
	const char *file; /* under way */
	rg_buf *text;
	rg_audit_write_fn *write;
	void *context;
} export_state;

static rg_error *flush(export_state *state, size_t at_least)
{
	RG_TRY(rg_buf_check(state->text, "exported values"));
	if (state->text->length < at_least)
		return NULL;
	RG_TRY(state->write(state->context, state->text->data, state->text->length));
	rg_buf_clear(state->text);
	return NULL;
}

/* "run,file,metric," is the same for all values of a series. */
static rg_error *export_series(export_state *state, const char *run, const char *file,
			       const rg_metric *metric)
{
	double values[EXPORT_VALUES];

	RG_AUTO(rg_buf) lead = rg_buf_of(RG_BUF_TEXT);
	rg_csv_field(&lead, true, run, strlen(run));
	rg_csv_field(&lead, false, file, strlen(file));
	rg_csv_field(&lead, false, metric->name, strlen(metric->name));
	RG_TRY(rg_buf_check(&lead, "exported names"));
	for (size_t first = 0; first < metric->count; first += EXPORT_VALUES) {
		size_t left = metric->count - first;
		size_t count = left < EXPORT_VALUES ? left : EXPORT_VALUES;

		RG_TRY(rg_metric_read(metric, first, count, values));
		for (size_t i = 0; i < count; i++) {
			char text[RG_DOUBLE_REPR_SIZE], number[RG_STEP_TEXT];
			size_t length = rg_double_repr(values[i], text);
			const char *step = rg_step_name(metric->records,
							rg_metric_step(metric, first + i), number);

			rg_buf_add(state->text, lead.data, lead.length);
			rg_csv_field(state->text, false, step, strlen(step));
			rg_csv_field(state->text, false, text, length);
			rg_csv_end(state->text);
			RG_TRY(flush(state, EXPORT_BLOCK));
		}
	}
	return NULL;
}

static rg_error *take_golden(void *context, size_t run, rg_error *err, rg_golden *golden)
{
	export_state *state = context;
	RG_AUTO_PTR(rg_golden) taken = golden;
	RG_AUTO_PTR(rg_error) failed = err;
	/* The audit itself has named a golden that cannot be read. */
	if (err && !rg_audit_is_of_one_golden(err))
		return RG_TAKE(failed);
	for (size_t i = 0; !err && golden && i < golden->count; i++)
		if (golden->metrics[i].kind == RG_METRIC_SERIES)
			RG_TRY(export_series(state, state->source->runs[run].id, state->file,
					     &golden->metrics[i]));
	return rg_cancel_check();
}

rg_error *rg_audit_export(const rg_audit_source *source, rg_audit_write_fn *write, void *context)
{
	RG_AUTO(rg_buf) text = rg_buf_of((size_t)4 << 20);
	RG_AUTO_FREE size_t *runs = rg_calloc(source->run_count + 1, sizeof(*runs));
	export_state state = {.source = source, .text = &text, .write = write, .context = context};

	for (size_t run = 0; run < source->run_count; run++)
		runs[run] = run;
	rg_buf_str(&text, "run,file,metric,step,value\r\n");
	for (size_t file = 0; file < source->file_count; file++) {
		state.file = source->files[file];
		RG_TRY(rg_audit_walk(source, file, runs, source->run_count, take_golden, &state));
	}
	return flush(&state, 1);
}
