/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_COMPARE_DEFECTS_H
#define REGILD_COMPARE_DEFECTS_H

#include "compare/nonfinite.h"
#include "compare/policy.h"
#include "golden/golden.h"

/* Faults of a golden in itself, whatever it is compared with. */
typedef enum {
	RG_DEFECT_NONFINITE,    /* values are NaN or infinite */
	RG_DEFECT_OUTSIDE_STEP, /* steps outside of the block's own start_step … end_step */
	RG_DEFECT_ODD_STEP,     /* steps between two of the block's own */
	RG_DEFECT_BAD_STEPS,    /* the block's own figures make no sense: interval under 1, end
				    before start */
	RG_DEFECT_DUPLICATE_KEYS,
	RG_DEFECT_NO_VALUE, /* steps without a value: null, a text that is not a number */
	RG_DEFECT_EMPTY,    /* the golden has no metrics */
	RG_DEFECT_NOTE,     /* what the reader found wrong, or cannot read */
	/* Nothing is wrong: NaN that a log leaves on purpose (nonfinite.h). */
	RG_DEFECT_NONE_LEADING,
	RG_DEFECT_NONE_PERIODIC,
} rg_defect_kind;

/* At most one of a kind for each metric. */
typedef struct {
	rg_defect_kind kind;
	const rg_metric *metric; /* NULL: it is the file's */
	rg_nonfinite nonfinite;  /* RG_DEFECT_NONFINITE */
	rg_step_ranges steps;    /* RG_DEFECT_…_STEP */
	/* RG_DEFECT_DUPLICATE_KEYS, RG_DEFECT_NO_VALUE. */
	const char *key; /* without a metric: one of them; NULL where the reader cannot tell */
	bool has_step;
	int64_t step;               /* the first of `count` */
	size_t count;               /* RG_DEFECT_EMPTY: not 0 of one without a byte */
	const rg_golden_note *note; /* RG_DEFECT_NOTE */
} rg_defect;

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
	/* No value may be NaN or infinite, whatever is usual and whatever the policy looks at. */
	bool refuse;
	void *context;
} rg_defect_options;

/*
 * Looks through a golden: first the file's findings, then those of the metrics, in their order.
 * With a policy, metrics of kind ignore are left out, and so are non-finite values at steps that
 * the metric's `steps` does not look at. Which NaN are usual: nonfinite.h.
 *
 * Which steps a block may have: start_step, and every step_interval-th from there, from 0 or from
 * the second step on. Steps without a value are absent, so none is missed.
 */
RG_CHECKED rg_error *rg_golden_check(const rg_golden *golden, const rg_defect_options *options);

/* "METRIC: what is wrong", or what is wrong with the file, in a line: "lm loss: nan at 2..4 (3 of
 * 50 steps)". The same for all goldens with the same defect. */
void rg_defect_say(rg_buf *out, const rg_defect *defect);

#endif
