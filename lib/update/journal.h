/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_UPDATE_JOURNAL_H
#define REGILD_UPDATE_JOURNAL_H

#include "base/log.h"
#include "update/record.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Changes of the working tree that happen as a whole. State is in GITDIR/regild/:
 *
 *	lock          who is at work (see rg_journal_lock)
 *	preparing/    a record that is being written; worthless after a crash
 *	pending/      a record that is decided on: it is finished or taken back, never forgotten
 *	updates/ID/   what was done, for undo; the last RG_JOURNAL_KEPT
 *
 * A record goes from one to the next by renaming its folder, which is atomic: «preparing» becomes
 * «pending» only when it is on disk with all old and new bytes, and «pending» becomes «updates/ID»
 * only when every file is in place. Files are replaced by a synced temporary and a rename, never
 * written through: hard links to the old file keep the old bytes, as with git.
 */

#define RG_JOURNAL_KEPT 20

typedef struct rg_journal rg_journal;

/* `root` is the working tree, `git_dir` this worktree's own git directory; nothing is made yet. */
RG_CHECKED rg_error *rg_journal_open(rg_journal **out, const char *root, const char *git_dir,
				     const rg_log *log);
/* Lets the lock go, too. */
void rg_journal_close(rg_journal *journal);
/* The working tree's descriptor, for rg_tree_*. */
int rg_journal_tree(const rg_journal *journal);

/*
 * Takes the lock until rg_journal_close. RG_E_CONFLICT, naming the holder's process id, while
 * somebody else has it. The lock is the kernel's (flock), so a holder that died has let it go: a
 * stale lock is recognised by the process id that is still in the file, and logged.
 */
RG_CHECKED rg_error *rg_journal_lock(rg_journal *journal);

/*
 * Is something pending that was interrupted? False, too, while a live process is at it. With the
 * lock held by the caller the answer stays true. `entries` (may be NULL) gets how many files.
 */
RG_CHECKED rg_error *rg_journal_pending(rg_journal *journal, bool *out, size_t *entries);

/* Gives the new bytes of an entry; called for each that has a new side, in order. */
typedef rg_error *rg_entry_bytes_fn(void *context, size_t index, rg_buf *out);

/*
 * Does what the record says, as a whole: on failure everything is as it was, unless the message
 * says that taking it back failed as well (then it is pending). The caller holds the lock, nothing
 * is pending, entries have their old sides as rg_journal_look or rg_tree_read gave them; the record
 * gets its id and time. `bytes` gives what the new side says. RG_E_CONFLICT where a file was
 * touched since its old side was read.
 */
RG_CHECKED rg_error *rg_journal_apply(rg_journal *journal, rg_record *record,
				      rg_entry_bytes_fn *bytes, void *context);

/*
 * Finishes what is pending, or takes it back; the caller holds the lock. `done` (initialised) gets
 * the record. RG_E_NOTFOUND where nothing is pending; RG_E_CONFLICT, naming the files, where some
 * are neither as before nor as after, nor gone: that is work since the interruption.
 */
RG_CHECKED rg_error *rg_journal_continue(rg_journal *journal, rg_record *done);
RG_CHECKED rg_error *rg_journal_abort(rg_journal *journal, rg_record *done);

/* The ids of what can be undone, newest first; *out is the caller's to free. */
RG_CHECKED rg_error *rg_journal_list(rg_journal *journal, uint64_t **out, size_t *count);
/* RG_E_NOTFOUND for an id that is not kept (any more). */
RG_CHECKED rg_error *rg_journal_load(rg_journal *journal, uint64_t id, rg_record *out);
/* The old bytes of a kept record's entry. */
RG_CHECKED rg_error *rg_journal_old_bytes(rg_journal *journal, const rg_record *record,
					  size_t index, rg_buf *out);

/* How the file of an entry is now. */
RG_CHECKED rg_error *rg_journal_look(rg_journal *journal, const char *path, rg_side *out);

#endif
