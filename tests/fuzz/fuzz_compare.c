/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two goldens against each other, under a policy. A row's counts are held against a plain count of
 * its steps, and against the row that the two make the other way round.
 */
#include "two_goldens.h"

#include "compare/compare.h"
#include "compare/defects.h"
#include "compare/gate.h"
#include "compare/nonfinite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int64_t step_at(const rg_metric *metric, size_t i)
{
	return metric->steps ? metric->steps[i] : (int64_t)i;
}

/* The value at that step; false where there is none. */
static bool value_of(const rg_metric *metric, int64_t step, double *out)
{
	size_t i;

	for (i = 0; i < metric->count; i++)
		if (step_at(metric, i) == step) {
			*out = metric->values[i];
			return true;
		}
	return false;
}

static bool is_same_kind(double a, double b)
{
	return isnan(a) == isnan(b) && isinf(a) == isinf(b) &&
	       (isnan(a) || signbit(a) == signbit(b));
}

static void count_step(rg_row *plain, const rg_metric_policy *policy, double old, double fresh)
{
	if (!isfinite(fresh) && !is_same_kind(old, fresh)) {
		plain->left_out.new_nonfinite++;
		return;
	}
	if (!isfinite(old)) {
		plain->left_out.old_nonfinite++;
		return;
	}
	plain->max_abs = fmax(plain->max_abs, fabs(old - fresh));
	plain->n_steps += fabs(old) >= policy->near_zero;
	plain->left_out.near_zero += fabs(old) < policy->near_zero;
}

/* Whole numbers of texts that no double holds. */
static bool same_digits(const rg_metric *old, const rg_metric *fresh)
{
	size_t i = 0;
	while (i < old->digit_count && i < fresh->digit_count &&
	       old->digits[i].step == fresh->digits[i].step &&
	       !strcmp(old->digits[i].text, fresh->digits[i].text))
		i++;
	return i == old->digit_count && i == fresh->digit_count;
}

static bool same_at(const double *old, size_t i, const double *fresh, size_t k)
{
	const double a = old ? old[i] : NAN, b = fresh ? fresh[k] : NAN;
	return a == b || (isnan(a) && isnan(b));
}

/* What files say of how exact their values are. */
static bool same_beside(const rg_metric *old, const rg_metric *fresh)
{
	bool same = true;
	for (size_t i = 0; i < old->count; i++)
		for (size_t k = 0; k < fresh->count; k++)
			same &= step_at(old, i) != step_at(fresh, k) ||
				(same_at(old->errors, i, fresh->errors, k) &&
				 same_at(old->tolerances, i, fresh->tolerances, k));
	return same;
}

/* Equal figures in two units are not the same value. */
static bool same_units(const rg_metric *old, const rg_metric *fresh)
{
	bool same = true;
	double value;
	for (size_t i = 0; i < old->count; i++) {
		const char *was = rg_metric_unit(old, step_at(old, i));
		const char *is = rg_metric_unit(fresh, step_at(old, i));
		same &= !value_of(fresh, step_at(old, i), &value) ||
			!strcmp(was ? was : "", is ? is : "");
	}
	return same;
}

/* A step that came. */
static void count_new_step(rg_row *plain, const rg_metric *fresh, const rg_metric_policy *policy,
			   size_t i)
{
	rg_nan_pattern pattern;

	plain->identical = false;
	require(!rg_nan_pattern_find(&pattern, fresh), "no memory");
	if (isfinite(fresh->values[i]) ||
	    (isnan(fresh->values[i]) &&
	     rg_nan_is_usual(&pattern, policy, step_at(fresh, i), false, NULL))) {
		plain->left_out.new_only++;
		return;
	}
	plain->left_out.new_nonfinite++;
	plain->nonfinite++;
}

static rg_row count_plainly(const rg_metric *old, const rg_metric *fresh,
			    const rg_metric_policy *policy)
{
	rg_row plain = {.identical = true};
	size_t i, both = 0, skipped = 0, from;
	double value;

	for (i = 0; i < old->count; i++)
		both += value_of(fresh, step_at(old, i), &value) &&
			step_at(old, i) >= policy->first_step &&
			step_at(old, i) <= policy->last_step;
	from = policy->last_steps && both > policy->last_steps ? both - policy->last_steps : 0;
	for (i = 0; i < old->count; i++) {
		int64_t step = step_at(old, i);

		if (!value_of(fresh, step, &value)) {
			plain.left_out.by[isnan(old->values[i]) ? RG_LEFT_OLD_PLACEHOLDER
								: RG_LEFT_OLD_ONLY]++;
			continue;
		}
		plain.identical &= !memcmp(&old->values[i], &value, sizeof(value));
		plain.nonfinite += !isfinite(value) && !is_same_kind(old->values[i], value);
		if (step < policy->first_step || step > policy->last_step || skipped < from) {
			skipped += step >= policy->first_step && step <= policy->last_step;
			plain.left_out.not_looked_at++;
			continue;
		}
		count_step(&plain, policy, old->values[i], value);
	}
	plain.left_out.no_step = old->no_step_keys + fresh->no_step_keys;
	plain.identical &= old->no_step_keys == fresh->no_step_keys &&
			   old->no_step_sum == fresh->no_step_sum &&
			   old->shadowed == fresh->shadowed;
	for (i = 0; i < fresh->count; i++)
		if (!value_of(old, step_at(fresh, i), &value))
			count_new_step(&plain, fresh, policy, i);
	plain.identical &=
		!plain.left_out.old_only && same_digits(old, fresh) && same_units(old, fresh) &&
		((!old->errors && !fresh->errors && !old->tolerances && !fresh->tolerances) ||
		 same_beside(old, fresh));
	return plain;
}

