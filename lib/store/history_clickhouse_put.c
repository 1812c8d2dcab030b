/* SPDX-License-Identifier: Apache-2.0 */
#include "store/history_clickhouse.h"

#include "base/memory.h"
#include "golden/records.h"
#include "golden/series_summary.h"
#include "store/history_kept.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h> /* where macOS has getentropy, */
#include <unistd.h>     /* and here the others */

/*
 * Rows are gathered and sent in blocks, of many runs where these come one after another, those in
 * `series` first. Only when all shards have said that they have them come the rows in `runs`, with
 * which they count.
 */

enum {
	BLOCK_MAX = 16 << 20,  /* bytes that are sent together */
	ROWS_MAX = 1000000000, /* bytes of one golden's rows */
	/* So that no INSERT is for more months than servers take (max_partitions_per_insert_block).
	 */
	RUNS_MAX = 100,
};

#define SERIES_COLUMNS                                                                            \
	"INSERT INTO series (repository, run, commit, branch, when_text, file, kind, metric, "    \
	"steps, `values`, "                                                                       \
	"text, records, metrics, sha256, bytes, not_finite, mean, minimum, maximum, last_value, " \
	"batch) "                                                                                 \
	"FORMAT RowBinary"
#define RUN_COLUMNS                                                                            \
	"INSERT INTO runs (repository, source, settings, id, attempt, commit, branch, event, " \
	"when_text, fork, complete, removed, goldens, rows, revision, batch) FORMAT RowBinary"

typedef struct {
	rg_history_put base;
	rg_clickhouse_store *store;
	rg_history_run run;   /* its key is the batch */
	rg_history_run there; /* of which goldens stay; its key 0: none */
	uint32_t revision;
	rg_buf rows;        /* of `series`, not sent yet */
	uint64_t row_count; /* of all so far */
	const char **paths; /* of the goldens so far */
	size_t count, capacity;
	rg_arena arena;
} clickhouse_put;

/* ---- rows ---- */

/* What a row of a golden says besides. */
typedef struct {
	const clickhouse_put *put;
	const char *path, *sha256;
	uint64_t bytes;
	rg_buf *out;
	size_t metrics; /* so far */
} row_of;

static void add_front(const row_of *of, unsigned kind, const char *metric)
{
	rg_row_text(of->out, of->put->run.repository);
	rg_row_number(of->out, of->put->run.id, 8);
	rg_row_text(of->out, of->put->run.commit);
	rg_row_text(of->out, of->put->run.branch);
	rg_row_text(of->out, of->put->run.when);
	rg_row_text(of->out, of->path);
	rg_row_number(of->out, kind, 1);
	rg_row_text(of->out, metric);
}

/* The digest is a golden's own, and "" beside its metrics. */
static void add_end(const row_of *of, const char *sha256, const rg_series_summary *summary)
{
	rg_row_text(of->out, sha256);
	rg_row_number(of->out, of->bytes, 8);
	rg_row_number(of->out, summary->not_finite, 8);
	rg_row_double(of->out, summary->mean);
	rg_row_double(of->out, summary->minimum);
	rg_row_double(of->out, summary->maximum);
	rg_row_double(of->out, summary->last);
	rg_row_number(of->out, (uint64_t)of->put->run.key, 8);
}

static const rg_series_summary no_summary = {0, NAN, NAN, NAN, NAN};

static rg_error *add_values(rg_buf *out, const rg_metric *series)
{
	double values[1024];
	rg_row_length(out, series->count);
	for (size_t i = 0; i < series->count; i++)
		rg_row_number(out, (uint64_t)rg_metric_step(series, i), 8);
	rg_row_length(out, series->count);
	for (size_t first = 0; first < series->count; first += 1024) {
		size_t left = series->count - first, count = left < 1024 ? left : 1024;
		RG_TRY(rg_metric_read(series, first, count, values));
		for (size_t i = 0; i < count; i++)
			rg_row_double(out, values[i]);
	}
	return NULL;
}

static rg_error *add_metric(void *context, const rg_metric *metric)
{
	row_of *of = context;
	rg_series_summary summary = no_summary;
	bool series = metric->kind == RG_METRIC_SERIES;

	of->metrics++;
	add_front(of, series ? RG_ROW_SERIES : RG_ROW_TEXT, metric->name);
	if (series) {
		RG_TRY(rg_series_summarise(&summary, metric));
		RG_TRY(add_values(of->out, metric));
		rg_row_text(of->out, "");
	} else {
		rg_row_length(of->out, 0);
		rg_row_length(of->out, 0);
		rg_row_text(of->out, metric->text);
	}
	rg_row_length(of->out, 0);
	rg_row_number(of->out, 0, 4);
	add_end(of, "", &summary);
	return NULL;
}

