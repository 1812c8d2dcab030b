/* SPDX-License-Identifier: Apache-2.0 */
#include "base/path.h"
#include "golden/cursor.h"
#include "golden/format.h"
#include "golden/json_golden.h"
#include "golden/json_table.h"
#include "golden/unread_json.h"

#include <stdio.h>
#include <string.h>

/*
 * Objects that are read one by one, so that no tree is held of the whole: those of a list that is
 * all of a JSON file, the "benchmarks" of a report that has them, and JSON Lines, an object a line,
 * as training scripts write their logs:
 *
 *	{"step": 1, "loss": 8.05, "lr": 0.0003}
 *	{"step": 1, "eval_loss": 7.9}
 */

/* So many objects show whether they have names or steps. */
enum { SAMPLE = 64 };
enum { LINE_SAMPLE = 4 << 20 };

typedef struct {
	rg_cursor at;
	bool is_list;
	bool ended;  /* the list has ended, and nothing follows it */
	size_t line; /* from 1, where it is no list */
	rg_read_part part;
} reader;

static reader reader_of(const rg_input *in)
{
	return (reader){.at = rg_cursor_of(in->data, in->size),
			.part = {in->forget, in->data, in->data}};
}

/* The next line that is not blank, without the blanks around it. */
static bool next_line(reader *r, rg_cursor *out)
{
	while (rg_cursor_next_line(&r->at, out)) {
		r->line++;
		rg_cursor_skip_blanks(out);
		while (out->end > out->at && (out->end[-1] == '\r' || out->end[-1] == ' '))
			out->end--;
		if (out->at < out->end)
			return true;
	}
	return false;
}

/* After the object, list or text at `at`; NULL where it does not end. */
static const char *value_end(rg_cursor at)
{
	size_t depth = 0;
	bool is_text = false;
	for (; at.at < at.end; at.at++) {
		const char c = *at.at;
		if (is_text && c == '\\' && at.at + 1 < at.end)
			at.at++;
		else if (c == '"') {
			is_text = !is_text;
			if (!is_text && !depth)
				return at.at + 1;
		} else if (!is_text && (c == '{' || c == '['))
			depth++;
		else if (!is_text && (c == '}' || c == ']') && !--depth)
			return at.at + 1;
	}
	return NULL;
}

/* The next object of a list; false where there is none: only `ended` says that it is the end. */
static bool next_item(reader *r, rg_cursor *out)
{
	rg_cursor *c = &r->at;
	const bool first = r->line++ == 0;
	if (rg_cursor_take_sign(c, first ? '[' : ',')) {
		rg_cursor_skip_blanks(c);
		const char *end = c->at < c->end && *c->at == '{' ? value_end(*c) : NULL;
		if (!end)
			return false;
		*out = (rg_cursor){c->at, end};
		c->at = end;
		return true;
	}
	r->ended = !first && rg_cursor_take_sign(c, ']');
	rg_cursor_skip_blanks(c);
	r->ended = r->ended && c->at == c->end;
	return false;
}

static bool next_object(reader *r, rg_cursor *out)
{
	rg_read_up_to(&r->part, r->at.at);
	return r->is_list ? next_item(r, out) : next_line(r, out);
}

static rg_error *parse_object(const reader *r, rg_cursor text, cJSON **out)
{
	RG_TRY(rg_error_wrap(rg_json_parse(out, text.at, (size_t)(text.end - text.at)), "line %zu",
			     r->line));
	if (!cJSON_IsObject(*out))
		return rg_error_new(RG_E_PARSE, "line %zu: is not an object", r->line);
	return NULL;
}

/* A list of the first objects. */
static rg_error *read_sample(reader r, cJSON **out)
{
	rg_cursor text;

	*out = cJSON_CreateArray();
	if (!*out)
		rg_out_of_memory();
	for (size_t i = 0; i < SAMPLE && next_object(&r, &text); i++) {
		RG_AUTO_PTR(cJSON) object = NULL;
		RG_TRY(parse_object(&r, text, &object));
		cJSON_AddItemToArray(*out, RG_TAKE(object));
	}
	return NULL;
}

static void note_unread(const rg_json_table *table, const reader *r, const cJSON *object)
{
	rg_golden *golden = table->builder->golden;
	char name[32];
	snprintf(name, sizeof(name), "%zu", r->line - 1);
	rg_unread_json(&golden->unread, &golden->arena, name, object);
}

/* *broken: the text is not what it looked like. If it is a list, others can say it better. */
static rg_error *read_objects(rg_json_table *table, reader r, bool *broken)
{
	rg_cursor text;

	while (next_object(&r, &text)) {
		RG_AUTO_PTR(cJSON) object = NULL;
		*broken = true;
		RG_TRY(parse_object(&r, text, &object));
		*broken = false;
		rg_error *err = rg_json_table_object(table, object);
		RG_TRY(r.is_list ? err : rg_error_wrap(err, "line %zu", r.line));
		note_unread(table, &r, object);
	}
	*broken = r.is_list && !r.ended;
	return NULL;
}

static rg_error *read_table(rg_json_table *table, reader r, bool *broken)
{
	RG_AUTO_PTR(cJSON) sample = NULL;
	*broken = true;
	RG_TRY(read_sample(r, &sample));
	if (!sample->child)
		return rg_error_new(RG_E_PARSE, "it has no line");
	/* PyTorch's HUD has a list that is read otherwise (golden/benchmark_json.c). */
	if (r.is_list &&
	    cJSON_IsArray(rg_json_path_member(sample->child, "metric/benchmark_values")))
		return NULL;
	*broken = false;
	RG_TRY(rg_json_table_begin(table, "", sample));
	RG_TRY(read_objects(table, r, broken));
	if (*broken)
		return NULL;
	rg_json_table_end(table);
	return rg_json_table_finish(table);
}

