/* SPDX-License-Identifier: Apache-2.0 */
#include "source/log_line.h"

#include <string.h>

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

/* How much of the line is a time that the server put there. */
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
