/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/history_prefetch.h"

#include "base/memory.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum {
	PATHS_MAX = 50,
	/* Bytes, beside steps and values: */
	GOLDEN_WEIGHT = 8192,
	METRIC_WEIGHT = 200,
};

/* Goldens of one path. */
typedef struct {
	struct {
		size_t run;
		rg_history_golden golden;
	} * items;
	size_t count, capacity;
	bool taken;
} read_path;

/* Some paths one after the other. */
typedef struct {
	size_t first, count;
	read_path paths[PATHS_MAX];
	int64_t *runs; /* their keys, of which the goldens are */
	size_t run_count;
} read_chunk;

struct rg_history_prefetch {
	rg_history_store *history;
	const char *const *paths;
	size_t count;
	uint64_t bytes_max;
	size_t waiting_max;
	pthread_mutex_t lock; /* of what follows */
	size_t too_many;      /* a path of so many runs is more than what may wait; 0: not known */
	read_chunk last, before;
};

rg_history_prefetch *rg_history_prefetch_new(rg_history_store *history, const char *const *paths,
					     size_t count, uint64_t bytes_max, size_t waiting_max)
{
	rg_history_prefetch *ahead = rg_calloc(1, sizeof(*ahead));
	ahead->history = history;
	ahead->paths = paths;
	ahead->count = count;
	ahead->bytes_max = bytes_max;
	ahead->waiting_max = waiting_max;
	if (pthread_mutex_init(&ahead->lock, NULL))
		rg_out_of_memory();
	return ahead;
}

static void release_path(read_path *path, size_t from)
{
	for (; from < path->count; from++) {
		rg_golden_free(path->items[from].golden.golden);
		rg_error_free(path->items[from].golden.why);
	}
	free(path->items);
	*path = (read_path){0};
}

static void release_chunk(read_chunk *chunk)
{
	for (size_t i = 0; i < PATHS_MAX; i++)
		release_path(&chunk->paths[i], 0);
	free(chunk->runs);
	*chunk = (read_chunk){0};
}

void rg_history_prefetch_free(rg_history_prefetch *ahead)
{
	if (!ahead)
		return;
	release_chunk(&ahead->last);
	release_chunk(&ahead->before);
	pthread_mutex_destroy(&ahead->lock);
	free(ahead);
}

/* ---- reading ---- */

typedef struct {
	const rg_history_prefetch *ahead;
	read_chunk *chunk;
	size_t at, weight; /* the path under way, and what has come so far */
	bool full;
} read_state;

static rg_error *keep(void *context, size_t run, rg_history_golden *golden)
{
	read_state *r = context;
	const char *const *paths = r->ahead->paths + r->chunk->first;
	while (r->at + 1 < r->chunk->count && strcmp(paths[r->at], golden->path) != 0)
		r->at++;
	read_path *path = &r->chunk->paths[r->at];
	rg_grow(&path->items, &path->capacity, path->count + 1, sizeof(*path->items));
	path->items[path->count].run = run;
	path->items[path->count].golden = *golden;
	path->items[path->count++].golden.path = paths[r->at];
	r->weight += GOLDEN_WEIGHT;
	for (size_t i = 0; golden->golden && i < golden->golden->count; i++)
		r->weight += METRIC_WEIGHT + golden->golden->metrics[i].count * 16;
	r->full = r->weight > r->ahead->waiting_max;
	return r->full ? rg_error_new(RG_E_CANCELLED, "enough") : NULL;
}

/* The path under way when there was enough is not whole, and those after it have nothing. */
static rg_error *read_chunk_from(rg_history_prefetch *ahead, size_t path,
				 const rg_history_run *runs, size_t count)
{
	read_chunk *chunk = &ahead->last;
	read_state r = {ahead, chunk, 0, 0, false};
	size_t asked = 0, left = ahead->count - path;

	/* Twice as many paths as were asked for of the last ones. */
	for (size_t i = 0; i < chunk->count; i++)
		asked += chunk->paths[i].taken;
	size_t path_count = asked ? asked * 2 : 1;
	path_count = path_count > PATHS_MAX ? PATHS_MAX : path_count;
	path_count = path_count > left ? left : path_count;
	release_chunk(&ahead->before);
	ahead->before = ahead->last;
	*chunk = (read_chunk){.first = path, .count = path_count, .run_count = count};
	chunk->runs = rg_calloc(count + 1, sizeof(*chunk->runs));
	for (size_t i = 0; i < count; i++)
		chunk->runs[i] = runs[i].key;
	rg_error *err = rg_history_walk(ahead->history, ahead->paths + path, path_count, runs,
					count, ahead->bytes_max, keep, &r);
	if (err && r.full) {
		rg_error_free(err);
		release_path(&chunk->paths[r.at], 0);
		chunk->count = r.at;
		if (!r.at)
			ahead->too_many = count;
		return NULL;
	}
	if (err)
		release_chunk(chunk);
	return err;
}

/* ---- handing out ---- */

static read_path *find_path(read_chunk *chunk, size_t path, const rg_history_run *runs,
			    size_t count)
{
	if (path < chunk->first || path - chunk->first >= chunk->count || count != chunk->run_count)
		return NULL;
	for (size_t i = 0; i < count; i++)
		if (runs[i].key != chunk->runs[i])
			return NULL;
	read_path *found = &chunk->paths[path - chunk->first];
	return found->taken ? NULL : found;
}

/* *there: what it has is in `out`; else one path alone is more than what may wait. */
static rg_error *take_path(rg_history_prefetch *ahead, size_t path, const rg_history_run *runs,
			   size_t count, read_path *out, bool *there)
{
	read_path *found = find_path(&ahead->last, path, runs, count);
	if (!found)
		found = find_path(&ahead->before, path, runs, count);
	if (!found && !(ahead->too_many && count >= ahead->too_many)) {
		RG_TRY(read_chunk_from(ahead, path, runs, count));
		found = find_path(&ahead->last, path, runs, count);
	}
	*there = found != NULL;
	if (found) {
		*out = *found;
		*found = (read_path){.taken = true};
	}
	return NULL;
}

rg_error *rg_history_prefetch_walk(rg_history_prefetch *ahead, size_t path,
				   const rg_history_run *runs, size_t count,
				   rg_history_take_fn *take, void *context)
{
	read_path own = {0};
	bool there = false;

	pthread_mutex_lock(&ahead->lock);
	rg_error *err = take_path(ahead, path, runs, count, &own, &there);
	pthread_mutex_unlock(&ahead->lock);
	if (!err && !there)
		return rg_history_walk(ahead->history, ahead->paths + path, 1, runs, count,
				       ahead->bytes_max, take, context);
	size_t at = 0;
	while (!err && at < own.count) {
		size_t run = own.items[at].run;
		rg_history_golden golden = own.items[at++].golden;
		err = take(context, run, &golden);
	}
	release_path(&own, at);
	return err;
}
