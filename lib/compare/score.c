#include "compare/score.h"

#include "compare/compare.h"

#include <math.h>
#include <stdlib.h>

void rg_score_init(rg_score *score, const rg_metric_policy *policy)
{
	*score = (rg_score){.policy = policy, .worst = NAN};
}

void rg_score_release(rg_score *score)
{
	free(score->old);
	free(score->new);
}

bool rg_score_needs_steps(const rg_metric_policy *policy)
{
	switch (policy->kind) {
	case RG_POLICY_RELATIVE:
		return policy->aggregate != RG_AGGREGATE_NONE || !isnan(policy->floor) ||
		       policy->direction != RG_DIRECTION_BOTH;
	case RG_POLICY_ABSOLUTE:
	case RG_POLICY_COMBINED:
	case RG_POLICY_ULP:
		return true;
	case RG_POLICY_EXACT:
		return !isnan(policy->floor) || rg_policy_narrows(policy);
	case RG_POLICY_IGNORE:
		break;
	}
	return false;
}

static bool is_under_floor(const rg_metric_policy *policy, double old, double new)
{
	return fabs(old) <= policy->floor && fabs(new) <= policy->floor;
}

/* old - new where that is the bad way, else 0; its size where both ways are. */
static double directed(const rg_metric_policy *policy, double difference)
{
	switch (policy->direction) {
	case RG_DIRECTION_LOWER:
		return difference > 0 ? difference : 0;
	case RG_DIRECTION_HIGHER:
		return difference < 0 ? -difference : 0;
	case RG_DIRECTION_BOTH:
		break;
	}
	return fabs(difference);
}

/* Positive where the new value is smaller. With a direction that holds for negative baselines too;
 * without one only its size matters, and the row's own formula is kept. */
static double relative(const rg_metric_policy *policy, double old, double new)
{
	if (fabs(old) < RG_NEAR_ZERO)
		return old == new ? 0 : NAN;
	return (old - new) / (policy->direction == RG_DIRECTION_BOTH ? old : fabs(old));
}

/* What one pair of values scores by the policy's kind; NaN where it has no say. */
static double score_pair(const rg_metric_policy *policy, double old, double new)
{
	double size, allowed;

	if (is_under_floor(policy, old, new))
		return 0;
	switch (policy->kind) {
	case RG_POLICY_RELATIVE:
		size = relative(policy, old, new);
		return isnan(size) ? NAN : directed(policy, size);
	case RG_POLICY_ABSOLUTE:
		return directed(policy, old - new);
	case RG_POLICY_COMBINED:
		size = directed(policy, old - new);
		allowed = policy->atol + policy->rtol * fabs(old);
		return size <= 0 ? 0 : size / allowed;
	case RG_POLICY_ULP:
		size = directed(policy, old - new);
		return size <= 0 ? 0 : (double)rg_ulp_distance(old, new);
	case RG_POLICY_EXACT:
	case RG_POLICY_IGNORE:
		break;
	}
	return NAN;
}

static rg_error *keep(rg_score *score, double old, double new)
{
	size_t n = score->count;

	RG_TRY(rg_grow(&score->old, &score->old_capacity, n + 1, sizeof(*score->old)));
	RG_TRY(rg_grow(&score->new, &score->new_capacity, n + 1, sizeof(*score->new)));
	score->old[n] = old;
	score->new[n] = new;
	score->count++;
	return NULL;
}

rg_error *rg_score_add(rg_score *score, double old, double new)
{
	const rg_metric_policy *policy = score->policy;
	double value;

	if (policy->kind == RG_POLICY_EXACT) {
		score->differs |= !rg_same_bits(old, new) && !is_under_floor(policy, old, new);
		return NULL;
	}
	if (!isfinite(old) || !isfinite(new))
		return NULL;
	if (policy->aggregate != RG_AGGREGATE_NONE)
		return keep(score, old, new);
	if (policy->kind == RG_POLICY_RELATIVE) {
		bool equal = is_under_floor(policy, old, new);

		if (!equal && fabs(old) < RG_NEAR_ZERO)
			return NULL;
		rg_sum_add(&score->relative, equal ? 0 : relative(policy, old, new));
		score->relative_count++;
		return NULL;
	}
	value = score_pair(policy, old, new);
	if (!isnan(value) && !(value <= score->worst))
		score->worst = value;
	return NULL;
}

