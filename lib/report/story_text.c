/* SPDX-License-Identifier: Apache-2.0 */
#include "report/story_text.h"

#include "base/shorten.h"
#include "compare/losses.h"
#include "report/table.h"

#include <stdint.h>
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
	rg_buf_init(&text, SIZE_MAX / 4);
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

static rg_error *add_part(rg_table *table, const rg_name_part *part)
{
	return part->length ? rg_table_add(table, part->text, part->length)
			    : rg_table_add(table, "-", 1);
}

static rg_error *add_written(rg_table *table, rg_buf *text)
{
	rg_error *err = rg_buf_check(text, "a group");
	if (!err)
		err = rg_table_add(table, text->data, text->length);
	rg_buf_clear(text);
	return err;
}

static rg_error *add_worst(rg_table *table, rg_buf *text, const rg_story *story, const rg_group *c)
{
	const rg_story_row *worst = c->worst;
	if (table->column_count == COLUMN_WORST)
		return NULL;
	if (c->n == 1)
		return rg_table_add(table, "", 0);
	if (worst->name.test.text)
		rg_buf_add(text, worst->name.test.text, worst->name.test.length);
	else
		rg_test_name_add(text, worst->row->file, story->summary->context);
	rg_buf_str(text, ": ");
	rg_story_say_row(text, worst->row, &worst->policy);
	if (c->apart)
		rg_buf_printf(text, "; %zu apart", c->apart);
	return add_written(table, text);
}

static rg_error *add_group(rg_table *table, rg_buf *text, const rg_story *story, const rg_group *c)
{
	RG_TRY(rg_table_add(table, c->metric, strlen(c->metric)));
	RG_TRY(add_part(table, &c->stage));
	RG_TRY(add_part(table, &c->variant));
	rg_buf_printf(text, "%zu", c->n);
	RG_TRY(add_written(table, text));
	rg_story_say_group(text, c);
	if (!c->counted && c->changed && c->changed < c->n && rg_story_has_range(&c->shift))
		rg_buf_printf(text, " in %zu", c->changed);
	RG_TRY(add_written(table, text));
	return add_worst(table, text, story, c);
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
static rg_error *write_sentences(rg_buf *out, const rg_table *table, const rg_table_style *style)
{
	rg_error *err = NULL;
	rg_buf text;

	rg_buf_str(out, "by metric, stage and variant:\n");
	rg_buf_init(&text, SIZE_MAX / 4);
	for (size_t i = 0; i < table->count && !err; i += table->column_count) {
		add_cell(&text, table, i + COLUMN_METRIC, "");
		add_cell(&text, table, i + COLUMN_STAGE, " ");
		add_cell(&text, table, i + COLUMN_VARIANT, " ");
		add_cell(&text, table, i + COLUMN_CHANGED, ": ");
		add_cell(&text, table, i + COLUMN_GOLDENS, "; goldens: ");
		if (table->column_count > COLUMN_WORST)
			add_cell(&text, table, i + COLUMN_WORST, "; worst: ");
		err = rg_buf_check(&text, "a group");
		if (!err)
			add_wrapped(out, text.data, INDENT, style);
		rg_buf_char(out, '\n');
		rg_buf_clear(&text);
	}
	rg_buf_release(&text);
	return err;
}

static rg_error *write_groups(rg_buf *out, const rg_table *table, const rg_table_style *style)
{
	size_t widths[GROUP_COLUMNS], shown;
	rg_table_fit(&shown, widths, table, style->width);
	return shown > COLUMN_CHANGED ? rg_table_write(table, out, style)
				      : write_sentences(out, table, style);
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
	rg_error *err = NULL;
	rg_table table;
	rg_buf text;

	rg_table_init(&table, columns, COLUMN_WORST + (story->apart_count > 0));
	rg_buf_init(&text, SIZE_MAX / 4);
	for (size_t i = 0; i < story->group_count && !err && has_groups(story); i++) {
		if (!is_worth_a_row(&story->groups[i]))
			continue;
		if (shown == GROUPS_SHOWN) {
			more++;
			continue;
		}
		shown++;
		err = add_group(&table, &text, story, &story->groups[i]);
	}
	if (!err && shown)
		err = write_groups(out, &table, style);
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
	rg_buf_init(&text, SIZE_MAX / 4);
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
