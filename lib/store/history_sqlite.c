/* SPDX-License-Identifier: Apache-2.0 */
#include "store/store.h"

#include "base/buf.h"
#include "base/memory.h"
#include "golden/records.h"
#include "golden/series_bytes.h"
#include "golden/series_summary.h"
#include "golden/series_text.h"
#include "store/history_kept.h"
#include "store/history_sqlite_read.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* One transaction takes so much: a disk needs longer to sync than to write it. */
enum { WAITING_RUNS = 100, WAITING_BYTES = 16 << 20 };

/* `verdicts` has what the last audit found in a series. A row of `breaks` counts if it was made
 * with the verdict on its series. */
#define VERSION_5                                                                     \
	"CREATE TABLE verdicts ( repository TEXT NOT NULL, file TEXT NOT NULL,"       \
	" metric TEXT NOT NULL, runs_of TEXT NOT NULL, made TEXT NOT NULL,"           \
	" verdict TEXT NOT NULL, runs INTEGER NOT NULL, spread REAL, tolerance REAL," \
	" failed_today INTEGER NOT NULL, failed_recommended INTEGER NOT NULL,"        \
	" breaks INTEGER NOT NULL, PRIMARY KEY (repository, file, metric,"            \
	" runs_of)) WITHOUT ROWID;"                                                   \
	"CREATE TABLE breaks ( repository TEXT NOT NULL, file TEXT NOT NULL,"         \
	" metric TEXT NOT NULL, runs_of TEXT NOT NULL, made TEXT NOT NULL,"           \
	" run INTEGER NOT NULL, \"commit\" TEXT NOT NULL, when_text TEXT NOT NULL,"   \
	" before INTEGER NOT NULL, after INTEGER NOT NULL, shift REAL, p REAL,"       \
	" PRIMARY KEY (repository, file, metric, runs_of, run)) WITHOUT ROWID;"

/* Described in man/regild-history.5. */
static const rg_sqlite_kind history_kind = {
	.application_id = 0x72676869, /* "rghi" */
	.version = 5,
	.setup = "PRAGMA auto_vacuum = INCREMENTAL",
	.session = "PRAGMA foreign_keys = ON; PRAGMA synchronous = FULL",
	/* A path is in each run again: here it is once, in files. */
	.schema = "CREATE TABLE runs ( run INTEGER PRIMARY KEY, repository TEXT NOT NULL,"
		  " source TEXT NOT NULL, settings TEXT NOT NULL, id INTEGER NOT NULL,"
		  " attempt INTEGER NOT NULL, commit_id TEXT NOT NULL, branch TEXT NOT NULL,"
		  " event TEXT NOT NULL, \"when\" TEXT NOT NULL, fork INTEGER NOT NULL,"
		  " complete INTEGER NOT NULL, goldens INTEGER NOT NULL, rows INTEGER NOT NULL,"
		  " UNIQUE (repository, source, settings, id));"
		  "CREATE TABLE files ( file INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE);"
		  "CREATE TABLE goldens ( golden INTEGER PRIMARY KEY,"
		  " run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,"
		  " file INTEGER NOT NULL, sha256 TEXT NOT NULL, bytes INTEGER NOT NULL,"
		  " records TEXT, metrics INTEGER NOT NULL, UNIQUE (run, file));"
		  "CREATE TABLE series ("
		  " golden INTEGER NOT NULL REFERENCES goldens ON DELETE CASCADE,"
		  " metric TEXT NOT NULL, n_steps INTEGER NOT NULL,"
		  " first_step INTEGER NOT NULL, last_step INTEGER NOT NULL,"
		  " not_finite INTEGER NOT NULL, mean REAL, minimum REAL, maximum REAL,"
		  " last_value REAL, steps TEXT NOT NULL, \"values\" BLOB NOT NULL,"
		  " PRIMARY KEY (golden, metric)) WITHOUT ROWID;"
		  "CREATE TABLE texts ("
		  " golden INTEGER NOT NULL REFERENCES goldens ON DELETE CASCADE,"
		  " metric TEXT NOT NULL, text TEXT NOT NULL, PRIMARY KEY (golden,"
		  " metric)) WITHOUT ROWID;" VERSION_5,
	.migration = VERSION_5,
	.how_to_migrate =
		"'regild history migrate' brings it up to date, with REGILD_HISTORY naming it",
	.way_out = "move it away to begin anew; regild-history(5) says how to save what is left",
};

