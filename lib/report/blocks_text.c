/* SPDX-License-Identifier: Apache-2.0 */
#include "report/blocks.h"

#include "base/memory.h"
#include "base/shorten.h"
#include "base/utf8.h"
#include "report/words.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* Columns of a name under which it gets a line of its own; of a label. */
enum { NAME_MIN = 28, METRICS_SHOWN = 12, LABEL = 8, STAGE_FROM = 13, TEXT_MAX = 400 };

/* One block at a time: texts are written into it, made safe, and measured. */
typedef struct {
	rg_buf *out;
	size_t width; /* SIZE_MAX: there is no limit */
	bool color;
} writer;

static size_t columns_of(const char *text)
{
	return rg_utf8_columns(text, strlen(text));
}

static void append_blanks(rg_buf *out, size_t count)
{
	rg_buf_printf(out, "%*s", (int)count, "");
}

/* In a column of so many columns, and `gap` blanks after it. Returns how many it took. */
static size_t write_cell(writer *w, const char *text, size_t width, size_t gap)
{
	const size_t taken = rg_text_shorten(w->out, text, strlen(text), width);
	append_blanks(w->out, (taken < width ? width - taken : 0) + gap);
	return (taken < width ? width : taken) + gap;
}

/* Words in lines no wider than the window; what follows the first is indented. A word wider than a
 * line is shortened. */
static void write_wrapped(writer *w, const char *text, size_t at, size_t indent)
{
	for (bool first = true; *text; first = false) {
		/* A word ends at the next blank, but not at one in front of a unit. */
		size_t length = strcspn(text, " ");
		while (!strncmp(text + length, " %", 2))
			length += 2 + strcspn(text + length + 2, " ");
		const size_t room = w->width > indent ? w->width - indent : SIZE_MAX;
		size_t start = w->out->length;
		rg_buf_str(w->out, first ? "" : " ");
		size_t taken = !first + rg_text_shorten(w->out, text, length, room);
		if (!first && at + taken > w->width) {
			rg_buf_truncate(w->out, start);
			rg_buf_char(w->out, '\n');
			append_blanks(w->out, indent);
			at = indent;
			taken = rg_text_shorten(w->out, text, length, room);
		}
		at += taken;
		text += length;
		text += *text == ' ';
	}
	rg_buf_char(w->out, '\n');
}

/* "CHECKS  TEXT", each further line of the text below it. */
static void write_labelled(writer *w, const char *label, const char *lines)
{
	if (!*lines)
		return;
	if (w->color && *label)
		rg_buf_printf(w->out, "\x1b[1m%s\x1b[0m", label);
	else
		rg_buf_str(w->out, label);
	append_blanks(w->out, *label ? LABEL - strlen(label) : 0);
	const size_t indent = *label ? LABEL : 0;
	for (const char *line = lines; *line;) {
		const size_t length = strcspn(line, "\n");
		RG_AUTO_FREE char *one = rg_strndup(line, length);
		if (line != lines)
			append_blanks(w->out, indent);
		write_wrapped(w, one, indent, indent ? indent : 2);
		line += length;
		line += *line == '\n';
	}
}

/* "12 more: COMMAND"; nothing if there are none. */
static void write_more(writer *w, size_t count, const char *command)
{
	if (!count)
		return;
	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_ANY);
	rg_buf_printf(&text, "%zu more: %s", count, command);
	append_blanks(w->out, 2);
	write_wrapped(w, text.data, 2, 4);
}

static void write_head(writer *w, const char *head)
{
	rg_buf_printf(w->out, w->color ? "\x1b[1m%s\x1b[0m" : "%s", head);
}

/* --- findings --- */

typedef struct {
	const char *metric, *figure, *note, *brief, *golden;
	size_t more; /* goldens beside the one that is named */
} line;

static const char *written(rg_arena *arena, rg_buf *text)
{
	const char *kept = rg_arena_copy(arena, text->data, text->length);
	rg_buf_clear(text);
	return kept;
}

static line line_of(rg_arena *arena, const rg_story_finding *f)
{
	line one = {0};

	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_ANY);
	rg_finding_say_metric(&text, f);
	one.metric = written(arena, &text);
	rg_finding_say_figure(&text, f);
	one.figure = written(arena, &text);
	rg_finding_say_note(&text, f, false);
	one.note = written(arena, &text);
	rg_finding_say_note(&text, f, true);
	one.brief = written(arena, &text);
	rg_buf_str(&text, f->name && !rg_finding_names_golden(f) ? f->name : "");
	one.golden = written(arena, &text);
	one.more = *one.golden ? f->goldens - 1 : 0;
	return one;
}

