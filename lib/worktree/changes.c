/* SPDX-License-Identifier: Apache-2.0 */
#include "base/error.h"
#include "base/memory.h"
#include "base/order.h"
#include "base/path.h"
#include "base/pattern.h"
#include "worktree/internal.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

/*
 * The regular files below a folder of the working tree. Start, do something else meanwhile, finish,
 * use the files, free. A thread of its own reads the folders. Links are not followed; .git and
 * repositories inside the repository are passed over.
 */
typedef struct {
	const char *path; /* from the root */
	struct timespec mtime, ctime;
	uint64_t inode, size;
	bool executable;
} walk_file;

typedef struct {
	const char *root, *globs;
	pthread_t thread;
	bool started;
	rg_arena arena; /* holds the paths */
	walk_file *files;
	size_t count, capacity;
	const char **folders; /* still to be read */
	size_t folder_count, folder_capacity;
	rg_error *err;
} walk_state;

static void append_folder(walk_state *walk, const char *path)
{
	*RG_PUSH(walk->folders, walk->folder_count, walk->folder_capacity) =
		rg_arena_text(&walk->arena, path);
}

static rg_error *visit(walk_state *walk, DIR *folder, const char *path, const struct dirent *entry)
{
	struct stat st;
	if (entry->d_type == DT_DIR) {
		append_folder(walk, path);
		return NULL;
	}
	if (entry->d_type != DT_UNKNOWN &&
	    (entry->d_type != DT_REG || (walk->globs && !rg_globs_take(walk->globs, path))))
		return NULL;
	if (fstatat(dirfd(folder), entry->d_name, &st, AT_SYMLINK_NOFOLLOW))
		/* Gone since the folder was read: then it is not there. */
		return errno == ENOENT ? NULL : rg_error_io(errno, "%s", path);
	if (S_ISDIR(st.st_mode))
		append_folder(walk, path);
	else if (S_ISREG(st.st_mode) && (!walk->globs || rg_globs_take(walk->globs, path)))
		*RG_PUSH(walk->files, walk->count, walk->capacity) =
			(walk_file){.path = rg_arena_text(&walk->arena, path),
				    .mtime = st.st_mtim,
				    .ctime = st.st_ctim,
				    .inode = st.st_ino,
				    .size = (uint64_t)st.st_size,
				    .executable = st.st_mode & 0100};
	return NULL;
}

/* *is_repository: the folder is the top of another repository. */
static rg_error *read_entries(walk_state *walk, DIR *folder, const char *path, bool *is_repository)
{
	const struct dirent *entry;
	size_t length = strlen(path);
	char full[PATH_MAX];

	memcpy(full, path, length + 1);
	if (length)
		full[length++] = '/';
	while (errno = 0, (entry = readdir(folder)) != NULL) {
		size_t size = strlen(entry->d_name);
		if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
			continue;
		if (!strcmp(entry->d_name, ".git")) {
			*is_repository = length > 0;
			continue;
		}
		if (length + size >= sizeof(full))
			return rg_error_io(ENAMETOOLONG, "%s", path);
		memcpy(full + length, entry->d_name, size + 1);
		RG_TRY(visit(walk, folder, full, entry));
	}
	return errno ? rg_error_io(errno, "%s", path) : NULL;
}

static rg_error *read_folder(walk_state *walk, const char *path)
{
	size_t files_before = walk->count, folders_before = walk->folder_count;
	bool is_repository = false;
	char full[PATH_MAX];

	if ((size_t)snprintf(full, sizeof(full), "%s%s", walk->root, path) >= sizeof(full))
		return rg_error_io(ENAMETOOLONG, "%s", path);
	DIR *folder = opendir(full);
	if (!folder) /* none, or a file in its place: no files are below it */
		return errno == ENOENT || errno == ENOTDIR ? NULL : rg_error_io(errno, "%s", full);
	rg_error *err = read_entries(walk, folder, path, &is_repository);
	closedir(folder);
	if (is_repository) {
		walk->count = files_before;
		walk->folder_count = folders_before;
	}
	return err;
}

static void *run(void *argument)
{
	walk_state *walk = argument;
	while (!walk->err && walk->folder_count)
		walk->err = read_folder(walk, walk->folders[--walk->folder_count]);
	return NULL;
}

