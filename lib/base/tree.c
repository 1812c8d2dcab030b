/* SPDX-License-Identifier: Apache-2.0 */
#include "base/tree.h"

#include "base/buf.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
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
} walk;

static rg_error *add_file(walk *w)
{
	rg_tree *tree = w->tree;

	if (tree->count == FILES_MAX)
		return rg_error_new(RG_E_LIMIT, "%s: more than %d files", w->folder, FILES_MAX);
	RG_TRY(rg_grow(&tree->paths, &tree->capacity, tree->count + 1, sizeof(*tree->paths)));
	tree->paths[tree->count] = rg_arena_copy(&tree->arena, w->path.data, w->path.length);
	return tree->paths[tree->count++] ? NULL : rg_error_nomem();
}

static rg_error *walk_folder(walk *w, int fd);

static rg_error *walk_entry(walk *w, int parent, const char *name)
{
	size_t length = w->path.length;
	rg_error *err = NULL;
	struct stat st;

	rg_buf_printf(&w->path, "%s%s", length ? "/" : "", name);
	RG_TRY(rg_buf_check(&w->path, w->folder));
	if (fstatat(parent, name, &st, AT_SYMLINK_NOFOLLOW)) {
		if (errno != ENOENT)
			err = rg_error_io(errno, "%s/%s", w->folder, w->path.data);
	} else if (S_ISREG(st.st_mode)) {
		err = add_file(w);
	} else if (S_ISDIR(st.st_mode)) {
		int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

		err = fd < 0 ? rg_error_io(errno, "%s/%s", w->folder, w->path.data)
			     : walk_folder(w, fd);
	} else if (S_ISLNK(st.st_mode)) {
		w->tree->links++;
	}
	rg_buf_truncate(&w->path, length);
	return err;
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
		if (entry->d_name[0] != '.')
			err = walk_entry(w, dirfd(entries), entry->d_name);
	if (!err && errno)
		err = rg_error_io(errno, "%s/%s", w->folder, w->path.data);
	closedir(entries);
	w->depth--;
	return err;
}

rg_error *rg_tree_list(rg_tree *out, const char *folder)
{
	walk w = {.tree = out, .folder = folder};
	rg_error *err;
	int fd;

	*out = (rg_tree){0};
	rg_arena_init(&out->arena);
	fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return rg_error_io(errno, "%s", folder);
	rg_buf_init(&w.path, RG_BUF_TEXT);
	err = walk_folder(&w, fd);
	rg_buf_release(&w.path);
	if (!err && out->count)
		qsort(out->paths, out->count, sizeof(*out->paths), rg_compare_texts);
	return err;
}

void rg_tree_release(rg_tree *tree)
{
	free(tree->paths);
	rg_arena_release(&tree->arena);
	*tree = (rg_tree){0};
}
