/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_ARCHIVE_ZIP_H
#define REGILD_ARCHIVE_ZIP_H

#include "archive/member.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/reader.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
	const char *name;      /* as the directory has it, NUL-terminated; escape when shown */
	uint64_t packed, size; /* bytes, as the directory claims */
	uint64_t offset;       /* of the local header */
	uint64_t end;          /* where the next member or the directory begins */
	uint64_t record;       /* of its entry in the central directory */
	uint32_t crc;
	uint16_t method, flags;
	bool folder; /* ends in '/': nothing to extract */
	rg_refused refused;
	bool again;      /* a duplicate, and another one of its name is not `again` */
	const char *why; /* a sentence on `refused` ("it is encrypted"), or NULL */
} rg_zip_member;

/*
 * A zip (APPNOTE.TXT 6.3.10) over a reader. Everything in it is hostile.
 *
 * There must be one end record that ends with the file, and a directory that is right before it
 * and holds exactly the members that it counts, each inside the file. zlib inflates a member's
 * packed bytes, which are counted as they come.
 *
 * A member that must not be taken is still listed, with the reason in `refused`. Nothing is ever
 * repaired: no name is cleaned, no size is guessed, no scan for lost members.
 */

typedef struct rg_zip rg_zip;

/*
 * Opens and checks the directory. `reader` is borrowed. `limits` NULL: the defaults. `unpacked`,
 * which may be NULL, is what was unpacked already on the same account (an outer zip's); it is added
 * to and checked against total_size. RG_E_PARSE where it is not a zip or a broken one ("not a
 * readable zip: …", for the caller to put the name in front), RG_E_LIMIT past `members`.
 */
RG_CHECKED rg_error *rg_zip_open(rg_zip **out, const rg_reader *reader, const rg_zip_limits *limits,
				 uint64_t *unpacked);
void rg_zip_free(rg_zip *zip);
RG_FREE_AT(rg_zip)

/* Do the bytes begin like a zip's (a local header, or an end record where it is empty)? */
bool rg_zip_recognised(const void *bytes, size_t length);

/* The reader that it was opened over. */
const rg_reader *rg_zip_reader(const rg_zip *zip);

/* In the order of the directory. */
size_t rg_zip_count(const rg_zip *zip);
const rg_zip_member *rg_zip_at(const rg_zip *zip, size_t index);

/* Tells the reader which members will be extracted (a refused one, or one whose packed bytes are
 * beyond the limits, is left out), each with its local header. */
RG_CHECKED rg_error *rg_zip_prefetch(rg_zip *zip, const size_t *indices, size_t count);

/* An error of it ends the extraction and is what that returns. */
typedef rg_reader_sink rg_zip_sink;
/* One that appends to an rg_buf, and one for when only the checks matter. */
rg_zip_sink rg_zip_append, rg_zip_pass_over;

/*
 * Hands a member's bytes to `sink` and checks everything: the local header agrees with the
 * directory, the packed bytes end where they should, the size and CRC-32 are those claimed. What a
 * header claims is checked against the limits first, and what comes out against the claim: the
 * first byte past it ends the member. Only success says that what the sink has is right. Memory
 * does not grow with the member. Errors name neither zip nor member: RG_E_LIMIT, RG_E_UNSAFE for a
 * refused member, RG_E_MISMATCH with both CRCs and the byte count, RG_E_PARSE, and whatever the
 * reader and the sink say.
 */
RG_CHECKED rg_error *rg_zip_extract(rg_zip *zip, size_t index, rg_zip_sink *sink, void *context);
/* A member's packed bytes, and what they should unpack to: with its zip's reader, which has to stay
 * where it is, enough to unpack it when the zip is closed. */
typedef struct {
	const rg_reader *reader;
	rg_range range; /* in the reader */
	uint64_t size;
	uint32_t crc;
	uint16_t method; /* 0: stored */
} rg_zip_packed;

/* Both halves of rg_zip_extract, but for the limit on all that is unpacked: finds and checks a
 * member's packed bytes, and unpacks them. *unpacked is added to. Several threads may unpack at
 * once what is in a file. */
RG_CHECKED rg_error *rg_zip_locate(rg_zip *zip, size_t index, rg_zip_packed *out);
RG_CHECKED rg_error *rg_zip_unpack(const rg_zip_packed *packed, uint64_t *unpacked,
				   rg_zip_sink *sink, void *context);

/* Is an error of extracting, or of opening a zip inside, about that member alone, so that its
 * neighbours can still be had? */
bool rg_zip_is_of_member(const rg_error *err);

/*
 * Finds a stored member's bytes in the zip's reader, after the same checks but for the CRC-32: for
 * opening a zip inside a zip without reading all of it. RG_E_USAGE if it is not stored.
 */
RG_CHECKED rg_error *rg_zip_stored_range(rg_zip *zip, size_t index, rg_range *out);

/* How much of a file's end is read, in one go, to find the directory. One of some 600 members is
 * inside it; more is read only where it does not, or before a comment of nearly 64 KiB. */
#define RG_ZIP_TAIL ((size_t)64 << 10)

#endif
