/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_GOLDEN_LONG_TABLE_H
#define REGILD_GOLDEN_LONG_TABLE_H

#include "golden/records.h"
#include "golden/text_names.h"

/* A table whose cells come one by one, each with its record and its metric: long tables, and lists
 * of objects in JSON. */

typedef struct {
	const char *metric; /* `metric_length` bytes */
	size_t metric_length;
	size_t record; /* the place in the list of names */
	double value;
	const char *text;        /* lives as long as the golden; NULL: it is a number */
	const char *digits;      /* of a number (rg_whole_digits); NULL: its double holds them */
	const char *unit;        /* of a number (golden/unit.h); NULL: none */
	double tolerance, error; /* NaN: not known */
} rg_long_cell;

/* A metric's cells, whose steps are the places of their records. */
typedef struct {
	const char *metric;
	rg_record_column cells;
} rg_long_column;

/* Starts all zero. */
typedef struct {
	rg_long_column *columns;
	size_t count, capacity;
	size_t next;    /* the column that is likely to come next */
	int64_t *steps; /* of the records, for rg_long_table_finish_steps */
	size_t step_count, step_capacity;
	rg_arena arena;
	rg_text_names names; /* of the columns */
} rg_long_table;

/* Puts a number or a text into a cell (rg_cell_number_parse); digits and text are copied. */
void rg_long_cell_set(rg_long_cell *cell, const char *text, size_t length, bool comma,
		      rg_arena *arena);
/* Records come in the order of their places. The metric's name is copied. */
void rg_long_table_add(rg_long_table *table, const rg_long_cell *cell);
/*
 * Makes the golden's records and metrics of the cells. `names` are the keys of the records in file
 * order; one that is there again is the same record. `like` is rg_golden_options.like, which may
 * have all of them. RG_E_PARSE where a record has two values of one metric.
 */
RG_CHECKED rg_error *rg_long_table_finish(rg_long_table *table, rg_golden_builder *builder,
					  const char *const *names, size_t count,
					  const rg_records *like);
/*
 * The same of records that are steps, in any order: `steps` has the step of each. If a metric has a
 * step twice, the last record counts, as in every series. Texts of a metric that has numbers, too,
 * are a metric of their own, "NAME (texts)". RG_E_PARSE where one record has two values of one
 * metric.
 */
RG_CHECKED rg_error *rg_long_table_finish_steps(rg_long_table *table, rg_golden_builder *builder);
void rg_long_table_release(rg_long_table *table);

#endif
