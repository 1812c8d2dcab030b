/* SPDX-License-Identifier: Apache-2.0 */
#include "report/story_view.h"

#include "report/measured_noise.h"
#include "report/models_view.h"
#include "report/review.h"
#include "report/run_page.h"
#include "report/template_data.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The story, and what it is put into. */
typedef struct {
	const rg_story *story;
	const rg_summary *summary;
	const rg_comparison *comparison;
	rg_buf text; /* one at a time */
	bool failed;
} build;

static void add_part(build *b, cJSON *item, const char *name, rg_name_part part)
{
	if (part.text)
		rg_build_textf(&b->failed, item, name, "%.*s", (int)part.length, part.text);
	else
		rg_build_text(&b->failed, item, name, NULL);
}

/* The file, and what it is of. */
static void add_name(build *b, cJSON *item, const char *file, const rg_test_name *name)
{
	rg_build_text(&b->failed, item, "file", file);
	add_part(b, item, "stage", name->stage);
	add_part(b, item, "test", name->test);
	add_part(b, item, "variant", name->variant);
	rg_test_name_add(&b->text, file, b->summary->context);
	rg_build_written(&b->failed, item, "name", &b->text);
}

/* The command that shows all rows, of one metric where one is named. */
static void add_command(build *b, cJSON *item, const char *name, const char *metric)
{
	rg_buf filter;
	rg_buf_init(&filter, RG_BUF_TEXT);
	rg_buf_printf(&filter, "metric=%s", metric ? metric : "");
	rg_story_say_command(&b->text, b->summary, metric ? filter.data : NULL, " --top 0");
	b->failed |= filter.state != RG_BUF_FINE;
	rg_buf_release(&filter);
	rg_build_written(&b->failed, item, name, &b->text);
}

/* --- lines and shapes --- */

static void add_lines(build *b, cJSON *view)
{
	static const char *const kinds[RG_LINES] = {
		[RG_LINE_ANSWER] = "answer",   [RG_LINE_DONE] = "done",
		[RG_LINE_LOSSES] = "losses",   [RG_LINE_SHAPE] = "shape",
		[RG_LINE_CHANGED] = "changed", [RG_LINE_CHECKS] = "checks",
		[RG_LINE_APART] = "apart",     [RG_LINE_MEASURED] = "measured",
		[RG_LINE_RUNS] = "new_runs",   [RG_LINE_NEXT] = "next"};
	cJSON *list = rg_build_list(&b->failed, view, "lines");

	for (size_t i = 0; i < RG_LINES; i++) {
		cJSON *item;
		if (!b->story->lines[i])
			continue;
		item = rg_build_item(&b->failed, list);
		rg_build_text(&b->failed, item, "kind", kinds[i]);
		rg_build_text(&b->failed, item, "text", b->story->lines[i]);
	}
}

static void add_shapes(build *b, cJSON *view)
{
	static const char *const kinds[RG_SHAPES] = {
		[RG_SHAPE_METRIC_GONE] = "metric gone", [RG_SHAPE_STEPS_GONE] = "steps gone",
		[RG_SHAPE_NONFINITE] = "not finite",    [RG_SHAPE_OTHER] = "other",
		[RG_SHAPE_FINITE] = "finite again",     [RG_SHAPE_METRIC_NEW] = "metric new",
		[RG_SHAPE_STEPS_NEW] = "steps new",     [RG_SHAPE_USUAL] = "usual",
		[RG_SHAPE_DROPPED] = "placeholders"};
	cJSON *list = rg_build_list(&b->failed, view, "shapes");

	for (size_t i = 0; i < b->story->shape_count; i++) {
		const rg_shape_change *shape = &b->story->shapes[i];
		cJSON *item = rg_build_item(&b->failed, list);

		rg_build_text(&b->failed, item, "kind", kinds[shape->kind]);
		rg_build_text(&b->failed, item, "metric", shape->metric);
		rg_build_count(&b->failed, item, "metrics", shape->metrics);
		rg_build_text(&b->failed, item, "steps", shape->steps);
		rg_build_truth(&b->failed, item, "rest_equal", shape->rest_equal);
		rg_build_count(&b->failed, item, "goldens", shape->goldens);
		rg_build_count(&b->failed, item, "of", shape->of);
		rg_build_count(&b->failed, item, "others", shape->goldens - 1);
		rg_build_text(&b->failed, item, "file", shape->first->file);
		rg_test_name_add(&b->text, shape->first->file, b->summary->context);
		rg_build_written(&b->failed, item, "name", &b->text);
		rg_build_text(&b->failed, item, "text", shape->text);
	}
}

/* --- rows --- */

/* Exact rows have none. */
static void add_figures(build *b, cJSON *item, const rg_story_row *row)
{
	bool series = row->row->kind == RG_ROW_SERIES;
	rg_build_defined(&b->failed, item, "avg_rel_diff", series ? row->row->avg_rel_diff : NAN);
	rg_build_defined(&b->failed, item, "mean_abs_rel", series ? row->row->mean_abs_rel : NAN);
	rg_build_truth(&b->failed, item, "differs", !series);
}

