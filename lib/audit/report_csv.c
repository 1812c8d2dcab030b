#include "audit/report.h"

#include "base/cancel.h"
#include "base/number.h"
#include "report/csv.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void put_text(rg_buf *out, bool first, const char *text)
{
	rg_csv_field(out, first, text, strlen(text));
}

/* NaN: an empty field. */
static void put_number(rg_buf *out, double value)
{
	char text[RG_DOUBLE_REPR_SIZE];

	*text = '\0';
	if (!isnan(value))
		rg_double_repr(value, text);
	put_text(out, false, text);
}

static void put_count(rg_buf *out, size_t value)
{
	char text[32];

	snprintf(text, sizeof(text), "%zu", value);
	put_text(out, false, text);
}

static const char *const headings[] = {
	"group",
	"file",
	"metric",
	"runs",
	"runs_without_it",
	"runs_with_other_steps",
	"runs_not_finite",
	"steps",
	"break_at",
	"break_p",
	"break_p_adjusted",
	"regime_runs",
	"patterns",
	"deterministic",
	"may_still_differ",
	"spread_min",
	"spread_median",
	"spread_p95",
	"spread_max",
	"mad",
	"std",
	"avg_rel_diff_low",
	"avg_rel_diff_high",
	"widest_step",
	"widest",
	"relative_tolerance",
	"absolute_tolerance",
	"runs_failed_today",
	"runs_failed_recommended",
};

static void put_break(rg_buf *out, const rg_audit *audit, const rg_audit_series *series)
{
	const rg_audit_break *last = series->break_count ? &series->breaks[series->break_count - 1]
							 : NULL;

	put_text(out, false, last ? audit->runs[last->at].id : "");
	put_number(out, last ? last->p : NAN);
	put_number(out, last ? last->q : NAN);
}

static void put_series(rg_buf *out, const rg_audit *audit, const rg_audit_series *series)
{
	const rg_figures *noise = &series->noise;
	const rg_spread *spread = &noise->spread;
	bool measured = rg_tolerance_is_measured(&series->all.tolerance);
	char step[32] = "";

	put_text(out, true, audit->groups[series->group].name);
	put_text(out, false, series->file);
	put_text(out, false, series->metric);
	put_count(out, series->runs);
	put_count(out, series->missing);
	put_count(out, series->all.other_steps);
	put_count(out, series->all.nonfinite);
	put_count(out, series->all.centre_count);
	put_break(out, audit, series);
	put_count(out, noise->runs);
	put_count(out, noise->patterns);
	put_text(out, false, noise->deterministic ? "true" : "false");
	put_number(out, noise->deterministic ? rg_deterministic_bound(noise->runs) : NAN);
	put_number(out, spread->min);
	put_number(out, spread->median);
	put_number(out, spread->p95);
	put_number(out, spread->max);
	put_number(out, spread->mad);
	put_number(out, spread->std);
	put_number(out, spread->low);
	put_number(out, spread->high);
	if (!isnan(spread->widest))
		snprintf(step, sizeof(step), "%" PRId64, spread->widest_step);
	put_text(out, false, step);
	put_number(out, spread->widest);
	put_number(out, measured ? series->all.tolerance.relative : NAN);
	put_number(out, measured ? series->all.tolerance.absolute : NAN);
	put_count(out, series->failed_today);
	put_count(out, series->failed_recommended);
	rg_csv_end(out);
}

rg_error *rg_audit_csv(rg_buf *out, const rg_audit *audit)
{
	size_t i, j;

	for (i = 0; i < sizeof(headings) / sizeof(headings[0]); i++)
		put_text(out, i == 0, headings[i]);
	rg_csv_end(out);
	for (i = 0; i < audit->file_count; i++)
		for (j = 0; j < audit->files[i].series_count; j++)
			put_series(out, audit, &audit->files[i].series[j]);
	return rg_buf_check(out, "the audit as CSV");
}

enum { EXPORT_BLOCK = 65536, EXPORT_VALUES = 4096 };

typedef struct {
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
	size_t first, i;
	rg_buf lead;
	rg_error *err = NULL;

	rg_buf_init(&lead, RG_BUF_TEXT);
	put_text(&lead, true, run);
	put_text(&lead, false, file);
	put_text(&lead, false, metric->name);
	err = rg_buf_check(&lead, "exported names");
	for (first = 0; !err && first < metric->count; first += EXPORT_VALUES) {
		size_t left = metric->count - first;
		size_t count = left < EXPORT_VALUES ? left : EXPORT_VALUES;

		err = rg_metric_read(metric, first, count, values);
		for (i = 0; !err && i < count; i++) {
			char text[RG_DOUBLE_REPR_SIZE];
			size_t length = rg_double_repr(values[i], text), at = first + i;

			rg_buf_add(&state->text, lead.data, lead.length);
			rg_buf_printf(&state->text, ",%" PRId64 ",", rg_metric_step(metric, at));
			rg_buf_add(&state->text, text, length);
			rg_csv_end(&state->text);
			err = flush(state, EXPORT_BLOCK);
		}
	}
	rg_buf_release(&lead);
	return err;
}

static rg_error *export_golden(export_state *state, const rg_audit_source *source, size_t run,
			       size_t file, rg_buf *bytes)
{
	rg_golden *golden = NULL;
	rg_error *err;
	size_t i;

	RG_TRY(rg_cancel_check());
	rg_buf_clear(bytes);
	err = source->read(source->context, run, file, bytes, &golden);
	if (err && rg_audit_is_of_one_golden(err)) {
		/* The audit itself has named it. */
		rg_error_free(err);
		err = NULL;
	}
	for (i = 0; !err && golden && i < golden->count; i++)
		if (golden->metrics[i].kind == RG_METRIC_SERIES)
			err = export_series(state, source->runs[run].id, source->files[file],
					    &golden->metrics[i]);
	rg_golden_free(golden);
	return err;
}

rg_error *rg_audit_export(const rg_audit_source *source, rg_audit_write_fn *write, void *context)
{
	export_state state = {.write = write, .context = context};
	rg_error *err = NULL;
	size_t run, file;
	rg_buf bytes;

	rg_buf_init(&state.text, (size_t)4 << 20);
	rg_buf_init(&bytes, source->golden_max);
	rg_buf_str(&state.text, "run,file,metric,step,value\r\n");
	for (run = 0; !err && run < source->run_count; run++)
		for (file = 0; !err && file < source->file_count; file++)
			err = export_golden(&state, source, run, file, &bytes);
	if (!err)
		err = flush(&state, 1);
	rg_buf_release(&bytes);
	rg_buf_release(&state.text);
	return err;
}
