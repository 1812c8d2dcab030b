/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_STORE_SQLITE_H
#define REGILD_STORE_SQLITE_H

#include "base/error.h"
#include "base/log.h"
#include "base/memory.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sqlite3.h>

/*
 * A database in one file; for cache.c and history.c alone. A connection is for one thread at a
 * time; several connections and several processes may share the file.
 *
 * Errors name the file: RG_E_PARSE where it is damaged, RG_E_IO with ENOSPC on a full disk,
 * RG_E_CANCELLED where a signal ended the wait for another process, RG_E_CONFLICT where that wait
 * took over a minute.
 */
typedef struct rg_sqlite rg_sqlite;

typedef struct {
	int32_t application_id; /* says in the file's header whose it is */
	int version;            /* of the schema; a newer one is refused */
	const char *session;    /* statements for each connection */
	const char *setup;      /* for a new file, before the schema; may be NULL */
	const char *schema;
	const char *way_out; /* what to do about a damaged file; NULL: a new one is made */
	/* Statements that make the version before into this one, and what to do about such a file;
	 * both NULL: it is refused. */
	const char *migration, *how_to_migrate;
	const rg_log *log; /* hears of a wait for another process; may be NULL */
	bool checked;      /* who reads it finds damage: a foreign file is not read through first */
} rg_sqlite_kind;

/*
 * Opens the file and checks whose it is: RG_E_CONFLICT for a newer regild's, or another program's,
 * RG_E_UNSAFE for a link, a pipe or another user's file (sqlite_file.h).
 * It must have just the kind's tables, and no triggers or views of somebody's.
 * With `create` a missing file is made, its folders with it, readable by its owner alone; without,
 * *out is NULL for it. A damaged file, or another program's, is moved aside and a new one made if
 * the kind allows that; rg_sqlite_moved_to tells.
 */
RG_CHECKED rg_error *rg_sqlite_open(rg_sqlite **out, const char *path, const rg_sqlite_kind *kind,
				    bool create);
/* A file that somebody else made, for reading alone: nothing in it is run, it must have just the
 * kind's tables, and it is read through once for damage. RG_E_IO where there is none. */
RG_CHECKED rg_error *rg_sqlite_open_foreign(rg_sqlite **out, const char *path,
					    const rg_sqlite_kind *kind);
/* A new one in memory; and its bytes, which are those of a file, until it changes. */
RG_CHECKED rg_error *rg_sqlite_make(rg_sqlite **out, const char *name, const rg_sqlite_kind *kind);
const void *rg_sqlite_bytes(rg_sqlite *db, size_t *size);
/* Makes a file of the version before into one of this, all or nothing; *done: it was none yet.
 * RG_E_IO where there is none, else as rg_sqlite_open. */
RG_CHECKED rg_error *rg_sqlite_migrate(const char *path, const rg_sqlite_kind *kind, bool *done);
void rg_sqlite_free(rg_sqlite *db);
RG_FREE_AT(rg_sqlite)
/* The folder that a file is in now which could not be used; NULL: there was none. */
const char *rg_sqlite_moved_to(const rg_sqlite *db);
/* Moves a file aside that turned out to be damaged, and makes a new one. */
RG_CHECKED rg_error *rg_sqlite_renew(rg_sqlite *db);

/* A statement's argument. */
typedef struct {
	int type; /* SQLITE_TEXT … */
	int64_t integer;
	double real;
	const void *bytes;
	size_t size;
} rg_sqlite_value;

rg_sqlite_value rg_sqlite_integer(int64_t value);
rg_sqlite_value rg_sqlite_real(double value);     /* not finite: NULL */
rg_sqlite_value rg_sqlite_text(const char *text); /* NULL: NULL */
rg_sqlite_value rg_sqlite_blob(const void *bytes, size_t size);

/* Called with each row; an error ends it. Texts and bytes of a row live until it returns. */
typedef rg_error *rg_sqlite_row_fn(void *context, sqlite3_stmt *row);
/* Runs a statement, a literal, with its arguments. `row` may be NULL where there are no rows. */
RG_CHECKED rg_error *rg_sqlite_run(rg_sqlite *db, const char *sql, const rg_sqlite_value *values,
				   size_t count, rg_sqlite_row_fn *row, void *context);
/* Runs a SELECT that was put together; `begin`, if any, gets it before its first row. */
RG_CHECKED rg_error *rg_sqlite_select(rg_sqlite *db, const char *sql, rg_sqlite_row_fn *begin,
				      rg_sqlite_row_fn *row, void *context);
/* A function of SQL's; one without a name ends a list. */
typedef struct {
	const char *name;
	int arguments;
	void (*call)(sqlite3_context *out, int count, sqlite3_value **arguments);
} rg_sqlite_function;
/* Registers functions, and runs statements: views of this connection alone. */
RG_CHECKED rg_error *rg_sqlite_extend(rg_sqlite *db, const rg_sqlite_function *functions,
				      const char *views);
/* The first column of the only row. */
RG_CHECKED rg_error *rg_sqlite_number(rg_sqlite *db, const char *sql, int64_t *out);
/* The row that was inserted last. */
int64_t rg_sqlite_last_id(const rg_sqlite *db);

/* A transaction that writes: nobody else writes meanwhile. */
RG_CHECKED rg_error *rg_sqlite_begin(rg_sqlite *db);
/* Commits where `err` is NULL, else rolls back and returns it. */
RG_CHECKED rg_error *rg_sqlite_end(rg_sqlite *db, rg_error *err);
/* Inside of one: what can be undone for itself. */
RG_CHECKED rg_error *rg_sqlite_begin_part(rg_sqlite *db);
RG_CHECKED rg_error *rg_sqlite_end_part(rg_sqlite *db, rg_error *err);
/* Is one under way? An error may have rolled it back. */
bool rg_sqlite_has_begun(const rg_sqlite *db);

/* A column's text, NUL-terminated, or bytes; never NULL. */
const char *rg_sqlite_column(sqlite3_stmt *row, int column, size_t *size);
/* A copy of its text; NULL for NULL. */
const char *rg_sqlite_column_text(sqlite3_stmt *row, int column, rg_arena *arena);

#endif
