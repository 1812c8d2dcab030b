/* SPDX-License-Identifier: Apache-2.0 */
#include "report/audit_view.h"

#include "base/memory.h"
#include "golden/records.h"
#include "report/table.h"
#include "report/template_data.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

int rg_audit_name_length(const char *name)
{
	size_t length = strlen(name);
	bool hash = (length == 40 || length == 64) && strspn(name, "0123456789abcdef") == length;
	return hash ? 10 : (int)length;
}

static void add_name(cJSON *item, const char *key, const char *name)
{
	rg_build_textf(item, key, "%.*s", rg_audit_name_length(name), name);
}

/* --- what changed from which run on --- */

static void add_bad_runs(rg_audit_build *b, cJSON *view)
{
	cJSON *list = rg_build_list(view, "bad_runs");
	for (size_t i = 0; i < b->audit->odd_count; i++) {
		const rg_audit_odd_run *bad = &b->audit->odd_runs[i];
		if (bad->kind != RG_ODD_RUN_BAD)
			continue;
		cJSON *item = rg_build_item(list);
		add_name(item, "run", b->audit->runs[bad->run].id);
		rg_build_count(item, "far", bad->series);
		rg_build_count(item, "of", bad->of);
		rg_build_count(item, "files", bad->files);
	}
}

/* Of the runs that are far out, those at the newest end: as many as there are. */
static void add_newest_runs(rg_audit_build *b, cJSON *view)
{
	size_t count = 0;
	for (size_t i = 0; i < b->audit->odd_count; i++)
		count += b->audit->odd_runs[i].kind == RG_ODD_RUN_NEWEST ? 1 : 0;
	rg_build_count(view, "newest_differ", count);
}

static void add_common_breaks(rg_audit_build *b, cJSON *view)
{
	cJSON *list = rg_build_list(view, "common_breaks");
	for (size_t i = 0; i < b->audit->common_count; i++) {
		const rg_audit_common_break *found = &b->audit->common_breaks[i];
		const rg_audit_run *run = &b->audit->runs[found->run];
		cJSON *item = rg_build_item(list);

		add_name(item, "run", run->id);
		add_name(item, "commit", run->commit);
		rg_build_count(item, "series", found->series);
		rg_build_count(item, "of", found->of);
		rg_build_textf(item, "p", "%.2g", found->p);
	}
}

/* A break of one series, beside the others at the same run. */
typedef struct {
	const rg_audit_series *series;
	const rg_audit_break *item;
	char *family;
} placed_break;

static int compare_breaks(const void *a, const void *b)
{
	const placed_break *x = a, *y = b;
	if (x->item->at != y->item->at)
		return x->item->at > y->item->at ? 1 : -1;
	int order = strcmp(x->family, y->family);
	if (order)
		return order;
	if (x->item->adjusted != y->item->adjusted)
		return x->item->adjusted > y->item->adjusted ? 1 : -1;
	return rg_audit_by_spread(&x->series, &y->series);
}

/* Its size in the metric's unit; where the runs' means are as before, it moved in shape. */
static void add_size(cJSON *item, const rg_shift *size)
{
	rg_build_text(item, "direction",
		      size->size > 0   ? "rose"
		      : size->size < 0 ? "fell"
				       : "moved");
	rg_build_textf(item, "size", "%.3g", fabs(size->size));
	if (!isfinite(size->low) || !isfinite(size->high) || size->size == 0)
		return;
	rg_build_textf(item, "size_low", "%.3g", size->size > 0 ? size->low : -size->high);
	rg_build_textf(item, "size_high", "%.3g", size->size > 0 ? size->high : -size->low);
}

static void add_break(rg_audit_build *b, cJSON *item, const rg_audit_series *series,
		      const rg_audit_break *found)
{
	const rg_audit_run *all = b->audit->runs;
	add_name(item, "run", all[found->at].id);
	if (found->first != found->last) {
		add_name(item, "first_run", all[found->first].id);
		add_name(item, "last_run", all[found->last].id);
	}
	rg_build_text(item, "file", series->file);
	rg_build_text(item, "metric", series->metric);
	rg_build_count(item, "before", found->before);
	rg_build_count(item, "after", found->after);
	rg_audit_add_figure(b, item, "shift", found->shift);
	add_size(item, &found->size);
	rg_build_textf(item, "p", "%.2g", found->p);
	rg_build_textf(item, "q", "%.2g", found->adjusted);
}

