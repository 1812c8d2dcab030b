/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_BASE_SHELL_H
#define REGILD_BASE_SHELL_H

#include "base/buf.h"

/* Adds one argument of a command line, in single quotes where a shell would read more into it than
 * its letters. */
void rg_shell_quote(rg_buf *line, const char *argument);

#endif
