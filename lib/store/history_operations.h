/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_STORE_HISTORY_OPERATIONS_H
#define REGILD_STORE_HISTORY_OPERATIONS_H

#include "store/history.h"

/*
 * What a store of runs does; for history.c, which hands every call of history.h on, and for the
 * stores. Each is as its namesake there; `walk` and `goldens` never get an error for one golden.
 * `expect` is NULL where asking costs nothing.
 */
typedef struct {
	void (*close)(rg_history_store *store);
	rg_error *(*list)(rg_history_store *store, const rg_history_query *query, rg_arena *arena,
			  rg_history_run **out, size_t *count);
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
	rg_error *(*files)(rg_history_store *store, const rg_history_run *runs, size_t count,
			   rg_arena *arena, const char ***out, size_t *file_count);
	rg_error *(*count_rows)(rg_history_store *store, const rg_history_run *runs, size_t count,
				uint64_t *rows);
	rg_error *(*walk)(rg_history_store *store, const char *path, const rg_history_run *runs,
			  size_t count, uint64_t bytes_max, rg_history_take_fn *take,
			  void *context);
	rg_error *(*goldens)(rg_history_store *store, const rg_history_run *run, uint64_t bytes_max,
			     rg_history_take_fn *take, void *context);
	rg_error *(*ask)(rg_history_store *store, const rg_question *question,
			 const rg_reply_taker *taker);
} rg_history_operations;

/* What every store's handle, and what it puts, begins with. */
struct rg_history_store {
	const rg_history_operations *operations;
};
struct rg_history_put {
	const rg_history_operations *operations;
};

/* Runs as they are listed, with their texts in `arena`; history_run.c */
typedef struct {
	rg_history_run *items;
	size_t count, capacity;
	rg_arena *arena;
} rg_history_run_list;
void rg_history_add_run(rg_history_run_list *list, const rg_history_run *run);

/* history_sqlite.c; as rg_history_open_foreign and rg_history_open_scratch have them. */
typedef enum { RG_HISTORY_KEPT, RG_HISTORY_FOREIGN, RG_HISTORY_SCRATCH } rg_history_use;
rg_history_store *rg_history_sqlite_open(const char *path, rg_history_use use);
/* history_clickhouse.c */
RG_CHECKED rg_error *rg_history_clickhouse_open(rg_history_store **out, const char *address,
						const rg_history_access *access);

#endif
