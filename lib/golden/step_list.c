/* SPDX-License-Identifier: Apache-2.0 */
#include "base/path.h"
#include "base/number.h"
#include "golden/sections.h"
#include "golden/column_list.h"
#include "golden/cursor.h"
#include "golden/format.h"
#include "golden/text_token.h"

#include <string.h>

/*
 * Lists of a step and its value a line, as training scripts print them:
 *
 *	1 8.049097061157227
 *	2 7.750823974609375
 *
 * or several values, which a remark names. Other remarks say nothing:
 *
 *	# ngpu: 8
 *	# step loss grad_norm
 *	1 8.02 1.59
 */

/* No line is longer; a message quotes so many bytes of a bad one. */
enum { LINE_MAX_BYTES = 1024, QUOTED = 40, COLUMNS_MAX = 64 };

typedef struct {
	rg_cursor at;
	size_t line; /* from 1 */
	/* The names in the remark; none: there is one column without a name. */
	rg_cursor names[COLUMNS_MAX];
	size_t columns;
	bool begun;        /* a line with values was there, after which no remark names anything */
	rg_unread *unread; /* gets the other remarks; NULL: nobody asks */
} reader;

/* "# step loss grad_norm"; false where it names nothing. */
static bool read_remark(reader *r, rg_cursor line)
{
	rg_cursor name;
	line.at++;
	if (r->begun || !rg_cursor_next_word(&line, &name) || rg_cursor_length(name) != 4 ||
	    memcmp(name.at, "step", 4) != 0)
		return false;
	r->columns = 0;
	while (r->columns < COLUMNS_MAX && rg_cursor_next_word(&line, &name))
		r->names[r->columns++] = name;
	return true;
}

/* The next line that is not blank or a remark, without the blanks in front. */
static bool next_line(reader *r, rg_cursor *line)
{
	while (rg_cursor_next_line(&r->at, line)) {
		r->line++;
		rg_cursor_skip_blanks(line);
		if (line->at < line->end && *line->at != '#') {
			r->begun = true;
			return true;
		}
		if (line->at < line->end && !read_remark(r, *line) && r->unread)
			rg_unread_line(r->unread, line->at, rg_cursor_length(*line));
	}
	return false;
}

/* Reads a step and `count` values, of which *value is the one at `column`. */
static bool parse_line(rg_cursor line, size_t count, size_t column, int64_t *step, double *value,
		       rg_cursor *text)
{
	double number;
	rg_cursor word;
	size_t i;

	if (rg_cursor_length(line) > LINE_MAX_BYTES || !rg_cursor_next_word(&line, &word) ||
	    !rg_int64_parse(word.at, rg_cursor_length(word), step))
		return false;
	for (i = 0; rg_cursor_next_word(&line, &word); i++) {
		if (i == count || !rg_plain_number_parse(word.at, rg_cursor_length(word), &number))
			return false;
		if (i != column)
			continue;
		*value = number;
		*text = word;
	}
	return i == count;
}

static size_t columns_of(const reader *r)
{
	return r->columns ? r->columns : 1;
}

static rg_error *read_column(rg_golden_builder *builder, reader r, size_t column, rg_cursor name)
{
	rg_metric *metric;
	int64_t step;
	double value = 0;
	rg_cursor line, text;

	while (next_line(&r, &line)) {
		const size_t length = rg_cursor_length(line);
		if (!parse_line(line, columns_of(&r), column, &step, &value, &text))
			return rg_error_new(RG_E_PARSE,
					    "line %zu: '%.*s' is not a step and its value%s",
					    r.line, (int)(length < QUOTED ? length : QUOTED),
					    line.at, r.columns > 1 ? "s" : "");
		rg_golden_builder_note_whole(builder, text.at, rg_cursor_length(text), value);
		rg_golden_builder_value(builder, step, value);
	}
	RG_TRY(rg_golden_builder_series(builder, name.at, rg_cursor_length(name), &metric));
	if (metric->duplicate_keys)
		return rg_error_new(RG_E_PARSE, "step %lld has two values",
				    (long long)metric->duplicate_step);
	return NULL;
}

static rg_error *check_names(const reader *r)
{
	for (size_t i = 0; i < r->columns; i++) {
		const size_t length = rg_cursor_length(r->names[i]);
		for (size_t j = 0; j < i; j++)
			if (length == rg_cursor_length(r->names[j]) &&
			    !memcmp(r->names[i].at, r->names[j].at, length))
				return rg_error_new(RG_E_PARSE, "two columns are called '%.*s'",
						    (int)length, r->names[i].at);
	}
	return NULL;
}

static reader reader_of(const rg_input *in)
{
	const char *data = in->data;
	return (reader){.at = {data, data ? data + in->size : NULL}};
}

static rg_error *read_golden(rg_golden_builder *builder, const rg_input *in,
			     const rg_golden_options *options)
{
	const rg_table_rule *rule = rg_table_rule_of(options, in->name);
	const char *name = rule && rule->value ? rule->value : "value";
	reader r = reader_of(in), named = r;
	rg_cursor line;

	/* Names come before the first line. */
	next_line(&named, &line);
	RG_TRY(check_names(&named));
	r.unread = &builder->golden->unread;
	if (!named.columns) {
		builder->golden->heeded = RG_SET_VALUE;
		return read_column(builder, r, 0, (rg_cursor){name, name + strlen(name)});
	}
	for (size_t i = 0; i < named.columns; i++) {
		/* The list says itself what the rule does. */
		if (rg_column_list_has(name, named.names[i].at, rg_cursor_length(named.names[i])))
			builder->golden->heeded = RG_SET_VALUE;
		RG_TRY(read_column(builder, r, i, named.names[i]));
		r.unread = NULL;
	}
	return NULL;
}

static int bid(const rg_input *in)
{
	reader r = reader_of(in);
	rg_cursor line, text;
	int64_t step;
	double value;

	if (!rg_ends_with(in->name, ".txt") || !next_line(&r, &line))
		return 0;
	return parse_line(line, columns_of(&r), 0, &step, &value, &text) ? 100 : 0;
}

const rg_format rg_format_step_list = {
	.name = "step-list", .bid = bid, .read = read_golden, .when_named = true};
