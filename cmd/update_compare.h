/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_CMD_UPDATE_COMPARE_H
#define REGILD_CMD_UPDATE_COMPARE_H

#include "compare.h"
#include "update.h"

/* The comparison with HEAD that follows an update: for all reports of a refresh, and for the commit
 * message of either. First update_compare_prepare, then update_run, then update_compare. */

/* Says what is wrong with the call, and has the update hand on what it compares. `c` borrows
 * `compare`, which gets the update's --message as one of the reports. */
RG_CHECKED rg_error *update_compare_prepare(comparison_run *c, command_context *context,
					    update_arguments *update, compare_arguments *compare);

/* Compares the whole of what now differs from HEAD (what an earlier refresh left uncommitted will
 * be in the same review) and has it shown. */
RG_CHECKED rg_error *update_compare(comparison_run *c, command_context *context,
				    compare_arguments *compare, rg_update *update,
				    rg_error *(*show)(comparison_run *, command_context *));

#endif
