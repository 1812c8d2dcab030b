/* SPDX-License-Identifier: Apache-2.0 */
#include "report/story_text.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/shorten.h"
#include "base/utf8.h"
#include "compare/losses.h"
#include "compare/summary.h"
#include "report/cells.h"
#include "report/table.h"
#include "report/review.h"
#include "report/summary.h"
#include "report/workflow_command.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* As many shapes and groups as a person reads; the other reports have them all. */
enum { SHAPES_SHOWN = 10, GROUPS_SHOWN = 12 };
/* The groups' table; its last column is there where a row is apart. */
enum {
	COLUMN_METRIC,
	COLUMN_STAGE,
	COLUMN_VARIANT,
	COLUMN_GOLDENS,
	COLUMN_CHANGED,
	COLUMN_WORST,
	GROUP_COLUMNS,
	WORST_MIN = 52, /* the end of a test's name, and the figure whole */
};
enum { INDENT = 2 };
/* Columns of a sentence, with a name of 4 KB in it: more than real names need. */
enum { SENTENCE_MAX = 1000 };

/* Words, made safe, in lines no wider than the style's; what follows the first line is indented as
 * deep as that and two blanks more. A word wider than a line is shortened. */
static void add_wrapped(rg_buf *out, const char *text, size_t indent, const rg_table_style *style)
{
	size_t room = style->width > indent + INDENT ? style->width : SIZE_MAX, at = indent;
	bool first = true;

	rg_buf_printf(out, "%*s", (int)indent, "");
	while (*text) {
		size_t length = strcspn(text, " "), start = out->length;
		size_t left = room - (first ? indent : indent + INDENT) - 1;

		rg_buf_str(out, first ? "" : " ");
		size_t width = rg_text_shorten(out, text, length, left) + !first;
		if (!first && at + width > room) {
			rg_buf_truncate(out, start);
			rg_buf_printf(out, "\n%*s", (int)(indent + INDENT), "");
			at = indent + INDENT;
			at += rg_text_shorten(out, text, length, left);
		} else {
			at += width;
		}
		first = false;
		text += length;
		text += *text == ' ';
	}
}

/* --- shape --- */

static bool is_lost(const rg_shape_change *s)
{
	return s->kind == RG_SHAPE_METRIC_GONE || s->kind == RG_SHAPE_STEPS_GONE;
}

static void add_shape(rg_buf *out, const rg_shape_change *s, const rg_table_style *style)
{
	rg_buf text;
	rg_buf_init(&text, RG_BUF_ANY);
	rg_text_shorten(&text, s->text, strlen(s->text), SENTENCE_MAX);
	add_wrapped(out, text.data, INDENT, style);
	rg_buf_char(out, '\n');
	rg_buf_inherit(out, &text);
	rg_buf_release(&text);
}

static void add_shapes(rg_buf *out, const rg_story *story, bool lost, const rg_table_style *style)
{
	size_t shown = 0, more = 0;
	for (size_t i = 0; i < story->shape_count; i++) {
		if (is_lost(&story->shapes[i]) != lost)
			continue;
		if (shown == SHAPES_SHOWN) {
			more++;
			continue;
		}
		if (!shown++ && !lost)
			rg_buf_printf(out, "%schanged in shape:\n", out->length ? "\n" : "");
		add_shape(out, &story->shapes[i], style);
	}
	if (more)
		rg_buf_printf(out, "  %zu more\n", more);
}