static void add_golden(const row_of *of, const rg_records *records)
{
	add_front(of, RG_ROW_GOLDEN, "");
	rg_row_length(of->out, 0);
	rg_row_length(of->out, 0);
	rg_row_text(of->out, records ? RG_ROW_TABLE : "");
	rg_row_length(of->out, records ? records->count : 0);
	for (size_t i = 0; records && i < records->count; i++)
		rg_row_text(of->out, records->names[i]);
	rg_row_number(of->out, of->metrics, 4);
	add_end(of, of->sha256, &no_summary);
}

static rg_error *send_series(const rg_buf *rows, rg_clickhouse_store *store)
{
	RG_TRY(rg_buf_check(rows, "runs' series"));
	if (!rows->length)
		return NULL;
	return rg_clickhouse_insert(store->server, "runs' series", SERIES_COLUMNS, rows);
}

static void add_run(rg_buf *out, const clickhouse_put *put, bool complete)
{
	const rg_history_run *run = &put->run;
	rg_row_text(out, run->repository);
	rg_row_text(out, run->source);
	rg_row_text(out, run->settings);
	rg_row_number(out, run->id, 8);
	rg_row_number(out, run->attempt, 4);
	rg_row_text(out, run->commit);
	rg_row_text(out, run->branch);
	rg_row_text(out, run->event);
	rg_row_text(out, run->when);
	rg_row_number(out, run->fork, 1);
	rg_row_number(out, complete, 1);
	rg_row_number(out, 0, 1);
	rg_row_number(out, put->count, 4);
	rg_row_number(out, put->row_count, 8);
	rg_row_number(out, put->revision, 4);
	rg_row_number(out, (uint64_t)run->key, 8);
}

/* ---- the beginning ---- */

/* A number that nobody else draws. */
static rg_error *draw_batch(int64_t *batch)
{
	uint64_t bits;
	if (getentropy(&bits, sizeof(bits)))
		return rg_error_new(RG_E_IO, "the system has no random numbers");
	*batch = (int64_t)(bits >> 1 | 1);
	return NULL;
}

rg_error *rg_clickhouse_begin(rg_history_put **out, rg_history_store *history,
			      const rg_history_run *run, rg_history_run *there)
{
	rg_clickhouse_store *store = (rg_clickhouse_store *)history;
	clickhouse_put *put;

	*out = NULL;
	RG_TRY(rg_clickhouse_check(store));
	put = rg_calloc(1, sizeof(*put));
	put->base.driver = history->driver;
	put->store = store;
	rg_arena_init(&put->arena);
	rg_buf_init(&put->rows, ROWS_MAX);
	rg_history_run_copy(&put->run, run, &(const rg_history_run){0}, &put->arena);
	rg_error *err = draw_batch(&put->run.key);
	if (!err)
		err = rg_clickhouse_find(store, run, there, &put->revision);
	if (!err) {
		put->revision++;
		put->there = put->run;
		put->there.key = there->key;
		put->there.goldens = there->goldens;
		put->there.rows = there->rows;
		*out = &put->base;
	} else {
		rg_clickhouse_abandon(&put->base);
	}
	return err;
}

rg_error *rg_clickhouse_clear(rg_history_put *base)
{
	((clickhouse_put *)base)->there.key = 0;
	return NULL;
}

static bool has_path(const clickhouse_put *put, const char *path)
{
	size_t i = put->count;
	while (i && strcmp(put->paths[i - 1], path) != 0)
		i--;
	return i > 0;
}

rg_error *rg_clickhouse_add(rg_history_put *base, const char *path,
			    const char sha256[static RG_SHA256_HEX], uint64_t bytes,
			    const rg_golden *golden)
{
	clickhouse_put *put = (clickhouse_put *)base;
	row_of of = {put, path, sha256, bytes, &put->rows, 0};

	if (has_path(put, path))
		return rg_error_new(RG_E_CONFLICT, "%s: twice in one run", path);
	rg_grow(&put->paths, &put->capacity, put->count + 1, sizeof(*put->paths));
	put->paths[put->count] = rg_arena_text(&put->arena, path);
	put->count++;
	RG_TRY(rg_history_keep(golden, add_metric, &of));
	add_golden(&of, golden->records);
	put->row_count += of.metrics + 1;
	if (put->rows.length < BLOCK_MAX)
		return rg_buf_check(&put->rows, "a golden's series");
	RG_TRY(send_series(&put->rows, put->store));
	rg_buf_clear(&put->rows);
	return NULL;
}

