/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_FLOW_FILE_PAIRS_H
#define REGILD_FLOW_FILE_PAIRS_H

#include "archive/zip_files.h"
#include "base/tree.h"

typedef struct {
	const char *name;                /* for people */
	const char *old_path, *new_path; /* from the folders; NULL: not on that side */
} rg_file_pair;

/* Goldens that are compared without a repository: two files, or those of two folders, each path
 * once, in path-component order. */
typedef struct {
	char *old_folder, *new_folder; /* where the paths begin: "" or ending in '/' */
	rg_file_pair *items;
	size_t count;
	char *name;   /* of two files: "OLDNAME vs NEWNAME" */
	bool guessed; /* nothing in the folders is named: these begin like goldens */
	rg_tree old_tree, new_tree;
	const rg_zip_files *old_zip, *new_zip; /* where the paths are in a zip, not in the folder */
} rg_file_pairs;

/* A path of a file or a folder; or a zip's files, and a folder for what is not in the zip. */
typedef struct {
	const char *path;
	const rg_zip_files *zip; /* NULL: `path` is what it is */
} rg_file_side;

/*
 * Two files or folders. Of a folder that `regild download` wrote, the goldens are in
 * files/. Goldens of folders are what the globs `files` take (rg_globs_take) in either folder;
 * where they take nothing, what begins like one. `out` is released whatever comes back.
 */
RG_CHECKED rg_error *rg_file_pairs_find(rg_file_pairs *out, const rg_file_side *old,
					const rg_file_side *fresh, const char *files);
/* One file, which is new. */
void rg_file_pairs_alone(rg_file_pairs *out, const char *path);
void rg_file_pairs_release(rg_file_pairs *pairs);

/* Is a folder what `regild download` wrote? Its goldens are in files/ then, beside the manifest. */
void rg_is_staging(const char *folder, bool *out);

#endif
