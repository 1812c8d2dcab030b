/* SPDX-License-Identifier: Apache-2.0 */
#include "report/json.h"

#include "base/json.h"
#include "compare/checks_apply.h"
#include "compare/losses.h"
#include "compare/summary.h"
#include "report/curve_json.h"
#include "report/new_runs.h"

#include <math.h>
#include <string.h>

/* Memory is bounded by the longest line: one object a line. */
typedef struct {
	rg_json_out json;
	const rg_refresh *refresh; /* may be NULL */
} writer;

void rg_json_cell(rg_json_out *json, const rg_cell *cell)
{
	switch (cell->kind) {
	case RG_CELL_NONE:
		rg_json_null(json);
		break;
	case RG_CELL_TEXT:
		rg_json_text_bytes(json, cell->text, cell->length);
		break;
	case RG_CELL_COUNT:
		rg_json_count(json, cell->count);
		break;
	case RG_CELL_STEP:
		rg_json_integer(json, cell->step);
		break;
	case RG_CELL_NUMBER:
		rg_json_number(json, cell->number);
		break;
	case RG_CELL_TRUTH:
		rg_json_truth(json, cell->truth);
		break;
	}
}

/* First, so that whoever reads no further has read it. */
static rg_error *put_shrunk(rg_json_out *json, const rg_comparison *c)
{
	rg_losses losses = {0};
	rg_error *err = rg_losses_find(&losses, c);

	rg_json_key_open(json, "shrunk", '{');
	rg_json_key_count(json, "goldens", losses.goldens);
	rg_json_key_count(json, "metrics", losses.metrics);
	rg_json_key_count(json, "steps", losses.steps);
	rg_json_key_open(json, "items", '[');
	for (size_t i = 0; !err && i < losses.count; i++) {
		const rg_loss *loss = &losses.items[i];
		rg_json_open_flat(json, '{');
		rg_json_key_text(json, "file", loss->file);
		rg_json_key_text(json, "metric", loss->metric);
		rg_json_key_truth(json, "whole", loss->whole);
		rg_json_key_count(json, "steps", loss->steps);
		rg_json_key_text(json, "what", loss->text);
		rg_json_close(json, '}');
	}
	rg_json_close(json, ']');
	rg_json_close(json, '}');
	rg_losses_release(&losses);
	return err;
}

static void put_group(rg_json_out *json, const rg_gate_group *group)
{
	const rg_breach *worst = group->worst;
	rg_json_open_flat(json, '{');
	rg_json_key_text(json, "condition", rg_gate_group_name(group));
	rg_json_key_text(json, "metric", group->metric);
	rg_json_key_defined(json, "limit", !isnan(worst->limit), worst->limit);
	rg_json_key_count(json, "n", group->n);
	rg_json_key_count(json, "of", group->of);
	rg_json_key_defined(json, "worst", group->metric && !isnan(worst->value), worst->value);
	rg_json_key_text(json, "file", worst->file);
	rg_json_close(json, '}');
}

static void put_gate(rg_json_out *json, const rg_json_about *about)
{
	if (!about->gate) {
		rg_json_key_text(json, "gate", NULL);
		return;
	}
	rg_json_key_open(json, "gate", '{');
	rg_json_key_count(json, "exit", (uint64_t)about->exit_code);
	rg_json_key_open(json, "conditions", '[');
	for (size_t i = 0; i < about->gate->count; i++)
		put_group(json, &about->gate->items[i]);
	rg_json_close(json, ']');
	rg_json_close(json, '}');
}

static void put_about(rg_json_out *json, const rg_comparison *c, const rg_json_about *about)
{
	rg_json_key_open_flat(json, "about", '{');
	rg_json_key_text(json, "old", about->old_side);
	rg_json_key_text(json, "new", about->new_side);
	rg_json_key_text(json, "run", about->run);
	rg_json_close(json, '}');
	rg_json_key_open_flat(json, "counts", '{');
	rg_json_key_count(json, "files", c->file_count);
	rg_json_key_count(json, "compared", c->compared);
	rg_json_key_count(json, "new", c->new_files);
	rg_json_key_count(json, "removed", c->removed);
	rg_json_key_count(json, "unreadable", c->unreadable);
	rg_json_key_count(json, "rows", c->row_count);
	rg_json_key_count(json, "series_rows", c->series_rows);
	rg_json_key_count(json, "gaps", c->gap_count);
	rg_json_close(json, '}');
}

/* What came of each of the project's checks that looked at a golden. */
static void put_checks(rg_json_out *json, const rg_comparison *c)
{
	rg_json_key_open(json, "checks", '[');
	for (size_t i = 0; c->checks && i < c->checks->count; i++) {
		const rg_checks_count count = rg_checks_count_goldens(c, i);
		if (!count.applied && !count.unchecked)
			continue;
		rg_json_open_flat(json, '{');
		rg_json_key_text(json, "name", c->checks->items[i].name);
		rg_json_key_count(json, "goldens", count.applied);
		rg_json_key_count(json, "passes", count.applied - count.fails);
		rg_json_key_count(json, "fails", count.fails);
		rg_json_key_count(json, "unchecked", count.unchecked);
		rg_json_close(json, '}');
	}
	rg_json_close(json, ']');
}

