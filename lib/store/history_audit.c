/* SPDX-License-Identifier: Apache-2.0 */
#include "store/store.h"

/* What audits found, as rows. */

enum { ROWS_MAX = 1 << 30 };

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
	rg_error *err = insert(history, words->breaks, "sssssqssqqff", &rows);
	rg_buf_clear(&rows);
	for (size_t i = 0; !err && i < audit->verdict_count; i++)
		add_verdict(&rows, audit, &audit->verdicts[i]);
	if (!err)
		err = insert(history, words->verdicts, "ssssssqffqqq", &rows);
	rg_buf_release(&rows);
	return err;
}