typedef struct {
	size_t metric, figure, note;
	size_t before; /* columns before the golden */
} widths;

static size_t larger_of(size_t a, size_t b)
{
	return a > b ? a : b;
}

static size_t smaller_of(size_t a, size_t b)
{
	return a < b ? a : b;
}

static const char *note_of(const line *one, bool brief)
{
	return brief ? one->brief : one->note;
}

/* A long name has no more than half of a window, and what has no metric all of it. */
static widths measure(const line *lines, size_t count, bool brief, size_t window)
{
	widths w = {0};
	size_t spans = 0;

	for (size_t i = 0; i < count; i++)
		if (*lines[i].metric) {
			w.metric = larger_of(w.metric, columns_of(lines[i].metric));
			w.figure = larger_of(w.figure, columns_of(lines[i].figure));
		} else {
			spans = larger_of(spans, columns_of(lines[i].figure));
		}
	w.metric = smaller_of(w.metric, window / 2);
	spans = smaller_of(spans, window - 2);
	if (!w.metric) /* no finding has one */
		w.figure = spans;
	else if (w.metric + 2 + w.figure < spans)
		w.figure = spans - w.metric - 2;
	for (size_t i = 0; i < count; i++)
		if (*lines[i].golden)
			w.note = larger_of(w.note, columns_of(note_of(&lines[i], brief)));
	w.before = 2 + w.metric + (w.metric ? 2 : 0) + w.figure + (w.note ? 4 + w.note : 0) + 3;
	return w;
}

static void write_golden(writer *w, const line *one, size_t at)
{
	char more[48] = "";
	if (one->more)
		snprintf(more, sizeof(more), " and %zu more", one->more);
	const size_t room = w->width > at + strlen(more) ? w->width - at - strlen(more) : NAME_MIN;
	rg_text_shorten(w->out, one->golden, strlen(one->golden), room);
	rg_buf_str(w->out, more);
}

/* Those at the end of a line. */
static void drop_blanks(writer *w)
{
	while (w->out->length && w->out->data[w->out->length - 1] == ' ')
		rg_buf_truncate(w->out, w->out->length - 1);
}

/* As a row of a table; in a narrow window the golden is on a line of its own, and so is a note that
 * has no room. */
static void write_finding(writer *w, const line *one, const widths *columns, bool table, bool brief)
{
	const char *note = note_of(one, brief);
	size_t at = 2;

	append_blanks(w->out, 2);
	if (*one->metric) {
		at += write_cell(w, one->metric, columns->metric, 2);
		at += write_cell(w, one->figure, columns->figure, 0);
	} else {
		const size_t both = columns->metric + (columns->metric ? 2 : 0) + columns->figure;
		at += write_cell(w, one->figure, both, 0);
	}
	if (table && *one->golden) {
		if (columns->note) {
			append_blanks(w->out, 4);
			at += 4 + write_cell(w, note, columns->note, 0);
		}
		append_blanks(w->out, 3);
		write_golden(w, one, at + 3);
		rg_buf_char(w->out, '\n');
		return;
	}
	if (*note && at + 4 + columns_of(note) > w->width) {
		drop_blanks(w);
		rg_buf_str(w->out, "\n    ");
		write_wrapped(w, note, 4, 6);
	} else if (*note) {
		append_blanks(w->out, 4);
		write_wrapped(w, note, at + 4, 6);
	} else {
		drop_blanks(w);
		rg_buf_char(w->out, '\n');
	}
	if (!*one->golden)
		return;
	append_blanks(w->out, 6);
	write_golden(w, one, 6);
	rg_buf_char(w->out, '\n');
}