static void put_run_test(rg_json_out *json, const rg_run_test *test)
{
	static const char *const shown_by[] = {"rows", "metric", "count"};
	rg_json_key_text(json, "answer", rg_answer_names[test->answer]);
	rg_json_key_number(json, "p", test->p);
	rg_json_key_count(json, "runs", test->runs);
	rg_json_key_count(json, "rows", test->rows);
	rg_json_key_count(json, "too_few", test->too_few);
	rg_json_key_count(json, "missing", test->missing);
	rg_json_key_text(json, "by", test->answer == RG_ANSWER_CHANGED ? shown_by[test->by] : NULL);
	rg_json_key_text(json, "metric", test->metric);
}

/* By a noise model: the run as a whole. */
static void put_run(rg_json_out *json, const rg_run_verdict *run)
{
	if (!run->fresh.answer)
		return;
	rg_json_key_open(json, "run", '{');
	put_run_test(json, &run->fresh);
	if (run->golden.answer) {
		rg_json_key_open_flat(json, "golden", '{');
		put_run_test(json, &run->golden);
		rg_json_close(json, '}');
	}
	rg_json_close(json, '}');
}

static void put_refresh(rg_json_out *json, const rg_refresh *refresh)
{
	static const char *const keys[RG_REFRESH_OUTCOMES] = {
		"updated", "new", "unchanged", "held_back", "left_out", "missing", "gone"};

	rg_json_key_open_flat(json, "refresh", '{');
	for (size_t i = 0; i < RG_REFRESH_OUTCOMES; i++)
		rg_json_key_count(json, keys[i], refresh->counts[i]);
	rg_json_close(json, '}');
	rg_json_key_open(json, "goldens", '[');
	for (size_t i = 0; i < refresh->count; i++) {
		const rg_refresh_item *item = &refresh->items[i];
		rg_json_open_flat(json, '{');
		rg_json_key_text(json, "name", item->name);
		rg_json_key_text(json, "outcome", rg_refresh_names[item->outcome]);
		rg_json_key_text(json, "why", item->why);
		rg_json_close(json, '}');
	}
	rg_json_close(json, ']');
}

/* Of a file or row, where a refresh was. */
static void put_origin(writer *w, const char *file)
{
	if (w->refresh)
		rg_json_key_truth(&w->json, "from_run", rg_refresh_is_from_run(w->refresh, file));
}

static void put_buckets(rg_json_out *json, const rg_comparison *c)
{
	size_t counts[RG_BUCKETS];
	rg_bucket_counts(c, counts);
	rg_json_key_open(json, "buckets", '[');
	for (size_t i = 0; i < RG_BUCKETS; i++) {
		rg_json_open_flat(json, '{');
		rg_json_key_text(json, "range", rg_bucket_names[i]);
		rg_json_key_count(json, "rows", counts[i]);
		rg_json_close(json, '}');
	}
	rg_json_close(json, ']');
}

static rg_error *put_metrics(rg_json_out *json, const rg_comparison *c)
{
	rg_metric_summaries metrics = {0};
	RG_TRY(rg_metric_summaries_make(&metrics, c));
	rg_json_key_open(json, "metrics", '[');
	for (size_t i = 0; i < metrics.count; i++) {
		const rg_metric_summary *m = &metrics.items[i];
		rg_json_open_flat(json, '{');
		rg_json_key_text(json, "metric", m->metric);
		rg_json_key_count(json, "n", m->n);
		rg_json_key_number(json, "median", m->median);
		rg_json_key_number(json, "max", m->max);
		rg_json_key_number(json, "mean_signed", m->mean_signed);
		rg_json_close(json, '}');
	}
	rg_json_close(json, ']');
	rg_metric_summaries_release(&metrics);
	return NULL;
}

static void put_files(writer *w, const rg_comparison *c)
{
	static const char *const statuses[] = {"compared", "new", "removed", "unreadable"};
	rg_json_out *json = &w->json;

	rg_json_key_open(json, "files", '[');
	for (size_t i = 0; i < c->file_count; i++) {
		const rg_file_outcome *file = &c->files[i];
		rg_json_open_flat(json, '{');
		rg_json_key_text(json, "file", file->file);
		rg_json_key_text(json, "old_file", file->old_file);
		rg_json_key_text(json, "status", statuses[file->status]);
		rg_json_key_text(json, "why", file->why);
		rg_json_key_text(json, "format", file->format);
		rg_json_key_count(json, "rows", file->row_count);
		rg_json_key_count(json, "gaps", file->gap_count);
		rg_json_key_truth(json, "identical", file->identical);
		rg_json_key_text(json, "missing_metrics", file->missing_metrics);
		rg_json_key_text(json, "unchecked", file->unchecked_why);
		if (file->notes)
			rg_json_key_text(json, "notes", file->notes);
		put_origin(w, file->file);
		rg_json_close(json, '}');
	}
	rg_json_close(json, ']');
}

