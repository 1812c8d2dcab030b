/* SPDX-License-Identifier: Apache-2.0 */
#include "base/path.h"
#include "base/memory.h"
#include "golden/sections.h"
#include "golden/column_list.h"
#include "golden/cursor.h"
#include "golden/format.h"
#include "golden/records.h"
#include "golden/text_token.h"

#include <stdlib.h>
#include <string.h>

/*
 * Tables of numbers with white space between them, as numpy.savetxt writes them:
 *
 *	# x energy
 *	0.0 -1.5
 *	0.5 -1.25
 *
 * Every line but blank ones and remarks has the same number of numbers, two or more, and nothing
 * else. A column is a series over the lines; the last remark before them names the columns where it
 * has as many words, else they are c1, c2, …. A blank line after at least two rows ends a block,
 * and the columns of the next one are series of their own: c1#2.
 */

enum {
	BLOCKS_MAX = 1000,
	COLUMNS_MAX = 4096,
	SAMPLE_LINES = 8,
	LINE_MAX_BYTES = 1 << 20,
	SAMPLE = 1 << 20
};

typedef struct {
	rg_cursor at, remark; /* the last remark before the first numbers */
	size_t line;          /* from 1 */
	bool begun, blank;    /* is there a blank line between the last two lines of numbers? */
	rg_unread *unread;    /* gets remarks with digits; NULL: nobody asks */
	rg_read_part part;
} lines;

/* The next line of numbers; *ended: it has an end in the file. */
static bool next_line(lines *l, rg_cursor *out, bool *ended)
{
	l->blank = false;
	while (rg_cursor_next_line(&l->at, out)) {
		*ended = l->at.at[-1] == '\n';
		l->line++;
		rg_read_up_to(&l->part, out->at);
		while (out->at < out->end && rg_text_is_blank(*out->at))
			out->at++;
		if (out->at < out->end && *out->at != '#') {
			l->begun = true;
			return true;
		}
		l->blank |= out->at == out->end;
		if (l->unread)
			rg_unread_line(l->unread, out->at, (size_t)(out->end - out->at));
		if (out->at < out->end && !l->begun)
			l->remark = (rg_cursor){out->at + 1, out->end};
	}
	return false;
}

static bool is_number(rg_text_number *out, rg_cursor word)
{
	return rg_text_number_parse(out, word.at, rg_cursor_length(word)) && !out->unit;
}

/* How many numbers the line has; 0 where there is anything else on it. */
static size_t count_numbers(rg_cursor line)
{
	rg_text_number number;
	rg_cursor word;
	size_t count = 0;
	if (line.end - line.at > LINE_MAX_BYTES)
		return 0;
	for (; rg_cursor_next_word(&line, &word); count++)
		if (!is_number(&number, word))
			return 0;
	return count;
}

typedef struct {
	rg_golden_builder *builder;
	const rg_table_rule *rule;
	rg_record_column *columns;
	size_t count, rows, block; /* `rows` of the block, which counts from 0 */
	rg_buf text;
} reader;

static void reader_release(reader *r)
{
	for (size_t i = 0; r->columns && i < r->count; i++)
		rg_record_column_release(&r->columns[i]);
	free(r->columns);
	rg_buf_release(&r->text);
}

static rg_error *append_row(reader *r, rg_cursor line)
{
	rg_text_number number;
	rg_cursor word;
	size_t i = 0;

	for (; rg_cursor_next_word(&line, &word); i++) {
		if (i == r->count || !is_number(&number, word))
			return rg_error_new(RG_E_PARSE, "is not %zu numbers", r->count);
		rg_record_column *c = &r->columns[i];
		rg_record_column_number(c, (int64_t)r->rows, number.value);
		if (number.whole)
			rg_record_column_digits(c, (int64_t)r->rows,
						rg_whole_digits(&r->builder->golden->arena, word.at,
								rg_cursor_length(word),
								number.value));
	}
	if (i != r->count)
		return rg_error_new(RG_E_PARSE, "is not %zu numbers", r->count);
	r->rows++;
	return NULL;
}

