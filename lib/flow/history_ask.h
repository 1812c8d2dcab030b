/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_FLOW_HISTORY_ASK_H
#define REGILD_FLOW_HISTORY_ASK_H

#include "base/fields.h"
#include "report/table.h"
#include "store/history.h"

/*
 * Questions by name: templates/NAME.sql. Such a file begins with comments: a sentence that says
 * what is asked, then a line for each of its values, "-- NAME: what it is" or "-- NAME=DEFAULT:
 * what it is".
 */

/* The answer, row by row. */
typedef struct {
	const char *question;
	const char **columns;
	size_t column_count;
	rg_reply_cell *cells;
	size_t count, capacity; /* cells */
	rg_arena arena;
} rg_reply;

void rg_reply_release(rg_reply *reply);

/* `settings`: "name=value" each, of the question's values. RG_E_USAGE for a question that there is
 * not, a value that it has not, and one without a default that is missing: the message lists them.
 */
RG_CHECKED rg_error *rg_flow_ask(rg_reply *out, rg_history_store *history, const char *question,
				 const char *const *settings, size_t count);
/* Appends a line for each question, and for each of its values. */
void rg_questions_list(rg_buf *out);

/* Values as shortest decimals, "NaN" for what is no number. */
RG_CHECKED rg_error *rg_reply_table(rg_buf *out, const rg_reply *reply,
				    const rg_table_style *style);
RG_CHECKED rg_error *rg_reply_csv(rg_buf *out, const rg_reply *reply);
/* The document regild-reply, of an rg_reply. */
RG_CHECKED rg_error *rg_reply_json(rg_buf *out, const void *from);
extern const rg_json_field rg_reply_fields[];

#endif
