/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_CMD_PROGRESS_H
#define REGILD_CMD_PROGRESS_H

#include "command.h"

/*
 * Shows a transfer on stderr while it runs: on a terminal one line that is redrawn in place,
 * else a plain line now and then. While it is open, what is logged goes through it, so that lines
 * never mix.
 */
typedef struct progress_display progress_display;

/* Takes over context->flow.log and context->flow.progress until progress_close. */
RG_CHECKED rg_error *progress_open(progress_display **out, command_context *context);
/* Takes the line away and gives context's log and progress back; NULL is fine. */
void progress_close(progress_display *display);
/* The same, and returns the result of the transfer: RG_TRY(progress_end(display, fetch(...))). */
RG_CHECKED rg_error *progress_end(progress_display *display, rg_error *err);

#endif
