/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_CMD_ERROR_JSON_H
#define REGILD_CMD_ERROR_JSON_H

#include "base/error.h"

/* If the words of a call ask for JSON on stdout, and none is there yet: the error as a document.
 * `name`: of the command whose options to look up; NULL: none. */
void error_tell_json(const rg_error *err, const char *command_line, const char *name, int exit_code,
		     int argc, char *const *argv);

#endif
