/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/unit.h"

#include <string.h>

/* Units of time come first; none has more bytes than LONGEST. */
enum { DURATIONS = 8, LONGEST = 4 };
static const char *const units[] = {
	"s",    "ms",   "us",   "ns", "\xc2\xb5s", "\xce\xbcs", "min", "h",   "%",   "B",
	"kB",   "KB",   "MB",   "GB", "TB",        "KiB",       "MiB", "GiB", "TiB", "B/s",
	"kB/s", "MB/s", "GB/s", "Hz", "kHz",       "MHz",       "GHz", "eV",  "K",
};

const char *rg_unit_find(const char *text, size_t length)
{
	for (size_t i = 0; length && length <= LONGEST && i < sizeof(units) / sizeof(*units); i++)
		if (*units[i] == *text && strlen(units[i]) == length &&
		    !memcmp(units[i], text, length))
			return units[i];
	return NULL;
}

const char *rg_unit_of_name(const char *name, size_t length)
{
	const char close = length ? name[length - 1] : '\0';
	size_t at = length;

	if (close != ')' && close != ']')
		return NULL;
	while (at && name[at - 1] != (close == ')' ? '(' : '['))
		at--;
	/* "error(s)" has no unit. */
	if (at < 2 || name[at - 2] != ' ')
		return NULL;
	return rg_unit_find(name + at, length - at - 1);
}

bool rg_unit_is_duration(const char *unit)
{
	for (size_t i = 0; unit && i < DURATIONS; i++)
		if (!strcmp(units[i], unit))
			return true;
	return false;
}