/* Sorts `values`. At least one of them, all finite. */
static double aggregate(rg_aggregate kind, double *values, size_t count)
{
	rg_sum sum = {0};
	size_t i;

	if (kind == RG_AGGREGATE_MEAN) {
		for (i = 0; i < count; i++)
			rg_sum_add(&sum, values[i]);
		return rg_sum_total(&sum) / (double)count;
	}
	qsort(values, count, sizeof(*values), rg_compare_doubles);
	if (kind == RG_AGGREGATE_MAX)
		return values[count - 1];
	if (count % 2)
		return values[count / 2];
	return values[count / 2 - 1] / 2 + values[count / 2] / 2;
}

/* What overflows in both directions is as bad as can be in either. */
static double relative_mean(const rg_score *score)
{
	double total = rg_sum_total(&score->relative);

	if (!score->relative_count)
		return NAN;
	return isnan(total) ? INFINITY
			    : directed(score->policy, total / (double)score->relative_count);
}

static double final_score(rg_score *score, const rg_row *row)
{
	const rg_metric_policy *policy = score->policy;

	if (policy->kind == RG_POLICY_IGNORE)
		return NAN;
	if (policy->kind == RG_POLICY_EXACT)
		return (rg_score_needs_steps(policy) ? score->differs : !row->identical) ? 1 : 0;
	if (policy->aggregate != RG_AGGREGATE_NONE) {
		if (!score->count)
			return NAN;
		return score_pair(policy, aggregate(policy->aggregate, score->old, score->count),
				  aggregate(policy->aggregate, score->new, score->count));
	}
	if (policy->kind != RG_POLICY_RELATIVE)
		return score->worst;
	if (rg_score_needs_steps(policy))
		return relative_mean(score);
	return directed(policy, row->avg_rel_diff);
}

double rg_score_fail_level(const rg_metric_policy *policy, rg_row_kind kind)
{
	if (policy->kind == RG_POLICY_IGNORE ||
	    (kind == RG_ROW_EXACT && policy->kind != RG_POLICY_EXACT))
		return NAN;
	if (!isnan(policy->fail))
		return policy->fail;
	if (policy->kind == RG_POLICY_COMBINED)
		return 1;
	return policy->kind == RG_POLICY_EXACT ? 0 : NAN;
}

static rg_level level_of(const rg_metric_policy *policy, double score, double fail)
{
	if (isnan(score))
		return RG_LEVEL_NONE;
	if (score > fail)
		return RG_LEVEL_FAIL;
	if (score >= policy->flag)
		return RG_LEVEL_FLAG;
	if (score <= policy->noise)
		return RG_LEVEL_QUIET;
	if (isnan(fail) && isnan(policy->flag) && isnan(policy->noise))
		return RG_LEVEL_NONE;
	return RG_LEVEL_PLAIN;
}

void rg_score_finish(rg_score *score, rg_row *row)
{
	const rg_metric_policy *policy = score->policy;

	row->score = final_score(score, row);
	row->fail_at = rg_score_fail_level(policy, RG_ROW_SERIES);
	row->level = level_of(policy, row->score, row->fail_at);
	/* Values that turned NaN or infinite count in no figure: a person has to see them. */
	if (row->left_out.new_nonfinite && row->level != RG_LEVEL_NONE &&
	    row->level < RG_LEVEL_FLAG)
		row->level = RG_LEVEL_FLAG;
}

void rg_score_exact(const rg_metric_policy *policy, rg_row *row)
{
	row->score = row->fail_at = NAN;
	row->level = RG_LEVEL_NONE;
	if (policy->kind != RG_POLICY_EXACT)
		return;
	row->score = row->identical ? 0 : 1;
	row->fail_at = rg_score_fail_level(policy, RG_ROW_EXACT);
	row->level = level_of(policy, row->score, row->fail_at);
}
