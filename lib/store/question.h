/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_STORE_QUESTION_H
#define REGILD_STORE_QUESTION_H

#include "base/buf.h"

/*
 * A question that a history is asked: one SELECT over the views current_series and values_long,
 * which every store has, in the SQL that SQLite and ClickHouse have in common. regild-history(7)
 * has the views.
 */

/* Stands in the statement for {name}; it is quoted on its way in. */
typedef struct {
	const char *name, *value;
} rg_question_value;

typedef struct {
	const char *name; /* for messages */
	const char *sql;
	const rg_question_value *values;
	size_t count;
} rg_question;

typedef enum {
	RG_REPLY_NAN, /* a value, or what is made of values, that is no number */
	RG_REPLY_TEXT,
	RG_REPLY_WHOLE, /* a whole number, as its text has it */
	RG_REPLY_REAL,
} rg_reply_kind;

typedef struct {
	rg_reply_kind kind;
	union {
		const char *text; /* of a text or a whole number, NUL-terminated */
		double real;
	};
} rg_reply_cell;

/* Gets the columns' names, once, and then each row. */
typedef struct {
	rg_error *(*columns)(void *context, const char *const *names, size_t count);
	rg_error *(*row)(void *context, const rg_reply_cell *cells, size_t count);
	void *context;
} rg_reply_taker;

/* The most columns of a reply. */
enum { RG_REPLY_COLUMNS = 32 };

/* For the stores: appends the statement with its values, each as `quote` appends it. */
void rg_question_write(rg_buf *sql, const rg_question *question,
		       void (*quote)(rg_buf *sql, const char *text));

#endif
