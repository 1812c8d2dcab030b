/* SPDX-License-Identifier: Apache-2.0 */
#include "report/story_view.h"

#include "base/memory.h"
#include "base/fields.h"
#include "report/measured_noise.h"
#include "report/models_view.h"
#include "report/review.h"
#include "report/run_page.h"
#include "report/template_data.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* --- the keys --- */

static const char *const line_kinds[RG_LINES] = {
	[RG_LINE_ANSWER] = "answer",       [RG_LINE_DONE] = "done",
	[RG_LINE_LOSSES] = "losses",       [RG_LINE_SHAPE] = "shape",
	[RG_LINE_CHANGED] = "changed",     [RG_LINE_CHECKS] = "checks",
	[RG_LINE_APART] = "apart",         [RG_LINE_MEASURED] = "measured",
	[RG_LINE_RUNS] = "new_runs",       [RG_LINE_NEXT] = "next",
	[RG_LINE_FROM_ZERO] = "from_zero", [RG_LINE_LAYOUT] = "layout"};

static const char *const shape_kinds[RG_SHAPES] = {
	[RG_SHAPE_METRIC_GONE] = "metric gone", [RG_SHAPE_STEPS_GONE] = "steps gone",
	[RG_SHAPE_NONFINITE] = "not finite",    [RG_SHAPE_OTHER] = "other",
	[RG_SHAPE_FINITE] = "finite again",     [RG_SHAPE_METRIC_NEW] = "metric new",
	[RG_SHAPE_STEPS_NEW] = "steps new",     [RG_SHAPE_USUAL] = "usual",
	[RG_SHAPE_DROPPED] = "placeholders"};

static const char *const group_kinds[] = {
	[RG_GROUP_SAME] = "same",       [RG_GROUP_QUIET] = "quiet", [RG_GROUP_LARGER] = "larger",
	[RG_GROUP_SMALLER] = "smaller", [RG_GROUP_MIXED] = "mixed", [RG_GROUP_DIFFERS] = "differs"};

const rg_json_field rg_story_line_fields[] = {
	RG_SAID_WORD("kind", ALWAYS, line_kinds, "What it is about."),
	RG_SAID("text", TEXT, "The line."),
	{0}};

#define OF rg_shape_change
const rg_json_field rg_story_shape_fields[] = {
	RG_KEY_WORD("kind", kind, shape_kinds, "What changed."),
	RG_KEY(metric, "The metric, or the family; of several their names."),
	RG_KEY(metrics, "Metrics that have it alike."),
	RG_KEY_OR_NULL(steps, "The steps, as ranges."),
	RG_KEY(rest_equal, "All shared steps are equal."),
	RG_KEY(goldens, "Goldens that have it."),
	RG_KEY(of, "Goldens that have the metric."),
	RG_SAID("others", COUNT, "Goldens beside the first."),
	RG_SAID("file", TEXT, "The first golden's path."),
	RG_SAID("name", TEXT, "What people call it."),
	RG_SAID("text", TEXT, "All of it in words."),
	{0}};
#undef OF

static const rg_json_field worst_fields[] = {
	RG_SAID("file", TEXT, "The golden's path."),
	RG_SAID_OR_NULL("stage", TEXT, "The stage in the path."),
	RG_SAID_OR_NULL("test", TEXT, "The test in the path."),
	RG_SAID_OR_NULL("variant", TEXT, "The variant in the file's name."),
	RG_SAID("name", TEXT, "What people call it."),
	RG_SAID("says", TEXT, "Its change in words."),
	RG_SAID_OR_NULL("avg_rel_diff", NUMBER, "Mean((old - new) / old); null for an exact row."),
	{0}};

static const rg_json_field cell_fields[] = {
	RG_SAID("name", TEXT, "Its name."), RG_SAID("value", TEXT, "Its value, for people."), {0}};

