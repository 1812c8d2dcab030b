/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_STORE_ROW_BINARY_H
#define REGILD_STORE_ROW_BINARY_H

#include "base/buf.h"
#include "base/error.h"
#include "base/memory.h"

#include <stdint.h>

/*
 * ClickHouse's format RowBinary: rows without anything between them, numbers little-endian, texts
 * and arrays with their length in front. It holds any bytes and any double as they are.
 */

/* ---- writing, into a buffer whose state the caller checks ---- */

void rg_row_number(rg_buf *out, uint64_t value, unsigned bytes); /* the lowest 1, 4 or 8 of it */
void rg_row_double(rg_buf *out, double value);
/* An array's elements: int64_t, uint64_t or double. */
void rg_row_numbers(rg_buf *out, const void *numbers, size_t count);
void rg_row_text(rg_buf *out, const char *text);
/* Comes in front of a text's bytes or an array's elements. */
void rg_row_length(rg_buf *out, uint64_t length);

/* ---- reading ---- */

/* A column's value in a row; the bytes are borrowed from the row. */
typedef struct {
	/* A number's bits, or how many elements an array has: at most SIZE_MAX / 16. */
	uint64_t number;
	const unsigned char *bytes; /* of a text or an array */
	size_t size;
} rg_row_cell;

/* The columns that a row may have: more are not asked for. */
enum { RG_ROW_CELLS = 16 };

/* Texts in an array: the next one at *at, borrowed, *length bytes of it. Only for cells that
 * rg_row_read gave. */
const char *rg_row_next_text(const unsigned char **at, size_t *length);
/* Reads one of an array's elements. */
double rg_row_double_at(const unsigned char *bytes);
/* RG_E_MISMATCH where the text holds a NUL, which no text of ours does. */
RG_CHECKED rg_error *rg_row_copy(const rg_row_cell *cell, rg_arena *arena, const char **out);

/*
 * Reads the row at *at, whose columns are of the types: 'b' one byte, 'd' four, 'q' eight, 'f' a
 * double, 's' a text, 'Q' an array of eight bytes each, 'S' an array of texts. *at is then after
 * it. False where there is no whole row before `end`.
 */
bool rg_row_read(const unsigned char **at, const unsigned char *end, const char *types,
		 rg_row_cell cells[static RG_ROW_CELLS]);

/* A reader of rows. `begin` comes before the first, and again if the server is asked again
 * after it failed: what came so far comes once more. It may be NULL. */
typedef struct {
	const char *types; /* see rg_row_read; NULL: the context is a buffer that gets the text */
	void (*begin)(void *context);
	rg_error *(*row)(void *context, const rg_row_cell *cells);
	void *context;
	uint64_t most; /* bytes of a server's answer: more are RG_E_LIMIT */
} rg_row_reader;
/* Limits of an answer: names and numbers; a line for each run or golden; series. */
#define RG_ANSWER_FEW    ((uint64_t)1 << 20)
#define RG_ANSWER_LIST   ((uint64_t)1 << 30)
#define RG_ANSWER_SERIES ((uint64_t)32 << 30)

#endif
