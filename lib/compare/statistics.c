#include "compare/statistics.h"

#include "compare/aligned.h"
#include "compare/compare.h"
#include "compare/left_out.h"
#include "compare/score.h"
#include "compare/tensor_norms.h"

#include <math.h>
#include <string.h>

bool rg_same_bits(double a, double b)
{
	uint64_t left, right;

	memcpy(&left, &a, sizeof(left));
	memcpy(&right, &b, sizeof(right));
	return left == right;
}

/* The doubles' order as integers: negative ones are counted down from zero. */
static int64_t place_of(double value)
{
	int64_t bits;

	memcpy(&bits, &value, sizeof(bits));
	return bits < 0 ? INT64_MIN - bits : bits;
}

uint64_t rg_ulp_distance(double a, double b)
{
	int64_t left = place_of(a), right = place_of(b);
	uint64_t difference = (uint64_t)left - (uint64_t)right, turn = 0 - (uint64_t)(left < right);

	/* Its size, by two's complement: which side is larger is anybody's guess, so that a jump on
	 * it would be mispredicted every other time. */
	return (difference ^ turn) - turn;
}

/* The tensor's figures, over values that are finite on both sides. */
typedef struct {
	rg_sum err2, ref2, new2, product, abs_err, err;
	size_t count, mismatches, worst;
	bool old_any, new_any; /* values that are not zero */
	double worst_err;
} tensor_sums;

typedef struct {
	rg_sum relative, abs_relative, old, new;
	size_t above_zero;
	size_t looked_at; /* steps on both sides that the policy looks at */
	size_t place;     /* of the step under way, among all of both sides */
	rg_left_steps *left;
	bool differs;
	const rg_metric_policy *policy;
	rg_row *row;
	tensor_sums *tensor; /* NULL: not asked for */
	rg_score *score;     /* NULL: avg_rel_diff is the score */
} accumulator;

static void note_difference(accumulator *a, int64_t step)
{
	a->differs = true;
	if (a->row->first_diff_known)
		return;
	a->row->first_diff_known = true;
	a->row->first_diff = step;
}

static void add_relative(accumulator *a, int64_t step, double old, double new)
{
	rg_row *row = a->row;
	double difference = (old - new) / old, size = fabs(difference);

	rg_sum_add(&a->relative, difference);
	rg_sum_add(&a->abs_relative, size);
	rg_sum_add(&a->old, old);
	rg_sum_add(&a->new, new);
	a->above_zero += difference > 0;
	if (!row->n_steps || size > row->max_abs_rel) {
		row->max_abs_rel = size;
		row->max_abs_rel_step = step;
	}
	row->n_steps++;
}

static void add_tensor_values(tensor_sums *t, size_t index, double old, double new)
{
	double err = new - old;

	rg_sum_add(&t->err2, err * err);
	rg_sum_add(&t->ref2, old * old);
	rg_sum_add(&t->new2, new *new);
	rg_sum_add(&t->product, old * new);
	rg_sum_add(&t->abs_err, fabs(err));
	rg_sum_add(&t->err, err);
	t->old_any |= old != 0;
	t->new_any |= new != 0;
	if (!t->count || fabs(err) > t->worst_err) {
		t->worst_err = fabs(err);
		t->worst = index;
	}
	t->count++;
}

static void leave_out(accumulator *a, rg_left_reason reason, size_t *count, int64_t step)
{
	++*count;
	rg_left_steps_note(a->left, reason, a->place, step, step, 1);
}

static void add_nonfinite(accumulator *a, int64_t step, double old, double new)
{
	rg_left_out *left = &a->row->left_out;

	if (isfinite(old))
		leave_out(a, RG_LEFT_NEW_NONFINITE, &left->new_nonfinite, step);
	else
		leave_out(a, RG_LEFT_OLD_NONFINITE, &left->old_nonfinite, step);
	if (a->tensor && rg_is_mismatch(old, new))
		a->tensor->mismatches++;
}

static void add_step(accumulator *a, int64_t step, double old, double new)
{
	rg_row *row = a->row;
	double distance;

	if (!rg_same_bits(old, new)) {
		note_difference(a, step);
		if (isfinite(old) && isfinite(new)) {
			uint64_t ulps = rg_ulp_distance(old, new);

			row->max_ulps = ulps > row->max_ulps ? ulps : row->max_ulps;
		}
	}
	if (!isfinite(old) || !isfinite(new)) {
		add_nonfinite(a, step, old, new);
		return;
	}
	distance = fabs(old - new);
	row->max_abs = distance > row->max_abs ? distance : row->max_abs;
	if (a->tensor)
		add_tensor_values(a->tensor, (size_t)step, old, new);
	if (fabs(old) >= RG_NEAR_ZERO)
		add_relative(a, step, old, new);
	else
		leave_out(a, RG_LEFT_NEAR_ZERO, &row->left_out.near_zero, step);
}

