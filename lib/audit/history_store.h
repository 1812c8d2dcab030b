#ifndef REGILD_AUDIT_HISTORY_STORE_H
#define REGILD_AUDIT_HISTORY_STORE_H

#include "audit/audit.h"

/*
 * Runs' series kept for good, because artifacts expire: one file a run, put in place as a whole and
 * verified when read (the format is described in man/regild-audit.1):
 *
 *	regild history 1 SHA256 LENGTH\n    of the head
 *	head: JSON, LENGTH bytes: {"run": {"id", "attempt", "when", "branch", "commit", "event",
 *	    "complete"}, "goldens": [{"path", "offset", "size", "sha256"}, …]}
 *	a block for each golden, `offset` counted from the head's end:
 *	    JSON on one line: [{"name", "count", "first_step" or "steps": true} or
 *	    {"name", "text"}, …]\n
 *	    for each series: its steps as 64-bit integers where it says so, then its values as
 *	    64-bit floats, all little-endian
 *
 * Tokens, and texts of over 256 bytes, are not kept.
 */
typedef struct {
	uint64_t id;
	unsigned attempt;
	const char *when, *branch, *commit, *event; /* never NULL */
	bool complete; /* false: something was missing when it was fetched; worth another try */
} rg_history_run;

/* $XDG_DATA_HOME/regild/history, else ~/.local/share/regild/history; *out is the caller's to free.
 * RG_E_IO where neither is set. */
RG_CHECKED rg_error *rg_history_folder(char **out);

/* Builds one run's file. */
typedef struct rg_history_writer rg_history_writer;
RG_CHECKED rg_error *rg_history_writer_new(rg_history_writer **out);
void rg_history_writer_free(rg_history_writer *writer);
/* Each path once; the golden may go afterwards. */
RG_CHECKED rg_error *rg_history_writer_add(rg_history_writer *writer, const char *path,
					   const rg_golden *golden);
/* Adds what the run's earlier file at `path` has beyond the goldens that were added so far, for
 * artifacts expire. Its damaged goldens are left. */
RG_CHECKED rg_error *rg_history_writer_keep(rg_history_writer *writer, const char *path);
/* Writes the file and makes the folders above it. */
RG_CHECKED rg_error *rg_history_writer_finish(rg_history_writer *writer, const rg_history_run *run,
					      const char *path);

/* What a file says of its run, texts in `arena`; *found is false where there is no file. RG_E_PARSE
 * or RG_E_MISMATCH for one that is damaged, RG_E_CONFLICT for a newer regild's. */
RG_CHECKED rg_error *rg_history_peek(const char *path, rg_arena *arena, rg_history_run *out,
				     bool *found);

/* Is it the error of a damaged file, which counts as none? NULL is not. */
bool rg_history_is_damaged(const rg_error *err);

/* Runs of such files as an audit's source, in the order given. RG_E_PARSE or RG_E_MISMATCH, naming
 * the file, where a head is damaged; a damaged golden is that golden's error. */
typedef struct rg_history_runs rg_history_runs;
RG_CHECKED rg_error *rg_history_runs_open(rg_history_runs **out, const char *const *paths,
					  size_t count);
void rg_history_runs_free(rg_history_runs *runs);
/* Borrows from `runs`. What a run has of a golden counts as its bytes. */
rg_audit_source rg_history_runs_source(rg_history_runs *runs, size_t golden_max);

#endif
