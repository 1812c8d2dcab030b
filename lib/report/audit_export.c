/* SPDX-License-Identifier: Apache-2.0 */
#include "report/audit_report.h"

#include "base/memory.h"
#include "base/cancel.h"
#include "base/number.h"
#include "golden/records.h"
#include "report/cells.h"

#include <stdlib.h>
#include <string.h>

enum { EXPORT_BLOCK = 65536, EXPORT_VALUES = 4096 };

typedef struct {
	const rg_audit_source *source;
	const char *file; /* under way */
	rg_buf text;
	rg_audit_write_fn *write;
	void *context;
} export_state;

static rg_error *flush(export_state *state, size_t at_least)
{
	RG_TRY(rg_buf_check(&state->text, "exported values"));
	if (state->text.length < at_least)
		return NULL;
	RG_TRY(state->write(state->context, state->text.data, state->text.length));
	rg_buf_clear(&state->text);
	return NULL;
}

/* "run,file,metric," is the same for all values of a series. */
static rg_error *export_series(export_state *state, const char *run, const char *file,
			       const rg_metric *metric)
{
	double values[EXPORT_VALUES];
	rg_buf lead;
	rg_error *err = NULL;

	rg_buf_init(&lead, RG_BUF_TEXT);
	rg_csv_field(&lead, true, run, strlen(run));
	rg_csv_field(&lead, false, file, strlen(file));
	rg_csv_field(&lead, false, metric->name, strlen(metric->name));
	err = rg_buf_check(&lead, "exported names");
	for (size_t first = 0; !err && first < metric->count; first += EXPORT_VALUES) {
		size_t left = metric->count - first;
		size_t count = left < EXPORT_VALUES ? left : EXPORT_VALUES;

		err = rg_metric_read(metric, first, count, values);
		for (size_t i = 0; !err && i < count; i++) {
			char text[RG_DOUBLE_REPR_SIZE], number[RG_STEP_TEXT];
			size_t length = rg_double_repr(values[i], text);
			const char *step = rg_step_name(metric->records,
							rg_metric_step(metric, first + i), number);

			rg_buf_add(&state->text, lead.data, lead.length);
			rg_csv_field(&state->text, false, step, strlen(step));
			rg_csv_field(&state->text, false, text, length);
			rg_csv_end(&state->text);
			err = flush(state, EXPORT_BLOCK);
		}
	}
	rg_buf_release(&lead);
	return err;
}

static rg_error *export_golden(export_state *state, const char *run, const char *file,
			       const rg_golden *golden)
{
	rg_error *err = NULL;
	for (size_t i = 0; !err && i < golden->count; i++)
		if (golden->metrics[i].kind == RG_METRIC_SERIES)
			err = export_series(state, run, file, &golden->metrics[i]);
	return err;
}

static rg_error *take_golden(void *context, size_t run, rg_error *err, rg_golden *golden)
{
	export_state *state = context;
	if (err && rg_audit_is_of_one_golden(err)) {
		/* The audit itself has named it. */
		rg_error_free(err);
		err = NULL;
	}
	if (!err && golden)
		err = export_golden(state, state->source->runs[run].id, state->file, golden);
	rg_golden_free(golden);
	return err ? err : rg_cancel_check();
}

static rg_error *export_files(export_state *state)
{
	const rg_audit_source *source = state->source;
	size_t *runs = rg_calloc(source->run_count + 1, sizeof(*runs));
	rg_error *err = NULL;

	for (size_t run = 0; run < source->run_count; run++)
		runs[run] = run;
	for (size_t file = 0; !err && file < source->file_count; file++) {
		state->file = source->files[file];
		err = rg_audit_walk(source, file, runs, source->run_count, take_golden, state);
	}
	free(runs);
	return err;
}

rg_error *rg_audit_export(const rg_audit_source *source, rg_audit_write_fn *write, void *context)
{
	export_state state = {.source = source, .write = write, .context = context};
	rg_buf_init(&state.text, (size_t)4 << 20);
	rg_buf_str(&state.text, "run,file,metric,step,value\r\n");
	rg_error *err = export_files(&state);
	if (!err)
		err = flush(&state, 1);
	rg_buf_release(&state.text);
	return err;
}
