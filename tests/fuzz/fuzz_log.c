/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A pattern of lines, a line end, and a job's log: by values and between two lines. However its
 * bytes come, the log is refused, or becomes the same golden; and one of values can be read.
 */
#include "require.h"

#include "golden/golden.h"
#include "source/log_scan.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { GOLDEN_MAX = 1 << 20 };

/* What came of a log: the golden, or the message. */
static bool scan(const rg_log_format *format, const char *log, size_t size, size_t step,
		 rg_buf *out)
{
	const rg_buf *golden = NULL;
	bool found = false;
	rg_log_scan *s;
	s = rg_log_scan_new(format);
	size_t at;
	rg_error *err = NULL;

	require(!err, "no memory");
	for (at = 0; !err && at < size; at += step)
		err = rg_log_scan_add(s, log + at, size - at < step ? size - at : step);
	if (!err)
		err = rg_log_scan_end(s, &golden, &found);
	rg_buf_clear(out);
	if (err)
		rg_buf_str(out, rg_error_message(err));
	else
		rg_buf_add(out, golden->data, golden->length);
	require(err || found == (golden->length > 0), "nothing is found, and there");
	rg_error_free(err);
	rg_log_scan_free(s);
	return found;
}

/* Is it a golden, whatever the size of the pieces? */
static bool scan_twice(const rg_log_format *format, const char *log, size_t size, rg_buf *out)
{
	bool found = scan(format, log, size, size + 1, out);

	RG_AUTO(rg_buf) pieces = rg_buf_of(RG_BUF_TEXT);
	require(scan(format, log, size, 1, &pieces) == found && pieces.length == out->length &&
			!memcmp(pieces.data, out->data, out->length),
		"another golden in pieces");
	return found;
}

static void check_values(const char *pattern, const char *log, size_t size, rg_buf *out)
{
	rg_log_format format = {.metric = "lm loss", .max = GOLDEN_MAX};
	rg_input in = {.name = "losses.json"};
	rg_arena patterns = {0};
	rg_line_pattern *match;
	rg_golden *golden;
	rg_error *err = rg_line_pattern_new(&match, &patterns, pattern);

	if (err) {
		rg_error_free(err);
		rg_arena_release(&patterns);
		return;
	}
	format.match = match;
	if (scan_twice(&format, log, size, out)) {
		in.data = out->data;
		in.size = out->length;
		require(!rg_golden_read(&golden, &in, NULL), "a golden that cannot be read");
		require(golden->count == 1 && golden->metrics[0].count > 0, "one series");
		rg_golden_free(golden);
	}
	rg_arena_release(&patterns);
}

static void check_lines(const char *begin, const char *log, size_t size, rg_buf *out)
{
	const rg_log_format format = {.begin = begin, .end = "---", .max = GOLDEN_MAX};

	if (!scan_twice(&format, log, size, out))
		return;
	require(!memchr(out->data, '\033', out->length), "an escape sequence");
	require(!rg_log_is_masked(out->data, out->length), "a masked value");
	require(out->data[out->length - 1] == '\n', "a line that is cut");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	const char *end = size ? memchr(text, '\n', size) : NULL;
	size_t first = end ? (size_t)(end - text) : size, log = end ? first + 1 : size;
	char *pattern = strndup(text, first);

	require(pattern != NULL, "no memory");
	RG_AUTO(rg_buf) out = rg_buf_of(RG_BUF_TEXT);
	check_values(pattern, text + log, size - log, &out);
	check_lines(pattern, text + log, size - log, &out);
	free(pattern);
	return 0;
}
