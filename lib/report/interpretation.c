/* SPDX-License-Identifier: Apache-2.0 */
#include "report/interpretation.h"

#include "report/measured_noise.h"
#include "report/review.h"
#include "report/template_data.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The summary, and a list with room for all of its rows. */
typedef struct {
	const rg_summary *summary;
	const rg_comparison *comparison;
	const rg_row **rows;
	rg_buf text; /* a reason at a time */
	bool failed;
} build;

typedef bool row_test(const rg_row *row);

/* Lists the rows that pass (NULL: all), in their own order. */
static size_t list_rows(build *b, row_test *passes)
{
	const rg_comparison *c = b->comparison;
	size_t count = 0, i;

	for (i = 0; i < c->row_count; i++)
		if (!passes || passes(&c->rows[i]))
			b->rows[count++] = &c->rows[i];
	return count;
}

static void resolve(const build *b, const char *metric, rg_metric_policy *out)
{
	rg_policy_resolve(b->summary->policy, metric, out);
}

static int compare_metric_names(const void *a, const void *b)
{
	const rg_row *x = *(const rg_row *const *)a, *y = *(const rg_row *const *)b;

	return strcmp(x->metric, y->metric);
}

/* One bullet for each metric that has a noise level and rows at or under it. */
static void add_noise(build *b, cJSON *view)
{
	cJSON *list = rg_build_cut_list(&b->failed, view, "noise");
	size_t count = list_rows(b, NULL), i, end;
	const rg_row **rows = b->rows;

	qsort(rows, count, sizeof(const rg_row *), compare_metric_names);
	for (i = 0; i < count; i = end) {
		size_t quiet = 0, n = 0;
		rg_metric_policy policy;
		double max = 0;
		cJSON *item;

		resolve(b, rows[i]->metric, &policy);
		for (end = i; end < count && !strcmp(rows[end]->metric, rows[i]->metric); end++) {
			n += rows[end]->kind == RG_ROW_SERIES;
			if (rows[end]->kind != RG_ROW_SERIES || rows[end]->level != RG_LEVEL_QUIET)
				continue;
			quiet++;
			max = fmax(max, rows[end]->score);
		}
		if (!quiet || isnan(policy.noise))
			continue;
		item = rg_build_item(&b->failed, list);
		rg_build_text(&b->failed, item, "metric", rows[i]->metric);
		rg_build_count(&b->failed, item, "n", n);
		rg_build_count(&b->failed, item, "at_or_under", quiet);
		rg_build_truth(&b->failed, item, "all", quiet == n);
		rg_build_textf(&b->failed, item, "level", "%g", policy.noise);
		rg_build_figure(&b->failed, item, "max", max);
	}
}

static bool is_memory(const build *b, const rg_row *row)
{
	rg_metric_policy policy;

	if (strncmp(row->metric, "mem-", 4) != 0 || row->kind != RG_ROW_SERIES)
		return false;
	resolve(b, row->metric, &policy);
	return rg_review_is_flagged(row->level, row->score, &policy);
}

static void add_memory_file(build *b, cJSON *list, const rg_file_outcome *file)
{
	const rg_row *rows = b->comparison->rows + file->first_row;
	cJSON *item = rg_build_item(&b->failed, list), *values, *last = NULL;
	size_t i;

	rg_build_text(&b->failed, item, "file", file->file);
	values = rg_build_cut_list(&b->failed, item, "values");
	for (i = 0; i < file->row_count; i++) {
		rg_metric_policy policy;

		if (!is_memory(b, &rows[i]))
			continue;
		resolve(b, rows[i].metric, &policy);
		last = rg_build_item(&b->failed, values);
		rg_build_text(&b->failed, last, "metric", rows[i].metric);
		rg_build_figure(&b->failed, last, "avg_rel_diff", rows[i].avg_rel_diff);
		rg_build_textf(&b->failed, last, "level", "%g", policy.flag);
	}
	if (last)
		rg_build_truth(&b->failed, last, "last", true);
}

/* A file with memory rows at or over their flag level, and the largest of them. */
typedef struct {
	const rg_file_outcome *file;
	double size;
} sized_file;

static int compare_sized(const void *a, const void *b)
{
	const sized_file *x = a, *y = b;

	if (x->size != y->size)
		return x->size > y->size ? -1 : 1;
	return x->file < y->file ? -1 : x->file > y->file;
}