static void check_figures(const rg_row *row)
{
	require(!isnan(row->avg_rel_diff), "avg_rel_diff");
	require(fabs(row->avg_rel_diff) <= row->mean_abs_rel * (1 + 1e-12) ||
			isinf(row->mean_abs_rel),
		"mean_abs_rel");
	require(row->mean_abs_rel <= row->max_abs_rel * (1 + 1e-12) || isinf(row->mean_abs_rel),
		"max_abs_rel");
	require(row->share_above_zero >= 0 && row->share_above_zero <= 1, "share_above_zero");
	require(!row->identical || (!row->max_ulps && !row->first_diff_known), "identical");
}

static void check_metric(const rg_metric *old, const rg_metric *fresh, const rg_policy *policy)
{
	rg_row row = {0}, turned = {0}, plain;
	bool is_row, is_turned;
	rg_metric_policy own;
	rg_arena arena;

	rg_arena_init(&arena);
	rg_policy_resolve(policy, NULL, old->name, &own);
	require(!rg_compare_metric(&row, &is_row, &arena, old, fresh, policy, NULL), "no memory");
	require(!rg_compare_metric(&turned, &is_turned, &arena, fresh, old, policy, NULL),
		"no memory");
	require(row.identical == turned.identical || row.left_out.old_placeholder ||
			turned.left_out.old_placeholder,
		"identical one way alone");
	/* Steps of two tables that were not aligned are not the same records. */
	if (old->records != fresh->records) {
		require(row.kind == RG_ROW_EXACT && !row.n_steps, "records by their places");
	} else if (old->kind == RG_METRIC_SERIES && fresh->kind == RG_METRIC_SERIES) {
		plain = count_plainly(old, fresh, &own);
		require(row.n_steps == plain.n_steps && is_row >= (plain.n_steps > 0), "n_steps");
		require(row.nonfinite == plain.nonfinite, "nonfinite");
		require(!memcmp(&row.left_out, &plain.left_out, sizeof(plain.left_out)),
			"left out");
		require(row.identical == plain.identical, "identical");
		require(row.max_abs == plain.max_abs && row.max_abs == turned.max_abs, "max_abs");
		require(row.max_ulps == turned.max_ulps, "max_ulps");
		require(row.first_diff_known == turned.first_diff_known &&
				row.first_diff == turned.first_diff,
			"first_diff");
		if (row.n_steps)
			check_figures(&row);
	}
	rg_arena_release(&arena);
}

/* A line of bounded length, however many steps there are; names aside. */
static rg_error *look_at(void *context, const rg_defect *defect)
{
	size_t name = defect->metric ? strlen(defect->metric->name) : 0;

	(void)context;
	name += defect->key ? strlen(defect->key) : 0;
	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_TEXT);
	rg_defect_say(&text, defect);
	require(text.length > name && text.length < name + 1000, "a finding that is no line");
	return NULL;
}

static rg_error *give_itself(void *context, const rg_golden **out)
{
	*out = context;
	return NULL;
}

static void check_gate(const rg_comparison *comparison)
{
	const rg_condition *condition;
	rg_breach_list breaches = {0};
	rg_gate gate;

	rg_gate_init(&gate);
	require(!rg_gate_add(&gate, "0"), "no memory");
	/* What names a check of a project has none here to name. */
	for (condition = rg_conditions; condition->name; condition++)
		require(condition->takes || !rg_gate_add_conditions(&gate, condition->name),
			"no memory");
	require(!rg_gate_add_conditions(&gate, "slower=0%,snr-drop=0"), "no memory");
	rg_gate_evaluate(&gate, comparison, &breaches);
	require(!breaches.count, "a gate that breaks where nothing changed");
	rg_breach_list_release(&breaches);
	rg_gate_release(&gate);
}

/* Nothing changed: no gate may break. */
static void check_with_itself(rg_golden *golden, const rg_policy *policy)
{
	const rg_defect_options alone = {.policy = policy, .found = look_at};
	const rg_defect_options again = {
		.policy = policy, .found = look_at, .baseline = give_itself, .context = golden};
	const rg_file_name name = {.file = "golden.json"};
	rg_comparison comparison;
	size_t i;

	rg_comparison_init(&comparison);
	require(!rg_compare_goldens(&comparison, &name, golden, golden, policy), "no memory");
	require(comparison.files[0].identical, "a file that differs from itself");
	for (i = 0; i < comparison.row_count; i++)
		require(comparison.rows[i].identical && comparison.rows[i].level != RG_LEVEL_FAIL,
			"a row that differs from itself");
	check_gate(&comparison);
	rg_comparison_release(&comparison);
	require(!rg_golden_check(golden, &alone), "no memory");
	require(!rg_golden_check(golden, &again), "no memory");
}

static void check_goldens(rg_golden *old, rg_golden *fresh, const rg_policy *policy)
{
	size_t i;

	for (i = 0; i < old->count; i++) {
		const rg_metric *other = rg_golden_find(fresh, old->metrics[i].name);

		/* A golden that no reader takes has a row of its own. */
		if (other && other->kind != RG_METRIC_OPAQUE &&
		    old->metrics[i].kind != RG_METRIC_OPAQUE)
			check_metric(&old->metrics[i], other, policy);
	}
	check_with_itself(old, policy);
	check_with_itself(fresh, policy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	two_goldens goldens;

	two_goldens_read(&goldens, data, size);
	if (goldens.old && goldens.fresh)
		check_goldens(goldens.old, goldens.fresh, goldens.policy);
	two_goldens_release(&goldens);
	return 0;
}
