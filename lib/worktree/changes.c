#include "worktree/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* A path's end sorts before a part's end, and that before every other byte. */
static int weight(char byte)
{
	return byte == '/' ? 1 : byte ? (unsigned char)byte + 1 : 0;
}

int rg_path_compare(const char *a, const char *b)
{
	while (*a && *a == *b) {
		a++;
		b++;
	}
	return weight(*a) - weight(*b);
}

static int compare_paths(const void *a, const void *b)
{
	return rg_path_compare(*(const char *const *)a, *(const char *const *)b);
}

size_t rg_path_sort_unique(const char **paths, size_t count)
{
	size_t kept = 0, i;

	if (count)
		qsort(paths, count, sizeof(*paths), compare_paths);
	for (i = 0; i < count; i++)
		if (!kept || strcmp(paths[kept - 1], paths[i]) != 0)
			paths[kept++] = paths[i];
	return kept;
}

/* What a diff is made from and what is left to be known about it. */
typedef struct {
	rg_worktree *worktree;
	const rg_change_query *query;
	rg_change_list *list;
	rg_git_trees trees;
	char *root; /* without a '/' at its end */
	/* Working tree only: the paths whose index entry differs from `base`, sorted. */
	const char **staged;
	size_t staged_count;
	git_diff *index_diff; /* owns them */
} work;

static bool is_staged(const work *w, const char *path)
{
	return w->staged_count && bsearch(&path, w->staged, w->staged_count, sizeof(*w->staged),
					  rg_compare_texts) != NULL;
}

static rg_error *note_staged(work *w, git_diff *diff)
{
	size_t i, count = git_diff_num_deltas(diff);

	if (!count)
		return NULL;
	w->staged = malloc(count * sizeof(*w->staged));
	if (!w->staged)
		return rg_error_nomem();
	for (i = 0; i < count; i++)
		w->staged[i] = git_diff_get_delta(diff, i)->new_file.path;
	w->staged_count = count;
	qsort(w->staged, count, sizeof(*w->staged), rg_compare_texts);
	return NULL;
}

/* Leaves out what libgit2 takes for gone and git does not. */
static int skip_absent(const git_diff *diff, const git_diff_delta *delta, const char *matched,
		       void *index)
{
	const git_index_entry *entry = NULL;

	(void)diff;
	(void)matched;
	if (delta->status == GIT_DELTA_DELETED)
		entry = git_index_get_bypath(index, delta->old_file.path, 0);
	return entry && rg_git_may_be_absent(entry) ? 1 : 0;
}

static int diff_files(git_diff **out, git_repository *repository, const git_diff_options *options)
{
	git_diff_options own = *options;
	git_index *index = NULL;
	int answer = git_repository_index(&index, repository);

	own.notify_cb = skip_absent;
	own.payload = index;
	if (answer >= 0)
		answer = git_diff_index_to_workdir(out, repository, index, &own);
	git_index_free(index);
	return answer;
}

/*
 * The two halves of "tree against working tree", as git puts them together. Neither writes the
 * index: a comparison changes nothing in the repository.
 */
static int diff_working_tree(git_diff **out, work *w, const git_diff_options *options,
			     rg_error **err)
{
	git_repository *repository = w->worktree->repository;
	git_diff *files = NULL;
	int answer =
		git_diff_tree_to_index(&w->index_diff, repository, w->trees.base, NULL, options);

	if (answer >= 0) {
		*err = note_staged(w, w->index_diff);
		answer = *err ? GIT_EUSER : diff_files(&files, repository, options);
	}
	if (answer >= 0 && w->staged_count) {
		/* `staged` points into the first half, which merging would change: diff it anew. */
		answer = git_diff_tree_to_index(out, repository, w->trees.base, NULL, options);
		if (answer >= 0)
			answer = git_diff_merge(*out, files);
	} else if (answer >= 0) {
		*out = files;
		files = NULL;
	}
	git_diff_free(files);
	return answer;
}

