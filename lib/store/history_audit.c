/* SPDX-License-Identifier: Apache-2.0 */
#include "store/store.h"

#include "base/path.h"
#include "store/history_audit.h"

#include <stdlib.h>
#include <string.h>

/* The findings of audits, as rows. */

#define VERDICT_TYPES "ssssssqffqqq"
#define BREAK_TYPES   "sssssqssqqff"

enum { ROWS_MAX = 1 << 30, TEXT_MAX = 4096 };

static void append_series(rg_buf *rows, const rg_history_audit *audit, const char *file,
			  const char *metric, const char *runs_of)
{
	rg_row_text(rows, audit->repository);
	rg_row_text(rows, file);
	rg_row_text(rows, metric);
	rg_row_text(rows, runs_of);
	rg_row_text(rows, audit->made);
}

static rg_error *insert(rg_history_store *history, const char *sql, const char *types,
			const rg_buf *rows)
{
	RG_TRY(rg_buf_check(rows, "what the audit found"));
	return rows->length
		       ? history->driver->insert(history, "what the audit found", sql, types, rows)
		       : NULL;
}

/* Breaks first: they count with their series' verdict. */
rg_error *rg_history_keep_audit(rg_history_store *history, const rg_history_audit *audit)
{
	const rg_store_sql *words = history->driver->sql;
	RG_AUTO(rg_buf) rows = rg_buf_of(ROWS_MAX);

	for (size_t i = 0; i < audit->break_count; i++) {
		const rg_history_break *b = &audit->breaks[i];
		append_series(&rows, audit, b->file, b->metric, b->runs_of);
		rg_row_number(&rows, b->run, 8);
		rg_row_text(&rows, b->commit);
		rg_row_text(&rows, b->when);
		rg_row_number(&rows, b->before, 8);
		rg_row_number(&rows, b->after, 8);
		rg_row_double(&rows, b->shift);
		rg_row_double(&rows, b->p);
	}
	RG_TRY(insert(history, words->breaks, BREAK_TYPES, &rows));
	rg_buf_clear(&rows);
	for (size_t i = 0; i < audit->verdict_count; i++) {
		const rg_history_verdict *v = &audit->verdicts[i];
		append_series(&rows, audit, v->file, v->metric, v->runs_of);
		rg_row_text(&rows, v->verdict);
		rg_row_number(&rows, v->runs, 8);
		rg_row_double(&rows, v->spread);
		rg_row_double(&rows, v->tolerance);
		rg_row_number(&rows, v->failed_today, 8);
		rg_row_number(&rows, v->failed_recommended, 8);
		rg_row_number(&rows, v->breaks, 8);
	}
	return insert(history, words->verdicts, VERDICT_TYPES, &rows);
}

/* ---- from one history into another ---- */

enum { REPOSITORY, FILE_NAME, METRIC, RUNS_OF, MADE, NAMES };

/* A row of last_verdicts or last_breaks begins with these. */
typedef struct {
	const char *names[NAMES];
} found_series;

typedef struct found_rows {
	const char *types, *repository;
	/* Rows are taken if their audit is later than the one that these have of the series, or
	 * with `same` if it is the same; all are if this is NULL. */
	const struct found_rows *against;
	bool same;
	found_series *items;         /* of the rows that are taken, in their order */
	size_t count, capacity, odd; /* odd: rows that are not what regild writes */
	rg_buf bytes;
	rg_arena arena;
} found_rows;

static void begin_rows(void *context)
{
	found_rows *rows = context;
	rows->count = rows->odd = 0;
	rg_buf_clear(&rows->bytes);
}

static bool is_odd(const found_rows *rows, const rg_row_cell *cells)
{
	for (size_t i = 0; rows->types[i]; i++)
		if (rows->types[i] == 's' &&
		    (cells[i].size > TEXT_MAX || memchr(cells[i].bytes, '\0', cells[i].size)))
			return true;
	return false;
}

static int compare_series(const void *a, const void *b)
{
	const found_series *x = a, *y = b;
	int order = 0;
	for (size_t i = 0; !order && i < MADE; i++)
		order = strcmp(x->names[i], y->names[i]);
	return order;
}

static bool is_taken(const found_rows *rows, const found_series *row)
{
	const found_rows *in = rows->against;
	if (!in)
		return true;
	const found_series *other =
		in->count ? bsearch(row, in->items, in->count, sizeof(*row), compare_series) : NULL;
	if (!other)
		return !rows->same;
	int order = strcmp(other->names[MADE], row->names[MADE]);
	return rows->same ? !order : order < 0;
}

static rg_error *read_row(void *context, const rg_row_cell *cells)
{
	found_rows *rows = context;
	found_series row;

	if (is_odd(rows, cells)) {
		rows->odd++;
		return NULL;
	}
	for (size_t i = 0; i < NAMES; i++)
		RG_TRY(rg_row_copy(&cells[i], &rows->arena, &row.names[i]));
	if (rows->repository && !rg_path_ends_with(row.names[REPOSITORY], rows->repository))
		return NULL;
	RG_AUTO_PTR(rg_error) unsafe = rg_path_check(row.names[FILE_NAME]);
	rows->odd += unsafe != NULL;
	if (unsafe || !is_taken(rows, &row))
		return NULL;
	for (const char *type = rows->types; *type; type++, cells++)
		if (*type == 's') {
			rg_row_length(&rows->bytes, cells->size);
			rg_buf_add(&rows->bytes, cells->bytes, cells->size);
		} else {
			rg_row_number(&rows->bytes, cells->number, 8);
		}
	*RG_PUSH(rows->items, rows->count, rows->capacity) = row;
	return NULL;
}

static rg_error *read_rows(found_rows *out, rg_history_store *history, const char *columns)
{
	const rg_row_reader reader = {out->types, begin_rows, read_row, out, RG_ANSWER_LIST};
	RG_TRY(history->driver->select(history, "what audits found", columns, &reader));
	return rg_buf_check(&out->bytes, "what audits found");
}

static void found_rows_release(found_rows *rows)
{
	free(rows->items);
	rg_buf_release(&rows->bytes);
	rg_arena_release(&rows->arena);
}

rg_error *rg_history_merge_audits(size_t *count, size_t *odd, rg_history_store *into,
				  rg_history_store *from, const char *repository)
{
	const rg_store_sql *ours_sql = into->driver->sql, *sql = from->driver->sql;
	RG_AUTO(found_rows)
	ours = {.types = VERDICT_TYPES, .repository = repository, .bytes = rg_buf_of(ROWS_MAX)};
	RG_AUTO(found_rows)
	verdicts = {.types = VERDICT_TYPES,
		    .repository = repository,
		    .against = &ours,
		    .bytes = rg_buf_of(ROWS_MAX)};
	RG_AUTO(found_rows)
	breaks = {.types = BREAK_TYPES,
		  .repository = repository,
		  .against = &verdicts,
		  .same = true,
		  .bytes = rg_buf_of(ROWS_MAX)};

	*count = *odd = 0;
	RG_TRY(read_rows(&ours, into, ours_sql->last_verdicts));
	RG_TRY(read_rows(&verdicts, from, sql->last_verdicts));
	if (verdicts.count)
		RG_TRY(read_rows(&breaks, from, sql->last_breaks));
	RG_TRY(insert(into, ours_sql->breaks, BREAK_TYPES, &breaks.bytes));
	RG_TRY(insert(into, ours_sql->verdicts, VERDICT_TYPES, &verdicts.bytes));
	*count = verdicts.count;
	*odd = verdicts.odd + breaks.odd;
	return NULL;
}
