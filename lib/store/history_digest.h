/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_STORE_HISTORY_DIGEST_H
#define REGILD_STORE_HISTORY_DIGEST_H

#include "store/history.h"

/* The SHA-256 of all that a history has of a run, which is the same in every store and on every
 * machine. The errors of rg_history_goldens, and those of a golden that cannot be read. */
RG_CHECKED rg_error *rg_history_digest(rg_history_store *history, const rg_history_run *run,
				       uint64_t bytes_max, char out[static RG_SHA256_HEX]);

#endif
