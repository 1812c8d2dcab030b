/* SPDX-License-Identifier: Apache-2.0 */
#include "report/story_view.h"

#include "base/memory.h"
#include "report/cells.h"
#include "report/models_view.h"
#include "report/review.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- rows, and their keys --- */

/* A golden's path, and what it is of. */
typedef struct {
	const char *file, *stage, *test, *variant, *name;
} told_name;

#define OF told_name
static const rg_json_field name_fields[] = {
	RG_KEY(file, "The golden's path."),
	RG_KEY_OR_NULL(stage, "The stage in the path."),
	RG_KEY_OR_NULL(test, "The test in the path."),
	RG_KEY_OR_NULL(variant, "The variant in the file's name."),
	RG_KEY(name, "What people call it."),
	{0}};
#undef OF

typedef struct {
	const char *name, *value;
} told_cell;

#define OF told_cell
static const rg_json_field cell_fields[] = {
	RG_KEY(name, "Its name."), RG_KEY(value, "Its value, for people."), {0}};
#undef OF

typedef struct {
	told_name golden;
	const rg_story_row *r;
	const rg_row *row;
	const char *says, *reason, *golden_url;
	bool several, differs, own;
	double avg_rel_diff, mean_abs_rel;
	rg_level level;
	told_cell *cells;
	size_t cell_count;
} told_row;

#define OF told_row
static const rg_json_field row_fields[] = {
	RG_SPREAD(golden, name_fields),
	RG_KEY_VIA(row, rg_row, metric, ALWAYS, "The metric; of a family, its worst member's."),
	RG_KEY_VIA_AS("family", r, rg_story_row, metric, ALWAYS, "The family, or the metric."),
	RG_KEY_VIA(r, rg_story_row, members, ALWAYS, "Rows that it stands for."),
	RG_KEY(several, "It stands for several."),
	RG_KEY_VIA(r, rg_story_row, changed, ALWAYS, "Of them, those whose values differ."),
	RG_KEY_VIA(row, rg_row, n_steps, ALWAYS, "Steps that counted."),
	RG_KEY_VIA(row, rg_row, by_record, OPTIONAL, "Its steps are a table's records."),
	RG_KEY_OR_NULL(avg_rel_diff, "Mean((old - new) / old); null for an exact row."),
	RG_KEY_OR_NULL(mean_abs_rel, "Mean(|old - new| / |old|)."),
	RG_KEY(differs, "An exact row: it differs, and has no figures."),
	RG_KEY_VIA(r, rg_story_row, cancels, ALWAYS, "Opposite halves cancel in avg_rel_diff."),
	RG_KEY(says, "The change in words; of a row apart, what it was held against, too."),
	RG_KEY_VIA(r, rg_story_row, apart, ALWAYS,
		   "It does not move with its group, or a small group's stage."),
	RG_KEY_VIA(r, rg_story_row, distance, OR_NULL,
		   "From the median of the others, in robust deviations."),
	RG_KEY_WORD("level", level, rg_level_names, "By the [metric] policy."),
	RG_KEY_VIA(row, rg_row, score, OR_NULL, "The figure that the level was found by."),
	RG_KEY_VIA_AS("checks", row, rg_row, checks_text, OR_NULL,
		      "The project's checks, as in a row."),
	RG_KEY(reason, "Why it needs a look."),
	RG_KEY(own, "Its change is not the run's."),
	RG_KEY_LIST("cells", cells, cell_count, cell_fields, "Columns that were asked for."),
	RG_KEY_OPTIONAL(golden_url, "The golden's page, as the run's commit has it; only in "
				    "\"apart\", where the run's host is known."),
	{0}};
#undef OF

typedef struct {
	told_name golden;
	double avg_rel_diff;
	const char *says;
} told_worst;

#define OF told_worst
static const rg_json_field worst_fields[] = {
	RG_SPREAD(golden, name_fields),
	RG_KEY_OR_NULL(avg_rel_diff, "Mean((old - new) / old); null for an exact row."),
	RG_KEY(says, "Its change in words."),
	{0}};
#undef OF

typedef struct {
	rg_group g;
	const char *stage, *variant, *says, *command;
	told_worst worst;
	told_row *goldens;
	size_t golden_count;
} told_group;