/* Lines of a text have no steps, and so no shape: golden by golden. */
static void add_texts(rg_buf *out, const rg_story *story, const rg_table_style *style)
{
	const rg_comparison *c = story->summary->comparison;
	size_t shown = 0;
	rg_buf text;

	rg_buf_init(&text, RG_BUF_TEXT);
	for (size_t i = 0; i < c->row_count; i++) {
		const rg_row *row = &c->rows[i];
		if (row->kind != RG_ROW_EXACT || row->by_record || !row->lost_text ||
		    shown++ >= SHAPES_SHOWN)
			continue;
		rg_story_name_add(&text, story, row->file);
		rg_buf_printf(&text, ": %s of %s: %s", row->lost_text, row->metric,
			      row->changes ? row->changes : "differs");
		add_wrapped(out, text.data, INDENT, style);
		rg_buf_char(out, '\n');
		rg_buf_clear(&text);
	}
	if (shown > SHAPES_SHOWN)
		rg_buf_printf(out, "  %zu more\n", shown - SHAPES_SHOWN);
	rg_buf_inherit(out, &text);
	rg_buf_release(&text);
}

void rg_story_shapes_text(rg_buf *out, const rg_story *story, const rg_table_style *style)
{
	rg_losses losses = {0};
	rg_losses_find(&losses, story->summary->comparison);

	rg_buf text;

	rg_buf_init(&text, RG_BUF_TEXT);
	if (losses.count) {
		rg_buf_str(&text, "the new side lost ");
		rg_losses_say(&text, &losses);
		rg_buf_char(&text, ':');
		add_wrapped(out, text.data, 0, style);
		rg_buf_char(out, '\n');
		add_shapes(out, story, true, style);
		add_texts(out, story, style);
	}
	rg_buf_inherit(out, &text);
	rg_buf_release(&text);
	rg_losses_release(&losses);
	/* The bottom line has the others. */
	if (story->shape_count > RG_STORY_SHAPES_NAMED)
		add_shapes(out, story, false, style);
}

/* --- groups --- */

static bool is_worth_a_row(const rg_group *c)
{
	return !c->of_models && (c->kind != RG_GROUP_SAME && c->kind != RG_GROUP_QUIET);
}

/* Groups of one golden each are the table of rows again. */
static bool has_groups(const rg_story *story)
{
	return story->group_count < story->row_count;
}

static void add_part(rg_table *table, const rg_name_part *part)
{
	rg_table_add(table, part->length ? part->text : "-", part->length ? part->length : 1);
}

static void add_written(rg_table *table, rg_buf *text)
{
	rg_table_add(table, text->data, text->length);
	rg_buf_clear(text);
}

static void add_worst(rg_table *table, rg_buf *text, const rg_story *story, const rg_group *c)
{
	const rg_story_row *worst = c->worst;
	if (table->column_count == COLUMN_WORST)
		return;
	if (c->n == 1) {
		rg_table_add(table, "", 0);
		return;
	}
	if (worst->name.test.text)
		rg_buf_add(text, worst->name.test.text, worst->name.test.length);
	else
		rg_story_name_add(text, story, worst->row->file);
	rg_buf_str(text, ": ");
	rg_story_say_row(text, worst->row, &worst->policy);
	if (c->apart)
		rg_buf_printf(text, "; %zu apart", c->apart);
	add_written(table, text);
}

static void add_group(rg_table *table, rg_buf *text, const rg_story *story, const rg_group *c)
{
	rg_table_add(table, c->metric, strlen(c->metric));
	add_part(table, &c->stage);
	add_part(table, &c->variant);
	rg_buf_printf(text, "%zu", c->n);
	add_written(table, text);
	rg_story_say_group(text, c, true);
	add_written(table, text);
	add_worst(table, text, story, c);
}

/* Nothing for "-", a part that the path does not have. */
static void add_cell(rg_buf *out, const rg_table *table, size_t at, const char *before)
{
	const rg_shown_cell *cell = &table->cells[at];
	const char *text = table->texts.data + cell->begin;

	if (!cell->length || (cell->length == 1 && *text == '-'))
		return;
	rg_buf_str(out, before);
	rg_text_shorten(out, text, cell->length, RG_TABLE_WIDTH_MAX);
}

