/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_FLOW_AUDIT_ROOM_H
#define REGILD_FLOW_AUDIT_ROOM_H

#include "flow/audit_runs.h"

/*
 * Keeps an audit of the history's runs within regild.auditMemory, 256 MiB by default, however many
 * they are: fewer threads read goldens that many runs have, and where that is not enough, the
 * oldest runs are left out, which the log hears of and `missing` says. RG_E_USAGE where the
 * setting is not a size.
 */
RG_CHECKED rg_error *rg_audit_runs_fit(rg_audit_runs *runs, rg_audit_options *options,
				       const rg_flow *flow);

#endif
