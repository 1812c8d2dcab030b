/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_CMD_MEANT_H
#define REGILD_CMD_MEANT_H

/*
 * Names that git, gh or cargo have for what regild calls otherwise, or that it had. A name with a
 * slip in it is base/nearest.h's.
 */

typedef struct {
	const char *typed; /* NULL ends a table */
	const char *call;  /* what to type: "regild compare" */
	const char *does;  /* "shows what changed" */
} meant_command;

typedef struct {
	const char *typed; /* without dashes; NULL ends a table */
	const char *name;  /* of the first that a command has: "only-failing", "color=never" */
} meant_option;

extern const meant_command meant_commands[];
extern const meant_option meant_options[];

#endif
