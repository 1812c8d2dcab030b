/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_COMPARE_DEFECTS_H
#define REGILD_COMPARE_DEFECTS_H

#include "compare/policy.h"
#include "golden/golden.h"

/* What is wrong with a golden in itself, whatever it is compared with. */
typedef enum {
	RG_DEFECT_NONFINITE,    /* a value is NaN or infinite */
	RG_DEFECT_OUTSIDE_STEP, /* a step outside of the block's own start_step … end_step */
	RG_DEFECT_ODD_STEP,     /* a step between two of the block's own */
	RG_DEFECT_MISSING_STEP, /* a step that the block promises and that has no value */
	RG_DEFECT_BAD_STEPS,    /* the block's own figures make no sense: interval under 1, end
				    before start */
	RG_DEFECT_DUPLICATE_KEYS,
	RG_DEFECT_NO_VALUE, /* a step without a value: null, a text that is not a number */
} rg_defect_kind;

typedef struct {
	rg_defect_kind kind;
	const rg_metric *metric; /* NULL: keys of the file's objects appear twice */
	const char *key;         /* then: one of them; NULL where the reader cannot tell */
	bool has_step;
	int64_t step; /* the first of `count` */
	double value; /* RG_DEFECT_NONFINITE */
	size_t count; /* how many of the kind in this metric; 1 for RG_DEFECT_NONFINITE */
} rg_defect;

/* Must a series' value at the place `i`, by what holds for the metric, be finite? "last 10" are
 * this series' own. */
bool rg_check_looks_at(const rg_metric *metric, const rg_metric_policy *policy, size_t i);

/* Takes a finding, which borrows the golden and is there for the call alone. An error ends the
 * check and is returned from it. */
typedef rg_error *rg_defect_fn(void *context, const rg_defect *finding);

/*
 * Looks through a golden: findings come in the order of metrics, in one by step. With a policy,
 * metrics of kind ignore are left out, and so are non-finite values at steps that the metric's
 * `steps` does not look at. Which steps a block has: start_step, then either every step_interval-th
 * from there on, or, as Megatron-LM's logs have it, every multiple of step_interval; end_step
 * itself may be there or not.
 */
RG_CHECKED rg_error *rg_golden_check(const rg_golden *golden, const rg_policy *policy,
				     rg_defect_fn *found, void *context);

#endif
