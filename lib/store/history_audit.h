/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_STORE_HISTORY_AUDIT_H
#define REGILD_STORE_HISTORY_AUDIT_H

#include "store/history.h"

/* Puts what audits of one history found, of these repositories alone (rg_history_run_is_of), into
 * another one: of a series what the later audit found stays. *count: of so many series; *odd: rows
 * that are not what regild writes, and are left out. */
RG_CHECKED rg_error *rg_history_merge_audits(size_t *count, size_t *odd, rg_history_store *into,
					     rg_history_store *from, const char *repository);

#endif
