/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_UPDATE_UPDATE_LOG_H
#define REGILD_UPDATE_UPDATE_LOG_H

#include "update/journal.h"

/* The updates, resets and undos that are kept and can be undone, newest first, entries and all. */
typedef struct {
	rg_record *records;
	bool *undone; /* an undo of it is in the list, and was not undone itself */
	size_t count;
} rg_update_log;

RG_CHECKED rg_error *rg_update_log_read(rg_update_log *out, rg_journal *journal);
void rg_update_log_release(rg_update_log *update_log);
/* The newest that is neither undone nor an undo; NULL where there is none. */
const rg_record *rg_update_log_latest(const rg_update_log *update_log);

/* Did an update write these bytes there? An undo's bytes may be somebody's work put back. */
bool rg_update_log_wrote(const rg_update_log *update_log, const char *path, const char *sha256);
/* Does the index hold somebody's work: bytes that neither HEAD nor the working tree has, and that
 * no update wrote? */
RG_CHECKED rg_error *rg_update_log_hides_work(const rg_update_log *update_log,
					      const rg_index *index, rg_worktree *worktree,
					      const char *path, bool *out);

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
