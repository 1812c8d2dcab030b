#include "audit_store.h"

#include "audit/history_store.h"
#include "base/file.h"
#include "source/paths.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static rg_error *add_golden(const audit_store *s, rg_history_writer *writer, const char *folder,
			    const rg_manifest_golden *golden)
{
	rg_golden *read = NULL;
	char *path;
	rg_error *err;
	rg_buf bytes;

	RG_TRY(rg_textf(&path, "%s/files/%s/%s/%s", folder, golden->stage, golden->test,
			golden->file));
	rg_buf_init(&bytes, s->golden_max);
	err = rg_config_name_golden_max(rg_file_read(&bytes, path));
	if (!err)
		err = rg_path_golden_read(&read, golden->target, path, &bytes, s->options);
	if (!err)
		err = rg_history_writer_add(writer, golden->target, read);
	/* It is told by its target: the fetched file is gone by then. */
	if (err && rg_audit_is_of_one_golden(err))
		err = rg_error_drop_subject(err, path);
	rg_golden_free(read);
	rg_buf_release(&bytes);
	free(path);
	return err;
}

static bool is_complete(const rg_manifest *manifest)
{
	size_t i;

	for (i = 0; i < manifest->artifact_count; i++)
		if (manifest->artifacts[i].outcome == RG_OUTCOME_FAILED)
			return false;
	return true;
}

/* Puts a run's file in place: written in the scratch folder first, so that an audit that is killed
 * leaves nothing beside the history's files. */
static rg_error *finish(const audit_store *s, rg_history_writer *writer, const rg_history_run *run,
			const char *path)
{
	rg_error *err;
	char *written;

	RG_TRY(rg_textf(&written, "%s/%llu.run", rg_history_scratch_path(s->scratch),
			(unsigned long long)run->id));
	err = rg_history_writer_finish(writer, run, written);
	if (!err && rename(written, path))
		err = rg_error_io(errno, "%s", path);
	free(written);
	return err ? err : rg_sync_parent_dir(path);
}

/* Puts the fetched goldens, and what the history has beyond them where there is an earlier file,
 * into the history. */
static rg_error *store_run(audit_store *s, const rg_manifest *manifest, const char *folder,
			   const char *path, bool earlier)
{
	rg_history_run run = {.id = manifest->run_id,
			      .attempt = manifest->attempt,
			      .when = manifest->created_at ? manifest->created_at : "",
			      .branch = manifest->branch ? manifest->branch : "",
			      .commit = manifest->head_commit ? manifest->head_commit : "",
			      .event = manifest->event ? manifest->event : "",
			      .complete = is_complete(manifest)};
	rg_history_writer *writer;
	rg_error *err = NULL;
	size_t i;

	RG_TRY(rg_history_writer_new(&writer));
	for (i = 0; !err && i < manifest->golden_count; i++) {
		err = add_golden(s, writer, folder, &manifest->goldens[i]);
		if (err && rg_audit_is_of_one_golden(err)) {
			rg_log_say(&s->env->log, RG_LOG_MISSING, "run %llu: %s: %s",
				   (unsigned long long)run.id, manifest->goldens[i].target,
				   rg_error_message(err));
			/* Configuration may say later what it is, so it is tried again. */
			run.complete = false;
			s->missing = true;
			rg_error_free(err);
			err = NULL;
		}
	}
	if (!err && earlier)
		err = rg_history_writer_keep(writer, path);
	if (!err)
		err = finish(s, writer, &run, path);
	rg_history_writer_free(writer);
	return err;
}

/* What the history has of a run by now. What is damaged was told before, and counts as nothing. */
static rg_error *look_again(const char *path, uint64_t id, rg_arena *arena, rg_history_run *stored,
			    bool *found)
{
	rg_error *err = rg_history_peek(path, arena, stored, found);

	if (rg_history_is_damaged(err)) {
		rg_error_free(err);
		err = NULL;
	}
	*found = *found && stored->id == id;
	return err;
}

rg_error *audit_store_run(audit_store *s, const rg_manifest *manifest, const char *folder,
			  const char *path, bool *stored)
{
	rg_history_run there = {0};
	bool earlier = false;
	rg_arena arena;
	rg_error *err;
	int lock;

	RG_TRY(rg_history_lock(&lock, s->folder));
	rg_arena_init(&arena);
	err = look_again(path, manifest->run_id, &arena, &there, &earlier);
	*stored = earlier || manifest->golden_count;
	if (err || (earlier && there.complete && there.attempt >= manifest->attempt))
		goto done;
	if (!manifest->golden_count) {
		rg_log_say(&s->env->log, RG_LOG_MISSING, "run %llu: has no goldens%s",
			   (unsigned long long)manifest->run_id,
			   earlier ? " any more; those in the history count" : "");
		s->missing = true;
	}
	if (*stored)
		err = store_run(s, manifest, folder, path, earlier);
done:
	rg_arena_release(&arena);
	close(lock);
	return err;
}
