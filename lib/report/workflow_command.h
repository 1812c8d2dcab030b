/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_REPORT_WORKFLOW_COMMAND_H
#define REGILD_REPORT_WORKFLOW_COMMAND_H

#include "base/buf.h"

#include <stdbool.h>

/*
 * The commands that a GitHub job reads on its output: "::warning file=a,title=b::text".
 * https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands
 */

/* GitHub shows so many annotations of a kind for a step. */
#define RG_ANNOTATIONS_MAX 10

/* Appends a text from outside, safe as terminal text is; a property ends at ':' and ','. */
void rg_workflow_add_escaped(rg_buf *out, const char *text, bool is_property);

/*
 * The runner obeys a line that begins, after any white space, with "::", and one that has "##["
 * anywhere: a name from outside may be either. A guard, zero at first, takes a text in pieces of
 * any size, and appends it with "::" as ":\x3a" and "##[" as "##\x5b". With `commands`, lines that
 * begin with "::" are meant. What it appends is longer than what it was given where it broke
 * something.
 */
typedef struct {
	bool commands;
	bool inside;             /* more than white space has come since the line's start */
	unsigned colons, hashes; /* that have just come */
	char part[4];            /* of a character that has not come whole */
	size_t part_length;
} rg_workflow_guard;
void rg_workflow_guard_add(rg_workflow_guard *guard, rg_buf *out, const char *bytes, size_t length);

/* Appends the same document with '#' and ':' in its texts as \u0023 and \u003a, so that it holds
 * neither. */
void rg_workflow_add_json(rg_buf *out, const char *text, size_t length);

#endif
