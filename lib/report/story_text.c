/* SPDX-License-Identifier: Apache-2.0 */
#include "report/story_text.h"

#include "base/shorten.h"
#include "compare/losses.h"
#include "report/table_fit.h"
#include "report/table_write.h"

#include <stdint.h>
#include <string.h>

/* As many shapes and cohorts as a person reads; the other reports have them all. */
enum { SHAPES_SHOWN = 10, COHORTS_SHOWN = 12 };
/* The cohorts' table; its last column is there where a row is apart. */
enum {
	COLUMN_METRIC,
	COLUMN_STAGE,
	COLUMN_VARIANT,
	COLUMN_GOLDENS,
	COLUMN_CHANGED,
	COLUMN_APART,
	COHORT_COLUMNS,
	APART_MIN = 52, /* the end of a test's name, and the figure whole */
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
		size_t length = strcspn(text, " "), start = out->length, width;
		size_t left = room - (first ? indent : indent + INDENT) - 1;

		rg_buf_str(out, first ? "" : " ");
		width = rg_text_shorten(out, text, length, left) + !first;
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

static void add_shape(rg_buf *out, const rg_story *story, const rg_shape_change *s,
		      const rg_table_style *style)
{
	rg_buf text;

	rg_buf_init(&text, SIZE_MAX / 4);
	rg_text_shorten(&text, s->text, strlen(s->text), SENTENCE_MAX);
	if (s->goldens == 1) {
		rg_buf_str(&text, " (");
		rg_test_name_add(&text, s->first->file, story->summary->context);
		rg_buf_char(&text, ')');
	}
	add_wrapped(out, text.data, INDENT, style);
	rg_buf_char(out, '\n');
	rg_buf_inherit(out, &text);
	rg_buf_release(&text);
}

static void add_shapes(rg_buf *out, const rg_story *story, bool lost, const rg_table_style *style)
{
	size_t shown = 0, more = 0, i;

	for (i = 0; i < story->shape_count; i++) {
		if (is_lost(&story->shapes[i]) != lost)
			continue;
		if (shown == SHAPES_SHOWN) {
			more++;
			continue;
		}
		if (!shown++ && !lost)
			rg_buf_printf(out, "%schanged in shape:\n", out->length ? "\n" : "");
		add_shape(out, story, &story->shapes[i], style);
	}
	if (more)
		rg_buf_printf(out, "  %zu more\n", more);
}

rg_error *rg_story_shapes_text(rg_buf *out, const rg_story *story, const rg_table_style *style)
{
	rg_losses losses = {0};
	rg_error *err = rg_losses_find(&losses, story->summary->comparison);

	rg_buf text;

	rg_buf_init(&text, RG_BUF_TEXT);
	if (!err && losses.count) {
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
	if (!err && story->shape_count > RG_STORY_SHAPES_NAMED)
		add_shapes(out, story, false, style);
	return err;
}

/* --- cohorts --- */

static bool is_worth_a_row(const rg_cohort *c)
{
	return !c->of_models &&
	       (c->apart || (c->kind != RG_COHORT_SAME && c->kind != RG_COHORT_QUIET));
}

/* Cohorts of one golden each are the table of rows again. */
static bool has_cohorts(const rg_story *story)
{
	return story->cohort_count < story->row_count;
}

static rg_error *add_part(rg_table *table, const rg_name_part *part)
{
	return part->length ? rg_table_add(table, part->text, part->length)
			    : rg_table_add(table, "-", 1);
}

static rg_error *add_written(rg_table *table, rg_buf *text)
{
	rg_error *err = rg_buf_check(text, "a cohort");

	if (!err)
		err = rg_table_add(table, text->data, text->length);
	rg_buf_clear(text);
	return err;
}

static rg_error *add_worst(rg_table *table, rg_buf *text, const rg_story *story, const rg_cohort *c)
{
	const rg_story_row *worst = c->worst;

	if (table->column_count == COLUMN_APART)
		return NULL;
	if (!c->apart)
		return rg_table_add(table, "", 0);
	if (worst->name.test.text)
		rg_buf_add(text, worst->name.test.text, worst->name.test.length);
	else
		rg_test_name_add(text, worst->row->file, story->summary->context);
	rg_buf_str(text, ": ");
	rg_story_say_shift(text, worst->row->avg_rel_diff);
	if (c->apart > 1)
		rg_buf_printf(text, ", %zu more apart", c->apart - 1);
	return add_written(table, text);
}

static rg_error *add_cohort(rg_table *table, rg_buf *text, const rg_story *story,
			    const rg_cohort *c)
{
	RG_TRY(rg_table_add(table, c->metric, strlen(c->metric)));
	RG_TRY(add_part(table, &c->stage));
	RG_TRY(add_part(table, &c->variant));
	rg_buf_printf(text, "%zu", c->n);
	RG_TRY(add_written(table, text));
	if (c->counted) {
		rg_buf_printf(text, "%zu of %zu differ", c->rows_changed, c->rows);
	} else if (c->cancels && c->over) {
		rg_story_say_spread(text, c->mean_abs);
	} else {
		rg_story_say_range(text, c->low, c->high);
	}
	RG_TRY(add_written(table, text));
	return add_worst(table, text, story, c);
}

/* Nothing for "-", a part that the path does not have. */
static void add_cell(rg_buf *out, const rg_table *table, size_t at, const char *before)
{
	const rg_table_cell *cell = &table->cells[at];
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
	size_t i;

	rg_buf_str(out, "by metric, stage and variant:\n");
	rg_buf_init(&text, SIZE_MAX / 4);
	for (i = 0; i < table->count && !err; i += table->column_count) {
		add_cell(&text, table, i + COLUMN_METRIC, "");
		add_cell(&text, table, i + COLUMN_STAGE, " ");
		add_cell(&text, table, i + COLUMN_VARIANT, " ");
		add_cell(&text, table, i + COLUMN_CHANGED, ": ");
		add_cell(&text, table, i + COLUMN_GOLDENS, "; goldens: ");
		if (table->column_count > COLUMN_APART)
			add_cell(&text, table, i + COLUMN_APART, "; apart: ");
		err = rg_buf_check(&text, "a cohort");
		if (!err)
			add_wrapped(out, text.data, INDENT, style);
		rg_buf_char(out, '\n');
		rg_buf_clear(&text);
	}
	rg_buf_release(&text);
	return err;
}

static rg_error *write_cohorts(rg_buf *out, const rg_table *table, const rg_table_style *style)
{
	size_t widths[COHORT_COLUMNS];

	return rg_table_fit(widths, table, style->width) > COLUMN_CHANGED
		       ? rg_table_write(table, out, style)
		       : write_sentences(out, table, style);
}

rg_error *rg_story_cohorts_text(rg_buf *out, const rg_story *story, const rg_table_style *style)
{
	static const rg_table_column columns[COHORT_COLUMNS] = {
		[COLUMN_METRIC] = {.heading = "metric"},
		[COLUMN_STAGE] = {.heading = "stage"},
		[COLUMN_VARIANT] = {.heading = "variant"},
		[COLUMN_GOLDENS] = {.heading = "goldens", .right = true},
		[COLUMN_CHANGED] = {.heading = "what changed", .least = SIZE_MAX},
		[COLUMN_APART] = {.heading = "apart", .least = APART_MIN},
	};
	size_t shown = 0, more = 0, i;
	rg_error *err = NULL;
	rg_table table;
	rg_buf text;

	rg_table_init(&table, columns, COLUMN_APART + (story->apart_count > 0));
	rg_buf_init(&text, SIZE_MAX / 4);
	for (i = 0; i < story->cohort_count && !err && has_cohorts(story); i++) {
		if (!is_worth_a_row(&story->cohorts[i]))
			continue;
		if (shown == COHORTS_SHOWN) {
			more++;
			continue;
		}
		shown++;
		err = add_cohort(&table, &text, story, &story->cohorts[i]);
	}
	if (!err && shown)
		err = write_cohorts(out, &table, style);
	if (more)
		rg_buf_printf(out, "%zu more cohort%s moved\n", more, more == 1 ? "" : "s");
	rg_buf_release(&text);
	rg_table_release(&table);
	return err;
}

/* --- the bottom line --- */

void rg_story_lines_text(rg_buf *out, const rg_story *story, const rg_table_style *style)
{
	rg_buf text;
	size_t i;

	rg_buf_init(&text, SIZE_MAX / 4);
	for (i = 0; i < RG_LINES; i++) {
		bool bold = style->color && (i == RG_LINE_SHAPE || i == RG_LINE_APART);

		if (!story->lines[i])
			continue;
		rg_buf_str(out, bold ? "\x1b[1m" : "");
		rg_buf_str(&text, i == RG_LINE_APART ? "stands out: " : "");
		rg_text_shorten(&text, story->lines[i], strlen(story->lines[i]), SENTENCE_MAX);
		add_wrapped(out, text.data, 0, style);
		rg_buf_str(out, bold ? "\x1b[0m\n" : "\n");
		rg_buf_inherit(out, &text);
		rg_buf_clear(&text);
	}
	rg_buf_release(&text);
}
