/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_SOURCE_TAKEN_H
#define REGILD_SOURCE_TAKEN_H

#include "base/digest.h"
#include "base/error.h"
#include "base/memory.h"
#include "source/manifest.h"
#include "source/rule.h"

/* Goldens that were taken out of one artifact, in plain files PARTS/ARTIFACT-LOG-NUMBER. */

/* A golden in PARTS. */
typedef struct {
	const char *path;      /* its member's name, as the repository has it */
	const rg_rule *rule;   /* that took it; NULL: out of a log, or called as its target */
	rg_name_fields fields; /* of the member's path, in the arena */
	const char *part;      /* where it is */
	uint64_t size;
	char sha256[RG_SHA256_HEX];
	struct stat written;
} rg_taken_file;

typedef struct {
	rg_outcome outcome; /* TAKEN, SKIPPED_NO_GOLDENS, EXPIRED or FAILED */
	const char *why;    /* of SKIPPED_NO_GOLDENS, else NULL; a constant */
	const char *check;  /* "sha256", "crc32", "cache"; NULL where nothing was taken */
	/* The errors of members, in the archive's order, and of the artifact. */
	rg_error **errors;
	size_t error_count, error_capacity;
	rg_taken_file *files;
	size_t count, capacity;
	rg_arena arena; /* owns the texts */
} rg_taken;

void rg_taken_init(rg_taken *taken);
void rg_taken_release(rg_taken *taken);

/* Does it stop all artifacts, and not just the one? */
bool rg_take_is_fatal(const rg_error *err);

/* Adds a sentence to why, which may be NULL; the first ones say enough. */
void rg_why_add(rg_arena *arena, const char **why, const char *text);

#endif
