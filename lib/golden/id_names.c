/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/id_names.h"

#include <stddef.h>
#include <string.h>

static bool ends_with(const char *name, size_t length, const char *suffix)
{
	size_t n = strlen(suffix);

	return length >= n && !memcmp(name + length - n, suffix, n);
}

bool rg_names_ids(const char *name)
{
	for (;;) {
		size_t length = strcspn(name, "/");

		if (ends_with(name, length, "tokens") || ends_with(name, length, "routing_indices"))
			return true;
		if (!name[length])
			return false;
		name += length + 1;
	}
}