/* The columns that were asked for beyond the plain ones. */
static void add_cells(build *b, cJSON *item, const rg_row *row)
{
	const rg_column_list *columns = b->summary->columns;
	cJSON *list = rg_build_list(&b->failed, item, "cells");

	for (size_t i = 0; columns && i < columns->count; i++) {
		rg_cell cell = columns->items[i]->cell(row, b->summary->context);
		cJSON *object;

		if (columns->items[i]->flags & RG_COLUMN_PLAIN)
			continue;
		object = rg_build_item(&b->failed, list);
		rg_build_text(&b->failed, object, "name", columns->items[i]->name);
		rg_build_cell(&b->failed, object, "value", columns->items[i], &cell);
	}
}

static void add_row_figures(build *b, cJSON *item, const rg_story_row *row)
{
	const rg_row *worst = row->row;
	rg_build_count(&b->failed, item, "n_steps", worst->n_steps);
	if (worst->by_record)
		rg_build_truth(&b->failed, item, "by_record", true);
	add_figures(b, item, row);
	rg_build_truth(&b->failed, item, "cancels", row->cancels);
	if (row->apart)
		rg_story_say_apart(&b->text, row);
	else
		rg_story_say_row(&b->text, worst, &row->policy);
	rg_build_written(&b->failed, item, "says", &b->text);
	rg_build_truth(&b->failed, item, "apart", row->apart);
	rg_build_defined(&b->failed, item, "distance", row->distance);
	rg_build_text(&b->failed, item, "level", rg_level_names[worst->level]);
	rg_build_defined(&b->failed, item, "score", worst->score);
	rg_build_text(&b->failed, item, "checks", worst->checks_text);
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
	rg_build_written(&b->failed, item, "golden_url", &b->text);
}

static cJSON *add_row(build *b, cJSON *list, const rg_story_row *row)
{
	cJSON *item = rg_build_item(&b->failed, list);
	add_name(b, item, row->row->file, &row->name);
	rg_build_text(&b->failed, item, "metric", row->row->metric);
	rg_build_text(&b->failed, item, "family", row->metric);
	rg_build_count(&b->failed, item, "members", row->members);
	rg_build_truth(&b->failed, item, "several", row->members > 1);
	rg_build_count(&b->failed, item, "changed", row->changed);
	add_row_figures(b, item, row);
	rg_review_row_reason(&b->text, row->row, &row->policy);
	rg_build_written(&b->failed, item, "reason", &b->text);
	rg_build_truth(&b->failed, item, "own",
		       rg_refresh_is_own(b->summary->refresh, row->row->file));
	add_cells(b, item, row->row);
	return item;
}

/* --- groups, and their rows --- */

static const char *const group_kinds[] = {
	[RG_GROUP_SAME] = "same",       [RG_GROUP_QUIET] = "quiet", [RG_GROUP_LARGER] = "larger",
	[RG_GROUP_SMALLER] = "smaller", [RG_GROUP_MIXED] = "mixed", [RG_GROUP_DIFFERS] = "differs"};

static void add_group_figures(build *b, cJSON *item, const rg_group *group)
{
	rg_build_count(&b->failed, item, "n", group->n);
	rg_build_count(&b->failed, item, "changed", group->changed);
	rg_build_count(&b->failed, item, "over", group->over);
	rg_build_count(&b->failed, item, "rows", group->rows);
	rg_build_count(&b->failed, item, "rows_changed", group->rows_changed);
	rg_build_count(&b->failed, item, "apart", group->apart);
	rg_build_truth(&b->failed, item, "counted", group->counted);
	rg_build_defined(&b->failed, item, "median", group->median);
	rg_build_defined(&b->failed, item, "low", group->shift.low);
	rg_build_defined(&b->failed, item, "high", group->shift.high);
	rg_build_defined(&b->failed, item, "jitter", group->shift.jitter);
	rg_build_defined(&b->failed, item, "flag", group->flag);
	rg_story_say_group(&b->text, group);
	rg_build_written(&b->failed, item, "says", &b->text);
}

/* Returns the list of its rows. */
static cJSON *add_group(build *b, cJSON *list, const rg_group *group)
{
	cJSON *item = rg_build_item(&b->failed, list), *worst;
	rg_build_text(&b->failed, item, "metric", group->metric);
	add_part(b, item, "stage", group->stage);
	add_part(b, item, "variant", group->variant);
	rg_build_text(&b->failed, item, "kind", group_kinds[group->kind]);
	add_group_figures(b, item, group);
	if (group->worst) {
		const rg_row *row = group->worst->row;
		worst = rg_build_object(&b->failed, item, "worst");
		add_name(b, worst, row->file, &group->worst->name);
		rg_build_defined(&b->failed, worst, "avg_rel_diff", row->avg_rel_diff);
		rg_story_say_row(&b->text, row, &group->worst->policy);
		rg_build_written(&b->failed, worst, "says", &b->text);
	}
	add_command(b, item, "command", group->metric);
	return rg_build_list(&b->failed, item, "goldens");
}

