/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_ARCHIVE_SELECT_ZIP_H
#define REGILD_ARCHIVE_SELECT_ZIP_H

#include "archive/select_run.h"

/* Selects from a zip that is the member `name` of another archive, with `depth` archives around
 * it. What is wrong with the zip is a refusal of that member. */
RG_CHECKED rg_error *rg_select_inner_zip(rg_selecting *run, const rg_reader *reader,
					 const char *via, const char *name,
					 const char *const *patterns, size_t count, unsigned depth);

#endif
