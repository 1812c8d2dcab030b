/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_UPDATE_UNDO_H
#define REGILD_UPDATE_UNDO_H

#include "update/journal.h"

/*
 * Putting back what an update, a reset or an undo replaced, bit for bit, as a change of the tree of
 * its own, which can be undone in turn.
 */

/*
 * Takes a record back; the caller holds the lock. `done` (initialised) gets what was done.
 * RG_E_CONFLICT, naming the files, where some are not (any more) as the record left them: then
 * nothing is changed. The index is only looked at, and with `worktree` NULL not even that.
 */
RG_CHECKED rg_error *rg_undo(rg_journal *journal, rg_worktree *worktree, const rg_record *record,
			     rg_record *done);
/* Takes back in the index what the record staged, where that has been left alone since: `done` is
 * what rg_undo did. *count says of how many files. */
RG_CHECKED rg_error *rg_undo_index(rg_worktree *worktree, const rg_record *record,
				   const rg_record *done, size_t *count);

#endif