const rg_json_field rg_story_row_fields[] = {
	RG_SAID("file", TEXT, "The golden's path."),
	RG_SAID_OR_NULL("stage", TEXT, "The stage in the path."),
	RG_SAID_OR_NULL("test", TEXT, "The test in the path."),
	RG_SAID_OR_NULL("variant", TEXT, "The variant in the file's name."),
	RG_SAID("name", TEXT, "What people call it."),
	RG_SAID("metric", TEXT, "The metric; of a family, its worst member's."),
	RG_SAID("family", TEXT, "The family, or the metric."),
	RG_SAID("members", COUNT, "Rows that it stands for."),
	RG_SAID("changed", COUNT, "Of them, those whose values differ."),
	RG_SAID("n_steps", COUNT, "Steps that counted."),
	RG_SAID_OR_NULL("avg_rel_diff", NUMBER, "Mean((old - new) / old); null for an exact row."),
	RG_SAID_OR_NULL("mean_abs_rel", NUMBER, "Mean(|old - new| / |old|)."),
	RG_SAID("differs", TRUTH, "An exact row: it differs, and has no figures."),
	RG_SAID_OPTIONAL("by_record", TRUTH, "Its steps are a table's records."),
	RG_SAID("cancels", TRUTH, "Opposite halves cancel in avg_rel_diff."),
	RG_SAID("says", TEXT,
		"The change in words; of a row apart, what it was held against, too."),
	RG_SAID("apart", TRUTH, "It does not move with its group, or a small group's stage."),
	RG_SAID_OR_NULL("distance", NUMBER, "From the median of the others, in robust deviations."),
	RG_SAID_WORD("level", ALWAYS, rg_level_names, "By the [metric] policy."),
	RG_SAID_OR_NULL("score", NUMBER, "The figure that the level was found by."),
	RG_SAID_OR_NULL("checks", TEXT, "The project's checks, as in a row."),
	RG_SAID("reason", TEXT, "Why it needs a look."),
	RG_SAID("own", TRUTH, "Its change is not the run's."),
	RG_SAID_OF("cells", LIST, ALWAYS, cell_fields, "Columns that were asked for."),
	RG_SAID("several", TRUTH, "It stands for several."),
	RG_SAID_OPTIONAL("golden_url", TEXT,
			 "The golden's page, as the run's commit has it; only in \"apart\", where "
			 "the run's host is known."),
	{0}};

#define OF rg_group
const rg_json_field rg_story_group_fields[] = {
	RG_SAID("metric", TEXT, "The metric, or the family."),
	RG_SAID_OR_NULL("stage", TEXT, "The stage."),
	RG_SAID_OR_NULL("variant", TEXT, "The variant."),
	RG_KEY_WORD("kind", kind, group_kinds, "How it moved."),
	RG_KEY(n, "Goldens."),
	RG_KEY(changed, "Of them, those whose values differ."),
	RG_KEY(over, "Of them, those at or over the flag level."),
	RG_KEY(rows, "Rows, with all members of families."),
	RG_KEY(rows_changed, "Of them, those whose values differ."),
	RG_KEY(apart, "Goldens that do not move with it."),
	RG_KEY(counted, "Texts, tokens, ids and statuses, which have no figures."),
	RG_KEY_IF("median", median, RG_JSON_OR_NULL, "Of avg_rel_diff."),
	RG_KEY_IF("low", shift.low, RG_JSON_OR_NULL, "The least of it, over all that changed."),
	RG_KEY_IF("high", shift.high, RG_JSON_OR_NULL, "The largest."),
	RG_KEY_IF("jitter", shift.jitter, RG_JSON_OR_NULL,
		  "The largest mean_abs_rel of those in which opposite halves cancel."),
	RG_KEY_IF("flag", flag, RG_JSON_OR_NULL, "The flag level."),
	RG_SAID("says", TEXT, "The change in words."),
	RG_SAID_OF("worst", OBJECT, OPTIONAL, worst_fields,
		   "The worst golden: lost or not finite before all else, then by size."),
	RG_SAID("command", TEXT, "The command that shows its rows."),
	RG_SAID_OF("goldens", LIST, ALWAYS, rg_story_row_fields,
		   "Those that changed, worst first."),
	{0}};
#undef OF

const rg_json_field rg_story_gap_fields[] = {
	RG_SAID("n", COUNT, "All of them."),
	RG_SAID("old_only", COUNT, "On the old side only."),
	RG_SAID("new_only", COUNT, "On the new side only."),
	RG_SAID("no_steps", COUNT, "Without a step that counts."),
	{0}};

