/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_STORE_HISTORY_CLICKHOUSE_H
#define REGILD_STORE_HISTORY_CLICKHOUSE_H

#include "store/clickhouse.h"
#include "store/store.h"

#include <pthread.h>

/* Whole runs that are sent together. */
typedef struct {
	rg_buf series, runs; /* rows of these tables */
	size_t count;
	uint64_t first, last; /* runs' ids */
} rg_clickhouse_bundle;

/* What the server has of runs. */
typedef struct {
	rg_history_run run; /* its key 0: nothing that counts */
	uint32_t revision;  /* of what was there last; 0: nothing ever was */
	bool old;           /* somebody has begun to put it since */
} rg_clickhouse_known_run;
typedef struct {
	rg_clickhouse_known_run *items; /* sorted by rg_history_run_compare */
	size_t count;
	rg_arena arena;
} rg_clickhouse_known;

/*
 * Runs on ClickHouse; for history_clickhouse*.c. Rows are only ever added: a run's rows in `series`
 * have a number of their own, its batch, and count once a row in `runs` names that batch. Of
 * several rows for one run in `runs` one counts (history_tables.h). A batch is a run's key.
 */
typedef struct {
	rg_history_store base;
	rg_clickhouse *server;
	pthread_mutex_t lock; /* of what follows */
	bool checked;         /* the tables are of our version */
	rg_clickhouse_bundle waiting;
	rg_clickhouse_known expected;
} rg_clickhouse_store;

/* history_clickhouse_ask.c: the call of that name. */
RG_CHECKED rg_error *rg_clickhouse_ask(rg_history_store *history, const rg_question *question,
				       const rg_reply_taker *taker);

/* history_clickhouse_known.c: likewise. */
RG_CHECKED rg_error *rg_clickhouse_expect(rg_history_store *history, const rg_history_run *runs,
					  size_t count);
/* For a run that is put now: *there as rg_history_begin has it. */
RG_CHECKED rg_error *rg_clickhouse_find(rg_clickhouse_store *store, const rg_history_run *run,
					rg_history_run *there, uint32_t *revision);
void rg_clickhouse_known_release(rg_clickhouse_known *known);

/* history_clickhouse_put.c: likewise. */
RG_CHECKED rg_error *rg_clickhouse_begin(rg_history_put **out, rg_history_store *history,
					 const rg_history_run *run, rg_history_run *there);
RG_CHECKED rg_error *rg_clickhouse_clear(rg_history_put *put);
RG_CHECKED rg_error *rg_clickhouse_add(rg_history_put *put, const char *path,
				       const char sha256[static RG_SHA256_HEX], uint64_t bytes,
				       const rg_golden *golden);
RG_CHECKED rg_error *rg_clickhouse_commit(rg_history_put *put, bool complete);
RG_CHECKED rg_error *rg_clickhouse_gather(rg_history_put *put, bool complete, bool *full);
RG_CHECKED rg_error *rg_clickhouse_flush(rg_history_store *history);
void rg_clickhouse_abandon(rg_history_put *put);
void rg_clickhouse_bundle_init(rg_clickhouse_bundle *bundle);
void rg_clickhouse_bundle_release(rg_clickhouse_bundle *bundle);

/* Asks for the tables' version, once. */
RG_CHECKED rg_error *rg_clickhouse_check(rg_clickhouse_store *store);

#endif
