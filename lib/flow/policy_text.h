/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_FLOW_POLICY_TEXT_H
#define REGILD_FLOW_POLICY_TEXT_H

#include "audit/audit.h"
#include "flow/context.h"

/* The recommended tolerances, as sections of `.regild`; for policy_text.c. */

/* Metrics with an entry, files with one of their own, and entries with a comment instead. */
typedef struct {
	size_t metrics, files, left_out;
} rg_policy_written;

/*
 * Recommended tolerances as sections of `.regild`: [metric "NAME"] where the files of a metric
 * agree, [golden "FILE:NAME"] for those that do not.
 */

/*
 * Puts the tolerances of a group's metrics into the text of a `.regild`: a block between two
 * comment lines, after everything else or where an earlier block is; the text's line ends
 * stay. Where a series broke, the newest regime counts. `when`: the date for the evidence. A metric
 * that fewer than two runs measure, or whose name no section can have (a line end, too long for
 * RG_CONFIG_NAME_MAX), gets a comment instead. Levels that the audit's policy has under the very
 * same pattern are set again, in shares of the tolerance. RG_E_USAGE where no metric gets an entry,
 * or where a level would be tighter than the spread that was measured, or where the line before the
 * block continues in the next; RG_E_LIMIT where there would be more settings than are read
 * (RG_CONFIG_SETTINGS_MAX); RG_E_PARSE where an earlier block has no end.
 */
RG_CHECKED rg_error *rg_policy_write(rg_buf *out, rg_policy_written *written, const char *config,
				     size_t length, const rg_audit *audit, size_t group,
				     const char *when);
/* Whether it will find a place for the block: the errors that are the text's. */
RG_CHECKED rg_error *rg_policy_check(const char *config, size_t length);

/* Puts an audit's tolerances into the worktree's .regild. */

/* Can they be put there? For a mistake to be found before the runs are fetched and measured.
 * RG_E_USAGE where there is no worktree. */
RG_CHECKED rg_error *rg_audit_policy_check(const rg_flow *flow);
/* RG_E_USAGE where the audit has several groups. */
RG_CHECKED rg_error *rg_audit_policy_write(rg_policy_written *out, const rg_flow *flow,
					   const rg_audit *audit);

#endif