/* Those that moved, those that did so under their level, and how many did not move. */
static void add_groups(build *b, cJSON *view)
{
	const rg_story *story = b->story;
	cJSON **rows = calloc(story->group_count + 1, sizeof(cJSON *));
	cJSON *moved = rg_build_list(&b->failed, view, "groups");
	cJSON *quiet = rg_build_list(&b->failed, view, "quiet_groups");
	size_t same = 0;

	for (size_t i = 0; rows && i < story->group_count; i++) {
		rg_group_kind kind = story->groups[i].kind;
		if (story->groups[i].of_models)
			continue;
		same += kind == RG_GROUP_SAME;
		if (kind != RG_GROUP_SAME)
			rows[i] = add_group(b, kind == RG_GROUP_QUIET ? quiet : moved,
					    &story->groups[i]);
	}
	for (size_t i = 0; rows && i < story->row_count; i++) {
		size_t group = story->rows[i].group;
		if (group < story->group_count && rows[group] && story->rows[i].changed)
			add_row(b, rows[group], &story->rows[i]);
	}
	rg_build_count(&b->failed, view, "same_groups", same);
	rg_build_count(&b->failed, view, "unchanged_rows", story->unchanged);
	rg_build_count(&b->failed, view, "rows_total", b->comparison->row_count);
	b->failed |= !rows;
	free(rows);
}

static void add_rows(build *b, cJSON *view)
{
	cJSON *apart = rg_build_list(&b->failed, view, "apart");
	cJSON *review = rg_build_list(&b->failed, view, "review");

	for (size_t i = 0; i < b->story->row_count && !b->failed; i++) {
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
	size_t counts[RG_GAPS] = {0}, i;

	if (!c->gap_count)
		return;
	for (i = 0; i < c->gap_count; i++)
		counts[c->gaps[i].gap]++;
	cJSON *object = rg_build_object(&b->failed, view, "gaps");
	rg_build_count(&b->failed, object, "n", c->gap_count);
	rg_build_count(&b->failed, object, "old_only", counts[RG_GAP_OLD_ONLY]);
	rg_build_count(&b->failed, object, "new_only", counts[RG_GAP_NEW_ONLY]);
	rg_build_count(&b->failed, object, "no_steps", counts[RG_GAP_NO_STEPS]);
}

/* --- texts and tokens --- */

static void add_exact_row(build *b, cJSON *list, const rg_row *row)
{
	cJSON *item = rg_build_item(&b->failed, list);
	rg_build_text(&b->failed, item, "file", row->file);
	rg_test_name_add(&b->text, row->file, b->summary->context);
	rg_build_written(&b->failed, item, "name", &b->text);
	rg_build_text(&b->failed, item, "metric", row->metric);
	/* As text: a template's 0 is false. */
	if (row->first_diff_record)
		rg_build_text(&b->failed, item, "first_diff", row->first_diff_record);
	else if (row->first_diff_known)
		rg_build_textf(&b->failed, item, "first_diff", "%lld", (long long)row->first_diff);
	else
		rg_build_text(&b->failed, item, "first_diff", "the kind");
	rg_build_text(&b->failed, item, "old", row->old_excerpt);
	rg_build_text(&b->failed, item, "new", row->new_excerpt);
	if (row->changes)
		rg_build_text(&b->failed, item, "changes", row->changes_brief);
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
	cJSON *object = rg_build_object(&b->failed, view, "exact");
	rg_build_text(&b->failed, object, "what",
		      opaque == n ? "Opaque goldens"
		      : opaque    ? "Texts, tokens and opaque goldens"
				  : "Texts and tokens");
	rg_build_count(&b->failed, object, "n", n);
	cJSON *list = rg_build_list(&b->failed, object, "differ");
	for (size_t i = 0; i < c->row_count; i++)
		if (is_exact(c, &c->rows[i]) && !c->rows[i].identical)
			add_exact_row(b, list, &c->rows[i]);
}

void rg_view_add_story(bool *failed, cJSON *view, const rg_story *story)
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
	rg_models_view(&b.failed, view, &story->models, &(rg_models_shown){.top = SIZE_MAX});
	rg_view_add_measured(&b.failed, view, b.comparison);
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		const cJSON *part = cJSON_GetObjectItemCaseSensitive(view, parts[i]);
		any |= part && part->child;
	}
	rg_build_truth(&b.failed, view, "interpretation", any);
	add_command(&b, view, "all_command", NULL);
	*failed |= b.failed;
	rg_buf_release(&b.text);
}
