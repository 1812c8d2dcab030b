/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/text_read.h"

#include "base/memory.h"
#include "base/pattern.h"
#include "golden/builder.h"
#include "golden/cursor.h"
#include "golden/records.h"
#include "golden/sections.h"
#include "golden/text_names.h"
#include "golden/text_token.h"
#include "golden/unit.h"

#include <stdlib.h>
#include <string.h>

/* A card of a FITS header is a line without an end. */
enum { LINE_MAX_BYTES = 16 << 20, CARD = 80 };

/* A number of the line under way, and its digits where its double does not hold them. */
typedef struct {
	double value;
	const char *digits, *unit;
} numeral;

/* A value of a line that has a name of its own. */
typedef struct {
	const char *at;
	size_t length;
	double number;
	const char *metric;
	size_t place; /* which number of all it is */
} named;

typedef struct {
	rg_arena *arena;
	const rg_text_rule *rule; /* may be NULL */
	named *named;             /* of the line under way */
	size_t named_count;
	rg_text_line *lines;
	size_t count, capacity;
	numeral *numerals; /* of the line under way */
	size_t numeral_count, numeral_capacity;
	uint32_t *metrics; /* of each number so far */
	size_t numbers, metric_capacity;
	rg_record_column *columns; /* of each metric so far */
	size_t column_capacity;
	rg_read_part part;
	rg_buf skeleton, text;
	rg_text_names names;
} reader;

static void reader_release(reader *r)
{
	rg_text_names_release(&r->names);
	rg_buf_release(&r->text);
	rg_buf_release(&r->skeleton);
	free(r->named);
	for (size_t i = 0; i < r->column_capacity; i++)
		rg_record_column_release(&r->columns[i]);
	free(r->columns);
	free(r->numerals);
	free(r->metrics);
	free(r->lines);
}

const rg_text_rule *rg_text_rule_of(const rg_golden_options *options, const char *name)
{
	return options ? rg_section_of(options->text_rules, options->text_rule_count,
				       sizeof(*options->text_rules), name)
		       : NULL;
}

static void append_number(reader *r, const rg_text_number *number, const char *token, size_t length)
{
	*RG_PUSH(r->numerals, r->numeral_count, r->numeral_capacity) =
		(numeral){number->value, rg_whole_digits(r->arena, token, length, number->value),
			  number->unit};
}

/* Finds the values of a line that patterns name. No two of them overlap. */
static void find_named(reader *r, const char *line, size_t length)
{
	rg_line_match match;
	r->named_count = 0;
	length -= length && line[length - 1] == '\r';
	for (size_t i = 0; r->rule && i < r->rule->named_count; i++) {
		if (!rg_line_pattern_match(r->rule->named[i].pattern, line, length, &match) ||
		    match.masked)
			continue;
		size_t k = 0;
		while (k < r->named_count && (match.value >= r->named[k].at + r->named[k].length ||
					      match.value + match.value_length <= r->named[k].at))
			k++;
		if (k == r->named_count)
			r->named[r->named_count++] = (named){.at = match.value,
							     .length = match.value_length,
							     .number = match.number,
							     .metric = r->rule->named[i].metric};
	}
}

/* Adds a token, of which a part may be a named value; returns its end, or where that begins. */
static size_t append_token(reader *r, const char *line, size_t length, size_t at)
{
	size_t end = rg_text_separates(line, length, at) ? at + 1
							 : rg_text_token_end(line, length, at);
	/* The first named value from line[at] on, before line[end]; NULL where there is none. */
	named *value = NULL;
	for (size_t i = 0; i < r->named_count; i++) {
		named *one = &r->named[i];
		if (one->at >= line + at && one->at < line + end && (!value || one->at < value->at))
			value = one;
	}
	rg_text_number number;

	if (value && value->at == line + at) {
		value->place = r->numbers + r->numeral_count;
		if (!rg_text_number_parse(&number, value->at, value->length))
			number = (rg_text_number){.value = value->number};
		append_number(r, &number, value->at, value->length);
		rg_buf_char(&r->skeleton, '\0');
		return at + value->length;
	}
	if (value)
		end = (size_t)(value->at - line);
	if (rg_text_number_parse(&number, line + at, end - at)) {
		append_number(r, &number, line + at, number.length);
		rg_buf_char(&r->skeleton, '\0');
		rg_buf_add(&r->skeleton, line + at + number.length, end - at - number.length);
	} else {
		/* "5 ns" has its unit as a word. */
		const size_t before = r->skeleton.length;
		if (before > 1 && r->numeral_count &&
		    !memcmp(r->skeleton.data + before - 2, "\0 ", 2))
			r->numerals[r->numeral_count - 1].unit = rg_unit_find(line + at, end - at);
		rg_buf_add(&r->skeleton, line + at, end - at);
	}
	return end;
}

/* Leaves the line's skeleton, and its numbers where these are `values`. The dates of a remark are
 * stamps, wherever they are. */
static void scan(reader *r, const char *line, size_t length, bool values)
{
	size_t at = rg_text_stamp_length(line, length), end;
	bool blank = false;
	r->numeral_count = 0;
	rg_buf_clear(&r->skeleton);
	while (at < length && rg_text_is_blank(line[at]))
		at++;
	const bool is_remark = at < length && (line[at] == '#' || line[at] == '@');
	for (; at < length; at = end) {
		end = is_remark ? rg_text_date_end(line, length, at) : at;
		if (end > at)
			continue;
		if (rg_text_is_blank(line[at])) {
			blank = true;
			end++;
			continue;
		}
		if (blank && r->skeleton.length)
			rg_buf_char(&r->skeleton, ' ');
		blank = false;
		end = values                                ? append_token(r, line, length, at)
		      : rg_text_separates(line, length, at) ? at + 1
							    : rg_text_token_end(line, length, at);
		if (!values)
			rg_buf_add(&r->skeleton, line + at, end - at);
	}
}