typedef struct {
	rg_history_store base;
	char *path;
	rg_history_use use;
	rg_sqlite_kind kind;
	rg_sqlite *batch; /* its transaction has the runs that wait; NULL: none */
	size_t waiting;
	uint64_t waiting_bytes; /* of their goldens' files */
	pthread_mutex_t lock;   /* holds the rest */
	rg_sqlite **idle;       /* connections that nobody uses now */
	size_t count, capacity;
} sqlite_store;

static void close_store(rg_history_store *history)
{
	sqlite_store *store = (sqlite_store *)history;
	rg_sqlite_free(store->batch);
	while (store->count)
		rg_sqlite_free(store->idle[--store->count]);
	pthread_mutex_destroy(&store->lock);
	free(store->idle);
	free(store->path);
	free(store);
}

/* A connection for the caller's thread; NULL where there is no history and `create` is false. */
static rg_error *borrow(sqlite_store *store, bool create, rg_sqlite **out)
{
	*out = store->batch;
	if (*out)
		return NULL;
	pthread_mutex_lock(&store->lock);
	if (store->count)
		*out = store->idle[--store->count];
	pthread_mutex_unlock(&store->lock);
	if (*out)
		return NULL;
	RG_AUTO_PTR(rg_sqlite) db = NULL;
	RG_TRY(store->use == RG_HISTORY_FOREIGN
		       ? rg_sqlite_open_foreign(&db, store->path, &store->kind)
		       : rg_sqlite_open(&db, store->path, &store->kind, create));
	if (db)
		RG_TRY(rg_history_sqlite_prepare(db));
	*out = RG_TAKE(db);
	return NULL;
}

static void give_back(sqlite_store *store, rg_sqlite *db)
{
	if (!db || db == store->batch)
		return;
	pthread_mutex_lock(&store->lock);
	*RG_PUSH(store->idle, store->count, store->capacity) = db;
	pthread_mutex_unlock(&store->lock);
}

/* A connection that is given back at the end of a scope. */
typedef struct {
	sqlite_store *store;
	rg_sqlite *db;
} loan;

static void loan_release(loan *l)
{
	give_back(l->store, l->db);
}

/* ---- a golden ---- */

enum { BLOB_MAX = 1000000000 }; /* as SQLite has it */

/* A golden's metrics on their way into the tables. */
typedef struct {
	rg_sqlite *db;
	rg_buf steps, values;
	int64_t golden, count;
} golden_put;

static void golden_put_release(golden_put *put)
{
	rg_buf_release(&put->steps);
	rg_buf_release(&put->values);
}

