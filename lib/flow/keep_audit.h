/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_FLOW_KEEP_AUDIT_H
#define REGILD_FLOW_KEEP_AUDIT_H

#include "flow/audit_runs.h"

/* Puts what was found of the history's runs into the history, for `regild history ask last-audit`.
 * Runs of elsewhere have none. The audit is what it is without: the log hears where that fails. */
void rg_flow_keep_audit(const rg_flow *flow, const rg_audit_runs *runs, const rg_audit *audit);

#endif
