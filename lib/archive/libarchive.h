/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_ARCHIVE_LIBARCHIVE_H
#define REGILD_ARCHIVE_LIBARCHIVE_H

#include "base/error.h"

#include <archive.h>
#include <errno.h>

/* libarchive's errors as ours. */

static inline const char *rg_libarchive_text(struct archive *archive)
{
	const char *text = archive_error_string(archive);

	return text ? text : "libarchive";
}

/* RG_E_NOMEM, or RG_E_PARSE "WHAT (libarchive's words)". */
RG_CHECKED RG_NEVER_NULL static inline rg_error *rg_libarchive_error(struct archive *archive,
								     const char *what)
{
	if (archive_errno(archive) == ENOMEM)
		return rg_error_nomem();
	return rg_error_new(RG_E_PARSE, "%s (%s)", what, rg_libarchive_text(archive));
}

#endif
