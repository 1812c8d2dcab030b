/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/history_ask.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/templates.h"
#include "report/cells.h"

#include <stdlib.h>
#include <string.h>

enum { VALUES_MAX = 8 };

/* ---- a question's file ---- */

static const char ending[] = ".sql";

static bool is_question(const struct rg_template *template)
{
	size_t length = strlen(template->name);
	return length > strlen(ending) && !strcmp(template->name + length - strlen(ending), ending);
}

static size_t name_length(const struct rg_template *template)
{
	return strlen(template->name) - strlen(ending);
}

/* A value as its line has it; the texts are the file's. */
typedef struct {
	const char *name, *fallback, *help; /* fallback NULL: it must be given */
	size_t name_length, fallback_length, help_length;
} question_value;

/* The comment on the line at *at, which is then after it; NULL where it is none. */
static const char *next_comment(const char **at, size_t *length)
{
	const char *line = *at;
	if (strncmp(line, "-- ", 3) != 0)
		return NULL;
	*length = strcspn(line, "\n");
	*at = line + *length + (line[*length] != '\0');
	*length -= 3;
	return line + 3;
}

static bool next_value(const char **at, question_value *out)
{
	size_t length;
	const char *line = next_comment(at, &length);
	const char *colon = line ? memchr(line, ':', length) : NULL;
	if (!colon)
		return false;
	const char *equal = memchr(line, '=', (size_t)(colon - line));
	*out = (question_value){
		.name = line,
		.name_length = (size_t)((equal ? equal : colon) - line),
		.fallback = equal ? equal + 1 : NULL,
		.fallback_length = equal ? (size_t)(colon - equal) - 1 : strlen("VALUE"),
		.help = colon + 2,
		.help_length = (size_t)(line + length - colon) - 2,
	};
	return true;
}

void rg_questions_list(rg_buf *out)
{
	for (const struct rg_template *t = rg_templates; t->name; t++) {
		const char *at = t->text;
		question_value value;
		size_t length = 0;

		if (!is_question(t))
			continue;
		const char *what = next_comment(&at, &length);
		rg_buf_printf(out, "%.*s: %.*s\n", (int)name_length(t), t->name,
			      what ? (int)length : 0, what ? what : "");
		while (next_value(&at, &value))
			rg_buf_printf(out,
				      value.fallback ? "    [%.*s=%.*s]  %.*s\n"
						     : "    %.*s=%.*s  %.*s\n",
				      (int)value.name_length, value.name,
				      (int)value.fallback_length,
				      value.fallback ? value.fallback : "VALUE",
				      (int)value.help_length, value.help);
	}
}

/* ---- its values ---- */

typedef struct {
	rg_question_value items[VALUES_MAX];
	size_t count;
} value_list;

static rg_error *check_settings(const char *question, const value_list *list,
				const char *const *settings, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		size_t v = 0, length = strcspn(settings[i], "=");
		while (v < list->count && (strlen(list->items[v].name) != length ||
					   strncmp(list->items[v].name, settings[i], length) != 0))
			v++;
		if (v == list->count) {
			RG_AUTO(rg_buf) names = rg_buf_of(RG_BUF_TEXT);
			for (v = 0; v < list->count; v++)
				rg_buf_printf(&names, "%s%s", v ? ", " : "", list->items[v].name);
			return rg_error_new(RG_E_USAGE, "ask %s: it has no value '%.*s'; it has %s",
					    question, (int)length, settings[i], names.data);
		}
		if (!settings[i][length])
			return rg_error_new(RG_E_USAGE, "ask %s: say %s=…", question, settings[i]);
	}
	return NULL;
}

/* ---- the reply ---- */

void rg_reply_release(rg_reply *reply)
{
	free(reply->cells);
	rg_arena_release(&reply->arena);
}

static rg_error *take_columns(void *context, const char *const *names, size_t count)
{
	rg_reply *reply = context;
	reply->columns = rg_arena_alloc(&reply->arena, count * sizeof(*reply->columns));
	for (size_t i = 0; i < count; i++)
		reply->columns[i] = rg_arena_text(&reply->arena, names[i]);
	reply->column_count = count;
	return NULL;
}

/* Most texts of a row are those of the row above. */
static rg_error *take_row(void *context, const rg_reply_cell *cells, size_t count)
{
	rg_reply *reply = context;
	rg_grow(&reply->cells, &reply->capacity, reply->count + count, sizeof(*reply->cells));
	for (size_t i = 0; i < count; i++) {
		rg_reply_cell *cell = &reply->cells[reply->count++];
		const rg_reply_cell *above = reply->count > count ? cell - count : NULL;
		*cell = cells[i];
		if (cell->kind != RG_REPLY_TEXT && cell->kind != RG_REPLY_WHOLE)
			continue;
		cell->text = above && above->kind == cell->kind && !strcmp(above->text, cell->text)
				     ? above->text
				     : rg_arena_text(&reply->arena, cell->text);
	}
	return NULL;
}

