/* SPDX-License-Identifier: Apache-2.0 */
#include "store/history_hosts.h"

#include "base/memory.h"
#include "store/clickhouse.h"

#include <stdlib.h>
#include <string.h>

/* *out: the address of a database on another host, or on the address' own where `host` is NULL. */
static char *address_at(const char *address, const char *host, const char *database)
{
	const char *from = strstr(address, "://") + 3;
	size_t length = strcspn(from, "/");

	if (!host)
		return rg_textf("%.*s/%s", (int)(from + length - address), address, database);
	return rg_textf("%.*s%s/%s", (int)(from - address), address, host, database);
}

/* ---- the hosts of a cluster ---- */

typedef struct {
	const char **items;
	size_t count, capacity;
	uint64_t shared; /* so many servers are at one of them */
	rg_arena arena;
} host_list;

static void begin_hosts(void *context)
{
	((host_list *)context)->count = 0;
}

static rg_error *add_host(void *context, const rg_row_cell *cells)
{
	host_list *list = context;
	rg_grow(&list->items, &list->capacity, list->count + 1, sizeof(*list->items));
	if (cells[1].number > 1)
		list->shared = cells[1].number;
	return rg_row_copy(&cells[0], &list->arena, &list->items[list->count++]);
}

static rg_error *check_hosts(const host_list *list, const char *cluster,
			     const rg_clickhouse *server)
{
	if (!list->count)
		return rg_error_new(RG_E_NOTFOUND, "%s: knows no cluster '%s'",
				    rg_clickhouse_host(server), cluster);
	if (!list->shared)
		return NULL;
	return rg_error_new(RG_E_USAGE,
			    "%s: the cluster '%s' has %llu servers at one address; name each with "
			    "--host HOST:PORT",
			    rg_clickhouse_host(server), cluster, (unsigned long long)list->shared);
}

/* Each with the port at which the address asks. */
static rg_error *list_hosts(host_list *list, const char *cluster, rg_clickhouse *server)
{
	const char *port = strrchr(rg_clickhouse_host(server), ':');
	const rg_row_reader reader = {"sq", begin_hosts, add_host, list, RG_ANSWER_FEW};
	rg_buf sql;

	rg_buf_init(&sql, RG_BUF_TEXT);
	rg_buf_str(&sql, "SELECT concat(if(position(host_name, ':') = 0, host_name, "
			 "concat('[', host_name, ']')), ");
	rg_clickhouse_quote(&sql, port);
	rg_buf_str(&sql, ") AS host, uniqExact(port) FROM system.clusters WHERE cluster = ");
	rg_clickhouse_quote(&sql, cluster);
	rg_buf_str(&sql, " GROUP BY host ORDER BY host");
	rg_error *err = rg_buf_check(&sql, "the cluster");
	if (!err)
		err = rg_clickhouse_select(server, "the cluster", sql.data, &reader);
	rg_buf_release(&sql);
	return err ? err : check_hosts(list, cluster, server);
}

static rg_error *find_hosts(host_list *list, const rg_history_hosts *where)
{
	const rg_history_access *access = where->access;
	rg_clickhouse *server;

	char *first = address_at(where->address, NULL, "default");
	rg_error *err = rg_clickhouse_open(&server, first, &access->http, access->insecure);
	if (!err)
		err = list_hosts(list, where->cluster, server);
	rg_clickhouse_free(server);
	free(first);
	return err;
}

/* ---- visits ---- */

static rg_error *visit_host(const rg_history_hosts *where, const char *host,
			    rg_history_host_fn *visit, void *context)
{
	char *own = NULL, *first = NULL;
	own = address_at(where->address, host, strrchr(where->address, '/') + 1);
	first = address_at(where->address, host, "default");

	rg_error *err = visit(context, own, first, where->access);
	free(first);
	free(own);
	return err;
}

rg_error *rg_history_each_host(const rg_history_hosts *where, rg_history_host_fn *visit,
			       void *context)
{
	const char *const own = NULL, *const *hosts = where->host_count ? where->hosts : &own;
	size_t count = where->host_count ? where->host_count : 1;
	host_list found = {0};
	rg_error *err = NULL;

	rg_arena_init(&found.arena);
	if (where->cluster && !where->host_count) {
		err = find_hosts(&found, where);
		hosts = found.items;
		count = found.count;
	}
	for (size_t i = 0; !err && i < count; i++)
		err = visit_host(where, hosts[i], visit, context);
	rg_arena_release(&found.arena);
	free(found.items);
	return err;
}
