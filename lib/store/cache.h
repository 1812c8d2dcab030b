/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_STORE_CACHE_H
#define REGILD_STORE_CACHE_H

#include "base/cleanup.h"
#include "base/digest.h"
#include "base/log.h"
#include "base/error.h"
#include "base/memory.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Keeps what was downloaded, so that it need not be again: goldens by artifact, and the API's lists
 * with their ETags. It is one SQLite file, $XDG_CACHE_HOME/regild/cache.db (else below ~/.cache),
 * readable by its owner alone. Every file is verified against its SHA-256 when it is read; an entry
 * that does not fit is dropped and counts as missing, and a damaged database is replaced. Bounded:
 * the least recently used entries go first. No token and no signed URL is ever stored.
 *
 * One handle may be used by several threads, and several processes may share the file.
 */
typedef struct rg_cache rg_cache;

#define RG_CACHE_MAX_DEFAULT ((uint64_t)2 << 30)
/* Artifacts with a larger golden are not kept. */
#define RG_CACHE_FILE_MAX ((size_t)64 << 20)

/*
 * `folder` NULL: as above; RG_E_IO where neither XDG_CACHE_HOME (absolute) nor HOME is set.
 * `max_bytes` 0: the default. `log` (may be NULL) hears of a cache that cannot be used. The file is
 * made when the first entry is written.
 */
RG_CHECKED rg_error *rg_cache_open(rg_cache **out, const char *folder, uint64_t max_bytes,
				   const rg_log *log);
void rg_cache_free(rg_cache *cache);
RG_FREE_AT(rg_cache)
/* $XDG_CACHE_HOME/regild; *out is the caller's to free. */
RG_CHECKED rg_error *rg_cache_default_folder(char **out);
/* Absolute or as it was given; for messages. */
const char *rg_cache_folder(const rg_cache *cache);

/* Which goldens: the same artifact under other patterns is another entry. */
typedef struct {
	const char *api;        /* the API's whole address: another server's ids are others */
	const char *host;       /* "github.com" */
	const char *repository; /* "OWNER/NAME" */
	uint64_t artifact_id;   /* at least 1 */
	const char *digest;     /* the artifact's, or NULL */
	const char *patterns;   /* regild.files, as one text */
} rg_cache_key;

typedef struct {
	const char *path; /* as rg_selected has it */
	const void *bytes;
	size_t size;
	char sha256[RG_SHA256_HEX]; /* put: "" where it is not known */
} rg_cache_file;

/* The goldens of one artifact. A loaded entry owns everything in it. */
typedef struct {
	rg_cache_file *files;
	size_t count, capacity;
	rg_arena arena;
} rg_cache_entry;

/*
 * Looks an artifact up and marks it as used. *found tells; only then is `out` filled, and to be
 * released. An entry without files is one too: the artifact held no goldens. Only Ctrl-C is an
 * error: an entry that cannot be read counts as missing.
 */
RG_CHECKED rg_error *rg_cache_get(rg_cache *cache, const rg_cache_key *key, rg_cache_entry *out,
				  bool *found);
void rg_cache_entry_release(rg_cache_entry *entry);
/* Stores one; files and count are read. More than half of max_bytes is not stored. A caller warns
 * once of an error and continues. */
RG_CHECKED rg_error *rg_cache_put(rg_cache *cache, const rg_cache_key *key,
				  const rg_cache_entry *entry);

/* An answer of the API: what If-None-Match needs. */
typedef struct {
	const char *etag;
	const char *link; /* the Link header or NULL */
	const rg_cache_file *body;
	rg_cache_entry entry; /* owns them */
} rg_cache_answer;

/* Looks an answer up by its whole URL, which must not hold a secret, as rg_cache_get does;
 * out->entry is to be released. */
RG_CHECKED rg_error *rg_cache_get_answer(rg_cache *cache, const char *url, rg_cache_answer *out,
					 bool *found);
RG_CHECKED rg_error *rg_cache_put_answer(rg_cache *cache, const char *url, const char *etag,
					 const char *link, const void *body, size_t length);

typedef struct {
	const char *name;     /* "HOST/OWNER/NAME"; the URL of an answer */
	uint64_t artifact_id; /* 0: an answer of the API */
	size_t files;
	uint64_t bytes;
	int64_t last_used; /* seconds since 1970 */
} rg_cache_item;

typedef void rg_cache_item_fn(void *context, const rg_cache_item *item);
/* Calls `take` for each, the most recently used first; `item` lives until it returns. */
RG_CHECKED rg_error *rg_cache_list(rg_cache *cache, rg_cache_item_fn *take, void *context);

/* Removes every entry; says how many and how much. */
RG_CHECKED rg_error *rg_cache_clear(rg_cache *cache, size_t *entries, uint64_t *bytes);

#endif
