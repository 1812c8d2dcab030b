/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_FLOW_HISTORY_SERVER_H
#define REGILD_FLOW_HISTORY_SERVER_H

#include "flow/context.h"
#include "store/history_tables.h"

/* The tables of a shared history, on the server that regild.history names. A server alone does at
 * once what is asked of it. For a cluster `out` gets the statements instead, which an operator has
 * each of its servers run. */

/* Appends the statements that make the tables. */
RG_CHECKED rg_error *rg_flow_history_ddl(rg_buf *out, const rg_flow *flow,
					 const rg_history_layout *layout);
/* Makes the tables; RG_E_USAGE if no server is named. */
RG_CHECKED rg_error *rg_flow_history_init(rg_buf *out, const rg_flow *flow,
					  const rg_history_layout *layout);
/* Upgrades a history of the previous version. Of a file, *file is true, and *done is false if the
 * file was up to date. */
RG_CHECKED rg_error *rg_flow_history_migrate(rg_buf *out, const rg_flow *flow,
					     const rg_history_layout *layout, bool *file,
					     bool *done);
/* Frees the disks of the servers from the runs that were removed; a file is freed already. */
RG_CHECKED rg_error *rg_flow_history_free_disks(rg_buf *out, const rg_flow *flow);

#endif