static const char *const group_kinds[] = {
	[RG_GROUP_SAME] = "same",       [RG_GROUP_QUIET] = "quiet", [RG_GROUP_LARGER] = "larger",
	[RG_GROUP_SMALLER] = "smaller", [RG_GROUP_MIXED] = "mixed", [RG_GROUP_DIFFERS] = "differs"};

#define OF told_group
static const rg_json_field group_fields[] = {
	RG_KEY_AS("metric", g.metric, "The metric, or the family."),
	RG_KEY_OR_NULL(stage, "The stage."),
	RG_KEY_OR_NULL(variant, "The variant."),
	RG_KEY_WORD("kind", g.kind, group_kinds, "How it moved."),
	RG_KEY_AS("n", g.n, "Goldens."),
	RG_KEY_AS("changed", g.changed, "Of them, those whose values differ."),
	RG_KEY_AS("over", g.over, "Of them, those at or over the flag level."),
	RG_KEY_AS("rows", g.rows, "Rows, with all members of families."),
	RG_KEY_AS("rows_changed", g.rows_changed, "Of them, those whose values differ."),
	RG_KEY_AS("apart", g.apart, "Goldens that do not move with it."),
	RG_KEY_AS("counted", g.counted, "Texts, tokens, ids and statuses, which have no figures."),
	RG_KEY_IF("median", g.median, RG_JSON_OR_NULL, "Of avg_rel_diff."),
	RG_KEY_IF("low", g.shift.least, RG_JSON_OR_NULL, "The least of it, over all that changed."),
	RG_KEY_IF("high", g.shift.most, RG_JSON_OR_NULL, "The largest."),
	RG_KEY_IF("jitter", g.shift.jitter, RG_JSON_OR_NULL,
		  "The largest mean_abs_rel of those in which opposite halves cancel."),
	RG_KEY_IF("flag", g.flag, RG_JSON_OR_NULL, "The flag level."),
	RG_KEY(says, "The change in words."),
	RG_KEY_OBJECT("worst", worst, worst_fields, OPTIONAL, false,
		      "The worst golden: lost or not finite before all else, then by size."),
	RG_KEY(command, "The command that shows its rows."),
	RG_KEY_LIST_IF("goldens", goldens, golden_count, row_fields, OPTIONAL,
		       "Those that changed, worst first; missing in \"quiet_groups\"."),
	{0}};
#undef OF

/* --- what else the story has --- */

static const char *const line_kinds[RG_LINES] = {
	[RG_LINE_ANSWER] = "answer",       [RG_LINE_DONE] = "done",
	[RG_LINE_LOSSES] = "losses",       [RG_LINE_SHAPE] = "shape",
	[RG_LINE_CHANGED] = "changed",     [RG_LINE_CHECKS] = "checks",
	[RG_LINE_APART] = "apart",         [RG_LINE_MEASURED] = "measured",
	[RG_LINE_RUNS] = "new_runs",       [RG_LINE_NEXT] = "next",
	[RG_LINE_FROM_ZERO] = "from_zero", [RG_LINE_LAYOUT] = "layout",
	[RG_LINE_VARIANTS] = "variants",   [RG_LINE_UNSHOWN] = "unshown"};

typedef struct {
	rg_line_kind kind;
	const char *text;
} told_line;

#define OF told_line
static const rg_json_field line_fields[] = {
	RG_KEY_WORD("kind", kind, line_kinds, "What it is about."), RG_KEY(text, "The line."), {0}};
#undef OF

static const char *const shape_kinds[RG_SHAPES] = {
	[RG_SHAPE_METRIC_GONE] = "metric gone", [RG_SHAPE_STEPS_GONE] = "steps gone",
	[RG_SHAPE_NONFINITE] = "not finite",    [RG_SHAPE_OTHER] = "other",
	[RG_SHAPE_FINITE] = "finite again",     [RG_SHAPE_METRIC_NEW] = "metric new",
	[RG_SHAPE_STEPS_NEW] = "steps new",     [RG_SHAPE_DROPPED] = "placeholders"};

