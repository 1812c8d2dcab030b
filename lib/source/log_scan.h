/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_SOURCE_LOG_SCAN_H
#define REGILD_SOURCE_LOG_SCAN_H

#include "base/buf.h"
#include "base/line_pattern.h"

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

/*
 * The log's bytes as they come; a rg_zip_sink, whose context is the scan. Here and at the end
 * RG_E_PARSE, naming the line, for what must not become a golden: a value that a server masked, a
 * step with two values, lines that are printed again and differ, a log that is cut.
 */
RG_CHECKED rg_error *rg_log_scan_add(void *scan, const void *bytes, size_t length);
/* The log is complete. *out is the golden, which is the scan's; *found is false where the log has
 * nothing of it. */
RG_CHECKED rg_error *rg_log_scan_end(rg_log_scan *scan, const rg_buf **out, bool *found);

#endif
