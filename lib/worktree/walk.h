/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_WORKTREE_WALK_H
#define REGILD_WORKTREE_WALK_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

/*
 * The regular files below a folder of the working tree. Start, do something else meanwhile, finish,
 * use the files, free. A thread of its own reads the folders. Links are not followed; .git and
 * repositories inside the repository are passed over.
 */
typedef struct rg_walk rg_walk;

typedef struct {
	const char *path; /* from the root */
	struct timespec mtime, ctime;
	uint64_t inode, size;
	bool executable;
} rg_walk_file;

/* Starts at the folder `below` ("": the top) of `root`, which is absolute and ends in '/'. Only
 * files that the globs take (rg_globs_take; NULL: all). The texts must outlive the walk. */
rg_walk *rg_walk_start(const char *root, const char *below, const char *globs);
/* In no order, owned by the walk; the files of a folder come in a row. A folder that does not exist
 * has none; RG_E_IO for one that cannot be read. */
RG_CHECKED rg_error *rg_walk_finish(rg_walk *walk, const rg_walk_file **files, size_t *count);
void rg_walk_free(rg_walk *walk);

#endif