#define OF rg_shape_change
static const rg_json_field shape_fields[] = {
	RG_KEY_WORD("kind", kind, shape_kinds, "What changed."),
	RG_KEY(metric, "The metric, or the family; of several their names."),
	RG_KEY(metrics, "Metrics that have it alike."),
	RG_KEY_OR_NULL(steps, "The steps, as ranges."),
	RG_KEY(rest_equal, "All shared steps are equal."),
	RG_KEY(goldens, "Goldens that have it."),
	RG_KEY(of, "Goldens that have the metric."),
	RG_KEY(others, "Goldens beside the first."),
	RG_KEY_VIA(first, rg_row, file, ALWAYS, "The first golden's path."),
	RG_KEY_VIA_AS("first_metric", first, rg_row, metric, ALWAYS, "The first of its metrics."),
	RG_KEY(name, "What people call it."),
	RG_KEY(text, "All of it in words."),
	{0}};
#undef OF

typedef struct {
	size_t n, of[RG_GAPS];
} told_gaps;

#define OF told_gaps
static const rg_json_field gap_fields[] = {
	RG_KEY(n, "All of them."),
	RG_KEY_AS("old_only", of[RG_GAP_OLD_ONLY], "On the old side only."),
	RG_KEY_AS("new_only", of[RG_GAP_NEW_ONLY], "On the new side only."),
	RG_KEY_AS("no_steps", of[RG_GAP_NO_STEPS], "Without a step that counts."),
	{0}};
#undef OF

typedef struct {
	const rg_row *row;
	const char *name, *first_diff, *changes;
} told_exact_row;

#define OF told_exact_row
static const rg_json_field exact_row_fields[] = {
	RG_KEY_VIA(row, rg_row, file, ALWAYS, "The golden's path."),
	RG_KEY(name, "What people call it."),
	RG_KEY_VIA(row, rg_row, metric, ALWAYS, "The metric."),
	RG_KEY(first_diff, "The first step, record or index that differs, or 'the kind'."),
	RG_KEY_VIA_AS("old", row, rg_row, old_excerpt, OR_NULL, "The old side there."),
	RG_KEY_VIA_AS("new", row, rg_row, new_excerpt, OR_NULL, "The new side there."),
	RG_KEY_OPTIONAL(changes,
			"A table's texts: from what to what, how often, and in which records."),
	{0}};
#undef OF

typedef struct {
	const char *what;
	size_t n, differ_count;
	told_exact_row *differ;
} told_exact;

#define OF told_exact
static const rg_json_field exact_fields[] = {
	RG_KEY(what, "What they are."),
	RG_KEY(n, "All of them."),
	RG_KEY_LIST("differ", differ, differ_count, exact_row_fields, "Those that differ."),
	{0}};
#undef OF

/* Rows of which a noise model says the same. */
typedef struct {
	rg_verdict_kind kind;
	const char *text;
	size_t n;
} finding;

#define OF finding
static const rg_json_field finding_fields[] = {
	RG_KEY(n, "Rows."), RG_KEY(text, "What is said."), {0}};
#undef OF

typedef struct {
	finding *items;
	size_t count, n;
} findings;

#define OF findings
static const rg_json_field findings_fields[] = {
	RG_KEY_LIST("items", items, count, finding_fields, "What is said of them."),
	RG_KEY(n, "Rows."),
	{0}};
#undef OF

typedef struct {
	size_t n;
	findings of[RG_VERDICTS];
} told_measured;

#define OF told_measured
#define FINDINGS_KEY(name, kind) \
	RG_KEY_OBJECT(name, of[kind], findings_fields, OPTIONAL, false, "Rows of which it says so.")
static const rg_json_field measured_fields[] = {
	RG_KEY(n, "Rows that it says something of."),
	FINDINGS_KEY("within", RG_VERDICT_WITHIN),
	FINDINGS_KEY("outside", RG_VERDICT_OUTSIDE),
	FINDINGS_KEY("inconclusive", RG_VERDICT_INCONCLUSIVE),
	FINDINGS_KEY("unmeasured", RG_VERDICT_UNMEASURED),
	{0}};
#undef OF

static const char *const head_kinds[] = {[RG_HEAD_GOOD] = "good",
					 [RG_HEAD_QUIET] = "quiet",
					 [RG_HEAD_LOOK] = "look",
					 [RG_HEAD_BAD] = "bad"};

#define OF rg_head
static const rg_json_field head_fields[] = {
	RG_KEY_WORD("kind", kind, head_kinds, "How it is to be taken."),
	RG_KEY(text, "The answer, in a few words."),
	{0}};
#undef OF

static const char *const class_names[RG_CLASSES] = {
	[RG_CLASS_LOSS] = "loss", [RG_CLASS_COUNT] = "count", [RG_CLASS_VALUE] = "value",
	[RG_CLASS_TIME] = "time", [RG_CLASS_RATE] = "rate",   [RG_CLASS_MEMORY] = "memory"};

