/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_REPORT_TABLE_H
#define REGILD_REPORT_TABLE_H

#include "base/buf.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * A table for the terminal: columns as wide as their widest cell, two blanks between them, a line
 * of headings. A cell over RG_TABLE_WIDTH_MAX sticks out of its column, whole, and no other row is
 * padded to it. Control characters and broken UTF-8 in cells are shown as \xNN.
 */
#define RG_TABLE_WIDTH_MAX 256

typedef struct {
	const char *heading; /* borrowed */
	bool right;          /* aligned to the right */
} rg_table_column;

typedef struct {
	size_t begin, length; /* bytes in the table's texts */
	size_t width;         /* columns of a terminal */
} rg_table_cell;

typedef struct {
	const rg_table_column *columns; /* borrowed */
	size_t column_count;
	rg_table_cell *cells; /* row by row */
	size_t count, capacity;
	rg_buf texts; /* of all cells, made safe, one after the other */
} rg_table;

void rg_table_init(rg_table *table, const rg_table_column *columns, size_t column_count);
void rg_table_release(rg_table *table);
/* The next cell, left to right and row by row; `text` is copied. */
RG_CHECKED rg_error *rg_table_add(rg_table *table, const char *text, size_t length);
/* Appends the heading and all whole rows; with `color`, the heading in bold. */
RG_CHECKED rg_error *rg_table_write(const rg_table *table, rg_buf *out, bool color);

/* A table out of lines of cells between tabs, the headings first: '>' in front of one aligns its
 * column to the right. */
RG_CHECKED rg_error *rg_table_from_lines(rg_buf *out, const char *lines, size_t length, bool color);

/* Text that means itself on a terminal: control characters and broken UTF-8 as \xNN. */
void rg_terminal_text(rg_buf *out, const char *text, size_t length);

#endif
