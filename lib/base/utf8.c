/* SPDX-License-Identifier: Apache-2.0 */
#include "base/utf8.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

size_t rg_utf8_length(const char *text, size_t left)
{
	const unsigned char *p = (const unsigned char *)text;
	if (!left)
		return 0;
	size_t length = *p < 0x80   ? 1
			: *p < 0xc2 ? 0
			: *p < 0xe0 ? 2
			: *p < 0xf0 ? 3
			: *p < 0xf5 ? 4
				    : 0;
	if (length > left)
		return 0;
	for (size_t i = 1; i < length; i++)
		if ((p[i] & 0xc0) != 0x80)
			return 0;
	if ((*p == 0xe0 && p[1] < 0xa0) || (*p == 0xed && p[1] > 0x9f) ||
	    (*p == 0xf0 && p[1] < 0x90) || (*p == 0xf4 && p[1] > 0x8f))
		return 0;
	return length;
}

uint32_t rg_utf8_character(const char *text, size_t size)
{
	uint32_t character = (unsigned char)*text & (size > 1 ? 0x7fu >> size : 0x7fu);
	for (size_t i = 1; i < size; i++)
		character = character << 6 | ((unsigned char)text[i] & 0x3f);
	return character;
}

typedef struct {
	uint32_t first, last;
} range;

static bool is_in(const range *ranges, size_t count, uint32_t character)
{
	size_t i;
	for (i = 0; i < count && ranges[i].last < character; i++)
		;
	return i < count && ranges[i].first <= character;
}

bool rg_utf8_is_control(const char *text)
{
	static const range hidden[] = {{0x0, 0x1f},        {0x7f, 0x9f},      {0xad, 0xad},
				       {0x34f, 0x34f},     {0x61c, 0x61c},    {0x115f, 0x1160},
				       {0x17b4, 0x17b5},   {0x180b, 0x180f},  {0x200b, 0x200f},
				       {0x2028, 0x202e},   {0x2060, 0x206f},  {0x3164, 0x3164},
				       {0xfeff, 0xfeff},   {0xffa0, 0xffa0},  {0xfff9, 0xfffb},
				       {0x1d173, 0x1d17a}, {0xe0000, 0xe0fff}};

	if (!((unsigned char)*text & 0x80))
		return (unsigned char)*text < 0x20 || *text == 0x7f;
	return is_in(hidden, sizeof(hidden) / sizeof(*hidden),
		     rg_utf8_character(text, rg_utf8_length(text, 4)));
}

/* How many columns of a terminal a well-formed character takes: by blocks, where single unassigned
 * or narrow characters among wide ones do not matter (Unicode 15, Mn, Me and East_Asian_Width). */
static size_t columns_of(const char *text, size_t size)
{
	static const range none[] = {{0x300, 0x36f},   {0x483, 0x489},   {0x591, 0x5bd},
				     {0x610, 0x61a},   {0x64b, 0x65f},   {0x1ab0, 0x1aff},
				     {0x1dc0, 0x1dff}, {0x20d0, 0x20f0}, {0xfe00, 0xfe0f},
				     {0xfe20, 0xfe2f}};
	static const range two[] = {
		{0x1100, 0x115f},   {0x2e80, 0x303e},   {0x3041, 0x4dbf},   {0x4e00, 0xa4cf},
		{0xa960, 0xa97f},   {0xac00, 0xd7a3},   {0xf900, 0xfaff},   {0xfe10, 0xfe19},
		{0xfe30, 0xfe6b},   {0xff01, 0xff60},   {0xffe0, 0xffe6},   {0x16fe0, 0x1b2ff},
		{0x1f300, 0x1f64f}, {0x1f680, 0x1f6fc}, {0x1f900, 0x1faff}, {0x20000, 0x3fffd}};
	uint32_t character = rg_utf8_character(text, size);

	return is_in(none, sizeof(none) / sizeof(*none), character) ? 0
	       : is_in(two, sizeof(two) / sizeof(*two), character)  ? 2
								    : 1;
}

size_t rg_utf8_next_safe(const char *text, size_t left, char out[static RG_UTF8_SAFE_SIZE],
			 size_t *width)
{
	size_t size = rg_utf8_length(text, left);
	if (size && !rg_utf8_is_control(text)) {
		memcpy(out, text, size);
		out[size] = '\0';
		*width = columns_of(text, size);
		return size;
	}
	if (!size)
		size = 1;
	for (size_t i = 0; i < size; i++)
		snprintf(out + 4 * i, 5, "\\x%02x", (unsigned char)text[i]);
	*width = 4 * size;
	return size;
}

size_t rg_utf8_columns(const char *text, size_t length)
{
	char safe[RG_UTF8_SAFE_SIZE];
	size_t columns = 0, width;
	for (size_t at = 0; at < length; columns += width)
		at += rg_utf8_next_safe(text + at, length - at, safe, &width);
	return columns;
}

size_t rg_utf8_add_safe(rg_buf *out, const char *text, size_t length)
{
	size_t at = 0, shown = 0, width;
	char safe[RG_UTF8_SAFE_SIZE];

	for (;;) {
		/* ASCII that needs no escape: as a rule, all of it. */
		size_t plain = 0;
		while (plain < length - at && text[at + plain] >= 0x20 && text[at + plain] < 0x7f)
			plain++;
		rg_buf_add(out, text + at, plain);
		at += plain;
		shown += plain;
		if (at == length)
			return shown;
		at += rg_utf8_next_safe(text + at, length - at, safe, &width);
		rg_buf_str(out, safe);
		shown += width;
	}
}

void rg_utf8_add_valid(rg_buf *out, const char *text, size_t length)
{
	size_t at = 0;
	while (at < length) {
		size_t size = rg_utf8_length(text + at, length - at);
		if (size)
			rg_buf_add(out, text + at, size);
		else
			rg_buf_str(out, "\xef\xbf\xbd");
		at += size ? size : 1;
	}
}

void rg_utf8_add_character(rg_buf *out, uint32_t c)
{
	const size_t length = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
	uint32_t rest = c;
	char bytes[4];

	for (size_t i = length; i-- > 1; rest >>= 6)
		bytes[i] = (char)(0x80 | (rest & 0x3f));
	bytes[0] = (char)(length > 1 ? (0xf00 >> length & 0xff) | rest : rest);
	if (!c || c > 0x10ffff || !rg_utf8_length(bytes, length))
		rg_buf_printf(out, "\\U%08lx", (unsigned long)c);
	else
		rg_buf_add(out, bytes, length);
	rg_buf_str(out, c == '\\' ? "\\" : "");
}

void rg_utf8_add_escaped(rg_buf *out, const char *bytes, size_t size)
{
	for (size_t i = 0, length; i < size; i += length + !length) {
		length = bytes[i] ? rg_utf8_length(bytes + i, size - i) : 0;
		if (!length)
			rg_buf_printf(out, "\\x%02x", (unsigned char)bytes[i]);
		rg_buf_add(out, bytes + i, length);
		rg_buf_str(out, bytes[i] == '\\' ? "\\" : "");
	}
}
