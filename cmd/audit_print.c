#include "audit.h"

#include "audit/report.h"
#include "base/utf8.h"
#include "report/table.h"
#include "terminal.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CELL = 64, LISTED = 20 };

/* A deviation: 0, or three digits with an exponent. */
static void number_text(double value, char out[static CELL])
{
	if (isnan(value))
		snprintf(out, CELL, "-");
	else if (value == 0)
		snprintf(out, CELL, "0");
	else
		snprintf(out, CELL, "%.2e", value);
}

static rg_error *add(rg_table *table, const char *text)
{
	return rg_table_add(table, text, strlen(text));
}

static rg_error *add_number(rg_table *table, double value)
{
	char text[CELL];

	number_text(value, text);
	return add(table, text);
}

static rg_error *add_count(rg_table *table, size_t value)
{
	char text[CELL];

	snprintf(text, sizeof(text), "%zu", value);
	return add(table, text);
}

/* median, p95, max, range */
static rg_error *add_spread(rg_table *table, const rg_spread *spread)
{
	char low[CELL], high[CELL], text[2 * CELL + 8];

	RG_TRY(add_number(table, spread->median));
	RG_TRY(add_number(table, spread->p95));
	RG_TRY(add_number(table, spread->max));
	number_text(spread->low, low);
	number_text(spread->high, high);
	snprintf(text, sizeof(text), isnan(spread->low) ? "-" : "%s … %s", low, high);
	return add(table, text);
}

/* `regime`: over the newest regimes, where there was a break. "-" where fewer than two runs stand
 * behind a tolerance. */
static rg_error *add_tolerance(rg_table *table, const rg_tolerance *tolerance,
			       const rg_tolerance *regime, bool broken)
{
	char relative[CELL], absolute[CELL], text[CELL];

	snprintf(relative, CELL, "%.4f", tolerance->relative);
	snprintf(absolute, CELL, "%.1e", tolerance->absolute);
	snprintf(text, CELL, "%.4f", regime->relative);
	RG_TRY(add(table, rg_tolerance_is_measured(tolerance) ? relative : "-"));
	RG_TRY(add(table, rg_tolerance_is_measured(tolerance) ? absolute : "-"));
	RG_TRY(add(table, rg_tolerance_kind_text(tolerance->kind)));
	return add(table, broken && rg_tolerance_is_measured(regime) ? text : "");
}

/* The first one where there are several groups. */
static const rg_table_column series_columns[] = {
	{"group", false}, {"file", false},        {"metric", false},   {"runs", true},
	{"steps", true},  {"patterns", true},     {"median", true},    {"p95", true},
	{"max", true},    {"avg_rel_diff", true}, {"widest at", true}, {"note", false},
};

static const rg_table_column metric_columns[] = {
	{"metric", false}, {"files", true}, {"runs", true}, {"identical", true},
	{"median", true},  {"p95", true},   {"max", true},  {"avg_rel_diff", true},
	{"rtol", true},    {"atol", true},  {"by", false},  {"rtol since break", true},
};

#define COLUMNS(columns) (sizeof(columns) / sizeof((columns)[0]))

/* What is odd about a series, in a few words. */
static rg_error *add_note(rg_table *table, const rg_audit *audit, const rg_audit_series *series)
{
	char percent[RG_PERCENT_SIZE];
	rg_error *err;
	rg_buf note;

	rg_buf_init(&note, RG_BUF_TEXT);
	rg_percent_at_most(percent, rg_deterministic_bound(series->noise.runs));
	if (series->noise.deterministic)
		rg_buf_printf(&note, "deterministic: at most %s %% may differ; ", percent);
	if (!series->noise.step_count)
		rg_buf_str(&note, "no steps; ");
	else if (!series->noise.finite_steps)
		rg_buf_str(&note, "never finite; ");
	if (series->break_count)
		rg_buf_printf(&note, "since %s; ", audit->runs[series->regime_from].id);
	if (series->missing)
		rg_buf_printf(&note, "%zu without it; ", series->missing);
	if (series->all.other_steps)
		rg_buf_printf(&note, "%zu with other steps; ", series->all.other_steps);
	if (series->all.nonfinite)
		rg_buf_printf(&note, "%zu not finite; ", series->all.nonfinite);
	if (note.length)
		rg_buf_truncate(&note, note.length - 2);
	err = rg_buf_check(&note, "note");
	if (!err)
		err = rg_table_add(table, note.data, note.length);
	rg_buf_release(&note);
	return err;
}

