/* SPDX-License-Identifier: Apache-2.0 */
#include "store/history_clickhouse.h"

#include "base/memory.h"
#include "store/history_tables.h"

#include <stdlib.h>

/* ---- listing ---- */

static void begin_runs(void *context)
{
	((rg_history_run_list *)context)->count = 0;
}

static rg_error *read_run(rg_history_run *run, rg_arena *arena, const rg_row_cell *cells)
{
	*run = (rg_history_run){.key = (int64_t)cells[0].number,
				.id = cells[1].number,
				.attempt = (unsigned)cells[2].number,
				.complete = cells[3].number != 0,
				.goldens = (size_t)cells[4].number,
				.fork = cells[12].number != 0,
				.rows = cells[13].number};
	RG_TRY(rg_row_copy(&cells[5], arena, &run->repository));
	RG_TRY(rg_row_copy(&cells[6], arena, &run->source));
	RG_TRY(rg_row_copy(&cells[7], arena, &run->settings));
	RG_TRY(rg_row_copy(&cells[8], arena, &run->commit));
	RG_TRY(rg_row_copy(&cells[9], arena, &run->branch));
	RG_TRY(rg_row_copy(&cells[10], arena, &run->event));
	return rg_row_copy(&cells[11], arena, &run->when);
}

static rg_error *add_run(void *context, const rg_row_cell *cells)
{
	rg_history_run run;
	rg_arena arena;

	rg_arena_init(&arena);
	rg_error *err = read_run(&run, &arena, cells);
	if (!err)
		rg_history_add_run(context, &run);
	rg_arena_release(&arena);
	return err;
}

static void add_condition(rg_buf *sql, const char *column, const char *value)
{
	if (!value)
		return;
	rg_buf_printf(sql, " AND %s = ", column);
	rg_clickhouse_quote(sql, value);
}

static rg_error *list_runs(rg_history_store *history, const rg_history_query *query,
			   rg_arena *arena, rg_history_run **out, size_t *count)
{
	rg_clickhouse_store *store = (rg_clickhouse_store *)history;
	rg_history_run_list list = {.arena = arena};
	const rg_clickhouse_reader reader = {"qqdbdsssssssbq", begin_runs, add_run, &list,
					     RG_ANSWER_LIST};
	rg_error *err;
	rg_buf sql;

	*out = NULL;
	*count = 0;
	RG_TRY(rg_clickhouse_check(store));
	rg_buf_init(&sql, RG_BUF_TEXT);
	rg_buf_str(&sql, "SELECT batch, id, attempt, complete, goldens, repository, source, "
			 "settings, commit, branch, event, when_text, fork, rows "
			 "FROM (SELECT * FROM runs WHERE 1");
	add_condition(&sql, "repository", query->repository);
	add_condition(&sql, "settings", query->settings);
	if (query->id)
		rg_buf_printf(&sql, " AND id = %llu", (unsigned long long)query->id);
	rg_buf_str(&sql, " " RG_HISTORY_NEWEST ") WHERE removed = 0 "
			 "ORDER BY when_text, id, batch");
	err = rg_buf_check(&sql, "the runs");
	if (!err)
		err = rg_clickhouse_select(store->server, "the runs", sql.data, &reader);
	rg_buf_release(&sql);
	if (!err && list.items)
		rg_arena_adopt(arena, list.items);
	if (err) {
		free(list.items);
		return err;
	}
	*out = list.items;
	*count = list.count;
	return NULL;
}

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
	rg_clickhouse_keys(&sql, runs, count);
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
		some = count - at < RG_CLICKHOUSE_KEYS ? count - at : RG_CLICKHOUSE_KEYS;
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

static const rg_history_operations operations = {
	.close = close_store,
	.list = list_runs,
	.expect = rg_clickhouse_expect,
	.begin = rg_clickhouse_begin,
	.clear = rg_clickhouse_clear,
	.add = rg_clickhouse_add,
	.commit = rg_clickhouse_commit,
	.gather = rg_clickhouse_gather,
	.flush = rg_clickhouse_flush,
	.abandon = rg_clickhouse_abandon,
	.remove = remove_runs,
	.files = rg_clickhouse_files,
	.count_rows = rg_clickhouse_count_rows,
	.walk = rg_clickhouse_walk,
	.goldens = rg_clickhouse_goldens,
	.ask = rg_clickhouse_ask,
};

rg_error *rg_history_clickhouse_open(rg_history_store **out, const char *address,
				     const rg_history_access *access)
{
	rg_clickhouse_store *store = rg_calloc(1, sizeof(*store));
	*out = NULL;
	pthread_mutex_init(&store->lock, NULL);
	store->base.operations = &operations;
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