/* Starts at the folder `below` ("": the top) of `root`, which is absolute and ends in '/'. Only
 * files that the globs take (rg_globs_take; NULL: all). The texts must outlive the walk. */
static walk_state *walk_start(const char *root, const char *below, const char *globs)
{
	walk_state *walk = rg_calloc(1, sizeof(*walk));
	char full[PATH_MAX];
	struct stat st;

	walk->root = root;
	walk->globs = globs;
	/* Nothing beyond a link is git's. */
	if ((size_t)snprintf(full, sizeof(full), "%s%s", root, below) >= sizeof(full) ||
	    lstat(full, &st) || !S_ISLNK(st.st_mode))
		append_folder(walk, below);
	walk->started = !pthread_create(&walk->thread, NULL, run, walk);
	return walk;
}

static void join(walk_state *walk)
{
	if (walk->started)
		pthread_join(walk->thread, NULL);
	walk->started = false;
}

/*
 * The search for differences first finds the paths that may differ: those that differ between two
 * trees, or a tree and the index, and for the working tree the files that are not as the index
 * knows them. Then it looks each of these paths up on both sides.
 */

typedef struct {
	rg_worktree *worktree;
	const rg_change_query *query;
	rg_change_list *list;
	git_tree *base, *to; /* `to` NULL: index or working tree */
	git_index *index;    /* NULL with `to` */
	bool in_files;       /* the new side is the working tree */
	rg_git_files files;
	char *root; /* without a '/' at its end */
	/* The paths that may differ, and who owns them beside the index. */
	const char **paths;
	size_t count, capacity;
	git_diff *diff;
	rg_arena arena;
	walk_state *walk;
	const git_index_entry **found; /* of which the walk found a file */
	size_t found_count;
	bool done; /* the list is the caller's */
} search;

static void search_release(search *s)
{
	walk_state *walk = s->walk;

	if (walk) {
		join(walk);
		free(walk->files);
		free(walk->folders);
		rg_arena_release(&walk->arena);
		rg_error_free(walk->err);
		free(walk);
	}
	git_diff_free(s->diff);
	rg_arena_release(&s->arena);
	git_index_free(s->index);
	git_tree_free(s->to);
	git_tree_free(s->base);
	free(s->found);
	free(s->paths);
	free(s->root);
	if (!s->done)
		rg_change_list_release(s->list);
}

static bool is_wanted(const search *s, const char *path)
{
	size_t length = strlen(s->root);
	return (!length || (!strncmp(path, s->root, length) && path[length] == '/')) &&
	       (!s->query->files || rg_globs_take(s->query->files, path));
}

static void append_path(search *s, const char *path)
{
	*RG_PUSH(s->paths, s->count, s->capacity) = path;
}

/*
 * Is the index, by the cache of trees that git keeps in it, the base's tree? Writing the index's
 * tree is answered by the cache where that is whole; where it is not, a database that takes no
 * objects makes the writing fail at its first. Reading 1,000 trees to see the same takes a tenth of
 * a comparison's time.
 */
static bool is_index_as_base(const search *s)
{
	RG_AUTO_PTR(git_odb) nothing = NULL;
	RG_AUTO_PTR(git_repository) nowhere = NULL;
	git_oid tree;

	return !s->to && !git_odb_new(&nothing) && !git_repository_wrap_odb(&nowhere, nothing) &&
	       !git_index_write_tree_to(&tree, s->index, nowhere) &&
	       git_oid_equal(&tree, git_tree_id(s->base));
}

static int append_entry(const char *folder, const git_tree_entry *entry, void *context)
{
	search *s = context;
	RG_AUTO_FREE char *path = rg_textf("%s%s%s%s", s->root, *s->root ? "/" : "", folder,
					   git_tree_entry_name(entry));
	if (git_tree_entry_type(entry) == GIT_OBJECT_BLOB && is_wanted(s, path))
		append_path(s, rg_arena_text(&s->arena, path));
	return 0;
}

/* Appends the paths of a tree that is compared with nothing. A diff would read git's settings
 * first.
 */
