/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_UPDATE_SAFE_TREE_H
#define REGILD_UPDATE_SAFE_TREE_H

#include "base/buf.h"
#include "base/digest.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

/*
 * Files below a folder that is held open, reached part by part without ever following a symbolic
 * link, so that no name leads out of it, not even one that is exchanged meanwhile. `tree` is the
 * folder's descriptor; paths are relative to it and have passed rg_path_check.
 */

/* A folder, or a file that is only read, so that closing it loses nothing:
 * RG_AUTO(rg_fd) folder = -1; */
typedef int rg_fd;
static inline void rg_fd_release(const rg_fd *fd)
{
	if (*fd >= 0)
		close(*fd);
}

/* More than any golden; memory holds one at a time. */
#define RG_TREE_FILE_MAX ((size_t)1 << 30)

/* A file as it is, was or is to be. All zero where there is none. */
typedef struct {
	bool exists;
	mode_t mode;           /* the permission bits */
	uint64_t size, offset; /* `offset` in the file that a record keeps its bytes in */
	char sha256[RG_SHA256_HEX];
	struct stat identity; /* where it was read: to see cheaply that nobody touched it since */
} rg_side;

/* Are both missing, or the same bytes with the same executable bit? */
bool rg_side_equal(const rg_side *a, const rg_side *b);

RG_CHECKED rg_error *rg_tree_open(int *tree, const char *folder);

/*
 * RG_E_UNSAFE for a path that must not be written: one that rg_path_check refuses, that has a
 * ".git" part in any case, that is not below `root` ("" allows all), that meets a symbolic link or
 * something else that is not a folder on its way, or that is anything but a regular file.
 */
RG_CHECKED rg_error *rg_tree_check(int tree, const char *root, const char *path);

/* Is the path, or a folder on its way, a symbolic link now? */
bool rg_tree_meets_link(int tree, const char *path);

/*
 * Opens the folder that `path` is in: *folder is the caller's to close, *name the path's last
 * part (borrowed). Where the folder is missing, it is made with `create`, else *folder is -1.
 */
RG_CHECKED rg_error *rg_tree_folder(int tree, const char *path, bool create, int *folder,
				    const char **name);

/* Reads a file and says how it is; `out` (cleared first) stays empty where there is none. */
RG_CHECKED rg_error *rg_tree_read(int tree, const char *path, rg_buf *out, rg_side *file);

/* Reads again what rg_tree_read read before, whose bytes need no second SHA-256. RG_E_CONFLICT
 * where the file is another one or was touched since. */
RG_CHECKED rg_error *rg_tree_read_again(int tree, const char *path, rg_buf *out,
					const rg_side *file);
/* RG_E_CONFLICT as above, without reading. */
RG_CHECKED rg_error *rg_tree_check_untouched(int tree, const char *path, const rg_side *file);

#endif
