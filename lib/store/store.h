/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_STORE_STORE_H
#define REGILD_STORE_STORE_H

#include "store/history.h"
#include "store/row_binary.h"

/*
 * The pieces of SQL in which the databases differ. history_list.c and history_read.c put statements
 * together from these and from SQL that both databases take.
 */
typedef struct {
	void (*quote)(rg_buf *sql, const char *text); /* appends a text as a literal */
	/* Runs, of which some are removed or have been put again since: FROM `runs` WHERE 1 …
	 * `newest` leaves those that count, and the removed ones. */
	const char *runs, *newest;
	/* Up to a condition on batches: batch, rows that are here, rows that should be; the last 0
	 * where nobody knows. Then count_end. */
	const char *count, *count_end;
	const char *files; /* each file of the goldens; up to a condition on batches */
	/* Columns of goldens, of which history_read.c has the order; up to a condition. Then
	 * ORDER BY with these two, and goldens_end. */
	const char *goldens, *by_path, *by_metric, *goldens_end;
	/* The statements that insert rows of history_audit.c. */
	const char *verdicts, *breaks;
	/* The statements that read those that count, all columns in the same order; a missing
	 * number is NaN. */
	const char *last_verdicts, *last_breaks;
	/* Around "1,2,3", batches: where among them a row's batch is. */
	const char *place, *place_end;
	/* Appended where a run's goldens are asked for: a condition on its time, which the
	 * database finds them by, with the time as a literal in between. NULL: it need not. */
	const char *at_time, *at_time_end;
} rg_store_sql;

/* The kinds of a golden's rows: the golden itself, or one of its metrics. */
enum { RG_STORED_GOLDEN, RG_STORED_SERIES, RG_STORED_TEXT };
/* The text of a golden that is a table, which may be without records; of others it is empty. */
#define RG_ROW_TABLE "table"
/* So many runs are named in one statement, which with fifty paths stays under the 256 KiB that
 * servers take. */
enum { RG_STORE_KEYS = 2500 };

/*
 * The calls of a store of runs. `select` hands out cells as ClickHouse's RowBinary has them: an
 * array that is damaged has no bytes. There are no rows where there is no history. The others are
 * as their namesakes in history.h; `expect` is NULL where asking costs nothing.
 */
typedef struct {
	const rg_store_sql *sql;
	bool far; /* asking takes a way over the network */
	void (*close)(rg_history_store *store);
	rg_error *(*select)(rg_history_store *store, const char *what, const char *sql,
			    const rg_row_reader *reader);
	/* Rows of these types, by a statement that is a literal: all or an error. */
	rg_error *(*insert)(rg_history_store *store, const char *what, const char *sql,
			    const char *types, const rg_buf *rows);
	rg_error *(*expect)(rg_history_store *store, const rg_history_run *runs, size_t count);
	rg_error *(*begin)(rg_history_put **out, rg_history_store *store, const rg_history_run *run,
			   rg_history_run *there);
	rg_error *(*clear)(rg_history_put *put);
	rg_error *(*add)(rg_history_put *put, const char *path,
			 const char sha256[static RG_SHA256_HEX], uint64_t bytes,
			 const rg_golden *golden);
	rg_error *(*commit)(rg_history_put *put, bool complete);
	rg_error *(*gather)(rg_history_put *put, bool complete, bool *full);
	rg_error *(*flush)(rg_history_store *store);
	void (*abandon)(rg_history_put *put);
	rg_error *(*remove)(rg_history_store *store, const rg_history_run *runs, size_t count,
			    bool dry_run, uint64_t *freed);
	rg_error *(*ask)(rg_history_store *store, const char *what, const char *sql,
			 const rg_reply_taker *taker);
} rg_store_driver;

/* rg_store_sql's last_verdicts and last_breaks, with what the database has for a NaN. */
#define RG_LAST_VERDICTS(nan)                                                                      \
	"SELECT repository, file, metric, runs_of, made, verdict, runs, ifNull(spread, " nan "), " \
	"ifNull(tolerance, " nan "), failed_today, failed_recommended, breaks FROM last_verdicts " \
	"ORDER BY repository, file, metric, runs_of"
#define RG_LAST_BREAKS(nan)                                                            \
	"SELECT repository, file, metric, runs_of, made, run, \"commit\", when_text, " \
	"before, after, ifNull(shift, " nan "), ifNull(p, " nan ") FROM last_breaks"

/* Every store's handle begins with these, and so does every run that it puts. */
struct rg_history_store {
	const rg_store_driver *driver;
};
struct rg_history_put {
	const rg_store_driver *driver;
};

/* Appends "1,2,3", the keys of these runs. */
void rg_store_add_keys(rg_buf *sql, const rg_history_run *runs, size_t count);
/* A condition: these runs' rows. */
void rg_store_add_runs(rg_buf *sql, const rg_store_sql *words, const rg_history_run *runs,
		       size_t count);
/* rg_buf_check, and `select`. */
RG_CHECKED rg_error *rg_store_select(rg_history_store *store, const char *what, const rg_buf *sql,
				     const rg_row_reader *reader);

/* history_sqlite.c; as rg_history_open_foreign and rg_history_open_scratch have them. */
typedef enum { RG_HISTORY_KEPT, RG_HISTORY_FOREIGN, RG_HISTORY_SCRATCH } rg_history_use;
rg_history_store *rg_history_sqlite_open(const char *path, rg_history_use use, const rg_log *log);
RG_CHECKED rg_error *rg_history_sqlite_migrate(const char *path, bool *done);
/* history_clickhouse.c */
RG_CHECKED rg_error *rg_history_clickhouse_open(rg_history_store **out, const char *address,
						const rg_history_access *access);

#endif
