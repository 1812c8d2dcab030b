/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/audit_store.h"

#include "base/memory.h"
#include "base/file.h"
#include "config/config.h"
#include "flow/audit_paths.h"
#include "flow/history_prefetch.h"

#include <stdlib.h>

enum { WAITING_MAX = 32 << 20 }; /* bytes of values that are read ahead */

static const char *text(const char *maybe)
{
	return maybe ? maybe : "";
}

rg_error *rg_audit_store_list(const rg_audit_store *s, rg_arena *arena, rg_history_run **out,
			      size_t *count)
{
	const rg_history_query query = {.repository = s->repository, .settings = s->settings};
	return rg_history_list(s->history, &query, arena, out, count);
}

/* A file that cannot be read is left out; a history that cannot be written is an error. */
static rg_error *append_golden(rg_audit_store *s, rg_history_put *put, const char *folder,
			       uint64_t run, const rg_manifest_golden *golden, bool *complete)
{
	RG_AUTO_PTR(rg_golden) read = NULL;
	RG_AUTO(rg_buf) bytes = rg_buf_of(s->golden_max);
	RG_AUTO_FREE char *path =
		rg_textf("%s/files/%s/%s/%s", folder, golden->stage, golden->test, golden->file);
	rg_error *err = rg_config_name_golden_max(rg_file_read(&bytes, path));
	if (!err)
		err = rg_path_golden_read(&read, golden->target, path, &bytes, s->options);
	/* The target names the golden: the fetched file is gone by then. */
	err = rg_error_drop_subject(err, path);
	if (!err)
		return rg_history_add(put, golden->target, golden->sha256, golden->size, read);
	if (!rg_audit_is_of_one_golden(err))
		return err;
	rg_log_say(s->log, RG_LOG_MISSING, "run %llu: %s: %s", (unsigned long long)run,
		   golden->target, rg_error_message(err));
	rg_error_free(err);
	/* Configuration may say later what it is, so it is tried again. */
	*complete = false;
	s->missing = true;
	return NULL;
}

static bool is_complete(const rg_manifest *manifest)
{
	for (size_t i = 0; i < manifest->artifact_count; i++)
		if (manifest->artifacts[i].outcome == RG_OUTCOME_FAILED)
			return false;
	/* A pipeline that hangs off it could not be read. */
	for (size_t i = 0; i < manifest->job_count; i++)
		if (manifest->jobs[i].outcome == RG_OUTCOME_FAILED)
			return false;
	return true;
}

rg_error *rg_audit_store_run(rg_audit_store *s, const rg_manifest *manifest, const char *folder)
{
	const rg_history_run run = {.repository = s->repository,
				    .source = manifest->source,
				    .settings = s->settings,
				    .id = manifest->run_id,
				    .attempt = manifest->attempt,
				    .commit = text(manifest->head_commit),
				    .branch = text(manifest->branch),
				    .event = text(manifest->event),
				    .when = text(manifest->created_at),
				    .fork = manifest->fork};
	bool complete = is_complete(manifest);
	rg_history_run there;
	rg_history_put *put;
	rg_error *err = NULL;

	RG_TRY(rg_history_begin(&put, s->history, &run, &there));
	if (there.key && there.complete && there.attempt >= run.attempt) {
		rg_history_abandon(put);
		return NULL;
	}
	if (!manifest->golden_count) {
		rg_log_say(s->log, RG_LOG_MISSING, "run %llu: has no goldens%s",
			   (unsigned long long)run.id,
			   there.key ? " any more (those in the history count)" : "");
		s->missing = true;
	}
	for (size_t i = 0; !err && i < manifest->golden_count; i++)
		err = append_golden(s, put, folder, run.id, &manifest->goldens[i], &complete);
	if (!err && (there.key || manifest->golden_count))
		return rg_history_commit(put, complete);
	rg_history_abandon(put);
	return err;
}

/* ---- as an audit's source ---- */

struct rg_stored_runs {
	rg_history_store *history;
	rg_history_run *stored;
	rg_audit_run *runs;
	const char **files;
	size_t count, file_count;
	size_t golden_max;          /* bytes */
	rg_history_prefetch *ahead; /* NULL: what is near is read when it is asked for */
	rg_arena arena;
};

