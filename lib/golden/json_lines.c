/* SPDX-License-Identifier: Apache-2.0 */
#include "base/file.h"
#include "golden/cursor.h"
#include "golden/format.h"
#include "golden/json_table.h"

#include <string.h>

/*
 * JSON Lines, an object a line, as training scripts write their logs:
 *
 *	{"step": 1, "loss": 8.05, "lr": 0.0003}
 *	{"step": 1, "eval_loss": 7.9}
 *
 * They are read as a list of objects is, one by one, so that no tree is held of the whole.
 */

/* Whether objects have names or steps is seen in so many. */
enum { SAMPLE = 64 };

typedef struct {
	rg_cursor at;
	size_t line; /* from 1 */
} reader;

static reader reader_of(const rg_input *in)
{
	const char *data = in->data;
	reader r = {.at = {data, data ? data + in->size : NULL}};
	rg_cursor_take_word(&r.at, "\xef\xbb\xbf");
	return r;
}

/* The next line that is not blank, without the blanks around it. */
static bool next_line(reader *r, rg_cursor *out)
{
	while (r->at.at < r->at.end) {
		const char *newline = memchr(r->at.at, '\n', (size_t)(r->at.end - r->at.at));
		*out = (rg_cursor){r->at.at, newline ? newline : r->at.end};
		r->at.at = newline ? newline + 1 : r->at.end;
		r->line++;
		rg_cursor_skip_blanks(out);
		while (out->end > out->at && (out->end[-1] == '\r' || out->end[-1] == ' '))
			out->end--;
		if (out->at < out->end)
			return true;
	}
	return false;
}

static rg_error *parse_line(const reader *r, rg_cursor line, cJSON **out)
{
	rg_error *err = rg_json_parse(out, line.at, (size_t)(line.end - line.at));
	if (!err && !cJSON_IsObject(*out)) {
		cJSON_Delete(*out);
		err = rg_error_new(RG_E_PARSE, "is not an object");
	}
	return rg_error_wrap(err, "line %zu", r->line);
}

/* A list of the first objects, and the sum of what was wrong with them. */
static rg_error *read_sample(reader r, cJSON **out)
{
	rg_error *err = NULL;
	rg_cursor line;
	cJSON *object;

	*out = cJSON_CreateArray();
	if (!*out)
		rg_out_of_memory();
	for (size_t i = 0; i < SAMPLE && !err && next_line(&r, &line); i++) {
		err = parse_line(&r, line, &object);
		if (!err)
			cJSON_AddItemToArray(*out, object);
	}
	return err;
}

static rg_error *read_objects(rg_json_table *table, reader r)
{
	rg_cursor line;
	cJSON *object;

	while (next_line(&r, &line)) {
		RG_TRY(parse_line(&r, line, &object));
		rg_error *err = rg_json_table_object(table, object);
		cJSON_Delete(object);
		RG_TRY(rg_error_wrap(err, "line %zu", r.line));
	}
	return NULL;
}

static rg_error *read_table(rg_json_table *table, reader r)
{
	cJSON *sample;
	rg_error *err = read_sample(r, &sample);
	if (!err && !sample->child)
		err = rg_error_new(RG_E_PARSE, "it has no line");
	if (!err)
		err = rg_json_table_begin(table, "", sample);
	cJSON_Delete(sample);
	if (!err)
		err = read_objects(table, r);
	return err ? err : rg_json_table_finish(table);
}

static rg_error *read_golden(rg_golden_builder *builder, const rg_input *in,
			     const rg_golden_options *options)
{
	rg_json_table table;
	rg_json_table_init(&table, builder, in, options);
	rg_error *err = read_table(&table, reader_of(in));
	rg_json_table_release(&table);
	builder->gave_up = err != NULL;
	return err;
}

/* Two objects, each on a line of its own, are no JSON of one value. */
static bool has_two_lines(reader r)
{
	rg_cursor first, second;
	return next_line(&r, &first) && *first.at == '{' && first.end[-1] == '}' &&
	       next_line(&r, &second) && *second.at == '{';
}

static int bid(const rg_input *in)
{
	rg_cursor at = reader_of(in).at;
	if (has_two_lines(reader_of(in)))
		return 110;
	if (!rg_ends_with(in->name, ".jsonl") && !rg_ends_with(in->name, ".ndjson"))
		return 0;
	return rg_cursor_take_sign(&at, '{') ? 100 : 10;
}

const rg_format rg_format_json_lines = {.name = "json-lines", .bid = bid, .read = read_golden};
