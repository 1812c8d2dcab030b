/* SPDX-License-Identifier: Apache-2.0 */
#include "update/safe_tree.h"

#include "base/counts.h"
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

enum { PART_SIZE = 256, FOLDER_MODE = 0777 };

static rg_error *unsafe(const char *path, const char *fault)
{
	return rg_error_new(RG_E_UNSAFE, "unsafe target '%s': it %s", path, fault);
}

rg_error *rg_tree_open(int *tree, const char *folder)
{
	*tree = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return *tree < 0 ? rg_error_io(errno, "%s", folder) : NULL;
}

/* Why openat with O_NOFOLLOW did not take a part for a folder. */
static rg_error *not_a_folder(int folder, const char *part, const char *path, int saved_errno)
{
	struct stat st;
	if (!fstatat(folder, part, &st, AT_SYMLINK_NOFOLLOW)) {
		if (S_ISLNK(st.st_mode))
			return unsafe(path, "meets a symbolic link on its way");
		if (!S_ISDIR(st.st_mode))
			return unsafe(path, "needs a folder where there is a file");
	}
	return rg_error_io(saved_errno, "%s", path);
}

/* One step down. *next is -1 where the part is missing and must not be made. */
static rg_error *step(int folder, const char *part, const char *path, bool create, int *next)
{
	static const int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
	*next = openat(folder, part, flags);
	if (*next >= 0 || (errno == ENOENT && !create))
		return NULL;
	if (errno != ENOENT)
		return not_a_folder(folder, part, path, errno);
	if (mkdirat(folder, part, FOLDER_MODE) && errno != EEXIST)
		return rg_error_io(errno, "%s", path);
	if (fsync(folder) && errno != EINVAL)
		return rg_error_io(errno, "%s", path);
	*next = openat(folder, part, flags);
	return *next < 0 ? not_a_folder(folder, part, path, errno) : NULL;
}

rg_error *rg_tree_folder(int tree, const char *path, bool create, int *folder, const char **name)
{
	const char *part = path, *slash;
	RG_AUTO(rg_fd) current = openat(tree, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	*folder = -1;
	*name = path;
	if (current < 0)
		return rg_error_io(errno, "%s", path);
	while (current >= 0 && (slash = strchr(part, '/')) != NULL) {
		char text[PART_SIZE];
		size_t length = (size_t)(slash - part);
		int next = -1;

		if (length >= sizeof(text))
			return unsafe(path, "has a part of over 255 bytes");
		memcpy(text, part, length);
		text[length] = '\0';
		RG_TRY(step(current, text, path, create, &next));
		close(current);
		current = next;
		part = slash + 1;
	}
	*folder = current;
	current = -1;
	*name = part;
	return NULL;
}

static bool is_below(const char *root, const char *path)
{
	size_t length = strlen(root);
	while (length && root[length - 1] == '/')
		length--;
	return !length || (!strncmp(root, path, length) && path[length] == '/');
}

rg_error *rg_tree_check(int tree, const char *root, const char *path)
{
	RG_AUTO(rg_fd) folder = -1;
	const char *name;
	struct stat st;

	RG_TRY(rg_path_check(path));
	if (rg_path_has_git(path))
		return unsafe(path, "has a '.git' part");
	if (!is_below(root, path))
		return rg_error_new(RG_E_UNSAFE, "unsafe target '%s': it is not below '%s'", path,
				    root);
	RG_TRY(rg_tree_folder(tree, path, false, &folder, &name));
	if (folder < 0)
		return NULL;
	if (fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW))
		return errno == ENOENT ? NULL : rg_error_io(errno, "%s", path);
	if (S_ISLNK(st.st_mode))
		return unsafe(path, "is a symbolic link");
	return S_ISREG(st.st_mode) ? NULL : unsafe(path, "is not a regular file");
}

bool rg_tree_meets_link(int tree, const char *path)
{
	char part[PATH_MAX];
	struct stat st;

	for (size_t i = 1; i < sizeof(part) && path[i - 1]; i++) {
		part[i - 1] = path[i - 1];
		part[i] = '\0';
		if (path[i] && path[i] != '/')
			continue;
		if (fstatat(tree, part, &st, AT_SYMLINK_NOFOLLOW))
			break;
		if (S_ISLNK(st.st_mode))
			return true;
	}
	return false;
}

bool rg_side_equal(const rg_side *a, const rg_side *b)
{
	if (!a->exists || !b->exists)
		return a->exists == b->exists;
	return a->size == b->size && !((a->mode ^ b->mode) & 0100) && !strcmp(a->sha256, b->sha256);
}

static rg_error *read_unhashed(int tree, const char *path, rg_buf *out, rg_side *file)
{
	RG_AUTO(rg_fd) folder = -1;
	const char *name;

	rg_buf_clear(out);
	*file = (rg_side){0};
	RG_TRY(rg_tree_folder(tree, path, false, &folder, &name));
	if (folder < 0)
		return NULL;
	/* NONBLOCK: a pipe in the place of a file must not hang the open. */
	RG_AUTO(rg_fd) fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0 && errno == ELOOP)
		return unsafe(path, "is a symbolic link");
	if (fd < 0)
		return errno == ENOENT ? NULL : rg_error_io(errno, "%s", path);
	if (fstat(fd, &file->identity))
		return rg_error_io(errno, "%s", path);
	if (!S_ISREG(file->identity.st_mode))
		return unsafe(path, "is not a regular file");
	RG_TRY(rg_file_read_descriptor(out, fd, path));
	file->exists = true;
	file->mode = file->identity.st_mode & 07777;
	file->size = out->length;
	return NULL;
}

rg_error *rg_tree_read(int tree, const char *path, rg_buf *out, rg_side *file)
{
	RG_TRY(read_unhashed(tree, path, out, file));
	if (!file->exists)
		return NULL;
	rg_count_up(RG_COUNT_HASHED);
	return rg_sha256_hex(out->data, out->length, file->sha256);
}

static bool same_file(const rg_side *a, const rg_side *b)
{
	const struct stat *x = &a->identity, *y = &b->identity;
	return a->exists == b->exists && x->st_dev == y->st_dev && x->st_ino == y->st_ino &&
	       x->st_size == y->st_size && x->st_mode == y->st_mode &&
	       x->st_mtim.tv_sec == y->st_mtim.tv_sec && x->st_mtim.tv_nsec == y->st_mtim.tv_nsec;
}

static rg_error *touched(const char *path)
{
	return rg_error_new(RG_E_CONFLICT, "%s: changed while it was looked at; try again", path);
}

rg_error *rg_tree_read_again(int tree, const char *path, rg_buf *out, const rg_side *file)
{
	rg_side now;
	RG_TRY(read_unhashed(tree, path, out, &now));
	return same_file(&now, file) ? NULL : touched(path);
}

rg_error *rg_tree_check_untouched(int tree, const char *path, const rg_side *file)
{
	rg_side now = {0};
	RG_AUTO(rg_fd) folder = -1;
	const char *name;

	RG_TRY(rg_tree_folder(tree, path, false, &folder, &name));
	if (folder >= 0)
		now.exists = !fstatat(folder, name, &now.identity, AT_SYMLINK_NOFOLLOW);
	return same_file(&now, file) ? NULL : touched(path);
}
