#ifndef REGILD_ARCHIVE_ZIP_H
#define REGILD_ARCHIVE_ZIP_H

#include "archive/reader.h"
#include "base/buf.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A zip (APPNOTE.TXT 6.3.10) over a reader. Everything in it is hostile.
 *
 * The end record and the central directory are read and checked here, because minizip trusts them:
 * one end record that ends with the file, a directory that lies right before it and holds exactly
 * the members it counts, each inside the file. minizip then sees the file through
 * zlib_filefunc64_def with an end record of ours, so that both agree on what the directory is, and
 * hands out each member's raw bytes; zlib inflates them, counted as they come.
 *
 * A member that must not be taken is still listed, with the reason in `refused`. Nothing is ever
 * repaired: no name is cleaned, no size is guessed, no scan for lost members.
 */

typedef struct {
	uint64_t members;     /* in one zip; in all zips inside it together, too */
	uint64_t member_size; /* bytes of one member, unpacked */
	uint64_t total_size;  /* bytes of all that is unpacked, zips inside zips included */
	uint64_t ratio;       /* unpacked bytes to packed ones, once over ratio_floor; 0: any */
	uint64_t ratio_floor; /* bytes that may come out before the ratio counts */
	unsigned depth;       /* zips inside zips: 0 opens none */
	bool settings;        /* they are regild.max…'s: messages name the one to raise */
} rg_zip_limits;

/* 100,000 members, 256 MiB a member, 2 GiB in all, ratio 250 from 1 MiB on, depth 2. */
rg_zip_limits rg_zip_limits_default(void);
/* What a message on a limit ends with: `name` (" (regild.maxFile)"), or "" where no setting is
 * behind it. */
const char *rg_zip_limit_name(const rg_zip_limits *limits, const char *name);

typedef enum {
	RG_REFUSED_NOT = 0,
	RG_REFUSED_NAME,      /* absolute, "..", a backslash, a control character, … */
	RG_REFUSED_ENCODING,  /* a name that is not UTF-8 */
	RG_REFUSED_LINK,      /* a link, device, pipe or socket by its unix mode */
	RG_REFUSED_DUPLICATE, /* the name stands twice: none of them is taken */
	RG_REFUSED_OVERLAP,   /* its bytes are also another member's, or the directory's */
	RG_REFUSED_ENCRYPTED,
	RG_REFUSED_METHOD, /* neither stored nor deflated */
	RG_REFUSED_LIMIT,  /* its header alone claims more than a limit */
	RG_REFUSED_BROKEN, /* fields that contradict each other */
} rg_refused;

/* How extracting such a member fails: RG_E_LIMIT, RG_E_PARSE or RG_E_UNSAFE. */
rg_error_code rg_refused_code(rg_refused refused);

typedef struct {
	const char *name; /* as it stands in the directory, NUL-terminated; escape when shown */
	uint64_t packed, size; /* bytes, as the directory claims */
	uint64_t offset;       /* of the local header */
	uint64_t end;          /* where the next member or the directory begins */
	uint64_t record;       /* of its entry in the central directory */
	uint32_t crc;
	uint16_t method, flags;
	bool folder; /* ends in '/': nothing to extract */
	rg_refused refused;
	const char *why; /* a sentence on `refused` ("it is encrypted"), or NULL */
} rg_zip_member;

typedef struct rg_zip rg_zip;

/*
 * Opens and checks the directory. `reader` is borrowed. `limits` NULL: the defaults. `unpacked`,
 * which may be NULL, is what was unpacked already on the same account (an outer zip's); it is added
 * to and held against total_size. RG_E_PARSE where it is no zip or a broken one ("no readable zip:
 * …", for the caller to put the name in front), RG_E_LIMIT past `members`.
 */
RG_CHECKED rg_error *rg_zip_open(rg_zip **out, const rg_reader *reader, const rg_zip_limits *limits,
				 uint64_t *unpacked);
void rg_zip_free(rg_zip *zip);

/* How much of a file's end is read, in one go, to find the directory. One of some 600 members lies
 * within; more is read only where it does not, or behind a comment of nearly 64 KiB. */
#define RG_ZIP_TAIL ((size_t)64 << 10)

/* Do the bytes begin like a zip's (a local header, or an end record where it is empty)? */
bool rg_zip_recognised(const void *bytes, size_t length);

/* What it was opened over. */
const rg_reader *rg_zip_reader(const rg_zip *zip);

/* In the order of the directory. */
size_t rg_zip_count(const rg_zip *zip);
const rg_zip_member *rg_zip_at(const rg_zip *zip, size_t index);

/* Tells the reader which members will be extracted (a refused one, or one whose packed bytes are
 * beyond the limits, is left out), each with its local header. */
RG_CHECKED rg_error *rg_zip_prefetch(rg_zip *zip, const size_t *indices, size_t count);

/*
 * Appends a member's bytes to `out` and checks everything: the local header agrees with the
 * directory, the packed bytes end where they should, the size and CRC-32 are those claimed. What a
 * header claims is held against the limits first, and what comes out against the claim: the first
 * byte past it ends the member. After an error `out` is as it was (empty where memory ran out).
 * Errors name neither zip nor member: RG_E_LIMIT, RG_E_UNSAFE for a refused member, RG_E_MISMATCH
 * with both CRCs and the byte count, RG_E_PARSE, and whatever the reader says.
 */
RG_CHECKED rg_error *rg_zip_extract(rg_zip *zip, size_t index, rg_buf *out);

/*
 * Where a stored member's bytes lie in the zip's reader, after the same checks but for the CRC-32:
 * for opening a zip inside a zip without reading all of it. RG_E_USAGE where it is not stored.
 */
RG_CHECKED rg_error *rg_zip_stored_range(rg_zip *zip, size_t index, rg_range *out);

#endif
