/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_CMD_INTERACTIVE_H
#define REGILD_CMD_INTERACTIVE_H

#include "command.h"
#include "update/plan.h"

/* RG_E_USAGE where there is no terminal to ask on. */
RG_CHECKED rg_error *interactive_check(void);

/*
 * Walks through the changed and new goldens on the terminal, test by test, the test with the worst
 * row first, and marks as left out what is not accepted. Held ones are not asked about. RG_E_USAGE
 * where there is no terminal; RG_E_CANCELLED where input ends or Ctrl-C comes: nothing is applied.
 */
RG_CHECKED rg_error *interactive_review(rg_plan *plan);

#endif