static rg_error *write_metric(void *context, const rg_metric *metric)
{
	golden_put *put = context;
	const int64_t count = (int64_t)metric->count;
	const rg_sqlite_value text[] = {rg_sqlite_integer(put->golden),
					rg_sqlite_text(metric->name), rg_sqlite_text(metric->text)};
	rg_series_summary summary;

	put->count++;
	if (metric->kind != RG_METRIC_SERIES)
		return rg_sqlite_run(put->db, "INSERT INTO texts VALUES (?1, ?2, ?3)", text, 3,
				     NULL, NULL);
	rg_buf_clear(&put->steps);
	rg_buf_clear(&put->values);
	rg_steps_pack(&put->steps, metric);
	RG_TRY(rg_series_bytes_pack(&put->values, metric));
	RG_TRY(rg_series_summarise(&summary, metric));
	RG_TRY(rg_buf_check(&put->steps, "a series"));
	RG_TRY(rg_buf_check(&put->values, "a series"));
	const rg_sqlite_value series[] = {
		rg_sqlite_integer(put->golden),
		rg_sqlite_text(metric->name),
		rg_sqlite_integer(count),
		rg_sqlite_integer(count ? rg_metric_step(metric, 0) : 0),
		rg_sqlite_integer(count ? rg_metric_step(metric, metric->count - 1) : 0),
		rg_sqlite_integer((int64_t)summary.not_finite),
		rg_sqlite_real(summary.mean),
		rg_sqlite_real(summary.minimum),
		rg_sqlite_real(summary.maximum),
		rg_sqlite_real(summary.last),
		rg_sqlite_text(put->steps.data),
		rg_sqlite_blob(put->values.data, put->values.length)};
	return rg_sqlite_run(put->db,
			     "INSERT INTO series VALUES "
			     "(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
			     series, 12, NULL, NULL);
}

/* ---- putting ---- */

typedef struct {
	rg_history_put base;
	sqlite_store *store;
	rg_sqlite *db;
	bool is_part; /* of the transaction that other runs wait in */
	bool torn;    /* what the history has of the run, and is to stay, is not whole */
	int64_t run;
	uint64_t bytes;
} sqlite_put;

/* "goldens, rows" as goldens say that they are. */
#define FIGURES                                                         \
	"(SELECT count(*) FROM goldens WHERE goldens.run = runs.run), " \
	"(SELECT count(*) + coalesce(sum(metrics), 0) FROM goldens "    \
	"WHERE goldens.run = runs.run)"

typedef struct {
	rg_history_run *there;
	bool *torn;
} found_run;

static rg_error *find_run(void *context, sqlite3_stmt *row)
{
	const found_run *found = context;
	found->there->key = sqlite3_column_int64(row, 0);
	found->there->attempt = (unsigned)sqlite3_column_int64(row, 1);
	found->there->complete = sqlite3_column_int64(row, 2) != 0;
	*found->torn = sqlite3_column_int64(row, 3) != 0;
	return NULL;
}

/* Writes the run's own row, as incomplete until the commit. */
static rg_error *write_run(rg_sqlite *db, const rg_history_run *run, rg_history_run *there,
			   bool *torn)
{
	const rg_sqlite_value values[] = {
		rg_sqlite_text(run->repository), rg_sqlite_text(run->source),
		rg_sqlite_text(run->settings),   rg_sqlite_integer((int64_t)run->id),
		rg_sqlite_integer(run->attempt), rg_sqlite_text(run->commit),
		rg_sqlite_text(run->branch),     rg_sqlite_text(run->event),
		rg_sqlite_text(run->when),       rg_sqlite_integer(run->fork)};
	found_run found = {there, torn};

	*there = *run;
	there->key = 0;
	RG_TRY(rg_sqlite_run(db,
			     "SELECT run, attempt, complete, (goldens, rows) != (" FIGURES ") "
			     "FROM runs WHERE repository = ?1 AND source = ?2 AND settings = ?3 "
			     "AND id = ?4",
			     values, 4, find_run, &found));
	if (there->key)
		return rg_sqlite_run(
			db,
			"UPDATE runs SET attempt = ?5, commit_id = ?6, branch = ?7, "
			"event = ?8, \"when\" = ?9, fork = ?10, complete = 0 WHERE "
			"repository = ?1 AND source = ?2 AND settings = ?3 AND id = ?4",
			values, 10, NULL, NULL);
	return rg_sqlite_run(db,
			     "INSERT INTO runs (repository, source, settings, id, attempt, "
			     "commit_id, branch, event, \"when\", fork, complete, goldens, rows) "
			     "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, 0, 0, 0)",
			     values, 10, NULL, NULL);
}

