/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_STORE_HISTORY_H
#define REGILD_STORE_HISTORY_H

#include "base/digest.h"
#include "golden/golden.h"
#include "net/http.h"
#include "store/question.h"

/*
 * The history of runs: their series kept for good, because artifacts expire. This is all that the
 * rest of regild knows of it; what is below is an SQLite file or a ClickHouse server, both
 * described in regild-history(5), behind the calls of store.h.
 *
 * A handle may be used by several threads, and several processes may use the same history. Whatever
 * was committed stays, whenever a process is killed. A damaged history is RG_E_PARSE and one of
 * another version RG_E_CONFLICT: both say what to do, and neither is written to. RG_E_NET and
 * RG_E_AUTH come from servers alone.
 */
typedef struct rg_history_store rg_history_store;

/* How a server is reached; borrowed while the history is opened, the log until it is closed. */
typedef struct {
	/* Waits, and the log, which hears of other processes' locks, too; its service, URL and
	 * token are not read. */
	rg_http_options http;
	bool insecure; /* clickhouse:// may go to another machine */
} rg_history_access;

/* $XDG_DATA_HOME/regild/history.db, else ~/.local/share/regild/history.db; *out is the caller's to
 * free. RG_E_IO where neither is set. */
RG_CHECKED rg_error *rg_history_path(char **out);

/* `address` is a path (NULL: as above) or clickhouse://HOST[:PORT]/DATABASE, or clickhouses:// with
 * TLS; case does not matter in "clickhouse". Nothing is opened yet: a file is made when the first
 * run is put, and a server is asked when there is something to ask. RG_E_USAGE for an address that
 * is not one, RG_E_UNSAFE for one without TLS to another machine. `access` may be NULL: as it is by
 * default. */
RG_CHECKED rg_error *rg_history_open(rg_history_store **out, const char *address,
				     const rg_history_access *access);
/* RG_E_USAGE for what is neither a server's address nor a path: it has a colon before any slash. */
RG_CHECKED rg_error *rg_history_check_address(const char *address);
/* Is it a server's address? */
bool rg_history_is_remote(const char *address);
/* Is it on a server? Asking for little at a time takes its time there. */
bool rg_history_is_far(const rg_history_store *history);
/* A history that came from elsewhere, an SQLite file, for reading alone: it may be made to harm.
 * RG_E_IO where there is none, RG_E_PARSE where it is damaged or not laid out as a history is. */
RG_CHECKED rg_error *rg_history_open_foreign(rg_history_store **out, const char *path);
/* An SQLite file that nobody wants after a crash: the disk is not waited for. */
void rg_history_open_scratch(rg_history_store **out, const char *path);
void rg_history_close(rg_history_store *history);
/* Makes a file (NULL: as rg_history_path has it) of the version before into one of this version,
 * all or nothing; *done: it was none yet. RG_E_IO where there is none. */
RG_CHECKED rg_error *rg_history_migrate_file(const char *path, bool *done);

/* A run as one set of settings sees it: they decide which of its files are goldens. Texts are never
 * NULL. */
typedef struct {
	int64_t key;            /* the history's own; 0: not in it */
	const char *repository; /* "github.com/OWNER/NAME" */
	const char *source;     /* "github" */
	const char *settings;   /* a key of those settings */
	uint64_t id;
	unsigned attempt;
	const char *commit, *branch, *event, *when;
	bool fork;     /* its commit is another repository's */
	bool complete; /* false: something was missing when it was fetched; worth another try */
	/* When listed, how many goldens it has, and how many rows: one for each golden, and one for
	 * each series and text of these. */
	size_t goldens;
	uint64_t rows;
} rg_history_run;

/* Orders runs by their names: repository, source, settings and id. */
int rg_history_run_compare(const void *a, const void *b);
/* Copies a run with its texts into `arena`. It shares those that `before`, another copy there, has
 * as well, as most runs of a list do; `before` may be empty. */
void rg_history_run_copy(rg_history_run *out, const rg_history_run *run,
			 const rg_history_run *before, rg_arena *arena);
/* Is it of that repository, "github.com/OWNER/NAME" or the end of it after a slash? NULL: of any.
 */
bool rg_history_run_is_of(const rg_history_run *run, const char *repository);

/* Narrows a list; NULL and 0: any. */
typedef struct {
	const char *repository, *settings;
	uint64_t id;
} rg_history_query;

/* Runs by time and id, allocated in `arena` with their texts. None where there is no history. */
RG_CHECKED rg_error *rg_history_list(rg_history_store *history, const rg_history_query *query,
				     rg_arena *arena, rg_history_run **out, size_t *count);

/*
 * Puts a run, all of it or nothing: begin, add each golden, commit (RG_E_MISMATCH where a golden
 * that stays is not whole). What the history has of the
 * same run (repository, source, settings, id) stays where nothing is added in its place. Nobody
 * else puts meanwhile: *there (key, attempt, complete), what the history has of it, is still so at
 * the commit. Its key is 0 where that is nothing.
 */
typedef struct rg_history_put rg_history_put;
RG_CHECKED rg_error *rg_history_begin(rg_history_put **out, rg_history_store *history,
				      const rg_history_run *run, rg_history_run *there);
/* These runs may be put next: a server is asked what it has of them at once, and not run by run.
 * Of a run that others put from now on *there says nothing, and of the two one counts. */
RG_CHECKED rg_error *rg_history_expect(rg_history_store *history, const rg_history_run *runs,
				       size_t count);
/* Before the first golden: what the history has of the run's goldens does not stay. */
RG_CHECKED rg_error *rg_history_clear(rg_history_put *put);
/* `sha256` and `bytes` are the golden's file's. Texts of over 256 bytes are not kept. RG_E_UNSAFE
 * for a path that rg_path_check refuses. */