/* ---- the end ---- */

static rg_error *keep_golden(void *context, size_t run, rg_history_golden *golden)
{
	clickhouse_put *put = context;
	rg_error *err = NULL;

	(void)run;
	if (!has_path(put, golden->path)) {
		err = golden->why;
		golden->why = NULL;
		if (!err)
			err = rg_clickhouse_add(&put->base, golden->path, golden->sha256,
						golden->bytes, golden->golden);
	}
	rg_error_free(golden->why);
	rg_golden_free(golden->golden);
	return err;
}

/* Goldens that were there and are not given again. */
static rg_error *keep_others(clickhouse_put *put)
{
	return rg_history_goldens(&put->store->base, &put->there, 1, UINT64_MAX, keep_golden, put);
}

void rg_clickhouse_bundle_init(rg_clickhouse_bundle *bundle)
{
	*bundle = (rg_clickhouse_bundle){0};
	rg_buf_init(&bundle->series, ROWS_MAX);
	rg_buf_init(&bundle->runs, RG_BUF_TEXT);
}

void rg_clickhouse_bundle_release(rg_clickhouse_bundle *bundle)
{
	rg_buf_release(&bundle->series);
	rg_buf_release(&bundle->runs);
}

static rg_error *send_bundle(const rg_clickhouse_bundle *bundle, rg_clickhouse_store *store)
{
	RG_TRY(rg_buf_check(&bundle->runs, "runs"));
	RG_TRY(send_series(&bundle->series, store));
	return rg_clickhouse_insert(store->server, "runs", RUN_COLUMNS, &bundle->runs);
}

static void add_to_bundle(rg_clickhouse_bundle *bundle, const clickhouse_put *put, bool complete)
{
	rg_buf_add(&bundle->series, put->rows.data, put->rows.length);
	add_run(&bundle->runs, put, complete);
	if (!bundle->count++)
		bundle->first = put->run.id;
	bundle->last = put->run.id;
}

rg_error *rg_clickhouse_commit(rg_history_put *base, bool complete)
{
	clickhouse_put *put = (clickhouse_put *)base;
	rg_error *err = put->there.key ? keep_others(put) : NULL;
	rg_clickhouse_bundle only;

	rg_clickhouse_bundle_init(&only);
	if (!err) {
		add_to_bundle(&only, put, complete);
		err = send_bundle(&only, put->store);
	}
	rg_clickhouse_bundle_release(&only);
	rg_clickhouse_abandon(base);
	return err;
}

rg_error *rg_clickhouse_gather(rg_history_put *base, bool complete, bool *full)
{
	clickhouse_put *put = (clickhouse_put *)base;
	rg_clickhouse_bundle *waiting = &put->store->waiting;
	rg_error *err = put->there.key ? keep_others(put) : NULL;

	if (!err) {
		pthread_mutex_lock(&put->store->lock);
		add_to_bundle(waiting, put, complete);
		*full = waiting->count >= RUNS_MAX || waiting->series.length >= BLOCK_MAX;
		pthread_mutex_unlock(&put->store->lock);
	}
	rg_clickhouse_abandon(base);
	return err;
}

rg_error *rg_clickhouse_flush(rg_history_store *history)
{
	rg_clickhouse_store *store = (rg_clickhouse_store *)history;
	rg_error *err = NULL;

	pthread_mutex_lock(&store->lock);
	rg_clickhouse_bundle bundle = store->waiting;
	rg_clickhouse_bundle_init(&store->waiting);
	pthread_mutex_unlock(&store->lock);
	if (bundle.count)
		err = send_bundle(&bundle, store);
	rg_clickhouse_bundle_release(&bundle);
	if (bundle.count < 2)
		return rg_error_wrap(err, "run %llu is not sent", (unsigned long long)bundle.first);
	return rg_error_wrap(err, "%zu runs, from %llu to %llu, are not sent", bundle.count,
			     (unsigned long long)bundle.first, (unsigned long long)bundle.last);
}

/* What was sent counts for nothing without its run. */
void rg_clickhouse_abandon(rg_history_put *base)
{
	clickhouse_put *put = (clickhouse_put *)base;
	rg_buf_release(&put->rows);
	free(put->paths);
	rg_arena_release(&put->arena);
	free(put);
}