static rg_error *end_put(sqlite_put *put, rg_error *err)
{
	if (put->db)
		err = put->is_part ? rg_sqlite_end_part(put->db, err) : rg_sqlite_end(put->db, err);
	give_back(put->store, put->db);
	free(put);
	return err;
}

static void abandon_run(rg_history_put *put)
{
	rg_error_free(end_put((sqlite_put *)put, rg_error_new(RG_E_CANCELLED, "abandoned")));
}

static rg_error *begin_run(rg_history_put **out, rg_history_store *history,
			   const rg_history_run *run, rg_history_run *there)
{
	sqlite_put *put = rg_calloc(1, sizeof(*put));
	*out = NULL;
	put->base.driver = history->driver;
	put->store = (sqlite_store *)history;
	put->is_part = put->store->batch != NULL;
	rg_error *err = borrow(put->store, true, &put->db);
	if (!err)
		err = put->is_part ? rg_sqlite_begin_part(put->db) : rg_sqlite_begin(put->db);
	if (!err)
		err = write_run(put->db, run, there, &put->torn);
	if (!err)
		put->run = there->key ? there->key : rg_sqlite_last_id(put->db);
	if (err)
		abandon_run(&put->base);
	else
		*out = &put->base;
	return err;
}

/* Puts a golden in the place of what the run has at that path. */
static rg_error *add_golden(rg_history_put *base, const char *path,
			    const char sha256[static RG_SHA256_HEX], uint64_t bytes,
			    const rg_golden *golden)
{
	sqlite_put *to = (sqlite_put *)base;
	rg_sqlite *db = to->db;
	rg_sqlite_value row[] = {rg_sqlite_integer(to->run), rg_sqlite_text(path),
				 rg_sqlite_text(sha256), rg_sqlite_integer((int64_t)bytes),
				 rg_sqlite_text(NULL)};
	RG_AUTO(rg_buf) names = rg_buf_of(BLOB_MAX);
	RG_AUTO(golden_put) put = {db, rg_buf_of(BLOB_MAX), rg_buf_of(BLOB_MAX), 0, 0};

	to->bytes += bytes;
	RG_TRY(rg_sqlite_run(db, "INSERT OR IGNORE INTO files (path) VALUES (?2)", row, 2, NULL,
			     NULL));
	RG_TRY(rg_sqlite_run(db,
			     "DELETE FROM goldens WHERE run = ?1 AND file = "
			     "(SELECT file FROM files WHERE path = ?2)",
			     row, 2, NULL, NULL));
	if (golden->records) {
		rg_records_write(&names, golden->records);
		RG_TRY(rg_buf_check(&names, "the records' names"));
		row[4] = rg_sqlite_text(names.data);
	}
	RG_TRY(rg_sqlite_run(db,
			     "INSERT INTO goldens (run, file, sha256, bytes, records, metrics) "
			     "SELECT ?1, file, ?3, ?4, ?5, 0 FROM files WHERE path = ?2",
			     row, 5, NULL, NULL));
	put.golden = rg_sqlite_last_id(db);
	RG_TRY(rg_history_keep(golden, write_metric, &put));
	const rg_sqlite_value counted[] = {rg_sqlite_integer(put.golden),
					   rg_sqlite_integer(put.count)};
	return rg_sqlite_run(db, "UPDATE goldens SET metrics = ?2 WHERE golden = ?1", counted, 2,
			     NULL, NULL);
}

static rg_error *clear_run(rg_history_put *base)
{
	sqlite_put *put = (sqlite_put *)base;
	const rg_sqlite_value run = rg_sqlite_integer(put->run);

	put->torn = false;
	return rg_sqlite_run(put->db, "DELETE FROM goldens WHERE run = ?1", &run, 1, NULL, NULL);
}

static rg_error *set_complete(const sqlite_put *put, bool complete)
{
	const rg_sqlite_value values[] = {rg_sqlite_integer(put->run), rg_sqlite_integer(complete)};
	if (put->torn)
		return rg_history_incomplete();
	return rg_sqlite_run(put->db,
			     "UPDATE runs SET complete = ?2, (goldens, rows) = (" FIGURES
			     ") WHERE run = ?1",
			     values, 2, NULL, NULL);
}

