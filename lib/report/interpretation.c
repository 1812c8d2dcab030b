#include "report/view_parts.h"

#include "report/cells.h"
#include "report/view.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the rows say: by the levels that are configured, metric by metric and row by row. */

/* A level as people write it: "0.001", "1e-4". */
static void add_level(rg_view_build *b, cJSON *parent, double level)
{
	char text[RG_FIGURE_SIZE];

	snprintf(text, sizeof(text), "%g", level);
	rg_build_text(&b->failed, parent, "level", text);
}

static void resolve(const rg_view_build *b, const rg_row *row, rg_metric_policy *out)
{
	rg_policy_resolve(b->summary->policy, row->metric, out);
}

static int compare_metric_names(const void *a, const void *b)
{
	const rg_row *x = *(const rg_row *const *)a, *y = *(const rg_row *const *)b;

	return strcmp(x->metric, y->metric);
}

/* One bullet for each metric that has a noise level and rows at or under it. False: there is none.
 */
static bool add_noise(rg_view_build *b, cJSON *view, const rg_row **rows, size_t count)
{
	cJSON *list = rg_build_list(&b->failed, view, "noise");
	size_t metrics = 0, i, end;

	qsort(rows, count, sizeof(const rg_row *), compare_metric_names);
	for (i = 0; i < count && !b->failed; i = end) {
		size_t quiet = 0, n = 0;
		rg_metric_policy policy;
		double max = 0;
		cJSON *item;

		resolve(b, rows[i], &policy);
		for (end = i; end < count && !strcmp(rows[end]->metric, rows[i]->metric); end++) {
			if (rows[end]->kind != RG_ROW_SERIES)
				continue;
			n++;
			if (rows[end]->level == RG_LEVEL_QUIET) {
				quiet++;
				max = fmax(max, rows[end]->score);
			}
		}
		if (!quiet || isnan(policy.noise))
			continue;
		if (metrics++ >= b->cap)
			continue;
		item = rg_build_object(&b->failed, list, NULL);
		rg_build_text(&b->failed, item, "metric", rows[i]->metric);
		rg_view_add_counted(b, item, "n", "n_one", n);
		rg_build_count(&b->failed, item, "at_or_under", quiet);
		rg_build_truth(&b->failed, item, "all", quiet == n);
		add_level(b, item, policy.noise);
		rg_build_figure(&b->failed, item, "max", max);
	}
	rg_view_add_counted(b, view, "noise_more", "noise_more_one",
			    metrics > b->cap ? metrics - b->cap : 0);
	return metrics != 0;
}

bool rg_row_must_look(const rg_row *row)
{
	return row->level >= RG_LEVEL_FLAG || row->verdict.kind == RG_VERDICT_OUTSIDE ||
	       row->left_out.new_nonfinite;
}

/* At or over a flag level: a row may stand out for another reason. */
static bool is_flagged(rg_level level, double score, const rg_metric_policy *policy)
{
	return level >= RG_LEVEL_FLAG && score >= policy->flag;
}

static bool is_memory(const rg_view_build *b, const rg_row *row)
{
	rg_metric_policy policy;

	if (strncmp(row->metric, "mem-", 4) != 0 || row->kind != RG_ROW_SERIES)
		return false;
	resolve(b, row, &policy);
	return is_flagged(row->level, row->score, &policy);
}

static void add_memory_file(rg_view_build *b, cJSON *list, const rg_file_outcome *file)
{
	const rg_row *rows = b->summary->comparison->rows + file->first_row;
	cJSON *item = rg_build_object(&b->failed, list, NULL), *values, *last = NULL;
	size_t count = 0, i;

	rg_build_text(&b->failed, item, "file", file->file);
	values = rg_build_list(&b->failed, item, "values");
	for (i = 0; i < file->row_count && !b->failed; i++) {
		rg_metric_policy policy;

		if (!is_memory(b, &rows[i]))
			continue;
		if (count++ >= b->cap)
			continue;
		resolve(b, &rows[i], &policy);
		last = rg_build_object(&b->failed, values, NULL);
		rg_build_text(&b->failed, last, "metric", rows[i].metric);
		rg_build_figure(&b->failed, last, "avg_rel_diff", rows[i].avg_rel_diff);
		add_level(b, last, policy.flag);
	}
	if (last)
		rg_build_truth(&b->failed, last, "last", true);
	rg_build_count(&b->failed, item, "values_more", count > b->cap ? count - b->cap : 0);
}

