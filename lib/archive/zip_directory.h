/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_ARCHIVE_ZIP_DIRECTORY_H
#define REGILD_ARCHIVE_ZIP_DIRECTORY_H

#include "base/memory.h"
#include "base/reader.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How much is taken out of a zip: regild.maxMembers and so on, which messages name. */
typedef struct {
	uint64_t members;     /* in one zip; in all zips inside it together, too */
	uint64_t member_size; /* bytes of one member, unpacked */
	uint64_t total_size;  /* bytes of all that is unpacked, zips inside zips included */
	uint64_t ratio;       /* unpacked bytes to packed ones, once over ratio_floor; 0: any */
	uint64_t ratio_floor; /* bytes that may come out before the ratio counts */
	unsigned depth;       /* zips inside zips: 0 opens none */
} rg_zip_limits;

/* 100,000 members, 256 MiB a member, 2 GiB in all, ratio 250 from 1 MiB on, depth 2. */
rg_zip_limits rg_zip_limits_default(void);

typedef enum {
	RG_REFUSED_NOT = 0,
	RG_REFUSED_NAME,      /* absolute, "..", a backslash, a control character, … */
	RG_REFUSED_ENCODING,  /* a name that is not UTF-8 */
	RG_REFUSED_LINK,      /* a link, device, pipe or socket by its unix mode */
	RG_REFUSED_DUPLICATE, /* the name appears twice: none of them is taken */
	RG_REFUSED_OVERLAP,   /* its bytes are also another member's, or the directory's */
	RG_REFUSED_ENCRYPTED,
	RG_REFUSED_METHOD, /* neither stored nor deflated */
	RG_REFUSED_LIMIT,  /* its header alone claims more than a limit */
	RG_REFUSED_BROKEN, /* fields that contradict each other */
} rg_refused;

/* How extracting such a member fails: RG_E_LIMIT, RG_E_PARSE or RG_E_UNSAFE. */
rg_error_code rg_refused_code(rg_refused refused);

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
	const char *why; /* a sentence on `refused` ("it is encrypted"), or NULL */
} rg_zip_member;

/* A zip's central directory, found, read and checked. Layouts are APPNOTE.TXT's 4.3.12 (entry) and
 * 4.5.3 (zip64 extra field). */
typedef struct {
	rg_zip_member *members; /* in the directory's order */
	size_t count;
	uint64_t offset, size; /* where it is in the file */
	rg_arena arena;        /* owns members and their texts */
} rg_zip_directory;

/* As rg_zip_open. `out` needs no release after an error. */
RG_CHECKED rg_error *rg_zip_directory_read(rg_zip_directory *out, const rg_reader *reader,
					   const rg_zip_limits *limits);
void rg_zip_directory_release(rg_zip_directory *directory);

#endif