static rg_error *flush_runs(rg_history_store *history)
{
	sqlite_store *store = (sqlite_store *)history;
	rg_sqlite *db = store->batch;
	size_t count = store->waiting;

	if (!db)
		return NULL;
	store->batch = NULL;
	store->waiting = 0;
	store->waiting_bytes = 0;
	rg_error *err =
		rg_sqlite_has_begun(db)
			? rg_sqlite_end(db, NULL)
			: rg_error_new(RG_E_IO, "%s: their transaction has ended", store->path);
	give_back(store, db);
	return rg_error_wrap(err, "%zu run%s not kept", count, count == 1 ? " is" : "s are");
}

static rg_error *commit_run(rg_history_put *base, bool complete)
{
	sqlite_put *put = (sqlite_put *)base;
	sqlite_store *store = put->store;

	RG_TRY(end_put(put, set_complete(put, complete)));
	return flush_runs(&store->base);
}

static rg_error *gather_run(rg_history_put *base, bool complete, bool *full)
{
	sqlite_put *put = (sqlite_put *)base;
	sqlite_store *store = put->store;
	uint64_t bytes = put->bytes;
	rg_error *err = set_complete(put, complete);

	if (!err && !put->is_part) {
		store->batch = put->db;
		free(put);
	} else {
		RG_TRY(end_put(put, err));
	}
	store->waiting++;
	store->waiting_bytes += bytes;
	*full = store->waiting >= WAITING_RUNS || store->waiting_bytes >= WAITING_BYTES;
	return NULL;
}

/* ---- reading ---- */

static rg_error *select_rows(rg_history_store *history, const char *what, const char *sql,
			     const rg_row_reader *reader)
{
	RG_AUTO(loan) l = {.store = (sqlite_store *)history};

	(void)what;
	RG_TRY(borrow(l.store, false, &l.db));
	if (!l.db)
		return NULL;
	if (reader->begin)
		reader->begin(reader->context);
	return rg_history_sqlite_select(l.db, sql, reader);
}

static rg_error *ask(rg_history_store *history, const char *what, const char *sql,
		     const rg_reply_taker *taker)
{
	RG_AUTO(loan) l = {.store = (sqlite_store *)history};

	(void)what;
	RG_TRY(borrow(l.store, false, &l.db));
	return l.db ? rg_history_sqlite_ask(l.db, sql, taker) : NULL;
}

/* ---- what audits found ---- */

static rg_error *insert_all(rg_sqlite *db, const char *sql, const char *types, const rg_buf *rows)
{
	const unsigned char *at = (const unsigned char *)rows->data, *end = at + rows->length;
	rg_row_cell cells[RG_ROW_CELLS];
	rg_sqlite_value values[RG_ROW_CELLS];

	while (rg_row_read(&at, end, types, cells)) {
		for (size_t i = 0; types[i]; i++)
			if (types[i] == 's')
				values[i] = (rg_sqlite_value){.type = SQLITE_TEXT,
							      .bytes = cells[i].bytes,
							      .size = cells[i].size};
			else if (types[i] == 'f')
				values[i] = rg_sqlite_real(rg_row_double_at(cells[i].bytes));
			else
				values[i] = rg_sqlite_integer((int64_t)cells[i].number);
		RG_TRY(rg_sqlite_run(db, sql, values, strlen(types), NULL, NULL));
	}
	return NULL;
}

static rg_error *insert_rows(rg_history_store *history, const char *what, const char *sql,
			     const char *types, const rg_buf *rows)
{
	RG_AUTO(loan) l = {.store = (sqlite_store *)history};

	(void)what;
	RG_TRY(borrow(l.store, true, &l.db));
	RG_TRY(rg_sqlite_begin(l.db));
	return rg_sqlite_end(l.db, insert_all(l.db, sql, types, rows));
}

