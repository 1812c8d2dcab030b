#include "source/versions.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { SHORT_ID = 10 };

struct rg_version_runs {
	rg_worktree *worktree;
	pthread_mutex_t lock; /* the worktree is for one thread at a time */
	rg_versions history;
	rg_audit_run *runs;
	const char **files;
	rg_arena arena;
};

static rg_error *list_runs(rg_version_runs *runs)
{
	const rg_versions *history = &runs->history;
	size_t i;

	runs->runs = calloc(history->commit_count + 1, sizeof(*runs->runs));
	runs->files = calloc(history->file_count + 1, sizeof(*runs->files));
	if (!runs->runs || !runs->files)
		return rg_error_nomem();
	for (i = 0; i < history->commit_count; i++) {
		const rg_versions_commit *commit = &history->commits[i];
		const char *id = rg_arena_copy(&runs->arena, commit->id, SHORT_ID);

		if (!id)
			return rg_error_nomem();
		runs->runs[i] = (rg_audit_run){id, commit->when, "", commit->id};
	}
	for (i = 0; i < history->file_count; i++)
		runs->files[i] = history->files[i].path;
	return NULL;
}

rg_error *rg_version_runs_open(rg_version_runs **out, rg_worktree *worktree, const char *range,
			       const char *root, const char *pattern)
{
	rg_version_runs *runs = calloc(1, sizeof(*runs));
	rg_error *err;

	*out = NULL;
	if (!runs || pthread_mutex_init(&runs->lock, NULL)) {
		free(runs);
		return rg_error_nomem();
	}
	runs->worktree = worktree;
	rg_arena_init(&runs->arena);
	err = rg_worktree_versions(worktree, range, root, pattern, &runs->history);
	if (!err && !runs->history.file_count)
		err = rg_error_new(RG_E_NOTFOUND, "%s: no commit touches a golden below '%s'",
				   range, root ? root : "");
	if (!err)
		err = list_runs(runs);
	if (err)
		rg_version_runs_free(runs);
	else
		*out = runs;
	return err;
}

void rg_version_runs_free(rg_version_runs *runs)
{
	if (!runs)
		return;
	pthread_mutex_destroy(&runs->lock);
	rg_versions_release(&runs->history);
	rg_arena_release(&runs->arena);
	free(runs->files);
	free(runs->runs);
	free(runs);
}

static const rg_version *find_version(const rg_versions_file *file, size_t commit)
{
	size_t low = 0, high = file->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (file->versions[middle].commit == commit)
			return &file->versions[middle];
		if (file->versions[middle].commit < commit)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

static rg_error *read_one(void *context, size_t run, size_t file, rg_buf *bytes, rg_golden **out)
{
	rg_version_runs *runs = context;
	const rg_versions_file *entry = &runs->history.files[file];
	const rg_version *version = find_version(entry, run);
	rg_input input = {.name = entry->path};
	rg_error *err;

	if (!version)
		return NULL;
	pthread_mutex_lock(&runs->lock);
	err = rg_worktree_blob(runs->worktree, version->blob, bytes);
	pthread_mutex_unlock(&runs->lock);
	if (err)
		return err;
	input.data = bytes->data;
	input.size = bytes->length;
	return rg_error_wrap(rg_golden_read(out, &input, NULL), "%s", entry->path);
}

rg_audit_source rg_version_runs_source(rg_version_runs *runs)
{
	return (rg_audit_source){.runs = runs->runs,
				 .run_count = runs->history.commit_count,
				 .files = runs->files,
				 .file_count = runs->history.file_count,
				 .read = read_one,
				 .context = runs};
}
