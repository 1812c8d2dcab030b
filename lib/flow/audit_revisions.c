/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/audit_revisions.h"

#include "base/memory.h"
#include "config/config.h"
#include "golden/sibling_reader.h"

#include <pthread.h>
#include <stdlib.h>

enum { SHORT_ID = 10 };

struct rg_revision_runs {
	rg_worktree *worktree;
	pthread_mutex_t lock; /* the worktree is for one thread at a time */
	rg_revisions history;
	rg_audit_run *runs;
	const char **files;
	const rg_golden_options *options; /* may be NULL */
	rg_arena arena;
};

rg_error *rg_revision_runs_open(rg_revision_runs **out, rg_worktree *worktree, const char *range,
				const char *root, const char *pattern,
				const rg_golden_options *options)
{
	RG_AUTO_PTR(rg_revision_runs) runs = rg_calloc(1, sizeof(*runs));
	*out = NULL;
	pthread_mutex_init(&runs->lock, NULL);
	runs->worktree = worktree;
	runs->options = options;
	rg_arena_init(&runs->arena);
	RG_TRY(rg_revisions_read(worktree, range, root, pattern, &runs->history));
	if (!runs->history.file_count)
		return rg_error_new(RG_E_NOTFOUND, "%s: no commit touches a golden below '%s'",
				    range, root ? root : "");
	const rg_revisions *history = &runs->history;
	runs->runs =
		rg_arena_alloc(&runs->arena, (history->commit_count + 1) * sizeof(*runs->runs));
	runs->files =
		rg_arena_alloc(&runs->arena, (history->file_count + 1) * sizeof(*runs->files));
	for (size_t i = 0; i < history->commit_count; i++) {
		const rg_revisions_commit *commit = &history->commits[i];
		const char *id = rg_arena_copy(&runs->arena, commit->id, SHORT_ID);
		runs->runs[i] = (rg_audit_run){id, commit->when, "", commit->id};
	}
	for (size_t i = 0; i < history->file_count; i++)
		runs->files[i] = history->files[i].path;
	*out = RG_TAKE(runs);
	return NULL;
}

void rg_revision_runs_free(rg_revision_runs *runs)
{
	if (!runs)
		return;
	pthread_mutex_destroy(&runs->lock);
	rg_revisions_release(&runs->history);
	rg_arena_release(&runs->arena);
	free(runs);
}

static int compare_commits(const void *key, const void *version)
{
	size_t wanted = *(const size_t *)key, commit = ((const rg_baseline *)version)->commit;
	return (wanted > commit) - (wanted < commit);
}

/* The commit that has the files beside a golden. */
typedef struct {
	rg_revision_runs *runs;
	const char *commit;
} place;

static rg_error *read_at(void *context, const char *path, rg_buf *out)
{
	const place *at = context;
	pthread_mutex_lock(&at->runs->lock);
	rg_error *err = rg_worktree_file_at(at->runs->worktree, at->commit, path, out);
	pthread_mutex_unlock(&at->runs->lock);
	return rg_config_name_golden_max(err);
}

static rg_error *read_one(void *context, size_t run, size_t file, rg_buf *bytes, rg_golden **out)
{
	rg_revision_runs *runs = context;
	const rg_revisions_file *entry = &runs->history.files[file];
	const rg_baseline *version = bsearch(&run, entry->versions, entry->count,
					     sizeof(*entry->versions), compare_commits);
	place at = {runs, runs->runs[run].commit};

	if (!version)
		return NULL;
	pthread_mutex_lock(&runs->lock);
	rg_error *err =
		rg_config_name_golden_max(rg_worktree_blob(runs->worktree, version->blob, bytes));
	pthread_mutex_unlock(&runs->lock);
	if (!err)
		err = rg_golden_read_with_siblings(out, version->path, version->path, bytes,
						   read_at, &at, runs->options);
	return rg_error_wrap(err, "%s", version->path);
}

rg_audit_source rg_revision_runs_source(rg_revision_runs *runs, size_t golden_max)
{
	return (rg_audit_source){.runs = runs->runs,
				 .run_count = runs->history.commit_count,
				 .files = runs->files,
				 .file_count = runs->history.file_count,
				 .golden_max = golden_max,
				 .read = read_one,
				 .context = runs};
}
