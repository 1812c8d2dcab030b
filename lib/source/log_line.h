/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_SOURCE_LOG_LINE_H
#define REGILD_SOURCE_LOG_LINE_H

#include "base/buf.h"

#include <stdint.h>

/*
 * A job's log, cut into the lines that the job printed. What the servers put around them is taken
 * off: a byte order mark, GitHub's time ("2026-08-21T21:30:21.1234567Z "), GitLab's time and stream
 * ("2026-08-21T21:30:21.123456Z 01O "; with '+' instead of the last blank the line continues the
 * one before it), GitLab's section markers, colours and other escape sequences, and the carriage
 * returns before a line's end.
 *
 *	rg_log_lines_init(&lines, take, context);
 *	rg_log_lines_add(&lines, bytes, length);        as often as bytes come
 *	rg_log_lines_end(&lines);
 *	rg_log_lines_release(&lines);
 */

/* Bytes of a line that are looked at. */
#define RG_LOG_LINE_MAX ((size_t)16 << 20)

typedef struct {
	const char *text; /* followed by a NUL, and may hold NULs */
	size_t length;
	uint64_t number; /* in the log, from 1 */
	bool cut;        /* it may go on: the log ends in it, or it is over RG_LOG_LINE_MAX */
} rg_log_line;

/* Takes a line; it is the caller's again afterwards. An error ends the reading. */
typedef rg_error *rg_log_line_fn(void *context, const rg_log_line *line);

typedef struct {
	rg_log_line_fn *take;
	void *context;
	rg_buf raw;  /* the line that comes */
	rg_buf held; /* the one before it, without its time: it may be continued */
	bool raw_cut, held_cut, holds;
	uint64_t number, held_number;
} rg_log_lines;

void rg_log_lines_init(rg_log_lines *lines, rg_log_line_fn *take, void *context);
void rg_log_lines_release(rg_log_lines *lines);
/* Errors are those of `take`, or memory ran out. */
RG_CHECKED rg_error *rg_log_lines_add(rg_log_lines *lines, const char *bytes, size_t length);
/* The log has ended; hands out the rest. */
RG_CHECKED rg_error *rg_log_lines_end(rg_log_lines *lines);

#endif
