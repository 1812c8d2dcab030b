#ifndef REGILD_SOURCE_CACHE_H
#define REGILD_SOURCE_CACHE_H

#include "base/buf.h"
#include "base/memory.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * What was downloaded before, so that it need not be again: goldens by artifact, and the API's
 * lists with their ETags. Under $XDG_CACHE_HOME/regild (~/.cache/regild), readable by its owner
 * alone. Every entry is one file, put in place atomically, verified against its SHA-256s when read;
 * a damaged one is dropped and counts as missing. Bounded: the least recently used go first. No
 * token and no signed URL is ever stored.
 *
 * One handle may be used by several threads, and several processes may share the folder.
 */
typedef struct rg_cache rg_cache;

#define RG_CACHE_MAX_DEFAULT ((uint64_t)2 << 30)

/*
 * `folder` NULL: as above; RG_E_IO where neither XDG_CACHE_HOME (absolute) nor HOME is set.
 * `max_bytes` 0: the default. The folder is made when the first entry is written.
 */
RG_CHECKED rg_error *rg_cache_open(rg_cache **out, const char *folder, uint64_t max_bytes);
void rg_cache_free(rg_cache *cache);
/* Absolute or as it was given; for messages. */
const char *rg_cache_folder(const rg_cache *cache);

/* Which goldens: the same artifact under other patterns is another entry. */
typedef struct {
	const char *host;       /* "github.com" */
	const char *repository; /* "OWNER/NAME" */
	uint64_t artifact_id;
	const char *digest;   /* the artifact's, or NULL */
	const char *patterns; /* regild.files, as one text */
} rg_cache_key;

typedef struct {
	const char *path; /* as rg_selected has it */
	const char *via;
	const void *bytes;
	size_t size;
} rg_cache_file;

/* What one artifact gave. Loaded: everything is owned by it. */
typedef struct {
	const char *check; /* how the bytes were checked when they came: "sha256", "crc32" */
	rg_cache_file *files;
	size_t count;
	char *memory; /* owns files' bytes; NULL in an entry made by hand */
	rg_arena arena;
} rg_cache_entry;

/*
 * Looks an artifact up and marks it as used. *found tells; only then is `out` filled, and to be
 * released. An entry without files is one too: the artifact held no goldens. Errors are for memory
 * and Ctrl-C alone: an entry that cannot be read is as good as none.
 */
RG_CHECKED rg_error *rg_cache_get(rg_cache *cache, const rg_cache_key *key, rg_cache_entry *out,
				  bool *found);
void rg_cache_entry_release(rg_cache_entry *entry);
/* Stores one; files, check and count are read, the rest of `entry` is not. More than half of
 * max_bytes is not stored. RG_E_IO where the folder cannot be written: a caller warns once and goes
 * on. */
RG_CHECKED rg_error *rg_cache_put(rg_cache *cache, const rg_cache_key *key,
				  const rg_cache_entry *entry);

/* An answer of the API: what If-None-Match needs. */
typedef struct {
	char *etag;
	char *link; /* the Link header or NULL */
	rg_buf body;
} rg_cache_answer;

/* By the whole URL, which must not hold a secret. As rg_cache_get. */
RG_CHECKED rg_error *rg_cache_get_answer(rg_cache *cache, const char *url, rg_cache_answer *out,
					 bool *found);
void rg_cache_answer_release(rg_cache_answer *answer);
RG_CHECKED rg_error *rg_cache_put_answer(rg_cache *cache, const char *url, const char *etag,
					 const char *link, const void *body, size_t length);

typedef struct {
	const char *repository; /* "HOST/OWNER/NAME"; the URL of an answer */
	uint64_t artifact_id;   /* 0: an answer of the API */
	size_t files;
	uint64_t bytes;    /* on disk */
	int64_t last_used; /* seconds since 1970; 0: not known */
} rg_cache_item;

typedef struct {
	rg_cache_item *items; /* most recently used first */
	size_t count, capacity;
	uint64_t bytes; /* of all */
	rg_arena arena;
} rg_cache_list;

/* An empty list where there is no folder. */
RG_CHECKED rg_error *rg_cache_list_read(rg_cache *cache, rg_cache_list *out);
void rg_cache_list_release(rg_cache_list *list);

/* Removes every entry, and only what is one; says how many and how much. */
RG_CHECKED rg_error *rg_cache_clear(rg_cache *cache, size_t *entries, uint64_t *bytes);

#endif