typedef struct {
	const rg_card *card;
	told_worst worst;
	const char *metric; /* the worst's */
	rg_metric_class class_of;
} told_card;

#define OF told_card
static const rg_json_field card_fields[] = {
	RG_KEY_VIA_AS("metric", card, rg_card, name, ALWAYS, "The metric, or the family."),
	RG_KEY_VIA(card, rg_card, only, OPTIONAL, "The metric, where it is one."),
	RG_KEY_WORD("class", class_of, class_names, "What it is of."),
	RG_KEY_VIA(card, rg_card, n, ALWAYS, "Goldens."),
	RG_KEY_VIA(card, rg_card, changed, ALWAYS, "Of them, those whose values differ."),
	RG_KEY_VIA(card, rg_card, looks, ALWAYS, "Rows that need a look."),
	RG_KEY_VIA(card, rg_card, says, ALWAYS, "What moved, in words."),
	RG_KEY_AS("worst_metric", metric, "The worst golden's metric."),
	RG_KEY_OBJECT("worst", worst, worst_fields, OPTIONAL, false, "The worst golden."),
	{0}};
#undef OF

/* The story, as it is written. */
typedef struct {
	const rg_story *story;
	const rg_summary *summary;
	const rg_comparison *comparison;
	rg_arena arena;
	rg_buf text; /* one at a time */
	told_line lines[RG_LINES], *first_line;
	const rg_head *heads;
	told_card *cards;
	size_t head_count, card_count;
	const rg_shape_change *shapes;
	told_group *groups, *quiet;
	told_row *apart, *review;
	size_t line_count, shape_count, group_count, quiet_count, apart_count, review_count;
	size_t same_groups, unchanged, rows;
	told_gaps gaps;
	told_exact exact;
	told_measured measured;
	const char *all_command;
} told;

static void put_models(rg_json_out *json, const void *from, const void *context);
static void put_interpretation(rg_json_out *json, const void *from, const void *context);

#define OF told
const rg_json_field rg_told_fields[] = {
	RG_KEY_LIST("heads", heads, head_count, head_fields, "What the first screen answers."),
	RG_KEY_LIST("cards", cards, card_count, card_fields,
		    "Each metric of all goldens: losses, then those with rows to look at."),
	RG_KEY_LIST("lines", first_line, line_count, line_fields, "The bottom line."),
	RG_KEY_LIST("shapes", shapes, shape_count, shape_fields, "What changed in shape."),
	RG_KEY_LIST("groups", groups, group_count, group_fields,
		    "Groups with a golden at or over its level."),
	RG_KEY_LIST("quiet_groups", quiet, quiet_count, group_fields,
		    "Groups that differ under their levels."),
	RG_KEY(same_groups, "Groups without any difference."),
	RG_KEY_AS("unchanged_rows", unchanged, "Rows without any difference."),
	RG_KEY_AS("rows_total", rows, "All rows."),
	RG_KEY_LIST("apart", apart, apart_count, row_fields,
		    "Rows that do not move with their group."),
	RG_KEY_LIST("review", review, review_count, row_fields, "All rows that are worth a look."),
	RG_KEY_OBJECT("gaps", gaps, gap_fields, OPTIONAL, false, "Metrics without a row."),
	RG_KEY_OBJECT("exact", exact, exact_fields, OPTIONAL, false, "Texts, tokens and the like."),
	RG_PUT("models", LIST, OPTIONAL, rg_model_fields, put_models,
	       "Tensors and programs that differ, model by model, the worst first."),
	RG_SAID_OPTIONAL("models_rest", TRUTH, "There are rows of models that are not among them."),
	RG_SAID_OPTIONAL("models_more", COUNT,
			 "Rows that differ and are not among them: none here."),
	RG_SAID_OPTIONAL("models_equal", COUNT, "Rows of models that do not differ."),
	RG_KEY_OBJECT("measured", measured, measured_fields, OPTIONAL, false,
		      "What a noise model says."),
	RG_PUT("interpretation", TRUTH, ALWAYS, NULL, put_interpretation,
	       "Is there anything of the above?"),
	RG_KEY(all_command, "The command that shows all rows."),
	{0}};
#undef OF

/* --- texts --- */