RG_CHECKED rg_error *rg_history_add(rg_history_put *put, const char *path,
				    const char sha256[static RG_SHA256_HEX], uint64_t bytes,
				    const rg_golden *golden);
/* The run counts once this has returned NULL. Frees `put` in any case. */
RG_CHECKED rg_error *rg_history_commit(rg_history_put *put, bool complete);
/* The same for one of many runs, which are put together: it may wait, and counts once
 * rg_history_flush has returned NULL. *full: now is the time for that. Of a run that waits twice
 * one counts. While runs wait the handle is this thread's alone, and a commit may send
 * them, too. */
RG_CHECKED rg_error *rg_history_gather(rg_history_put *put, bool complete, bool *full);
/* Puts the runs that wait. None waits after an error, which names them: each counts, whole, or is
 * as if it had not begun; so are those that wait when the history is closed. */
RG_CHECKED rg_error *rg_history_flush(rg_history_store *history);
/* Undoes the put as if it had not begun; `put` may be NULL. */
void rg_history_abandon(rg_history_put *put);

/* Forgets these runs, with their goldens, all or none of them; with `dry_run` only says what that
 * would come to. *freed: bytes that the store takes less, 0 where it cannot say. */
RG_CHECKED rg_error *rg_history_remove(rg_history_store *history, const rg_history_run *runs,
				       size_t count, bool dry_run, uint64_t *freed);

/* How many of their rows are here; fewer than `rows` where a server's replica is behind or data is
 * lost. */
RG_CHECKED rg_error *rg_history_count_rows(rg_history_store *history, const rg_history_run *runs,
					   size_t count, uint64_t *rows);
/* RG_E_MISMATCH: what is said of a run, or a golden, that is not whole. */
RG_CHECKED rg_error *rg_history_incomplete(void);

/* Keeps of a list the runs that are whole; a log hears of the others, each with "left out". */
RG_CHECKED rg_error *rg_history_keep_whole(rg_history_store *history, const rg_log *log,
					   rg_history_run *runs, size_t *count);

/* The paths of all goldens of these runs, in path-component order, texts in `arena`; *out is the
 * caller's to free. */
RG_CHECKED rg_error *rg_history_files(rg_history_store *history, const rg_history_run *runs,
				      size_t count, rg_arena *arena, const char ***out,
				      size_t *file_count);

/* The format of goldens that come out of a history. Of an opaque one it has the file's SHA-256 in
 * the place of its bytes. */
#define RG_HISTORY_FORMAT "history"

/* A golden as the history has it. */
typedef struct {
	const char *path;           /* borrowed until the call with it returns */
	char sha256[RG_SHA256_HEX]; /* of its file, as are the bytes */
	uint64_t bytes;
	rg_golden *golden; /* NULL: it could not be read, and `why` says why */
	rg_error
		*why; /* RG_E_LIMIT: its file had over `bytes_max`; RG_E_MISMATCH: damaged or
		       * incomplete; RG_E_PARSE, from rg_history_goldens: so is the history there */
} rg_history_golden;

/* Gets a golden of runs[run], whose `golden` and `why` it takes over. An error ends the
 * walk and is returned from it. */
typedef rg_error *rg_history_take_fn(void *context, size_t run, rg_history_golden *golden);

/* The goldens at these paths, which are in path-component order, of each of these runs that has
 * one: path by path, and of each in the order of the runs, which is the list's. */
RG_CHECKED rg_error *rg_history_walk(rg_history_store *history, const char *const *paths,
				     size_t path_count, const rg_history_run *runs, size_t count,
				     uint64_t bytes_max, rg_history_take_fn *take, void *context);
/* All goldens of these runs, some fifty at most, as they were listed: run by run, and of each in
 * path-component order. RG_E_MISMATCH, in the end, where some of them are not here. */
RG_CHECKED rg_error *rg_history_goldens(rg_history_store *history, const rg_history_run *runs,
					size_t count, uint64_t bytes_max, rg_history_take_fn *take,
					void *context);
/* A run's golden; *out is NULL where it has none at that path. Else as above. */
RG_CHECKED rg_error *rg_history_get(rg_history_store *history, const rg_history_run *run,
				    const char *path, uint64_t bytes_max, rg_golden **out);

/* An audit's verdict on a series. */
typedef struct {
	const char *file, *metric;
	const char *runs_of; /* "all", or the branch or commit whose runs it is of */
	const char *verdict; /* "broke", "drifts", "same", "noisy" or "unmeasured" */
	uint64_t runs, failed_today, failed_recommended, breaks;
	double spread, tolerance; /* NaN: none */
} rg_history_verdict;
/* A place where a series broke: the first run of the newer side. */
typedef struct {
	const char *file, *metric, *runs_of;
	uint64_t run;
	const char *commit, *when;
	uint64_t before, after; /* runs on both sides */
	double shift, p;
} rg_history_break;
typedef struct {
	const char *repository, *made; /* made: the time, in ISO 8601 */
	const rg_history_verdict *verdicts;
	size_t verdict_count;
	const rg_history_break *breaks;
	size_t break_count;
} rg_history_audit;

/* Keeps what an audit found, instead of what earlier ones found of the same series. RG_E_AUTH where
 * the user may only read. */
RG_CHECKED rg_error *rg_history_keep_audit(rg_history_store *history,
					   const rg_history_audit *audit);

/* Asks it. Where there is no history, there are neither columns nor rows. */
RG_CHECKED rg_error *rg_history_ask(rg_history_store *history, const rg_question *question,
				    const rg_reply_taker *taker);

#endif