void rg_audit_add_breaks_of(rg_audit_build *b, cJSON *parent, const rg_audit_series *series)
{
	cJSON *list = rg_build_list(parent, "broke");
	for (size_t i = 0; i < series->break_count; i++)
		add_break(b, rg_build_item(list), series, &series->breaks[i]);
}

/* The breaks of a family's series at one run: how many rose and fell, and the clearest of them. */
static void add_family_of_breaks(rg_audit_build *b, cJSON *list, const placed_break *found,
				 size_t count)
{
	cJSON *item = rg_build_item(list);
	size_t rose = 0, fell = 0;

	for (size_t i = 0; i < count; i++) {
		rose += found[i].item->size.size > 0 ? 1 : 0;
		fell += found[i].item->size.size < 0 ? 1 : 0;
	}
	rg_build_text(item, "family", found->family);
	rg_build_count(item, "n", count);
	rg_build_count(item, "others", count - 1);
	rg_build_count(item, "rose", rose);
	rg_build_count(item, "fell", fell);
	add_break(b, item, found->series, found->item);
}

/* Those at one run, by family. */
static size_t add_breaks_at(rg_audit_build *b, cJSON *list, const placed_break *found, size_t count)
{
	cJSON *item = rg_build_item(list);
	const rg_audit_run *run = &b->audit->runs[found->item->at];
	size_t at = 0, end;

	add_name(item, "run", run->id);
	add_name(item, "commit", strcmp(run->commit, run->id) ? run->commit : "");
	cJSON *families = rg_build_list(item, "families");
	while (at < count && found[at].item->at == found->item->at) {
		for (end = at + 1; end < count && found[end].item->at == found->item->at &&
				   !strcmp(found[end].family, found[at].family);)
			end++;
		add_family_of_breaks(b, families, &found[at], end - at);
		at = end;
	}
	rg_build_count(item, "n", at);
	return at;
}

/* "breaks": all, series by series; "breaks_by_run": for each run, by family. */
static void add_breaks(rg_audit_build *b, cJSON *view, const rg_audit_series *const *series,
		       size_t count)
{
	cJSON *all = rg_build_list(view, "breaks");
	cJSON *by_run = rg_build_list(view, "breaks_by_run");
	size_t total = 0, n = 0;
	placed_break *found;

	for (size_t i = 0; i < count; i++)
		total += series[i]->break_count;
	found = rg_calloc(total + 1, sizeof(*found));
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < series[i]->break_count; k++) {
			found[n] = (placed_break){series[i], &series[i]->breaks[k],
						  rg_audit_family(series[i]->metric)};
			add_break(b, rg_build_item(all), series[i], &series[i]->breaks[k]);
			n++;
		}
	qsort(found, n, sizeof(*found), compare_breaks);
	for (size_t i = 0; i < n;)
		i += add_breaks_at(b, by_run, &found[i], n - i);
	for (size_t i = 0; i < n; i++)
		free(found[i].family);
	free(found);
}

/* What half of the series would have shown, and how many could have shown none; not those that
 * drift. */
static void add_smallest_break(rg_audit_build *b, cJSON *view, const rg_audit_series *const *series,
			       size_t count)
{
	double *sizes = rg_calloc(count + 1, sizeof(*sizes)), half;
	size_t n = 0, blind = 0;
	cJSON *item;

	for (size_t i = 0; i < count; i++) {
		if (series[i]->noise.measured < RG_CHANGE_MIN || series[i]->drifts)
			continue;
		sizes[n] = rg_audit_smallest_break(b->audit, series[i]);
		blind += isinf(sizes[n++]) ? 1 : 0;
	}
	if (n) {
		half = rg_quantile(sizes, n, 0.5);
		item = rg_build_object(view, "smallest_break");
		rg_build_truth(item, "any", half == 0);
		if (isfinite(half))
			rg_audit_add_smallest(item, "half", half);
		rg_build_count(item, "none", blind);
		rg_build_count(item, "of", n);
	}
	free(sizes);
}

/* "bad_runs", "newest_differ", "common_breaks", "breaks" and, by run and family, "breaks_by_run";
 * "smallest_break": how large one has to be to be found. */
static void add_changes(rg_audit_build *b, cJSON *view, const rg_audit_series *const *series,
			size_t count)
{
	add_bad_runs(b, view);
	add_newest_runs(b, view);
	add_common_breaks(b, view);
	add_breaks(b, view, series, count);
	add_smallest_break(b, view, series, count);
}

/* --- all of it --- */

/* Of the series, those that spread most. */
enum { WIDEST = 20 };

/* "" where there is only one: then nobody asks which. */
static void add_group(rg_audit_build *b, cJSON *item, size_t group)
{
	rg_build_text(item, "group", b->audit->group_count > 1 ? b->audit->groups[group].name : "");
}

