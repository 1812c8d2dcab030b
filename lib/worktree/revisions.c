/* SPDX-License-Identifier: Apache-2.0 */
#include "worktree/revisions.h"

#include "base/memory.h"
#include "base/cancel.h"
#include "base/path.h"
#include "base/pattern.h"
#include "worktree/internal.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct {
	rg_worktree *worktree;
	const char *pattern;
	char *pathspec; /* the root; NULL: everything */
	rg_revisions *out;
	git_commit *commit;
	bool has_commit; /* the commit under way is in `out` */
} walk;

/* Finds the place where a file is, or belongs: the files stay in the order of their paths. */
static bool find_file(const rg_revisions *history, const char *path, size_t *at)
{
	size_t low = 0, high = history->file_count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (rg_path_compare(history->files[middle].path, path) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	*at = low;
	return low < history->file_count && !strcmp(history->files[low].path, path);
}

static rg_revisions_file *get_file(walk *w, const char *path)
{
	rg_revisions *history = w->out;
	size_t at;
	if (find_file(history, path, &at))
		return &history->files[at];
	rg_grow(&history->files, &history->file_capacity, history->file_count + 1,
		sizeof(*history->files));
	memmove(&history->files[at + 1], &history->files[at],
		(history->file_count - at) * sizeof(*history->files));
	history->files[at] = (rg_revisions_file){.path = rg_arena_text(&history->arena, path)};
	history->file_count++;
	return &history->files[at];
}

/* The versions of the old path are the new one's. */
static void follow(walk *w, const char *old_path, const char *new_path)
{
	rg_revisions *history = w->out;
	size_t from, to;
	if (find_file(history, new_path, &to) || !find_file(history, old_path, &from))
		return;
	rg_revisions_file moved = history->files[from];
	memmove(&history->files[from], &history->files[from + 1],
		(history->file_count - from - 1) * sizeof(*history->files));
	history->file_count--;
	rg_revisions_file *file = get_file(w, new_path);
	moved.path = file->path;
	*file = moved;
}

void rg_git_commit_time(const git_commit *commit, char out[25])
{
	time_t when = (time_t)git_commit_time(commit);
	struct tm utc;

	if (!gmtime_r(&when, &utc) || !strftime(out, 25, "%Y-%m-%dT%H:%M:%SZ", &utc))
		*out = '\0';
}

/* The commit under way is listed once the first golden that it touches shows. */
static void append_commit(walk *w)
{
	rg_revisions *history = w->out;
	const char *message = git_commit_summary(w->commit);

	if (w->has_commit)
		return;
	rg_revisions_commit *commit =
		RG_PUSH(history->commits, history->commit_count, history->commit_capacity);
	git_oid_tostr(commit->id, sizeof(commit->id), git_commit_id(w->commit));
	rg_git_commit_time(w->commit, commit->when);
	commit->subject = rg_arena_text(&history->arena, message ? message : "");
	w->has_commit = true;
}

/* Does another parent of a merge have these very bytes? */
static bool comes_from_parent(const walk *w, const git_diff_file *file)
{
	unsigned count = git_commit_parentcount(w->commit);

	for (unsigned i = 1; i < count; i++) {
		RG_AUTO_PTR(git_commit) parent = NULL;
		RG_AUTO_PTR(git_tree) tree = NULL;
		RG_AUTO_PTR(git_tree_entry) entry = NULL;

		if (!git_commit_parent(&parent, w->commit, i) && !git_commit_tree(&tree, parent) &&
		    !git_tree_entry_bypath(&entry, tree, file->path) &&
		    git_oid_equal(git_tree_entry_id(entry), &file->id))
			return true;
	}
	return false;
}

static void visit_delta(walk *w, const git_diff_delta *delta)
{
	const git_diff_file *file = &delta->new_file;

	if (delta->status == GIT_DELTA_DELETED || !rg_git_is_file_mode(file->mode) ||
	    !rg_globs_take(w->pattern, file->path) || comes_from_parent(w, file))
		return;
	if (delta->status == GIT_DELTA_RENAMED) {
		follow(w, delta->old_file.path, file->path);
		if (git_oid_equal(&delta->old_file.id, &file->id))
			return;
	}
	append_commit(w);
	rg_revisions_file *entry = get_file(w, file->path);
	rg_baseline *version = RG_PUSH(entry->versions, entry->count, entry->capacity);
	version->commit = w->out->commit_count - 1;
	version->path = entry->path;
	git_oid_tostr(version->blob, sizeof(version->blob), &file->id);
}

/* Renames are looked for where files both came and went. */
static int find_renames(rg_worktree *worktree, git_diff *diff)
{
	size_t all = git_diff_num_deltas(diff), count = 0;
	git_diff_find_options options;
	if (!git_diff_num_deltas_of_type(diff, GIT_DELTA_ADDED) ||
	    !git_diff_num_deltas_of_type(diff, GIT_DELTA_DELETED))
		return 0;
	/* The files that are going to be compared are fetched at once. */
	RG_AUTO_FREE git_oid *ids = rg_calloc(all + 1, sizeof(*ids));
	for (size_t i = 0; i < all; i++) {
		const git_diff_delta *delta = git_diff_get_delta(diff, i);
		if (delta->status == GIT_DELTA_ADDED)
			ids[count++] = delta->new_file.id;
		else if (delta->status == GIT_DELTA_DELETED)
			ids[count++] = delta->old_file.id;
	}
	rg_git_fetch_objects(worktree, ids, count);
	git_diff_find_options_init(&options, GIT_DIFF_FIND_OPTIONS_VERSION);
	options.flags = GIT_DIFF_FIND_RENAMES;
	return git_diff_find_similar(diff, &options);
}

static rg_error *visit_commit(walk *w, const git_oid *id)
{
	git_repository *repository = w->worktree->repository;
	RG_AUTO_PTR(git_commit) commit = NULL;
	RG_AUTO_PTR(git_commit) parent = NULL;
	RG_AUTO_PTR(git_tree) before = NULL;
	RG_AUTO_PTR(git_tree) after = NULL;
	RG_AUTO_PTR(git_diff) diff = NULL;
	git_diff_options options;

	git_diff_options_init(&options, GIT_DIFF_OPTIONS_VERSION);
	options.flags = GIT_DIFF_DISABLE_PATHSPEC_MATCH | GIT_DIFF_SKIP_BINARY_CHECK;
	if (w->pathspec) {
		options.pathspec.strings = &w->pathspec;
		options.pathspec.count = 1;
	}
	int answer = git_commit_lookup(&commit, repository, id);
	if (!answer)
		answer = git_commit_tree(&after, commit);
	if (!answer && git_commit_parentcount(commit)) {
		answer = git_commit_parent(&parent, commit, 0);
		if (!answer)
			answer = git_commit_tree(&before, parent);
	}
	if (!answer)
		answer = git_diff_tree_to_tree(&diff, repository, before, after, &options);
	if (!answer)
		answer = find_renames(w->worktree, diff);
	if (answer == GIT_ENOTFOUND)
		return rg_git_lacks_object(w->worktree, "walking history", true);
	if (answer < 0)
		return rg_git_error(answer, "walking history");
	w->has_commit = false;
	w->commit = commit;
	for (size_t i = 0; i < git_diff_num_deltas(diff); i++)
		visit_delta(w, git_diff_get_delta(diff, i));
	return NULL;
}

static rg_error *set_end(const walk *w, git_revwalk *revwalk, const char *revision, bool hide)
{
	RG_AUTO_PTR(git_object) object = NULL;
	RG_TRY(rg_git_resolve(w->worktree, *revision ? revision : "HEAD", GIT_OBJECT_COMMIT,
			      &object));
	if ((hide ? git_revwalk_hide : git_revwalk_push)(revwalk, git_object_id(object)))
		return rg_git_error(-1, "%s", revision);
	return NULL;
}

/* `range` is "OLD..NEW" or "NEW": an empty side is HEAD, as in git. */
static rg_error *walk_range(walk *w, const char *range)
{
	RG_AUTO_PTR(git_revwalk) revwalk = NULL;
	int answer = git_revwalk_new(&revwalk, w->worktree->repository);
	const char *dots = strstr(range, "..");
	git_oid id;

	if (answer < 0)
		return rg_git_error(answer, "walking history");
	git_revwalk_sorting(revwalk, GIT_SORT_TOPOLOGICAL | GIT_SORT_TIME | GIT_SORT_REVERSE);
	if (!*range)
		return rg_error_new(RG_E_USAGE, "no revision is named; give one, or REV..REV");
	if (dots && dots[2] == '.')
		return rg_error_new(RG_E_USAGE, "'%s': a range has two dots, REV..REV", range);
	if (dots) {
		RG_AUTO_FREE char *old = rg_strndup(range, (size_t)(dots - range));
		RG_TRY(set_end(w, revwalk, old, true));
	}
	RG_TRY(set_end(w, revwalk, dots ? dots + 2 : range, false));
	while (!(answer = git_revwalk_next(&id, revwalk))) {
		RG_TRY(rg_cancel_check());
		RG_TRY(visit_commit(w, &id));
	}
	return answer == GIT_ITEROVER ? NULL : rg_git_error(answer, "walking history");
}

rg_error *rg_revisions_read(rg_worktree *worktree, const char *range, const char *root,
			    const char *pattern, rg_revisions *out)
{
	RG_AUTO_FREE char *pathspec = root && *root ? rg_strdup(root) : NULL;
	walk w = {worktree, pattern, pathspec, out, NULL, false};

	*out = (rg_revisions){0};
	rg_error *err = walk_range(&w, range);
	if (err) {
		rg_revisions_release(out);
		return err;
	}
	/* The versions are all going to be read. */
	RG_AUTO_FREE git_oid *ids = NULL;
	size_t count = 0, capacity = 0;
	for (size_t i = 0; i < out->file_count; i++)
		for (size_t k = 0; k < out->files[i].count; k++)
			(void)git_oid_fromstr(RG_PUSH(ids, count, capacity),
					      out->files[i].versions[k].blob);
	rg_git_fetch_objects(worktree, ids, count);
	return NULL;
}

void rg_revisions_release(rg_revisions *history)
{
	for (size_t i = 0; i < history->file_count; i++)
		free(history->files[i].versions);
	free(history->files);
	free(history->commits);
	rg_arena_release(&history->arena);
	*history = (rg_revisions){0};
}
