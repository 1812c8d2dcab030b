/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/score.h"

#include "base/median.h"
#include "base/memory.h"
#include "compare/pair_kernel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The bits of fraction, and the least exponent, of floats smaller than a double; 0: no such type.
 */
static const struct {
	int fraction, least;
} floats[RG_DTYPE_COUNT] = {
	[RG_DTYPE_FLOAT32] = {23, -126},      [RG_DTYPE_BFLOAT16] = {7, -126},
	[RG_DTYPE_FLOAT16] = {10, -14},       [RG_DTYPE_FLOAT8_E5M2] = {2, -14},
	[RG_DTYPE_FLOAT8_E4M3FN] = {3, -6},   [RG_DTYPE_FLOAT8_E5M2FNUZ] = {2, -15},
	[RG_DTYPE_FLOAT8_E4M3FNUZ] = {3, -7},
};

/* A value's place in the order of a type's values, 0 being at 0; a value between two of them goes
 * to the nearer one. */
static double place_of(double value, int fraction, int least)
{
	int exponent;
	if (value == 0)
		return 0;
	frexp(value, &exponent);
	exponent = exponent - 1 > least ? exponent - 1 : least;
	double place = ldexp(exponent - least, fraction) +
		       nearbyint(ldexp(fabs(value), fraction - exponent));
	return value < 0 ? -place : place;
}

uint64_t rg_ulps_between(rg_dtype dtype, double a, double b)
{
	const int fraction = floats[dtype].fraction, least = floats[dtype].least;
	double distance = fabs(a - b);

	if (dtype == RG_DTYPE_FLOAT64)
		return rg_pair_kernel_get(true)->ulps[dtype](&a, &b, 1);
	/* A double is eleven bits short of it. */
	if (dtype == RG_DTYPE_LONGDOUBLE)
		distance = 0x1p11 * (double)rg_ulps_between(RG_DTYPE_FLOAT64, a, b);
	if (fraction)
		distance = fabs(place_of(a, fraction, least) - place_of(b, fraction, least));
	return distance < 0x1p64 ? (uint64_t)distance : UINT64_MAX;
}

void rg_score_init(rg_score *score, const rg_metric_policy *policy)
{
	*score = (rg_score){.policy = policy,
			    .dtype = RG_DTYPE_FLOAT64,
			    .worst = NAN,
			    .worst_small = NAN,
			    .largest = NAN};
}

void rg_score_release(rg_score *score)
{
	free(score->old);
	free(score->fresh);
}

bool rg_score_needs_pairs(const rg_metric_policy *policy)
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
	case RG_POLICY_ALLCLOSE: /* is one of the others by now */
	case RG_POLICY_IGNORE:
		break;
	}
	return false;
}

/* old - fresh where that is the bad way, else 0; its size where both ways are. */
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
 * without one only its size matters, and the row's own formula is kept. From zero it is infinite.
 */
static double relative(const rg_metric_policy *policy, double old, double fresh, double difference)
{
	if (difference == 0 || rg_policy_is_under_floor(policy, old, fresh))
		return 0;
	return rg_ratio(difference, old, fresh,
			policy->direction == RG_DIRECTION_BOTH ? old : fabs(old));
}

/* The score of two finite values by their difference, which is `ulps` values of their type. */
static double score_pair(const rg_metric_policy *policy, double old, double fresh,
			 double difference, uint64_t ulps)
{
	double size = directed(policy, difference);
	if (rg_policy_is_under_floor(policy, old, fresh))
		return 0;
	if (policy->kind == RG_POLICY_ULP && policy->direction == RG_DIRECTION_BOTH)
		return (double)ulps;
	if (size <= 0)
		return 0;
	if (policy->kind == RG_POLICY_ULP)
		return (double)ulps;
	if (policy->kind != RG_POLICY_COMBINED)
		return size;
	const double bound = policy->atol + policy->rtol * fabs(old);
	if (isfinite(size) && isfinite(bound))
		return size / bound;
	return fabs(old * RG_SCALE - fresh * RG_SCALE) /
	       (policy->atol * RG_SCALE + policy->rtol * (fabs(old) * RG_SCALE));
}

static void note_worst(double *worst, double value)
{
	if (!isnan(value) && !(value <= *worst))
		*worst = value;
}

static void keep(rg_score *score, const double *old, const double *fresh, size_t count)
{
	size_t n = score->count;
	if (!count)
		return;
	rg_grow(&score->old, &score->old_capacity, n + count, sizeof(*score->old));
	rg_grow(&score->fresh, &score->fresh_capacity, n + count, sizeof(*score->fresh));
	memcpy(score->old + n, old, count * sizeof(*old));
	memcpy(score->fresh + n, fresh, count * sizeof(*fresh));
	score->count += count;
}

/* Pair `i` of a chunk; both values are finite. */
static void add_pair(rg_score *score, const rg_pair_chunk *chunk, size_t i, double old,
		     double fresh, double difference)
{
	const rg_metric_policy *policy = score->policy;
	const size_t at = i * rg_dtype_size(chunk->dtype);
	double value;

	if (policy->kind == RG_POLICY_RELATIVE) {
		value = relative(policy, old, fresh, difference);
		if (fabs(old) < policy->near_zero &&
		    !rg_policy_is_under_floor(policy, old, fresh)) {
			note_worst(&score->worst_small, directed(policy, value));
			return;
		}
		rg_sum_add(&score->relative, value * RG_SCALE);
		score->relative_count++;
		note_worst(&score->largest, fabs(value));
		value = directed(policy, value);
		note_worst(&score->worst, value);
		return;
	}
	value = score_pair(policy, old, fresh, difference,
			   policy->kind == RG_POLICY_ULP
				   ? rg_pair_kernel_get(false)->ulps[chunk->dtype](
					     chunk->old + at, chunk->fresh + at, 1)
				   : 0);
	note_worst(&score->worst, value);
}

