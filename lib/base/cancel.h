/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_BASE_CANCEL_H
#define REGILD_BASE_CANCEL_H

#include "base/error.h"

#include <stdbool.h>

/*
 * Ctrl-C. The handlers for SIGINT, SIGTERM and SIGHUP only set a flag; whatever works for long
 * asks it and ends with RG_E_CANCELLED through the ordinary error path, which removes temporary
 * files. A second signal ends the process at once. After cleaning up, the command calls
 * rg_cancel_reraise, so that the shell sees a death by that signal (128 + its number).
 */
void rg_cancel_install(void);
bool rg_cancelled(void);
/* RG_E_CANCELLED "interrupted" once a signal came, else NULL. */
RG_CHECKED rg_error *rg_cancel_check(void);
/* Waits until `fd` can be read; false once a signal came, also just before the wait. */
bool rg_cancel_wait(int fd);
/* From here a second Ctrl-C does not end the process, nor break a write that waits: it is meant for
 * the pager that has the terminal. */
void rg_cancel_stay(void);
/* Does nothing where no signal came. */
void rg_cancel_reraise(void);

#endif
