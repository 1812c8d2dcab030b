/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_REPORT_WORKFLOW_COMMAND_H
#define REGILD_REPORT_WORKFLOW_COMMAND_H

#include "base/buf.h"

#include <stdbool.h>

/*
 * What a GitHub job reads on its output: "::warning file=a,title=b::text".
 * https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands
 */

/* GitHub shows so many annotations of a kind for a step. */
#define RG_ANNOTATIONS_MAX 10

/* Appends a text from outside, safe as terminal text is; a property ends at ':' and ','. */
void rg_workflow_add_escaped(rg_buf *out, const char *text, bool is_property);
/* Appends lines, none of which is a command: a name from outside may be where one begins. */
void rg_workflow_add_lines(rg_buf *out, const char *text);

#endif
