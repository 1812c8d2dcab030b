/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_CMD_RUNNER_H
#define REGILD_CMD_RUNNER_H

#include "base/buf.h"
#include "base/error.h"

#include <stdbool.h>

/*
 * GitHub's runner, which reads all that a job prints and obeys lines in it
 * (report/workflow_command.h). Where GITHUB_ACTIONS is set, main begins with runner_guard_streams:
 * from then on whatever is written to stdout and stderr, by whichever way, passes a guard. Only
 * what goes through runner_print_commands may be obeyed.
 */

/* Is there one that reads what is written to an output, "-" or, say, /dev/stdout? */
bool runner_reads(const char *path);
/* False where there is no memory for it. */
bool runner_guard_streams(void);
/* Why a write to a guarded stdout failed first; 0 if none did. */
int runner_stdout_errno(void);
/* Prints lines on stdout that a runner is to obey. */
void runner_print_commands(const rg_buf *lines);

/* For what programs read, which must stay as it is: RG_E_UNSAFE where the guard would not leave it
 * so. `guard`, an rg_workflow_guard, is zero at first; called with each piece. */
RG_CHECKED rg_error *runner_check(void *guard, const void *bytes, size_t length);

#endif
