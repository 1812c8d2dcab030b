/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_FLOW_OPEN_HISTORY_H
#define REGILD_FLOW_OPEN_HISTORY_H

#include "flow/context.h"
#include "store/history.h"

/* Which history commands work on: REGILD_HISTORY, else regild.history in git's own configuration,
 * else the file in the user's home. */

/* RG_AUTO_PTR(rg_history_store) closes one. */
static inline void rg_history_store_free_at(rg_history_store **history)
{
	rg_history_close(*history);
}

/* Its address; NULL: that file. Owned by the configuration or the environment. */
const char *rg_flow_history_address(const rg_flow *flow);
/* How a server is asked: `out` borrows from the flow. */
RG_CHECKED rg_error *rg_flow_history_access(rg_history_access *out, const rg_flow *flow);
/* NULL: the file in the user's home. */
RG_CHECKED rg_error *rg_flow_open_history_at(rg_history_store **out, const rg_flow *flow,
					     const char *address);
RG_CHECKED rg_error *rg_flow_open_history(rg_history_store **out, const rg_flow *flow);
/* The same where it is not the file in the user's home; RG_E_USAGE where none other is set. */
RG_CHECKED rg_error *rg_flow_open_shared_history(rg_history_store **out, const rg_flow *flow);

#endif
