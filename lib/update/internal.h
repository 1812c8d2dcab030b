#ifndef REGILD_UPDATE_INTERNAL_H
#define REGILD_UPDATE_INTERNAL_H

#include "update/journal.h"
#include "update/tree.h"

/* What journal.c (state and lock), decide.c (putting it on disk) and apply.c (doing it) share. */
struct rg_journal {
	char *root;      /* the working tree */
	char *dir;       /* GITDIR/regild */
	char *preparing; /* DIR/preparing */
	char *pending;   /* DIR/pending */
	int tree;
	int lock; /* -1 while not held */
	const rg_log *log;
};

/* DIR/updates/ID; *out is the caller's to free. */
RG_CHECKED rg_error *rg_journal_record_dir(const rg_journal *journal, uint64_t id, char **out);
RG_CHECKED rg_error *rg_journal_next_id(rg_journal *journal, uint64_t *out);
/* Forgets all but the newest RG_JOURNAL_KEPT; failures are logged, not returned. */
void rg_journal_prune(rg_journal *journal);
/* A side's bytes out of DIR/old or DIR/new, checked against its SHA-256. */
RG_CHECKED rg_error *rg_journal_side_bytes(const char *dir, const char *file, const rg_side *side,
					   rg_buf *out);

/*
 * Puts the record with all bytes on disk («preparing»), then decides on it by one rename
 * («pending»); on failure nothing is pending. `found` has room for each entry's file as it was
 * read. RG_E_CONFLICT where a file or the bytes are not what the record says.
 */
RG_CHECKED rg_error *rg_journal_decide(rg_journal *journal, rg_record *record,
				       rg_entry_bytes_fn *give, void *context, rg_tree_file *found);
/* Throws away what was decided on and never begun, or has been taken back. */
RG_CHECKED rg_error *rg_journal_undecide(rg_journal *journal);
RG_CHECKED rg_error *rg_journal_rename(const char *from, const char *to);
/* RG_E_CONFLICT: the file is not what it was when the change was planned. */
RG_CHECKED rg_error *rg_journal_changed(const char *path);

#endif
