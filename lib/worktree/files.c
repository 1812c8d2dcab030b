/*
 * What differs between a tree and the working tree, without hashing what need not be and without
 * libgit2's iterators, which stat every folder and look for a .gitignore in each: a scan of the
 * files on one side, the index and what is staged on the other, merged by path.
 */
#include "worktree/internal.h"
#include "worktree/scan.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

typedef struct {
	rg_worktree *worktree;
	const rg_change_query *query;
	git_tree *base;
	rg_change_list *list;
	git_index *index;
	struct timespec written; /* the index: what was changed then or later may be unnoticed */
	git_diff *staged;        /* from base to index; NULL where they are the same */
	rg_buf seen;             /* see rg_git_is_ignored */
} work;

/* One path on all sides; what is not there is NULL. */
typedef struct {
	const char *path;
	const git_index_entry *entry;
	const git_diff_delta *staged;
	const rg_scan_file *file;
} place;

static bool is_below(const char *path, const char *root, size_t length)
{
	return !length || (!strncmp(path, root, length) && path[length] == '/');
}

static rg_error *open_index(work *w)
{
	struct stat st;
	int answer = git_repository_index(&w->index, w->worktree->repository);

	if (answer < 0)
		return rg_git_error(answer, "index");
	/* In this order, so that an index that is replaced meanwhile counts as older than it is. */
	if (!stat(git_index_path(w->index), &st))
		w->written = st.st_mtim;
	answer = git_index_read(w->index, 0);
	return answer < 0 ? rg_git_error(answer, "index") : NULL;
}

/*
 * Is the index, by the cache of trees that git keeps in it, the base's tree? Writing the index's
 * tree is answered by the cache where that is whole; where it is not, a database that takes no
 * objects makes the writing fail at its first.
 */
static bool is_as_base(const work *w)
{
	git_repository *nowhere = NULL;
	git_odb *nothing = NULL;
	git_oid tree;
	bool same;

	same = !git_odb_new(&nothing) && !git_repository_wrap_odb(&nowhere, nothing) &&
	       !git_index_write_tree_to(&tree, w->index, nowhere) &&
	       git_oid_equal(&tree, git_tree_id(w->base));
	git_repository_free(nowhere);
	git_odb_free(nothing);
	return same;
}

/* Leaves `staged` NULL where nothing is. */
static rg_error *diff_staged(work *w, const char *root)
{
	git_diff_options options;
	char *path;
	int answer;

	if (is_as_base(w))
		return NULL;
	RG_TRY(rg_strdup(&path, root));
	git_diff_options_init(&options, GIT_DIFF_OPTIONS_VERSION);
	options.flags = GIT_DIFF_DISABLE_PATHSPEC_MATCH | GIT_DIFF_INCLUDE_TYPECHANGE |
			GIT_DIFF_IGNORE_SUBMODULES | GIT_DIFF_SKIP_BINARY_CHECK;
	options.pathspec.strings = &path;
	options.pathspec.count = *path ? 1 : 0;
	answer = git_diff_tree_to_index(&w->staged, w->worktree->repository, w->base, w->index,
					&options);
	free(path);
	return answer < 0 ? rg_git_error(answer, "finding what is staged") : NULL;
}

static bool is_before(const git_index_time *time, const struct timespec *limit)
{
	return time->seconds < limit->tv_sec ||
	       (time->seconds == limit->tv_sec && time->nanoseconds &&
		time->nanoseconds < (uint32_t)limit->tv_nsec);
}

/* Is the file as the index knows it? What cannot be told counts as no. */
static bool is_as_in_index(const work *w, const git_index_entry *entry, const rg_scan_file *file)
{
	if (entry->flags & GIT_INDEX_ENTRY_VALID) /* git update-index --assume-unchanged */
		return true;
	return entry->file_size == (uint32_t)file->size && entry->mtime.seconds == file->mtime &&
	       entry->ctime.seconds == file->ctime &&
	       (!entry->mtime.nanoseconds || entry->mtime.nanoseconds == file->mtime_nanoseconds) &&
	       (!entry->ctime.nanoseconds || entry->ctime.nanoseconds == file->ctime_nanoseconds) &&
	       (!entry->ino || entry->ino == (uint32_t)file->inode) &&
	       is_before(&entry->mtime, &w->written);
}

/* The base's side of a path: what is staged knows it, else it is the index's. */
static rg_error *find_base(const work *w, const place *p, git_oid *id, bool *out)
{
	if (p->staged)
		return rg_git_find_in_tree(w->base, p->path, id, out);
	*out = p->entry && rg_git_is_file_mode(p->entry->mode);
	if (*out)
		git_oid_cpy(id, &p->entry->id);
	return NULL;
}

static rg_error *add_new(work *w, const place *p, const rg_change *change)
{
	bool ignored = false;

	if (!p->entry)
		RG_TRY(rg_git_is_ignored(w->worktree, p->path, &w->seen, &ignored));
	return ignored ? NULL : rg_git_add_change(w->list, change);
}

