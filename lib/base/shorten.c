/* SPDX-License-Identifier: Apache-2.0 */
#include "base/shorten.h"

#include "base/utf8.h"

#include <stdint.h>

/* A text's first bytes, and the columns that they take. */
typedef struct {
	size_t length, width;
} extent;

static extent next(const char *text, size_t left)
{
	char safe[RG_UTF8_SAFE_SIZE];
	extent one;

	one.length = rg_utf8_next_safe(text, left, safe, &one.width);
	return one;
}

/* How much of the text fits. */
static extent measure(const char *text, size_t length, size_t width)
{
	extent all = {0};

	while (all.length < length) {
		extent one = next(text + all.length, length - all.length);

		if (one.width > width - all.width)
			break;
		all.length += one.length;
		all.width += one.width;
	}
	return all;
}

/* A quarter of the width, and no further than the last whole folder in it. */
static extent measure_head(const char *text, size_t length, size_t width)
{
	extent head = measure(text, length, width / 4);
	size_t end = head.length;

	while (end && text[end - 1] != '/')
		end--;
	return end ? measure(text, end, width) : head;
}

size_t rg_text_shorten(rg_buf *out, const char *text, size_t length, size_t width)
{
	extent whole = measure(text, length, SIZE_MAX), head, one;
	size_t at, left;

	if (whole.width <= width)
		return rg_utf8_add_safe(out, text, length);
	if (!width)
		return 0;
	head = measure_head(text, length, width - 1);
	/* What follows is skipped until the rest fits. Marks of a character that is gone go with
	 * it. */
	at = head.length;
	left = whole.width - head.width;
	while (at < length) {
		one = next(text + at, length - at);
		if (left <= width - 1 - head.width && one.width)
			break;
		at += one.length;
		left -= one.width;
	}
	rg_utf8_add_safe(out, text, head.length);
	rg_buf_str(out, "…");
	rg_utf8_add_safe(out, text + at, length - at);
	return head.width + 1 + left;
}