static double memory_size(const rg_view_build *b, const rg_file_outcome *file)
{
	const rg_comparison *c = b->summary->comparison;
	double size = -1;
	size_t i;

	for (i = file->first_row; i < file->first_row + file->row_count; i++)
		if (is_memory(b, &c->rows[i]))
			size = fmax(size, fabs(c->rows[i].avg_rel_diff));
	return size;
}

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

/* Memory rows at or over their flag level, by file, the worst file first. */
static void add_memory(rg_view_build *b, cJSON *view)
{
	const rg_comparison *c = b->summary->comparison;
	sized_file *files = malloc((c->file_count + 1) * sizeof(*files));
	size_t count = 0, rows = 0, kept, i;
	cJSON *object, *list;

	if (!files) {
		b->failed = true;
		return;
	}
	for (i = 0; i < c->file_count; i++) {
		double size = memory_size(b, &c->files[i]);

		if (size >= 0)
			files[count++] = (sized_file){&c->files[i], size};
	}
	for (i = 0; i < c->row_count; i++)
		rows += is_memory(b, &c->rows[i]);
	if (count) {
		qsort(files, count, sizeof(*files), compare_sized);
		object = rg_build_object(&b->failed, view, "memory");
		rg_view_add_counted(b, object, "rows", "rows_one", rows);
		rg_view_add_counted(b, object, "files", "files_one", count);
		list = rg_build_list(&b->failed, object, "items");
		kept = rg_view_shown(b, object, count);
		for (i = 0; i < kept && !b->failed; i++)
			add_memory_file(b, list, files[i].file);
	}
	free(files);
}

static void add_iteration(rg_view_build *b, cJSON *view, const rg_metric_summaries *metrics)
{
	size_t i;

	for (i = 0; i < metrics->count; i++) {
		const rg_metric_summary *m = &metrics->items[i];
		cJSON *object;

		if (strcmp(m->metric, "iteration-time") != 0 || m->mean_signed == 0)
			continue;
		object = rg_build_object(&b->failed, view, "iteration");
		rg_build_figure(&b->failed, object, "mean_signed", m->mean_signed);
		rg_build_truth(&b->failed, object, "faster", m->mean_signed > 0);
		rg_build_figure(&b->failed, object, "median", m->median);
		rg_build_figure(&b->failed, object, "max", m->max);
		rg_view_add_counted(b, object, "n", "n_one", m->n);
	}
}

/* What is not a number any more is as bad as can be. */
static double badness(const rg_row *row)
{
	return row->kind == RG_ROW_SERIES && !row->left_out.new_nonfinite ? fabs(row->avg_rel_diff)
									  : INFINITY;
}

/* Failed ones first, then by falling size, then as they stand. */
static int compare_worst(const void *a, const void *b)
{
	const rg_row *x = *(const rg_row *const *)a, *y = *(const rg_row *const *)b;
	double p = badness(x), q = badness(y);

	if ((x->level == RG_LEVEL_FAIL) != (y->level == RG_LEVEL_FAIL))
		return x->level == RG_LEVEL_FAIL ? -1 : 1;
	if (p != q)
		return p > q ? -1 : 1;
	return x < y ? -1 : x > y;
}

void rg_rows_worst_first(const rg_row **rows, size_t count)
{
	qsort(rows, count, sizeof(const rg_row *), compare_worst);
}

/* Begins one more reason. */
static void separate(rg_buf *text)
{
	if (text->length)
		rg_buf_str(text, "; ");
}

/* By which level a score is to be looked at. */
static void say_level(rg_buf *text, rg_level level, double score, double fail_at,
		      const rg_metric_policy *policy)
{
	bool fails = level == RG_LEVEL_FAIL, flagged = is_flagged(level, score, policy);

	if (fails || flagged)
		separate(text);
	/* The figure that is shown is the score of that kind alone. */
	if ((fails || flagged) && policy->kind != RG_POLICY_RELATIVE)
		rg_buf_printf(text, "score %.3g, ", score);
	if (fails)
		rg_buf_printf(text, "over the fail level %g", fail_at);
	else if (flagged)
		rg_buf_printf(text, "flag level %g", policy->flag);
}

