/* SPDX-License-Identifier: Apache-2.0 */
#include "source/fetch.h"

#include "base/memory.h"
#include "base/cancel.h"
#include "base/file.h"
#include "source/staging_layout.h"
#include "source/take_artifact.h"
#include "source/take_cache.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* What the workers share; `lock` is for everything under it. */
typedef struct {
	const rg_run *run;
	const rg_fetch_options *options;
	const char *parts;
	rg_manifest *manifest;
	const size_t *indices; /* of the artifacts to fetch, in the run and the manifest */
	rg_taken *taken;
	size_t count;
	pthread_mutex_t lock;
	size_t next;     /* the first that nobody works on */
	unsigned moving; /* artifacts whose bytes are on their way */
	pthread_cond_t moved_on;
	rg_progress_state state;
	rg_error *err; /* the first one that stops everything */
} pool;

typedef struct {
	pool *pool;
	bool moving;
	bool unsized; /* how large it is shows only as it comes: a log */
} worker;

static void show(pool *p)
{
	if (p->options->progress && p->options->progress->update)
		p->options->progress->update(p->options->progress->context, &p->state);
}

static void on_moved(void *context, uint64_t bytes)
{
	const worker *w = context;
	pool *p = w->pool;

	pthread_mutex_lock(&p->lock);
	p->state.bytes_moved += bytes;
	p->state.bytes_total += w->unsized ? bytes : 0;
	show(p);
	pthread_mutex_unlock(&p->lock);
}

/*
 * There are more workers than transfers: those that wait here have asked for their artifact's
 * address while others moved bytes. The address lasts about a minute; one that waited for longer is
 * asked for again.
 */
static void begin_to_move(void *context)
{
	worker *w = context;
	pool *p = w->pool;

	pthread_mutex_lock(&p->lock);
	while (p->moving >= p->options->workers && !p->err)
		pthread_cond_wait(&p->moved_on, &p->lock);
	p->moving++;
	w->moving = true;
	pthread_mutex_unlock(&p->lock);
}

static const rg_artifact *artifact_at(const pool *p, size_t place)
{
	return &p->run->artifacts[p->indices[place]];
}

/* The next artifact's place, and how many are taken with it: all that are the log of one job.
 * False: nothing is left, or everything stops. */
static bool take_next(pool *p, size_t *out, size_t *count)
{
	pthread_mutex_lock(&p->lock);
	bool more = !p->err && p->next < p->count;
	if (more) {
		const rg_artifact *first = artifact_at(p, p->next);
		*out = p->next++;
		while (first->log && p->next < p->count &&
		       artifact_at(p, p->next) == first + (p->next - *out) &&
		       artifact_at(p, p->next)->job_id == first->job_id)
			p->next++;
		*count = p->next - *out;
	}
	pthread_mutex_unlock(&p->lock);
	return more;
}

static void begin_one(pool *p, const rg_artifact *artifact)
{
	pthread_mutex_lock(&p->lock);
	p->state.current = artifact->name;
	show(p);
	pthread_mutex_unlock(&p->lock);
}

static void finish_one(worker *w, rg_error *err)
{
	pool *p = w->pool;
	pthread_mutex_lock(&p->lock);
	p->moving -= w->moving;
	w->moving = false;
	p->err = rg_error_first(p->err, err);
	p->state.done++;
	show(p);
	if (p->err)
		pthread_cond_broadcast(&p->moved_on);
	else
		pthread_cond_signal(&p->moved_on);
	pthread_mutex_unlock(&p->lock);
}

static rg_member_owner owner_of(const pool *p, size_t index)
{
	uint64_t id = p->manifest->artifacts[index].job_id;
	const rg_manifest_job *entry = rg_manifest_find_job(p->manifest, id);
	const rg_job *job = rg_run_find_job(p->run, id);

	return (rg_member_owner){entry ? entry->test : NULL, job ? job->via : NULL};
}

static void take_one(worker *w, size_t place, rg_job_log *log)
{
	pool *p = w->pool;
	const rg_take_hooks hooks = {.moved = on_moved, .begin = begin_to_move, .context = w};
	const rg_artifact *artifact = artifact_at(p, place);
	const rg_member_owner owner = owner_of(p, p->indices[place]);
	rg_error *err = rg_cancel_check();

	begin_one(p, artifact);
	w->unsized = !artifact->size;
	if (!err)
		err = rg_take_artifact(&p->taken[place], p->options, p->run, artifact,
				       p->manifest->artifacts[p->indices[place]].rules, &owner, log,
				       p->parts, &hooks);
	if (err && rg_error_get_code(err) != RG_E_CANCELLED)
		err = rg_error_wrap(err, "artifact '%s'", artifact->name);
	finish_one(w, err);
}

