/* SPDX-License-Identifier: Apache-2.0 */
#include "base/folder.h"

#include "base/memory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
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
	/* As a rule it is there: one look instead of one for each folder above it. */
	if (rg_is_folder(path))
		return NULL;
	RG_AUTO_FREE char *copy = rg_strdup(path);
	char *slash = copy + strspn(copy, "/");
	while ((slash = strchr(slash, '/')) != NULL) {
		*slash = '\0';
		RG_TRY(make_one_dir(copy, mode));
		*slash++ = '/';
	}
	return *copy ? make_one_dir(copy, mode) : NULL;
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
	RG_AUTO_FREE char *parent = parent_of(path);
	return rg_make_dirs(parent, mode);
}

rg_error *rg_sync_parent_dir(const char *path)
{
	RG_AUTO_FREE char *parent = parent_of(path);
	int fd = open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	rg_error *err = NULL;
	if (fd < 0 || (fsync(fd) && errno != EINVAL))
		err = rg_error_io(errno, "%s", parent);
	if (fd >= 0)
		close(fd);
	return err;
}

static rg_error *remove_at(int folder, const char *name, const char *path, int depth)
{
	struct dirent *entry;
	rg_error *err = NULL;

	if (depth > TREE_DEPTH_MAX)
		return rg_error_new(RG_E_LIMIT, "%s: nested deeper than %d", path, TREE_DEPTH_MAX);
	if (!unlinkat(folder, name, 0) || errno == ENOENT)
		return NULL;
	if (errno != EISDIR && errno != EPERM)
		return rg_error_io(errno, "%s", path);
	int fd = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return rg_error_io(errno, "%s", path);
	DIR *entries = fdopendir(fd);
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
	RG_TRY(err);
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