/* What turned NaN, by which level, and what a noise model says. */
static void add_reason(rg_view_build *b, cJSON *item, const rg_row *row)
{
	rg_metric_policy policy;
	rg_buf text;

	resolve(b, row, &policy);
	rg_buf_init(&text, RG_BUF_TEXT);
	if (row->left_out.new_nonfinite)
		rg_buf_printf(&text, "%zu not finite any more", row->left_out.new_nonfinite);
	say_level(&text, row->level, row->score, row->fail_at, &policy);
	if (row->verdict.kind != RG_VERDICT_NONE && row->verdict.text) {
		separate(&text);
		rg_buf_str(&text, row->verdict.text);
	}
	rg_build_text(&b->failed, item, "reason", text.data);
	b->failed |= text.state != RG_BUF_FINE;
	rg_buf_release(&text);
}

/* The columns that were asked for beyond the plain ones. */
static void add_cells(rg_view_build *b, cJSON *item, const rg_row *row)
{
	const rg_column_list *columns = b->summary->columns;
	cJSON *list = rg_build_list(&b->failed, item, "cells");
	size_t i;

	for (i = 0; columns && i < columns->count && !b->failed; i++) {
		rg_cell cell = columns->items[i]->cell(row, b->summary->context);
		cJSON *object;
		rg_buf text;

		if (columns->items[i]->flags & RG_COLUMN_PLAIN)
			continue;
		rg_buf_init(&text, RG_BUF_TEXT);
		rg_cell_add_text(&text, &cell);
		object = rg_build_object(&b->failed, list, NULL);
		rg_build_text(&b->failed, object, "name", columns->items[i]->name);
		rg_build_text(&b->failed, object, "value", text.data);
		b->failed |= text.state != RG_BUF_FINE;
		rg_buf_release(&text);
	}
}

static void add_review(rg_view_build *b, cJSON *view, const rg_row **rows, size_t count)
{
	cJSON *object, *list;
	size_t kept, i, n = 0;

	for (i = 0; i < count; i++)
		if (rg_row_must_look(rows[i]))
			rows[n++] = rows[i];
	if (!n)
		return;
	rg_rows_worst_first(rows, n);
	object = rg_build_object(&b->failed, view, "review");
	rg_view_add_counted(b, object, "rows", "rows_one", n);
	list = rg_build_list(&b->failed, object, "items");
	kept = rg_view_shown(b, object, n);
	for (i = 0; i < kept && !b->failed; i++) {
		cJSON *item = rg_build_object(&b->failed, list, NULL);

		rg_build_text(&b->failed, item, "file", rows[i]->file);
		rg_build_text(&b->failed, item, "metric", rows[i]->metric);
		rg_view_add_counted(b, item, "n_steps", "steps_one", rows[i]->n_steps);
		if (rows[i]->kind == RG_ROW_SERIES)
			rg_build_figure(&b->failed, item, "avg_rel_diff", rows[i]->avg_rel_diff);
		else
			rg_build_text(&b->failed, item, "avg_rel_diff", "differs");
		add_reason(b, item, rows[i]);
		add_cells(b, item, rows[i]);
	}
}

static void add_exact(rg_view_build *b, cJSON *view, const rg_row **rows, size_t count)
{
	size_t n = 0, differ = 0, kept, i;
	cJSON *object, *list;

	for (i = 0; i < count; i++) {
		n += rows[i]->kind == RG_ROW_EXACT;
		if (rows[i]->kind == RG_ROW_EXACT && !rows[i]->identical)
			rows[differ++] = rows[i];
	}
	if (!differ)
		return;
	object = rg_build_object(&b->failed, view, "exact");
	rg_build_count(&b->failed, object, "n", n);
	rg_build_count(&b->failed, object, "differ", differ);
	list = rg_build_list(&b->failed, object, "items");
	kept = rg_view_shown(b, object, differ);
	for (i = 0; i < kept && !b->failed; i++) {
		cJSON *item = rg_build_object(&b->failed, list, NULL);

		rg_build_text(&b->failed, item, "file", rows[i]->file);
		rg_build_text(&b->failed, item, "metric", rows[i]->metric);
		/* As text: a template's 0 is false. */
		char at[32] = "the kind";

		if (rows[i]->first_diff_known)
			snprintf(at, sizeof(at), "%lld", (long long)rows[i]->first_diff);
		rg_build_text(&b->failed, item, "first_diff", at);
		rg_build_text(&b->failed, item, "old",
			      rows[i]->old_excerpt ? rows[i]->old_excerpt : "");
		rg_build_text(&b->failed, item, "new",
			      rows[i]->new_excerpt ? rows[i]->new_excerpt : "");
	}
}

