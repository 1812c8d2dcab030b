#include "base/file.h"

#include "base/memory.h"
#include "base/number.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TEMPORARY_TRIES = 100, TREE_DEPTH_MAX = 256, READ_BLOCK = 65536 };

/* Reads until the end of the file; a full buffer is fine only where nothing follows. */
static rg_error *read_rest(rg_buf *out, int fd, size_t expected, const char *path)
{
	for (;;) {
		size_t left = out->max - out->length, room = left;
		char probe, *into = &probe;
		ssize_t got;

		if (left) {
			/* One byte more than expected, so that the end shows at once. */
			room = out->length < expected ? expected - out->length + 1 : READ_BLOCK;
			if (room > left)
				room = left;
			if (!rg_buf_reserve(out, room))
				return rg_buf_check(out, path);
			into = out->data + out->length;
		}
		got = read(fd, into, left ? room : 1);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return rg_error_io(errno, "%s", path);
		if (got == 0)
			return NULL;
		if (!left)
			return rg_error_new(RG_E_LIMIT, "%s: more than the limit of %zu bytes",
					    path, out->max);
		out->length += (size_t)got;
		out->data[out->length] = '\0';
	}
}

rg_error *rg_file_read_descriptor(rg_buf *out, int fd, const char *path)
{
	struct stat st;

	if (fstat(fd, &st))
		return rg_error_io(errno, "%s", path);
	if (S_ISDIR(st.st_mode))
		return rg_error_io(EISDIR, "%s", path);
	if (st.st_size > 0 && (uintmax_t)st.st_size > out->max)
		return rg_error_new(RG_E_LIMIT, "%s: %jd bytes, more than the limit of %zu", path,
				    (intmax_t)st.st_size, out->max);
	return read_rest(out, fd, out->length + (size_t)st.st_size, path);
}

rg_error *rg_file_read(rg_buf *out, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	rg_error *err;

	if (fd < 0)
		return rg_error_io(errno, "%s", path);
	err = rg_file_read_descriptor(out, fd, path);
	close(fd); /* read-only: nothing can be lost */
	return err;
}

rg_error *rg_file_read_regular(rg_buf *out, const char *path)
{
	/* NONBLOCK: a pipe without a writer must not hang the open. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	rg_error *err = NULL;
	struct stat st;

	if (fd < 0)
		return rg_error_io(errno, "%s", path);
	if (fstat(fd, &st))
		err = rg_error_io(errno, "%s", path);
	else if (!S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))
		err = rg_error_new(RG_E_IO, "%s: is no regular file", path);
	else
		err = rg_file_read_descriptor(out, fd, path);
	close(fd); /* read-only: nothing can be lost */
	return err;
}

rg_error *rg_write_all(int fd, const void *bytes, size_t length, const char *name)
{
	const char *p = bytes;

	while (length) {
		ssize_t wrote = write(fd, p, length);

		if (wrote < 0 && errno == EINTR)
			continue;
		if (wrote < 0)
			return rg_error_io(errno, "%s", name);
		p += wrote;
		length -= (size_t)wrote;
	}
	return NULL;
}

/* Opens an exclusive temporary beside `path`, whose name may be as long as names can be; *name is
 * the caller's to free. */
static rg_error *open_temporary(int *fd, char **name, const char *path, mode_t mode)
{
	char own[64];
	rg_error *err;
	int i;

	for (i = 0; i < TEMPORARY_TRIES; i++) {
		snprintf(own, sizeof(own), ".tmp-regild-%ld-%d", (long)getpid(), i);
		RG_TRY(rg_path_sibling(name, path, own));
		*fd = open(*name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
		if (*fd >= 0)
			return NULL;
		if (errno != EEXIST)
			break;
		free(*name);
		*name = NULL;
	}
	err = rg_error_io(errno, "%s", path);
	free(*name);
	*name = NULL;
	return err;
}

rg_error *rg_file_unnamed(int *fd, const char *folder)
{
	rg_error *err = NULL;
	char *path;

	*fd = -1;
	RG_TRY(rg_path_join(&path, folder, "regild-XXXXXX"));
	*fd = mkstemp(path);
	if (*fd < 0 || unlink(path) || fcntl(*fd, F_SETFD, FD_CLOEXEC) < 0)
		err = rg_error_io(errno, "%s", path);
	if (err && *fd >= 0) {
		close(*fd);
		*fd = -1;
	}
	free(path);
	return err;
}

/* Puts a written temporary in place of `path`, or, where `err` is set, throws it away. */
static rg_error *put_in_place(int fd, const char *temporary, const char *path, rg_error *err)
{
	struct stat st;

	if (!err && !stat(path, &st) && fchmod(fd, st.st_mode & 07777))
		err = rg_error_io(errno, "%s", path);
	if (!err && fsync(fd))
		err = rg_error_io(errno, "%s", path);
	if (close(fd) && !err)
		err = rg_error_io(errno, "%s", path);
	if (!err && rename(temporary, path))
		err = rg_error_io(errno, "%s", path);
	if (err)
		unlink(temporary);
	return err ? err : rg_sync_parent_dir(path);
}

rg_error *rg_file_replace(const char *path, const void *bytes, size_t length, mode_t mode)
{
	char *temporary;
	rg_error *err;
	int fd;

	RG_TRY(open_temporary(&fd, &temporary, path, mode));
	err = put_in_place(fd, temporary, path, rg_write_all(fd, bytes, length, path));
	free(temporary);
	return err;
}

/* The number in "/dev/fd/3" and the like, -1 in others. */
static int descriptor_of(const char *path)
{
	static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};
	uint64_t number;
	size_t i;

	for (i = 0; i < sizeof(folders) / sizeof(*folders); i++) {
		size_t length = strlen(folders[i]);

		if (!strncmp(path, folders[i], length) &&
		    rg_uint64_parse(path + length, strlen(path + length), &number) &&
		    number <= INT_MAX)
			return (int)number;
	}
	return -1;
}

