/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_STORE_HISTORY_GOLDENS_H
#define REGILD_STORE_HISTORY_GOLDENS_H

#include "store/history.h"
#include "store/sqlite.h"

/* The goldens of the history; for history_sqlite.c. See history.h. */

/* In the place of what the run has at that path. */
RG_CHECKED rg_error *rg_history_put_golden(rg_sqlite *db, int64_t run, const char *path,
					   const char sha256[static RG_SHA256_HEX], uint64_t bytes,
					   const rg_golden *golden);

#endif
