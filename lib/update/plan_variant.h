/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_UPDATE_PLAN_VARIANT_H
#define REGILD_UPDATE_PLAN_VARIANT_H

#include "update/plan.h"

/* Looks for variants of a golden that changes (base/variant.h) in the working tree. Where one has
 * the new bytes, or is nearer to them than the golden and the other variants, with no metric to
 * look at (rg_distance), the golden stays as it is: the item is unchanged, and has that variant. */
RG_CHECKED rg_error *rg_plan_find_variant(rg_plan *plan, rg_plan_item *item, const rg_buf *old,
					  const rg_buf *fresh);

#endif
