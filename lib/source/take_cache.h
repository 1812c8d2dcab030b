/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_SOURCE_TAKE_CACHE_H
#define REGILD_SOURCE_TAKE_CACHE_H

#include "source/fetch_options.h"
#include "source/taken.h"

/*
 * What the cache has of an artifact under today's settings. *found false where that is not all, and
 * where there is no cache; only else is `out` filled, and to be released.
 */
RG_CHECKED rg_error *rg_take_from_cache(rg_cache_entry *out, const rg_fetch_options *options,
					const rg_run *run, const rg_artifact *artifact,
					uint64_t rules, bool *found);
/* Puts what was taken into the cache. That it cannot be written is logged, and no error. */
RG_CHECKED rg_error *rg_take_into_cache(const rg_taken *taken, const rg_fetch_options *options,
					const rg_run *run, const rg_artifact *artifact,
					uint64_t rules);

#endif
