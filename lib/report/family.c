/* SPDX-License-Identifier: Apache-2.0 */
#include "report/family.h"

#include "base/path.h"

#include <string.h>

static bool is_digits(const char *text, size_t length)
{
	return length && strspn(text, "0123456789") >= length;
}

/* "12" and "layer12": how much of the part goes before the number; its length where it has none. */
static size_t before_number(const char *part, size_t length)
{
	static const char layer[] = "layer";
	const size_t skip = sizeof(layer) - 1;

	if (is_digits(part, length))
		return 0;
	if (length > skip && !memcmp(part, layer, skip) && is_digits(part + skip, length - skip))
		return skip;
	return length;
}

void rg_family_add(rg_buf *out, const char *metric)
{
	bool parted = metric[strcspn(metric, "/.")] != '\0';
	while (*metric) {
		size_t length = strcspn(metric, "/.");
		size_t before = parted ? before_number(metric, length) : length;

		rg_buf_add(out, metric, before);
		if (before < length)
			rg_buf_char(out, '*');
		metric += length;
		if (*metric)
			rg_buf_char(out, *metric++);
	}
}

void rg_family_add_column(rg_buf *out, const char *column)
{
	static const char *const units[] = {"_time", "_mem"};
	const char *end = strrchr(column, '_');

	for (size_t i = 0; end && end > column && i < sizeof(units) / sizeof(*units); i++)
		if (!strcmp(end, units[i])) {
			rg_buf_printf(out, "*%s", end);
			return;
		}
	rg_family_add(out, column);
}

bool rg_family_is_of_ids(const char *family)
{
	static const char *const ends[] = {"indices", "_ids", "_id", "status", "tokens"};
	for (;; family++) {
		size_t length = strcspn(family, "/");
		for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++)
			if (rg_bytes_end_with(family, length, ends[i]))
				return true;
		family += length;
		if (!*family)
			return false;
	}
}