/* For a window in which figures would not be whole: "lm loss gpt dev: new is 2 % larger". */
static void write_sentences(rg_buf *out, const rg_table *table, const rg_table_style *style)
{
	rg_buf text;

	rg_buf_str(out, "by metric, stage and variant:\n");
	rg_buf_init(&text, RG_BUF_ANY);
	for (size_t i = 0; i < table->count; i += table->column_count) {
		add_cell(&text, table, i + COLUMN_METRIC, "");
		add_cell(&text, table, i + COLUMN_STAGE, " ");
		add_cell(&text, table, i + COLUMN_VARIANT, " ");
		add_cell(&text, table, i + COLUMN_CHANGED, ": ");
		add_cell(&text, table, i + COLUMN_GOLDENS, "; goldens: ");
		if (table->column_count > COLUMN_WORST)
			add_cell(&text, table, i + COLUMN_WORST, "; worst: ");
		add_wrapped(out, text.data, INDENT, style);
		rg_buf_char(out, '\n');
		rg_buf_clear(&text);
	}
	rg_buf_release(&text);
}

static rg_error *write_groups(rg_buf *out, const rg_table *table, const rg_table_style *style)
{
	size_t widths[GROUP_COLUMNS], shown;
	rg_table_fit(&shown, widths, table, style->width);
	if (shown > COLUMN_CHANGED)
		return rg_table_write(table, out, style);
	write_sentences(out, table, style);
	return NULL;
}

rg_error *rg_story_groups_text(rg_buf *out, const rg_story *story, const rg_table_style *style)
{
	static const rg_table_column columns[GROUP_COLUMNS] = {
		[COLUMN_METRIC] = {.heading = "metric"},
		[COLUMN_STAGE] = {.heading = "stage"},
		[COLUMN_VARIANT] = {.heading = "variant"},
		[COLUMN_GOLDENS] = {.heading = "goldens", .right = true},
		[COLUMN_CHANGED] = {.heading = "what changed", .least = SIZE_MAX},
		[COLUMN_WORST] = {.heading = "worst", .least = WORST_MIN},
	};
	size_t shown = 0, more = 0;
	rg_table table;
	rg_buf text;

	rg_table_init(&table, columns, COLUMN_WORST + (story->apart_count > 0));
	rg_buf_init(&text, RG_BUF_ANY);
	for (size_t i = 0; i < story->group_count && has_groups(story); i++) {
		if (!is_worth_a_row(&story->groups[i]))
			continue;
		if (shown == GROUPS_SHOWN) {
			more++;
			continue;
		}
		shown++;
		add_group(&table, &text, story, &story->groups[i]);
	}
	rg_error *err = shown ? write_groups(out, &table, style) : NULL;
	if (more)
		rg_buf_printf(out, "%zu more group%s moved\n", more, more == 1 ? "" : "s");
	rg_buf_release(&text);
	rg_table_release(&table);
	return err;
}

/* --- the bottom line --- */

void rg_story_lines_text(rg_buf *out, const rg_story *story, const rg_table_style *style)
{
	rg_buf text;
	rg_buf_init(&text, RG_BUF_ANY);
	for (size_t i = 0; i < RG_LINES; i++) {
		bool bold = style->color && (i == RG_LINE_SHAPE || i == RG_LINE_APART);
		if (!story->lines[i])
			continue;
		rg_buf_str(out, bold ? "\x1b[1m" : "");
		rg_text_shorten(&text, story->lines[i], strlen(story->lines[i]), SENTENCE_MAX);
		add_wrapped(out, text.data, 0, style);
		rg_buf_str(out, bold ? "\x1b[0m\n" : "\n");
		rg_buf_inherit(out, &text);
		rg_buf_clear(&text);
	}
	rg_buf_release(&text);
}

/* Rows of a golden that are named before the others are counted. */
enum { ROWS_NAMED = 3 };

typedef struct {
	const rg_story *story;
	bool in_repository;
	const char *files[RG_ANNOTATIONS_MAX]; /* that have one */
	size_t count;
} annotator;