static rg_error *ask(rg_reply *out, rg_history_store *history, const struct rg_template *template,
		     const char *const *settings, size_t count)
{
	const rg_reply_taker taker = {take_columns, take_row, out};
	value_list list = {.count = 0};
	const char *at = template->text;
	question_value value;
	size_t length;

	next_comment(&at, &length);
	while (list.count < VALUES_MAX && next_value(&at, &value)) {
		const char *given = NULL;
		for (size_t i = 0; i < count; i++)
			if (!strncmp(settings[i], value.name, value.name_length) &&
			    settings[i][value.name_length] == '=')
				given = settings[i] + value.name_length + 1;
		if (!given && !value.fallback)
			return rg_error_new(RG_E_USAGE, "ask %s: say %.*s=…, %.*s", out->question,
					    (int)value.name_length, value.name,
					    (int)value.help_length, value.help);
		list.items[list.count++] = (rg_question_value){
			rg_arena_copy(&out->arena, value.name, value.name_length),
			given ? given
			      : rg_arena_copy(&out->arena, value.fallback, value.fallback_length)};
	}
	RG_TRY(check_settings(out->question, &list, settings, count));
	const rg_question question = {out->question, at, list.items, list.count};
	return rg_history_ask(history, &question, &taker);
}

rg_error *rg_flow_ask(rg_reply *out, rg_history_store *history, const char *question,
		      const char *const *settings, size_t count)
{
	const struct rg_template *template = rg_templates;
	*out = (rg_reply){.question = question};
	while (template->name &&
	       !(is_question(template) && strlen(question) == name_length(template) &&
		 !strncmp(template->name, question, strlen(question))))
		template ++;
	if (!template->name)
		return rg_error_new(
			RG_E_USAGE,
			"ask: there is no question '%s'; 'regild history ask' lists them",
			question);
	rg_arena_init(&out->arena);
	rg_error *err = ask(out, history, template, settings, count);
	if (err)
		rg_reply_release(out);
	return err;
}

/* ---- writing it ---- */

static const char *text_of(const rg_reply_cell *cell, char number[static RG_DOUBLE_REPR_SIZE])
{
	if (cell->kind == RG_REPLY_NAN)
		return "NaN";
	if (cell->kind != RG_REPLY_REAL)
		return cell->text;
	rg_double_repr(cell->real, number);
	return number;
}

rg_error *rg_reply_table(rg_buf *out, const rg_reply *reply, const rg_table_style *style)
{
	rg_table_column columns[RG_REPLY_COLUMNS];
	char number[RG_DOUBLE_REPR_SIZE];

	for (size_t i = 0; i < reply->column_count; i++)
		columns[i] = (rg_table_column){.heading = reply->columns[i],
					       .right = i < reply->count &&
							reply->cells[i].kind != RG_REPLY_TEXT};
	RG_AUTO(rg_table) table = {0};
	rg_table_init(&table, columns, reply->column_count);
	for (size_t i = 0; i < reply->count; i++) {
		const char *text = text_of(&reply->cells[i], number);
		rg_table_add(&table, text, strlen(text));
	}
	return rg_table_write(&table, out, style);
}

rg_error *rg_reply_csv(rg_buf *out, const rg_reply *reply)
{
	char number[RG_DOUBLE_REPR_SIZE];
	for (size_t i = 0; i < reply->column_count; i++)
		rg_csv_field(out, !i, reply->columns[i], strlen(reply->columns[i]));
	rg_csv_end(out);
	for (size_t row = 0; row < reply->count; row += reply->column_count) {
		for (size_t c = 0; c < reply->column_count; c++) {
			const char *text = text_of(&reply->cells[row + c], number);
			rg_csv_field(out, !c, text, strlen(text));
		}
		rg_csv_end(out);
	}
	return rg_buf_check(out, "the reply");
}

typedef struct {
	const char *name;
	const rg_reply *reply;
	size_t place;
} column_view;

static void write_values(rg_json_out *json, const void *from, const void *context)
{
	const column_view *column = from;
	const rg_reply *reply = column->reply;

	(void)context;
	rg_json_open_flat(json, '[');
	for (size_t i = column->place; i < reply->count; i += reply->column_count) {
		const rg_reply_cell *cell = &reply->cells[i];
		int64_t whole;
		if (cell->kind == RG_REPLY_NAN)
			rg_json_null(json);
		else if (cell->kind == RG_REPLY_REAL)
			rg_json_number(json, cell->real);
		else if (cell->kind == RG_REPLY_WHOLE &&
			 rg_int64_parse(cell->text, strlen(cell->text), &whole))
			rg_json_integer(json, whole);
		else
			rg_json_text(json, cell->text);
	}
	rg_json_close(json, ']');
}

#define OF column_view
static const rg_json_field column_fields[] = {
	RG_KEY(name, "As the manual has it."),
	RG_PUT("values", VALUES, ALWAYS, NULL, write_values,
	       "A value for each row; null for what is no number."),
	{0}};
#undef OF

typedef struct {
	const char *question;
	size_t n_rows, column_count;
	column_view columns[RG_REPLY_COLUMNS], *list;
} told;

#define OF told
const rg_json_field rg_reply_fields[] = {RG_KEY(question, "Its name."),
					 RG_KEY(n_rows, "How many rows there are."),
					 RG_KEY_TALL_LIST("columns", list, column_count,
							  column_fields,
							  "In the order of the statement."),
					 {0}};
#undef OF

rg_error *rg_reply_json(rg_buf *out, const void *from)
{
	const rg_reply *reply = from;
	told t = {.question = reply->question,
		  .n_rows = reply->column_count ? reply->count / reply->column_count : 0,
		  .column_count = reply->column_count,
		  .list = t.columns};

	for (size_t i = 0; i < reply->column_count; i++)
		t.columns[i] = (column_view){reply->columns[i], reply, i};
	return rg_json_write(out, "regild-reply", rg_reply_fields, &t, NULL);
}