/* Adds the file to `files` if it has such rows. Returns how many. */
static size_t measure_memory(const build *b, const rg_file_outcome *file, sized_file *files,
			     size_t *count)
{
	size_t found = 0, i;
	double size = 0;

	for (i = file->first_row; i < file->first_row + file->row_count; i++)
		if (is_memory(b, &b->comparison->rows[i])) {
			size = fmax(size, fabs(b->comparison->rows[i].avg_rel_diff));
			found++;
		}
	if (found)
		files[(*count)++] = (sized_file){file, size};
	return found;
}

/* The worst file first. */
static void add_memory(build *b, cJSON *view)
{
	const rg_comparison *c = b->comparison;
	sized_file *files = malloc((c->file_count + 1) * sizeof(*files));
	size_t count = 0, rows = 0, i;
	cJSON *object, *list;

	for (i = 0; files && i < c->file_count; i++)
		rows += measure_memory(b, &c->files[i], files, &count);
	if (count) {
		qsort(files, count, sizeof(*files), compare_sized);
		object = rg_build_object(&b->failed, view, "memory");
		rg_build_count(&b->failed, object, "rows", rows);
		list = rg_build_cut_list(&b->failed, object, "files");
		for (i = 0; i < count; i++)
			add_memory_file(b, list, files[i].file);
	}
	b->failed |= !files;
	free(files);
}

static void add_iteration(build *b, cJSON *view, const rg_metric_summaries *metrics)
{
	size_t i;

	for (i = 0; i < metrics->count; i++) {
		const rg_metric_summary *m = &metrics->items[i];
		cJSON *object, *interval;

		if (strcmp(m->metric, "iteration-time") != 0 || m->mean_signed == 0)
			continue;
		object = rg_build_object(&b->failed, view, "iteration");
		rg_build_figure(&b->failed, object, "mean_signed", m->mean_signed);
		rg_build_figure(&b->failed, object, "median", m->median);
		rg_build_figure(&b->failed, object, "max", m->max);
		rg_build_count(&b->failed, object, "n", m->n);
		if (isnan(m->low))
			continue;
		interval = rg_build_object(&b->failed, object, "interval");
		rg_build_figure(&b->failed, interval, "low", m->low);
		rg_build_figure(&b->failed, interval, "high", m->high);
		/* Jitter is neither. */
		rg_build_truth(&b->failed, interval, "faster", m->low > 0);
		rg_build_truth(&b->failed, interval, "slower", m->high < 0);
	}
}

/* The columns that were asked for beyond the plain ones. */
static void add_cells(build *b, cJSON *item, const rg_row *row)
{
	const rg_column_list *columns = b->summary->columns;
	cJSON *list = rg_build_list(&b->failed, item, "cells");
	size_t i;

	for (i = 0; columns && i < columns->count; i++) {
		rg_cell cell = columns->items[i]->cell(row, b->summary->context);
		cJSON *object;

		if (columns->items[i]->flags & RG_COLUMN_PLAIN)
			continue;
		object = rg_build_item(&b->failed, list);
		rg_build_text(&b->failed, object, "name", columns->items[i]->name);
		rg_build_cell(&b->failed, object, "value", &cell);
	}
}

static void add_review(build *b, cJSON *view)
{
	cJSON *list = rg_build_cut_list(&b->failed, view, "review");
	size_t count = list_rows(b, rg_row_must_look), i;

	rg_rows_worst_first(b->rows, count);
	for (i = 0; i < count; i++) {
		cJSON *item = rg_build_item(&b->failed, list);
		const rg_row *row = b->rows[i];
		rg_metric_policy policy;

		rg_build_text(&b->failed, item, "file", row->file);
		rg_build_text(&b->failed, item, "metric", row->metric);
		rg_build_count(&b->failed, item, "n_steps", row->n_steps);
		if (row->kind == RG_ROW_SERIES)
			rg_build_figure(&b->failed, item, "avg_rel_diff", row->avg_rel_diff);
		else
			rg_build_text(&b->failed, item, "avg_rel_diff", "differs");
		resolve(b, row->metric, &policy);
		rg_review_row_reason(&b->text, row, &policy);
		rg_build_written(&b->failed, item, "reason", &b->text);
		add_cells(b, item, row);
		rg_build_truth(&b->failed, item, "own",
			       rg_refresh_is_own(b->summary->refresh, row->file));
	}
}

static bool is_exact(const rg_row *row)
{
	return row->kind == RG_ROW_EXACT;
}

static bool is_exact_and_differs(const rg_row *row)
{
	return is_exact(row) && !row->identical;
}

