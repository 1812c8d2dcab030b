/* SPDX-License-Identifier: Apache-2.0 */
#include "update/siblings.h"

#include "base/path.h"
#include "base/pattern.h"
#include "update/safe_tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void rg_siblings_release(rg_siblings *siblings)
{
	free(siblings->paths);
	rg_arena_release(&siblings->arena);
	*siblings = (rg_siblings){0};
}

/* Is a sibling spoken of already, or as it should be? What was left out is neither. */
static bool is_dealt_with(const rg_plan *plan, const char *path)
{
	const rg_plan_item *item = rg_plan_find(plan, path);

	return item && (!item->left_out || item->change == RG_PLAN_UNCHANGED);
}

/* Adds FOLDER/NAME where it is a golden that is not dealt with; `folder` ends in '/' or is empty.
 */
static rg_error *add(rg_siblings *out, const rg_plan *plan, const char *folder, size_t length,
		     const char *name, const char *files)
{
	size_t name_length = strlen(name);
	char *path = rg_arena_alloc(&out->arena, length + name_length + 1);

	if (!path)
		return rg_error_nomem();
	memcpy(path, folder, length);
	memcpy(path + length, name, name_length + 1);
	if (!rg_globs_take(files, path) || is_dealt_with(plan, path))
		return NULL;
	RG_TRY(rg_grow(&out->paths, &out->capacity, out->count + 1, sizeof(*out->paths)));
	out->paths[out->count++] = path;
	return NULL;
}

/* Links and folders are not goldens, whatever they are called. */
static bool is_regular(DIR *folder, const char *name)
{
	struct stat st;

	return !fstatat(dirfd(folder), name, &st, AT_SYMLINK_NOFOLLOW) && S_ISREG(st.st_mode);
}

/* Reads an open folder, which it closes. */
static rg_error *read_folder(rg_siblings *out, const rg_plan *plan, int fd, const char *folder,
			     size_t length, const char *files)
{
	DIR *entries = fdopendir(fd);
	struct dirent *entry;
	rg_error *err = NULL;

	if (!entries) {
		err = rg_error_io(errno, "%.*s", (int)length, folder);
		close(fd);
		return err;
	}
	while (!err && (errno = 0, entry = readdir(entries)) != NULL)
		if (is_regular(entries, entry->d_name))
			err = add(out, plan, folder, length, entry->d_name, files);
	if (!err && errno)
		err = rg_error_io(errno, "%.*s", (int)length, folder);
	closedir(entries);
	return err;
}

rg_error *rg_siblings_find(rg_siblings *out, const rg_plan *plan, const char *files)
{
	const char *previous = "";
	size_t previous_length = 0, i;

	rg_arena_init(&out->arena);
	for (i = 0; i < plan->count; i++) {
		const char *path = plan->items[i].golden->target, *name;
		const char *slash = strrchr(path, '/');
		size_t length = slash ? (size_t)(slash - path) + 1 : 0;
		int folder;

		if (!rg_plan_item_is_taken(&plan->items[i]) ||
		    (length == previous_length && !strncmp(path, previous, length)))
			continue;
		previous = path;
		previous_length = length;
		RG_TRY(rg_tree_folder(plan->tree, path, false, &folder, &name));
		if (folder >= 0)
			RG_TRY(read_folder(out, plan, folder, path, length, files));
	}
	/* A folder is read again after the folders in it. */
	out->count = rg_path_sort_unique(out->paths, out->count);
	return NULL;
}
