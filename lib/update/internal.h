#ifndef REGILD_UPDATE_INTERNAL_H
#define REGILD_UPDATE_INTERNAL_H

#include "update/journal.h"

/* What journal.c (state and lock) and apply.c (doing it) share. */
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

#endif