/* What was written into the buffer, which is emptied. */
static const char *written(told *t)
{
	if (t->text.is_full) {
		rg_buf_clear(&t->text);
		rg_buf_printf(&t->text, "(left out: more than %zu bytes)", t->text.max);
	}
	const char *kept = rg_arena_copy(&t->arena, t->text.data, t->text.length);
	rg_buf_clear(&t->text);
	return kept;
}

static const char *part(told *t, rg_name_part p)
{
	return p.text ? rg_arena_copy(&t->arena, p.text, p.length) : NULL;
}

static const char *name_of(told *t, const char *file)
{
	rg_story_name_add(&t->text, t->story, file);
	return written(t);
}

static told_name golden_of(told *t, const char *file, const rg_test_name *name)
{
	return (told_name){.file = file,
			   .stage = part(t, name->stage),
			   .test = part(t, name->test),
			   .variant = part(t, name->variant),
			   .name = name_of(t, file)};
}

/* The command that shows all rows, of one metric where one is named. */
static const char *command_for(told *t, const char *metric)
{
	rg_buf filter;
	rg_buf_init(&filter, RG_BUF_TEXT);
	rg_buf_printf(&filter, "metric=%s", metric ? metric : "");
	rg_story_say_command(&t->text, t->summary, metric ? filter.data : NULL, " --top 0");
	rg_buf_release(&filter);
	return written(t);
}

static const char *row_says(told *t, const rg_story_row *row)
{
	rg_story_say_row(&t->text, row->row, &row->policy);
	return written(t);
}

/* --- rows --- */

/* The columns that were asked for beyond the plain ones. */
static void tell_cells(told_row *out, told *t, const rg_row *row)
{
	const rg_column_list *columns = t->summary->columns;
	out->cells = rg_arena_alloc(&t->arena,
				    ((columns ? columns->count : 0) + 1) * sizeof(*out->cells));
	for (size_t i = 0; columns && i < columns->count; i++) {
		const rg_column *column = columns->items[i];
		if (column->flags & RG_COLUMN_PLAIN)
			continue;
		const rg_cell cell = column->cell(row, t->summary->context);
		rg_cell_add_text(&t->text, column, &cell);
		out->cells[out->cell_count++] = (told_cell){column->name, written(t)};
	}
}

/* The golden's page on the host of the run, as the run's commit has it; NULL: not known. */
static const char *golden_url(told *t, const char *file)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789-._~/";
	const rg_run_facts *run = &t->summary->run;
	const rg_run_page page = rg_run_page_of(run->url);

	if (!page.length || !run->commit)
		return NULL;
	rg_buf_printf(&t->text, "%.*s%s/blob/%s/", page.length, run->url, page.between,
		      run->commit);
	for (; *file; file++)
		if (strchr(plain, *file))
			rg_buf_char(&t->text, *file);
		else
			rg_buf_printf(&t->text, "%%%02X", (unsigned)(unsigned char)*file);
	return written(t);
}

static void tell_row(told_row *out, told *t, const rg_story_row *r)
{
	const rg_row *row = r->row;
	const bool series = row->kind == RG_ROW_SERIES; /* exact rows have no figures */
	*out = (told_row){.golden = golden_of(t, row->file, &r->name),
			  .r = r,
			  .row = row,
			  .several = r->members > 1,
			  .avg_rel_diff = series ? row->avg_rel_diff : NAN,
			  .mean_abs_rel = series ? row->mean_abs_rel : NAN,
			  .differs = !series,
			  .level = row->level,
			  .own = rg_refresh_is_own(t->summary->refresh, row->file)};
	if (r->apart)
		rg_story_say_apart(&t->text, r);
	else
		rg_story_say_row(&t->text, row, &r->policy);
	out->says = written(t);
	rg_review_row_reason(&t->text, row, &r->policy);
	out->reason = written(t);
	tell_cells(out, t, row);
}

static void tell_rows(told *t)
{
	const rg_story *story = t->story;
	t->apart = rg_arena_alloc(&t->arena, (story->apart_count + 1) * sizeof(*t->apart));
	t->review = rg_arena_alloc(&t->arena, (story->apart_count + story->looked_at_count + 1) *
						      sizeof(*t->review));
	for (size_t i = 0; i < story->row_count; i++) {
		const rg_story_row *r = &story->rows[i];
		if (!r->apart && !r->looked_at)
			continue;
		told_row *row = &t->review[t->review_count++];
		tell_row(row, t, r);
		if (!r->apart)
			continue;
		t->apart[t->apart_count] = *row;
		t->apart[t->apart_count++].golden_url = golden_url(t, r->row->file);
	}
}