static void add_exact(build *b, cJSON *view)
{
	size_t n = list_rows(b, is_exact), count = list_rows(b, is_exact_and_differs), i;
	cJSON *object, *list;

	if (!count)
		return;
	object = rg_build_object(&b->failed, view, "exact");
	rg_build_count(&b->failed, object, "n", n);
	list = rg_build_cut_list(&b->failed, object, "differ");
	for (i = 0; i < count; i++) {
		cJSON *item = rg_build_item(&b->failed, list);
		const rg_row *row = b->rows[i];

		rg_build_text(&b->failed, item, "file", row->file);
		rg_build_text(&b->failed, item, "metric", row->metric);
		/* As text: a template's 0 is false. */
		if (row->first_diff_known)
			rg_build_textf(&b->failed, item, "first_diff", "%lld",
				       (long long)row->first_diff);
		else
			rg_build_text(&b->failed, item, "first_diff", "the kind");
		rg_build_text(&b->failed, item, "old", row->old_excerpt);
		rg_build_text(&b->failed, item, "new", row->new_excerpt);
	}
}

/* Not finite any more, and no row says so. */
static bool is_lost(const rg_row *gap)
{
	return gap->gap == RG_GAP_NO_STEPS && gap->left_out.new_nonfinite;
}

/* No step counts, because the old values are near zero, but the absolute score is over a level. */
static bool is_moved(const rg_row *gap)
{
	return gap->level >= RG_LEVEL_FLAG && !is_lost(gap);
}

/* The metrics without a row that a reviewer must look at nevertheless. */
static void add_rowless(build *b, cJSON *view, const char *name, row_test *is_one)
{
	cJSON *list = rg_build_cut_list(&b->failed, view, name);
	const rg_comparison *c = b->comparison;
	size_t i;

	for (i = 0; i < c->gap_count; i++) {
		const rg_row *gap = &c->gaps[i];
		rg_metric_policy policy;
		cJSON *item;

		if (!is_one(gap))
			continue;
		item = rg_build_item(&b->failed, list);
		rg_build_text(&b->failed, item, "file", gap->file);
		rg_build_text(&b->failed, item, "metric", gap->metric);
		resolve(b, gap->metric, &policy);
		rg_review_gap_reason(&b->text, gap, &policy);
		rg_build_written(&b->failed, item, "reason", &b->text);
	}
}

/* Metrics that no row could be made of. */
static void add_gaps(build *b, cJSON *view)
{
	const rg_comparison *c = b->comparison;
	size_t counts[RG_GAPS] = {0}, i;
	cJSON *object;

	if (!c->gap_count)
		return;
	for (i = 0; i < c->gap_count; i++)
		counts[c->gaps[i].gap]++;
	object = rg_build_object(&b->failed, view, "gaps");
	rg_build_count(&b->failed, object, "n", c->gap_count);
	rg_build_count(&b->failed, object, "old_only", counts[RG_GAP_OLD_ONLY]);
	rg_build_count(&b->failed, object, "new_only", counts[RG_GAP_NEW_ONLY]);
	rg_build_count(&b->failed, object, "no_steps", counts[RG_GAP_NO_STEPS]);
}

void rg_view_add_interpretation(bool *failed, cJSON *view, const rg_summary *summary,
				const rg_metric_summaries *metrics)
{
	static const char *const bullets[] = {"noise",  "memory", "iteration", "exact",
					      "review", "moved",  "lost",      "gaps"};
	build b = {.summary = summary, .comparison = summary->comparison};
	bool any = false;
	size_t i;

	b.rows = malloc((b.comparison->row_count + 1) * sizeof(const rg_row *));
	if (!b.rows) {
		*failed = true;
		return;
	}
	rg_buf_init(&b.text, RG_BUF_TEXT);
	rg_view_add_measured(&b.failed, view, b.rows, list_rows(&b, NULL));
	add_noise(&b, view);
	add_memory(&b, view);
	add_iteration(&b, view, metrics);
	add_exact(&b, view);
	add_review(&b, view);
	add_rowless(&b, view, "moved", is_moved);
	add_rowless(&b, view, "lost", is_lost);
	add_gaps(&b, view);
	for (i = 0; i < sizeof(bullets) / sizeof(*bullets); i++) {
		const cJSON *bullet = cJSON_GetObjectItemCaseSensitive(view, bullets[i]);

		any |= bullet && bullet->child;
	}
	rg_build_truth(&b.failed, view, "configured", any);
	rg_build_truth(&b.failed, view, "interpretation",
		       any || cJSON_HasObjectItem(view, "measured"));
	*failed |= b.failed;
	rg_buf_release(&b.text);
	free(b.rows);
}
