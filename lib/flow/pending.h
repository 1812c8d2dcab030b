/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_FLOW_PENDING_H
#define REGILD_FLOW_PENDING_H

#include "flow/context.h"
#include "update/journal.h"

/* The journal of the flow's working tree, and updates in it that were interrupted. */

/* *out is the caller's to close. With `lock` the journal is locked, and RG_E_CONFLICT comes back
 * where an interrupted update is pending; without it that is a warning. */
RG_CHECKED rg_error *rg_flow_open_journal(rg_journal **out, const rg_flow *flow, bool lock);

/* RG_E_CONFLICT where an interrupted update is pending, for flows that have much to do first. */
RG_CHECKED rg_error *rg_flow_refuse_pending(const rg_flow *flow);
/* A warning where an interrupted update is pending. */
RG_CHECKED rg_error *rg_flow_warn_pending(const rg_flow *flow);

/* Finishes what was interrupted, or takes it back. `done` (initialised) gets the record; *missed,
 * the caller's to free, says why the index did not follow; NULL where it did. */
RG_CHECKED rg_error *rg_flow_settle_pending(const rg_flow *flow, bool finish, rg_record *done,
					    rg_error **missed);

#endif
