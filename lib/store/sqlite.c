/* SPDX-License-Identifier: Apache-2.0 */
#include "store/sqlite.h"

#include "base/memory.h"
#include "base/buf.h"
#include "base/cancel.h"
#include "store/sqlite_file.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
	STATEMENTS_MAX = 24,
	WAIT_MS = 10,
	WAITS_MAX = 60 * 1000 / WAIT_MS,
	SILENT_WAITS = 1000 / WAIT_MS, /* nothing is said of a shorter wait */
	FOREIGN_ROW_MAX = 256 << 20
};

struct rg_sqlite {
	sqlite3 *handle;
	char *path, *resolved; /* as it was given; without links */
	rg_sqlite_file file;
	const rg_sqlite_kind *kind;
	const char *way_out; /* the kind's, unless somebody else made the file */
	bool other;          /* another program's */
	bool migrated;
	char *aside; /* the folder that has what could not be used; NULL: there was none */
	struct {
		const char *sql;
		sqlite3_stmt *statement;
	} prepared[STATEMENTS_MAX];
};

static rg_error *damaged(const rg_sqlite *db, const char *why)
{
	return rg_error_new(RG_E_PARSE, "%s: is damaged (%s)%s%s", db->path, why,
			    db->way_out ? "; " : "", db->way_out ? db->way_out : "");
}

static rg_error *explain(const rg_sqlite *db, int status)
{
	int number = sqlite3_system_errno(db->handle);
	switch (status & 0xff) {
	case SQLITE_NOMEM:
		rg_out_of_memory();
	case SQLITE_FULL:
		return rg_error_io(ENOSPC, "%s", db->path);
	case SQLITE_CORRUPT:
	case SQLITE_NOTADB:
		return damaged(db, sqlite3_errmsg(db->handle));
	case SQLITE_BUSY:
		RG_TRY(rg_cancel_check());
		return rg_error_new(RG_E_CONFLICT,
				    "%s: another process has been writing to it for a minute; try "
				    "again once that has ended",
				    db->path);
	case SQLITE_IOERR:
	case SQLITE_CANTOPEN:
		if (number)
			return rg_error_io(number, "%s", db->path);
		break;
	}
	return rg_error_new(RG_E_IO, "%s: %s", db->path, sqlite3_errmsg(db->handle));
}

/* Called while another process holds the lock: 0 gives up. */
static int wait_for_lock(void *context, int count)
{
	const struct timespec pause = {.tv_nsec = WAIT_MS * 1000000L};
	const rg_sqlite *db = context;
	if (count >= WAITS_MAX || rg_cancelled())
		return 0;
	if (count == SILENT_WAITS)
		rg_log_say(db->kind->log, RG_LOG_INFO,
			   "%s: another process writes to it; waiting for a minute at most",
			   db->path);
	nanosleep(&pause, NULL);
	return 1;
}

static rg_error *execute(rg_sqlite *db, const char *sql)
{
	int status = sqlite3_exec(db->handle, sql, NULL, NULL, NULL);
	return status == SQLITE_OK ? NULL : explain(db, status);
}

static rg_error *another_programs(rg_sqlite *db)
{
	db->other = true;
	return rg_error_new(RG_E_CONFLICT, "%s: is another program's database", db->path);
}

static rg_error *check_empty(rg_sqlite *db)
{
	int64_t tables;
	RG_TRY(rg_sqlite_number(db, "SELECT count(*) FROM sqlite_schema", &tables));
	return tables ? another_programs(db) : NULL;
}

