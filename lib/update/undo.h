#ifndef REGILD_UPDATE_UNDO_H
#define REGILD_UPDATE_UNDO_H

#include "update/journal.h"
#include "worktree/stage.h"

/*
 * Putting back what an update, a reset or an undo replaced, bit for bit, as a change of the tree of
 * its own, which can be undone in turn.
 */

/* What there is to undo, newest first, entries and all. */
typedef struct {
	rg_record *records;
	bool *undone; /* an undo of it is in the list, and was not undone itself */
	size_t count;
} rg_history;

RG_CHECKED rg_error *rg_history_read(rg_history *out, rg_journal *journal);
void rg_history_release(rg_history *history);
/* The newest that is neither undone nor an undo; NULL where there is none. */
const rg_record *rg_history_latest(const rg_history *history);

/* Did an update write these bytes there? An undo's bytes may be somebody's work put back. */
bool rg_history_wrote(const rg_history *history, const char *path, const char *sha256);
/* Does the index hold somebody's work: bytes that neither HEAD nor the working tree has, and that
 * no update wrote? */
RG_CHECKED rg_error *rg_history_hides_work(const rg_history *history, const rg_index *index,
					   rg_worktree *worktree, const char *path, bool *out);

/*
 * Takes a record back; the caller holds the lock. `done` (initialised) gets what was done.
 * RG_E_CONFLICT, naming the files, where some are not (any more) as the record left them: then
 * nothing is changed.
 */
RG_CHECKED rg_error *rg_undo(rg_journal *journal, const rg_record *record, rg_record *done);

#endif
