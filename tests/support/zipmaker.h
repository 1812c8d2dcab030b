/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_TESTS_ZIPMAKER_H
#define REGILD_TESTS_ZIPMAKER_H

#include "base/buf.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Writes zips byte by byte, honest ones and any kind of lie. A member starts honest; a test then
 * changes its fields. Out of memory, it ends the program: it is for tests alone.
 */

#define ZIPMAKER_HONEST UINT64_MAX

/* What a header says instead of the truth; ZIPMAKER_HONEST is the truth. */
typedef struct {
	uint64_t crc, packed, size;
	uint64_t method, flags;
} zipmaker_claim;

typedef struct {
	const char *name;
	size_t name_length;     /* so that a name may hold a NUL */
	const char *local_name; /* NULL: the same */
	const void *bytes;
	size_t size;
	const void *packed; /* NULL: made from bytes; else these */
	size_t packed_size;
	unsigned method; /* 0 or 8 */
	unsigned flags;
	unsigned made_by;     /* default: unix, 2.0 */
	uint32_t attributes;  /* default: mode 0100644 */
	size_t local_extra;   /* bytes of padding in the local extra field */
	size_t gap;           /* bytes of nothing before the local header */
	bool descriptor;      /* sizes follow the packed bytes */
	bool zip64;           /* sizes and offset in zip64 extra fields */
	bool no_local;        /* only an entry in the directory */
	bool no_entry;        /* only a local header */
	uint64_t offset;      /* what the directory says; ZIPMAKER_HONEST */
	zipmaker_claim local; /* the local header's lies */
	zipmaker_claim entry; /* the directory's lies */
	uint64_t written_at;  /* after zipmaker_write: where the local header is */
	uint64_t data_at;     /* … and the packed bytes */
} zipmaker_member;

enum { ZIPMAKER_MEMBERS = 4096 };

typedef struct {
	zipmaker_member *members;
	size_t count;
	const void *prefix; /* before everything, counted in the offsets */
	size_t prefix_size;
	uint64_t base; /* added to all offsets: as if so many bytes stood before what is written */
	const void *comment;
	size_t comment_size;
	bool zip64; /* with a zip64 end record and locator */
	/* The end record's lies. */
	uint64_t entries, directory_size, directory_offset;
	uint64_t written_directory; /* after zipmaker_write */
} zipmaker;

void zipmaker_init(zipmaker *maker);
void zipmaker_release(zipmaker *maker);
/* A stored member; the result may be changed until the next add. Names and bytes are borrowed. */
zipmaker_member *zipmaker_add(zipmaker *maker, const char *name, const void *bytes, size_t size);
/* Appends the zip to `out`. May be called again after changes. */
void zipmaker_write(zipmaker *maker, rg_buf *out);

/* Deflates bytes as one raw stream; appended to `out`. */
void zipmaker_deflate(rg_buf *out, const void *bytes, size_t size);

#endif
