/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_REPORT_COLUMNS_H
#define REGILD_REPORT_COLUMNS_H

#include "base/buf.h"
#include "base/fields.h"
#include "base/name_pattern.h"
#include "compare/row.h"
#include "story/golden_name.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The one table of columns: what -o/--columns, --sort and --help name, and what every writer
 * (terminal, CSV, JSON, markdown) takes its cells from. How a cell looks is the writer's alone.
 */

typedef enum {
	RG_CELL_NONE, /* not defined for this row: empty, JSON null */
	RG_CELL_TEXT,
	RG_CELL_COUNT, /* a whole number */
	RG_CELL_STEP,  /* a whole number that may be negative */
	RG_CELL_NUMBER,
	RG_CELL_TRUTH,
} rg_cell_kind;

typedef struct {
	rg_cell_kind kind;
	const char *text; /* RG_CELL_TEXT: `length` bytes, borrowed from the row */
	size_t length;
	uint64_t count;
	int64_t step;
	double number;
	bool truth;
} rg_cell;

/* NULL is none. */
rg_cell rg_text_cell(const char *value);
rg_cell rg_count_cell(uint64_t value);
rg_cell rg_truth_cell(bool value);
/* None where it is not known. */
rg_cell rg_step_cell(bool known, int64_t value);
rg_cell rg_number_cell(bool known, double value);

enum {
	RG_COLUMN_RIGHT = 1, /* numbers: aligned to the right */
	RG_COLUMN_PLAIN = 2, /* one of the four that files of rows have by default */
	RG_COLUMN_SHARE = 4, /* a share, which people read as a percent with its sign */
};

/* The columns that people get by default. */
#define RG_COLUMNS_FOR_PEOPLE "file,metric,n_steps,avg_rel_diff,change"

typedef struct {
	const char *name;
	unsigned flags;
	const char *help;
	/* Makes the cell of a row with what it needs to know beside it; for rg_columns these are an
	 * rg_row and an rg_column_context. */
	rg_cell (*cell)(const void *row, const void *context);
} rg_column;

/* "within", "outside", … by rg_verdict_kind; NULL for RG_VERDICT_NONE. */
extern const char *const rg_verdict_names[RG_VERDICTS];

/* "quiet" … by rg_level; NULL for RG_LEVEL_NONE. */
extern const char *const rg_level_names[RG_LEVEL_FAIL + 1];

/* A NULL name ends it. */
extern const rg_column rg_columns[];

/* A row in JSON: what every column says of it, and a little more. */
extern const rg_json_field rg_row_fields[];
extern const rg_json_field rg_too_small_fields[];

/* Columns, picked and ordered. */
#define RG_COLUMNS_MAX 80
typedef struct {
	const rg_column *items[RG_COLUMNS_MAX];
	size_t count;
} rg_column_list;

/* The column of that name; RG_E_USAGE, with the names there are, where there is none. */
RG_CHECKED rg_error *rg_column_find(const rg_column **out, const char *name, size_t length);
/* "file,metric,max_ulps"; NULL: the plain ones; "all": every one. RG_E_USAGE also for one that
 * appears twice. */
RG_CHECKED rg_error *rg_columns_parse(rg_column_list *out, const char *text);
/* To the plain ones: what tensors have, where a row is of one. */
RG_CHECKED rg_error *rg_columns_add_of_tensors(rg_column_list *out,
					       const rg_comparison *comparison);

/* Cells of one column by value: absent ones first, texts by code point, numbers ascending, NaN
 * after the others. */
int rg_cell_compare(const rg_cell *a, const rg_cell *b);

#endif