static void write_review(writer *w, const rg_blocks *b, size_t most)
{
	const size_t shown = most && most < b->finding_count ? most : b->finding_count;
	RG_AUTO(rg_arena) arena = {0};
	line *lines = rg_arena_alloc(&arena, (shown + 1) * sizeof(*lines));

	if (!shown)
		return;
	for (size_t i = 0; i < shown; i++)
		lines[i] = line_of(&arena, &b->findings[i]);
	bool brief = false;
	widths columns = measure(lines, shown, brief, w->width);
	if (w->width != SIZE_MAX && columns.before + NAME_MIN > w->width) {
		brief = true;
		columns = measure(lines, shown, brief, w->width);
	}
	const bool table = w->width == SIZE_MAX || columns.before + NAME_MIN <= w->width;
	if (!table)
		brief = false;
	write_head(w, "REVIEW");
	rg_buf_char(w->out, '\n');
	for (size_t i = 0; i < shown; i++)
		write_finding(w, &lines[i], &columns, table, brief);
	write_more(w, b->finding_count - shown, b->review_command);
}

/* --- what moved --- */

typedef struct {
	const char *metric, *stage;
	const char *goldens, *change, *median;
	bool spans; /* the change takes the median's column, too */
} moved_line;

typedef struct {
	moved_line *items;
	size_t count, more;
	rg_arena *arena; /* of their texts */
} moved_lines;

static void append_line(moved_lines *list, const char *metric, const rg_moved *m)
{
	moved_line *one = &list->items[list->count++];

	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_ANY);
	*one = (moved_line){.metric = metric, .stage = m->stage ? m->stage : ""};
	rg_buf_printf(&text, "%zu/%zu", m->changed, m->goldens);
	one->goldens = written(list->arena, &text);
	rg_moved_say_change(&text, m);
	one->change = written(list->arena, &text);
	rg_moved_say_median(&text, m);
	one->median = written(list->arena, &text);
	one->spans = !*one->median;
}

static void list_moved(moved_lines *out, const rg_blocks *b)
{
	size_t most = 1, metrics = 0;
	for (size_t i = 0; i < b->moved_count; i++)
		most += 1 + b->moved[i].stage_count;
	out->items = rg_arena_alloc(out->arena, most * sizeof(*out->items));
	for (size_t i = 0; i < b->moved_count; i++) {
		const rg_moved *m = &b->moved[i];
		if (!rg_moved_is_shown(m))
			continue;
		if (metrics == METRICS_SHOWN) {
			out->more++;
			continue;
		}
		metrics++;
		for (size_t k = 0; m->differ && k < m->stage_count; k++)
			append_line(out, k ? "" : m->metric, &m->stages[k]);
		if (!m->differ)
			append_line(out, m->metric, m);
	}
}

typedef struct {
	size_t stage, goldens, change, median; /* where each begins; goldens: ends */
	size_t alone, stages;                  /* how wide names are */
	bool medians;                          /* there are some, and there is room for them */
} moved_columns;

static const char change_head[] = "change, excluding REVIEW";

static moved_columns measure_moved(const writer *w, const moved_lines *list)
{
	moved_columns c = {0};
	size_t with_stage = STAGE_FROM - 2, goldens = strlen("goldens"), median = 0;
	size_t change = strlen(change_head);

	for (size_t i = 0; i < list->count; i++) {
		const moved_line *one = &list->items[i];
		if (*one->stage)
			with_stage = larger_of(with_stage, columns_of(one->metric));
		else
			c.alone = larger_of(c.alone, columns_of(one->metric));
		c.stages = larger_of(c.stages, columns_of(one->stage));
		goldens = larger_of(goldens, strlen(one->goldens));
		median = larger_of(median, strlen(one->median));
		if (!one->spans)
			change = larger_of(change, columns_of(one->change));
	}
	/* Names leave room for a change beside them. */
	const size_t others = 2 + 3 + goldens + 3 + strlen(change_head);
	const size_t room = w->width == SIZE_MAX     ? SIZE_MAX
			    : w->width > others + 16 ? w->width - others
						     : 16;
	c.alone = smaller_of(c.alone, room);
	with_stage = smaller_of(with_stage, c.stages ? room / 3 * 2 : room);
	c.stages = smaller_of(c.stages, room - with_stage - 2);
	c.stage = 2 + with_stage + 2;
	c.goldens = larger_of(c.stages ? c.stage + c.stages : 0, 2 + c.alone) + 3 + goldens;
	c.change = c.goldens + 3;
	c.median = c.change + change + 5;
	c.medians = median && c.median + median <= w->width;
	return c;
}

