/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_BASE_READER_H
#define REGILD_BASE_READER_H

#include "base/cleanup.h"
#include "base/digest.h"

#include <stddef.h>
#include <stdint.h>

/*
 * Bytes that can be read at any place: memory, a file, a part of another reader, the body of an
 * HTTP URL. A zip is opened over one. A reader is for one thread at a time.
 */

/* Bytes offset … offset + length - 1. */
typedef struct {
	uint64_t offset, length;
} rg_range;

typedef struct rg_reader {
	const char *name; /* for messages; lives as long as the reader */
	uint64_t size;    /* bytes in all */
	/* Fills `buffer` with exactly `length` bytes. Asked only for bytes inside `size`. */
	rg_error *(*read_at)(void *context, uint64_t offset, void *buffer, size_t length);
	/* "These ranges will be read next": a hint, which may be NULL. Ranges are inside `size`, in
	 * any order, and may overlap. */
	rg_error *(*prefetch)(void *context, const rg_range *ranges, size_t count);
	void *context;
} rg_reader;

/* Reads exactly `length` bytes; RG_E_PARSE "NAME: ends too early …" where they pass the end. */
RG_CHECKED rg_error *rg_reader_read(const rg_reader *reader, uint64_t offset, void *buffer,
				    size_t length);
/* Takes bytes as they come, in order. */
typedef rg_error *rg_reader_sink(void *context, const void *bytes, size_t length);
/* Hands all of its bytes over, in blocks. RG_E_CANCELLED once a signal came. */
RG_CHECKED rg_error *rg_reader_pass(const rg_reader *reader, rg_reader_sink *sink, void *context);
RG_CHECKED rg_error *rg_reader_sha256(const rg_reader *reader, char out[static RG_SHA256_HEX]);
/* Passes the hint on. */
RG_CHECKED rg_error *rg_reader_prefetch(const rg_reader *reader, const rg_range *ranges,
					size_t count);

/* Over an open file; none where all is zero. Use out->reader; it points at *out, which must not
 * move. */
typedef struct {
	rg_reader reader;
	int fd;
} rg_reader_file;
/* Takes `fd` over; `name` is borrowed. */
void rg_reader_file_init(rg_reader_file *out, int fd, const char *name, uint64_t size);
/* `path` is borrowed and becomes the name. RG_E_IO, also where it is not a regular file. Released
 * whatever comes back. */
RG_CHECKED rg_error *rg_reader_file_open(rg_reader_file *out, const char *path);
void rg_reader_file_release(rg_reader_file *file);

/* Some bytes of another reader, seen as a reader of their own; `below` is borrowed. */
typedef struct {
	rg_reader reader;
	const rg_reader *below;
	uint64_t start;
} rg_reader_part;
/* `range` must be inside `below`. Use out->reader; it points at *out, which must not move. */
void rg_reader_part_init(rg_reader_part *out, const rg_reader *below, const char *name,
			 rg_range range);

/* The open file that a reader, be it a part of a part, reads, and where in it the reader begins; -1
 * where it reads no file. */
int rg_reader_descriptor(const rg_reader *reader, uint64_t *start);

/*
 * A cache for a reader whose reads are expensive (requests over HTTP).
 *
 *	rg_reader_cache_new(&cache, &http, NULL);
 *	rg_zip_open(&zip, rg_reader_cache_reader(cache), …);
 *
 * A read of what is not there asks the reader below for one stretch: the missing bytes, rounded out
 * to whole blocks. A prefetch joins its ranges (rg_ranges_join) and replaces the plan of an earlier
 * one; the first read inside a planned range fetches all of it that is missing. What was used least
 * recently goes when `memory_max` would be passed, and no request that is kept is for more than
 * `stretch_max`, so that memory stays bounded whatever the archive says. A read of more than that
 * at once (a large directory) is one request into the caller's memory, and is not kept.
 */
typedef struct rg_reader_cache rg_reader_cache;

typedef struct {
	size_t block;       /* unplanned reads are whole blocks of this size; default 64 KiB */
	size_t stretch_max; /* no request that is kept is longer; default 4 MiB */
	size_t memory_max;  /* bytes kept; at least 2 * stretch_max; default 8 MiB */
	uint64_t join_gap;  /* planned ranges this close are always one request; default 16 KiB */
} rg_reader_cache_options;

/* `options` may be NULL; a zero field takes its default. `below` is borrowed. */
rg_reader_cache *rg_reader_cache_new(const rg_reader *below,
				     const rg_reader_cache_options *options);
void rg_reader_cache_free(rg_reader_cache *cache);
RG_FREE_AT(rg_reader_cache)
/* Lives as long as the cache; its name and size are those of the reader below. */
const rg_reader *rg_reader_cache_reader(const rg_reader_cache *cache);
/* Puts bytes in that came another way: the tail that the first answer
 * brought. Where some of them are there already, or they are more than
 * memory_max, nothing happens. */
void rg_reader_cache_put(rg_reader_cache *cache, uint64_t offset, const void *bytes, size_t length);

/* Sorts ranges and joins, in place, those that touch, overlap or are at most `gap` bytes apart.
 * Returns how many are left, in ascending order. */
size_t rg_ranges_join(rg_range *ranges, size_t count, uint64_t gap);

#endif
