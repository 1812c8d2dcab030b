/* SPDX-License-Identifier: Apache-2.0 */
#include "source/log_scan.h"

#include "base/json.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/order.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void rg_log_series_init(rg_log_series *series, size_t max)
{
	*series = (rg_log_series){0};
	rg_buf_init(&series->texts, max);
}

void rg_log_series_release(rg_log_series *series)
{
	free(series->values);
	rg_buf_release(&series->texts);
	rg_log_series_init(series, series->texts.max);
}

static bool is_same(const rg_log_value *a, const rg_log_value *b)
{
	return a->number == b->number || (isnan(a->number) && isnan(b->number));
}

rg_error *rg_log_series_add(rg_log_series *series, const rg_line_match *match, uint64_t line)
{
	rg_log_value value = {match->step,         match->number, series->texts.length,
			      match->value_length, line,          series->count};
	const rg_log_value *last = series->count ? &series->values[series->count - 1] : NULL;

	/* All ranks of a job print the same. */
	if (last && last->step == value.step && is_same(last, &value))
		return NULL;
	if (series->count == RG_LOG_STEPS_MAX) {
		RG_TRY(rg_log_series_settle(series));
		if (series->count > RG_LOG_STEPS_MAX / 2)
			return rg_error_new(RG_E_LIMIT, "line %" PRIu64 ": more than %zu steps",
					    line, RG_LOG_STEPS_MAX / 2);
		value.order = series->count;
	}
	rg_buf_add(&series->texts, match->value, match->value_length);
	RG_TRY(rg_buf_check(&series->texts, "its values"));
	*RG_PUSH(series->values, series->count, series->capacity) = value;
	return NULL;
}

RG_ORDER(compare_values, rg_log_value, RG_RISING(step) || RG_RISING(order));

static const char *text_of(const rg_log_series *series, const rg_log_value *value)
{
	return series->texts.data + value->text;
}

rg_error *rg_log_series_settle(rg_log_series *series)
{
	size_t kept = 0;
	if (!series->values)
		return NULL;
	qsort(series->values, series->count, sizeof(*series->values), compare_values);
	for (size_t i = 0; i < series->count; i++) {
		const rg_log_value *last = kept ? &series->values[kept - 1] : NULL;
		if (!last || last->step != series->values[i].step) {
			series->values[kept++] = series->values[i];
			continue;
		}
		if (!is_same(last, &series->values[i])) {
			const rg_log_value *other = &series->values[i];
			return rg_error_new(RG_E_PARSE,
					    "step %" PRId64 " has two values: %.*s in line %" PRIu64
					    ", %.*s in line %" PRIu64,
					    last->step, (int)last->length, text_of(series, last),
					    last->line, (int)other->length, text_of(series, other),
					    other->line);
		}
	}
	series->count = kept;
	for (size_t i = 0; i < kept; i++)
		series->values[i].order = i;
	return NULL;
}

/* The largest interval that reaches all steps. */
static uint64_t interval_of(const rg_log_series *series)
{
	uint64_t all = 0;
	for (size_t i = 1; i < series->count && all != 1; i++) {
		uint64_t a = (uint64_t)series->values[i].step -
			     (uint64_t)series->values[i - 1].step,
			 rest;
		for (; all; all = rest) {
			rest = a % all;
			a = all;
		}
		all = a;
	}
	return all ? all : 1;
}

static void write_number(const rg_log_series *series, const rg_log_value *value, rg_buf *out)
{
	const char *text = text_of(series, value), *at = text, *end = text + value->length;
	char repr[RG_DOUBLE_REPR_SIZE];
	double same;

	if (!isfinite(value->number)) {
		rg_double_repr(value->number, repr);
		rg_buf_printf(out, "\"%s\"", repr);
	} else if (rg_json_number_read(&at, end, &same) && at == end) {
		rg_buf_add(out, text, value->length);
	} else {
		rg_double_repr(value->number, repr);
		rg_buf_str(out, repr);
	}
}

/* Writes a settled series as Megatron-LM does. A number is in the words that it was printed in,
 * where JSON has them. */
static void write_series(const rg_log_series *series, const char *metric, rg_buf *out)
{
	const rg_log_value *values = series->values;
	rg_json_out name;

	rg_json_out_init(&name, out);
	rg_buf_str(out, "{\n    ");
	rg_json_text(&name, metric);
	rg_buf_printf(out,
		      ": {\n        \"start_step\": %" PRId64 ",\n        \"end_step\": %" PRId64
		      ",\n        \"step_interval\": %" PRIu64 ",\n        \"values\": {",
		      values[0].step, values[series->count - 1].step, interval_of(series));
	for (size_t i = 0; i < series->count; i++) {
		rg_buf_printf(out, "%s\n            \"%" PRId64 "\": ", i ? "," : "",
			      values[i].step);
		write_number(series, &values[i], out);
	}
	rg_buf_str(out, "\n        }\n    }\n}\n");
}