static bool needs_look(const rg_story_row *row)
{
	return row->apart || row->looked_at;
}

static bool is_annotated(const annotator *a, const char *file)
{
	for (size_t i = 0; i < a->count; i++)
		if (!strcmp(a->files[i], file))
			return true;
	return false;
}

/* All that needs a look in the golden of a row. */
static void say_golden(rg_buf *text, const rg_story *story, const char *file, bool *fails)
{
	size_t more = 0, named = 0;
	for (size_t i = 0; i < story->row_count; i++) {
		const rg_story_row *row = &story->rows[i];
		if (!needs_look(row) || strcmp(row->row->file, file) != 0)
			continue;
		*fails |= row->row->level == RG_LEVEL_FAIL;
		if (named == ROWS_NAMED) {
			more++;
			continue;
		}
		rg_buf_str(text, named++ ? "; " : "");
		rg_buf_printf(text, "%s: ", row->metric);
		rg_story_say_with_reason(text, row);
	}
	if (more)
		rg_buf_printf(text, "; %zu more %s", more, more == 1 ? "row" : "rows");
}

static void annotate(annotator *a, rg_buf *out, const char *file, bool fails, const rg_buf *text)
{
	rg_buf name;
	a->files[a->count++] = file;
	rg_buf_init(&name, RG_BUF_ANY);
	rg_story_name_add(&name, a->story, file);
	rg_buf_printf(out, "::%s ", fails ? "error" : "warning");
	if (a->in_repository) {
		rg_buf_str(out, "file=");
		rg_workflow_add_escaped(out, file, true);
		rg_buf_char(out, ',');
	}
	rg_buf_str(out, "title=");
	rg_workflow_add_escaped(out, name.data, true);
	rg_buf_str(out, "::");
	rg_workflow_add_escaped(out, text->data, false);
	rg_buf_char(out, '\n');
	rg_buf_release(&name);
}

rg_error *rg_annotations_add(rg_buf *out, const rg_story *story, bool in_repository)
{
	annotator a = {.story = story, .in_repository = in_repository};
	rg_buf text;

	rg_buf_init(&text, RG_BUF_ANY);
	for (size_t i = 0; i < story->row_count && a.count < RG_ANNOTATIONS_MAX; i++) {
		const rg_story_row *row = &story->rows[i];
		bool fails = false;

		if (!needs_look(row) || is_annotated(&a, row->row->file))
			continue;
		rg_buf_clear(&text);
		say_golden(&text, story, row->row->file, &fails);
		annotate(&a, out, row->row->file, fails, &text);
	}
	/* What went away has no row: the first golden of each pattern stands for it. */
	for (size_t i = 0; i < story->shape_count && a.count < RG_ANNOTATIONS_MAX; i++) {
		const rg_shape_change *shape = &story->shapes[i];
		if (shape->kind >= RG_SHAPE_METRIC_NEW || is_annotated(&a, shape->first->file))
			continue;
		rg_buf_clear(&text);
		rg_buf_str(&text, shape->text);
		annotate(&a, out, shape->first->file, false, &text);
	}
	rg_buf_release(&text);
	return rg_buf_check(out, "the annotations");
}

void rg_shown_rows_release(rg_shown_rows *shown)
{
	free(shown->rows);
	free(shown->looks);
	*shown = (rg_shown_rows){0};
}

/* Is it one of those that are asked for? */
static bool is_asked_for(const rg_row *row, const rg_shown_options *options)
{
	if (options->without_models && rg_models_have(options->story->summary->comparison, row))
		return false;
	if (options->sized)
		return rg_row_has_size(row);
	return row->kind == options->kind &&
	       (row->kind == RG_ROW_EXACT || rg_row_size(row) >= options->threshold);
}

