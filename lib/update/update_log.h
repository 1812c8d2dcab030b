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

#endif
