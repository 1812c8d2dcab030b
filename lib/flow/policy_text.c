/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/policy_text.h"

#include <string.h>

#define BLOCK_BEGIN "# regild audit: measured tolerances begin (made by --write-policy)"
#define BLOCK_END   "# regild audit: measured tolerances end"

static void add_lines(rg_buf *out, const char *text, const char *line_end)
{
	for (; *text; text++) {
		if (*text == '\n')
			rg_buf_str(out, line_end);
		else
			rg_buf_char(out, *text);
	}
}

/* A line of a configuration without its comment and the blanks around. *quoted: inside a value's
 * quotes, before and after it. */
static size_t content_length(const char *line, size_t length, bool *quoted)
{
	bool escaped = false;
	size_t i;

	for (i = 0; i < length; i++) {
		if (!escaped && !*quoted && strchr("#;", line[i]))
			break;
		*quoted ^= !escaped && line[i] == '"';
		escaped = !escaped && line[i] == '\\';
	}
	while (i && strchr(" \t\r\n", line[i - 1]))
		i--;
	return i;
}

/* The number of the line whose value libgit2 reads on in what follows the text, past blank lines
 * and comments; 0: all are complete. */
static size_t open_line(const char *text, size_t length)
{
	size_t open = 0, number = 0, size, used, slashes;
	bool quoted = false;

	for (size_t at = 0; at < length; at += size) {
		const char *line = text + at, *newline = memchr(line, '\n', length - at);
		size = newline ? (size_t)(newline - line) + 1 : length - at;
		number++;
		quoted &= open != 0;
		used = content_length(line, size, &quoted);
		if (!used)
			continue;
		for (slashes = 0; slashes < used && line[used - slashes - 1] == '\\';)
			slashes++;
		open = slashes % 2 ? number : 0;
	}
	return open;
}

static rg_error *add_block(rg_buf *out, const char *entries, const char *line_end)
{
	size_t open = open_line(out->data, out->length);
	if (open)
		return rg_error_new(RG_E_USAGE,
				    "line %zu ends in a backslash, which would make what is "
				    "written behind it a part of its value; complete the line",
				    open);
	if (out->length && out->data[out->length - 1] != '\n')
		rg_buf_str(out, line_end);
	add_lines(out, BLOCK_BEGIN "\n", line_end);
	add_lines(out, entries, line_end);
	add_lines(out, BLOCK_END "\n", line_end);
	return NULL;
}

/* "\n" or "\r\n", as the text's first line has it. */
static const char *line_end_of(const char *text, size_t length)
{
	const char *newline = length ? memchr(text, '\n', length) : NULL;
	return newline && newline > text && newline[-1] == '\r' ? "\r\n" : "\n";
}

/* Is the line, but for its end, just this? */
static bool line_is(const char *line, size_t length, const char *wanted)
{
	if (length && line[length - 1] == '\n')
		length--;
	if (length && line[length - 1] == '\r')
		length--;
	return length == strlen(wanted) && !memcmp(line, wanted, length);
}

/* Copies the text with `entries` in place of the block that was there, or after everything. A merge
 * may have left two blocks: one comes back. */
static rg_error *replace_block(rg_buf *out, const char *config, size_t length, const char *entries)
{
	const char *line_end = line_end_of(config, length), *tail = config + length, *next;
	bool inside = false, placed = false;

	for (const char *line = config; line < tail; line = next) {
		const char *newline = memchr(line, '\n', (size_t)(tail - line));
		next = newline ? newline + 1 : tail;
		bool begins = line_is(line, (size_t)(next - line), BLOCK_BEGIN);
		if (begins && inside)
			break;
		if (begins && !placed)
			RG_TRY(add_block(out, entries, line_end));
		placed |= begins;
		if (!begins && !inside)
			rg_buf_add(out, line, (size_t)(next - line));
		inside = begins || (inside && !line_is(line, (size_t)(next - line), BLOCK_END));
	}
	if (inside)
		return rg_error_new(RG_E_PARSE,
				    "the block of measured tolerances has lost its end; remove it");
	if (!placed)
		RG_TRY(add_block(out, entries, line_end));
	return rg_buf_check(out, ".regild");
}

rg_error *rg_policy_check(const char *config, size_t length)
{
	rg_buf out;
	rg_buf_init(&out, RG_BUF_TEXT);
	rg_error *err = replace_block(&out, config, length, "");
	rg_buf_release(&out);
	return err;
}

rg_error *rg_policy_write(rg_buf *out, rg_policy_written *written, const char *config,
			  size_t length, const rg_audit *audit, size_t group, const char *when)
{
	rg_buf entries;
	rg_buf_init(&entries, RG_BUF_TEXT);
	rg_error *err = rg_policy_add_entries(&entries, written, audit, group, when);
	if (!err)
		err = replace_block(out, config, length, entries.data);
	rg_buf_release(&entries);
	return err;
}
