/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_CMD_PAGER_H
#define REGILD_CMD_PAGER_H

#include "command.h"

/*
 * A pager, as git has one. A command calls pager_open once it knows what it prints and before it
 * prints it: progress and questions need the terminal for themselves. From there stdout goes to the
 * pager and, where it is a terminal, stderr too, so that messages do not fall across the listing.
 *
 * The pager is regild.pager (of git's own configuration: a .regild names no program to run), else
 * GIT_PAGER, PAGER or less. There is none where stdout is not a terminal, with --no-pager, and
 * where the name is "" or "cat". One that cannot be started is a warning.
 */
void pager_open(command_context *context);

/* Once stdout is closed: gives stderr back and waits until the reader is done. */
void pager_close(void);

#endif
