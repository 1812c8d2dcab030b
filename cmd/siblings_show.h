/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_CMD_SIBLINGS_SHOW_H
#define REGILD_CMD_SIBLINGS_SHOW_H

#include "command.h"
#include "update/siblings.h"

/* Names the goldens that may be stale now: one by its path, more of them in one line by variant;
 * with -v each by its path. */
RG_CHECKED rg_error *siblings_show(const command_context *context, const rg_siblings *siblings);

/* The same for what the run no longer makes. */
RG_CHECKED rg_error *siblings_show_gone(const command_context *context, const rg_siblings *gone);

#endif