static rg_error *make_diff(work *w, git_diff **out)
{
	git_diff_options options;
	git_repository *repository = w->worktree->repository;
	rg_error *err = NULL;
	int answer;

	git_diff_options_init(&options, GIT_DIFF_OPTIONS_VERSION);
	options.flags = GIT_DIFF_INCLUDE_UNTRACKED | GIT_DIFF_RECURSE_UNTRACKED_DIRS |
			GIT_DIFF_DISABLE_PATHSPEC_MATCH | GIT_DIFF_INCLUDE_TYPECHANGE |
			GIT_DIFF_IGNORE_SUBMODULES | GIT_DIFF_SKIP_BINARY_CHECK;
	options.pathspec.strings = &w->root;
	options.pathspec.count = *w->root ? 1 : 0;
	if (w->trees.to)
		answer = git_diff_tree_to_tree(out, repository, w->trees.base, w->trees.to,
					       &options);
	else if (w->query->staged)
		answer = git_diff_tree_to_index(out, repository, w->trees.base, NULL, &options);
	else
		answer = diff_working_tree(out, w, &options, &err);
	if (!err && answer < 0)
		err = rg_git_error(answer, "finding what differs");
	return err;
}

/* Where index and working tree may disagree with the diff, both sides are looked at themselves: a
 * file that was taken out of the index, or that a merge left in conflict, may stand in the working
 * tree all the same, with the base's bytes even. */
static rg_error *look_again(const work *w, const char *path, git_oid *old, bool *has_old,
			    bool *has_new)
{
	RG_TRY(rg_git_find_in_tree(w->trees.base, path, old, has_old));
	return rg_git_find_in_files(w->worktree, path, has_new);
}

/* Is the new side's file there as the index has it, because git does not look for it? */
static rg_error *look_for_absent(const work *w, const char *path, git_oid *new, bool *out)
{
	bool there;

	RG_TRY(rg_git_find_in_files(w->worktree, path, &there));
	*out = false;
	return there ? NULL : rg_git_find_absent(w->worktree, path, new, out);
}

/* Of an index the diff gives what is in conflict as gone, and what is only announced as an empty
 * file. */
static rg_error *look_in_index(const work *w, const char *path, git_oid *old, bool *has_old,
			       git_oid *new, bool *has_new)
{
	RG_TRY(rg_git_find_in_tree(w->trees.base, path, old, has_old));
	return rg_git_find_in_index(w->worktree, path, new, has_new);
}

static bool is_wanted(const work *w, const char *path)
{
	return !w->query->wants || w->query->wants(path);
}

typedef struct {
	bool in_files; /* the new side is the working tree */
	bool renamed;
	bool doubtful, odd; /* to be looked at again: in the working tree, in the index */
	bool has_old, has_new;
	bool absent; /* the new side is the index's, because git does not look for it */
	git_oid old, new;
} sides;

/* Links and submodules are no goldens, nor are files that nobody wants: a side that is one counts
 * as not there. */
static void read_sides(const work *w, const git_diff_delta *delta, sides *s)
{
	git_delta_t status = delta->status;

	*s = (sides){.in_files = !w->trees.to && !w->query->staged,
		     .renamed = status == GIT_DELTA_RENAMED,
		     .old = delta->old_file.id,
		     .new = delta->new_file.id};
	s->has_old = status != GIT_DELTA_ADDED && status != GIT_DELTA_UNTRACKED &&
		     rg_git_is_file_mode(delta->old_file.mode);
	s->has_new = status != GIT_DELTA_DELETED && rg_git_is_file_mode(delta->new_file.mode);
	s->doubtful = s->in_files && !s->renamed &&
		      (status == GIT_DELTA_CONFLICTED || is_staged(w, delta->new_file.path) ||
		       (s->has_old && s->has_new && delta->old_file.mode != delta->new_file.mode));
	s->odd = w->query->staged && !s->renamed && status != GIT_DELTA_DELETED;
	s->has_old = s->has_old && is_wanted(w, delta->old_file.path);
	s->has_new = s->has_new && is_wanted(w, delta->new_file.path);
}

/* What the delta alone does not tell, or not rightly. */
static rg_error *find_sides(const work *w, const char *path, sides *s)
{
	if (s->doubtful)
		RG_TRY(look_again(w, path, &s->old, &s->has_old, &s->has_new));
	else if (s->odd)
		RG_TRY(look_in_index(w, path, &s->old, &s->has_old, &s->new, &s->has_new));
	if (s->in_files && (s->renamed || (s->doubtful && !s->has_new)))
		RG_TRY(look_for_absent(w, path, &s->new, &s->absent));
	s->has_new |= s->absent;
	return NULL;
}

