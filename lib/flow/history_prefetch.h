/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_FLOW_HISTORY_PREFETCH_H
#define REGILD_FLOW_HISTORY_PREFETCH_H

#include "base/cleanup.h"
#include "store/history.h"

/*
 * Goldens of a history on a server, read ahead: whoever asks for one path after the other waits
 * once for many of them. How many is doubled while they are asked for, up to some fifty, and to
 * what memory is there for.
 */
typedef struct rg_history_prefetch rg_history_prefetch;

/* Borrows all of it; `paths` are in path-component order, and so many bytes of values may wait to
 * be asked for. */
rg_history_prefetch *rg_history_prefetch_new(rg_history_store *history, const char *const *paths,
					     size_t count, uint64_t bytes_max, size_t waiting_max);
void rg_history_prefetch_free(rg_history_prefetch *ahead);
RG_FREE_AT(rg_history_prefetch)
/* Walks paths[path] like rg_history_walk. Safe for several threads. */
RG_CHECKED rg_error *rg_history_prefetch_walk(rg_history_prefetch *ahead, size_t path,
					      const rg_history_run *runs, size_t count,
					      rg_history_take_fn *take, void *context);

#endif
