#ifndef REGILD_SOURCE_TAKE_H
#define REGILD_SOURCE_TAKE_H

#include "source/fetch.h"

/*
 * One artifact's goldens, out of the cache or off the network, into plain files
 * PARTS/ARTIFACT-NUMBER. No names from outside reach the file system here.
 */

/* A golden that lies in PARTS. */
typedef struct {
	const char *path; /* its member's name */
	char *part;       /* where it lies */
	uint64_t size;
	char sha256[RG_SHA256_HEX];
} rg_taken_file;

typedef struct {
	rg_outcome outcome; /* TAKEN, SKIPPED_NO_GOLDENS, EXPIRED or FAILED */
	const char *why;    /* NULL or a sentence */
	const char *check;  /* "sha256", "crc32", "cache"; NULL where nothing was taken */
	rg_taken_file *files;
	size_t count, capacity;
	rg_arena arena; /* owns the texts */
} rg_taken;

void rg_taken_init(rg_taken *taken);
void rg_taken_release(rg_taken *taken);

/* Adds a sentence to why, which may be NULL; the first ones say enough. */
RG_CHECKED rg_error *rg_why_add(rg_arena *arena, const char **why, const char *text);

/* What the caller wants to know while an artifact is on its way. */
typedef struct {
	/* Bytes that came over the wire. */
	void (*moved)(void *context, uint64_t bytes);
	/* The artifact's address is known and its bytes are next: may block until it is its turn.
	 * Called at most once, and not where the cache has it all. */
	void (*begin)(void *context);
	void *context;
} rg_take_hooks;

/* Errors are those that stop everything. */
RG_CHECKED rg_error *rg_take_artifact(rg_taken *out, const rg_fetch_options *options,
				      const rg_run *run, const rg_artifact *artifact,
				      const char *parts, const rg_take_hooks *hooks);

#endif
