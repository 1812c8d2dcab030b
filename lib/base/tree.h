/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_BASE_TREE_H
#define REGILD_BASE_TREE_H

#include "base/error.h"
#include "base/memory.h"

#include <stdint.h>

/*
 * The regular files below a folder, at any depth. Links are not followed, and names that start with
 * a dot are left out, with all that is below them.
 */
typedef struct {
	const char **paths; /* relative to the folder, parts joined by '/', in strcmp's order */
	size_t count, capacity;
	size_t links; /* left out */
	/* From rg_tree_list_all: links, devices, pipes and sockets, in strcmp's order. */
	const char **others;
	size_t other_count, other_capacity;
	rg_arena arena;
} rg_tree;

/* `out` is released whatever comes back. RG_E_IO for a folder that cannot be read; RG_E_LIMIT for
 * one that is deeper than 64 or holds over a million files. */
RG_CHECKED rg_error *rg_tree_list(rg_tree *out, const char *folder);
/* The same with names that start with a dot, but for ".git", and with `others`. */
RG_CHECKED rg_error *rg_tree_list_all(rg_tree *out, const char *folder);
void rg_tree_release(rg_tree *tree);

/* Opens a regular file that was listed, without following a link on its way. *fd is the caller's to
 * close, -1 after an error (RG_E_IO without a name). */
RG_CHECKED rg_error *rg_tree_open_file(int *fd, uint64_t *size, int folder, const char *path);

#endif