/* Another process may make the same file at the same time: the second one finds the schema. */
static rg_error *make_schema(rg_sqlite *db)
{
	RG_AUTO_FREE char *header =
		rg_textf("PRAGMA application_id = %ld; PRAGMA user_version = %d",
			 (long)db->kind->application_id, db->kind->version);
	int status = SQLITE_OK, waits = 0;
	int64_t version;

	/* SQLite itself does not wait when it changes the journal's kind. */
	if (db->kind->setup)
		do {
			status = sqlite3_exec(db->handle, db->kind->setup, NULL, NULL, NULL);
		} while (status == SQLITE_BUSY && wait_for_lock(db, waits++));
	if (status != SQLITE_OK)
		return explain(db, status);
	RG_TRY(rg_sqlite_begin(db));
	rg_error *err = rg_sqlite_number(db, "PRAGMA user_version", &version);
	if (err || version)
		return rg_sqlite_end(db, err);
	err = check_empty(db);
	if (!err)
		err = execute(db, header);
	if (!err)
		err = execute(db, db->kind->schema);
	return rg_sqlite_end(db, err);
}

/* Both at one moment: another process may be making the file. */
static rg_error *read_header(rg_sqlite *db, int64_t *application, int64_t *version)
{
	*application = *version = 0;
	RG_TRY(execute(db, "BEGIN"));
	rg_error *err = rg_sqlite_number(db, "PRAGMA application_id", application);
	if (!err)
		err = rg_sqlite_number(db, "PRAGMA user_version", version);
	if (!err && !*application && !*version)
		err = check_empty(db); /* a setup would write */
	return rg_sqlite_end(db, err);
}

/* The advice for a file whose tables are not ours; a damaged one might be exported. */
static const char not_read[] = "move it away to begin anew; sqlite3's .dump writes out what it has";

static bool is_before(const rg_sqlite *db, int64_t version)
{
	return db->kind->migration && version == db->kind->version - 1;
}

static rg_error *check_header(rg_sqlite *db, int64_t application, int64_t version)
{
	if (application != db->kind->application_id)
		return another_programs(db);
	if (is_before(db, version))
		return rg_error_new(RG_E_CONFLICT,
				    "%s: was written by an older regild (schema %lld, not %d); %s",
				    db->path, (long long)version, db->kind->version,
				    db->kind->how_to_migrate);
	if (version != db->kind->version)
		return rg_error_new(RG_E_CONFLICT,
				    "%s: was written by %s regild (schema %lld, not %d); %s",
				    db->path, version > db->kind->version ? "a newer" : "an older",
				    (long long)version, db->kind->version,
				    version > db->kind->version ? "use that one"
				    : db->way_out               ? not_read
								: "make it again with this one");
	return NULL;
}

static rg_error *open_handle(rg_sqlite *db, const char *path, int flags)
{
	flags |= SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW;
	int status = sqlite3_open_v2(path, &db->handle, flags, NULL);
	if (status != SQLITE_OK)
		return explain(db, status);
	sqlite3_busy_handler(db->handle, wait_for_lock, db);
	return NULL;
}

/* Opens the file, which is looked at before, as an open of a pipe waits, and after, as it may be
 * another one by then. */
