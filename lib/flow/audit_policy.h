/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_FLOW_AUDIT_POLICY_H
#define REGILD_FLOW_AUDIT_POLICY_H

#include "flow/policy_text.h"
#include "flow/context.h"

/* Puts an audit's tolerances into the worktree's .regild. */

/* Can they be put there? For a mistake to be found before the runs are fetched and measured.
 * RG_E_USAGE where there is no worktree. */
RG_CHECKED rg_error *rg_audit_policy_check(const rg_flow *flow);
/* RG_E_USAGE where the audit has several groups. */
RG_CHECKED rg_error *rg_audit_policy_write(rg_policy_written *out, const rg_flow *flow,
					   const rg_audit *audit);

#endif
