/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_UPDATE_JOURNAL_STATE_H
#define REGILD_UPDATE_JOURNAL_STATE_H

#include "update/journal.h"
#include "update/safe_tree.h"

/* journal.c (state, lock, putting it on disk) and journal_apply.c (doing it) share this. */
struct rg_journal {
	char *root;      /* the working tree */
	char *dir;       /* GITDIR/regild */
	char *preparing; /* DIR/preparing */
	char *pending;   /* DIR/pending */
	int tree;
	int lock; /* -1 while not held */
	const rg_log *log;
};

/* DIR/updates/ID; the caller frees it. */
char *rg_journal_record_dir(const rg_journal *journal, uint64_t id);
RG_CHECKED rg_error *rg_journal_next_id(rg_journal *journal, uint64_t *out);
/* Forgets all but the newest RG_JOURNAL_KEPT; failures are logged, not returned. */
void rg_journal_prune(rg_journal *journal);
/* A side's bytes out of DIR/old or DIR/new; `check` compares them with its SHA-256. */
RG_CHECKED rg_error *rg_journal_side_bytes(const char *dir, const char *file, const rg_side *side,
					   bool check, rg_buf *out);

/*
 * Puts the record with all bytes on disk («preparing»), then decides on it by one rename
 * («pending»); on failure nothing is pending. RG_E_CONFLICT where a file was touched since its old
 * side was read.
 */
RG_CHECKED rg_error *rg_journal_decide(rg_journal *journal, rg_record *record,
				       rg_entry_bytes_fn *give, void *context);
/* Throws away what was decided on and never begun, or has been taken back. */
RG_CHECKED rg_error *rg_journal_undecide(rg_journal *journal);
RG_CHECKED rg_error *rg_journal_rename(const char *from, const char *to);

#endif
