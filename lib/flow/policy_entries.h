/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_FLOW_POLICY_ENTRIES_H
#define REGILD_FLOW_POLICY_ENTRIES_H

#include "audit/audit.h"

/* What is recommended, as sections of `.regild`; for policy_text.c. */

/* Metrics with an entry, files with one of their own, and entries with a comment instead. */
typedef struct {
	size_t metrics, files, left_out;
} rg_policy_written;

/*
 * The tolerances of a group's metrics but those that the audit derived, which are not compare's:
 * [metric "NAME"] for the files that agree, [golden "FILE:NAME"] for each that does not.
 * RG_E_USAGE where no metric gets an entry, or where a level would be tighter than the spread that
 * was measured; RG_E_LIMIT where there would be more settings than are read
 * (RG_CONFIG_SETTINGS_MAX).
 */
RG_CHECKED rg_error *rg_policy_add_entries(rg_buf *out, rg_policy_written *written,
					   const rg_audit *audit, size_t group, const char *when);

#endif
