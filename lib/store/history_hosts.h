/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_STORE_HISTORY_HOSTS_H
#define REGILD_STORE_HISTORY_HOSTS_H

#include "store/history.h"

/* The hosts that have the tables of a history on ClickHouse. */
typedef struct {
	const char *address;
	const rg_history_access *access;
	const char *cluster;      /* NULL: the address' own host alone */
	const char *const *hosts; /* "HOST[:PORT]"; none: those of the cluster that the server */
	size_t host_count;        /* names, at the address' port */
} rg_history_hosts;

/* Gets the history's address on a host, and that of the database that every server has. */
typedef rg_error *rg_history_host_fn(void *context, const char *own, const char *first,
				     const rg_history_access *access);
/* One after the other, up to an error. */
RG_CHECKED rg_error *rg_history_each_host(const rg_history_hosts *where, rg_history_host_fn *visit,
					  void *context);

#endif
