/* SPDX-License-Identifier: Apache-2.0 */
#include "report/json.h"

#include "base/fields.h"
#include "base/json.h"
#include "compare/checks_apply.h"
#include "compare/losses.h"
#include "compare/summary.h"
#include "report/coverage.h"
#include "report/curve_json.h"
#include "report/format_report.h"
#include "report/new_runs.h"
#include "report/summary_view.h"

#include <math.h>
#include <string.h>

/* --- the keys --- */

static const char *const file_statuses[] = {"compared", "new", "removed", "unreadable"};
static const char *const gap_kinds[RG_GAPS] = {[RG_GAP_OLD_ONLY] = "old only",
					       [RG_GAP_NEW_ONLY] = "new only",
					       [RG_GAP_DROPPED] = "dropped",
					       [RG_GAP_NO_STEPS] = "no steps"};

#define OF rg_loss
static const rg_json_field loss_fields[] = {RG_KEY(file, "The golden's path."),
					    RG_KEY(metric, "The metric's name."),
					    RG_KEY(whole, "Whether the whole metric is gone."),
					    RG_KEY(steps, "Steps that are gone."),
					    RG_KEY_AS("what", text, "The same in words."),
					    {0}};
#undef OF

#define OF rg_losses
static const rg_json_field shrunk_fields[] = {
	RG_KEY(goldens, "Goldens that lost something."),
	RG_KEY(metrics, "Metrics that are gone as a whole."),
	RG_KEY(steps, "Steps that other metrics lost."),
	RG_KEY_LIST("items", items, count, loss_fields, "Each metric that lost something."),
	{0}};
#undef OF

static const rg_json_field condition_fields[] = {
	RG_SAID("condition", TEXT,
		"What --fail-on calls it, or a limit, a level or another kind or shape."),
	RG_SAID_OR_NULL("metric", TEXT,
			"The metric's name; of tests and operators that got worse, the worst "
			"one's; null where it is about goldens as a whole."),
	RG_SAID_OR_NULL("limit", NUMBER, "The limit or level."),
	RG_SAID("n", COUNT,
		"What broke the gate: goldens, or metrics of tests and operators that got worse."),
	RG_SAID("of", COUNT, "What could have broken it."),
	RG_SAID_OR_NULL("worst", NUMBER,
			"The worst |avg_rel_diff|, score, number of steps, share that it is slower "
			"by, or drop of the SNR."),
	RG_SAID("file", TEXT, "The golden that it is in."),
	{0}};

static const rg_json_field gate_fields[] = {
	RG_SAID("exit", COUNT, "The exit code that the gate's line names."),
	RG_SAID_OF("conditions", LIST, ALWAYS, condition_fields,
		   "What broke the gate, worst first."),
	{0}};

#define OF rg_json_about
static const rg_json_field about_fields[] = {
	RG_KEY_IF("old", old_side, RG_JSON_OR_NULL, "The name of the old side."),
	RG_KEY_IF("new", new_side, RG_JSON_OR_NULL, "The name of the new side."),
	RG_KEY_OR_NULL(run, "The run that a refresh took."),
	{0}};
#undef OF

#define OF rg_comparison
static const rg_json_field count_fields[] = {
	RG_KEY_AS("files", file_count, "Files."),
	RG_KEY(compared, "Of these, files that were compared."),
	RG_KEY_AS("new", new_files, "New files."),
	RG_KEY(removed, "Removed files."),
	RG_KEY(unreadable, "Unreadable files."),
	RG_KEY_AS("rows", row_count, "Rows."),
	RG_KEY(series_rows, "Of these, rows of series."),
	RG_KEY_AS("gaps", gap_count, "Metrics without a row."),
	{0}};
#undef OF

static const rg_json_field check_fields[] = {
	RG_SAID("name", TEXT, "The NAME of [check \"NAME\"]."),
	RG_SAID("goldens", COUNT, "Goldens that it looks at."),
	RG_SAID("passes", COUNT, "Of these, whose new values pass."),
	RG_SAID("fails", COUNT, "Of these, whose new values fail."),
	RG_SAID("unchecked", COUNT, "Goldens that it could not be held against."),
	{0}};