static int append_tree(search *s)
{
	RG_AUTO_PTR(git_tree_entry) entry = NULL;
	RG_AUTO_PTR(git_tree) folder = NULL;

	if (*s->root) {
		const int answer = git_tree_entry_bypath(&entry, s->to, s->root);
		const git_error *last = git_error_last();
		if (answer == GIT_ENOTFOUND && last && last->klass == GIT_ERROR_TREE)
			return 0;
		if (answer < 0 || git_tree_entry_type(entry) != GIT_OBJECT_TREE)
			return answer;
		const int found =
			git_tree_lookup(&folder, s->worktree->repository, git_tree_entry_id(entry));
		if (found < 0)
			return found;
	}
	return git_tree_walk(folder ? folder : s->to, GIT_TREEWALK_PRE, append_entry, s);
}

/* Appends the paths in which the base differs from the other tree or the index. */
static rg_error *append_deltas(search *s)
{
	git_repository *repository = s->worktree->repository;
	git_diff_options options;
	int answer;

	if (is_index_as_base(s))
		return NULL;
	git_diff_options_init(&options, GIT_DIFF_OPTIONS_VERSION);
	options.flags = GIT_DIFF_DISABLE_PATHSPEC_MATCH | GIT_DIFF_IGNORE_SUBMODULES |
			GIT_DIFF_SKIP_BINARY_CHECK;
	options.pathspec.strings = &s->root;
	options.pathspec.count = *s->root ? 1 : 0;
	if (s->to && !git_tree_entrycount(s->base))
		answer = append_tree(s);
	else if (s->to)
		answer = git_diff_tree_to_tree(&s->diff, repository, s->base, s->to, &options);
	else
		answer = git_diff_tree_to_index(&s->diff, repository, s->base, s->index, &options);
	if (answer == GIT_ENOTFOUND)
		return rg_git_lacks_object(s->worktree, "finding what differs", true);
	if (answer < 0)
		return rg_git_error(answer, "finding what differs");
	for (size_t i = 0; s->diff && i < git_diff_num_deltas(s->diff); i++) {
		const char *path = git_diff_get_delta(s->diff, i)->new_file.path;
		if (is_wanted(s, path))
			append_path(s, path);
	}
	return NULL;
}

static bool is_time(const git_index_time *time, const struct timespec *now)
{
	return time->seconds == now->tv_sec &&
	       (!time->nanoseconds || time->nanoseconds == (uint32_t)now->tv_nsec);
}

/* Is the file as the index knows it? False if that cannot be known. */
static bool is_as_in_index(const search *s, const git_index_entry *entry, const walk_file *file,
			   const struct timespec *written)
{
	const git_index_time *time = &entry->mtime;
	/* A file that was changed when the index was written, or later, may look as it did before.
	 */
	bool before = time->seconds < written->tv_sec ||
		      (time->seconds == written->tv_sec && time->nanoseconds &&
		       time->nanoseconds < (uint32_t)written->tv_nsec);

	if (entry->flags & GIT_INDEX_ENTRY_VALID) /* git update-index --assume-unchanged */
		return true;
	return entry->file_size == (uint32_t)file->size && is_time(&entry->mtime, &file->mtime) &&
	       is_time(&entry->ctime, &file->ctime) &&
	       (!entry->ino || entry->ino == (uint32_t)file->inode) &&
	       (rg_git_ignores_modes(s->index) ||
		file->executable == ((entry->mode & 0100) != 0)) &&
	       before;
}

RG_ORDER_OF_POINTERS(by_place, git_index_entry, RG_BY((uintptr_t)x, (uintptr_t)y));

/* Appends the paths that the index has and the walk did not find, and those in conflict there. */
static void append_missing(search *s)
{
	size_t count = git_index_entrycount(s->index);
	if (s->found_count)
		qsort(s->found, s->found_count, sizeof(*s->found), by_place);
	for (size_t i = 0; i < count; i++) {
		const git_index_entry *entry = git_index_get_byindex(s->index, i);
		if (!rg_git_may_be_absent(entry) &&
		    !(s->found_count &&
		      bsearch(&entry, s->found, s->found_count, sizeof(*s->found), by_place)) &&
		    is_wanted(s, entry->path))
			append_path(s, entry->path);
	}
}