static bool is_ignored(reader *r, const char *line, size_t length)
{
	if (!r->rule || !r->rule->ignore_count)
		return false;
	length -= length && line[length - 1] == '\r';
	rg_buf_clear(&r->text);
	rg_buf_add(&r->text, line, length);
	for (size_t i = 0; i < r->rule->ignore_count; i++)
		if (rg_glob_match(r->rule->ignore[i], r->text.data, RG_GLOB_ANY_SLASH))
			return true;
	return false;
}

static void append_line(reader *r, uint32_t place, const char *text, size_t length)
{
	if (is_ignored(r, text, length))
		return;
	const bool column = rg_text_names_column(&r->names, text, length);
	find_named(r, text, column ? 0 : length);
	scan(r, text, length, !column);
	if (!r->skeleton.length) {
		rg_text_names_blank(&r->names);
		return;
	}
	rg_text_line *line = RG_PUSH(r->lines, r->count, r->capacity);
	*line = (rg_text_line){.place = place,
			       .text = text,
			       .length = (uint32_t)length,
			       .first = r->numbers,
			       .numbers = (uint32_t)r->numeral_count};
	rg_grow(&r->metrics, &r->metric_capacity, r->numbers + r->numeral_count,
		sizeof(*r->metrics));
	line->skeleton =
		column ? rg_text_names_skeleton(&r->names, r->skeleton.data, r->skeleton.length)
		       : rg_text_names_find(&r->names, r->skeleton.data, r->skeleton.length,
					    line->numbers, r->metrics + r->numbers);
	for (size_t i = 0; i < r->named_count; i++)
		r->metrics[r->named[i].place] = rg_text_names_keep(&r->names, r->named[i].metric,
								   strlen(r->named[i].metric));
	rg_grow(&r->columns, &r->column_capacity, r->names.count, sizeof(*r->columns));
	for (size_t i = 0; i < r->numeral_count; i++) {
		/* Each number is its metric's next one. */
		rg_record_column *c = &r->columns[r->metrics[r->numbers++]];
		const int64_t step = (int64_t)c->count;
		const numeral *number = &r->numerals[i];
		if (!number->unit && rg_record_column_plain(c, c->count, number->value))
			continue;
		rg_record_column_number(c, step, number->value);
		rg_record_column_digits(c, step, number->digits);
		rg_record_column_unit(c, number->unit);
	}
}

static bool has_cards(const char *text, size_t length)
{
	static const char first[] = "SIMPLE  =";
	return length >= 2 * CARD && !memcmp(text, first, sizeof(first) - 1) &&
	       !memchr(text, '\n', 2 * CARD);
}

/* False where a line is too long or has a NUL, or there are too many. */
static bool read_lines(reader *r, const char *at, size_t left)
{
	static const char mark[] = "\xef\xbb\xbf";
	const size_t marked = sizeof(mark) - 1;

	if (left >= marked && !memcmp(at, mark, marked))
		at += marked, left -= marked;
	const size_t longest = has_cards(at, left) ? CARD : LINE_MAX_BYTES + 1;
	for (uint32_t place = 1; left; place++) {
		/* A file that is not text may have no line end: the search for it is bounded. */
		const size_t most = left < longest ? left : longest;
		const char *newline = memchr(at, '\n', most);
		const size_t length = newline ? (size_t)(newline - at) : most;

		if (length > LINE_MAX_BYTES || !place || memchr(at, '\0', length))
			return false;
		rg_read_up_to(&r->part, at);
		append_line(r, place, at, length);
		left -= length + (newline != NULL);
		at += length + (newline != NULL);
	}
	return true;
}

bool rg_text_read(rg_golden *golden)
{
	const rg_span *in = &golden->bytes;
	RG_AUTO(reader) r = {.arena = &golden->arena, .rule = golden->text_rule};

	if (!in->size)
		return false;
	r.part = (rg_read_part){in->forget, in->data, in->data};
	rg_buf_init(&r.skeleton, LINE_MAX_BYTES);
	rg_buf_init(&r.text, LINE_MAX_BYTES);
	if (r.rule)
		r.named = rg_calloc(r.rule->named_count + 1, sizeof(*r.named));
	rg_text_names_init(&r.names, r.arena);
	if (!read_lines(&r, in->data, in->size) || !r.numbers)
		return false;
	rg_metric *metrics = rg_arena_alloc(r.arena, r.names.count * sizeof(*metrics));
	for (size_t i = 0; i < r.names.count; i++) {
		if (!r.columns[i].count) /* patterns leave some names without a number */
			continue;
		rg_metric *metric = &metrics[golden->count++];
		metric->name = r.names.names[i];
		metric->kind = RG_METRIC_SERIES;
		rg_record_column_hand_over(&r.columns[i], metric, r.arena);
	}
	golden->metrics = metrics;
	rg_text_lines *lines = rg_arena_alloc(r.arena, sizeof(*lines));
	*lines = (rg_text_lines){.lines = r.lines,
				 .count = r.count,
				 .metrics = r.metrics,
				 .name_count = r.names.count};
	rg_text_names_hand_over(&r.names, lines, r.arena);
	rg_arena_adopt(r.arena, RG_TAKE(r.lines));
	rg_arena_adopt(r.arena, RG_TAKE(r.metrics));
	golden->lines = lines;
	golden->format = RG_TEXT_FORMAT;
	golden->heeded = RG_SET_TEXT;
	return true;
}
