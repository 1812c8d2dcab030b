/* SPDX-License-Identifier: Apache-2.0 */
#include "store/history_clickhouse.h"

#include "base/memory.h"
#include "store/history_tables.h"

#include <stdlib.h>

/* ---- selecting ---- */

static rg_error *select_rows(rg_history_store *history, const char *what, const char *sql,
			     const rg_row_reader *reader)
{
	rg_clickhouse_store *store = (rg_clickhouse_store *)history;
	RG_TRY(rg_clickhouse_check(store));
	return rg_clickhouse_select(store->server, what, sql, reader);
}

static rg_error *insert_rows(rg_history_store *history, const char *what, const char *sql,
			     const char *types, const rg_buf *rows)
{
	rg_clickhouse_store *store = (rg_clickhouse_store *)history;
	(void)types;
	RG_TRY(rg_clickhouse_check(store));
	return rg_clickhouse_insert(store->server, what, sql, rows);
}

static const rg_store_sql words = {
	.quote = rg_clickhouse_quote,
	.runs = "runs",
	.newest = RG_HISTORY_NEWEST,
	/* One that was written twice counts once. */
	.count = "SELECT batch, uniqExact(file, kind, metric), toUInt64(0) FROM series WHERE ",
	.count_end = " GROUP BY batch",
	.files = "SELECT DISTINCT file FROM series WHERE kind = 'golden' AND ",
	.goldens = "SELECT batch, kind, file, sha256, bytes, records, metric, steps, `values`, "
		   "text, metrics FROM series WHERE ",
	/* A slash comes before whatever a name holds. */
	.by_path = "replaceAll(file, '/', '\\0')",
	.by_metric = "kind != 'golden', metric",
	.goldens_end = "",
	.verdicts = "INSERT INTO verdicts (repository, file, metric, runs_of, "
		    "made, verdict, runs, spread, tolerance, failed_today, "
		    "failed_recommended, breaks) FORMAT RowBinary",
	.breaks = "INSERT INTO breaks (repository, file, metric, runs_of, made, "
		  "run, \"commit\", when_text, before, after, shift, p) FORMAT "
		  "RowBinary",
	.last_verdicts = RG_LAST_VERDICTS("nan"),
	.last_breaks = RG_LAST_BREAKS("nan"),
	.place = "indexOf([",
	.place_end = "], batch)",
	.at_time = "parseDateTimeBestEffortOrZero(",
	.at_time_end = ", 'UTC')",
};

/* ---- removing ---- */

/* A row that says so: what it takes back stays until rg_history_delete_removed. */
static rg_error *remove_some(rg_clickhouse_store *store, const rg_history_run *runs, size_t count)
{
	rg_buf sql;
	rg_buf_init(&sql, RG_BUF_TEXT);
	rg_buf_str(&sql, "INSERT INTO runs (repository, source, settings, id, attempt, commit, "
			 "branch, event, when_text, fork, complete, removed, goldens, rows, "
			 "revision, batch) SELECT repository, source, settings, id, attempt, "
			 "commit, branch, "
			 "event, when_text, fork, complete, toUInt8(1), goldens, rows, "
			 "toUInt32(revision + 1), batch FROM runs WHERE removed = 0 AND batch IN ");
	rg_buf_char(&sql, '(');
	rg_store_add_keys(&sql, runs, count);
	rg_buf_char(&sql, ')');
	rg_error *err = rg_buf_check(&sql, "the runs");
	if (!err)
		err = rg_clickhouse_run(store->server, "removing runs", sql.data);
	rg_buf_release(&sql);
	return err;
}

static rg_error *remove_runs(rg_history_store *history, const rg_history_run *runs, size_t count,
			     bool dry_run, uint64_t *freed)
{
	rg_clickhouse_store *store = (rg_clickhouse_store *)history;
	size_t some;

	*freed = 0;
	RG_TRY(rg_clickhouse_check(store));
	for (size_t at = 0; !dry_run && at < count; at += some) {
		some = count - at < RG_STORE_KEYS ? count - at : RG_STORE_KEYS;
		RG_TRY(remove_some(store, runs + at, some));
	}
	return NULL;
}

/* ---- the store ---- */

static void close_store(rg_history_store *history)
{
	rg_clickhouse_store *store = (rg_clickhouse_store *)history;
	rg_clickhouse_known_release(&store->expected);
	rg_clickhouse_bundle_release(&store->waiting);
	rg_clickhouse_free(store->server);
	pthread_mutex_destroy(&store->lock);
	free(store);
}

static const rg_store_driver driver = {
	.sql = &words,
	.far = true,
	.close = close_store,
	.select = select_rows,
	.insert = insert_rows,
	.expect = rg_clickhouse_expect,
	.begin = rg_clickhouse_begin,
	.clear = rg_clickhouse_clear,
	.add = rg_clickhouse_add,
	.commit = rg_clickhouse_commit,
	.gather = rg_clickhouse_gather,
	.flush = rg_clickhouse_flush,
	.abandon = rg_clickhouse_abandon,
	.remove = remove_runs,
	.ask = rg_clickhouse_ask,
};

rg_error *rg_history_clickhouse_open(rg_history_store **out, const char *address,
				     const rg_history_access *access)
{
	rg_clickhouse_store *store = rg_calloc(1, sizeof(*store));
	*out = NULL;
	pthread_mutex_init(&store->lock, NULL);
	store->base.driver = &driver;
	rg_clickhouse_bundle_init(&store->waiting);
	rg_arena_init(&store->expected.arena);
	rg_error *err =
		rg_clickhouse_open(&store->server, address, &access->http, access->insecure);
	if (err)
		close_store(&store->base);
	else
		*out = &store->base;
	return err;
}
