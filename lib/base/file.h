/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_BASE_FILE_H
#define REGILD_BASE_FILE_H

#include "base/buf.h"
#include "base/folder.h"
#include "base/path.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

/*
 * Whole files. Paths are NUL-terminated and relative to the current folder; every error names the
 * path. Reading past `max` bytes is RG_E_LIMIT, a missing file RG_E_IO with errno ENOENT.
 */
RG_CHECKED rg_error *rg_file_read(rg_buf *out, const char *path);
/* The same of what must be a file, in a folder that comes from elsewhere: a pipe or device, which
 * might never end or never begin, is RG_E_IO. */
RG_CHECKED rg_error *rg_file_read_regular(rg_buf *out, const char *path);
/*
 * Opens what is to be read, without waiting: a pipe on disk, whose open would wait for a writer, is
 * RG_E_IO. A pipe that is open already can be named: /dev/stdin, /dev/fd/3. `flags` is 0 or
 * O_NOFOLLOW. *fd is the caller's to close, -1 after an error.
 */
RG_CHECKED rg_error *rg_file_open(int *fd, const char *path, int flags);
/* The same of an open file; `path` is for messages. The caller closes it. */
RG_CHECKED rg_error *rg_file_read_descriptor(rg_buf *out, int fd, const char *path);

/*
 * Replaces a file as a whole: an exclusive temporary beside it, write, fsync, checked close,
 * rename, fsync of the folder. On failure the target is as it was and the temporary is gone.
 * `mode` is that of a new file before the umask; an existing target keeps its own.
 */
RG_CHECKED rg_error *rg_file_replace(const char *path, const void *bytes, size_t length,
				     mode_t mode);

/* The same with its temporary beside `beside`, where a killed process may leave it; beside the
 * target where that is another file system. */
RG_CHECKED rg_error *rg_file_replace_from(const char *beside, const char *path, const void *bytes,
					  size_t length, mode_t mode);

/* Makes a file that must not be there yet, for writing; *fd is the caller's to close. It is not
 * synced: that is done of its folder as a whole. */
RG_CHECKED rg_error *rg_file_make(int *fd, const char *path);

/*
 * An output that the user named: like rg_file_replace for a regular or missing file, written
 * straight into it where it is a device or a pipe (/dev/full), and after what it holds where the
 * name is an open file's (/dev/stdout, /dev/stderr, /dev/fd/3). Any other link is replaced, not
 * followed: it may have come with a repository, or be another user's in a shared folder.
 */
RG_CHECKED rg_error *rg_file_write_output(const char *path, const void *bytes, size_t length);

/* The same for what is too large to hold: written to `fd` as it comes. */
typedef struct {
	int fd;
	const char *path; /* borrowed */
	char *temporary;  /* NULL: written straight into it */
} rg_output;

RG_CHECKED rg_error *rg_output_open(rg_output *out, const char *path);
/* Writes all bytes to an rg_output: for what hands them over as they come (rg_reader_sink). */
RG_CHECKED rg_error *rg_output_write(void *output, const void *bytes, size_t length);
/* `err` is what writing it came to: where it is set, it is returned, and nothing is put in place.
 */
RG_CHECKED rg_error *rg_output_close(rg_output *out, rg_error *err);

/* Looks at the file that an output of that name would be written over or into; false if there is
 * none. */
bool rg_output_stat(const char *path, struct stat *out);
/* Could an output be written there? To report a wrong name before the work; nothing is made.
 */
RG_CHECKED rg_error *rg_output_check(const char *path);

/* Writes all bytes to a descriptor, going on after short writes and EINTR. */
RG_CHECKED rg_error *rg_write_all(int fd, const void *bytes, size_t length, const char *name);

/* Reads all bytes at that place of an open file, going on after short reads and EINTR; RG_E_IO
 * where it ends before them. */
RG_CHECKED rg_error *rg_read_at(int fd, uint64_t offset, void *buffer, size_t length,
				const char *name);

/* A file in the folder that has no name: nothing is left of it whatever happens. *fd, for reading
 * and writing, is the caller's to close; -1 where there is none. */
RG_CHECKED rg_error *rg_file_unnamed(int *fd, const char *folder);
/* The same as rg_output_write for such a file in the temporary folder; `fd` is an int *. */
RG_CHECKED rg_error *rg_unnamed_write(void *fd, const void *bytes, size_t length);

/* At most `wanted`: how many things that each hold so many files open take a quarter of what a
 * process may have open. */
size_t rg_descriptors_allow(size_t wanted, size_t each);

#endif