static rg_error *add_delta(work *w, const git_diff_delta *delta)
{
	rg_change change = {.path = delta->new_file.path, .old_path = delta->old_file.path};
	sides s;

	read_sides(w, delta, &s);
	if (!s.has_old && !s.has_new && !is_wanted(w, change.path))
		return NULL;
	if (!s.doubtful && !s.odd && delta->status == GIT_DELTA_UNMODIFIED)
		return NULL;
	RG_TRY(find_sides(w, change.path, &s));
	if ((!s.has_old && !s.has_new) || (s.absent && !w->query->as_in_index))
		return NULL;
	if (s.has_old)
		git_oid_tostr(change.old_id, sizeof(change.old_id), &s.old);
	else
		change.old_path = NULL;
	change.unmerged = s.has_new && (s.odd || s.doubtful) &&
			  rg_worktree_is_in_conflict(w->worktree, change.path);
	if (s.has_new && (!s.in_files || s.absent) && !change.unmerged)
		git_oid_tostr(change.new_id, sizeof(change.new_id), &s.new);
	change.kind = !s.has_old   ? RG_CHANGE_NEW
		      : !s.has_new ? RG_CHANGE_REMOVED
		      : s.renamed  ? RG_CHANGE_RENAMED
				   : RG_CHANGE_MODIFIED;
	if (change.kind == RG_CHANGE_REMOVED)
		change.path = change.old_path;
	/* The same bytes on both sides after all, or only another mode. */
	if (change.kind == RG_CHANGE_MODIFIED &&
	    (!strcmp(change.old_id, change.new_id) ||
	     (s.doubtful && !s.absent && rg_git_is_as_in_base(w->worktree, &change))))
		return NULL;
	return rg_git_add_change(w->list, &change);
}

/* The way through libgit2's diffs. */
static rg_error *collect_deltas(work *w)
{
	git_diff *diff = NULL;
	size_t i;
	rg_error *err = make_diff(w, &diff);

	if (!err && !w->query->no_renames)
		err = rg_git_find_renames(diff);
	for (i = 0; !err && i < git_diff_num_deltas(diff); i++)
		err = add_delta(w, git_diff_get_delta(diff, i));
	git_diff_free(diff);
	return err;
}

/* Could something that is gone have become something that is new? */
static bool may_be_renamed(const rg_change_list *list)
{
	bool removed = false, new = false;
	size_t i;

	for (i = 0; i < list->count; i++) {
		removed |= list->items[i].kind == RG_CHANGE_REMOVED;
		new |= list->items[i].kind == RG_CHANGE_NEW;
	}
	return removed && new;
}

static rg_error *collect(work *w)
{
	bool supported = false;

	RG_TRY(rg_git_resolve_trees(w->worktree, w->query, &w->trees, w->list));
	if (!w->trees.to && !w->query->staged)
		RG_TRY(rg_git_changes_in_files(w->worktree, w->query, w->trees.base, w->root,
					       w->list, &supported));
	if (supported && (w->query->no_renames || !may_be_renamed(w->list)))
		return NULL;
	w->list->count = 0;
	return collect_deltas(w);
}

rg_error *rg_worktree_changes(rg_worktree *worktree, const rg_change_query *query,
			      rg_change_list *out)
{
	work w = {.worktree = worktree, .query = query, .list = out};
	rg_error *err;

	*out = (rg_change_list){0};
	rg_arena_init(&out->arena);
	err = rg_strdup(&w.root, query->root ? query->root : "");
	while (!err && *w.root && w.root[strlen(w.root) - 1] == '/')
		w.root[strlen(w.root) - 1] = '\0';
	if (!err)
		err = rg_git_explain_index(collect(&w));
	if (!err)
		rg_git_sort_changes(out);
	free(w.root);
	free(w.staged);
	git_diff_free(w.index_diff);
	rg_git_trees_release(&w.trees);
	if (err)
		rg_change_list_release(out);
	return err;
}