rg_error *rg_stored_runs_open(rg_stored_runs **out, rg_history_store *history,
			      const rg_history_run *runs, size_t count)
{
	RG_AUTO_PTR(rg_stored_runs) stored = rg_calloc(1, sizeof(*stored));
	*out = NULL;
	stored->history = history;
	stored->count = count;
	rg_arena_init(&stored->arena);
	static const rg_history_run none = {0};
	stored->stored =
		rg_arena_alloc(&stored->arena, (stored->count + 1) * sizeof(*stored->stored));
	stored->runs = rg_arena_alloc(&stored->arena, (stored->count + 1) * sizeof(*stored->runs));
	for (size_t i = 0; i < stored->count; i++) {
		rg_audit_run *run = &stored->runs[i];
		run->id = rg_arena_textf(&stored->arena, "%llu", (unsigned long long)runs[i].id);
		rg_history_run_copy(&stored->stored[i], &runs[i],
				    i ? &stored->stored[i - 1] : &none, &stored->arena);
		run->when = stored->stored[i].when;
		run->branch = stored->stored[i].branch;
		run->commit = stored->stored[i].commit;
	}
	RG_TRY(rg_history_files(stored->history, stored->stored, stored->count, &stored->arena,
				&stored->files, &stored->file_count));
	*out = RG_TAKE(stored);
	return NULL;
}

void rg_stored_runs_free(rg_stored_runs *runs)
{
	if (!runs)
		return;
	rg_history_prefetch_free(runs->ahead);
	free(runs->files);
	rg_history_close(runs->history);
	rg_arena_release(&runs->arena);
	free(runs);
}

const rg_history_run *rg_stored_runs_list(const rg_stored_runs *runs)
{
	return runs->stored;
}

rg_history_store *rg_stored_runs_history(const rg_stored_runs *runs)
{
	return runs->history;
}

void rg_stored_runs_drop(rg_stored_runs *runs, rg_audit_source *source, size_t count)
{
	runs->stored += count;
	runs->count -= count;
	source->runs += count;
	source->run_count -= count;
}

static rg_error *read_golden(void *context, size_t run, size_t file, rg_buf *bytes, rg_golden **out)
{
	const rg_stored_runs *runs = context;
	rg_error *err = rg_history_get(runs->history, &runs->stored[run], runs->files[file],
				       bytes->max, out);

	return rg_error_wrap(rg_config_name_golden_max(err), "%s", runs->files[file]);
}

/* Hands an audit's taker what a walk through the history finds. */
typedef struct {
	rg_audit_take_fn *take;
	void *taker;
	const size_t *runs;
} audit_walk;

static rg_error *take_stored(void *context, size_t run, rg_history_golden *golden)
{
	const audit_walk *walk = context;
	rg_error *why = rg_config_name_golden_max(golden->why);

	return walk->take(walk->taker, walk->runs[run], rg_error_wrap(why, "%s", golden->path),
			  golden->golden);
}

static rg_error *walk_golden(void *context, size_t file, const size_t *runs, size_t count,
			     rg_audit_take_fn *take, void *taker)
{
	const rg_stored_runs *stored = context;
	audit_walk walk = {take, taker, runs};
	RG_AUTO_FREE rg_history_run *chosen = rg_calloc(count + 1, sizeof(*chosen));
	for (size_t i = 0; i < count; i++)
		chosen[i] = stored->stored[runs[i]];
	return stored->ahead ? rg_history_prefetch_walk(stored->ahead, file, chosen, count,
							take_stored, &walk)
			     : rg_history_walk(stored->history, &stored->files[file], 1, chosen,
					       count, stored->golden_max, take_stored, &walk);
}

rg_audit_source rg_stored_runs_source(rg_stored_runs *runs, size_t golden_max)
{
	runs->golden_max = golden_max;
	if (!runs->ahead && rg_history_is_far(runs->history))
		runs->ahead = rg_history_prefetch_new(runs->history, runs->files, runs->file_count,
						      golden_max, WAITING_MAX);
	return (rg_audit_source){.runs = runs->runs,
				 .run_count = runs->count,
				 .files = runs->files,
				 .file_count = runs->file_count,
				 .golden_max = golden_max,
				 .read = read_golden,
				 .walk = walk_golden,
				 .context = runs};
}
