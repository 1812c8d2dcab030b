/* SPDX-License-Identifier: Apache-2.0 */
#include "store/history_sqlite_ask.h"

#include "base/memory.h"
#include "golden/series_bytes.h"
#include "golden/series_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- series_steps(first_step, n_steps, steps, values): the steps and values that these pack ----
 */

enum { STEP, VALUE, FIRST_STEP, N_STEPS, STEPS, VALUES, COLUMNS, ARGUMENTS = COLUMNS - FIRST_STEP };

typedef struct {
	sqlite3_vtab_cursor base;
	int64_t *steps;
	double *values;
	size_t count, at;
} steps_cursor;

static int connect_steps(sqlite3 *db, void *aux, int argc, const char *const *argv,
			 sqlite3_vtab **out, char **message)
{
	(void)aux;
	(void)argc;
	(void)argv;
	(void)message;
	int status = sqlite3_declare_vtab(db, "CREATE TABLE x(step INTEGER, value REAL, "
					      "first_step HIDDEN, n_steps HIDDEN, steps HIDDEN, "
					      "\"values\" HIDDEN)");
	*out = sqlite3_malloc(sizeof(**out));
	if (!*out)
		rg_out_of_memory();
	memset(*out, 0, sizeof(**out));
	return status;
}

static int disconnect_steps(sqlite3_vtab *table)
{
	sqlite3_free(table);
	return SQLITE_OK;
}

/* Only a call with all of its arguments has rows. */
static int plan_steps(sqlite3_vtab *table, sqlite3_index_info *info)
{
	int found = 0;
	(void)table;
	for (int i = 0; i < info->nConstraint; i++) {
		int column = info->aConstraint[i].iColumn;
		if (column < FIRST_STEP || info->aConstraint[i].op != SQLITE_INDEX_CONSTRAINT_EQ)
			continue;
		if (!info->aConstraint[i].usable)
			return SQLITE_CONSTRAINT;
		info->aConstraintUsage[i].argvIndex = column - FIRST_STEP + 1;
		info->aConstraintUsage[i].omit = 1;
		found++;
	}
	return found == ARGUMENTS ? SQLITE_OK : SQLITE_CONSTRAINT;
}

static int open_steps(sqlite3_vtab *table, sqlite3_vtab_cursor **out)
{
	(void)table;
	steps_cursor *cursor = rg_calloc(1, sizeof(*cursor));
	*out = &cursor->base;
	return SQLITE_OK;
}

static void forget_steps(steps_cursor *cursor)
{
	free(cursor->steps);
	free(cursor->values);
	cursor->steps = NULL;
	cursor->values = NULL;
	cursor->count = cursor->at = 0;
}

static int close_steps(sqlite3_vtab_cursor *base)
{
	forget_steps((steps_cursor *)base);
	free(base);
	return SQLITE_OK;
}

static rg_error *unpack(steps_cursor *cursor, int64_t count, sqlite3_value **arguments)
{
	const void *bytes = sqlite3_value_blob(arguments[VALUES - FIRST_STEP]);
	int size = sqlite3_value_bytes(arguments[VALUES - FIRST_STEP]);
	const char *steps = (const char *)sqlite3_value_text(arguments[STEPS - FIRST_STEP]);

	if (count < 0 || !bytes || !steps ||
	    !rg_series_bytes_may_hold((size_t)size, (uint64_t)count))
		return rg_error_new(RG_E_MISMATCH, "a series in the history is damaged");
	cursor->steps = rg_calloc((size_t)count + 1, sizeof(*cursor->steps));
	cursor->values = rg_calloc((size_t)count + 1, sizeof(*cursor->values));
	RG_TRY(rg_steps_unpack(cursor->steps, (size_t)count, sqlite3_value_int64(arguments[0]),
			       steps));
	RG_TRY(rg_series_bytes_unpack(cursor->values, (size_t)count, bytes, (size_t)size));
	cursor->count = (size_t)count;
	return NULL;
}

static int begin_steps(sqlite3_vtab_cursor *base, int plan, const char *plan_text, int argc,
		       sqlite3_value **arguments)
{
	steps_cursor *cursor = (steps_cursor *)base;
	(void)plan;
	(void)plan_text;
	(void)argc;
	forget_steps(cursor);
	rg_error *err =
		unpack(cursor, sqlite3_value_int64(arguments[N_STEPS - FIRST_STEP]), arguments);
	if (!err)
		return SQLITE_OK;
	sqlite3_free(base->pVtab->zErrMsg);
	base->pVtab->zErrMsg = sqlite3_mprintf("%s", rg_error_message(err));
	rg_error_free(err);
	return SQLITE_ERROR;
}

static int next_step(sqlite3_vtab_cursor *base)
{
	((steps_cursor *)base)->at++;
	return SQLITE_OK;
}