static rg_error *add_series(rg_table *table, const rg_audit *audit, const rg_audit_series *series)
{
	const rg_figures *noise = &series->noise;
	char step[CELL] = "-";

	if (!isnan(noise->spread.widest) && noise->spread.widest > 0)
		snprintf(step, sizeof(step), "%" PRId64, noise->spread.widest_step);
	if (audit->group_count > 1)
		RG_TRY(add(table, audit->groups[series->group].name));
	RG_TRY(add(table, series->file));
	RG_TRY(add(table, series->metric));
	RG_TRY(add_count(table, noise->runs));
	RG_TRY(add_count(table, noise->centre_count));
	RG_TRY(add_count(table, noise->patterns));
	RG_TRY(add_spread(table, &noise->spread));
	RG_TRY(add(table, step));
	return add_note(table, audit, series);
}

static rg_error *print_series(rg_buf *out, const environment *env, const rg_audit *audit,
			      size_t top)
{
	const rg_audit_series **series;
	size_t total, count, i, first_column = audit->group_count > 1 ? 0 : 1;
	rg_error *err = NULL;
	rg_table table;

	RG_TRY(rg_audit_all_series(audit, &series, &total));
	count = top && top < total ? top : total;
	if (count < total)
		qsort(series, total, sizeof(*series), rg_audit_by_spread);
	rg_table_init(&table, series_columns + first_column,
		      COLUMNS(series_columns) - first_column);
	for (i = 0; !err && i < count; i++)
		err = add_series(&table, audit, series[i]);
	if (!err)
		err = rg_table_write(&table, out, env->color);
	if (!err && count == 1 && total > 1)
		rg_buf_printf(out, "the widest");
	else if (!err && count < total)
		rg_buf_printf(out, "the %zu widest", count);
	if (!err && count < total)
		rg_buf_printf(out, " of %zu; --top 0 shows all, --csv writes them\n", total);
	rg_table_release(&table);
	free(series);
	return err;
}

/* The series' notes in short: a table that is cut does not show them all. */
static void print_left_out(rg_buf *out, const rg_audit *audit)
{
	size_t missing = 0, other_steps = 0, nonfinite = 0, i, j;

	for (i = 0; i < audit->file_count; i++)
		for (j = 0; j < audit->files[i].series_count; j++) {
			const rg_audit_series *series = &audit->files[i].series[j];

			missing += series->missing ? 1 : 0;
			other_steps += series->all.other_steps ? 1 : 0;
			nonfinite += series->all.nonfinite ? 1 : 0;
		}
	if (missing || other_steps || nonfinite)
		rg_buf_printf(out,
			      "not in the spread: runs without the metric (%zu series), with other "
			      "steps (%zu), not finite (%zu)\n",
			      missing, other_steps, nonfinite);
}

static rg_error *add_summary(rg_table *table, const rg_audit_summary *summary)
{
	char text[CELL];

	RG_TRY(add(table, summary->metric ? summary->metric : "all of them"));
	RG_TRY(add_count(table, summary->files));
	RG_TRY(add_count(table, summary->runs));
	snprintf(text, sizeof(text), "%zu", summary->deterministic);
	RG_TRY(add(table, text));
	RG_TRY(add_spread(table, &summary->spread));
	if (summary->metric)
		return add_tolerance(table, &summary->tolerance, &summary->regime_tolerance,
				     summary->broken > 0);
	RG_TRY(add(table, "-"));
	RG_TRY(add(table, "-"));
	RG_TRY(add(table, ""));
	return add(table, "");
}

/* *next: the group's first metric, afterwards the next group's. */
static rg_error *print_metrics(rg_buf *out, const environment *env, const rg_audit *audit,
			       size_t group, size_t *next)
{
	rg_error *err = NULL;
	rg_table table;

	rg_table_init(&table, metric_columns, COLUMNS(metric_columns));
	while (!err && *next < audit->metric_count && audit->metrics[*next].group == group)
		err = add_summary(&table, &audit->metrics[(*next)++]);
	if (!err)
		err = add_summary(&table, &audit->overall[group]);
	if (!err)
		err = rg_table_write(&table, out, env->color);
	rg_table_release(&table);
	return err;
}