/* --- groups --- */

static told_worst worst_of(told *t, const rg_story_row *r)
{
	return (told_worst){.golden = golden_of(t, r->row->file, &r->name),
			    .avg_rel_diff = r->row->avg_rel_diff,
			    .says = row_says(t, r)};
}

static void tell_cards(told *t)
{
	const rg_story *story = t->story;
	t->heads = story->heads;
	t->head_count = story->head_count;
	t->cards = rg_arena_alloc(&t->arena, (story->card_count + 1) * sizeof(*t->cards));
	for (size_t i = 0; i < story->card_count; i++) {
		const rg_card *card = &story->cards[i];
		t->cards[t->card_count++] = (told_card){.card = card,
							.worst = worst_of(t, card->worst),
							.metric = card->worst->row->metric,
							.class_of = card->class_of};
	}
}

static void tell_group(told_group *out, told *t, const rg_group *group)
{
	*out = (told_group){.g = *group,
			    .stage = part(t, group->stage),
			    .variant = part(t, group->variant),
			    .command = command_for(t, group->metric)};
	rg_story_say_group(&t->text, group, false);
	out->says = written(t);
	if (group->worst)
		out->worst = worst_of(t, group->worst);
	if (group->kind != RG_GROUP_QUIET)
		out->goldens =
			rg_arena_alloc(&t->arena, (group->changed + 1) * sizeof(*out->goldens));
}

/* Those that moved, those that did so under their level, and how many did not move. */
static void tell_groups(told *t)
{
	const rg_story *story = t->story;
	told_group **of = rg_calloc(story->group_count + 1, sizeof(*of));
	t->groups = rg_calloc(story->group_count + 1, sizeof(*t->groups));
	t->quiet = rg_calloc(story->group_count + 1, sizeof(*t->quiet));
	for (size_t i = 0; i < story->group_count; i++) {
		const rg_group *group = &story->groups[i];
		if (group->of_models)
			continue;
		t->same_groups += group->kind == RG_GROUP_SAME;
		if (group->kind == RG_GROUP_SAME)
			continue;
		of[i] = group->kind == RG_GROUP_QUIET ? &t->quiet[t->quiet_count++]
						      : &t->groups[t->group_count++];
		tell_group(of[i], t, group);
	}
	for (size_t i = 0; i < story->row_count; i++) {
		told_group *group = story->rows[i].changed &&
						    story->rows[i].group < story->group_count
					    ? of[story->rows[i].group]
					    : NULL;
		if (group && group->goldens)
			tell_row(&group->goldens[group->golden_count++], t, &story->rows[i]);
	}
	free(of);
}

/* --- lines and gaps --- */

static void tell_lines(told *t)
{
	t->first_line = t->lines;
	for (rg_line_kind i = 0; i < RG_LINES; i++)
		if (t->story->lines[i])
			t->lines[t->line_count++] = (told_line){i, t->story->lines[i]};
}

/* Metrics that no row could be made of. */
static void tell_gaps(told *t)
{
	t->gaps.n = t->comparison->gap_count;
	for (size_t i = 0; i < t->gaps.n; i++)
		t->gaps.of[t->comparison->gaps[i].gap]++;
}

/* --- texts and tokens --- */

static void tell_exact_row(told_exact_row *out, told *t, const rg_row *row)
{
	*out = (told_exact_row){.row = row,
				.name = name_of(t, row->file),
				.first_diff = "the kind",
				.changes = row->changes ? row->changes_brief : NULL};
	if (row->first_diff_record) {
		out->first_diff = row->first_diff_record;
	} else if (row->first_diff_known) { /* as text: a template's 0 is false */
		rg_buf_printf(&t->text, "%lld", (long long)row->first_diff);
		out->first_diff = written(t);
	}
}

/* Those of models are shown with them. */
static bool is_exact(const rg_comparison *c, const rg_row *row)
{
	return row->kind == RG_ROW_EXACT && !rg_models_have(c, row);
}

