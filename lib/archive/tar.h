/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_ARCHIVE_TAR_H
#define REGILD_ARCHIVE_TAR_H

#include "archive/select.h"

/*
 * A tar, packed or not, from front to back:
 *
 *	rg_tar_open(&tar, …);
 *	rg_tar_next(tar, &member, &end), and where a member is wanted rg_tar_read(tar, …), until end
 *	rg_tar_free(tar);
 */
typedef struct rg_tar rg_tar;

/* `reader` and `limits` are borrowed. *out is NULL after an error. */
RG_CHECKED rg_error *rg_tar_open(rg_tar **out, const rg_reader *reader,
				 const rg_zip_limits *limits);
void rg_tar_free(rg_tar *tar);

/*
 * The next member; its texts are good until the next call. Links and devices are refused; names are
 * not checked, but a leading "./" is left out, as is the folder ".". *end once all of the file was
 * seen to be whole. RG_E_PARSE where it is no tar, damaged or cut off, and the errors of
 * rg_tar_bytes_next.
 */
RG_CHECKED rg_error *rg_tar_next(rg_tar *tar, rg_listed *member, bool *end);
/* Hands the bytes of the last member to `sink`. */
RG_CHECKED rg_error *rg_tar_read(rg_tar *tar, rg_zip_sink *sink, void *context);

#endif