/* --- a report of benchmarks --- */

/* After the member's value at `at`. */
static const char *member_end(rg_cursor at)
{
	if (at.at < at.end && (*at.at == '{' || *at.at == '[' || *at.at == '"'))
		return value_end(at);
	while (at.at < at.end && *at.at != ',' && *at.at != '}')
		at.at++;
	return at.at;
}

/* Leaves the list of benchmarks in `list`, with its brackets. False for any doubt that it is such a
 * report. */
static bool find_benchmarks(rg_cursor at, rg_cursor *list)
{
	static const char name[] = "\"benchmarks\"";
	for (bool first = true; rg_cursor_take_sign(&at, first ? '{' : ','); first = false) {
		rg_cursor_skip_blanks(&at);
		const bool found = rg_cursor_take_word(&at, name);
		const char *key = at.at;
		if (!found)
			at.at = at.at < at.end && *key == '"' ? value_end(at) : NULL;
		if (!at.at || memchr(key, '\\', (size_t)(at.at - key)))
			return false;
		if (!rg_cursor_take_sign(&at, ':'))
			return false;
		rg_cursor_skip_blanks(&at);
		*list = (rg_cursor){at.at, member_end(at)};
		if (!list->end || found)
			return list->end > list->at && *list->at == '[';
		at.at = list->end;
	}
	return false;
}

static rg_error *append_benchmarks(rg_json_table *table, reader r, rg_benchmark_add_fn *add,
				   bool *taken)
{
	RG_AUTO(rg_buf) key = rg_buf_of(RG_BUF_TEXT);
	rg_cursor text;

	while (next_object(&r, &text)) {
		RG_AUTO_PTR(cJSON) object = NULL;
		RG_TRY(parse_object(&r, text, &object));
		RG_TRY(add(table, object, &key));
		note_unread(table, &r, object);
	}
	*taken = r.ended;
	return r.ended ? rg_json_table_finish(table) : NULL;
}

/* *taken stays false where it is no report of benchmarks. The list's first object stands for all:
 * it says which report it is. */
static rg_error *read_benchmarks(rg_json_table *table, reader r, bool *taken)
{
	const rg_cursor whole = r.at;
	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_ANY);
	RG_AUTO_PTR(cJSON) document = NULL;
	const cJSON *list;
	rg_cursor first;

	if (!find_benchmarks(whole, &r.at))
		return NULL;
	reader ahead = r;
	if (!next_object(&ahead, &first))
		return NULL;
	/* The whole text, but with the first object alone in the list. */
	rg_buf_add(&text, whole.at, (size_t)(first.end - whole.at));
	rg_buf_add(&text, r.at.end - 1, (size_t)(whole.end - (r.at.end - 1)));
	RG_TRY(rg_json_parse(&document, text.data, text.length));
	rg_benchmark_add_fn *add = rg_benchmark_json_reader(table, document, &list);
	cJSON_DeleteItemFromObjectCaseSensitive(document, "benchmarks");
	rg_unread_json(&table->builder->golden->unread, &table->builder->golden->arena, "",
		       document);
	return add ? append_benchmarks(table, r, add, taken) : NULL;
}

bool rg_json_list_read(rg_golden_builder *builder, const rg_input *in,
		       const rg_golden_options *options)
{
	RG_AUTO(rg_json_table) table = rg_json_table_of(builder, in, options);
	reader r = reader_of(in);
	bool broken = true, taken = false;

	r.is_list = true;
	RG_AUTO_PTR(rg_error) err = read_benchmarks(&table, r, &taken);
	if (!err && !taken) {
		builder->golden->unread = (rg_unread){0};
		err = read_table(&table, r, &broken);
	}
	taken = !err && (taken || !broken);
	if (!taken) {
		builder->golden->unread = (rg_unread){0};
		builder->count = 0;
	}
	return taken;
}

static rg_error *read_golden(rg_golden_builder *builder, const rg_input *in,
			     const rg_golden_options *options)
{
	builder->gave_up = true; /* after an error it is a text */
	for (bool nameless = false;; nameless = true) {
		RG_AUTO(rg_json_table) table = rg_json_table_of(builder, in, options);
		bool broken;
		table.nameless = nameless;
		rg_error *err = read_table(&table, reader_of(in), &broken);
		if (!err || broken || !table.by_name || nameless)
			return err;
		/* After the sample there may be names that appear twice. */
		rg_error_free(err);
		builder->golden->unread = (rg_unread){0};
		builder->count = 0;
	}
}

/* Two objects, each on a line of its own, are no JSON of one value. */
static bool has_two_lines(reader r)
{
	/* The end of the first line may be far: it is looked for where the beginning is right, and
	 * not in all of a file of one line. */
	if (r.at.end - r.at.at > LINE_SAMPLE)
		r.at.end = r.at.at + LINE_SAMPLE;
	rg_cursor start = r.at, first, second;
	return rg_cursor_take_sign(&start, '{') && next_line(&r, &first) && *first.at == '{' &&
	       first.end[-1] == '}' && next_line(&r, &second) && *second.at == '{';
}

static int bid(const rg_input *in)
{
	rg_cursor at = rg_cursor_of(in->data, in->size);
	if (has_two_lines(reader_of(in)))
		return 110;
	if (!rg_ends_with(in->name, ".jsonl") && !rg_ends_with(in->name, ".ndjson"))
		return 0;
	return rg_cursor_take_sign(&at, '{') ? 100 : 10;
}

const rg_format rg_format_json_lines = {
	.name = "json-lines", .bid = bid, .read = read_golden, .in_order = true};