static void tell_exact(told *t)
{
	const rg_comparison *c = t->comparison;
	told_exact *e = &t->exact;
	size_t opaque = 0;

	for (size_t i = 0; i < c->row_count; i++) {
		opaque += c->rows[i].opaque != NULL;
		e->n += is_exact(c, &c->rows[i]);
		e->differ_count += is_exact(c, &c->rows[i]) && !c->rows[i].identical;
	}
	if (!e->differ_count)
		return;
	e->what = opaque == e->n ? "Opaque goldens"
		  : opaque       ? "Texts, tokens and opaque goldens"
				 : "Texts and tokens";
	e->differ = rg_arena_alloc(&t->arena, e->differ_count * sizeof(*e->differ));
	for (size_t i = 0, k = 0; i < c->row_count; i++)
		if (is_exact(c, &c->rows[i]) && !c->rows[i].identical)
			tell_exact_row(&e->differ[k++], t, &c->rows[i]);
}

/* --- what a noise model says --- */

static const char *text_of(const rg_row *row)
{
	/* Each is outside of a range of its own, and is listed where a reviewer must look. */
	if (row->verdict.kind == RG_VERDICT_OUTSIDE || !row->verdict.text)
		return "";
	return row->verdict.text;
}

static int by_verdict(const void *a, const void *b)
{
	const rg_row *x = *(const rg_row *const *)a, *y = *(const rg_row *const *)b;
	if (x->verdict.kind != y->verdict.kind)
		return x->verdict.kind < y->verdict.kind ? -1 : 1;
	return strcmp(text_of(x), text_of(y));
}

/* By kind, then what is said of most rows. */
static int by_count(const void *a, const void *b)
{
	const finding *x = a, *y = b;
	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	if (x->n != y->n)
		return x->n > y->n ? -1 : 1;
	return strcmp(x->text, y->text);
}

static void tell_measured(told *t)
{
	size_t count = 0, found = 0;
	const rg_row **rows = rg_malloc((t->comparison->row_count + 1) * sizeof(*rows));
	for (size_t i = 0; i < t->comparison->row_count; i++)
		if (t->comparison->rows[i].verdict.kind != RG_VERDICT_NONE)
			rows[count++] = &t->comparison->rows[i];
	finding *all = rg_arena_alloc(&t->arena, (count + 1) * sizeof(*all));
	qsort(rows, count, sizeof(*rows), by_verdict);
	for (size_t i = 0; i < count; i++) {
		if (!i || by_verdict(&rows[i - 1], &rows[i]) != 0)
			all[found++] = (finding){rows[i]->verdict.kind, text_of(rows[i]), 0};
		all[found - 1].n++;
	}
	qsort(all, found, sizeof(*all), by_count);
	t->measured.n = count;
	for (size_t i = 0; i < found; i++) {
		findings *of = &t->measured.of[all[i].kind];
		of->items = of->items ? of->items : &all[i];
		of->count++;
		of->n += all[i].n;
	}
	free(rows);
}

/* --- all --- */

static void put_models(rg_json_out *json, const void *from, const void *context)
{
	const told *t = from;
	(void)context;
	rg_models_view(json->open[json->depth - 1], &t->story->models,
		       &(rg_models_shown){.top = SIZE_MAX});
}

static void put_interpretation(rg_json_out *json, const void *from, const void *context)
{
	const told *t = from;
	const cJSON *models = rg_json_member(json->open[json->depth - 1], "models");
	(void)context;
	rg_json_truth(json, t->shape_count || t->group_count || t->apart_count || t->exact.what ||
				    t->measured.n || (models && models->child));
}

void rg_told_put(rg_json_out *json, const void *from, const void *context)
{
	const rg_story *story = from;
	told t = {.story = story,
		  .summary = story->summary,
		  .comparison = story->summary->comparison,
		  .shapes = story->shapes,
		  .shape_count = story->shape_count,
		  .unchanged = story->unchanged,
		  .rows = story->summary->comparison->row_count};

	rg_arena_init(&t.arena);
	rg_buf_init(&t.text, RG_BUF_TEXT);
	tell_lines(&t);
	tell_cards(&t);
	tell_groups(&t);
	tell_rows(&t);
	tell_gaps(&t);
	tell_exact(&t);
	tell_measured(&t);
	t.all_command = command_for(&t, NULL);
	rg_json_put_fields(json, rg_told_fields, &t, context);
	free(t.groups);
	free(t.quiet);
	rg_buf_release(&t.text);
	rg_arena_release(&t.arena);
}