/* The rows that are asked for, in the story's order; those that did not change are counted. */
static void find_rows(rg_shown_rows *out, const rg_shown_options *options)
{
	const rg_comparison *c = options->story->summary->comparison;
	const rg_story_place *places = options->story->places;
	bool by_family = options->top && !options->sort && options->kind == RG_ROW_SERIES;
	const rg_row **order = rg_malloc((c->row_count + 1) * sizeof(*order));

	for (size_t i = 0; i < c->row_count; i++)
		order[places[i].place] = &c->rows[i];
	for (size_t i = 0; i < c->row_count; i++) {
		const rg_row *row = order[i];
		const rg_story_place *place = &places[row - c->rows];
		if (!is_asked_for(row, options))
			continue;
		if (row->identical && !place->look && (options->top || row->kind == RG_ROW_EXACT))
			out->unchanged++;
		else if (by_family && place->is_member)
			out->more++;
		else
			out->rows[out->count++] = row;
	}
	free(order);
}

rg_error *rg_shown_rows_find(rg_shown_rows *out, const rg_shown_options *options)
{
	const rg_summary *summary = options->story->summary;
	size_t count = summary->comparison->row_count;

	*out = (rg_shown_rows){.rows = rg_malloc((count + 1) * sizeof(*out->rows)),
			       .looks = rg_malloc((count + 1) * sizeof(*out->looks))};
	find_rows(out, options);
	if (options->sort)
		RG_TRY(rg_rows_sort(out->rows, out->count, options->sort, summary->context));
	if (options->top && options->top < out->count) {
		out->more += out->count - options->top;
		out->count = options->top;
	}
	for (size_t i = 0; i < out->count; i++)
		out->looks[i] =
			options->story->places[out->rows[i] - summary->comparison->rows].look;
	return NULL;
}

void rg_shown_rows_say_rest(rg_buf *out, const rg_shown_rows *shown)
{
	char number[RG_COUNT_TEXT];
	if (!shown->more && !shown->unchanged)
		return;
	if (shown->more)
		rg_buf_printf(out, "%s more; ", rg_count_text(shown->more, number));
	if (shown->unchanged)
		rg_buf_printf(out, "%s unchanged; ", rg_count_text(shown->unchanged, number));
	rg_buf_str(out, "--top 0 shows all\n");
}

void rg_shown_rows_say_exact(rg_buf *out, const rg_shown_rows *shown,
			     const rg_shown_options *options)
{
	const rg_comparison *comparison = options->story->summary->comparison;
	size_t total = 0, opaque = 0;
	bool tensors = false;

	for (size_t i = 0; i < comparison->row_count; i++) {
		const rg_row *row = &comparison->rows[i];
		if (!is_asked_for(row, options))
			continue;
		total++;
		opaque += row->opaque != NULL;
		tensors |= !row->opaque && (row->tensor || row->reshaped);
	}
	rg_buf_printf(out, "%s%zu of %zu ", out->length ? "\n" : "", shown->count + shown->more,
		      total);
	if (opaque == total)
		rg_buf_printf(out, "opaque golden%s differ%s:\n", total == 1 ? "" : "s",
			      total == 1 ? "s" : "");
	else if (opaque)
		rg_buf_printf(out, "texts, token lists%s and opaque goldens differ:\n",
			      tensors ? ", tensors" : "");
	else
		rg_buf_printf(out, "texts%s differ:\n",
			      tensors ? ", token lists and tensors" : " and token lists");
}

const char *rg_shown_rows_exact_columns(const rg_shown_rows *shown)
{
	size_t with_changes = 0;
	for (size_t i = 0; i < shown->count; i++)
		with_changes += shown->rows[i]->changes != NULL;
	if (shown->count && with_changes == shown->count)
		return "file,metric,changes";
	return with_changes ? "file,metric,first_diff,old_excerpt,new_excerpt,changes"
			    : "file,metric,first_diff,old_excerpt,new_excerpt";
}

/* Columns of a line, and bytes of what the CI says that a trailer takes. */
enum { WIDTH = 72, VALUE_MAX = 500 };

