#include "source/versions.h"

#include "base/file.h"
#include "worktree/config.h"

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
	const rg_golden_options *options; /* may be NULL */
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
			       const char *root, const char *pattern,
			       const rg_golden_options *options)
{
	rg_version_runs *runs = calloc(1, sizeof(*runs));
	rg_error *err;

	*out = NULL;
	if (!runs || pthread_mutex_init(&runs->lock, NULL)) {
		free(runs);
		return rg_error_nomem();
	}
	runs->worktree = worktree;
	runs->options = options;
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

/* What stands beside a golden at the same commit (a program beside its tensors) says what it is. */
typedef struct {
	rg_version_runs *runs;
	const char *path, *commit;
	rg_buf bytes;
} beside;

static rg_error *read_beside(void *context, const char *name, rg_bytes *out)
{
	beside *b = context;
	rg_error *err;
	char *path;

	*out = (rg_bytes){0};
	RG_TRY(rg_path_sibling(&path, b->path, name));
	pthread_mutex_lock(&b->runs->lock);
	err = rg_worktree_file_at(b->runs->worktree, b->commit, path, &b->bytes);
	pthread_mutex_unlock(&b->runs->lock);
	free(path);
	if (!err)
		*out = (rg_bytes){b->bytes.data, b->bytes.length};
	else if (rg_error_get_code(err) == RG_E_NOTFOUND) {
		rg_error_free(err);
		err = NULL;
	}
	return rg_config_name_golden_max(err);
}

static rg_error *read_one(void *context, size_t run, size_t file, rg_buf *bytes, rg_golden **out)
{
	rg_version_runs *runs = context;
	const rg_versions_file *entry = &runs->history.files[file];
	const rg_version *version = find_version(entry, run);
	beside b = {.runs = runs, .path = entry->path, .commit = runs->runs[run].commit};
	rg_input input = {.name = entry->path, .sibling = read_beside, .sibling_context = &b};
	rg_error *err;

	if (!version)
		return NULL;
	pthread_mutex_lock(&runs->lock);
	err = rg_worktree_blob(runs->worktree, version->blob, bytes);
	pthread_mutex_unlock(&runs->lock);
	if (err)
		return rg_error_wrap(rg_config_name_golden_max(err), "%s", entry->path);
	input.data = bytes->data;
	input.size = bytes->length;
	rg_buf_init(&b.bytes, bytes->max);
	err = rg_golden_read(out, &input, runs->options);
	rg_buf_release(&b.bytes); /* not needed any more once the golden was read */
	return rg_error_wrap(err, "%s", entry->path);
}

rg_audit_source rg_version_runs_source(rg_version_runs *runs, size_t golden_max)
{
	return (rg_audit_source){.runs = runs->runs,
				 .run_count = runs->history.commit_count,
				 .files = runs->files,
				 .file_count = runs->history.file_count,
				 .golden_max = golden_max,
				 .read = read_one,
				 .context = runs};
}
