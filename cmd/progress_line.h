/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_CMD_PROGRESS_LINE_H
#define REGILD_CMD_PROGRESS_LINE_H

#include "base/buf.h"
#include "base/log.h"

/* What a transfer's line is made of. */
typedef struct {
	rg_progress_state state; /* total 0: not known yet; `current` is then what is asked for */
	double rate;             /* bytes a second */
	double seconds;          /* since the first artifact was begun */
	const char *waiting;     /* for what, or NULL; it may come from outside */
	double waiting_seconds;  /* for how much longer */
} progress_facts;

/*
 * Appends the line in at most `width` columns: how far it is, what it waits for, bytes, rate and
 * time left, and what is under way. Figures keep their places from one line to the next; what does
 * not fit is left out from the end. Appends nothing where there is nothing to say. Returns the
 * columns that it took.
 */
size_t progress_line(rg_buf *out, const progress_facts *facts, size_t width);

/* The line where there is no terminal: "3 of 8 artifacts, 1.0 MiB of 63.0 MiB moved". */
void progress_plain_line(rg_buf *out, const rg_progress_state *state);

#endif
