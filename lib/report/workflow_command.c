/* SPDX-License-Identifier: Apache-2.0 */
#include "report/workflow_command.h"

#include "base/utf8.h"

#include <string.h>

void rg_workflow_add_escaped(rg_buf *out, const char *text, bool is_property)
{
	size_t left = strlen(text), width;
	char safe[RG_UTF8_SAFE_SIZE];

	while (left) {
		size_t taken = rg_utf8_next_safe(text, left, safe, &width);
		if (strchr(is_property ? "%\r\n:," : "%\r\n", *text))
			rg_buf_printf(out, "%%%02X", (unsigned)*text);
		else
			rg_buf_str(out, safe);
		text += taken;
		left -= taken;
	}
}

/* ---- what the runner obeys ---- */

typedef enum { OTHER, LINE_END, SPACE, NOTHING } character_kind;

/* As .NET sees it: which characters are trimmed at a line's start, and which do not count in a
 * comparison of texts. An escape, which only regild itself writes, is not one of these. */
static character_kind kind_of(const char *text, size_t size)
{
	uint32_t c = rg_utf8_character(text, size);
	char safe[RG_UTF8_SAFE_SIZE];
	size_t width;

	if (c == '\n' || c == '\r')
		return LINE_END;
	if (c == ' ' || (c >= 0x9 && c <= 0xd) || c == 0x85 || c == 0xa0 || c == 0x1680 ||
	    (c >= 0x2000 && c <= 0x200a) || c == 0x2028 || c == 0x2029 || c == 0x202f ||
	    c == 0x205f || c == 0x3000)
		return SPACE;
	if (c == 0x1b)
		return OTHER;
	rg_utf8_next_safe(text, size, safe, &width);
	return !width || rg_utf8_is_control(text) ? NOTHING : OTHER;
}

static void see(rg_workflow_guard *g, character_kind kind)
{
	if (kind == NOTHING)
		return;
	g->hashes = 0;
	if (kind == LINE_END)
		*g = (rg_workflow_guard){.commands = g->commands};
	else if (kind == OTHER || g->colons)
		g->inside = true;
}

/* A byte of a character that is not ASCII. */
static void see_part(rg_workflow_guard *g, char byte)
{
	g->part[g->part_length++] = byte;
	size_t size = rg_utf8_length(g->part, g->part_length);
	if (!size && g->part_length < sizeof(g->part))
		return;
	g->part_length = 0;
	see(g, size ? kind_of(g->part, size) : OTHER);
}

static void append_byte(rg_workflow_guard *g, rg_buf *out, char byte)
{
	if ((unsigned char)byte & 0x80) {
		see_part(g, byte);
		rg_buf_char(out, byte);
		return;
	}
	if (g->part_length)
		see(g, OTHER);
	g->part_length = 0;
	unsigned hashes = g->hashes;
	if (byte == ':' && !g->inside) {
		g->hashes = 0;
		g->inside = ++g->colons == 2;
		if (g->inside && !g->commands) {
			rg_buf_str(out, "\\x3a");
			return;
		}
	} else {
		see(g, kind_of(&byte, 1));
		if (byte == '#')
			g->hashes = hashes + 1;
		if (byte == '[' && hashes > 1) {
			rg_buf_str(out, "\\x5b");
			return;
		}
	}
	rg_buf_char(out, byte);
}

void rg_workflow_guard_add(rg_workflow_guard *g, rg_buf *out, const char *bytes, size_t length)
{
	for (size_t i = 0; i < length; i++)
		append_byte(g, out, bytes[i]);
}

void rg_workflow_add_json(rg_buf *out, const char *text, size_t length)
{
	bool inside = false, escaped = false;
	for (size_t i = 0; i < length; i++) {
		if (inside && (text[i] == '#' || text[i] == ':'))
			rg_buf_printf(out, "\\u%04x", (unsigned)text[i]);
		else
			rg_buf_char(out, text[i]);
		if (text[i] == '"' && !escaped)
			inside = !inside;
		escaped = inside && text[i] == '\\' && !escaped;
	}
}
