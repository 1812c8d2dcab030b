/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_CMD_GATE_SHOW_H
#define REGILD_CMD_GATE_SHOW_H

#include "command.h"
#include "flow/comparison.h"

/* Raises context->exit_code: to EXIT_GATE where a gate broke, to EXIT_USAGE where a limit names a
 * metric that there is not; a graver code that is set already is kept. */
void gate_decide(command_context *context, const rg_compare_result *result);

/* On stderr: a line for each metric that broke the gate, worst first, with -v each of its rows;
 * then limits that hold nothing; last of all the line that sums the gate up. Where there is no
 * gate, nothing. */
RG_CHECKED rg_error *gate_show(const command_context *context, const rg_compare_result *result,
			       const rg_column_context *columns);

#endif
