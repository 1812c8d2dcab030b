#ifndef REGILD_REPORT_TABLE_H
#define REGILD_REPORT_TABLE_H

#include "base/buf.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * A table for the terminal: columns as wide as their widest cell, two blanks between them, a line
 * of headings. Control characters and broken UTF-8 in cells are shown as \xNN.
 */
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
	rg_buf texts; /* of all cells, made safe, one behind the other */
} rg_table;

void rg_table_init(rg_table *table, const rg_table_column *columns, size_t column_count);
void rg_table_release(rg_table *table);
/* The next cell, left to right and row by row; `text` is copied. */
RG_CHECKED rg_error *rg_table_add(rg_table *table, const char *text, size_t length);
/* Appends the heading and all whole rows; with `color`, the heading in bold. */
RG_CHECKED rg_error *rg_table_write(const rg_table *table, rg_buf *out, bool color);

#endif
