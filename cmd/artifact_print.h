/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_CMD_ARTIFACT_PRINT_H
#define REGILD_CMD_ARTIFACT_PRINT_H

#include "flow/artifact.h"

#include <stdio.h>

/* Members that could not be had, and the check's problems, on stderr. */
void artifact_say_trouble(const rg_artifact_result *result);

/* "2 flows, 3 models, 4 inputs, 3 outputs". */
void artifact_print_counts(const rg_artifact_check *check, FILE *out);

#endif