/* Appends the files of the working tree that are not as the index has them. */
static rg_error *append_files(search *s, const struct timespec *written)
{
	walk_state *walk = s->walk;
	RG_AUTO(rg_buf) seen = rg_buf_of(RG_BUF_TEXT);

	join(walk);
	run(walk); /* it may be that no thread could be started */
	RG_TRY(RG_TAKE(walk->err));
	s->found = rg_malloc((walk->count + 1) * sizeof(*s->found));
	for (size_t i = 0; i < walk->count; i++) {
		const walk_file *file = &walk->files[i];
		const git_index_entry *entry = git_index_get_bypath(s->index, file->path, 0);
		bool passed_over = false;

		if (entry) {
			s->found[s->found_count++] = entry;
			passed_over = is_as_in_index(s, entry, file, written);
		} else if (!rg_git_is_in_conflict(s->index, file->path)) {
			RG_TRY(rg_git_is_ignored(s->worktree, file->path, &seen, &passed_over));
		}
		if (!passed_over)
			append_path(s, file->path);
	}
	append_missing(s);
	return NULL;
}

/* One side of a path. */
typedef struct {
	bool there; /* as a regular file */
	bool executable;
	bool left_out; /* of the working tree, where git does not look for it */
	git_oid id;    /* all zeros where no blob is known: a working tree's file, a conflict */
} side;

static rg_error *look_in_tree(const search *s, git_tree *tree, const char *path, side *out)
{
	unsigned mode;
	RG_TRY(rg_git_find_in_tree(s->worktree, tree, path, &out->id, &mode));
	out->there = mode != 0;
	out->executable = mode & 0100;
	return NULL;
}

static void look_in_index(git_index *index, const char *path, side *out)
{
	const git_index_entry *entry = rg_git_find_in_index(index, path);
	out->there = entry != NULL;
	if (entry && !git_index_entry_stage(entry))
		out->id = entry->id;
	out->executable = entry && entry->mode & 0100;
}

static void look_in_files(search *s, const char *path, const side *old, side *out)
{
	const git_index_entry *entry = git_index_get_bypath(s->index, path, 0);
	struct stat st;

	out->there = rg_git_stat(&s->files, path, &st);
	if (out->there) {
		out->executable = st.st_mode & 0100;
		if (rg_git_ignores_modes(s->index))
			out->executable = entry ? entry->mode & 0100 : old->executable;
	} else if (entry && rg_git_may_be_absent(entry)) {
		out->left_out = !s->query->as_in_index;
		if (s->query->as_in_index)
			look_in_index(s->index, path, out);
	}
}

/* Does nothing differ after all? Sets change->unsure. */
static bool is_same(const search *s, rg_change *change, const side *old, const side *fresh)
{
	if (change->kind != RG_CHANGE_MODIFIED)
		return change->kind == RG_CHANGE_NONE;
	if (s->query->modes && old->executable != fresh->executable)
		return false;
	if (*change->new_id || !s->in_files)
		return !strcmp(change->old_id, change->new_id);
	change->unsure = s->query->unsure;
	return !change->unsure && rg_git_has_bytes(s->worktree, change->path, change->old_id);
}

void rg_change_list_add(rg_change_list *list, const rg_change *change)
{
	rg_change *copy = RG_PUSH(list->items, list->count, list->capacity);
	*copy = *change;
	copy->path = rg_arena_text(&list->arena, change->path);
	if (change->old_path == change->path)
		copy->old_path = copy->path;
	else if (change->old_path)
		copy->old_path = rg_arena_text(&list->arena, change->old_path);
}

/* Appends a path's change; `named`: whether it differs or not. */
static rg_error *append_change(search *s, const char *path, bool named)
{
	rg_change change = {.path = path};
	side old = {0}, fresh = {0};

	RG_TRY(look_in_tree(s, s->base, path, &old));
	if (s->to)
		RG_TRY(look_in_tree(s, s->to, path, &fresh));
	else if (s->in_files)
		look_in_files(s, path, &old, &fresh);
	else
		look_in_index(s->index, path, &fresh);
	if (old.there) {
		change.old_path = path;
		git_oid_tostr(change.old_id, sizeof(change.old_id), &old.id);
	}
	if (fresh.there && !git_oid_is_zero(&fresh.id))
		git_oid_tostr(change.new_id, sizeof(change.new_id), &fresh.id);
	change.unmerged = fresh.there && s->index && rg_git_is_in_conflict(s->index, path);
	change.kind = old.there && fresh.there ? RG_CHANGE_MODIFIED
		      : old.there              ? RG_CHANGE_REMOVED
		      : fresh.there            ? RG_CHANGE_NEW
					       : RG_CHANGE_NONE;
	if (!named && (fresh.left_out || is_same(s, &change, &old, &fresh)))
		return NULL;
	rg_change_list_add(s->list, &change);
	return NULL;
}

