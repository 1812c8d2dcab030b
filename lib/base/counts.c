/* SPDX-License-Identifier: Apache-2.0 */
#include "base/counts.h"

#include <stdatomic.h>

static atomic_ulong counts[RG_COUNT_KINDS];

void rg_count_up(rg_count which)
{
	atomic_fetch_add_explicit(&counts[which], 1, memory_order_relaxed);
}

unsigned long rg_count_of(rg_count which)
{
	return atomic_load_explicit(&counts[which], memory_order_relaxed);
}
