/* SPDX-License-Identifier: Apache-2.0 */
#include "update/plan_variant.h"

#include "base/variant.h"
#include "compare/distance.h"

#include <string.h>

/* *known: both could be read. */
static rg_error *measure(rg_distance *out, bool *known, const rg_plan *plan,
			 const rg_plan_item *item, const rg_buf *old, const rg_buf *fresh)
{
	rg_golden *before = NULL, *after = NULL;
	rg_error *err = rg_plan_golden(&before, plan, item, old, false);

	if (!err)
		err = rg_plan_golden(&after, plan, item, fresh, true);
	return rg_distance_measure(out, known, item->golden->target, before, after,
				   plan->options->policy, err);
}

static rg_error *find(const rg_plan *plan, rg_plan_item *item, const rg_variants *variants,
		      const rg_buf *old, const rg_buf *fresh, rg_buf *bytes)
{
	const char *found = NULL;
	rg_distance best, distance;
	rg_side side;
	bool known;

	RG_TRY(measure(&best, &known, plan, item, old, fresh));
	for (size_t i = 0; i < variants->count; i++) {
		RG_TRY(rg_tree_read(plan->tree, variants->items[i].path, bytes, &side));
		if (side.exists && !strcmp(side.sha256, item->new_side.sha256)) {
			item->variant = variants->items[i].name;
			return NULL;
		}
		if (!known)
			continue;
		bool both;
		RG_TRY(measure(&distance, &both, plan, item, bytes, fresh));
		if (!both || !rg_distance_is_less(&distance, &best))
			continue;
		best = distance;
		found = variants->items[i].name;
	}
	if (found && !best.to_look_at) {
		item->variant = found;
		item->variant_differs = true;
	}
	return NULL;
}

rg_error *rg_plan_find_variant(rg_plan *plan, rg_plan_item *item, const rg_buf *old,
			       const rg_buf *fresh)
{
	const char *golden = item->golden->target, *name;
	rg_variants variants;
	RG_AUTO(rg_buf) bytes = rg_buf_of(RG_TREE_FILE_MAX);
	int folder;

	if (!plan->options->variants)
		return NULL;
	RG_TRY(rg_tree_folder(plan->tree, golden, false, &folder, &name));
	RG_TRY(rg_variants_list(&variants, &plan->arena, plan->options->variants, golden, folder));
	if (!variants.count)
		return NULL;
	item->has_variants = true;
	RG_TRY(find(plan, item, &variants, old, fresh, &bytes));
	if (item->variant)
		item->change = RG_PLAN_UNCHANGED;
	return NULL;
}
