/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_GOLDEN_RECORDS_H
#define REGILD_GOLDEN_RECORDS_H

#include "base/buf.h"
#include "golden/builder.h"

#include <math.h>

/* The records of a table, each with a key of its own. A series' steps are their places. */
enum { RG_RECORD_OLD = 1, RG_RECORD_NEW = 2 };

struct rg_records {
	const char *const *names; /* in file order */
	const size_t *order;      /* the places, ascending by name (strcmp) */
	/* Two tables that were aligned: which of them has each record. NULL: it is one table. */
	const unsigned char *sides;
	/* The places of the new side's records in that side's own order. NULL: they ascend. */
	const size_t *new_order;
	size_t new_count;
	size_t count;
};

/* `names` and what they point at live as long as the arena. RG_E_PARSE where two are the same. */
RG_CHECKED rg_error *rg_records_new(rg_records **out, rg_arena *arena, const char *const *names,
				    size_t count);
/* The places of names, ascending by name and of the same by place. The caller frees the list. */
const char *const **rg_names_sorted(const char *const *names, size_t count);
/* The name of the record at that place of `like`, where it is the same; else, or without `like`,
 * NULL. */
const char *rg_records_share_name(const rg_records *like, size_t place, const char *name,
				  size_t length);
/* Takes the lists of `like` if all names are those that it shared; else false. */
bool rg_records_share(rg_records **out, rg_arena *arena, const rg_records *like,
		      const char *const *names, size_t count);
/* The names are a list of texts in JSON; reading wants `count` of them, else RG_E_PARSE. */
void rg_records_write(rg_buf *out, const rg_records *records);
RG_CHECKED rg_error *rg_records_read(rg_records **out, rg_arena *arena, const char *json,
				     size_t length, size_t count);
/* The one of that key. */
bool rg_records_find(const rg_records *records, const char *name, size_t *place);

/* The name of a step: its number, which is written into `number`, or the record's key. */
enum { RG_STEP_TEXT = 24 };
const char *rg_step_name(const rg_records *records, int64_t step, char number[static RG_STEP_TEXT]);
/* Does that side alone have the record? */
static inline bool rg_record_is_of(const rg_records *records, int64_t step, unsigned char side)
{
	return records && records->sides && records->sides[step] == side;
}
/* Is the record on one side only, whichever that is? */
static inline bool rg_record_is_alone(const rg_records *records, int64_t step)
{
	return records && records->sides && records->sides[step] != (RG_RECORD_OLD | RG_RECORD_NEW);
}
/* The records of a table that only one side has; `of` is how many it has in all. */
typedef struct {
	size_t count, of;
	/* Their keys, without the cells that every record of both sides begins or ends with:
	 * "alexnet, dcgan"; after the eighth "…". NULL where there are none. */
	const char *brief;
	const char *names; /* whole, and all of them */
} rg_records_alone;

/* Finds those of two aligned tables that only one `side` has. Texts are in `arena`. */
void rg_records_alone_find(rg_records_alone *out, rg_arena *arena, const rg_records *records,
			   unsigned char side);
/* How many of a metric's values are not of such a record. */
size_t rg_records_count_shared(const rg_metric *metric);
/* Does a series with these records have "steps" or "records"? With `one`, "step" or "record". */
const char *rg_step_word(const rg_records *records, bool one);

/* Adds the cell `at` of `count` in a key to those before it: "k6_arch.xml,stereo.blif". One with a
 * comma or a quote in it is quoted as in CSV, so that no two keys look alike. */
void rg_record_key_add(rg_buf *key, const char *cell, size_t length, size_t at, size_t count);

/*
 * A column under way: what the cells of one metric hold, in ascending steps. Starts all zero.
 */
typedef struct {
	int64_t *steps; /* NULL while they are 0 … count - 1 */
	double *values, *tolerances, *errors;
	size_t spilled;     /* bytes of the map that `values` are in (rg_spill_new); 0: in none */
	int file;           /* the map's, while there is a window */
	double *window;     /* the values added last, which are not in the map yet; NULL: no map */
	double *next, *end; /* the place of the next value, and where that of the last one ends */
	size_t count, step_capacity, capacity, tolerance_capacity, error_capacity;
	rg_record_text *texts;
	size_t text_count, text_capacity;
	rg_record_text *digits; /* rg_metric.digits */
	size_t digit_count, digit_capacity;
	/* The unit of the numbers so far, and of those that have one where not all have the same.
	 */
	const char *unit;
	rg_record_text *units;
	size_t unit_count, unit_capacity;
	bool many_units;
	const char *named_unit; /* of cells that name none themselves */
} rg_record_column;

void rg_record_column_release(rg_record_column *column);
void rg_record_column_number(rg_record_column *column, int64_t step, double value);
/* The same, where nothing else has to be kept of the number and it is quick; else false. */
static inline bool rg_record_column_plain(rg_record_column *column, size_t step, double value)
{
	if (column->next == column->end || column->steps || step != column->count ||
	    !(fabs(value) < 0x1p53) || column->named_unit || column->unit || column->many_units)
		return false;
	*column->next++ = value;
	column->count++;
	return true;
}
/* Makes `values` whole, for a reader before the column ends. */
void rg_record_column_settle(const rg_record_column *column);
/* The tolerance, and the error, of the number added last; NaN where nothing is known. */
void rg_record_column_tolerance(rg_record_column *column, double tolerance);
void rg_record_column_error(rg_record_column *column, double error);
/* The digits of the number added last (rg_whole_digits); NULL: its double holds them. */
void rg_record_column_digits(rg_record_column *column, int64_t step, const char *digits);
void rg_record_column_keep_unit(rg_record_column *column, const char *unit);
/* The unit of the number added last (golden/unit.h); NULL: none. If one number of a column has a
 * unit, it has to be set for every number. */
static inline void rg_record_column_unit(rg_record_column *column, const char *unit)
{
	if (unit || column->unit || column->many_units)
		rg_record_column_keep_unit(column, unit);
}
/* `text` lives as long as the golden. */
void rg_record_column_text(rg_record_column *column, int64_t step, const char *text);
/* A cell as people write it: a number where it is one (rg_cell_number_parse), nothing where it is
 * blank, else a text, which is copied into the arena. `known`: its value, where the caller knows it
 * to be a number without a unit; else NULL. */
void rg_record_column_cell(rg_record_column *column, int64_t step, const char *cell, size_t length,
			   const double *known, bool comma, rg_arena *arena);
/* Makes the keys of a table that has nothing else its one metric, texts called `name`, so that a
 * record that came or went differs and is lost. */
RG_CHECKED rg_error *rg_records_add_keys(rg_golden_builder *builder, const rg_records *records,
					 const char *name);

/* Gives a metric what is in it, and leaves it empty. */
void rg_record_column_hand_over(rg_record_column *column, rg_metric *metric, rg_arena *arena);
/* Makes a metric of it, a series where there is a number, and leaves it empty. */
RG_CHECKED rg_error *rg_record_column_finish(rg_record_column *column, rg_golden_builder *builder,
					     const rg_records *records, const char *name);

#endif
