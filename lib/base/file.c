/* SPDX-License-Identifier: Apache-2.0 */
#include "base/file.h"

#include "base/number.h"
#include "base/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum { READ_BLOCK = 65536 };

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
	const size_t expected = out->length + (size_t)st.st_size;
	/* A full buffer is fine only where nothing follows. */
	for (;;) {
		size_t left = out->max - out->length, room = left;
		char probe, *into = &probe;

		if (left) {
			/* One byte more than expected, so that the end shows at once. */
			room = out->length < expected ? expected - out->length + 1 : READ_BLOCK;
			if (room > left)
				room = left;
			if (!rg_buf_reserve(out, room))
				return rg_buf_check(out, path);
			into = out->data + out->length;
		}
		ssize_t got = read(fd, into, left ? room : 1);
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

rg_error *rg_file_make(int *fd, const char *path)
{
	*fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
	return *fd < 0 ? rg_error_io(errno, "%s", path) : NULL;
}

/* The number in "/dev/fd/3" and the like, -1 in others. */
static int descriptor_of(const char *path)
{
	static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};
	uint64_t number;

	for (size_t i = 0; i < sizeof(folders) / sizeof(*folders); i++) {
		size_t length = strlen(folders[i]);
		if (!strncmp(path, folders[i], length) &&
		    rg_uint64_parse(path + length, strlen(path + length), &number) &&
		    number <= INT_MAX)
			return (int)number;
	}
	return -1;
}

rg_error *rg_file_open(int *fd, const char *path, int flags)
{
	bool is_open = !strcmp(path, "/dev/stdin") || descriptor_of(path) >= 0;
	rg_error *err = NULL;
	struct stat st;

	*fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | flags);
	if (*fd < 0)
		return rg_error_io(errno, "%s", path);
	if (fstat(*fd, &st))
		err = rg_error_io(errno, "%s", path);
	else if (S_ISFIFO(st.st_mode) && !is_open)
		err = rg_error_new(RG_E_IO, "%s: is not a regular file", path);
	/* Reading a pipe or device waits. */
	else if (!S_ISREG(st.st_mode) && fcntl(*fd, F_SETFL, 0) < 0)
		err = rg_error_io(errno, "%s", path);
	if (err) {
		close(*fd);
		*fd = -1;
	}
	return err;
}

static rg_error *read_file(rg_buf *out, const char *path, bool regular)
{
	rg_error *err;
	struct stat st;
	int fd;

	RG_TRY(rg_file_open(&fd, path, 0));
	if (regular && !fstat(fd, &st) && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))
		err = rg_error_new(RG_E_IO, "%s: is not a regular file", path);
	else
		err = rg_file_read_descriptor(out, fd, path);
	close(fd); /* read-only: nothing can be lost */
	return err;
}

rg_error *rg_file_read(rg_buf *out, const char *path)
{
	return read_file(out, path, false);
}

rg_error *rg_file_read_regular(rg_buf *out, const char *path)
{
	return read_file(out, path, true);
}

