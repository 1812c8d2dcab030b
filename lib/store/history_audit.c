/* SPDX-License-Identifier: Apache-2.0 */
#include "store/store.h"

#include "base/path.h"
#include "store/history_audit.h"

#include <stdlib.h>
#include <string.h>

/* What audits found, as rows. */

#define VERDICT_TYPES "ssssssqffqqq"
#define BREAK_TYPES   "sssssqssqqff"

enum { ROWS_MAX = 1 << 30, TEXT_MAX = 4096 };

static void add_series(rg_buf *rows, const rg_history_audit *audit, const char *file,
		       const char *metric, const char *runs_of)
{
	rg_row_text(rows, audit->repository);
	rg_row_text(rows, file);
	rg_row_text(rows, metric);
	rg_row_text(rows, runs_of);
	rg_row_text(rows, audit->made);
}

static void add_verdict(rg_buf *rows, const rg_history_audit *audit, const rg_history_verdict *v)
{
	add_series(rows, audit, v->file, v->metric, v->runs_of);
	rg_row_text(rows, v->verdict);
	rg_row_number(rows, v->runs, 8);
	rg_row_double(rows, v->spread);
	rg_row_double(rows, v->tolerance);
	rg_row_number(rows, v->failed_today, 8);
	rg_row_number(rows, v->failed_recommended, 8);
	rg_row_number(rows, v->breaks, 8);
}

static void add_break(rg_buf *rows, const rg_history_audit *audit, const rg_history_break *b)
{
	add_series(rows, audit, b->file, b->metric, b->runs_of);
	rg_row_number(rows, b->run, 8);
	rg_row_text(rows, b->commit);
	rg_row_text(rows, b->when);
	rg_row_number(rows, b->before, 8);
	rg_row_number(rows, b->after, 8);
	rg_row_double(rows, b->shift);
	rg_row_double(rows, b->p);
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
	rg_buf rows;

	rg_buf_init(&rows, ROWS_MAX);
	for (size_t i = 0; i < audit->break_count; i++)
		add_break(&rows, audit, &audit->breaks[i]);
	rg_error *err = insert(history, words->breaks, BREAK_TYPES, &rows);
	rg_buf_clear(&rows);
	for (size_t i = 0; !err && i < audit->verdict_count; i++)
		add_verdict(&rows, audit, &audit->verdicts[i]);
	if (!err)
		err = insert(history, words->verdicts, VERDICT_TYPES, &rows);
	rg_buf_release(&rows);
	return err;
}

/* ---- from one history into another ---- */

enum { REPOSITORY, FILE_NAME, METRIC, RUNS_OF, MADE, NAMES };

/* A row of last_verdicts or last_breaks. */
typedef struct {
	const char *names[NAMES];
	size_t at, size; /* its bytes */
} found_row;