static void *work(void *context)
{
	worker w = {.pool = context};
	size_t first, count;

	while (take_next(w.pool, &first, &count)) {
		rg_job_log log = {w.pool->options, w.pool->run, artifact_at(w.pool, first),
				  count,           NULL,        NULL};

		for (size_t i = 0; i < count; i++)
			take_one(&w, first + i, &log);
		rg_job_log_release(&log);
	}
	return NULL;
}

/* Runs the workers to their end; with fewer threads than wished it continues with those there are.
 */
static rg_error *run_workers(pool *p)
{
	pthread_t threads[2 * RG_FETCH_WORKERS_MAX];
	unsigned wanted = p->options->workers, started = 0;

	/* Whole artifacts take long: an address would not last until its turn. One worker means one
	 * request after the other. */
	if (!p->options->whole && wanted > 1)
		wanted *= 2;
	if (wanted > p->count)
		wanted = (unsigned)p->count;
	while (started < wanted && !pthread_create(&threads[started], NULL, work, p))
		started++;
	if (!started)
		work(p);
	while (started)
		pthread_join(threads[--started], NULL);
	return p->err;
}

static rg_error *fetch_all(pool *p, const char *folder, rg_manifest *manifest)
{
	pthread_mutex_init(&p->lock, NULL);
	if (pthread_cond_init(&p->moved_on, NULL))
		rg_out_of_memory();
	for (size_t i = 0; i < p->count; i++)
		rg_taken_init(&p->taken[i]);
	rg_error *err = run_workers(p);
	if (!err)
		err = rg_cancel_check();
	manifest->bytes_moved = p->state.bytes_moved;
	manifest->bytes_total = p->state.bytes_total;
	if (!err)
		err = rg_lay_out(manifest, p->options, folder, p->taken, p->indices, p->count);
	for (size_t i = 0; i < p->count; i++)
		rg_taken_release(&p->taken[i]);
	pthread_cond_destroy(&p->moved_on);
	pthread_mutex_destroy(&p->lock);
	return err;
}

/* What the cache has of an artifact that has expired since is as good as ever: it is taken. */
static rg_error *revive(rg_manifest *manifest, const rg_run *run, const rg_fetch_options *options)
{
	rg_cache_entry entry;
	bool found;

	for (size_t i = 0; i < manifest->artifact_count; i++) {
		rg_manifest_artifact *artifact = &manifest->artifacts[i];
		if (artifact->outcome != RG_OUTCOME_EXPIRED)
			continue;
		RG_TRY(rg_take_from_cache(&entry, options, run, &run->artifacts[i], artifact->rules,
					  &found));
		if (!found)
			continue;
		rg_cache_entry_release(&entry);
		artifact->outcome = RG_OUTCOME_TAKEN;
		artifact->why = NULL;
		rg_manifest_job *job = rg_manifest_find_job(manifest, artifact->job_id);
		if (job && job->outcome == RG_OUTCOME_EXPIRED) {
			job->outcome = RG_OUTCOME_TAKEN;
			job->why = NULL;
		}
	}
	return NULL;
}

rg_error *rg_fetch(const rg_run *run, const rg_fetch_options *options, const char *folder,
		   rg_manifest *manifest)
{
	pool p = {.run = run, .options = options, .manifest = manifest};
	size_t *indices = rg_calloc(manifest->artifact_count + 1, sizeof(*indices));
	char *parts = NULL;
	rg_error *err = revive(manifest, run, options);

	for (size_t i = 0; i < manifest->artifact_count; i++)
		if (manifest->artifacts[i].outcome == RG_OUTCOME_TAKEN) {
			indices[p.count++] = i;
			p.state.bytes_total += manifest->artifacts[i].size;
		}
	p.indices = indices;
	p.state.total = p.count;
	p.taken = rg_calloc(p.count + 1, sizeof(*p.taken));
	if (!err)
		parts = rg_path_join(folder, "parts");
	if (!err)
		err = rg_make_dirs(parts, 0777);
	p.parts = parts;
	if (!err)
		err = fetch_all(&p, folder, manifest);
	if (parts)
		err = rg_error_first(err, rg_remove_tree(parts));
	free(parts);
	free(p.taken);
	free(indices);
	return err;
}