static const rg_json_field exact_row_fields[] = {
	RG_SAID("file", TEXT, "The golden's path."),
	RG_SAID("name", TEXT, "What people call it."),
	RG_SAID("metric", TEXT, "The metric."),
	RG_SAID("first_diff", TEXT, "The first step, record or index that differs, or 'the kind'."),
	RG_SAID_OR_NULL("old", TEXT, "The old side there."),
	RG_SAID_OR_NULL("new", TEXT, "The new side there."),
	RG_SAID_OPTIONAL("changes", TEXT,
			 "A table's texts: from what to what, how often, and in which records."),
	{0}};

const rg_json_field rg_story_exact_fields[] = {
	RG_SAID("what", TEXT, "What they are."),
	RG_SAID("n", COUNT, "All of them."),
	RG_SAID_OF("differ", LIST, ALWAYS, exact_row_fields, "Those that differ."),
	{0}};

/* The story, and what it is put into. */
typedef struct {
	const rg_story *story;
	const rg_summary *summary;
	const rg_comparison *comparison;
	rg_buf text; /* one at a time */
} build;

static void add_part(cJSON *item, const char *name, rg_name_part part)
{
	if (part.text)
		rg_build_textf(item, name, "%.*s", (int)part.length, part.text);
	else
		rg_build_text(item, name, NULL);
}

/* The file, and what it is of. */
static void add_name(build *b, cJSON *item, const char *file, const rg_test_name *name)
{
	rg_build_text(item, "file", file);
	add_part(item, "stage", name->stage);
	add_part(item, "test", name->test);
	add_part(item, "variant", name->variant);
	rg_test_name_add(&b->text, file, b->summary->context);
	rg_build_written(item, "name", &b->text);
}

/* The command that shows all rows, of one metric where one is named. */
static void add_command(build *b, cJSON *item, const char *name, const char *metric)
{
	rg_buf filter;
	rg_buf_init(&filter, RG_BUF_TEXT);
	rg_buf_printf(&filter, "metric=%s", metric ? metric : "");
	rg_story_say_command(&b->text, b->summary, metric ? filter.data : NULL, " --top 0");
	rg_buf_release(&filter);
	rg_build_written(item, name, &b->text);
}

/* --- lines and shapes --- */

static void add_lines(build *b, cJSON *view)
{
	cJSON *list = rg_build_list(view, "lines");
	for (size_t i = 0; i < RG_LINES; i++) {
		if (!b->story->lines[i])
			continue;
		cJSON *item = rg_build_item(list);
		rg_build_text(item, "kind", line_kinds[i]);
		rg_build_text(item, "text", b->story->lines[i]);
	}
}

static void add_shapes(build *b, cJSON *view)
{
	cJSON *list = rg_build_list(view, "shapes");
	for (size_t i = 0; i < b->story->shape_count; i++) {
		const rg_shape_change *shape = &b->story->shapes[i];
		cJSON *item = rg_build_item(list);

		rg_build_fields(item, rg_story_shape_fields, shape);
		rg_build_count(item, "others", shape->goldens - 1);
		rg_build_text(item, "file", shape->first->file);
		rg_test_name_add(&b->text, shape->first->file, b->summary->context);
		rg_build_written(item, "name", &b->text);
		rg_build_text(item, "text", shape->text);
	}
}

/* --- rows --- */

/* Exact rows have none. */
static void add_figures(cJSON *item, const rg_story_row *row)
{
	bool series = row->row->kind == RG_ROW_SERIES;
	rg_build_defined(item, "avg_rel_diff", series ? row->row->avg_rel_diff : NAN);
	rg_build_defined(item, "mean_abs_rel", series ? row->row->mean_abs_rel : NAN);
	rg_build_truth(item, "differs", !series);
}

/* The columns that were asked for beyond the plain ones. */
static void add_cells(build *b, cJSON *item, const rg_row *row)
{
	const rg_column_list *columns = b->summary->columns;
	cJSON *list = rg_build_list(item, "cells");

	for (size_t i = 0; columns && i < columns->count; i++) {
		rg_cell cell = columns->items[i]->cell(row, b->summary->context);
		if (columns->items[i]->flags & RG_COLUMN_PLAIN)
			continue;
		cJSON *object = rg_build_item(list);
		rg_build_text(object, "name", columns->items[i]->name);
		rg_build_cell(object, "value", columns->items[i], &cell);
	}
}