static void put_safe(rg_buf *out, const char *text)
{
	rg_utf8_add_safe(out, text, strlen(text));
}

/* A break of one series, beside the others at the same run. */
typedef struct {
	const rg_audit_series *series;
	const rg_audit_break *item;
} placed_break;

static int compare_breaks(const void *a, const void *b)
{
	const placed_break *x = a, *y = b;

	if (x->item->at != y->item->at)
		return x->item->at > y->item->at ? 1 : -1;
	if (x->item->q != y->item->q)
		return x->item->q > y->item->q ? 1 : -1;
	return rg_audit_by_spread(&x->series, &y->series);
}

static void put_break(rg_buf *out, const placed_break *found)
{
	rg_buf_str(out, "    ");
	put_safe(out, found->series->file);
	rg_buf_str(out, ": ");
	put_safe(out, found->series->metric);
	rg_buf_printf(out,
		      ": %zu run%s before, %zu from there on, avg_rel_diff moved by %+.2e, "
		      "p = %.2g (adjusted %.2g)\n",
		      found->item->before, found->item->before == 1 ? "" : "s", found->item->after,
		      found->item->shift, found->item->p, found->item->q);
}

/* One line for each run that a break is at, and the clearest of its series. */
static rg_error *print_breaks(rg_buf *out, const rg_audit *audit)
{
	placed_break *found = NULL;
	size_t count = 0, capacity = 0, start, end, i, j, k;

	for (i = 0; i < audit->file_count; i++)
		for (j = 0; j < audit->files[i].series_count; j++) {
			const rg_audit_series *series = &audit->files[i].series[j];

			for (k = 0; k < series->break_count; k++) {
				rg_error *err =
					rg_grow(&found, &capacity, count + 1, sizeof(*found));

				if (err) {
					free(found);
					return err;
				}
				found[count++] = (placed_break){series, &series->breaks[k]};
			}
		}
	rg_buf_printf(out,
		      "breaks in the order of runs: %zu of %zu series (rank test, "
		      "Benjamini-Hochberg at %.2g)\n",
		      audit->broken, audit->tested, audit->options.discovery_rate);
	if (count)
		qsort(found, count, sizeof(*found), compare_breaks);
	for (start = 0; start < count; start = end) {
		for (end = start; end < count && found[end].item->at == found[start].item->at;)
			end++;
		rg_buf_str(out, "  from run ");
		put_safe(out, audit->runs[found[start].item->at].id);
		rg_buf_printf(out, " on: %zu series\n", end - start);
		for (i = start; i < end && i < start + 3; i++)
			put_break(out, &found[i]);
		if (end > i)
			rg_buf_printf(out, "    … %zu more\n", end - i);
	}
	if (count)
		rg_buf_str(out, "  noise is taken from the newest regime of each\n");
	free(found);
	return NULL;
}

static void print_bad_runs(rg_buf *out, const rg_audit *audit)
{
	size_t i;

	for (i = 0; i < audit->bad_count; i++) {
		const rg_audit_bad_run *bad = &audit->bad_runs[i];

		rg_buf_str(out, "bad run ");
		put_safe(out, audit->runs[bad->run].id);
		rg_buf_printf(out,
			      ": far out in %zu of its %zu series, in %zu file%s; left out of "
			      "the noise\n",
			      bad->series, bad->of, bad->files, bad->files == 1 ? "" : "s");
	}
}

static void print_failures(rg_buf *out, const rg_audit *audit)
{
	size_t i, listed = 0, more = 0;

	for (i = 0; i < audit->file_count; i++) {
		const rg_audit_file *file = &audit->files[i];

		if (!file->failed_today && !file->failed_recommended)
			continue;
		if (listed++ == 0)
			rg_buf_str(out,
				   "\nruns that would have failed, held against the one in the "
				   "middle:\n");
		if (listed > LISTED) {
			more++;
			continue;
		}
		rg_buf_str(out, "  ");
		put_safe(out, file->path);
		if (audit->group_count > 1) {
			rg_buf_str(out, ", ");
			put_safe(out, audit->groups[file->group].name);
		}
		rg_buf_printf(out,
			      ": %zu of %zu under today's tolerances, %zu under the "
			      "recommended ones\n",
			      file->failed_today, file->runs, file->failed_recommended);
	}
	if (more)
		rg_buf_printf(out, "  … %zu more; --json has all\n", more);
	if (!listed)
		rg_buf_str(out, "\nno run would have failed under today's tolerances or the "
				"recommended ones\n");
}

