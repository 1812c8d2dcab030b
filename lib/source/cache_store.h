#ifndef REGILD_SOURCE_CACHE_STORE_H
#define REGILD_SOURCE_CACHE_STORE_H

#include "base/digest.h"
#include "base/error.h"
#include "base/memory.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The cache's files, without a thought for what is in them; for cache.c. FOLDER/KIND/HEX is:
 *
 *	regild-cache-1 LENGTH SHA256\n     of the index
 *	the index
 *	the bytes, which the index describes
 *
 * Files are put in place by a rename and not synced: what a crash leaves damaged does not match its
 * SHA-256 and is dropped.
 */
typedef struct rg_cache_store rg_cache_store;

typedef enum { RG_STORE_ARTIFACTS, RG_STORE_ANSWERS, RG_STORE_KINDS } rg_store_kind;

typedef struct {
	const void *bytes;
	size_t size;
} rg_store_piece;

/* Takes `folder` over, on failure too. */
RG_CHECKED rg_error *rg_store_new(rg_cache_store **out, char *folder, uint64_t max_bytes);
void rg_store_free(rg_cache_store *store);
const char *rg_store_folder(const rg_cache_store *store);

/* Writes an entry of an index and the pieces behind it, and makes room for it. */
RG_CHECKED rg_error *rg_store_put(rg_cache_store *store, rg_store_kind kind,
				  const char hex[static RG_SHA256_HEX], const char *index,
				  const rg_store_piece *pieces, size_t count);

/* An entry in memory. */
typedef struct {
	char *memory;      /* the whole file, NUL-terminated; the caller's to free */
	const char *index; /* NUL-terminated */
	const char *bytes; /* NULL where only the index was asked for */
	size_t size;       /* of the bytes */
} rg_store_entry;

/* Reads an entry and checks its index. Whatever is wrong with it (missing, damaged: then it is
 * removed too) is *found false; errors are for memory. */
RG_CHECKED rg_error *rg_store_get(rg_cache_store *store, rg_store_kind kind,
				  const char hex[static RG_SHA256_HEX], bool index_only,
				  rg_store_entry *out, bool *found);
/* Marks an entry as used now. */
void rg_store_touch(rg_cache_store *store, rg_store_kind kind,
		    const char hex[static RG_SHA256_HEX]);
void rg_store_drop(rg_cache_store *store, rg_store_kind kind, const char hex[static RG_SHA256_HEX]);

typedef struct {
	rg_store_kind kind;
	char hex[RG_SHA256_HEX];
	uint64_t size;
	int64_t used, used_ns; /* the modification time; 0 where that is still to come */
} rg_store_file;

typedef struct {
	rg_store_file *items; /* least recently used first */
	size_t count, capacity;
	uint64_t bytes;
} rg_store_files;

/* All entries. Free `items`. */
RG_CHECKED rg_error *rg_store_scan(rg_cache_store *store, rg_store_files *out);
/* Removes all entries and the folders, as far as nothing else is in them. */
RG_CHECKED rg_error *rg_store_clear(rg_cache_store *store, size_t *entries, uint64_t *bytes);

#endif
