/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_STORE_SCRATCH_H
#define REGILD_STORE_SCRATCH_H

#include "base/error.h"

/*
 * Makes an empty temporary folder FOLDER/XXXXXX, for its owner alone, and those above it. *out is
 * the caller's to free once it has removed it (rg_remove_tree). What killed processes left in
 * `folder` and nobody has touched for a day is removed first.
 */
RG_CHECKED rg_error *rg_scratch_make(char **out, const char *folder);
/* The same beside the cache (rg_cache_default_folder). */
RG_CHECKED rg_error *rg_scratch_make_default(char **out);

#endif
