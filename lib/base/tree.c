/* SPDX-License-Identifier: Apache-2.0 */
#include "base/tree.h"

#include "base/memory.h"
#include "base/buf.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DEPTH_MAX = 64, FILES_MAX = 1000000 };

typedef struct {
	rg_tree *tree;
	const char *folder; /* for messages */
	rg_buf path;        /* of what is under way, from the folder */
	int depth;
	bool all;
} walk;

static void walk_release(walk *w)
{
	rg_buf_release(&w->path);
}

static rg_error *append(walk *w, const char ***paths, size_t *count, size_t *capacity)
{
	if (*count == FILES_MAX)
		return rg_error_new(RG_E_LIMIT, "%s: more than %d files", w->folder, FILES_MAX);
	rg_grow(paths, capacity, *count + 1, sizeof(**paths));
	(*paths)[*count] = rg_arena_copy(&w->tree->arena, w->path.data, w->path.length);
	(*count)++;
	return NULL;
}

static rg_error *walk_folder(walk *w, int fd);

/* Finds the entry's type, as S_IFMT has it; 0 for one that is gone. Most file systems give it with
 * the name, which saves a call for each file. */
static rg_error *type_of(const walk *w, int parent, const struct dirent *entry, mode_t *out)
{
	struct stat st;
	*out = 0;
#ifdef DTTOIF
	if (entry->d_type != DT_UNKNOWN) {
		*out = DTTOIF((mode_t)entry->d_type);
		return NULL;
	}
#endif
	if (!fstatat(parent, entry->d_name, &st, AT_SYMLINK_NOFOLLOW))
		*out = st.st_mode & S_IFMT;
	else if (errno != ENOENT)
		return rg_error_io(errno, "%s/%s", w->folder, w->path.data);
	return NULL;
}

static rg_error *walk_entry(walk *w, int parent, const struct dirent *entry)
{
	rg_tree *tree = w->tree;
	size_t length = w->path.length;
	mode_t type;

	rg_buf_printf(&w->path, "%s%s", length ? "/" : "", entry->d_name);
	RG_TRY(rg_buf_check(&w->path, w->folder));
	rg_error *err = type_of(w, parent, entry, &type);
	if (!err && S_ISREG(type)) {
		err = append(w, &tree->paths, &tree->count, &tree->capacity);
	} else if (!err && S_ISDIR(type)) {
		int fd = openat(parent, entry->d_name,
				O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

		if (fd >= 0)
			err = walk_folder(w, fd);
		else if (errno != ENOENT)
			err = rg_error_io(errno, "%s/%s", w->folder, w->path.data);
	} else if (!err && type) {
		tree->links += S_ISLNK(type);
		if (w->all)
			err = append(w, &tree->others, &tree->other_count, &tree->other_capacity);
	}
	rg_buf_truncate(&w->path, length);
	return err;
}

static bool is_skipped(const walk *w, const char *name)
{
	if (w->all)
		return !strcmp(name, ".") || !strcmp(name, "..") || !strcmp(name, ".git");
	return name[0] == '.';
}

/* Takes the descriptor over. */
static rg_error *walk_folder(walk *w, int fd)
{
	DIR *entries = fdopendir(fd);
	rg_error *err = NULL;
	struct dirent *entry;

	if (!entries) {
		err = rg_error_io(errno, "%s/%s", w->folder, w->path.data);
		close(fd);
		return err;
	}
	if (++w->depth > DEPTH_MAX)
		err = rg_error_new(RG_E_LIMIT, "%s: nested deeper than %d", w->folder, DEPTH_MAX);
	while (!err && (errno = 0, entry = readdir(entries)) != NULL)
		if (!is_skipped(w, entry->d_name))
			err = walk_entry(w, dirfd(entries), entry);
	if (!err && errno)
		err = rg_error_io(errno, "%s/%s", w->folder, w->path.data);
	closedir(entries);
	w->depth--;
	return err;
}

static rg_error *list(rg_tree *out, const char *folder, bool all)
{
	RG_AUTO(walk) w = {out, folder, .path = rg_buf_of(RG_BUF_TEXT), .all = all};
	*out = (rg_tree){0};
	int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return rg_error_io(errno, "%s", folder);
	RG_TRY(walk_folder(&w, fd));
	if (out->count)
		qsort(out->paths, out->count, sizeof(*out->paths), rg_compare_texts);
	if (out->other_count)
		qsort(out->others, out->other_count, sizeof(*out->others), rg_compare_texts);
	return NULL;
}

rg_error *rg_tree_list(rg_tree *out, const char *folder)
{
	return list(out, folder, false);
}

rg_error *rg_tree_list_all(rg_tree *out, const char *folder)
{
	return list(out, folder, true);
}

void rg_tree_release(rg_tree *tree)
{
	free(tree->paths);
	free(tree->others);
	rg_arena_release(&tree->arena);
	*tree = (rg_tree){0};
}

/* Opens the next part of a path; takes `folder` over. -1 with errno. */
static int open_part(int folder, const char *part, size_t length, int flags)
{
	char name[NAME_MAX + 1];
	int fd = -1, failed = ENAMETOOLONG;

	if (length <= NAME_MAX) {
		memcpy(name, part, length);
		name[length] = '\0';
		fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | flags);
		failed = errno;
	}
	if (folder >= 0)
		close(folder);
	errno = failed;
	return fd;
}

rg_error *rg_tree_open_file(int *fd, uint64_t *size, int folder, const char *path)
{
	const char *end;
	struct stat st;
	rg_error *err = NULL;

	*size = 0;
	*fd = fcntl(folder, F_DUPFD_CLOEXEC, 0);
	while (*fd >= 0 && (end = strchr(path, '/')) != NULL) {
		*fd = open_part(*fd, path, (size_t)(end - path), O_DIRECTORY);
		path = end + 1;
	}
	if (*fd >= 0)
		*fd = open_part(*fd, path, strlen(path), O_NONBLOCK);
	if (*fd < 0)
		return rg_error_io(errno, "it cannot be opened");
	if (fstat(*fd, &st))
		err = rg_error_io(errno, "it cannot be read");
	else if (!S_ISREG(st.st_mode))
		err = rg_error_io(EINVAL, "it is not a regular file any more");
	*size = err ? 0 : (uint64_t)st.st_size;
	if (err) {
		close(*fd);
		*fd = -1;
	}
	return err;
}