static void add_row_figures(build *b, cJSON *item, const rg_story_row *row)
{
	const rg_row *worst = row->row;
	rg_build_count(item, "n_steps", worst->n_steps);
	if (worst->by_record)
		rg_build_truth(item, "by_record", true);
	add_figures(item, row);
	rg_build_truth(item, "cancels", row->cancels);
	if (row->apart)
		rg_story_say_apart(&b->text, row);
	else
		rg_story_say_row(&b->text, worst, &row->policy);
	rg_build_written(item, "says", &b->text);
	rg_build_truth(item, "apart", row->apart);
	rg_build_defined(item, "distance", row->distance);
	rg_build_text(item, "level", rg_level_names[worst->level]);
	rg_build_defined(item, "score", worst->score);
	rg_build_text(item, "checks", worst->checks_text);
}

/* The golden's page on the host of the run, as the run's commit has it. */
static void add_golden_url(build *b, cJSON *item, const char *file)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789-._~/";
	const rg_run_facts *run = &b->summary->run;
	const rg_run_page page = rg_run_page_of(run->url);

	if (!page.length || !run->commit)
		return;
	rg_buf_printf(&b->text, "%.*s%s/blob/%s/", page.length, run->url, page.between,
		      run->commit);
	for (; *file; file++)
		if (strchr(plain, *file))
			rg_buf_char(&b->text, *file);
		else
			rg_buf_printf(&b->text, "%%%02X", (unsigned)(unsigned char)*file);
	rg_build_written(item, "golden_url", &b->text);
}

static cJSON *add_row(build *b, cJSON *list, const rg_story_row *row)
{
	cJSON *item = rg_build_item(list);
	add_name(b, item, row->row->file, &row->name);
	rg_build_text(item, "metric", row->row->metric);
	rg_build_text(item, "family", row->metric);
	rg_build_count(item, "members", row->members);
	rg_build_truth(item, "several", row->members > 1);
	rg_build_count(item, "changed", row->changed);
	add_row_figures(b, item, row);
	rg_review_row_reason(&b->text, row->row, &row->policy);
	rg_build_written(item, "reason", &b->text);
	rg_build_truth(item, "own", rg_refresh_is_own(b->summary->refresh, row->row->file));
	add_cells(b, item, row->row);
	return item;
}

/* --- groups, and their rows --- */

/* Returns the list of its rows. */
static cJSON *add_group(build *b, cJSON *list, const rg_group *group)
{
	cJSON *item = rg_build_item(list), *worst;
	rg_build_text(item, "metric", group->metric);
	add_part(item, "stage", group->stage);
	add_part(item, "variant", group->variant);
	rg_build_fields(item, rg_story_group_fields, group);
	rg_story_say_group(&b->text, group);
	rg_build_written(item, "says", &b->text);
	if (group->worst) {
		const rg_row *row = group->worst->row;
		worst = rg_build_object(item, "worst");
		add_name(b, worst, row->file, &group->worst->name);
		rg_build_defined(worst, "avg_rel_diff", row->avg_rel_diff);
		rg_story_say_row(&b->text, row, &group->worst->policy);
		rg_build_written(worst, "says", &b->text);
	}
	add_command(b, item, "command", group->metric);
	return rg_build_list(item, "goldens");
}

/* Those that moved, those that did so under their level, and how many did not move. */
static void add_groups(build *b, cJSON *view)
{
	const rg_story *story = b->story;
	cJSON **rows = rg_calloc(story->group_count + 1, sizeof(cJSON *));
	cJSON *moved = rg_build_list(view, "groups");
	cJSON *quiet = rg_build_list(view, "quiet_groups");
	size_t same = 0;

	for (size_t i = 0; i < story->group_count; i++) {
		rg_group_kind kind = story->groups[i].kind;
		if (story->groups[i].of_models)
			continue;
		same += kind == RG_GROUP_SAME;
		if (kind != RG_GROUP_SAME)
			rows[i] = add_group(b, kind == RG_GROUP_QUIET ? quiet : moved,
					    &story->groups[i]);
	}
	for (size_t i = 0; i < story->row_count; i++) {
		size_t group = story->rows[i].group;
		if (group < story->group_count && rows[group] && story->rows[i].changed)
			add_row(b, rows[group], &story->rows[i]);
	}
	rg_build_count(view, "same_groups", same);
	rg_build_count(view, "unchanged_rows", story->unchanged);
	rg_build_count(view, "rows_total", b->comparison->row_count);
	free(rows);
}