/* ---- removing ---- */

static rg_error *file_size(rg_sqlite *db, int64_t *bytes)
{
	int64_t pages;
	RG_TRY(rg_sqlite_number(db, "PRAGMA page_count", &pages));
	RG_TRY(rg_sqlite_number(db, "PRAGMA page_size", bytes));
	*bytes *= pages;
	return NULL;
}

/* The pages that become free are given back in place: a disk that is full has no room for a copy.
 */
static rg_error *remove_and_shrink(rg_sqlite *db, const rg_history_run *runs, size_t count,
				   uint64_t *freed)
{
	RG_AUTO(rg_buf) json = rg_buf_of(RG_BUF_TEXT);
	int64_t before, after;

	RG_TRY(file_size(db, &before));
	/* A JSON list of the keys: the statement is the same for any number of runs. */
	rg_buf_char(&json, '[');
	rg_store_add_keys(&json, runs, count);
	rg_buf_char(&json, ']');
	RG_TRY(rg_buf_check(&json, "the runs"));
	const rg_sqlite_value value = rg_sqlite_text(json.data);
	RG_TRY(rg_sqlite_run(db, "DELETE FROM runs WHERE run IN (SELECT value FROM json_each(?1))",
			     &value, 1, NULL, NULL));
	RG_TRY(rg_sqlite_run(db, "DELETE FROM files WHERE file NOT IN (SELECT file FROM goldens)",
			     NULL, 0, NULL, NULL));
	/* Breaks of earlier audits. */
	RG_TRY(rg_sqlite_run(
		db,
		"DELETE FROM breaks WHERE (repository, file, metric, runs_of, made) "
		"NOT IN (SELECT repository, file, metric, runs_of, made FROM verdicts)",
		NULL, 0, NULL, NULL));
	RG_TRY(rg_sqlite_run(db, "PRAGMA incremental_vacuum", NULL, 0, NULL, NULL));
	RG_TRY(file_size(db, &after));
	*freed = (uint64_t)(before - after);
	return NULL;
}

static rg_error *remove_runs(rg_history_store *history, const rg_history_run *runs, size_t count,
			     bool dry_run, uint64_t *freed)
{
	RG_AUTO(loan) l = {.store = (sqlite_store *)history};

	*freed = 0;
	RG_TRY(borrow(l.store, false, &l.db));
	if (!l.db)
		return NULL;
	rg_error *err = rg_sqlite_begin(l.db);
	if (!err)
		err = remove_and_shrink(l.db, runs, count, freed);
	return !err && dry_run ? rg_sqlite_run(l.db, "ROLLBACK", NULL, 0, NULL, NULL)
			       : rg_sqlite_end(l.db, err);
}

/* ---- the store ---- */

static const rg_store_driver driver = {
	.sql = &rg_history_sqlite_sql,
	.close = close_store,
	.select = select_rows,
	.insert = insert_rows,
	.begin = begin_run,
	.clear = clear_run,
	.add = add_golden,
	.commit = commit_run,
	.gather = gather_run,
	.flush = flush_runs,
	.abandon = abandon_run,
	.remove = remove_runs,
	.ask = ask,
};

rg_error *rg_history_sqlite_migrate(const char *path, bool *done)
{
	return rg_sqlite_migrate(path, &history_kind, done);
}

rg_history_store *rg_history_sqlite_open(const char *path, rg_history_use use, const rg_log *log)
{
	sqlite_store *store = rg_calloc(1, sizeof(*store));
	pthread_mutex_init(&store->lock, NULL);
	store->base.driver = &driver;
	store->use = use;
	store->kind = history_kind;
	store->kind.log = log;
	if (use == RG_HISTORY_SCRATCH)
		store->kind.session = "PRAGMA foreign_keys = ON; PRAGMA synchronous = OFF";
	store->path = rg_strdup(path);
	return &store->base;
}
