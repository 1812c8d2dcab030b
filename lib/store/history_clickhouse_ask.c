/* SPDX-License-Identifier: Apache-2.0 */
#include "store/history_clickhouse.h"

#include "base/number.h"
#include "store/history_kept.h"

#include <math.h>
#include <string.h>

/*
 * The answer comes as lines of cells with tabs between them, the columns' names and types first:
 * nobody has to say beforehand which types there are.
 */

typedef struct {
	char *at, *end;
} answer_lines;

/* Takes a backslash and what follows it for what they stand for, in place. */
static void unescape(char *text)
{
	static const char letters[] = "bfnrt0", meant[] = "\b\f\n\r\t";
	char *out = text;
	for (; *text; text++) {
		if (*text == '\\' && text[1]) {
			const char *letter = strchr(letters, *++text);
			*out++ = letter ? meant[letter - letters] : *text;
		} else {
			*out++ = *text;
		}
	}
	*out = '\0';
}

/* The cells of the next line, in place; 0 where there is none. */
static size_t next_line(answer_lines *lines, char *cells[static RG_REPLY_COLUMNS])
{
	char *end = lines->at < lines->end
			    ? memchr(lines->at, '\n', (size_t)(lines->end - lines->at))
			    : NULL;
	size_t count = 0;
	if (!end)
		return 0;
	*end = '\0';
	for (char *at = lines->at; at && count < RG_REPLY_COLUMNS;) {
		char *tab = strchr(at, '\t');
		if (tab)
			*tab++ = '\0';
		cells[count++] = at;
		at = tab;
	}
	lines->at = end + 1;
	return count;
}

static void read_cell(rg_reply_cell *out, char *text, const char *type)
{
	*out = (rg_reply_cell){.kind = RG_REPLY_NAN, .text = text};
	if (!strcmp(text, "\\N"))
		return;
	if (strstr(type, "Float")) {
		if (rg_double_parse(text, strlen(text), &out->real) && !isnan(out->real))
			out->kind = RG_REPLY_REAL;
	} else if (strstr(type, "Int")) {
		out->kind = RG_REPLY_WHOLE;
	} else {
		unescape(text);
		out->kind = RG_REPLY_TEXT;
	}
}

static rg_error *hand_out(answer_lines *lines, const rg_reply_taker *taker)
{
	char *names[RG_REPLY_COLUMNS], *types[RG_REPLY_COLUMNS], *texts[RG_REPLY_COLUMNS];
	rg_reply_cell cells[RG_REPLY_COLUMNS];
	size_t count = next_line(lines, names);

	if (!count || next_line(lines, types) != count)
		return rg_history_damaged("the answer");
	RG_TRY(taker->columns(taker->context, (const char *const *)names, count));
	while (lines->at < lines->end) {
		if (next_line(lines, texts) != count)
			return rg_history_damaged("the answer");
		for (size_t i = 0; i < count; i++)
			read_cell(&cells[i], texts[i], types[i]);
		RG_TRY(taker->row(taker->context, cells, count));
	}
	return NULL;
}

rg_error *rg_clickhouse_ask(rg_history_store *history, const rg_question *question,
			    const rg_reply_taker *taker)
{
	rg_clickhouse_store *store = (rg_clickhouse_store *)history;
	rg_buf sql, answer;

	RG_TRY(rg_clickhouse_check(store));
	rg_buf_init(&sql, RG_BUF_TEXT);
	rg_buf_init(&answer, RG_ANSWER_LIST);
	rg_question_write(&sql, question, rg_clickhouse_quote);
	rg_error *err = rg_buf_check(&sql, question->name);
	if (!err)
		err = rg_clickhouse_answer(store->server, question->name, sql.data, &answer);
	if (!err) {
		answer_lines lines = {answer.data, answer.data + answer.length};
		err = hand_out(&lines, taker);
	}
	rg_buf_release(&answer);
	rg_buf_release(&sql);
	return err;
}