void rg_log_lines_init(rg_log_lines *lines, rg_log_line_fn *take, void *context)
{
	*lines = (rg_log_lines){.take = take, .context = context};
	rg_buf_init(&lines->raw, RG_LOG_LINE_MAX);
	rg_buf_init(&lines->held, RG_LOG_LINE_MAX);
}

void rg_log_lines_release(rg_log_lines *lines)
{
	rg_buf_release(&lines->held);
	rg_buf_release(&lines->raw);
}

/* Appends what fits; true where that is all. */
static bool append(rg_buf *buf, const char *bytes, size_t length)
{
	size_t room = buf->max - buf->length;
	rg_buf_add(buf, bytes, length < room ? length : room);
	return length <= room;
}

/* '0' stands for a digit and 'x' for a hexadecimal one, anything else for itself. */
static bool has_shape(const char *text, size_t left, const char *shape)
{
	for (; *shape; shape++, text++, left--) {
		if (!left)
			return false;
		if (*shape == '0' ? !(*text >= '0' && *text <= '9')
		    : *shape == 'x'
			    ? !(*text >= '0' && *text <= '9') && !(*text >= 'a' && *text <= 'f')
			    : *text != *shape)
			return false;
	}
	return true;
}

/* Tells how much of the line is a time that the server put there. */
static size_t time_length(const char *text, size_t length, bool *continues)
{
	static const char github[] = "0000-00-00T00:00:00.0000000Z";
	static const char gitlab[] = "0000-00-00T00:00:00.000000Z xx";
	const size_t after_github = sizeof(github) - 1, after_gitlab = sizeof(gitlab) - 1;

	*continues = false;
	if (has_shape(text, length, github)) {
		if (length == after_github)
			return length;
		return text[after_github] == ' ' ? after_github + 1 : 0;
	}
	if (!has_shape(text, length, gitlab) || length < after_gitlab + 2 ||
	    !strchr("OE", text[after_gitlab]) || !strchr(" +", text[after_gitlab + 1]))
		return 0;
	*continues = text[after_gitlab + 1] == '+';
	return after_gitlab + 2;
}

static size_t span(const char *text, size_t left, unsigned char first, unsigned char last)
{
	size_t n = 0;
	while (n < left && (unsigned char)text[n] >= first && (unsigned char)text[n] <= last)
		n++;
	return n;
}

/* An operating system command, a link for example, up to its end: BEL or ESC and a backslash. One
 * without an end is its two first bytes. */
static size_t command_length(const char *text, size_t left)
{
	for (size_t i = 2; i < left; i++) {
		if (text[i] == '\a')
			return i + 1;
		if (text[i] == '\033')
			return i + 1 < left && text[i + 1] == '\\' ? i + 2 : 2;
	}
	return 2;
}

/* An escape sequence as ECMA-48 has them, from its ESC on; at least 1. */
static size_t escape_length(const char *text, size_t left)
{
	size_t n = 1;
	if (left < 2)
		return left;
	if (text[1] == ']')
		return command_length(text, left);
	if (text[1] == '[') {
		n = 2;
		n += span(text + n, left - n, 0x30, 0x3f);
	}
	n += span(text + n, left - n, 0x20, 0x2f);
	return n + (n < left && span(text + n, 1, n > 1 && text[1] == '[' ? 0x40 : 0x30, 0x7e));
}

/* GitLab's "section_start:TIME:NAME[OPTIONS]", with the carriage return after it; 0 where there is
 * none. */
static size_t section_length(const char *text, size_t left)
{
	static const char start[] = "section_start:", end[] = "section_end:";
	size_t n;

	if (left > sizeof(start) && !memcmp(text, start, sizeof(start) - 1))
		n = sizeof(start) - 1;
	else if (left > sizeof(end) && !memcmp(text, end, sizeof(end) - 1))
		n = sizeof(end) - 1;
	else
		return 0;
	size_t digits = span(text + n, left - n, '0', '9');
	n += digits;
	if (!digits || n == left || text[n++] != ':')
		return 0;
	while (n < left && !strchr("\r\033 ", text[n]))
		n++;
	return n + (n < left && text[n] == '\r');
}

