/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_PLACE_SIDE_FILES_H
#define REGILD_PLACE_SIDE_FILES_H

#include "place/sides.h"

/* Which files of two sides are compared. Two sides in git: those that differ. */

/* The goldens that differ between two sides in git. Where parts are named: of folders, the goldens
 * in them that differ; files, whether they differ or not. */
RG_CHECKED rg_error *rg_sides_list_changes(rg_change_list *out, const rg_sides *sides,
					   rg_worktree *worktree, const rg_config *config,
					   bool no_renames);

/* Keeps those files of a place, listed from regild.root, that regild.files names and that
 * are in a part; their keys become paths from the repository's root. */
void rg_sides_keep_parts(const rg_sides *sides, rg_place *place, const rg_config *config);

/* Lists a side in git, again if it was listed before. `other`: where it is not whole, only what it
 * has counts. */
RG_CHECKED rg_error *rg_sides_list_git(const rg_sides *sides, const rg_side_name *name,
				       rg_place *place, rg_worktree *worktree,
				       const rg_config *config, const rg_place *other);

#endif
