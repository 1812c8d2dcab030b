/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_SOURCE_LOG_SCAN_H
#define REGILD_SOURCE_LOG_SCAN_H

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/line_pattern.h"

#include <stdint.h>

/*
 * A golden out of a job's log: the values of all lines that fit a pattern, or the lines between two
 * others. Memory grows with the golden and the longest line, not with the log.
 */

typedef struct {
	const rg_line_pattern *match; /* NULL: between `begin` and `end` */
	const char *metric;      /* of the values; NULL: the golden is a step list, without one */
	const char *begin, *end; /* whole lines, blanks around them left out */
	size_t max;              /* bytes of the golden */
} rg_log_format;

typedef struct rg_log_scan rg_log_scan;

/* `format` and what it points at are borrowed. */
rg_log_scan *rg_log_scan_new(const rg_log_format *format);
void rg_log_scan_free(rg_log_scan *scan);
RG_FREE_AT(rg_log_scan)

/*
 * The log's bytes as they come; a rg_zip_sink, whose context is the scan. Here and at the end
 * RG_E_PARSE, naming the line, for what must not become a golden: a value that a server masked, a
 * step with two values, lines that are printed again and differ, a log that is cut.
 */
RG_CHECKED rg_error *rg_log_scan_add(void *scan, const void *bytes, size_t length);
/* The log is complete. *out is the golden, which is the scan's; *found is false where the log has
 * nothing of it. */
RG_CHECKED rg_error *rg_log_scan_end(rg_log_scan *scan, const rg_buf **out, bool *found);

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

/* The values that a log prints, by step, and the golden that they become. */

/* So many values are kept at once, those that come again with them; half as many steps at most. */
#define RG_LOG_STEPS_MAX ((size_t)1 << 20)

typedef struct {
	int64_t step;
	double number;
	size_t text, length; /* as it was printed, in the series' texts */
	uint64_t line;       /* in the log */
	size_t order;
} rg_log_value;

typedef struct {
	rg_log_value *values; /* as they came; settled: ascending by step, each once */
	size_t count, capacity;
	rg_buf texts;
} rg_log_series;

/* `max` bounds the texts, in bytes. */
void rg_log_series_init(rg_log_series *series, size_t max);
void rg_log_series_release(rg_log_series *series);
/* RG_E_LIMIT for too many; RG_E_PARSE where a step has two values that are not the same. */
RG_CHECKED rg_error *rg_log_series_add(rg_log_series *series, const rg_line_match *match,
				       uint64_t line);
RG_CHECKED rg_error *rg_log_series_settle(rg_log_series *series);

#endif