static void print_case(rg_buf *out, const rg_audit *audit, const rg_audit_case *c, bool flaky)
{
	rg_buf_str(out, "  ");
	put_safe(out, c->name);
	if (!flaky) {
		rg_buf_str(out, ": since run ");
		put_safe(out, audit->runs[c->failing_since].id);
		if (*c->detail) {
			rg_buf_str(out, ", ");
			put_safe(out, c->detail);
		}
	} else if (c->flaky) {
		rg_buf_str(out, ": on commit ");
		put_safe(out, audit->runs[c->pass_run].commit);
		rg_buf_str(out, " passed in run ");
		put_safe(out, audit->runs[c->pass_run].id);
		rg_buf_str(out, ", failed in run ");
		put_safe(out, audit->runs[c->fail_run].id);
	} else {
		rg_buf_printf(
			out,
			": passed in %zu run%s, failed in %zu, not all of whose commits are known",
			c->passed, c->passed == 1 ? "" : "s", c->failed);
	}
	rg_buf_char(out, '\n');
}

static void print_case_list(rg_buf *out, const rg_audit *audit, const char *title, bool flaky)
{
	size_t i, listed = 0;

	for (i = 0; i < audit->case_count; i++) {
		if (!rg_audit_case_is(&audit->cases[i], flaky))
			continue;
		if (listed++ == 0)
			rg_buf_printf(out, "%s:\n", title);
		if (listed <= LISTED)
			print_case(out, audit, &audit->cases[i], flaky);
	}
	if (listed > LISTED)
		rg_buf_printf(out, "  … %zu more; --json has all\n", listed - LISTED);
}

static void print_cases(rg_buf *out, const rg_audit *audit)
{
	if (!audit->case_total)
		return;
	rg_buf_printf(out, "\n%zu of %zu test case%s failed in some run\n", audit->case_count,
		      audit->case_total, audit->case_total == 1 ? "" : "s");
	print_case_list(out, audit, "flaky, both pass and fail", true);
	print_case_list(out, audit, "failing in their newest run", false);
}

static void print_head(rg_buf *out, const rg_audit *audit)
{
	size_t metrics = 0, i;

	for (i = 0; i < audit->file_count; i++)
		metrics += audit->files[i].series_count;
	rg_buf_printf(out, "%zu run%s, %zu golden%s, %zu series", audit->run_count,
		      audit->run_count == 1 ? "" : "s", audit->file_count,
		      audit->file_count == 1 ? "" : "s", metrics);
	if (audit->group_count > 1)
		rg_buf_printf(out, ", in %zu groups by %s", audit->group_count,
			      audit->options.grouping == RG_GROUP_COMMIT ? "commit" : "branch");
	rg_buf_str(out, "; the run is the unit\n");
}

rg_error *audit_print(const environment *env, const rg_audit *audit, size_t top)
{
	rg_error *err = NULL;
	rg_buf out;
	size_t metric = 0, i;

	rg_buf_init(&out, (size_t)256 << 20);
	print_head(&out, audit);
	print_bad_runs(&out, audit);
	err = print_breaks(&out, audit);
	for (i = 0; !err && i < audit->group_count; i++) {
		rg_buf_char(&out, '\n');
		if (audit->group_count > 1) {
			put_safe(&out, audit->groups[i].name);
			rg_buf_printf(&out, ": %zu run%s\n", audit->groups[i].run_count,
				      audit->groups[i].run_count == 1 ? "" : "s");
		}
		err = print_metrics(&out, env, audit, i, &metric);
	}
	if (!err) {
		rg_buf_char(&out, '\n');
		err = print_series(&out, env, audit, top);
	}
	print_left_out(&out, audit);
	print_failures(&out, audit);
	print_cases(&out, audit);
	if (!err)
		err = rg_buf_check(&out, "the report");
	if (!err)
		err = write_output("-", &out);
	rg_buf_release(&out);
	return err;
}