#define OF rg_run_verdict
static const rg_json_field run_fields[] = {
	RG_KEY(runs, "Measured runs."),
	RG_KEY(rows, "Rows that all of them have."),
	RG_KEY(outside, "Of these, outside."),
	RG_KEY(expected, "As many are to be expected by chance."),
	RG_KEY(least, "The fewest rows outside that a measured run has."),
	RG_KEY(most, "The most."),
	RG_KEY(p, "As many are outside in at most this share of cases."),
	RG_KEY(is_another, "Whether that is at or under the level."),
	{0}};
#undef OF

#define OF rg_refresh
static const rg_json_field refresh_fields[] = {
	RG_KEY_AS("updated", counts[RG_REFRESH_UPDATED], "Goldens that were updated."),
	RG_KEY_AS("new", counts[RG_REFRESH_NEW], "New goldens."),
	RG_KEY_AS("unchanged", counts[RG_REFRESH_UNCHANGED],
		  "Goldens that the run left as they were."),
	RG_KEY_AS("held_back", counts[RG_REFRESH_HELD], "Goldens that a guard held back."),
	RG_KEY_AS("left_out", counts[RG_REFRESH_LEFT_OUT], "Goldens that were not chosen."),
	RG_KEY_AS("missing", counts[RG_REFRESH_MISSING], "Artifacts that are missing."),
	RG_KEY_IF("gone", counts[RG_REFRESH_GONE], RG_JSON_OPTIONAL,
		  "Goldens that the run no longer makes."),
	{0}};
#undef OF

#define OF rg_refresh_item
static const rg_json_field golden_fields[] = {
	RG_KEY(name, "The file; for what is missing, the job."),
	RG_KEY_WORD("outcome", outcome, rg_refresh_names, "What became of it."),
	RG_KEY_OR_NULL(why, "Why it was held back or is missing."),
	{0}};
#undef OF

static const rg_json_field bucket_fields[] = {RG_SAID("range", TEXT, "A range of |avg_rel_diff|."),
					      RG_SAID("rows", COUNT, "Rows of series in it."),
					      {0}};

#define OF rg_metric_summary
static const rg_json_field metric_fields[] = {RG_KEY(metric, "The metric's name."),
					      RG_KEY(n, "Its rows."),
					      RG_KEY(median, "The upper median of |avg_rel_diff|."),
					      RG_KEY(max, "The largest |avg_rel_diff|."),
					      RG_KEY(mean_signed, "The mean of avg_rel_diff."),
					      {0}};
#undef OF

#define OF rg_file_outcome
static const rg_json_field file_fields[] = {
	RG_KEY(file, "The golden's path."),
	RG_KEY(old_file, "Its path on the old side."),
	RG_KEY_WORD("status", status, file_statuses, "What became of it."),
	RG_KEY_OR_NULL(why, "Why it is unreadable."),
	RG_KEY_OR_NULL(format, "The format it was read as."),
	RG_KEY_AS("rows", row_count, "Rows it has."),
	RG_KEY_AS("gaps", gap_count, "Metrics without a row."),
	RG_KEY(identical, "Whether both sides are the same, bit for bit."),
	RG_KEY_OR_NULL(missing_metrics, "Metrics that a check needs and that neither side has."),
	RG_KEY_IF("unchecked", unchecked_why, RG_JSON_OR_NULL,
		  "Why a check could not be held against it."),
	RG_KEY_OPTIONAL(notes, "Metrics that cannot be read, and what could be read otherwise: "
			       "sentences, one a line. Missing where there are none."),
	RG_SAID_OPTIONAL("from_run", TRUTH,
			 "Only for a refresh: whether the working tree has the run's bytes."),
	{0}};
#undef OF

#define OF rg_row
static const rg_json_field gap_fields[] = {
	RG_KEY(file, "The golden's path."),
	RG_KEY(metric, "The metric's name."),
	RG_KEY_WORD("kind", gap, gap_kinds, "Which side has it, or that no step counted."),
	RG_KEY(old_count, "Values on the old side."),
	RG_KEY(new_count, "Values on the new side."),
	RG_KEY_AS("near_zero", left_out.near_zero, "Steps left out because |old| < near-zero."),
	RG_KEY_AS("old_nonfinite", left_out.old_nonfinite,
		  "Steps left out because old is NaN or infinite."),
	RG_KEY_AS("new_nonfinite", left_out.new_nonfinite,
		  "Steps left out because only new is NaN or infinite."),
	RG_KEY_AS("old_only", left_out.old_only, "Steps on the old side only."),
	RG_KEY_AS("new_only", left_out.new_only, "Steps on the new side only."),
	RG_KEY_AS("not_looked_at", left_out.not_looked_at, "Steps outside the policy's 'steps'."),
	RG_KEY_AS("no_step", left_out.no_step,
		  "Values of both sides under keys that are not steps."),
	RG_SAID_OF("too_small", OBJECT, OPTIONAL, rg_too_small_fields,
		   "Steps that differ although none of them has a relative figure; absent where "
		   "there are none."),
	RG_KEY_IF("left_out", left_out_text, RG_JSON_OR_NULL,
		  "The steps that were left out, and why."),
	RG_KEY(identical, "Whether both sides are the same anyway, bit for bit."),
	RG_KEY_IF("checks", checks_text, RG_JSON_OR_NULL, "As in a row."),
	RG_KEY_WORD("level", level, rg_level_names, "By the [metric] policy, as in a row."),
	RG_SAID_OR_NULL("score", NUMBER, "The figure that the level was found by."),
	{0}};