/* Steps on one side only; how many they are the walk counts. */
static void add_alone(accumulator *a, const rg_aligned_run *run)
{
	rg_left_reason reason = run->side == RG_ALIGNED_OLD_ONLY ? RG_LEFT_OLD_ONLY
								 : RG_LEFT_NEW_ONLY;
	int64_t last = run->steps ? run->steps[run->count - 1]
				  : run->first_step + (int64_t)(run->count - 1);

	rg_left_steps_note(a->left, reason, a->place, run->first_step, last, run->count);
	a->place += run->count;
}

static rg_error *add_run(void *context, const rg_aligned_run *run)
{
	accumulator *a = context;
	const rg_metric_policy *policy = a->policy;
	size_t i;

	if (run->side != RG_ALIGNED_BOTH) {
		add_alone(a, run);
		return NULL;
	}
	for (i = 0; i < run->count; i++, a->place++) {
		int64_t step = run->steps ? run->steps[i] : run->first_step + (int64_t)i;

		if (step < policy->first_step || step > policy->last_step) {
			leave_out(a, RG_LEFT_NOT_LOOKED_AT, &a->row->left_out.not_looked_at, step);
			a->differs |= !rg_same_bits(run->old[i], run->new[i]);
			continue;
		}
		a->looked_at++;
		add_step(a, step, run->old[i], run->new[i]);
		if (a->score)
			RG_TRY(rg_score_add(a->score, run->old[i], run->new[i]));
	}
	return NULL;
}

/* The steps that the policy looks at, once more. */
typedef struct {
	rg_tensor_norms norms;
	const rg_metric_policy *policy;
} norms_run;

static rg_error *add_norms(void *context, const rg_aligned_run *run)
{
	norms_run *n = context;
	size_t i;

	for (i = 0; run->side == RG_ALIGNED_BOTH && i < run->count; i++) {
		int64_t step = run->steps ? run->steps[i] : run->first_step + (int64_t)i;

		if (step >= n->policy->first_step && step <= n->policy->last_step)
			RG_TRY(rg_tensor_norms_add(&n->norms, &run->old[i], &run->new[i], 1));
	}
	return NULL;
}

static rg_error *finish_tensor(const tensor_sums *t, rg_row *row, rg_arena *arena,
			       const rg_metric *old, const rg_metric *new,
			       const rg_metric_policy *policy)
{
	norms_run again = {.policy = policy};
	rg_aligned_totals totals;
	rg_tensor_sums sums = {
		.err2 = rg_sum_total(&t->err2),
		.ref2 = rg_sum_total(&t->ref2),
		.new2 = rg_sum_total(&t->new2),
		.product = rg_sum_total(&t->product),
		.abs_err = rg_sum_total(&t->abs_err),
		.err = rg_sum_total(&t->err),
		.count = t->count,
		.mismatches = t->mismatches,
		.worst = t->worst,
		.old_is_zero = !t->old_any,
		.new_is_zero = !t->new_any,
	};
	rg_tensor_stats *stats;

	if (rg_tensor_norms_begin(&again.norms, &sums)) {
		RG_TRY(rg_aligned_walk(old, new, add_norms, &again, &totals));
		rg_tensor_norms_finish(&again.norms, &sums);
	}
	RG_TRY(rg_tensor_stats_make(&stats, arena, &sums, new));
	row->tensor = stats;
	return NULL;
}

static void finish_row(accumulator *a, const rg_aligned_totals *totals)
{
	rg_row *row = a->row;
	double n = (double)row->n_steps;

	row->left_out.old_only = totals->old_only;
	row->left_out.new_only = totals->new_only;
	row->identical = !a->differs && !totals->old_only && !totals->new_only;
	row->avg_rel_diff = row->n_steps ? rg_sum_mean(&a->relative, row->n_steps) : NAN;
	row->mean_abs_rel = row->n_steps ? rg_sum_total(&a->abs_relative) / n : NAN;
	row->max_abs_rel = row->n_steps ? row->max_abs_rel : NAN;
	row->share_above_zero = row->n_steps ? (double)a->above_zero / n : NAN;
	row->old_mean = row->n_steps ? rg_sum_total(&a->old) / n : NAN;
	row->new_mean = row->n_steps ? rg_sum_total(&a->new) / n : NAN;
}

static bool same_shape(const rg_metric *old, const rg_metric *new)
{
	return old->dimensions && old->dimensions == new->dimensions &&
	       !memcmp(old->shape, new->shape, old->dimensions * sizeof(old->shape[0]));
}

/* Is a score of all steps the largest of its pairs' (equal ones being 0), or the row's own figure?
 */