/* Takes out, in place, what the job did not print as text; returns what is left. */
static size_t clean(char *text, size_t length)
{
	size_t i = 0, kept = 0;
	while (i < length) {
		size_t skip = text[i] == '\033' ? escape_length(text + i, length - i)
			      : text[i] == 's'  ? section_length(text + i, length - i)
						: 0;

		if (!skip)
			text[kept++] = text[i++];
		i += skip;
	}
	while (kept && text[kept - 1] == '\r')
		kept--;
	text[kept] = '\0';
	return kept;
}

/* Nothing continues the line that is held. */
static rg_error *emit(rg_log_lines *lines)
{
	rg_log_line line = {.number = lines->held_number, .cut = lines->held_cut};
	if (!lines->holds)
		return NULL;
	lines->holds = false;
	if (lines->held.length)
		rg_buf_truncate(&lines->held, clean(lines->held.data, lines->held.length));
	line.text = lines->held.data;
	line.length = lines->held.length;
	return lines->take(lines->context, &line);
}

/* The line in `raw` is complete. */
static rg_error *end_line(rg_log_lines *lines)
{
	static const char mark[] = "\xef\xbb\xbf";
	const char *text = lines->raw.data;
	size_t length = lines->raw.length;
	bool continues;

	RG_TRY(rg_buf_check(&lines->raw, "a line"));
	if (!lines->number++ && length >= 3 && !memcmp(text, mark, 3)) {
		text += 3;
		length -= 3;
	}
	size_t skip = time_length(text, length, &continues);
	if (!continues || !lines->holds) {
		RG_TRY(emit(lines));
		rg_buf_clear(&lines->held);
		lines->held_cut = false;
		lines->held_number = lines->number;
		lines->holds = true;
	}
	lines->held_cut |= !append(&lines->held, text + skip, length - skip) || lines->raw_cut;
	rg_buf_clear(&lines->raw);
	lines->raw_cut = false;
	return rg_buf_check(&lines->held, "a line");
}

rg_error *rg_log_lines_add(rg_log_lines *lines, const char *bytes, size_t length)
{
	while (length) {
		const char *newline = memchr(bytes, '\n', length);
		size_t part = newline ? (size_t)(newline - bytes) : length;

		lines->raw_cut |= !append(&lines->raw, bytes, part);
		if (newline)
			RG_TRY(end_line(lines));
		part += newline != NULL;
		bytes += part;
		length -= part;
	}
	return rg_buf_check(&lines->raw, "a line");
}

rg_error *rg_log_lines_end(rg_log_lines *lines)
{
	if (lines->raw.length) {
		lines->raw_cut = true;
		RG_TRY(end_line(lines));
	}
	return emit(lines);
}

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

static rg_error *masked_error(uint64_t line, const char *what)
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
				return masked_error(line->number, "the step or the value is");
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

static rg_error *differs_error(const rg_log_scan *scan)
{
	return rg_error_new(RG_E_PARSE,
			    "line %" PRIu64
			    ": begins the golden again, and what follows is not the same",
			    scan->began);
}

/* A line of the golden; the second time it must be the same. */
static rg_error *append_line(rg_log_scan *scan, const rg_log_line *line)
{
	rg_buf *golden = &scan->golden;
	if (rg_log_is_masked(line->text, line->length))
		return masked_error(line->number, "a part of it is");
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
		return differs_error(scan);
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
		return differs_error(scan);
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
	return is_text(line, scan->format->end) ? end_golden(scan, line) : append_line(scan, line);
}

/* Is it the line that GitLab's runner prints where a job's output is over its limit? */
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

rg_error *rg_log_scan_end(rg_log_scan *scan, const rg_buf **out, bool *found)
{
	*out = &scan->golden;
	*found = false;
	RG_TRY(rg_log_lines_end(&scan->lines));
	if (scan->exceeded && !scan->complete)
		return rg_error_new(RG_E_PARSE,
				    "line %" PRIu64
				    ": the log is cut here, because it is over the runner's limit",
				    scan->exceeded);
	if (scan->began)
		return rg_error_new(RG_E_PARSE,
				    "the log is cut: no line ends what line %" PRIu64 " begins",
				    scan->began);
	if (scan->format->match) {
		const rg_log_series *series = &scan->series;
		RG_TRY(rg_log_series_settle(&scan->series));
		if (series->count && scan->format->metric) {
			write_series(series, scan->format->metric, &scan->golden);
		} else {
			/* A step list: "STEP VALUE" a line, each value as it was printed. */
			for (size_t i = 0; i < series->count; i++)
				rg_buf_printf(&scan->golden, "%" PRId64 " %.*s\n",
					      series->values[i].step, (int)series->values[i].length,
					      text_of(series, &series->values[i]));
		}
		RG_TRY(rg_buf_check(&scan->golden, "it"));
	}
	*found = scan->golden.length > 0;
	return NULL;
}
