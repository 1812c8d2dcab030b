/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_COMPARE_DEFECTS_H
#define REGILD_COMPARE_DEFECTS_H

#include "compare/nonfinite.h"
#include "compare/policy.h"
#include "golden/golden.h"

/* What is wrong with a golden in itself, whatever it is compared with. */
typedef enum {
	RG_DEFECT_NONFINITE,    /* values are NaN or infinite */
	RG_DEFECT_OUTSIDE_STEP, /* steps outside of the block's own start_step … end_step */
	RG_DEFECT_ODD_STEP,     /* steps between two of the block's own */
	RG_DEFECT_MISSING_STEP, /* steps that the block promises and that have no value */
	RG_DEFECT_BAD_STEPS,    /* the block's own figures make no sense: interval under 1, end
				    before start */
	RG_DEFECT_DUPLICATE_KEYS,
	RG_DEFECT_NO_VALUE, /* steps without a value: null, a text that is not a number */
	/* Nothing is wrong: NaN that a log leaves on purpose (nan_pattern.h), and always has. */
	RG_DEFECT_NONE_LEADING,
	RG_DEFECT_NONE_PERIODIC,
} rg_defect_kind;

/* At most one of a kind for each metric. */
typedef struct {
	rg_defect_kind kind;
	const rg_metric *metric; /* NULL: keys of the file's objects appear twice */
	rg_nonfinite nonfinite;  /* RG_DEFECT_NONFINITE */
	rg_step_ranges steps;    /* RG_DEFECT_…_STEP */
	/* RG_DEFECT_DUPLICATE_KEYS, RG_DEFECT_NO_VALUE. */
	const char *key; /* without a metric: one of them; NULL where the reader cannot tell */
	bool has_step;
	int64_t step; /* the first of `count` */
	size_t count;
} rg_defect;

/* Must a series' value at the place `i`, by what holds for the metric, be finite? "last 10" are
 * this series' own. */
bool rg_check_looks_at(const rg_metric *metric, const rg_metric_policy *policy, size_t i);

/* Takes a finding, which borrows the golden and is there for the call alone. An error ends the
 * check and is returned from it. */
typedef rg_error *rg_defect_fn(void *context, const rg_defect *finding);
/* The golden as it was before, borrowed until the check ends; *out NULL where it was not there. */
typedef rg_error *rg_baseline_fn(void *context, const rg_golden **out);

typedef struct {
	const rg_policy *policy;
	const char *file; /* for the policy */
	rg_defect_fn *found;
	rg_baseline_fn
		*baseline; /* asked at most once, and only if NaN depend on it; may be NULL */
	void *context;
} rg_defect_options;

/*
 * Looks through a golden: findings come in the order of metrics. With a policy, metrics of kind
 * ignore are left out, and so are non-finite values at steps that the metric's `steps` does not
 * look at. Leading and periodic NaN are no defect where the baseline's series is NaN at the same
 * steps, or, without such a series, where the metric's name has "time" in it.
 *
 * Which steps a block has: start_step, then either every step_interval-th from there on, or, as
 * Megatron-LM's logs have it, every multiple of step_interval; end_step itself may be there or not.
 */
RG_CHECKED rg_error *rg_golden_check(const rg_golden *golden, const rg_defect_options *options);

#endif