/* The open file that a path or a link names, -1 for others. To open it anew would cut off what a
 * shell's >> keeps, and to replace it would take it from under whoever writes on. */
static int named_descriptor(const char *path)
{
	int named = descriptor_of(path);
	char target[64] = "/dev/"; /* which a link there may leave out: "fd/1" */
	size_t start = strlen(target);
	ssize_t length;

	if (named >= 0)
		return named;
	length = readlink(path, target + start, sizeof(target) - start - 1);
	if (length <= 0)
		return -1;
	target[start + (size_t)length] = '\0';
	if (target[start] == '/')
		return descriptor_of(target + start);
	return strncmp(path, target, start) ? -1 : descriptor_of(target);
}

rg_error *rg_output_open(rg_output *out, const char *path)
{
	int named = named_descriptor(path);
	struct stat st;
	rg_error *err;

	*out = (rg_output){.fd = -1, .path = path};
	if (named >= 0) {
		out->fd = fcntl(named, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
		return out->fd < 0 ? rg_error_io(errno, "%s", path) : NULL;
	}
	if (!stat(path, &st) && !S_ISREG(st.st_mode)) {
		out->fd = open(path, O_WRONLY | O_CLOEXEC);
		return out->fd < 0 ? rg_error_io(errno, "%s", path) : NULL;
	}
	out->target = realpath(path, NULL);
	err = open_temporary(&out->fd, &out->temporary, out->target ? out->target : path, 0666);
	if (err)
		free(out->target);
	return err;
}

rg_error *rg_output_close(rg_output *out, rg_error *err)
{
	if (out->temporary)
		err = put_in_place(out->fd, out->temporary, out->target ? out->target : out->path,
				   err);
	else if (close(out->fd) && !err)
		err = rg_error_io(errno, "%s", out->path);
	free(out->target);
	free(out->temporary);
	*out = (rg_output){.fd = -1};
	return err;
}

rg_error *rg_output_check(const char *path)
{
	struct stat st;
	rg_output out;

	/* A device takes what it takes, and a pipe must be opened once alone. */
	if (!stat(path, &st) && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))
		return NULL;
	RG_TRY(rg_output_open(&out, path));
	close(out.fd);
	if (out.temporary)
		unlink(out.temporary);
	free(out.target);
	free(out.temporary);
	return NULL;
}

rg_error *rg_file_write_output(const char *path, const void *bytes, size_t length)
{
	rg_output out;

	RG_TRY(rg_output_open(&out, path));
	return rg_output_close(&out, rg_write_all(out.fd, bytes, length, path));
}

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
	rg_error *err = NULL;
	char *copy, *slash;
	struct stat st;

	/* As a rule it is there: one look instead of one for each folder above it. */
	if (!stat(path, &st) && S_ISDIR(st.st_mode))
		return NULL;
	RG_TRY(rg_strdup(&copy, path));
	slash = copy + strspn(copy, "/");
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

/* The folder that `path` stands in: *out is the caller's to free. */
static rg_error *parent_of(char **out, const char *path)
{
	const char *slash = strrchr(path, '/');

	if (!slash)
		return rg_strdup(out, ".");
	return rg_strndup(out, path, slash == path ? 1 : (size_t)(slash - path));
}

rg_error *rg_make_parent_dirs(const char *path, mode_t mode)
{
	rg_error *err;
	char *parent;

	RG_TRY(parent_of(&parent, path));
	err = rg_make_dirs(parent, mode);
	free(parent);
	return err;
}

rg_error *rg_sync_parent_dir(const char *path)
{
	rg_error *err = NULL;
	char *parent;
	int fd;

	RG_TRY(parent_of(&parent, path));
	fd = open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
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
	int fd;

	if (depth > TREE_DEPTH_MAX)
		return rg_error_new(RG_E_LIMIT, "%s: nested deeper than %d", path, TREE_DEPTH_MAX);
	if (!unlinkat(folder, name, 0) || errno == ENOENT)
		return NULL;
	if (errno != EISDIR && errno != EPERM)
		return rg_error_io(errno, "%s", path);
	fd = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
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
