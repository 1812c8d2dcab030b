/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_STORE_HISTORY_KEPT_H
#define REGILD_STORE_HISTORY_KEPT_H

#include "store/history.h"

/* The parts of a golden that a history keeps, whichever store has it; for the stores. */

/* Gets a series, or a text of `count` bytes without a NUL. */
typedef rg_error *rg_history_keep_fn(void *context, const rg_metric *metric);
/* Each metric that is kept, by name: series, short texts, and the SHA-256 of what no reader takes.
 */
RG_CHECKED rg_error *rg_history_keep(const rg_golden *golden, rg_history_keep_fn *keep,
				     void *context);

/* The kind of a text of that name when it is read back. */
rg_metric_kind rg_history_text_kind(const char *name);
/* Are the steps of a series places of its records? Whoever looks names up by them does not check
 * again. */
bool rg_history_are_places(const rg_metric *series);
/* False where the bytes are no SHA-256 in hexadecimal digits. */
bool rg_history_digest_take(char out[static RG_SHA256_HEX], const void *bytes, size_t size);
/* RG_E_MISMATCH */
RG_CHECKED rg_error *rg_history_damaged(const char *what);

#endif
