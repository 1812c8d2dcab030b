/* SPDX-License-Identifier: Apache-2.0 */
#include "report/new_runs.h"

#include "base/fields.h"
#include "report/table.h"

#include <math.h>
#include <string.h>

/* --- the keys --- */

#define OF rg_new_runs_row
static const rg_json_field row_fields[] = {
	RG_KEY(file, "The golden's path."),
	RG_KEY(metric, "The metric."),
	RG_KEY(old_mean, "The baseline's mean over the steps."),
	RG_KEY_NUMBERS("means", DEFINED, means, runs,
		       "Each new run's; null where it has other steps, or not the metric."),
	RG_KEY(measured,
	       "Runs of the noise model that they are compared with; 0: the baseline alone."),
	RG_KEY_AS("shift", shift.size,
		  "How far the new means are above the others (Hodges, Lehmann)."),
	RG_KEY_FINITE("low", shift.low,
		      "The lower end of its interval at 95 %; null where there are too few runs "
		      "for one."),
	RG_KEY_FINITE("high", shift.high, "The upper end."),
	RG_KEY_OR_NULL(p, "Of the exact rank test; null where it is untested."),
	RG_KEY_WORD("verdict", verdict, rg_new_runs_verdict_names, "What that says."),
	RG_KEY(missing, "Undecided: so many more runs could decide it."),
	{0}};
#undef OF

#define OF rg_new_runs
const rg_json_field rg_new_runs_fields[] = {
	RG_KEY_TEXTS("runs", labels, runs, ALWAYS,
		     "Their names, in the order in which they were given."),
	RG_KEY(level, "What p is compared with."),
	RG_KEY_AS("moved", counts[RG_NEW_RUNS_MOVED], "Rows whose p is at or under it."),
	RG_KEY_AS("undecided", counts[RG_NEW_RUNS_UNDECIDED],
		  "Rows that so few runs cannot decide."),
	RG_KEY_AS("alike", counts[RG_NEW_RUNS_ALIKE], "The other rows."),
	RG_KEY_AS("untested", counts[RG_NEW_RUNS_UNTESTED], "Rows whose measured runs drift."),
	RG_KEY_LIST("rows", rows, row_count, row_fields, "The rows."),
	{0}};
#undef OF

enum {
	COLUMN_METRIC,
	COLUMN_RUNS,
	COLUMN_SHIFT,
	COLUMN_INTERVAL,
	COLUMN_P,
	COLUMN_SAYS,
	COLUMN_FILE,
	COLUMNS
};

/* --- the table --- */

static void append_cell(rg_table *table, rg_buf *text)
{
	rg_table_add(table, text->data, text->length);
	rg_buf_clear(text);
}

static void append_interval(rg_buf *out, const rg_shift *shift)
{
	if (isfinite(shift->low))
		rg_buf_printf(out, "%+.4g … %+.4g", shift->low, shift->high);
	else
		rg_buf_char(out, '-');
}

static void append_verdict(rg_buf *out, const rg_new_runs_row *row)
{
	if (row->verdict == RG_NEW_RUNS_UNDECIDED)
		rg_buf_printf(out, "not enough runs: %zu more needed", row->missing);
	else
		rg_buf_str(out, row->verdict == RG_NEW_RUNS_MOVED   ? "moved"
				: row->verdict == RG_NEW_RUNS_ALIKE ? "not shown to move"
								    : "untested: the runs drift");
}

static void append_row(rg_table *table, rg_buf *text, const rg_new_runs_row *row)
{
	rg_table_add(table, row->metric, strlen(row->metric));
	if (row->measured)
		rg_buf_printf(text, "%zu to %zu", row->count, row->measured);
	else
		rg_buf_printf(text, "%zu to the baseline", row->count);
	append_cell(table, text);
	rg_buf_printf(text, "%+.4g", row->shift.size);
	append_cell(table, text);
	append_interval(text, &row->shift);
	append_cell(table, text);
	if (isnan(row->p))
		rg_buf_char(text, '-');
	else
		rg_buf_printf(text, "%.2g", row->p);
	append_cell(table, text);
	append_verdict(text, row);
	append_cell(table, text);
	rg_table_add(table, row->file, strlen(row->file));
}

rg_error *rg_new_runs_table(rg_buf *out, const rg_new_runs *runs, size_t top,
			    const rg_table_style *style)
{
	static const rg_table_column columns[COLUMNS] = {
		[COLUMN_METRIC] = {.heading = "metric"},
		[COLUMN_RUNS] = {.heading = "runs"},
		[COLUMN_SHIFT] = {.heading = "shift", .right = true},
		[COLUMN_INTERVAL] = {.heading = "95 % interval"},
		[COLUMN_P] = {.heading = "p", .right = true},
		[COLUMN_SAYS] = {.heading = "new runs"},
		[COLUMN_FILE] = {.heading = "file"},
	};
	size_t shown = top && top < runs->row_count ? top : runs->row_count;
	RG_AUTO(rg_table) table = {0};

	if (!shown)
		return NULL;
	rg_table_init(&table, columns, COLUMNS);
	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_ANY);
	for (size_t i = 0; i < shown; i++)
		append_row(&table, &text, &runs->rows[i]);
	rg_error *err = rg_table_write(&table, out, style);
	if (shown < runs->row_count)
		rg_buf_printf(out, "%zu more row%s of the new runs (--top 0 shows all)\n",
			      runs->row_count - shown, rg_plural(runs->row_count - shown));
	return err;
}

/* --- templates --- */

static void append_shift(rg_buf *out, const void *from)
{
	const rg_new_runs_row *row = from;
	rg_buf_printf(out, "%+.4g", row->shift.size);
	if (isfinite(row->shift.low)) {
		rg_buf_str(out, " (95 %: ");
		append_interval(out, &row->shift);
		rg_buf_char(out, ')');
	}
	if (!isnan(row->p))
		rg_buf_printf(out, ", p %.2g", row->p);
	rg_buf_str(out, ": ");
	append_verdict(out, row);
}

#define OF rg_new_runs_row
const rg_json_field rg_new_runs_told_fields[] = {
	RG_KEY(file, "The golden's path."),
	RG_KEY(metric, "The metric."),
	RG_SAY("text", ALWAYS, append_shift, "Its shift, p and verdict."),
	{0}};
#undef OF

void rg_new_runs_view(cJSON *view, const rg_new_runs *runs)
{
	rg_json_out json;
	if (!runs || !runs->runs)
		return;
	rg_json_tree_init(&json, view);
	rg_json_key_open(&json, "new_runs", '[');
	for (size_t i = 0; i < runs->row_count; i++)
		if (runs->rows[i].verdict != RG_NEW_RUNS_ALIKE)
			rg_json_put_item(&json, rg_new_runs_told_fields, &runs->rows[i], NULL);
	rg_json_close(&json, ']');
}