static rg_error *open_search(search *s)
{
	const rg_change_query *query = s->query;

	*s->list = (rg_change_list){0};
	s->in_files = !query->to && !query->staged;
	rg_git_files_init(&s->files, s->worktree);
	s->root = rg_strdup(query->root ? query->root : "");
	while (*s->root && s->root[strlen(s->root) - 1] == '/')
		s->root[strlen(s->root) - 1] = '\0';
	return rg_git_resolve_sides(s->worktree, query, &s->base, &s->to, s->list);
}

rg_error *rg_worktree_changes(rg_worktree *worktree, const rg_change_query *query,
			      rg_change_list *out)
{
	RG_AUTO(search) s = {.worktree = worktree, .query = query, .list = out};
	struct timespec written = {0};

	RG_TRY(open_search(&s));
	if (s.in_files)
		s.walk = walk_start(rg_worktree_root(worktree), s.root, query->files);
	if (!s.to)
		RG_TRY(rg_git_open_index(worktree, &s.index, &written));
	RG_TRY(append_deltas(&s));
	if (s.in_files)
		RG_TRY(append_files(&s, &written));
	s.count = rg_path_sort_unique(s.paths, s.count);
	for (size_t i = 0; i < s.count; i++)
		RG_TRY(append_change(&s, s.paths[i], false));
	if (query->fetch)
		rg_git_fetch_changes(worktree, out);
	if (!query->no_renames)
		rg_git_pair_renames(worktree, out);
	s.done = true;
	return NULL;
}

rg_error *rg_worktree_named(rg_worktree *worktree, const rg_change_query *query,
			    const char *const *paths, size_t path_count, rg_change_list *out)
{
	RG_AUTO(search) s = {.worktree = worktree, .query = query, .list = out};

	RG_TRY(open_search(&s));
	if (!s.to)
		RG_TRY(rg_git_open_index(worktree, &s.index, NULL));
	for (size_t i = 0; i < path_count; i++)
		append_path(&s, paths[i]);
	s.count = rg_path_sort_unique(s.paths, s.count);
	for (size_t i = 0; i < s.count; i++)
		RG_TRY(append_change(&s, s.paths[i], true));
	if (query->fetch)
		rg_git_fetch_changes(worktree, out);
	s.done = true;
	return NULL;
}

/* The first line ends in LF before and in CR LF after. */
static bool has_gained_cr(const char *before, size_t before_size, const char *after,
			  size_t after_size)
{
	const char *newline = before_size ? memchr(before, '\n', before_size) : NULL;
	size_t line = newline ? (size_t)(newline - before) : 0;

	return newline && after_size > before_size && after[line] == '\r' &&
	       after[line + 1] == '\n' && !memcmp(before, after, line);
}

bool rg_change_is_none(const rg_worktree *worktree, const rg_change *change, const char *before,
		       size_t before_size, const char *after, size_t after_size)
{
	if (!change->unsure || change->kind != RG_CHANGE_MODIFIED)
		return false;
	if (before_size == after_size && !memcmp(before, after, before_size))
		return true;
	return has_gained_cr(before, before_size, after, after_size) &&
	       rg_git_has_bytes(worktree, change->path, change->old_id);
}

static int compare_to_path(const void *path, const void *change)
{
	return rg_path_compare(path, ((const rg_change *)change)->path);
}

bool rg_change_list_has(const rg_change_list *list, const char *path)
{
	return list->count &&
	       bsearch(path, list->items, list->count, sizeof(*list->items), compare_to_path);
}

void rg_change_list_release(rg_change_list *list)
{
	free(list->items);
	rg_arena_release(&list->arena);
	*list = (rg_change_list){0};
}