typedef struct {
	const char *types, *repository;
	found_row *items;
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

static void add_cells(rg_buf *out, const char *types, const rg_row_cell *cells)
{
	for (; *types; types++, cells++) {
		if (*types == 's') {
			rg_row_length(out, cells->size);
			rg_buf_add(out, cells->bytes, cells->size);
		} else {
			rg_row_number(out, cells->number, 8);
		}
	}
}

static bool is_odd(const found_rows *rows, const rg_row_cell *cells)
{
	for (size_t i = 0; rows->types[i]; i++)
		if (rows->types[i] == 's' &&
		    (cells[i].size > TEXT_MAX || memchr(cells[i].bytes, '\0', cells[i].size)))
			return true;
	return false;
}

static rg_error *read_row(void *context, const rg_row_cell *cells)
{
	found_rows *rows = context;
	found_row row = {.at = rows->bytes.length};

	if (is_odd(rows, cells)) {
		rows->odd++;
		return NULL;
	}
	for (size_t i = 0; i < NAMES; i++)
		RG_TRY(rg_row_copy(&cells[i], &rows->arena, &row.names[i]));
	if (rows->repository && !rg_path_ends_with(row.names[REPOSITORY], rows->repository))
		return NULL;
	rg_error *unsafe = rg_path_check(row.names[FILE_NAME]);
	rows->odd += unsafe != NULL;
	if (!unsafe) {
		add_cells(&rows->bytes, rows->types, cells);
		row.size = rows->bytes.length - row.at;
		rg_grow(&rows->items, &rows->capacity, rows->count + 1, sizeof(*rows->items));
		rows->items[rows->count++] = row;
	}
	rg_error_free(unsafe);
	return NULL;
}

static rg_error *read_rows(found_rows *out, rg_history_store *history, const char *columns,
			   const char *types, const char *repository)
{
	const rg_row_reader reader = {types, begin_rows, read_row, out, RG_ANSWER_LIST};
	*out = (found_rows){.types = types, .repository = repository};
	rg_arena_init(&out->arena);
	rg_buf_init(&out->bytes, ROWS_MAX);
	RG_TRY(history->driver->select(history, "what audits found", columns, &reader));
	return rg_buf_check(&out->bytes, "what audits found");
}

static void release_rows(found_rows *rows)
{
	free(rows->items);
	rg_buf_release(&rows->bytes);
	rg_arena_release(&rows->arena);
}

static int compare_series(const void *a, const void *b)
{
	const found_row *x = a, *y = b;
	int order = 0;
	for (size_t i = 0; !order && i < MADE; i++)
		order = strcmp(x->names[i], y->names[i]);
	return order;
}

static const found_row *find_series(const found_rows *in, const found_row *row)
{
	return in->count ? bsearch(row, in->items, in->count, sizeof(*row), compare_series) : NULL;
}

/* Leaves of their verdicts those that are later than ours; both are sorted then. */
static void keep_later(found_rows *theirs, found_rows *ours)
{
	size_t kept = 0;
	if (ours->count)
		qsort(ours->items, ours->count, sizeof(*ours->items), compare_series);
	qsort(theirs->items, theirs->count, sizeof(*theirs->items), compare_series);
	for (size_t i = 0; i < theirs->count; i++) {
		const found_row *row = &theirs->items[i], *other = find_series(ours, row);
		if (!other || strcmp(other->names[MADE], row->names[MADE]) < 0)
			theirs->items[kept++] = *row;
	}
	theirs->count = kept;
}

/* Those rows that are of an audit that gave one of these verdicts. */
static rg_error *insert_of(rg_history_store *into, const char *sql, const found_rows *rows,
			   const found_rows *verdicts)
{
	rg_buf chosen;
	rg_buf_init(&chosen, ROWS_MAX);
	for (size_t i = 0; i < rows->count; i++) {
		const found_row *row = &rows->items[i], *verdict = find_series(verdicts, row);
		if (verdict && !strcmp(verdict->names[MADE], row->names[MADE]))
			rg_buf_add(&chosen, rows->bytes.data + row->at, row->size);
	}
	rg_error *err = insert(into, sql, rows->types, &chosen);
	rg_buf_release(&chosen);
	return err;
}

static rg_error *put_later(rg_history_store *into, const found_rows *verdicts,
			   const found_rows *breaks)
{
	RG_TRY(insert_of(into, into->driver->sql->breaks, breaks, verdicts));
	return insert_of(into, into->driver->sql->verdicts, verdicts, verdicts);
}

rg_error *rg_history_merge_audits(size_t *count, size_t *odd, rg_history_store *into,
				  rg_history_store *from, const char *repository)
{
	found_rows verdicts, breaks = {0}, ours = {0};
	rg_error *err = read_rows(&verdicts, from, from->driver->sql->last_verdicts, VERDICT_TYPES,
				  repository);

	*count = *odd = 0;
	if (!err && verdicts.count) {
		err = read_rows(&ours, into, into->driver->sql->last_verdicts, VERDICT_TYPES,
				repository);
		if (!err)
			keep_later(&verdicts, &ours);
	}
	if (!err && verdicts.count)
		err = read_rows(&breaks, from, from->driver->sql->last_breaks, BREAK_TYPES,
				repository);
	if (!err && verdicts.count)
		err = put_later(into, &verdicts, &breaks);
	if (!err) {
		*count = verdicts.count;
		*odd = verdicts.odd + breaks.odd;
	}
	release_rows(&verdicts);
	release_rows(&breaks);
	release_rows(&ours);
	return err;
}