#undef OF

const rg_json_field rg_compare_fields[] = {
	RG_SAID_OF("shrunk", OBJECT, ALWAYS, shrunk_fields, "What the new side lost."),
	RG_SAID_OF("gate", OBJECT, OR_NULL, gate_fields,
		   "What broke a gate; null where no gate was asked for."),
	RG_SAID_OF("about", OBJECT, ALWAYS, about_fields, "What was compared."),
	RG_SAID_OF("counts", OBJECT, ALWAYS, count_fields, "How much there is."),
	RG_SAID_OF("checks", LIST, ALWAYS, check_fields,
		   "The project's own checks that look at a golden, in their order."),
	RG_SAID_OF("among", OBJECT, OPTIONAL, rg_among_fields,
		   "Of a refresh from several runs, how the one was chosen; else missing."),
	RG_SAID_OF("new_runs", OBJECT, OPTIONAL, rg_new_runs_fields,
		   "What several new sides say together; missing where there is one."),
	RG_SAID_OF(
		"run", OBJECT, OPTIONAL, run_fields,
		"The run as a whole, by a noise model, over the rows that the same runs measured."),
	RG_SAID_OF("refresh", OBJECT, OPTIONAL, refresh_fields, "Only for a refresh: what it did."),
	RG_SAID_OF("goldens", LIST, OPTIONAL, golden_fields,
		   "Only for a refresh: each golden of the run."),
	RG_SAID_OF("buckets", LIST, ALWAYS, bucket_fields,
		   "How the rows of series are distributed."),
	RG_SAID_OF("metrics", LIST, ALWAYS, metric_fields, "Each metric with rows of series."),
	RG_SAID_OF("files", LIST, ALWAYS, file_fields, "Each file."),
	RG_SAID_OF("rows", LIST, ALWAYS, rg_row_fields, "Each pair of metrics that was compared."),
	RG_SAID_OF("gaps", LIST, ALWAYS, gap_fields, "Each metric without a row."),
	RG_SAID_OF("story", OBJECT, ALWAYS, rg_story_fields,
		   "What there is to say: what the summary and the page are rendered from."),
	RG_SAID_OF("page", OBJECT, ALWAYS, rg_page_fields, "The page's table of rows."),
	RG_SAID("curves_left_out", COUNT,
		"Rows with a curve for which there was no room, those that need a look least."),
	RG_SAID_OF("curves", LIST, ALWAYS, rg_curve_fields,
		   "The curves that the page has, those that it draws first in front."),
	RG_SAID_OF("formats", OBJECT, OPTIONAL, rg_format_report_fields,
		   "What particular formats say beside rows; missing where no file is of such a "
		   "format."),
	RG_SAID_OF("provenance", OBJECT, OPTIONAL, rg_provenance_fields,
		   "Where what is reported comes from, and what it was held against."),
	{0}};

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

/* By a noise model: the run as a whole. */
static void put_run(rg_json_out *json, const rg_run_verdict *run)
{
	if (!run->rows)
		return;
	rg_json_key_open_flat(json, "run", '{');
	rg_json_key_count(json, "runs", run->runs);
	rg_json_key_count(json, "rows", run->rows);
	rg_json_key_count(json, "outside", run->outside);
	rg_json_key_number(json, "expected", run->expected);
	rg_json_key_count(json, "least", run->least);
	rg_json_key_count(json, "most", run->most);
	rg_json_key_number(json, "p", run->p);
	rg_json_key_truth(json, "is_another", run->is_another);
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