static void write_moved_line(writer *w, const moved_line *one, const moved_columns *c)
{
	size_t at = 2;
	append_blanks(w->out, 2);
	if (*one->stage) {
		at += write_cell(w, one->metric, c->stage - 4, 2);
		at += rg_text_shorten(w->out, one->stage, strlen(one->stage), c->stages);
	} else {
		at += rg_text_shorten(w->out, one->metric, strlen(one->metric), c->alone);
	}
	append_blanks(w->out, c->goldens - at - strlen(one->goldens));
	rg_buf_str(w->out, one->goldens);
	append_blanks(w->out, c->change - c->goldens);
	if (c->medians && !one->spans) {
		write_cell(w, one->change, c->median - c->change, 0);
		rg_buf_printf(w->out, "%s\n", one->median);
	} else {
		write_wrapped(w, one->change, c->change, c->change);
	}
}

static void write_moved_head(writer *w, const moved_columns *c, bool excluding)
{
	const char *head = excluding ? change_head : "change";
	append_blanks(w->out, c->goldens - strlen("MOVED") - strlen("goldens"));
	rg_buf_str(w->out, "goldens");
	append_blanks(w->out, c->change - c->goldens);
	rg_buf_str(w->out, head);
	if (!c->medians)
		return;
	append_blanks(w->out, c->median - c->change - strlen(head));
	rg_buf_str(w->out, "median");
}

static void write_moved(writer *w, const rg_blocks *b)
{
	RG_AUTO(rg_arena) arena = {0};
	moved_lines list = {.arena = &arena};
	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_ANY);

	list_moved(&list, b);
	rg_blocks_say_quiet(&text, b);
	const moved_columns c = measure_moved(w, &list);
	write_head(w, "MOVED");
	if (list.count)
		write_moved_head(w, &c, b->finding_count > 0);
	rg_buf_char(w->out, '\n');
	for (size_t i = 0; i < list.count; i++)
		write_moved_line(w, &list.items[i], &c);
	write_more(w, list.more, b->all_command);
	if (text.length) {
		append_blanks(w->out, 2);
		write_wrapped(w, text.data, 2, 4);
	}
}

/* --- next --- */

static void write_next(writer *w, const rg_blocks *b)
{
	size_t widest = 0;
	if (!b->next_count)
		return;
	for (size_t i = 0; i < b->next_count; i++)
		widest = larger_of(widest, columns_of(b->next[i].command));
	write_head(w, "NEXT");
	rg_buf_char(w->out, '\n');
	for (size_t i = 0; i < b->next_count; i++) {
		const char *purpose = rg_next_purpose(b->next[i].kind);
		const size_t columns = columns_of(b->next[i].command);
		append_blanks(w->out, 2);
		/* A command is never cut: it is there to be copied. */
		rg_text_shorten(w->out, b->next[i].command, strlen(b->next[i].command), SIZE_MAX);
		if (2 + widest + 5 + strlen(purpose) <= w->width) {
			append_blanks(w->out, widest - columns);
			rg_buf_printf(w->out, "   # %s", purpose);
		} else if (2 + columns + 4 + strlen(purpose) <= w->width) {
			rg_buf_printf(w->out, "  # %s", purpose);
		}
		rg_buf_char(w->out, '\n');
	}
}

/* --- all --- */

void rg_blocks_text(rg_buf *out, const rg_blocks *b, const rg_blocks_style *style)
{
	writer w = {.out = out,
		    .width = style->table.width ? style->table.width : SIZE_MAX,
		    .color = style->table.color};
	const bool moved = rg_blocks_have_moved(b);
	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_ANY);

	rg_blocks_say_verdict(&text, b);
	rg_buf_str(out, w.color ? "\x1b[1m" : "");
	write_wrapped(&w, text.data, 0, 4);
	rg_buf_str(out, w.color ? "\x1b[0m" : "");
	rg_buf_clear(&text);
	/* Short ones need no air. */
	if (moved && b->finding_count)
		rg_buf_char(out, '\n');
	write_review(&w, b, style->findings);
	if (moved) {
		rg_buf_char(out, '\n');
		write_moved(&w, b);
	}
	rg_blocks_say_facts(&text, b);
	write_labelled(&w, "", text.data);
	rg_buf_clear(&text);
	if (moved)
		rg_buf_char(out, '\n');
	rg_blocks_say_checks(&text, b);
	write_labelled(&w, "CHECKS", text.data);
	rg_buf_clear(&text);
	rg_blocks_say_noise(&text, b);
	write_labelled(&w, "NOISE", text.data);
	if (!style->without_next)
		write_next(&w, b);
}