void rg_score_add(rg_score *score, const rg_pair_chunk *chunk, const double *old,
		  const double *fresh, const double *more)
{
	const rg_metric_policy *policy = score->policy;
	const size_t size = rg_dtype_size(chunk->dtype);

	score->dtype = chunk->dtype;
	for (size_t i = 0; i < chunk->count; i++)
		if (policy->kind == RG_POLICY_EXACT)
			score->differs |=
				memcmp(chunk->old + i * size, chunk->fresh + i * size, size) != 0 &&
				!rg_policy_is_under_floor(policy, old[i], fresh[i]);
		else if (!isfinite(old[i]) || !isfinite(fresh[i]))
			continue;
		else if (policy->aggregate != RG_AGGREGATE_NONE)
			keep(score, &old[i], &fresh[i], 1);
		else
			add_pair(score, chunk, i, old[i], fresh[i],
				 old[i] - fresh[i] - (more ? more[i] : 0));
}

void rg_score_join(rg_score *score, const rg_score *part)
{
	score->dtype = part->dtype;
	rg_sum_add(&score->relative, part->relative.sum);
	score->relative.correction += part->relative.correction;
	score->relative_count += part->relative_count;
	note_worst(&score->worst, part->worst);
	note_worst(&score->worst_small, part->worst_small);
	note_worst(&score->largest, part->largest);
	score->differs |= part->differs;
	keep(score, part->old, part->fresh, part->count);
}

/* Reorders the values. At least one, all finite. */
static double aggregate(rg_aggregate kind, double *values, size_t count)
{
	rg_wide_sum sum = {0};
	if (kind == RG_AGGREGATE_MEAN) {
		for (size_t i = 0; i < count; i++)
			rg_wide_sum_add(&sum, values[i]);
		return rg_wide_sum_mean(&sum, count);
	}
	return kind == RG_AGGREGATE_MAX ? rg_quantile(values, count, 1) : rg_median(values, count);
}

static double final_score(rg_score *score, const rg_row *row)
{
	const rg_metric_policy *policy = score->policy;
	if (policy->kind == RG_POLICY_IGNORE)
		return NAN;
	if (policy->kind == RG_POLICY_EXACT)
		return (rg_score_needs_pairs(policy) ? score->differs : !row->identical) ? 1 : 0;
	if (policy->aggregate != RG_AGGREGATE_NONE) {
		if (!score->count)
			return NAN;
		/* Each side's steps became one figure. */
		double old = aggregate(policy->aggregate, score->old, score->count);
		double fresh = aggregate(policy->aggregate, score->fresh, score->count);
		if (policy->kind == RG_POLICY_RELATIVE)
			return directed(policy, relative(policy, old, fresh, old - fresh));
		return score_pair(policy, old, fresh, old - fresh,
				  rg_ulps_between(score->dtype, old, fresh));
	}
	if (policy->kind != RG_POLICY_RELATIVE)
		return score->worst;
	if (!rg_score_needs_pairs(policy))
		return row->from_zero.count ? INFINITY : row->moved;
	const double n = (double)score->relative_count, total = rg_sum_total(&score->relative);
	/* A sum that overflows in both directions is as bad as one in either can be. */
	const double mean = !score->relative_count ? NAN
			    : isnan(total)         ? INFINITY
					   : directed(policy, ldexp(total / n, RG_SCALE_UP));
	return fmax(row->by_largest ? score->worst : mean, score->worst_small);
}

/* Steps that cancel to nothing are not the same on both sides. */
static double moved(const rg_score *score, const rg_row *row)
{
	const double largest = isnan(score->largest) ? row->max_abs_rel : score->largest;
	const double mean = row->avg_rel_diff == 0 ? row->mean_abs_rel : fabs(row->avg_rel_diff);
	return fmax(row->by_largest ? largest : mean,
		    row->too_small.rel > 0 ? row->too_small.rel : NAN);
}

double rg_score_fail_level(const rg_metric_policy *policy)
{
	if (policy->kind == RG_POLICY_IGNORE)
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
	row->by_largest = policy->score == RG_SCORE_MAX ||
			  (policy->score == RG_SCORE_USUAL && (row->by_record || row->tensor));
	row->moved = moved(score, row);
	row->score = final_score(score, row);
	row->fail_at = rg_score_fail_level(policy);
	row->flag_at = policy->kind == RG_POLICY_RELATIVE ? policy->flag : NAN;
	row->level = level_of(policy, row->score, row->fail_at);
	/* Values that turned NaN or infinite, or are missing, count in no figure: a person has to
	 * see them. */
	if ((row->left_out.new_nonfinite || row->lost) && row->level != RG_LEVEL_NONE &&
	    row->level < RG_LEVEL_FLAG)
		row->level = RG_LEVEL_FLAG;
}

void rg_score_exact(const rg_metric_policy *policy, rg_row *row)
{
	row->score = NAN;
	row->level = RG_LEVEL_NONE;
	row->fail_at = rg_score_fail_level(policy);
	row->flag_at = policy->kind == RG_POLICY_RELATIVE ? policy->flag : NAN;
	if (policy->kind != RG_POLICY_EXACT)
		return;
	row->score = row->identical ? 0 : 1;
	row->level = level_of(policy, row->score, row->fail_at);
}
