/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_GOLDEN_MISSING_H
#define REGILD_GOLDEN_MISSING_H

#include "base/memory.h"
#include "golden/golden.h"

/* The series without the values that stand for none; itself where it has none of them. *found
 * counts the steps that have such a value here and another one in `other`, which may be NULL. */
const rg_metric *rg_without_missing(rg_arena *arena, const rg_metric *series, double missing,
				    const rg_metric *other, size_t *found);

#endif
