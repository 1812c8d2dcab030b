#ifndef REGILD_UPDATE_TREE_H
#define REGILD_UPDATE_TREE_H

#include "base/buf.h"
#include "base/digest.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

/*
 * Files below a folder that is held open, reached part by part without ever following a symbolic
 * link, so that no name leads out of it, not even one that is exchanged meanwhile. `tree` is the
 * folder's descriptor; paths are relative to it and have passed rg_path_check.
 */

/* More than any golden; memory holds one at a time. */
#define RG_TREE_FILE_MAX ((size_t)1 << 30)

/* A file as it is now. All zero where there is none. */
typedef struct {
	bool exists;
	mode_t mode; /* the permission bits */
	uint64_t size;
	char sha256[RG_SHA256_HEX];
	struct stat identity; /* to see cheaply that nobody touched it since */
} rg_tree_file;

RG_CHECKED rg_error *rg_tree_open(int *tree, const char *folder);

/*
 * RG_E_UNSAFE for a path that must not be written: one that rg_path_check refuses, that has a
 * ".git" part in any case, that is not below `root` ("" allows all), that meets a symbolic link or
 * something else that is no folder on its way, or that is anything but a regular file.
 */
RG_CHECKED rg_error *rg_tree_check(int tree, const char *root, const char *path);

/*
 * Opens the folder that `path` stands in: *folder is the caller's to close, *name the path's last
 * part (borrowed). Where the folder is missing, it is made with `create`, else *folder is -1.
 */
RG_CHECKED rg_error *rg_tree_folder(int tree, const char *path, bool create, int *folder,
				    const char **name);

/* Reads a file and says how it is; `out` (cleared first) stays empty where there is none. */
RG_CHECKED rg_error *rg_tree_read(int tree, const char *path, rg_buf *out, rg_tree_file *file);

/* Is the file still the one that was read? Compares the identity alone, not the bytes. */
RG_CHECKED rg_error *rg_tree_is_untouched(int tree, const char *path, const rg_tree_file *file,
					  bool *out);

#endif
