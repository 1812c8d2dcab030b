/* SPDX-License-Identifier: Apache-2.0 */
#include "update/ratchet.h"

#include "base/pattern.h"
#include "compare/summary.h"

#include <math.h>

/* Which new value is better: 1 a larger one, -1 a smaller one, 0: nobody has said. */
static int better_of(const rg_plan *plan, const rg_row *row)
{
	rg_metric_policy policy;
	rg_policy_resolve(plan->options->policy, row->file, row->metric, &policy);
	if (policy.direction != RG_DIRECTION_BOTH)
		return policy.direction == RG_DIRECTION_LOWER ? 1 : -1;
	switch (rg_row_class(row)) {
	case RG_CLASS_LOSS:
	case RG_CLASS_TIME:
	case RG_CLASS_MEMORY:
		return -1;
	case RG_CLASS_RATE:
		return 1;
	default:
		return 0;
	}
}

static bool is_asked_for(const rg_ratchet *ratchet, const char *metric)
{
	for (size_t i = 0; i < ratchet->metrics.count; i++)
		if (rg_glob_match(ratchet->metrics.items[i], metric, RG_GLOB_ANY_SLASH))
			return true;
	return false;
}

static void leave_out(rg_plan *plan, rg_plan_item *item, rg_ratchet *ratchet, const char *metric,
		      const char *why)
{
	rg_findings_add(&item->findings, &plan->arena, 0, metric, "%s", why);
	item->left_out = true;
	ratchet->left_out++;
}

static rg_error *judge(rg_plan *plan, rg_plan_item *item, rg_ratchet *ratchet)
{
	const rg_file_outcome *file = &plan->comparison.files[item->file_index];
	bool gained = false;

	for (size_t i = 0; i < file->row_count; i++) {
		const rg_row *row = &plan->comparison.rows[file->first_row + i];
		bool asked = is_asked_for(ratchet, row->metric);
		int better = better_of(plan, row);

		if (asked && !better)
			return rg_error_new(RG_E_USAGE,
					    "--only-better: nobody has said which '%s' is better; "
					    "set direction in [metric \"%s\"]",
					    row->metric, row->metric);
		if (!better || (!asked && !ratchet->all))
			continue;
		double gain = better * (row->new_mean - row->old_mean);
		if (!row->identical && (isnan(gain) || gain < 0)) {
			leave_out(plan, item, ratchet, row->metric,
				  "is worse than in the old file");
			return NULL;
		}
		gained |= !row->identical && gain > 0;
	}
	if (!gained)
		leave_out(plan, item, ratchet, NULL, "is not better in any metric that counts");
	return NULL;
}

static rg_error *check_patterns(const rg_plan *plan, const rg_ratchet *ratchet)
{
	for (size_t k = 0; k < ratchet->metrics.count; k++) {
		bool found = false;
		for (size_t i = 0; i < plan->comparison.row_count && !found; i++)
			found = rg_glob_match(ratchet->metrics.items[k],
					      plan->comparison.rows[i].metric, RG_GLOB_ANY_SLASH);
		if (!found && plan->comparison.row_count)
			return rg_error_new(RG_E_USAGE,
					    "--only-better '%s': no golden that changes has such a "
					    "metric",
					    ratchet->metrics.items[k]);
	}
	return NULL;
}

rg_error *rg_plan_ratchet(rg_plan *plan, rg_ratchet *ratchet)
{
	if (!ratchet->metrics.count && !ratchet->all)
		return NULL;
	RG_TRY(check_patterns(plan, ratchet));
	for (size_t i = 0; i < plan->count; i++) {
		rg_plan_item *item = &plan->items[i];
		if (item->left_out || item->change == RG_PLAN_UNCHANGED)
			continue;
		if (item->file_index != SIZE_MAX)
			RG_TRY(judge(plan, item, ratchet));
		else
			leave_out(plan, item, ratchet, NULL,
				  item->change == RG_PLAN_NEW
					  ? "is new: there is nothing that it is better than"
					  : "has no values to compare");
	}
	return NULL;
}