size_t rg_descriptors_allow(size_t wanted, size_t each)
{
	struct rlimit limit;
	if (getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_cur / 4 / each >= wanted)
		return wanted;
	return (size_t)limit.rlim_cur / 4 / each + 1;
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

rg_error *rg_output_write(void *output, const void *bytes, size_t length)
{
	const rg_output *to = output;
	return rg_write_all(to->fd, bytes, length, to->path);
}

rg_error *rg_unnamed_write(void *fd, const void *bytes, size_t length)
{
	return rg_write_all(*(const int *)fd, bytes, length, rg_temporary_folder());
}

rg_error *rg_read_at(int fd, uint64_t offset, void *buffer, size_t length, const char *name)
{
	char *into = buffer;
	while (length) {
		ssize_t got = pread(fd, into, length, (off_t)offset);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return rg_error_io(errno, "%s", name);
		if (got == 0)
			return rg_error_new(RG_E_IO, "%s: became shorter while it was read", name);
		into += got;
		offset += (uint64_t)got;
		length -= (size_t)got;
	}
	return NULL;
}

rg_error *rg_file_unnamed(int *fd, const char *folder)
{
	RG_AUTO_FREE char *path = rg_path_join(folder, "regild-XXXXXX");
	*fd = mkstemp(path);
	if (*fd >= 0 && !unlink(path) && fcntl(*fd, F_SETFD, FD_CLOEXEC) >= 0)
		return NULL;
	rg_error *err = rg_error_io(errno, "%s", path);
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
	return err;
}

/* Puts a written temporary in place of `path`, or, where `err` is set, throws it away. */
static rg_error *move_in_place(int fd, const char *temporary, const char *path, rg_error *err)
{
	struct stat st;
	int lock; /* until it has its name; without one, a sweep could take it a moment too soon */

	if (!err && !lstat(path, &st) && S_ISREG(st.st_mode) && fchmod(fd, st.st_mode & 07777))
		err = rg_error_io(errno, "%s", path);
	if (!err && fsync(fd))
		err = rg_error_io(errno, "%s", path);
	lock = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	if (close(fd) && !err)
		err = rg_error_io(errno, "%s", path);
	if (!err && rename(temporary, path))
		err = rg_error_io(errno, "%s", path);
	if (err)
		unlink(temporary);
	if (lock >= 0)
		close(lock);
	return err ? err : rg_sync_parent_dir(path);
}

rg_error *rg_file_replace_from(const char *beside, const char *path, const void *bytes,
			       size_t length, mode_t mode)
{
	RG_AUTO_FREE char *temporary = NULL;
	int fd;

	RG_TRY(rg_temporary_open(&fd, &temporary, beside, mode));
	RG_AUTO_PTR(rg_error)
	err = move_in_place(fd, temporary, path, rg_write_all(fd, bytes, length, path));
	if (!err || rg_error_errno(err) != EXDEV || beside == path)
		return RG_TAKE(err);
	return rg_file_replace(path, bytes, length, mode);
}

rg_error *rg_file_replace(const char *path, const void *bytes, size_t length, mode_t mode)
{
	return rg_file_replace_from(path, path, bytes, length, mode);
}

/* The open file that a path or a device's link (/dev/stdout) names, -1 for others. Opening it again
 * would cut off what a shell's >> keeps, and replacing it would take it away from whoever still
 * writes to it. */
static int named_descriptor(const char *path)
{
	int named = descriptor_of(path);
	char target[64] = "/dev/"; /* which a link there may leave out: "fd/1" */
	size_t start = strlen(target);

	/* Not /dev/shm/x, where anybody may have put the link. */
	if (named >= 0 || strncmp(path, target, start) != 0 || strchr(path + start, '/'))
		return named;
	ssize_t length = readlink(path, target + start, sizeof(target) - start - 1);
	if (length <= 0)
		return -1;
	target[start + (size_t)length] = '\0';
	return descriptor_of(target[start] == '/' ? target + start : target);
}

bool rg_output_stat(const char *path, struct stat *out)
{
	int named = named_descriptor(path);
	return !(named >= 0 ? fstat(named, out) : lstat(path, out));
}

rg_error *rg_output_open(rg_output *out, const char *path)
{
	int named = named_descriptor(path);
	struct stat st;

	*out = (rg_output){.fd = -1, .path = path};
	if (named >= 0) {
		out->fd = fcntl(named, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	} else if (!lstat(path, &st) && !S_ISREG(st.st_mode) && !S_ISLNK(st.st_mode)) {
		out->fd = open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW);
	} else {
		rg_temporary_sweep(path);
		return rg_temporary_open(&out->fd, &out->temporary, path, 0666);
	}
	return out->fd < 0 ? rg_error_io(errno, "%s", path) : NULL;
}

rg_error *rg_output_close(rg_output *out, rg_error *err)
{
	if (out->temporary)
		err = move_in_place(out->fd, out->temporary, out->path, err);
	else if (close(out->fd) && !err)
		err = rg_error_io(errno, "%s", out->path);
	free(out->temporary);
	*out = (rg_output){.fd = -1};
	return err;
}

rg_error *rg_output_check(const char *path)
{
	struct stat st;
	rg_output out;

	/* A device takes what it takes, and a pipe must be opened once alone. */
	if (rg_output_stat(path, &st) && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode) &&
	    !S_ISLNK(st.st_mode))
		return NULL;
	RG_TRY(rg_output_open(&out, path));
	RG_AUTO_FREE char *temporary = out.temporary;
	close(out.fd);
	if (temporary)
		unlink(temporary);
	return NULL;
}

rg_error *rg_file_write_output(const char *path, const void *bytes, size_t length)
{
	rg_output out;
	RG_TRY(rg_output_open(&out, path));
	return rg_output_close(&out, rg_write_all(out.fd, bytes, length, path));
}