/* Names the columns by the rule, by the remark, or by their places. */
static rg_error *append_columns(reader *r, rg_cursor remark)
{
	const char *names = r->rule ? r->rule->names : NULL;
	const char *wanted = r->rule ? r->rule->columns : NULL;
	rg_cursor word;

	if (rg_cursor_count_words(remark) != r->count)
		remark = (rg_cursor){0};
	for (size_t i = 0; i < r->count; i++) {
		rg_buf_clear(&r->text);
		if (names) {
			const rg_column_name name = rg_column_list_next(&names);
			rg_buf_add(&r->text, name.name, name.length);
		} else if (remark.at && rg_cursor_next_word(&remark, &word)) {
			rg_buf_add(&r->text, word.at, rg_cursor_length(word));
		} else {
			rg_buf_printf(&r->text, "c%zu", i + 1);
		}
		const bool kept = !wanted ||
				  rg_column_list_has(wanted, r->text.data, strlen(r->text.data));
		if (r->block)
			rg_buf_printf(&r->text, "#%zu", r->block + 1);
		RG_TRY(rg_buf_check(&r->text, "a column's name"));
		if (kept)
			RG_TRY(rg_record_column_finish(&r->columns[i], r->builder, NULL,
						       r->text.data));
		else
			rg_record_column_release(&r->columns[i]);
	}
	r->block++;
	r->rows = 0;
	return NULL;
}

static rg_error *read_golden(rg_golden_builder *builder, const rg_input *in,
			     const rg_golden_options *options)
{
	RG_AUTO(reader) r = {.builder = builder, .text = rg_buf_of(RG_BUF_TEXT)};
	size_t together = 0; /* rows without a blank line between them */
	lines l = {.at = rg_cursor_of(in->data, in->size),
		   .unread = &builder->golden->unread,
		   .part = {in->forget, in->data, in->data}};
	rg_cursor line;
	bool ended;

	builder->gave_up = true; /* after an error it is a text */
	r.rule = rg_table_rule_of(options, in->name);
	while (next_line(&l, &line, &ended)) {
		if (!r.columns) {
			r.count = count_numbers(line);
			if (r.count < 2 || r.count > COLUMNS_MAX)
				return rg_error_new(RG_E_PARSE,
						    "line %zu: is not two numbers or more", l.line);
			r.columns = rg_calloc(r.count, sizeof(*r.columns));
		}
		if (l.blank && together > 1 && r.block < BLOCKS_MAX)
			RG_TRY(append_columns(&r, l.remark));
		together = l.blank ? 1 : together + 1;
		RG_TRY(rg_error_wrap(append_row(&r, line), "line %zu", l.line));
	}
	return append_columns(&r, l.remark);
}

/* The first lines decide. One without an end does not count, as it may be cut off. */
static int bid(const rg_input *in)
{
	static const char *const others[] = {".csv", ".tsv", ".json", ".jsonl", ".yaml", ".yml"};
	/* Bytes without a line end are read no further than SAMPLE. */
	lines l = {.at = rg_cursor_of(in->data, in->size < SAMPLE ? in->size : SAMPLE)};
	size_t count = 0, seen = 0;
	rg_cursor line;
	bool ended;

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (rg_ends_with(in->name, others[i]))
			return 0;
	for (; seen < SAMPLE_LINES && next_line(&l, &line, &ended); seen++) {
		const size_t numbers = count_numbers(line);
		if (seen && !ended)
			break;
		if (numbers < 2 || (seen && numbers != count))
			return 0;
		count = numbers;
	}
	return seen ? 55 : 0;
}

const rg_format rg_format_number_table = {.name = "number-table",
					  .bid = bid,
					  .read = read_golden,
					  .in_order = true,
					  .when_named = true,
					  .heeds = RG_SET_NAMES | RG_SET_COLUMNS | RG_SET_HEADER,
					  .is_text = true};
