#ifndef REGILD_CMD_PROGRESS_H
#define REGILD_CMD_PROGRESS_H

#include "command.h"

/*
 * Shows a transfer on stderr while it goes on: on a terminal one line that is redrawn in place,
 * else a plain line now and then. While it is open, what is logged goes through it, so that lines
 * never mix.
 */
typedef struct progress_display progress_display;

/* Takes over env->log and env->progress until progress_close. */
RG_CHECKED rg_error *progress_open(progress_display **out, environment *env);
/* For rg_http_options.waiting. */
void progress_waiting(void *display, const char *why, double seconds);
/* Takes the line away and gives env's log and progress back; NULL is fine. */
void progress_close(progress_display *display);

#endif