/* Not finite any more, and no row says so. */
static bool is_lost(const rg_gap *gap)
{
	return gap->kind == RG_GAP_NO_STEPS && gap->left_out.new_nonfinite;
}

/* No step counts, because the old values are near zero, but the absolute score is over a level. */
static bool is_moved(const rg_gap *gap)
{
	return gap->level >= RG_LEVEL_FLAG && !is_lost(gap);
}

/* The metrics without a row that a reviewer must look at all the same. */
static void add_rowless(rg_view_build *b, cJSON *view, const char *name,
			bool (*is_one)(const rg_gap *gap))
{
	const rg_comparison *c = b->summary->comparison;
	cJSON *object, *list;
	size_t n = 0, kept, i;

	for (i = 0; i < c->gap_count; i++)
		n += is_one(&c->gaps[i]);
	if (!n)
		return;
	object = rg_build_object(&b->failed, view, name);
	rg_view_add_counted(b, object, "n", "n_one", n);
	list = rg_build_list(&b->failed, object, "items");
	kept = rg_view_shown(b, object, n);
	for (i = 0; i < c->gap_count && kept && !b->failed; i++) {
		const rg_gap *gap = &c->gaps[i];
		rg_metric_policy policy;
		rg_buf reason;
		cJSON *item;

		if (!is_one(gap))
			continue;
		kept--;
		item = rg_build_object(&b->failed, list, NULL);
		rg_build_text(&b->failed, item, "file", c->files[gap->file_index].file);
		rg_build_text(&b->failed, item, "metric", gap->metric);
		rg_policy_resolve(b->summary->policy, gap->metric, &policy);
		rg_buf_init(&reason, RG_BUF_TEXT);
		say_level(&reason, gap->level, gap->score, gap->fail_at, &policy);
		rg_build_text(&b->failed, item, "reason", reason.data);
		b->failed |= reason.state != RG_BUF_FINE;
		rg_buf_release(&reason);
	}
}

/* Metrics that no row could be made of. */
static void add_gaps(rg_view_build *b, cJSON *view)
{
	const rg_comparison *c = b->summary->comparison;
	size_t counts[3] = {0}, i;
	cJSON *object;

	for (i = 0; i < c->gap_count; i++)
		counts[c->gaps[i].kind]++;
	if (!c->gap_count)
		return;
	object = rg_build_object(&b->failed, view, "gaps");
	rg_view_add_counted(b, object, "n", "n_one", c->gap_count);
	rg_build_count(&b->failed, object, "old_only", counts[RG_GAP_OLD_ONLY]);
	rg_build_count(&b->failed, object, "new_only", counts[RG_GAP_NEW_ONLY]);
	rg_build_count(&b->failed, object, "no_steps", counts[RG_GAP_NO_STEPS]);
}

static void fill(const rg_row **rows, const rg_comparison *c)
{
	size_t i;

	for (i = 0; i < c->row_count; i++)
		rows[i] = &c->rows[i];
}

void rg_view_add_interpretation(rg_view_build *b, cJSON *view, const rg_metric_summaries *metrics)
{
	const rg_comparison *c = b->summary->comparison;
	const rg_row **rows = malloc((c->row_count + 1) * sizeof(const rg_row *));
	static const char *const bullets[] = {"memory", "iteration", "exact", "review",
					      "moved",  "lost",      "gaps"};
	bool any;
	size_t i;

	if (!rows) {
		b->failed = true;
		return;
	}
	fill(rows, c);
	rg_view_add_measured(b, view, rows, c->row_count);
	any = add_noise(b, view, rows, c->row_count);
	add_memory(b, view);
	add_iteration(b, view, metrics);
	fill(rows, c);
	add_exact(b, view, rows, c->row_count);
	fill(rows, c);
	add_review(b, view, rows, c->row_count);
	free(rows);
	add_rowless(b, view, "moved", is_moved);
	add_rowless(b, view, "lost", is_lost);
	add_gaps(b, view);
	for (i = 0; i < sizeof(bullets) / sizeof(*bullets); i++)
		any |= cJSON_HasObjectItem(view, bullets[i]);
	rg_build_truth(&b->failed, view, "interpretation", any);
}