static void add_rows(build *b, cJSON *view)
{
	cJSON *apart = rg_build_list(view, "apart");
	cJSON *review = rg_build_list(view, "review");

	for (size_t i = 0; i < b->story->row_count; i++) {
		const rg_story_row *row = &b->story->rows[i];
		if (row->apart)
			add_golden_url(b, add_row(b, apart, row), row->row->file);
		if (row->apart || row->looked_at)
			add_row(b, review, row);
	}
}

/* Metrics that no row could be made of. */
static void add_gaps(build *b, cJSON *view)
{
	const rg_comparison *c = b->comparison;
	size_t counts[RG_GAPS] = {0};

	if (!c->gap_count)
		return;
	for (size_t i = 0; i < c->gap_count; i++)
		counts[c->gaps[i].gap]++;
	cJSON *object = rg_build_object(view, "gaps");
	rg_build_count(object, "n", c->gap_count);
	rg_build_count(object, "old_only", counts[RG_GAP_OLD_ONLY]);
	rg_build_count(object, "new_only", counts[RG_GAP_NEW_ONLY]);
	rg_build_count(object, "no_steps", counts[RG_GAP_NO_STEPS]);
}

/* --- texts and tokens --- */

static void add_exact_row(build *b, cJSON *list, const rg_row *row)
{
	cJSON *item = rg_build_item(list);
	rg_build_text(item, "file", row->file);
	rg_test_name_add(&b->text, row->file, b->summary->context);
	rg_build_written(item, "name", &b->text);
	rg_build_text(item, "metric", row->metric);
	/* As text: a template's 0 is false. */
	if (row->first_diff_record)
		rg_build_text(item, "first_diff", row->first_diff_record);
	else if (row->first_diff_known)
		rg_build_textf(item, "first_diff", "%lld", (long long)row->first_diff);
	else
		rg_build_text(item, "first_diff", "the kind");
	rg_build_text(item, "old", row->old_excerpt);
	rg_build_text(item, "new", row->new_excerpt);
	if (row->changes)
		rg_build_text(item, "changes", row->changes_brief);
}

/* Those of models are shown with them. */
static bool is_exact(const rg_comparison *c, const rg_row *row)
{
	return row->kind == RG_ROW_EXACT && !rg_models_have(c, row);
}

static void add_exact(build *b, cJSON *view)
{
	const rg_comparison *c = b->comparison;
	size_t n = 0, differ = 0, opaque = 0;

	for (size_t i = 0; i < c->row_count; i++) {
		opaque += c->rows[i].opaque != NULL;
		n += is_exact(c, &c->rows[i]);
		differ += is_exact(c, &c->rows[i]) && !c->rows[i].identical;
	}
	if (!differ)
		return;
	cJSON *object = rg_build_object(view, "exact");
	rg_build_text(object, "what",
		      opaque == n ? "Opaque goldens"
		      : opaque    ? "Texts, tokens and opaque goldens"
				  : "Texts and tokens");
	rg_build_count(object, "n", n);
	cJSON *list = rg_build_list(object, "differ");
	for (size_t i = 0; i < c->row_count; i++)
		if (is_exact(c, &c->rows[i]) && !c->rows[i].identical)
			add_exact_row(b, list, &c->rows[i]);
}

void rg_view_add_story(cJSON *view, const rg_story *story)
{
	static const char *const parts[] = {"shapes", "groups",   "apart",
					    "exact",  "measured", "models"};
	build b = {.story = story,
		   .summary = story->summary,
		   .comparison = story->summary->comparison};
	bool any = false;

	rg_buf_init(&b.text, RG_BUF_TEXT);
	add_lines(&b, view);
	add_shapes(&b, view);
	add_groups(&b, view);
	add_rows(&b, view);
	add_gaps(&b, view);
	add_exact(&b, view);
	rg_models_view(view, &story->models, &(rg_models_shown){.top = SIZE_MAX});
	rg_view_add_measured(view, b.comparison);
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		const cJSON *part = cJSON_GetObjectItemCaseSensitive(view, parts[i]);
		any |= part && part->child;
	}
	rg_build_truth(view, "interpretation", any);
	add_command(&b, view, "all_command", NULL);
	rg_buf_release(&b.text);
}
