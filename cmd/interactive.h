/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_CMD_INTERACTIVE_H
#define REGILD_CMD_INTERACTIVE_H

#include "command.h"
#include "update/plan.h"

/* RG_E_USAGE where there is no terminal to ask on. */
RG_CHECKED rg_error *interactive_check(void);

/*
 * Shows the story of the changed and new goldens on the terminal, then each of them, losses first,
 * marks as left out what is not taken, and lets through what is held back and taken. But for a dry
 * run it then asks whether to go on. RG_E_USAGE where there is no terminal; RG_E_CANCELLED where
 * the answer to that is no, input ends or Ctrl-C comes: nothing is applied.
 */
RG_CHECKED rg_error *interactive_review(const command_context *context, rg_plan *plan,
					bool dry_run);

#endif
