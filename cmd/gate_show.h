/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_CMD_GATE_SHOW_H
#define REGILD_CMD_GATE_SHOW_H

#include "command.h"
#include "flow/compare.h"
#include "report/columns.h"

/* Sets the exit code to 1 where a gate broke, and to 2 where a limit names nothing that is there,
 * unless something graver set it. */
void gate_decide(command_context *context, const rg_compare_result *result);
/* On stderr: a line for each metric that broke the gate, worst first, with -v each of its rows;
 * then limits that hold nothing; last of all the line that sums the gate up. Nothing without a
 * gate. */
void gate_show(const command_context *context, const rg_compare_result *result,
	       const rg_column_context *columns);

#endif
