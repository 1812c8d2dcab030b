/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_BASE_TREE_H
#define REGILD_BASE_TREE_H

#include "base/memory.h"

/*
 * The regular files below a folder, at any depth. Links are not followed, and names that start with
 * a dot are left out, with all that is below them.
 */
typedef struct {
	const char **paths; /* relative to the folder, parts joined by '/', in strcmp's order */
	size_t count, capacity;
	size_t links; /* left out */
	rg_arena arena;
} rg_tree;

/* `out` is released whatever comes back. RG_E_IO for a folder that cannot be read; RG_E_LIMIT for
 * one that is deeper than 64 or holds over a million files. */
RG_CHECKED rg_error *rg_tree_list(rg_tree *out, const char *folder);
void rg_tree_release(rg_tree *tree);

#endif
