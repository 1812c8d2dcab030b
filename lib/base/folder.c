/* SPDX-License-Identifier: Apache-2.0 */
#include "base/folder.h"

#include "base/memory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TREE_DEPTH_MAX = 256 };

static rg_error *make_one_dir(const char *path, mode_t mode)
{
	struct stat st;
	if (!mkdir(path, mode))
		return NULL;
	if (errno != EEXIST || stat(path, &st))
		return rg_error_io(errno, "%s", path);
	return S_ISDIR(st.st_mode) ? NULL : rg_error_io(ENOTDIR, "%s", path);
}

rg_error *rg_make_dirs(const char *path, mode_t mode)
{
	struct stat st;
	rg_error *err = NULL;

	/* As a rule it is there: one look instead of one for each folder above it. */
	if (!stat(path, &st) && S_ISDIR(st.st_mode))
		return NULL;
	char *copy = rg_strdup(path);
	char *slash = copy + strspn(copy, "/");
	while (!err && (slash = strchr(slash, '/')) != NULL) {
		*slash = '\0';
		err = make_one_dir(copy, mode);
		*slash++ = '/';
	}
	if (!err && *copy)
		err = make_one_dir(copy, mode);
	free(copy);
	return err;
}

/* The folder of `path`; the caller frees *out. */
static char *parent_of(const char *path)
{
	const char *slash = strrchr(path, '/');
	if (!slash)
		return rg_strdup(".");
	return rg_strndup(path, slash == path ? 1 : (size_t)(slash - path));
}

rg_error *rg_make_parent_dirs(const char *path, mode_t mode)
{
	char *parent = parent_of(path);
	rg_error *err = rg_make_dirs(parent, mode);
	free(parent);
	return err;
}

rg_error *rg_sync_parent_dir(const char *path)
{
	char *parent = parent_of(path);
	int fd = open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	rg_error *err = NULL;
	if (fd < 0 || (fsync(fd) && errno != EINVAL))
		err = rg_error_io(errno, "%s", parent);
	if (fd >= 0)
		close(fd);
	free(parent);
	return err;
}

static rg_error *remove_at(int folder, const char *name, const char *path, int depth);

/* Removes what is in an open folder; takes the descriptor over. */
static rg_error *empty_folder(int fd, const char *path, int depth)
{
	DIR *entries = fdopendir(fd);
	rg_error *err = NULL;
	struct dirent *entry;

	if (!entries) {
		err = rg_error_io(errno, "%s", path);
		close(fd);
		return err;
	}
	while (!err && (errno = 0, entry = readdir(entries)) != NULL)
		if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, ".."))
			err = remove_at(dirfd(entries), entry->d_name, path, depth + 1);
	if (!err && errno)
		err = rg_error_io(errno, "%s", path);
	closedir(entries);
	return err;
}

static rg_error *remove_at(int folder, const char *name, const char *path, int depth)
{
	if (depth > TREE_DEPTH_MAX)
		return rg_error_new(RG_E_LIMIT, "%s: nested deeper than %d", path, TREE_DEPTH_MAX);
	if (!unlinkat(folder, name, 0) || errno == ENOENT)
		return NULL;
	if (errno != EISDIR && errno != EPERM)
		return rg_error_io(errno, "%s", path);
	int fd = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return rg_error_io(errno, "%s", path);
	RG_TRY(empty_folder(fd, path, depth));
	if (unlinkat(folder, name, AT_REMOVEDIR) && errno != ENOENT)
		return rg_error_io(errno, "%s", path);
	return NULL;
}

rg_error *rg_remove_tree(const char *path)
{
	return remove_at(AT_FDCWD, path, path, 0);
}

bool rg_is_folder(const char *path)
{
	struct stat st;
	return !stat(path, &st) && S_ISDIR(st.st_mode);
}