static void add_head(rg_audit_build *b, cJSON *view, size_t series_count)
{
	const rg_audit *audit = b->audit;
	size_t last = audit->run_count - 1;

	rg_build_count(view, "runs", audit->run_count);
	add_name(view, "first", audit->run_count ? audit->runs[0].id : "");
	add_name(view, "last", audit->run_count ? audit->runs[last].id : "");
	rg_build_count(view, "goldens", audit->file_count);
	rg_build_count(view, "series", series_count);
	rg_build_count(view, "grouped", audit->group_count > 1 ? audit->group_count : 0);
	rg_build_text(view, "group_by", rg_audit_grouping_names[audit->options.grouping]);
	rg_build_count(view, "tested", audit->tested);
	rg_build_count(view, "broken", audit->broken);
	rg_build_truth(view, "hang_together", audit->hang_together);
	rg_build_textf(view, "rate", "%.3g %%", 100 * audit->options.error_rate);
}

/* What is odd about a series, in a few words. */
static void add_note(rg_audit_build *b, cJSON *item, const rg_audit_series *series)
{
	char percent[RG_PERCENT_SIZE];
	rg_buf note;

	rg_buf_init(&note, RG_BUF_TEXT);
	rg_percent_at_most(percent, rg_deterministic_bound(series->noise.runs));
	if (series->noise.deterministic)
		rg_buf_printf(&note, "; deterministic: at most %s %% may differ", percent);
	if (!series->noise.step_count)
		rg_buf_str(&note, "; no steps");
	else if (!series->noise.finite_steps)
		rg_buf_str(&note, "; never finite");
	if (series->break_count)
		rg_buf_printf(&note, "; since %.*s",
			      rg_audit_name_length(b->audit->runs[series->regime_from].id),
			      b->audit->runs[series->regime_from].id);
	if (series->missing)
		rg_buf_printf(&note, "; %zu without it", series->missing);
	if (series->all.other_steps)
		rg_buf_printf(&note, "; %zu with other steps", series->all.other_steps);
	if (series->all.nonfinite)
		rg_buf_printf(&note, "; %zu not finite", series->all.nonfinite);
	rg_build_text(item, "note", note.length ? note.data + strlen("; ") : "");
	rg_buf_release(&note);
}

cJSON *rg_audit_name_series(rg_audit_build *b, cJSON *list, const rg_audit_series *series)
{
	cJSON *item = rg_build_item(list);
	add_group(b, item, series->group);
	rg_build_text(item, "file", series->file);
	rg_build_text(item, "metric", series->metric);
	rg_build_count(item, "runs", series->noise.runs);
	add_note(b, item, series);
	return item;
}

/* … with its figures. */
static void add_series(rg_audit_build *b, cJSON *list, const rg_audit_series *series)
{
	cJSON *item = rg_audit_name_series(b, list, series);
	const rg_figures *noise = &series->noise;
	char number[RG_STEP_TEXT];

	rg_build_count(item, "steps", noise->centre_count);
	rg_build_count(item, "patterns", noise->patterns);
	rg_audit_add_spread(b, item, &noise->spread);
	if (!isnan(noise->spread.widest) && noise->spread.widest > 0)
		rg_build_text(item, "step",
			      rg_step_name(series->records, noise->spread.widest_step, number));
	else
		rg_build_text(item, "step", "-");
}

/* The series that spread most, of those that spread at all. Reorders. */
static void add_widest(rg_audit_build *b, cJSON *view, const rg_audit_series **series, size_t count)
{
	cJSON *list = rg_build_list(view, "widest");
	qsort(series, count, sizeof(*series), rg_audit_by_spread);
	for (size_t i = 0; i < count && i < WIDEST && series[i]->noise.spread.max > 0; i++)
		add_series(b, list, series[i]);
}

/* All series in their order, or the `top` that spread most. */
static void add_table(rg_audit_build *b, cJSON *view, const rg_audit_series **series, size_t count,
		      size_t top)
{
	cJSON *list = rg_build_list(view, "table_rows");
	size_t shown = top && top < count ? top : count;

	if (shown < count)
		qsort(series, count, sizeof(*series), rg_audit_by_spread);
	for (size_t i = 0; i < shown; i++)
		add_series(b, list, series[i]);
	rg_build_truth(view, "only_widest", shown < count);
}

