/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_REPORT_TABLE_H
#define REGILD_REPORT_TABLE_H

#include "base/buf.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * A table for the terminal: columns as wide as their widest cell, two blanks between them, a line
 * of headings. Control characters and broken UTF-8 in cells are shown as \xNN.
 *
 * Where the style has a width no row is wider: texts are shortened, different ones never to the
 * same, numbers never; columns at the end that have no room are named below the table instead.
 * Without one, a cell
 * over RG_TABLE_WIDTH_MAX sticks out of its column, whole, and no other row is padded to it.
 */
enum {
	RG_TABLE_WIDTH_MAX = 256,
	RG_TABLE_TEXT_MIN = 12, /* columns that a text keeps where nothing else is said */
};

/* The terminal that the table is written to. */
typedef struct {
	bool color;
	size_t width; /* columns of the terminal; 0: there is no limit */
} rg_table_style;

/* The first column's cells in a table that is marked: what needs a look says so by them, and by a
 * colour where there are colours. */
#define RG_TABLE_FAILS     "!"
#define RG_TABLE_MUST_LOOK "*"

typedef struct {
	const char *heading; /* borrowed */
	bool right;          /* aligned to the right */
	size_t least;        /* columns that a text keeps, where RG_TABLE_TEXT_MIN are too few */
	const char *key;     /* lines below the table, made safe: what its cells mean; or NULL */
} rg_table_column;

typedef struct {
	size_t begin, length; /* bytes in the table's texts */
	size_t width;         /* columns of a terminal */
} rg_shown_cell;

typedef struct {
	const rg_table_column *columns; /* borrowed */
	size_t column_count;
	bool marked; /* the first column is a mark, "" or one of the above; set after init */
	rg_shown_cell *cells; /* row by row */
	size_t count, capacity;
	rg_buf texts; /* of all cells, made safe, one after the other */
} rg_table;

void rg_table_init(rg_table *table, const rg_table_column *columns, size_t column_count);
void rg_table_release(rg_table *table);
/* The next cell, left to right and row by row; `text` is copied. */
void rg_table_add(rg_table *table, const char *text, size_t length);

/* Appends the heading and all whole rows; with colours, the heading in bold. */
RG_CHECKED rg_error *rg_table_write(const rg_table *table, rg_buf *out,
				    const rg_table_style *style);

/* A table out of lines of cells between tabs, the headings first: '>' in front of one aligns its
 * column to the right, and a first one that is empty is of marks. */
RG_CHECKED rg_error *rg_table_from_lines(rg_buf *out, const char *lines, size_t length,
					 const rg_table_style *style);

/* Text that means itself on a terminal: control characters and broken UTF-8 as \xNN. */
void rg_terminal_text(rg_buf *out, const char *text, size_t length);

#endif
