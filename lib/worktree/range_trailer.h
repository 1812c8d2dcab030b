/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_WORKTREE_RANGE_TRAILER_H
#define REGILD_WORKTREE_RANGE_TRAILER_H

#include "worktree/worktree.h"

/* Does a commit that `head` has and `base` has not (NULL: HEAD) say "KEY: VALUE" in its trailers,
 * whatever the case? `id` gets the newest such commit, or "". RG_E_NOTFOUND for a revision that
 * names nothing. */
RG_CHECKED rg_error *rg_worktree_range_says(rg_worktree *worktree, const char *base,
					    const char *head, const char *key, const char *value,
					    char id[static 41]);

#endif
