/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_STORE_HISTORY_TABLES_H
#define REGILD_STORE_HISTORY_TABLES_H

#include "store/clickhouse.h"
#include "store/history.h"

/* The tables of a history on ClickHouse, which regild-history(5) describes. */

typedef struct {
	const char
		*cluster; /* its tables are spread over this cluster's shards; NULL: one server */
	bool replicated;  /* each shard has replicas, which needs a coordinator */
} rg_history_layout;

/* Of two rows of one run, the first in this order counts. */
#define RG_HISTORY_NEWEST                                                          \
	"    ORDER BY repository, source, settings, id, revision DESC, removed,\n" \
	"        attempt DESC, complete DESC, goldens DESC, batch DESC\n"          \
	"    LIMIT 1 BY repository, source, settings, id"

/* The statements that make the tables, each with a semicolon and an empty line after it. */
RG_CHECKED rg_error *rg_history_ddl(rg_buf *out, const char *database,
				    const rg_history_layout *layout);

/*
 * Carries them out at an address, and with a cluster on each of its hosts: those given
 * ("HOST[:PORT]"), or else those that the server names, at the address' port. What is there already
 * stays. RG_E_CONFLICT where the tables are of another version.
 */
RG_CHECKED rg_error *rg_history_init(const char *address, const rg_history_access *access,
				     const rg_history_layout *layout, const char *const *hosts,
				     size_t host_count);

/* The same where the tables are of the version before: what it lacks is made, and then they are of
 * this version. What was broken off is taken up again. */
RG_CHECKED rg_error *rg_history_migrate(const char *address, const rg_history_access *access,
					const rg_history_layout *layout, const char *const *hosts,
					size_t host_count);

/* NULL where the database has tables of our version; RG_E_NOTFOUND where it has none. */
RG_CHECKED rg_error *rg_history_check_version(rg_clickhouse *server);

/* The hosts that have the tables of a history on ClickHouse. */
typedef struct {
	const char *address;
	const rg_history_access *access;
	const char *cluster;      /* NULL: the address' own host alone */
	const char *const *hosts; /* "HOST[:PORT]"; none: those of the cluster that the server */
	size_t host_count;        /* names, at the address' port */
} rg_history_hosts;

/*
 * Has each host delete what removed runs have left there, which no reader takes any more; they do
 * so in the background. The cluster is the one over which the tables are spread, and that of
 * `where` is not read.
 */
RG_CHECKED rg_error *rg_history_delete_removed(const rg_history_hosts *where);

#endif
