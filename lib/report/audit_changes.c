/* SPDX-License-Identifier: Apache-2.0 */
#include "report/audit_changes.h"

#include "base/memory.h"
#include "report/mustache.h"
#include "report/template_data.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void add_bad_runs(rg_audit_build *b, cJSON *view)
{
	cJSON *list = rg_build_cut_list(view, "bad_runs");
	for (size_t i = 0; i < b->audit->odd_count; i++) {
		const rg_audit_odd_run *bad = &b->audit->odd_runs[i];
		if (bad->kind != RG_ODD_RUN_BAD)
			continue;
		cJSON *item = rg_build_item(list);
		rg_build_text(item, "run", b->audit->runs[bad->run].id);
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
	cJSON *list = rg_build_cut_list(view, "common_breaks");
	for (size_t i = 0; i < b->audit->common_count; i++) {
		const rg_audit_common_break *found = &b->audit->common_breaks[i];
		const rg_audit_run *run = &b->audit->runs[found->run];
		cJSON *item = rg_build_item(list);

		rg_build_text(item, "run", run->id);
		rg_build_text(item, "commit", run->commit);
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
	rg_build_text(item, "run", all[found->at].id);
	if (found->first != found->last) {
		rg_build_text(item, "first_run", all[found->first].id);
		rg_build_text(item, "last_run", all[found->last].id);
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
	cJSON *list = rg_build_list(parent, "breaks");
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

	rg_build_text(item, "run", run->id);
	rg_build_text(item, "commit", strcmp(run->commit, run->id) ? run->commit : "");
	cJSON *families = rg_build_list(item, "families");
	if (families)
		rg_mustache_cut(families, RG_MUSTACHE_DETAIL);
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
	cJSON *all = rg_build_cut_list(view, "breaks");
	cJSON *by_run = rg_build_cut_list(view, "breaks_by_run");
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

void rg_audit_add_changes(rg_audit_build *b, cJSON *view, const rg_audit_series *const *series,
			  size_t count)
{
	add_bad_runs(b, view);
	add_newest_runs(b, view);
	add_common_breaks(b, view);
	add_breaks(b, view, series, count);
	add_smallest_break(b, view, series, count);
}