static rg_error *open_file(rg_sqlite *db, int flags, bool own)
{
	rg_sqlite_file now;
	int moved = 0;
	RG_TRY(rg_sqlite_file_check(&db->file, db->resolved, own));
	if (db->file.missing)
		return rg_error_io(ENOENT, "%s", db->path);
	RG_TRY(open_handle(db, db->resolved, flags));
	sqlite3_file_control(db->handle, NULL, SQLITE_FCNTL_HAS_MOVED, &moved);
	RG_TRY(rg_sqlite_file_check(&now, db->resolved, own));
	if (moved || now.device != db->file.device || now.inode != db->file.inode)
		return rg_error_io(ENOENT, "%s: was replaced while it was opened", db->path);
	/* A file may come from elsewhere, whoever keeps it: nothing in it is run. */
	sqlite3_db_config(db->handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	sqlite3_db_config(db->handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
	sqlite3_db_config(db->handle, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
	/* SQLite takes the content of a -wal for the file's pages, whatever the file itself is, and
	 * writes them over it when it closes. */
	enum { WRITE_VERSION = 18, WAL_VERSION = 2 };
	char header[100] = {0};
	sqlite3_int64 size;
	sqlite3_file *file;
	sqlite3_file_control(db->handle, NULL, SQLITE_FCNTL_FILE_POINTER, &file);
	int status = file->pMethods->xFileSize(file, &size);
	if (status == SQLITE_OK && size)
		status = file->pMethods->xRead(file, header, sizeof(header), 0);
	if (status != SQLITE_OK && status != SQLITE_IOERR_SHORT_READ)
		return explain(db, status);
	if (size && memcmp(header, "SQLite format 3", 16) != 0)
		return damaged(db, "file is not a database");
	if (size && db->file.wal && header[WRITE_VERSION] != WAL_VERSION)
		return damaged(db, "the -wal beside it is not its own");
	return NULL;
}

static void close_handle(rg_sqlite *db)
{
	for (size_t i = 0; i < STATEMENTS_MAX; i++)
		sqlite3_finalize(db->prepared[i].statement);
	memset(db->prepared, 0, sizeof(db->prepared));
	sqlite3_close(db->handle);
	db->handle = NULL;
}

/* `connect` opens the file at db->path. */
static rg_error *open_with(rg_sqlite **out, const char *path, const rg_sqlite_kind *kind,
			   rg_error *(*connect)(rg_sqlite *db))
{
	RG_AUTO_PTR(rg_sqlite) db = rg_calloc(1, sizeof(*db));

	*out = NULL;
	db->kind = kind;
	db->path = rg_strdup(path);
	RG_TRY(rg_sqlite_file_resolve(&db->resolved, path));
	RG_TRY(connect(db));
	*out = RG_TAKE(db);
	return NULL;
}

/* ---- what is in it ---- */

static rg_error *append_table(void *context, sqlite3_stmt *row)
{
	size_t length;
	const char *text = rg_sqlite_column(row, 0, &length);

	rg_buf_add(context, text, length + 1);
	return NULL;
}

/* Lists all that the file has, as its schema says it; the statistics that ANALYZE makes are left
 * out. */
static rg_error *list_tables(rg_sqlite *db, rg_buf *out)
{
	RG_TRY(rg_sqlite_run(db,
			     "SELECT type || ' ' || name || ' ' || tbl_name || ' ' || "
			     "coalesce(sql, '') FROM sqlite_schema "
			     "WHERE name NOT LIKE 'sqlite\\_stat%' ESCAPE '\\' ORDER BY name",
			     NULL, 0, append_table, out));
	return rg_buf_check(out, db->path);
}

static rg_error *make_model(rg_sqlite *db)
{
	RG_TRY(open_handle(db, ":memory:", SQLITE_OPEN_READWRITE));
	return execute(db, db->kind->schema);
}

static rg_error *check_tables(rg_sqlite *db)
{
	RG_AUTO(rg_buf) tables = rg_buf_of(RG_BUF_TEXT);
	RG_AUTO(rg_buf) wanted = rg_buf_of(RG_BUF_TEXT);
	RG_AUTO_PTR(rg_sqlite) model = NULL;

	RG_TRY(open_with(&model, db->path, db->kind, make_model));
	RG_TRY(list_tables(model, &wanted));
	RG_TRY(list_tables(db, &tables));
	if (tables.length != wanted.length || memcmp(tables.data, wanted.data, wanted.length) != 0)
		return rg_error_new(RG_E_PARSE,
				    "%s: does not have the tables that regild makes%s%s", db->path,
				    db->way_out ? "; " : "", db->way_out ? not_read : "");
	return NULL;
}

static rg_error *connect_once(rg_sqlite *db)
{
	int64_t application, version;

	RG_TRY(open_file(db, SQLITE_OPEN_READWRITE, true));
	RG_TRY(execute(db, db->kind->session));
	RG_TRY(read_header(db, &application, &version));
	if (!application && !version)
		return make_schema(db);
	RG_TRY(check_header(db, application, version));
	return check_tables(db);
}

rg_error *rg_sqlite_renew(rg_sqlite *db)
{
	close_handle(db);
	free(db->aside);
	RG_TRY(rg_sqlite_file_move_aside(&db->aside, db->resolved, &db->file));
	db->other = false;
	RG_TRY(rg_sqlite_file_make(db->resolved));
	return connect_once(db);
}

const char *rg_sqlite_moved_to(const rg_sqlite *db)
{
	return db->aside;
}

static rg_error *connect_to(rg_sqlite *db)
{
	db->way_out = db->kind->way_out;
	rg_error *err = connect_once(db);
	if (!err || db->kind->way_out ||
	    (rg_error_get_code(err) != RG_E_PARSE && !db->other && rg_error_errno(err) != ENOENT))
		return err;
	rg_error_free(err);
	return rg_sqlite_renew(db);
}

rg_error *rg_sqlite_open(rg_sqlite **out, const char *path, const rg_sqlite_kind *kind, bool create)
{
	rg_sqlite_file file;
	*out = NULL;
	if (create)
		RG_TRY(rg_sqlite_file_make(path));
	RG_TRY(rg_sqlite_file_check(&file, path, true));
	return file.missing ? NULL : open_with(out, path, kind, connect_to);
}

/* The check refuses a file that somebody has changed. */
static rg_error *migrate(rg_sqlite *db)
{
	RG_AUTO_FREE char *version = rg_textf("PRAGMA user_version = %d", db->kind->version);
	RG_TRY(execute(db, db->kind->migration));
	RG_TRY(execute(db, version));
	return check_tables(db);
}

static rg_error *connect_to_migrate(rg_sqlite *db)
{
	int64_t application, version;
	db->way_out = db->kind->way_out;
	RG_TRY(open_file(db, SQLITE_OPEN_READWRITE, true));
	RG_TRY(execute(db, db->kind->session));
	RG_TRY(rg_sqlite_begin(db));
	rg_error *err = rg_sqlite_number(db, "PRAGMA application_id", &application);
	if (!err)
		err = rg_sqlite_number(db, "PRAGMA user_version", &version);
	db->migrated = !err && application == db->kind->application_id && is_before(db, version);
	if (!err)
		err = db->migrated ? migrate(db) : check_header(db, application, version);
	return rg_sqlite_end(db, err);
}

rg_error *rg_sqlite_migrate(const char *path, const rg_sqlite_kind *kind, bool *done)
{
	RG_AUTO_PTR(rg_sqlite) db = NULL;

	*done = false;
	RG_TRY(open_with(&db, path, kind, connect_to_migrate));
	*done = db->migrated;
	return NULL;
}

/* ---- somebody else's file ---- */

static rg_error *take_verdict(void *context, sqlite3_stmt *row)
{
	size_t length;
	const char *text = rg_sqlite_column(row, 0, &length);

	return strcmp(text, "ok") != 0 ? damaged(context, text) : NULL;
}

static rg_error *connect_to_foreign(rg_sqlite *db)
{
	int64_t application, version;
	/* A link that the user names is followed, as nothing is written. */
	free(db->resolved);
	db->resolved = realpath(db->path, NULL);
	if (!db->resolved)
		return rg_error_io(errno, "%s", db->path);
	RG_TRY(open_file(db, SQLITE_OPEN_READONLY, false));
	sqlite3_db_config(db->handle, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	sqlite3_limit(db->handle, SQLITE_LIMIT_LENGTH, FOREIGN_ROW_MAX);
	RG_TRY(execute(db, "PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0"));
	RG_TRY(read_header(db, &application, &version));
	if (!application && !version)
		application = -1; /* a new file is not one of the kind */
	RG_TRY(check_header(db, application, version));
	RG_TRY(check_tables(db));
	return db->kind->checked
		       ? NULL
		       : rg_sqlite_run(db, "PRAGMA quick_check(1)", NULL, 0, take_verdict, db);
}

rg_error *rg_sqlite_open_foreign(rg_sqlite **out, const char *path, const rg_sqlite_kind *kind)
{
	return open_with(out, path, kind, connect_to_foreign);
}

static rg_error *make_in_memory(rg_sqlite *db)
{
	int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
	/* All connections share a name that begins with a slash. */
	int status = sqlite3_open_v2("memory", &db->handle, flags, "memdb");
	RG_TRY(status == SQLITE_OK ? execute(db, db->kind->session) : explain(db, status));
	return make_schema(db);
}

rg_error *rg_sqlite_make(rg_sqlite **out, const char *name, const rg_sqlite_kind *kind)
{
	return open_with(out, name, kind, make_in_memory);
}

const void *rg_sqlite_bytes(rg_sqlite *db, size_t *size)
{
	sqlite3_int64 bytes = 0;
	const void *at = sqlite3_serialize(db->handle, "main", &bytes, SQLITE_SERIALIZE_NOCOPY);
	*size = (size_t)bytes;
	return at;
}

void rg_sqlite_free(rg_sqlite *db)
{
	if (!db)
		return;
	close_handle(db);
	free(db->aside);
	free(db->resolved);
	free(db->path);
	free(db);
}

rg_sqlite_value rg_sqlite_integer(int64_t value)
{
	return (rg_sqlite_value){.type = SQLITE_INTEGER, .integer = value};
}

rg_sqlite_value rg_sqlite_real(double value)
{
	return (rg_sqlite_value){.type = isfinite(value) ? SQLITE_FLOAT : SQLITE_NULL,
				 .real = value};
}

rg_sqlite_value rg_sqlite_text(const char *text)
{
	return (rg_sqlite_value){.type = text ? SQLITE_TEXT : SQLITE_NULL,
				 .bytes = text,
				 .size = text ? strlen(text) : 0};
}

rg_sqlite_value rg_sqlite_blob(const void *bytes, size_t size)
{
	return (rg_sqlite_value){.type = SQLITE_BLOB, .bytes = size ? bytes : "", .size = size};
}

static int bind(sqlite3_stmt *statement, int at, const rg_sqlite_value *value)
{
	switch (value->type) {
	case SQLITE_INTEGER:
		return sqlite3_bind_int64(statement, at, value->integer);
	case SQLITE_FLOAT:
		return sqlite3_bind_double(statement, at, value->real);
	case SQLITE_TEXT:
		return sqlite3_bind_text64(statement, at, value->bytes, value->size, SQLITE_STATIC,
					   SQLITE_UTF8);
	case SQLITE_BLOB:
		return sqlite3_bind_blob64(statement, at, value->bytes, value->size, SQLITE_STATIC);
	}
	return sqlite3_bind_null(statement, at);
}

static rg_error *prepare(rg_sqlite *db, sqlite3_stmt **out, const char *sql)
{
	size_t i = 0;
	while (db->prepared[i].sql && db->prepared[i].sql != sql && i + 1 < STATEMENTS_MAX)
		i++;
	*out = db->prepared[i].statement;
	if (db->prepared[i].sql == sql && *out)
		return NULL;
	sqlite3_finalize(*out); /* the last place is everybody's */
	db->prepared[i].statement = NULL;
	int status = sqlite3_prepare_v3(db->handle, sql, -1, SQLITE_PREPARE_PERSISTENT, out, NULL);
	if (status != SQLITE_OK)
		return explain(db, status);
	db->prepared[i].sql = sql;
	db->prepared[i].statement = *out;
	return NULL;
}

static rg_error *step_all(rg_sqlite *db, sqlite3_stmt *statement, rg_sqlite_row_fn *row,
			  void *context)
{
	int status;
	while ((status = sqlite3_step(statement)) == SQLITE_ROW)
		if (row)
			RG_TRY(row(context, statement));
	return status == SQLITE_DONE ? NULL : explain(db, status);
}

rg_error *rg_sqlite_run(rg_sqlite *db, const char *sql, const rg_sqlite_value *values, size_t count,
			rg_sqlite_row_fn *row, void *context)
{
	sqlite3_stmt *statement;
	RG_TRY(prepare(db, &statement, sql));
	for (size_t i = 0; i < count; i++) {
		int status = bind(statement, (int)i + 1, &values[i]);
		if (status != SQLITE_OK)
			return explain(db, status);
	}
	rg_error *err = step_all(db, statement, row, context);
	sqlite3_reset(statement);
	return err;
}

static rg_error *take_number(void *context, sqlite3_stmt *row)
{
	*(int64_t *)context = sqlite3_column_int64(row, 0);
	return NULL;
}

rg_error *rg_sqlite_select(rg_sqlite *db, const char *sql, rg_sqlite_row_fn *begin,
			   rg_sqlite_row_fn *row, void *context)
{
	sqlite3_stmt *statement;
	int status = sqlite3_prepare_v2(db->handle, sql, -1, &statement, NULL);
	rg_error *err = status == SQLITE_OK ? NULL : explain(db, status);
	if (!err && begin)
		err = begin(context, statement);
	if (!err)
		err = step_all(db, statement, row, context);
	sqlite3_finalize(statement);
	return err;
}

rg_error *rg_sqlite_extend(rg_sqlite *db, const rg_sqlite_function *functions, const char *views)
{
	int status = SQLITE_OK;
	for (; status == SQLITE_OK && functions->name; functions++)
		status = sqlite3_create_function_v2(
			db->handle, functions->name, functions->arguments,
			SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, NULL,
			functions->call, NULL, NULL, NULL);
	return status == SQLITE_OK ? execute(db, views) : explain(db, status);
}

rg_error *rg_sqlite_number(rg_sqlite *db, const char *sql, int64_t *out)
{
	*out = 0;
	return rg_sqlite_run(db, sql, NULL, 0, take_number, out);
}

int64_t rg_sqlite_last_id(const rg_sqlite *db)
{
	return sqlite3_last_insert_rowid(db->handle);
}

rg_error *rg_sqlite_begin(rg_sqlite *db)
{
	return execute(db, "BEGIN IMMEDIATE");
}

rg_error *rg_sqlite_end(rg_sqlite *db, rg_error *err)
{
	if (!err)
		err = execute(db, "COMMIT");
	if (err && rg_sqlite_has_begun(db))
		sqlite3_exec(db->handle, "ROLLBACK", NULL, NULL, NULL);
	return err;
}

rg_error *rg_sqlite_begin_part(rg_sqlite *db)
{
	return execute(db, "SAVEPOINT part");
}

rg_error *rg_sqlite_end_part(rg_sqlite *db, rg_error *err)
{
	if (!err)
		err = execute(db, "RELEASE part");
	if (err && rg_sqlite_has_begun(db))
		sqlite3_exec(db->handle, "ROLLBACK TO part; RELEASE part", NULL, NULL, NULL);
	return err;
}

bool rg_sqlite_has_begun(const rg_sqlite *db)
{
	return !sqlite3_get_autocommit(db->handle);
}

const char *rg_sqlite_column(sqlite3_stmt *row, int column, size_t *size)
{
	const void *bytes = sqlite3_column_type(row, column) == SQLITE_BLOB
				    ? sqlite3_column_blob(row, column)
				    : (const void *)sqlite3_column_text(row, column);

	*size = (size_t)sqlite3_column_bytes(row, column);
	return bytes ? bytes : "";
}

const char *rg_sqlite_column_text(sqlite3_stmt *row, int column, rg_arena *arena)
{
	size_t length;
	const char *text = rg_sqlite_column(row, column, &length);

	if (sqlite3_column_type(row, column) == SQLITE_NULL)
		return NULL;
	return rg_arena_copy(arena, text, length);
}