/* Those of the run; *added is how many of them are new. */
static size_t count_goldens(const rg_summary *summary, size_t *added)
{
	const rg_comparison *comparison = summary->comparison;
	size_t count = 0, i;

	for (*added = i = 0; i < comparison->file_count; i++) {
		const rg_file_outcome *file = &comparison->files[i];
		if (!rg_refresh_is_from_run(summary->refresh, file->file))
			continue;
		count++;
		*added += file->status == RG_FILE_NEW;
	}
	return count;
}

/* "Refresh 8 goldens, add 1 from run 22651183945". */
static void add_subject(rg_buf *out, const rg_run_facts *run, size_t goldens, size_t added)
{
	size_t replaced = goldens - added;
	if (replaced)
		rg_buf_printf(out, "Refresh %zu golden%s", replaced, replaced == 1 ? "" : "s");
	if (replaced && added)
		rg_buf_printf(out, ", add %zu", added);
	else if (added)
		rg_buf_printf(out, "Add %zu golden%s", added, added == 1 ? "" : "s");
	if (run->id)
		rg_buf_printf(out, " from %s %s",
			      rg_run_page_of(run->url).gitlab ? "pipeline" : "run", run->id);
	else if (run->from)
		rg_buf_printf(out, " from %s", run->from);
	rg_buf_str(out, "\n\n");
}

static size_t columns_of(const char *text, size_t length)
{
	char safe[RG_UTF8_SAFE_SIZE];
	size_t columns = 0, width;

	while (length) {
		size_t taken = rg_utf8_next_safe(text, length, safe, &width);
		columns += width;
		text += taken;
		length -= taken;
	}
	return columns;
}

/* "- TEXT", and what does not fit on the line below it, indented: no line of it can be read as a
 * trailer, a comment or the "---" that ends a message. */
static void add_item(rg_buf *out, const char *text)
{
	size_t column = 1, length, columns;
	for (rg_buf_char(out, '-'); *(text += strspn(text, " ")); text += length) {
		length = strcspn(text, " ");
		columns = columns_of(text, length);
		if (column > 1 && column + 1 + columns > WIDTH) {
			rg_buf_str(out, "\n ");
			column = 1;
		}
		rg_buf_char(out, ' ');
		rg_utf8_add_safe(out, text, length);
		column += 1 + columns;
	}
	rg_buf_char(out, '\n');
}

static void add_trailer(rg_buf *out, const char *key, const char *value)
{
	if (!value || !*value)
		return;
	rg_buf_printf(out, "%s: ", key);
	rg_utf8_add_safe(out, value, strnlen(value, VALUE_MAX));
	rg_buf_char(out, '\n');
}

rg_error *rg_commit_message_add(rg_buf *out, const rg_summary *summary, const char *const *lines,
				size_t line_count)
{
	const rg_run_facts *run = &summary->run;
	bool pipeline = rg_run_page_of(run->url).gitlab; /* it has no attempts */
	size_t added, goldens = count_goldens(summary, &added);
	char attempt[16];

	if (!goldens)
		return NULL;
	snprintf(attempt, sizeof(attempt), "%u", run->attempt);
	add_subject(out, run, goldens, added);
	for (size_t i = 0; i < line_count; i++)
		if (lines[i])
			add_item(out, lines[i]);
	if (line_count)
		rg_buf_char(out, '\n');
	add_trailer(out, RG_TRAILER_RUN, run->url ? run->url : run->id);
	add_trailer(out, RG_TRAILER_ATTEMPT, run->attempt && !pipeline ? attempt : NULL);
	add_trailer(out, RG_TRAILER_COMMIT, run->commit);
	if (run->id)
		add_trailer(out, RG_TRAILER_SCOPE,
			    run->job            ? "one job"
			    : run->only_failing ? "only-failing"
						: "all");
	else
		add_trailer(out, RG_TRAILER_FROM, run->from);
	return rg_buf_check(out, "the commit message");
}
