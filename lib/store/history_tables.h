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

/* The first row of a run in this order counts. */
#define RG_HISTORY_NEWEST                                                          \
	"    ORDER BY repository, source, settings, id, revision DESC, removed,\n" \
	"        attempt DESC, complete DESC, goldens DESC, batch DESC\n"          \
	"    LIMIT 1 BY repository, source, settings, id"

/* The statements that make the tables, each with a semicolon and an empty line after it; or, with
 * `migrate`, those that bring tables of the version before to this one. Each may be carried out
 * again, and so may all of them after any one. */
RG_CHECKED rg_error *rg_history_ddl(rg_buf *out, const char *database,
				    const rg_history_layout *layout, bool migrate);
/* The same after a comment that names the servers of the layout's cluster, each of which has to run
 * them. RG_E_NOTFOUND where the server at the address knows no such cluster. */
RG_CHECKED rg_error *rg_history_ddl_for(rg_buf *out, const char *address,
					const rg_history_access *access,
					const rg_history_layout *layout, bool migrate);

/*
 * Carries them out on the server of an address, which has the tables alone: RG_E_USAGE where they
 * are spread over a cluster. What is there already stays. RG_E_CONFLICT where the tables are of
 * another version; with `migrate` that before this one is brought up to date. What was broken off
 * is taken up again.
 */
RG_CHECKED rg_error *rg_history_init(const char *address, const rg_history_access *access,
				     bool migrate);

/* NULL where the database has tables of our version; RG_E_NOTFOUND where it has none. */
RG_CHECKED rg_error *rg_history_check_version(rg_clickhouse *server);

/*
 * Has the server delete the series of runs that were removed or put again, which no reader takes
 * any more; it does so in the background. Where the tables are spread over a cluster, `out` gets
 * the statements that each of its servers has to run, after a comment that names them; it stays
 * empty where there is nothing to delete.
 */
RG_CHECKED rg_error *rg_history_delete_removed(rg_buf *out, const char *address,
					       const rg_history_access *access);

#endif
