#ifndef REGILD_BASE_FILE_H
#define REGILD_BASE_FILE_H

#include "base/buf.h"
#include "base/path.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/*
 * Whole files. Paths are NUL-terminated and relative to the current folder; every error names the
 * path. Reading past `max` bytes is RG_E_LIMIT, a missing file RG_E_IO with errno ENOENT.
 */
RG_CHECKED rg_error *rg_file_read(rg_buf *out, const char *path);
/* The same of what must be a file, in a folder that comes from elsewhere: a pipe or device, which
 * might never end or never begin, is RG_E_IO. */
RG_CHECKED rg_error *rg_file_read_regular(rg_buf *out, const char *path);
/* The same of an open file; `path` is for messages. The caller closes it. */
RG_CHECKED rg_error *rg_file_read_descriptor(rg_buf *out, int fd, const char *path);

/*
 * Replaces a file as a whole: an exclusive temporary beside it, write, fsync, checked close,
 * rename, fsync of the folder. On failure the target is as it was and the temporary is gone.
 * `mode` is that of a new file before the umask; an existing target keeps its own.
 */
RG_CHECKED rg_error *rg_file_replace(const char *path, const void *bytes, size_t length,
				     mode_t mode);

/*
 * An output that the user named: like rg_file_replace for a regular or missing file, written
 * straight into it where it is a device or a pipe (/dev/full), and behind what stands there where
 * the name is an open file's (/dev/stdout, /dev/stderr, /dev/fd/3). A link to a file stays one.
 */
RG_CHECKED rg_error *rg_file_write_output(const char *path, const void *bytes, size_t length);

/* The same for what is too large to hold: written to `fd` as it comes. */
typedef struct {
	int fd;
	const char *path; /* borrowed */
	char *temporary;  /* NULL: written straight into it */
	char *target;     /* where links lead; NULL where there is no file yet */
} rg_output;

RG_CHECKED rg_error *rg_output_open(rg_output *out, const char *path);
/* `err` is what writing it came to: where it is set, it is returned, and nothing is put in place.
 */
RG_CHECKED rg_error *rg_output_close(rg_output *out, rg_error *err);

/* Could an output be written there? For a wrong name to be said before the work; nothing is made.
 */
RG_CHECKED rg_error *rg_output_check(const char *path);

/* Writes all bytes to a descriptor, going on after short writes and EINTR. */
RG_CHECKED rg_error *rg_write_all(int fd, const void *bytes, size_t length, const char *name);

/* Makes a folder and those above it; one that exists is fine. */
RG_CHECKED rg_error *rg_make_dirs(const char *path, mode_t mode);
/* Makes the folder that `path` stands in. */
RG_CHECKED rg_error *rg_make_parent_dirs(const char *path, mode_t mode);
/* fsync of the folder that `path` stands in. File systems that cannot (EINVAL) are forgiven. */
RG_CHECKED rg_error *rg_sync_parent_dir(const char *path);
/* Removes a file or a folder with all in it, never following a link; a missing one is fine. */
RG_CHECKED rg_error *rg_remove_tree(const char *path);

/* A file in the folder that has no name: nothing is left of it whatever happens. *fd, for reading
 * and writing, is the caller's to close; -1 where there is none. */
RG_CHECKED rg_error *rg_file_unnamed(int *fd, const char *folder);

#endif
