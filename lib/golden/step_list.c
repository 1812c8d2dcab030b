/* SPDX-License-Identifier: Apache-2.0 */
#include "base/file.h"
#include "base/number.h"
#include "golden/column_list.h"
#include "golden/format.h"
#include "golden/text_token.h"

#include <string.h>

/*
 * Lists of a step and its value a line, as training scripts print them:
 *
 *	1 8.049097061157227
 *	2 7.750823974609375
 *
 * or of several, which a line of remark names; other remarks say nothing:
 *
 *	# ngpu: 8
 *	# step loss grad_norm
 *	1 8.02 1.59
 */

/* Lines are shorter; a longer one is quoted no further. */
enum { LINE_MAX_BYTES = 1024, QUOTED = 40, COLUMNS_MAX = 64 };

typedef struct {
	const char *text;
	size_t length;
} word;

typedef struct {
	const char *at, *end;
	size_t line; /* from 1 */
	/* Of the remark that names them; none: there is one column without a name. */
	word names[COLUMNS_MAX];
	size_t columns;
	bool begun;        /* a line with values was there, after which no remark names anything */
	rg_unread *unread; /* gets the other remarks; NULL: nobody asks */
} reader;

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* The next word of a line; false at its end. */
static bool next_word(const char **line, size_t *length, word *out)
{
	rg_cell_trim(line, length);
	*out = (word){*line, 0};
	while (out->length < *length && !is_blank(out->text[out->length]))
		out->length++;
	*line += out->length;
	*length -= out->length;
	return out->length > 0;
}

/* "# step loss grad_norm"; false where it names nothing. */
static bool read_remark(reader *r, const char *line, size_t length)
{
	word name;
	size_t n = 0;

	line++, length--;
	if (r->begun || !next_word(&line, &length, &name) || name.length != 4 ||
	    memcmp(name.text, "step", 4) != 0)
		return false;
	while (n < COLUMNS_MAX && next_word(&line, &length, &name))
		r->names[n++] = name;
	r->columns = n;
	return true;
}

/* The next line that is not blank or a remark, without the blanks around it. */
static bool next_line(reader *r, const char **line, size_t *length)
{
	while (r->at < r->end) {
		const char *newline = memchr(r->at, '\n', (size_t)(r->end - r->at));
		const char *end = newline ? newline : r->end;

		*line = r->at;
		*length = (size_t)(end - r->at);
		r->at = newline ? newline + 1 : r->end;
		r->line++;
		if (*length && (*line)[*length - 1] == '\r')
			--*length;
		rg_cell_trim(line, length);
		if (*length && **line != '#') {
			r->begun = true;
			return true;
		}
		if (*length && !read_remark(r, *line, *length) && r->unread)
			rg_unread_line(r->unread, *line, *length);
	}
	return false;
}

/* Reads a step and `count` values, of which *value is the one at `column`. */
static bool parse_line(const char *line, size_t length, size_t count, size_t column, int64_t *step,
		       double *value, word *text)
{
	double number;
	size_t i;
	word w;

	if (length > LINE_MAX_BYTES || !next_word(&line, &length, &w) ||
	    !rg_int64_parse(w.text, w.length, step))
		return false;
	for (i = 0; next_word(&line, &length, &w); i++) {
		if (i == count || !rg_plain_number_parse(w.text, w.length, &number))
			return false;
		if (i != column)
			continue;
		*value = number;
		*text = w;
	}
	return i == count;
}

static size_t columns_of(const reader *r)
{
	return r->columns ? r->columns : 1;
}

static rg_error *read_column(rg_golden_builder *builder, reader r, size_t column, const char *name,
			     size_t name_length)
{
	const char *line;
	rg_metric *metric;
	size_t length;
	int64_t step;
	double value = 0;
	word text;

	while (next_line(&r, &line, &length)) {
		if (!parse_line(line, length, columns_of(&r), column, &step, &value, &text))
			return rg_error_new(RG_E_PARSE,
					    "line %zu: '%.*s' is not a step and its value%s",
					    r.line, (int)(length < QUOTED ? length : QUOTED), line,
					    r.columns > 1 ? "s" : "");
		rg_golden_builder_note_whole(builder, text.text, text.length, value);
		rg_golden_builder_value(builder, step, value);
	}
	RG_TRY(rg_golden_builder_series(builder, name, name_length, &metric));
	if (metric->duplicate_keys)
		return rg_error_new(RG_E_PARSE, "step %lld has two values",
				    (long long)metric->duplicate_step);
	return NULL;
}

static rg_error *check_names(const reader *r)
{
	for (size_t i = 0; i < r->columns; i++)
		for (size_t j = 0; j < i; j++)
			if (r->names[i].length == r->names[j].length &&
			    !memcmp(r->names[i].text, r->names[j].text, r->names[i].length))
				return rg_error_new(RG_E_PARSE, "two columns are called '%.*s'",
						    (int)r->names[i].length, r->names[i].text);
	return NULL;
}

static rg_error *read_golden(rg_golden_builder *builder, const rg_input *in,
			     const rg_golden_options *options)
{
	const rg_table_rule *rule = rg_table_rule_of(options, in->name);
	const char *name = rule && rule->value ? rule->value : "value", *line;
	reader r = {.at = in->data, .end = (const char *)in->data + in->size}, named = r;
	size_t length;

	/* Names come before the first line. */
	next_line(&named, &line, &length);
	RG_TRY(check_names(&named));
	r.unread = &builder->golden->unread;
	if (!named.columns) {
		builder->golden->heeded = RG_SET_VALUE;
		return read_column(builder, r, 0, name, strlen(name));
	}
	for (size_t i = 0; i < named.columns; i++) {
		RG_TRY(read_column(builder, r, i, named.names[i].text, named.names[i].length));
		r.unread = NULL;
	}
	return NULL;
}

static int bid(const rg_input *in)
{
	reader r = {.at = in->data, .end = in->data ? (const char *)in->data + in->size : NULL};
	const char *line;
	size_t length;
	int64_t step;
	double value;
	word text;

	if (!rg_ends_with(in->name, ".txt") || !next_line(&r, &line, &length))
		return 0;
	return parse_line(line, length, columns_of(&r), 0, &step, &value, &text) ? 100 : 0;
}

const rg_format rg_format_step_list = {
	.name = "step-list", .bid = bid, .read = read_golden, .when_named = true};
