/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_ARCHIVE_MEMBER_H
#define REGILD_ARCHIVE_MEMBER_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The limits of members in all archives, and the reasons for which a member is refused. */

/* How much is taken out of an archive: regild.maxMembers and so on, which messages name. */
typedef struct {
	uint64_t members;     /* in one archive; in all zips inside it together, too */
	uint64_t member_size; /* bytes of one member, unpacked */
	uint64_t total_size;  /* bytes of all that is unpacked, zips inside zips included */
	uint64_t ratio;       /* unpacked bytes to packed ones, once over ratio_floor; 0: any */
	uint64_t ratio_floor; /* bytes that may come out before the ratio counts */
	unsigned depth;       /* zips inside zips: 0 opens none */
} rg_zip_limits;

/* 100,000 members, 1 GiB a member, 32 GiB in all, depth 2, and from 1 MiB on the ratio 1100, which
 * no deflated member reaches, be it all zeros: it is for headers that lie, and for denser packers.
 */
rg_zip_limits rg_zip_limits_default(void);

typedef enum {
	RG_REFUSED_NOT = 0,
	RG_REFUSED_NAME,      /* absolute, "..", a backslash, a control character, … */
	RG_REFUSED_ENCODING,  /* a name that is not UTF-8 */
	RG_REFUSED_LINK,      /* a link, device, pipe or socket */
	RG_REFUSED_DUPLICATE, /* the name appears twice: none of them is taken */
	RG_REFUSED_OVERLAP,   /* its bytes are also another member's, or the directory's */
	RG_REFUSED_ENCRYPTED,
	RG_REFUSED_METHOD, /* neither stored nor deflated */
	RG_REFUSED_LIMIT,  /* its header alone claims more than a limit */
	RG_REFUSED_BROKEN, /* fields that contradict each other */
} rg_refused;

/* How taking such a member fails: RG_E_LIMIT, RG_E_PARSE or RG_E_UNSAFE. */
rg_error_code rg_refused_code(rg_refused refused);

/* Room for the sentence on a refusal ("its name has a '..' part"). */
#define RG_MEMBER_WHY 160

/* Is the name, without the '/' at a folder's end, unsafe or not UTF-8? */
rg_refused rg_member_check_name(const char *name, char why[static RG_MEMBER_WHY]);
/* Is it larger than one member may be? */
rg_refused rg_member_check_size(uint64_t size, const rg_zip_limits *limits,
				char why[static RG_MEMBER_WHY]);

/* RG_E_LIMIT where an archive has too many members; where `size` bytes are too many besides those
 * that were unpacked already; and where so many bytes came out of so few packed ones. */
RG_CHECKED rg_error *rg_member_check_count(uint64_t count, const rg_zip_limits *limits);
RG_CHECKED rg_error *rg_member_check_room(uint64_t size, uint64_t unpacked,
					  const rg_zip_limits *limits);
RG_CHECKED rg_error *rg_member_check_ratio(uint64_t size, uint64_t packed,
					   const rg_zip_limits *limits);

#endif
