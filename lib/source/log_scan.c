/* SPDX-License-Identifier: Apache-2.0 */
#include "source/log_scan.h"

#include "base/memory.h"
#include "source/log_line.h"
#include "source/log_series.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct rg_log_scan {
	const rg_log_format *format;
	rg_log_lines lines;
	rg_log_series series;
	rg_buf golden;     /* the lines between; at the end, what is written */
	uint64_t began;    /* the line that began what is open; 0: nothing is */
	bool complete;     /* `golden` has all lines of the first time */
	size_t again;      /* how much of it came once more */
	uint64_t exceeded; /* the line that says that the log is cut; 0: none does */
};

static rg_error *take_line(void *context, const rg_log_line *line);

rg_log_scan *rg_log_scan_new(const rg_log_format *format)
{
	rg_log_scan *scan = rg_calloc(1, sizeof(*scan));
	scan->format = format;
	rg_log_lines_init(&scan->lines, take_line, scan);
	rg_log_series_init(&scan->series, format->max);
	rg_buf_init(&scan->golden, format->max);
	return scan;
}

void rg_log_scan_free(rg_log_scan *scan)
{
	if (!scan)
		return;
	rg_buf_release(&scan->golden);
	rg_log_series_release(&scan->series);
	rg_log_lines_release(&scan->lines);
	free(scan);
}

static rg_error *say_masked(uint64_t line, const char *what)
{
	return rg_error_new(RG_E_PARSE,
			    "line %" PRIu64 ": %s masked, as a secret; print it in another form",
			    line, what);
}

/* One line of the log may be several on a terminal: what a progress bar prints over itself. */
static rg_error *match_line(rg_log_scan *scan, const rg_log_line *line)
{
	const char *text = line->text, *end = text + line->length;
	while (text < end) {
		const char *stop = memchr(text, '\r', (size_t)(end - text));
		rg_line_match match;

		stop = stop ? stop : end;
		if (rg_line_pattern_match(scan->format->match, text, (size_t)(stop - text),
					  &match)) {
			if (match.masked)
				return say_masked(line->number, "the step or the value is");
			if (match.at_end && line->cut && stop == end)
				return rg_error_new(RG_E_PARSE,
						    "line %" PRIu64
						    ": is cut where the number is, whose last "
						    "digits may be missing",
						    line->number);
			RG_TRY(rg_log_series_add(&scan->series, &match, line->number));
		}
		text = stop + 1;
	}
	return NULL;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

/* Is the line that text, but for blanks around it? */
static bool is_text(const rg_log_line *line, const char *text)
{
	const char *start = line->text, *end = start + line->length;
	while (start < end && is_blank(*start))
		start++;
	while (end > start && is_blank(end[-1]))
		end--;
	return (size_t)(end - start) == strlen(text) && !memcmp(start, text, (size_t)(end - start));
}

static rg_error *say_differs(const rg_log_scan *scan)
{
	return rg_error_new(RG_E_PARSE,
			    "line %" PRIu64
			    ": begins the golden again, and what follows is not the same",
			    scan->began);
}

/* A line of the golden; the second time it must be the same. */
static rg_error *add_line(rg_log_scan *scan, const rg_log_line *line)
{
	rg_buf *golden = &scan->golden;
	if (rg_log_is_masked(line->text, line->length))
		return say_masked(line->number, "a part of it is");
	if (line->cut && line->length >= RG_LOG_LINE_MAX)
		return rg_error_new(RG_E_LIMIT, "line %" PRIu64 ": more than %zu bytes",
				    line->number, RG_LOG_LINE_MAX);
	if (!scan->complete) {
		rg_buf_add(golden, line->text, line->length);
		rg_buf_char(golden, '\n');
		return rg_buf_check(golden, "it");
	}
	if (line->length >= golden->length - scan->again ||
	    memcmp(golden->data + scan->again, line->text, line->length) != 0 ||
	    golden->data[scan->again + line->length] != '\n')
		return say_differs(scan);
	scan->again += line->length + 1;
	return NULL;
}

static rg_error *end_golden(rg_log_scan *scan, const rg_log_line *line)
{
	if (!scan->golden.length)
		return rg_error_new(RG_E_PARSE,
				    "nothing is between the lines %" PRIu64 " and %" PRIu64,
				    scan->began, line->number);
	if (scan->complete && scan->again != scan->golden.length)
		return say_differs(scan);
	scan->complete = true;
	scan->again = 0;
	scan->began = 0;
	return NULL;
}

static rg_error *keep_line(rg_log_scan *scan, const rg_log_line *line)
{
	if (is_text(line, scan->format->begin)) {
		if (scan->began)
			return rg_error_new(RG_E_PARSE,
					    "line %" PRIu64
					    ": begins the golden, which line %" PRIu64
					    " began already and nothing has ended",
					    line->number, scan->began);
		scan->began = line->number;
		return NULL;
	}
	if (!scan->began)
		return NULL;
	return is_text(line, scan->format->end) ? end_golden(scan, line) : add_line(scan, line);
}

/* What GitLab's runner prints where a job's output is over its limit. */
static bool is_end_of_output(const rg_log_line *line)
{
	static const char said[] = "Job's log exceeded limit of ";
	return line->length >= sizeof(said) - 1 && !memcmp(line->text, said, sizeof(said) - 1);
}

static rg_error *take_line(void *context, const rg_log_line *line)
{
	rg_log_scan *scan = context;
	if (is_end_of_output(line))
		scan->exceeded = line->number;
	return scan->format->match ? match_line(scan, line) : keep_line(scan, line);
}

rg_error *rg_log_scan_add(void *context, const void *bytes, size_t length)
{
	rg_log_scan *scan = context;
	return rg_log_lines_add(&scan->lines, bytes, length);
}

static rg_error *check_whole(const rg_log_scan *scan)
{
	if (scan->exceeded && !scan->complete)
		return rg_error_new(RG_E_PARSE,
				    "line %" PRIu64
				    ": the log is cut here, because it is over the runner's limit",
				    scan->exceeded);
	if (scan->began)
		return rg_error_new(RG_E_PARSE,
				    "the log is cut: no line ends what line %" PRIu64 " begins",
				    scan->began);
	return NULL;
}

rg_error *rg_log_scan_end(rg_log_scan *scan, const rg_buf **out, bool *found)
{
	*out = &scan->golden;
	*found = false;
	RG_TRY(rg_log_lines_end(&scan->lines));
	RG_TRY(check_whole(scan));
	if (scan->format->match) {
		RG_TRY(rg_log_series_settle(&scan->series));
		if (scan->series.count && scan->format->metric)
			rg_log_series_write(&scan->series, scan->format->metric, &scan->golden);
		else
			rg_log_series_list(&scan->series, &scan->golden);
		RG_TRY(rg_buf_check(&scan->golden, "it"));
	}
	*found = scan->golden.length > 0;
	return NULL;
}
