/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_UPDATE_RECORD_H
#define REGILD_UPDATE_RECORD_H

#include "base/error.h"
#include "base/memory.h"
#include "update/safe_tree.h"
#include "worktree/index.h"

/*
 * What one change of the tree does: the journal has it while it is under way (journal.h), and the
 * update log afterwards (update_log.h). On disk a folder with record.json and the bytes of all
 * files, old and new, one after the other in two files (one fsync each instead of one a golden).
 */

typedef enum {
	RG_RECORD_UPDATE,
	RG_RECORD_UNDO,
	RG_RECORD_RESET,
} rg_record_kind;

typedef struct {
	const char *path; /* from the repository's root */
	rg_side old, new_side;
	/* The index's entry before, where it is changed with the file (--stage, and its undo). */
	rg_index_side index;
} rg_entry;

typedef struct {
	uint64_t id; /* 1, 2, 3 … in this working tree */
	rg_record_kind kind;
	int64_t time;      /* seconds since the epoch */
	uint64_t of;       /* RG_RECORD_UNDO: which record it took back */
	const char *about; /* for people: "run 123", "golden_values*"; may be NULL */
	rg_entry *entries; /* in path-component order */
	size_t count, capacity;
	rg_arena arena;
} rg_record;

void rg_record_init(rg_record *record);
void rg_record_release(rg_record *record);
/* "update", "undo", "reset" */
const char *rg_record_kind_text(rg_record_kind kind);
/* Adds an entry, all zero but for its path, which is copied. */
rg_entry *rg_record_add(rg_record *record, const char *path);

RG_CHECKED rg_error *rg_record_write(const rg_record *record, rg_buf *out);
/* Into an initialised record, which has to be released on failure too. RG_E_PARSE, RG_E_UNSAFE. */
RG_CHECKED rg_error *rg_record_parse(rg_record *out, const char *text, size_t length);

/* DIR/record.json. */
RG_CHECKED rg_error *rg_record_save(const rg_record *record, const char *dir);
RG_CHECKED rg_error *rg_record_load(rg_record *out, const char *dir);

/* Is the index known of any entry? */
bool rg_record_touches_index(const rg_record *record);

#endif
