/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_CMD_CHILD_H
#define REGILD_CMD_CHILD_H

#include <sys/types.h>

/*
 * Starts a program, found on PATH, beside this one. `input` and `output` become its stdin and
 * stdout; STDIN_FILENO and STDOUT_FILENO leave them as they are. Returns 0 or an errno: that the
 * program is not there is known at once.
 */
int child_start(pid_t *child, char *const argv[], int input, int output);

/* Waits until it ends; returns what waitpid says of it. */
int child_wait(pid_t child);

#endif
