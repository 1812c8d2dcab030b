#ifndef REGILD_AUDIT_HISTORY_FORMAT_H
#define REGILD_AUDIT_HISTORY_FORMAT_H

#include "audit/history_store.h"
#include "base/digest.h"
#include "base/file.h"

/* The bytes of a history file; see history_store.h. */

#define RG_HISTORY_MAGIC "regild history 1 "
enum { RG_HISTORY_HEAD_MAX = 64 << 20, RG_HISTORY_GOLDENS_MAX = 1000000 };

/* One golden's place in the file. */
typedef struct {
	const char *path;
	uint64_t offset, size;
	char sha256[RG_SHA256_HEX];
} rg_history_place;

typedef struct {
	rg_history_run run;
	rg_history_place *places; /* by path */
	size_t count;
	uint64_t blocks; /* where the first block starts in the file */
} rg_history_head;

/* Reads and verifies the head of an open file; texts and places live in `arena`. */
RG_CHECKED rg_error *rg_history_read_head(int fd, rg_arena *arena, rg_history_head *out);
/* A golden's block. */
RG_CHECKED rg_error *rg_history_put_block(rg_buf *out, const rg_golden *golden);
RG_CHECKED rg_error *rg_history_parse_block(rg_golden **out, const char *bytes, size_t size);
/* pread of all of it; RG_E_PARSE where the file is shorter. */
RG_CHECKED rg_error *rg_history_read_at(int fd, void *out, size_t size, uint64_t offset);

#endif
