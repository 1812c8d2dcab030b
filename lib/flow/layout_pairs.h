/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_FLOW_LAYOUT_PAIRS_H
#define REGILD_FLOW_LAYOUT_PAIRS_H

#include "flow/side_stage.h"
#include "flow/sides.h"

/* A golden of one side. */
typedef struct {
	const char *target;    /* from the repository's root */
	const char *path;      /* where the side has it: from its folder, or in its tree */
	const char *tree, *id; /* as rg_golden_side_read has them */
	bool unmerged;         /* rg_change */
	const rg_manifest_golden *golden; /* NULL: it is not staged */
} rg_layout_file;

typedef struct {
	rg_layout_file *items; /* by target, in path-component order */
	size_t count, capacity;
	const char *folder;      /* before the paths, where the tree is "" */
	const rg_zip_files *zip; /* has the paths then; NULL: the folder has */
	bool whole;          /* a golden that it lacks is gone; else the side knows nothing of it */
	rg_change_list list; /* of a side in git */
	rg_arena arena;
} rg_layout_side;

typedef struct {
	const rg_layout_file *old, *fresh; /* one may be NULL */
} rg_layout_pair;

/* Goldens of two sides that belong into one repository, wherever they are now. */
typedef struct {
	rg_layout_side old, fresh;
	rg_layout_pair *items; /* by target, in path-component order */
	size_t count;
} rg_layout_pairs;

/*
 * The goldens of either side, in the parts that were named. What a side in git, a checkout or a
 * copy of one has and the other side lacks counts as new or removed; but a run, or the folder or
 * archive of one, lacks much, and is compared by what it has. RG_E_NOTFOUND where that is nothing.
 * The staged sides are of those that are not in git, and are borrowed. `out` is released whatever
 * comes back.
 */
RG_CHECKED rg_error *rg_layout_pairs_find(rg_layout_pairs *out, const rg_flow *flow,
					  const rg_sides *sides, const rg_staged_side *old,
					  const rg_staged_side *fresh);
/* Has any golden two sides? */
bool rg_layout_pairs_meet(const rg_layout_pairs *pairs);
/* Keeps in `sides` which goldens a new side has that is not whole. */
void rg_layout_pairs_keep_new(const rg_layout_pairs *pairs, rg_sides *sides);
void rg_layout_pairs_release(rg_layout_pairs *pairs);

#endif