/* Series of which some runs are not in the spread. */
static void add_left_out(rg_audit_build *b, cJSON *view, const rg_audit_series *const *series,
			 size_t count)
{
	cJSON *object = rg_build_object(view, "left_out");
	cJSON *list = rg_build_list(object, "items");
	size_t missing = 0, other_steps = 0, nonfinite = 0;

	for (size_t i = 0; i < count; i++) {
		const rg_audit_series *s = series[i];
		cJSON *item;

		if (!s->missing && !s->all.other_steps && !s->all.nonfinite)
			continue;
		missing += s->missing ? 1 : 0;
		other_steps += s->all.other_steps ? 1 : 0;
		nonfinite += s->all.nonfinite ? 1 : 0;
		item = rg_build_item(list);
		add_group(b, item, s->group);
		rg_build_text(item, "file", s->file);
		rg_build_text(item, "metric", s->metric);
		rg_build_count(item, "missing", s->missing);
		rg_build_count(item, "other_steps", s->all.other_steps);
		rg_build_count(item, "not_finite", s->all.nonfinite);
	}
	rg_build_count(object, "with_missing", missing);
	rg_build_count(object, "with_other_steps", other_steps);
	rg_build_count(object, "with_not_finite", nonfinite);
}

static void add_failures(rg_audit_build *b, cJSON *view)
{
	cJSON *list = rg_build_list(view, "failures");
	bool any_recommended = false;

	for (size_t i = 0; i < b->audit->file_count; i++) {
		const rg_audit_file *file = &b->audit->files[i];
		bool recommended = rg_audit_file_is_recommended(file);

		any_recommended |= recommended;
		if (!file->failed_today && !file->failed_recommended)
			continue;
		cJSON *item = rg_build_item(list);
		add_group(b, item, file->group);
		rg_build_text(item, "file", file->path);
		rg_build_count(item, "runs", file->runs);
		rg_build_count(item, "today", file->failed_today);
		rg_build_truth(item, "is_recommended", recommended);
		rg_build_textf(item, "recommended", recommended ? "%zu" : "-",
			       file->failed_recommended);
	}
	rg_build_truth(view, "any_recommended", any_recommended);
}

/* Flaky ones, or those that fail up to their newest run. */
static void add_case_list(rg_audit_build *b, cJSON *cases, const char *key, bool flaky)
{
	cJSON *list = rg_build_list(cases, key);
	const rg_audit_run *runs = b->audit->runs;

	for (size_t i = 0; i < b->audit->case_count; i++) {
		const rg_audit_case *c = &b->audit->cases[i];
		if (!rg_audit_case_is(c, flaky))
			continue;
		cJSON *item = rg_build_item(list);
		rg_build_text(item, "case", c->name);
		rg_build_text(item, "detail", c->detail);
		rg_build_count(item, "passed", c->passed);
		rg_build_count(item, "failed", c->failed);
		rg_build_count(item, "turns", c->turns);
		if (c->flaky == RG_FLAKY_ON_COMMIT) {
			add_name(item, "commit", runs[c->pass_run].commit);
			add_name(item, "pass_run", runs[c->pass_run].id);
			add_name(item, "fail_run", runs[c->fail_run].id);
		}
		if (!flaky)
			add_name(item, "since", runs[c->failing_since].id);
	}
}

static void add_cases(rg_audit_build *b, cJSON *view)
{
	if (!b->audit->case_total)
		return;
	cJSON *cases = rg_build_object(view, "cases");
	rg_build_count(cases, "total", b->audit->case_total);
	rg_build_count(cases, "failed", b->audit->case_count);
	add_case_list(b, cases, "flaky", true);
	add_case_list(b, cases, "failing", false);
}

static void add_unreadable(rg_audit_build *b, cJSON *view)
{
	cJSON *list = rg_build_list(view, "unreadable");
	for (size_t i = 0; i < b->audit->unreadable_count; i++) {
		const rg_audit_unreadable *unreadable = &b->audit->unreadable[i];
		cJSON *item = rg_build_item(list);

		add_name(item, "run", b->audit->runs[unreadable->run].id);
		rg_build_text(item, "why", unreadable->why);
	}
}

cJSON *rg_audit_view_make(rg_audit_build *b, const rg_audit_series **series, size_t count,
			  size_t top)
{
	cJSON *view = cJSON_CreateObject();
	add_head(b, view, count);
	rg_audit_add_answers(b, view, series, count);
	add_changes(b, view, series, count);
	add_left_out(b, view, series, count);
	if (b->terminal)
		add_table(b, view, series, count, top);
	else
		add_widest(b, view, series, count);
	add_failures(b, view);
	add_cases(b, view);
	add_unreadable(b, view);
	return view;
}
