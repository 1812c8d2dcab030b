/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_COMPARE_CHECKS_METRIC_H
#define REGILD_COMPARE_CHECKS_METRIC_H

#include "compare/policy.h"
#include "golden/golden.h"

/* Would a metric's new values pass a check of the project against the old golden? */

/* The steps first … last, where the old side's last finite step is at most `up_to`. */
typedef struct {
	int64_t first, last, up_to;
} rg_checks_window;

enum { RG_CHECKS_WINDOWS_MAX = 8, RG_CHECKS_DECIMALS_MAX = 15 };

struct rg_tool_rule; /* compare/rules.h */
/* Some rules have a parameter, at this place, that pairs records by their names. */
enum { RG_TOOL_BY_NAME = 4, RG_TOOL_PARAMETERS = 5 };

/* A check's limits for one metric. */
typedef struct {
	int decimals; /* both sides are rounded to so many first; -1: not */
	/* |old - new| <= atol + rtol·|old|. Both 0: the values must be equal, and of an old side of
	 * full precision they are not rounded. */
	double rtol, atol;
	/* How many steps may fail: a share of them, rounded down but at least one, or a number, and
	 * at most so many. Of a single step none may. */
	double outlier_share;
	size_t outlier_max; /* with a share of 0: the number */
	/* If there are windows, only the old side's finite steps in the first one that fits count;
	 * if it has none of them, the first `fallback` steps from the window's start on. */
	rg_checks_window windows[RG_CHECKS_WINDOWS_MAX];
	size_t window_count, fallback;
	rg_aggregate aggregate; /* of the steps; the check is of this one figure then */
	/* A tool's rule in place of all these, and its parameters; NULL: as Megatron-LM's tests. */
	const struct rg_tool_rule *rule;
	double parameters[RG_TOOL_PARAMETERS];
} rg_checks_limits;

typedef enum { RG_WHY_MEGATRON, RG_WHY_VALUES, RG_WHY_SHAPE, RG_WHY_MEAN } rg_why;

/* The outcome of a check. */
typedef struct {
	bool passes;
	/* A tool's: what it fails by; and how many values are of another kind now, which it may
	 * pass: that are NaN, masked, infinite or finite and were not; that only one side has, by
	 * their steps or records; and, if there are none of these, that are those of another
	 * record. */
	rg_why why;
	size_t now_nan, now_masked, now_inf, now_finite, lost, gained, moved;
	/* The same number of values in another shape, or of another type; an attribute that
	 * differs.
	 */
	bool reshaped, retyped, attribute;
	/* How many steps are looked at, how many of them are not within the tolerance, and how many
	 * may be; 0 steps if texts or kinds are not the same, or there is no step to look at. */
	size_t steps, failed, allowed;
	double off; /* of one figure of all steps: |old - new| / |old|; else NaN */
} rg_checks_result;

/* A check without a tolerance: every step must be equal. */
bool rg_checks_limits_are_exact(const rg_checks_limits *limits);

/*
 * The old side's steps count; one that only the new side has does not. A value that is a text in
 * the file ("nan"), and a step that the new side lacks, are +inf; inf equals inf, NaN equals
 * nothing. So a step whose placeholder was dropped passes, and one that had a finite value fails. A
 * side that is NULL, of another kind or without any step to look at fails. Texts and lists of
 * integers are looked at, too. What a block function says.
 */
RG_CHECKED rg_error *rg_checks_metric(rg_checks_result *out, const rg_checks_limits *limits,
				      const rg_metric *old, const rg_metric *fresh);

#endif
