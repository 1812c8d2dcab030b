#include "base/utf8.h"

#include <stdio.h>
#include <string.h>

size_t rg_utf8_length(const char *text, size_t left)
{
	const unsigned char *p = (const unsigned char *)text;
	size_t length, i;

	if (!left)
		return 0;
	length = *p < 0x80 ? 1 : *p < 0xc2 ? 0 : *p < 0xe0 ? 2 : *p < 0xf0 ? 3 : *p < 0xf5 ? 4 : 0;
	if (length > left)
		return 0;
	for (i = 1; i < length; i++)
		if ((p[i] & 0xc0) != 0x80)
			return 0;
	if ((*p == 0xe0 && p[1] < 0xa0) || (*p == 0xed && p[1] > 0x9f) ||
	    (*p == 0xf0 && p[1] < 0x90) || (*p == 0xf4 && p[1] > 0x8f))
		return 0;
	return length;
}

bool rg_utf8_is_control(const char *text)
{
	const unsigned char *p = (const unsigned char *)text;

	switch (p[0]) {
	case 0xc2: /* C1: U+0080 to U+009F */
		return p[1] < 0xa0;
	case 0xd8: /* U+061C */
		return p[1] == 0x9c;
	case 0xe2: /* U+200E, U+200F, U+2028 to U+202E; U+2066 to U+2069 */
		return (p[1] == 0x80 &&
			(p[2] == 0x8e || p[2] == 0x8f || (p[2] >= 0xa8 && p[2] <= 0xae))) ||
		       (p[1] == 0x81 && p[2] >= 0xa6 && p[2] <= 0xa9);
	default:
		return p[0] < 0x20 || p[0] == 0x7f;
	}
}

size_t rg_utf8_next_safe(const char *text, size_t left, char out[static RG_UTF8_SAFE_SIZE],
			 size_t *width)
{
	size_t size = rg_utf8_length(text, left), i;

	if (size && !rg_utf8_is_control(text)) {
		memcpy(out, text, size);
		out[size] = '\0';
		*width = 1;
		return size;
	}
	if (!size)
		size = 1;
	for (i = 0; i < size; i++)
		snprintf(out + 4 * i, 5, "\\x%02x", (unsigned char)text[i]);
	*width = 4 * size;
	return size;
}

/* How many characters of ASCII that need no escape `text` begins with: as a rule, all of it. */
static size_t plain_length(const char *text, size_t left)
{
	size_t length = 0;

	while (length < left && text[length] >= 0x20 && text[length] < 0x7f)
		length++;
	return length;
}

size_t rg_utf8_add_safe(rg_buf *out, const char *text, size_t length)
{
	size_t at = 0, shown = 0, width;
	char safe[RG_UTF8_SAFE_SIZE];

	for (;;) {
		size_t plain = plain_length(text + at, length - at);

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
