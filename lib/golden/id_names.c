/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/id_names.h"

#include "base/path.h"

#include <string.h>

bool rg_names_ids(const char *name)
{
	for (;;) {
		size_t length = strcspn(name, "/");
		if (rg_bytes_end_with(name, length, "tokens") ||
		    rg_bytes_end_with(name, length, "routing_indices"))
			return true;
		if (!name[length])
			return false;
		name += length + 1;
	}
}
