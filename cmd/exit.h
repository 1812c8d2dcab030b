/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_CMD_EXIT_H
#define REGILD_CMD_EXIT_H

/* The exit codes of every command. Death by a signal shows as 128 + its number. */
enum {
	EXIT_DONE = 0,
	EXIT_GATE = 1,    /* a gate or check failed; the program worked */
	EXIT_USAGE = 2,   /* the call was wrong */
	EXIT_FAILED = 3,  /* it could not be done, and nothing was changed */
	EXIT_PARTIAL = 4, /* done in part; the report says what is missing */
};

#endif
