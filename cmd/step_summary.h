/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_CMD_STEP_SUMMARY_H
#define REGILD_CMD_STEP_SUMMARY_H

#include "base/buf.h"

/*
 * The summary of a step of a GitHub job, a file that GITHUB_STEP_SUMMARY names and that steps
 * append to. GitHub takes 1 MiB of it.
 */

/* RG_E_USAGE where the variable names no file. */
RG_CHECKED rg_error *step_summary_file(const char **out);
/* How many bytes more GitHub takes. */
RG_CHECKED rg_error *step_summary_room(const char *file, size_t *out);
RG_CHECKED rg_error *step_summary_append(const char *file, const rg_buf *text);

#endif