/* Steps that differ without a relative figure. */
static void put_too_small(rg_json_out *json, const rg_row *row)
{
	if (!row->too_small.count)
		return;
	rg_json_key_open(json, "too_small", '{');
	rg_json_key_count(json, "count", row->too_small.count);
	rg_json_key_number(json, "old", row->too_small.old);
	rg_json_key_number(json, "new", row->too_small.fresh);
	rg_json_close(json, '}');
}

static void put_rows(writer *w, const rg_row *const *rows, size_t count,
		     const rg_column_context *context)
{
	rg_json_out *json = &w->json;
	rg_json_key_open(json, "rows", '[');
	for (size_t i = 0; i < count && json->out->state == RG_BUF_FINE; i++) {
		const rg_column *column;
		rg_json_open_flat(json, '{');
		for (column = rg_columns; column->name; column++) {
			rg_cell cell = column->cell(rows[i], context);
			rg_json_key(json, column->name);
			rg_json_cell(json, &cell);
		}
		put_too_small(json, rows[i]);
		put_origin(w, rows[i]->file);
		rg_json_close(json, '}');
	}
	rg_json_close(json, ']');
}

static void put_gaps(rg_json_out *json, const rg_comparison *c)
{
	static const char *const kinds[RG_GAPS] = {[RG_GAP_OLD_ONLY] = "old only",
						   [RG_GAP_NEW_ONLY] = "new only",
						   [RG_GAP_DROPPED] = "dropped",
						   [RG_GAP_NO_STEPS] = "no steps"};

	rg_json_key_open(json, "gaps", '[');
	for (size_t i = 0; i < c->gap_count; i++) {
		const rg_row *gap = &c->gaps[i];
		rg_json_open_flat(json, '{');
		rg_json_key_text(json, "file", gap->file);
		rg_json_key_text(json, "metric", gap->metric);
		rg_json_key_text(json, "kind", kinds[gap->gap]);
		rg_json_key_count(json, "old_count", gap->old_count);
		rg_json_key_count(json, "new_count", gap->new_count);
		rg_json_key_count(json, "near_zero", gap->left_out.near_zero);
		rg_json_key_count(json, "old_nonfinite", gap->left_out.old_nonfinite);
		rg_json_key_count(json, "new_nonfinite", gap->left_out.new_nonfinite);
		rg_json_key_count(json, "old_only", gap->left_out.old_only);
		rg_json_key_count(json, "new_only", gap->left_out.new_only);
		rg_json_key_count(json, "not_looked_at", gap->left_out.not_looked_at);
		rg_json_key_count(json, "no_step", gap->left_out.no_step);
		rg_json_key_text(json, "left_out", gap->left_out_text);
		put_too_small(json, gap);
		rg_json_key_truth(json, "identical", gap->identical);
		rg_json_key_text(json, "checks", gap->checks_text);
		rg_json_key_text(json, "level", rg_level_names[gap->level]);
		rg_json_key_defined(json, "score", gap->level != RG_LEVEL_NONE, gap->score);
		rg_json_close(json, '}');
	}
	rg_json_close(json, ']');
}

static rg_error *put_story(rg_json_out *json, const rg_json_about *about, const rg_row *const *rows,
			   size_t count)
{
	rg_json_key(json, "story");
	rg_json_tree(json, about->story);
	RG_TRY(rg_page_table_write(json, about->page, rows, count));
	rg_curves_write(json, about->curves);
	if (about->formats) {
		rg_json_key(json, "formats");
		rg_json_tree(json, about->formats);
	}
	if (about->provenance) {
		rg_json_key(json, "provenance");
		rg_json_tree(json, about->provenance);
	}
	return NULL;
}

rg_error *rg_comparison_json(rg_buf *out, const rg_comparison *comparison,
			     const rg_row *const *rows, const rg_column_context *context,
			     const rg_json_about *about)
{
	writer w = {.refresh = about->refresh};
	rg_json_document(&w.json, out, "regild-compare");
	RG_TRY(put_shrunk(&w.json, comparison));
	put_gate(&w.json, about);
	put_about(&w.json, comparison, about);
	put_checks(&w.json, comparison);
	put_run(&w.json, &comparison->run);
	rg_among_json(&w.json, about->among);
	rg_new_runs_json(&w.json, about->new_runs);
	if (w.refresh)
		put_refresh(&w.json, w.refresh);
	put_buckets(&w.json, comparison);
	RG_TRY(put_metrics(&w.json, comparison));
	put_files(&w, comparison);
	put_rows(&w, rows, comparison->row_count, context);
	put_gaps(&w.json, comparison);
	RG_TRY(put_story(&w.json, about, rows, comparison->row_count));
	rg_json_close(&w.json, '}');
	return rg_buf_check(out, "JSON");
}
