/* SPDX-License-Identifier: Apache-2.0 */
#include "store/history_removed.h"

#include "base/memory.h"
#include "store/history_clickhouse.h"

#include <stdlib.h>

/* Numbers of batches, in ascending order. */
typedef struct {
	rg_buf keys; /* "1,2,3" */
	size_t count;
	int64_t last;
} batch_list;

static void begin_batches(void *context)
{
	batch_list *list = context;
	rg_buf_clear(&list->keys);
	list->count = 0;
}

static rg_error *add_batch(void *context, const rg_row_cell *cells)
{
	batch_list *list = context;
	list->last = (int64_t)cells[0].number;
	rg_buf_printf(&list->keys, list->count++ ? ",%lld" : "%lld", (long long)list->last);
	return NULL;
}

/* Those after the last one that have rows here. */
static rg_error *find_batches(batch_list *list, rg_clickhouse *server, const char *table)
{
	const rg_row_reader reader = {"q", begin_batches, add_batch, list, RG_ANSWER_FEW};
	char *sql = rg_textf("SELECT DISTINCT batch FROM %s WHERE batch > %lld AND batch IN "
			     "(SELECT batch FROM runs WHERE removed = 1) ORDER BY batch LIMIT %d",
			     table, (long long)list->last, RG_STORE_KEYS);
	rg_error *err = rg_clickhouse_select(server, "removed runs", sql, &reader);
	free(sql);
	return err;
}

static rg_error *delete_batches(const batch_list *list, rg_clickhouse *server, const char *table)
{
	RG_TRY(rg_buf_check(&list->keys, "removed runs"));
	char *sql = rg_textf("ALTER TABLE %s.%s DELETE WHERE batch IN (%s)",
			     rg_clickhouse_database(server), table, list->keys.data);
	rg_error *err = rg_clickhouse_run(server, "deleting removed runs", sql);
	free(sql);
	return err;
}

static rg_error *delete_all(rg_clickhouse *server, const char *table, size_t *runs)
{
	batch_list list = {.last = 0};
	rg_error *err;

	*runs = 0;
	rg_buf_init(&list.keys, RG_BUF_TEXT);
	do {
		err = find_batches(&list, server, table);
		if (!err && list.count)
			err = delete_batches(&list, server, table);
		*runs += list.count;
	} while (!err && list.count == RG_STORE_KEYS);
	rg_buf_release(&list.keys);
	return err;
}

static rg_error *delete_here(void *table, const char *own, const char *first,
			     const rg_history_access *access)
{
	rg_clickhouse *server;
	size_t runs;

	(void)first;
	RG_TRY(rg_clickhouse_open(&server, own, &access->http, access->insecure));
	rg_error *err = delete_all(server, table, &runs);
	rg_clickhouse_free(server);
	if (!err && runs)
		rg_log_say(access->http.log, RG_LOG_INFO,
			   "%s: deletes what %zu removed run%s had there", own, runs,
			   runs == 1 ? "" : "s");
	return err;
}

/* ---- over which cluster the tables are spread ---- */

static rg_error *read_cluster(void *context, const rg_row_cell *cells)
{
	rg_buf *name = context;
	rg_buf_clear(name);
	rg_buf_add(name, cells[0].bytes, cells[0].size);
	return NULL;
}

/* Empty where they are not. */
static rg_error *find_cluster(const rg_history_hosts *where, rg_buf *name)
{
	const rg_history_access *access = where->access;
	const rg_row_reader reader = {"s", NULL, read_cluster, name, RG_ANSWER_FEW};
	rg_clickhouse *server;

	RG_TRY(rg_clickhouse_open(&server, where->address, &access->http, access->insecure));
	rg_error *err =
		rg_clickhouse_select(server, "the cluster",
				     "SELECT extract(engine_full, '^Distributed[(][^A-Za-z0-9_]*"
				     "([A-Za-z0-9_]+)') FROM system.tables "
				     "WHERE database = currentDatabase() AND name = 'series'",
				     &reader);
	rg_clickhouse_free(server);
	return err ? err : rg_buf_check(name, "the cluster");
}

rg_error *rg_history_delete_removed(const rg_history_hosts *where)
{
	static char spread[] = "series_local", whole[] = "series";
	rg_history_hosts hosts = *where;
	rg_buf name;

	rg_buf_init(&name, RG_BUF_TEXT);
	rg_error *err = find_cluster(where, &name);
	hosts.cluster = name.length ? name.data : NULL;
	if (!err)
		err = rg_history_each_host(&hosts, delete_here, name.length ? spread : whole);
	rg_buf_release(&name);
	return err;
}