static int at_end(sqlite3_vtab_cursor *base)
{
	const steps_cursor *cursor = (const steps_cursor *)base;
	return cursor->at >= cursor->count;
}

static int read_column(sqlite3_vtab_cursor *base, sqlite3_context *out, int column)
{
	const steps_cursor *cursor = (const steps_cursor *)base;
	if (column == STEP)
		sqlite3_result_int64(out, cursor->steps[cursor->at]);
	else if (column == VALUE)
		sqlite3_result_double(out, cursor->values[cursor->at]);
	return SQLITE_OK;
}

static int read_rowid(sqlite3_vtab_cursor *base, sqlite3_int64 *out)
{
	*out = (sqlite3_int64)((const steps_cursor *)base)->at;
	return SQLITE_OK;
}

static const sqlite3_module steps_module = {
	.xConnect = connect_steps,
	.xBestIndex = plan_steps,
	.xDisconnect = disconnect_steps,
	.xOpen = open_steps,
	.xClose = close_steps,
	.xFilter = begin_steps,
	.xNext = next_step,
	.xEof = at_end,
	.xColumn = read_column,
	.xRowid = read_rowid,
};

/* ---- the views: of this connection alone, so that the file stays what it is ---- */

static const char views[] =
	"CREATE TEMP VIEW IF NOT EXISTS packed_series AS"
	" SELECT r.repository, r.id AS run, r.commit_id AS \"commit\", r.branch,"
	" r.\"when\" AS when_text, f.path AS file, s.* FROM runs r"
	" JOIN goldens g ON g.run = r.run JOIN files f ON f.file = g.file"
	" JOIN series s ON s.golden = g.golden;"
	"CREATE TEMP VIEW IF NOT EXISTS current_series AS"
	" SELECT repository, run, \"commit\", branch, when_text, file, metric, n_steps, first_step,"
	" last_step, not_finite, mean, minimum, maximum, last_value FROM packed_series;"
	"CREATE TEMP VIEW IF NOT EXISTS values_long AS"
	" SELECT repository, run, \"commit\", branch, when_text, file, metric, v.step, v.value"
	" FROM packed_series p"
	" JOIN series_steps(p.first_step, p.n_steps, p.steps, p.\"values\") v;"
	"PRAGMA case_sensitive_like = ON";

/* ---- asking ---- */

static void quote(rg_buf *sql, const char *text)
{
	rg_buf_char(sql, '\'');
	for (; *text; text++) {
		if (*text == '\'')
			rg_buf_char(sql, '\'');
		rg_buf_char(sql, *text);
	}
	rg_buf_char(sql, '\'');
}

static rg_error *name_columns(void *context, sqlite3_stmt *statement)
{
	const rg_reply_taker *taker = context;
	const char *names[RG_REPLY_COLUMNS];
	size_t count = (size_t)sqlite3_column_count(statement);

	for (size_t i = 0; i < count; i++)
		names[i] = sqlite3_column_name(statement, (int)i);
	return taker->columns(taker->context, names, count);
}

static void read_cell(rg_reply_cell *out, sqlite3_stmt *row, int column)
{
	static const rg_reply_kind kinds[] = {[SQLITE_INTEGER] = RG_REPLY_WHOLE,
					      [SQLITE_FLOAT] = RG_REPLY_REAL,
					      [SQLITE_TEXT] = RG_REPLY_TEXT,
					      [SQLITE_BLOB] = RG_REPLY_TEXT,
					      [SQLITE_NULL] = RG_REPLY_NAN};
	out->kind = kinds[sqlite3_column_type(row, column)];
	out->real = out->kind == RG_REPLY_REAL ? sqlite3_column_double(row, column) : NAN;
	out->text = out->kind == RG_REPLY_REAL ? "" : rg_sqlite_column(row, column, &(size_t){0});
}

static rg_error *hand_out(void *context, sqlite3_stmt *row)
{
	const rg_reply_taker *taker = context;
	rg_reply_cell cells[RG_REPLY_COLUMNS];
	size_t count = (size_t)sqlite3_column_count(row);

	for (size_t i = 0; i < count; i++)
		read_cell(&cells[i], row, (int)i);
	return taker->row(taker->context, cells, count);
}

rg_error *rg_history_sqlite_ask(rg_sqlite *db, const rg_question *question,
				const rg_reply_taker *taker)
{
	rg_reply_taker own = *taker;
	rg_buf sql;

	RG_TRY(rg_sqlite_extend(db, "series_steps", &steps_module, views));
	rg_buf_init(&sql, RG_BUF_TEXT);
	rg_question_write(&sql, question, quote);
	rg_error *err = rg_buf_check(&sql, question->name);
	if (!err)
		err = rg_sqlite_select(db, sql.data, name_columns, hand_out, &own);
	rg_buf_release(&sql);
	return err;
}
