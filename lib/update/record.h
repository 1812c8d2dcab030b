#ifndef REGILD_UPDATE_RECORD_H
#define REGILD_UPDATE_RECORD_H

#include "base/buf.h"
#include "base/digest.h"
#include "base/memory.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * What one change of the tree did or is about to do: the journal while it is under way, and what
 * undo works from afterwards. On disk a folder with record.json and the bytes of all files, old and
 * new, one behind the other in two files (one fsync each instead of one a golden).
 */

typedef enum {
	RG_RECORD_UPDATE,
	RG_RECORD_UNDO,
	RG_RECORD_RESET,
} rg_record_kind;

/* One side of an entry. */
typedef struct {
	bool exists;           /* false: there is no file, and nothing else below counts */
	mode_t mode;           /* permission bits */
	uint64_t size, offset; /* in the file that holds this side's bytes */
	char sha256[RG_SHA256_HEX];
} rg_side;

typedef struct {
	const char *path; /* from the repository's root */
	rg_side old, new;
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
RG_CHECKED rg_error *rg_record_add(rg_record *record, const char *path, rg_entry **out);

RG_CHECKED rg_error *rg_record_write(const rg_record *record, rg_buf *out);
/* Into an initialised record, which has to be released on failure too. RG_E_PARSE, RG_E_UNSAFE. */
RG_CHECKED rg_error *rg_record_parse(rg_record *out, const char *text, size_t length);

/* DIR/record.json. */
RG_CHECKED rg_error *rg_record_save(const rg_record *record, const char *dir);
RG_CHECKED rg_error *rg_record_load(rg_record *out, const char *dir);

/* Does the file on disk (an rg_side made from it) equal a side: both missing, or the same bytes
 * and the same executable bit? */
bool rg_side_equal(const rg_side *a, const rg_side *b);

#endif