static bool is_plain(const rg_metric_policy *policy)
{
	bool largest = policy->kind == RG_POLICY_ABSOLUTE || policy->kind == RG_POLICY_COMBINED ||
		       policy->kind == RG_POLICY_ULP;

	return !rg_policy_narrows(policy) && (!rg_score_needs_steps(policy) ||
					      (largest && policy->aggregate == RG_AGGREGATE_NONE));
}

/* How many of a metric's steps are less than `step`. */
static size_t steps_before(const rg_metric *metric, int64_t step)
{
	size_t low = 0, high = metric->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (rg_metric_step(metric, middle) < step)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static size_t steps_looked_at(const rg_metric *metric, const rg_metric_policy *policy)
{
	size_t end = policy->last_step == INT64_MAX ? metric->count
						    : steps_before(metric, policy->last_step + 1);

	return end - steps_before(metric, policy->first_step);
}

static rg_error *note_other_bits(void *context, const double *old, const double *new, size_t count)
{
	rg_row *row = context;

	(void)old;
	(void)new;
	row->identical &= !count;
	return NULL;
}

/* What doubles cannot tell of two tensors: types that differ, and integers past 2^53. */
static rg_error *compare_bits(rg_row *row, rg_score *score, const rg_metric *old,
			      const rg_metric *new)
{
	if (!row->identical || !old->tensor || !new->tensor)
		return NULL;
	row->identical = rg_tensor_is_pair(old, new);
	if (row->identical)
		RG_TRY(rg_tensor_pairs(old, new, false, note_other_bits, row));
	score->differs |= !row->identical;
	return NULL;
}

static rg_error *step_by_step(rg_row *row, rg_arena *arena, const rg_metric *old,
			      const rg_metric *new, const rg_metric_policy *policy)
{
	rg_metric_policy narrowed = *policy;
	tensor_sums tensor = {0};
	rg_left_steps left = {0};
	rg_score score;
	accumulator a = {.policy = &narrowed, .row = row, .left = &left};
	rg_aligned_totals totals;
	size_t of_old, of_new;
	rg_error *err;

	if (policy->last_steps)
		rg_aligned_narrow(old, new, policy->last_steps, &narrowed.first_step,
				  narrowed.last_step);
	if (same_shape(old, new))
		a.tensor = &tensor;
	rg_score_init(&score, policy);
	if (rg_score_needs_steps(policy))
		a.score = &score;
	err = rg_aligned_walk(old, new, add_run, &a, &totals);
	if (!err)
		finish_row(&a, &totals);
	/* Of those that it looks at, some stand on one side only. */
	of_old = steps_looked_at(old, &narrowed);
	of_new = steps_looked_at(new, &narrowed);
	score.differs |= of_old != a.looked_at || of_new != a.looked_at;
	row->gone = of_old && !a.looked_at;
	if (!err)
		err = rg_left_out_text(&row->left_out_text, arena, &row->left_out, &left);
	if (!err)
		err = compare_bits(row, &score, old, new);
	if (!err && a.tensor)
		err = finish_tensor(&tensor, row, arena, old, new, &narrowed);
	if (!err)
		rg_score_finish(&score, row);
	rg_score_release(&score);
	return err;
}

static rg_error *score_pairs(void *context, const double *old, const double *new, size_t count)
{
	rg_score *score = context;
	size_t i;

	if (!count)
		return rg_score_add(score, 1, 1);
	for (i = 0; i < count; i++)
		RG_TRY(rg_score_add(score, old[i], new[i]));
	return NULL;
}

static rg_error *score_tensors(rg_row *row, const rg_metric *old, const rg_metric *new,
			       const rg_metric_policy *policy)
{
	rg_error *err = NULL;
	rg_score score;

	rg_score_init(&score, policy);
	if (policy->kind == RG_POLICY_ULP && isnan(policy->floor) &&
	    policy->direction == RG_DIRECTION_BOTH)
		score.worst = (double)row->max_ulps; /* in the tensors' own type */
	else if (rg_score_needs_steps(policy))
		err = rg_tensor_pairs(old, new, false, score_pairs, &score);
	if (!err)
		rg_score_finish(&score, row);
	rg_score_release(&score);
	return err;
}

rg_error *rg_series_statistics(rg_row *row, rg_arena *arena, const rg_metric *old,
			       const rg_metric *new, const rg_metric_policy *policy)
{
	if (!is_plain(policy) || !rg_tensor_is_pair(old, new))
		return step_by_step(row, arena, old, new, policy);
	RG_TRY(rg_tensor_statistics(row, arena, old, new));
	RG_TRY(rg_left_out_text(&row->left_out_text, arena, &row->left_out, NULL));
	return score_tensors(row, old, new, policy);
}