/* What git does not look for in the working tree is there as the index has it. */
static rg_error *add_absent(work *w, const place *p, rg_change *change)
{
	if (!w->query->as_in_index || !rg_git_is_file_mode(p->entry->mode))
		return NULL;
	git_oid_tostr(change->new_id, sizeof(change->new_id), &p->entry->id);
	if (!strcmp(change->old_id, change->new_id))
		return NULL;
	change->unsure = false;
	change->kind = *change->old_id ? RG_CHANGE_MODIFIED : RG_CHANGE_NEW;
	if (!*change->old_id)
		change->old_path = NULL;
	return rg_git_add_change(w->list, change);
}

static rg_error *judge(work *w, const place *p)
{
	rg_change change = {.path = p->path, .old_path = p->path, .unsure = w->query->unsure};
	bool has_old, has_new = p->file;
	git_oid id;

	RG_TRY(find_base(w, p, &id, &has_old));
	if (has_old)
		git_oid_tostr(change.old_id, sizeof(change.old_id), &id);
	/* The scan passes over repositories inside; what is tracked there is git's all the same. */
	if (!has_new && p->entry)
		RG_TRY(rg_git_find_in_files(w->worktree, p->path, &has_new));
	if (!has_new && p->entry && rg_git_may_be_absent(p->entry))
		return add_absent(w, p, &change);
	change.unmerged = has_new && p->entry && git_index_entry_stage(p->entry);
	if (!has_old && has_new) {
		change.kind = RG_CHANGE_NEW;
		change.old_path = NULL;
		return add_new(w, p, &change);
	}
	if (!has_old)
		return NULL;
	if (!has_new) {
		change.kind = RG_CHANGE_REMOVED;
		return rg_git_add_change(w->list, &change);
	}
	change.kind = RG_CHANGE_MODIFIED;
	if (p->file && !p->staged && p->entry && is_as_in_index(w, p->entry, p->file))
		return NULL;
	if (!change.unsure && rg_git_is_as_in_base(w->worktree, &change))
		return NULL;
	return rg_git_add_change(w->list, &change);
}

/* The first of the three next paths. */
static const char *least(const char *a, const char *b)
{
	return !a ? b : !b ? a : strcmp(a, b) <= 0 ? a : b;
}

static bool is_at(const char *path, const char *wanted)
{
	return path && !strcmp(path, wanted);
}

/* Walks the index, what is staged and the files, all of them in the order of their paths. */
static rg_error *merge(work *w, const char *root, const rg_scan_file *files, size_t file_count)
{
	size_t length = strlen(root), e = 0, s = 0, f = 0, entries = git_index_entrycount(w->index);
	size_t staged = w->staged ? git_diff_num_deltas(w->staged) : 0;

	if (length && git_index_find_prefix(&e, w->index, root) < 0)
		e = entries;
	for (;;) {
		const git_index_entry *entry = e < entries ? git_index_get_byindex(w->index, e)
							   : NULL;
		const git_diff_delta *delta = s < staged ? git_diff_get_delta(w->staged, s) : NULL;
		place p = {0};

		if (entry && strncmp(entry->path, root, length) != 0) {
			e = entries; /* past the folder */
			continue;
		}
		if (entry && !is_below(entry->path, root, length)) {
			e++; /* a sibling such as ROOT-old, in the midst of it */
			continue;
		}
		p.path = least(
			least(entry ? entry->path : NULL, delta ? delta->old_file.path : NULL),
			f < file_count ? files[f].path : NULL);
		if (!p.path)
			return NULL;
		if (entry && is_at(entry->path, p.path)) {
			p.entry = entry;
			e++;
		}
		/* A conflict has up to three entries; none of them is the base's for sure. */
		while (e < entries && (entry = git_index_get_byindex(w->index, e)) != NULL &&
		       is_at(entry->path, p.path))
			e++;
		if (delta && is_at(delta->old_file.path, p.path)) {
			p.staged = delta;
			s++;
		}
		if (f < file_count && is_at(files[f].path, p.path))
			p.file = &files[f++];
		/* The scan has asked about its files. */
		if (p.file || !w->query->wants || w->query->wants(p.path))
			RG_TRY(judge(w, &p));
	}
}

rg_error *rg_git_changes_in_files(rg_worktree *worktree, const rg_change_query *query,
				  git_tree *base, const char *root, rg_change_list *list,
				  bool *supported)
{
	work w = {.worktree = worktree, .query = query, .base = base, .list = list};
	const rg_scan_file *files;
	rg_scan *scan = NULL;
	size_t count;
	rg_error *err;

	rg_buf_init(&w.seen, RG_BUF_TEXT);
	err = rg_scan_start(&scan, rg_worktree_root(worktree), root, query->wants);
	if (!err)
		err = open_index(&w);
	*supported = !err && !(git_index_caps(w.index) & GIT_INDEX_CAPABILITY_IGNORE_CASE);
	if (!err && *supported)
		err = diff_staged(&w, root);
	if (!err && *supported)
		err = rg_scan_finish(scan, &files, &count);
	if (!err && *supported)
		err = merge(&w, root, files, count);
	rg_buf_release(&w.seen);
	git_diff_free(w.staged);
	git_index_free(w.index);
	rg_scan_free(scan);
	return err;
}
