/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_COMPARE_NONFINITE_H
#define REGILD_COMPARE_NONFINITE_H

#include "compare/policy.h"
#include "compare/step_ranges.h"
#include "golden/golden.h"

/*
 * Says which values that are not finite are usual. A check, the guards of an update and a
 * comparison all ask here.
 *
 * A log leaves out values on purpose: not before a first step (leading), or at all but every so
 * many steps (periodic). It writes NaN there, or nothing. Such NaN are usual where the golden had
 * NaN at the same step before, and never where it had another value. Where it had none, they are
 * usual if the metric's policy says so (nan = placeholder): leading ones, and in a series that is
 * new periodic ones. Where the new side writes nothing any more, the old side's NaN was a
 * placeholder: nothing is lost with it.
 */

/* The pattern of a series' NaN. A series without a finite value has none, nor has a tensor. */
typedef struct {
	size_t nonfinite; /* values that are not finite, in all */
	size_t leading;   /* so many NaN come before the first other value */
	int64_t first;    /* the step of that */
	/* The steps of finite values are an arithmetic progression, of two or more, from one end of
	 * the series to the other; all else is NaN. */
	bool periodic;
} rg_nan_pattern;

RG_CHECKED rg_error *rg_nan_pattern_find(rg_nan_pattern *out, const rg_metric *series);
/* Is a NaN at `step` usual, if the golden had `before` there, NULL for nothing? `is_new`: there was
 * no such series. */
bool rg_nan_is_usual(const rg_nan_pattern *pattern, const rg_metric_policy *policy, int64_t step,
		     bool is_new, const double *before);

/* Is the new value not finite, and another than `old`? All NaN are the same. */
bool rg_nonfinite_is_news(double old, double fresh);

/* Has it a value that is NaN or infinite, usual or not? No tensor's counts; NULL has none. */
bool rg_golden_has_nonfinite(const rg_golden *golden);

/* Is a value whose step the new side lacks a placeholder? A record that is missing is lost with all
 * its values. */
bool rg_is_placeholder(double value, const rg_records *records, int64_t step);
/* Are all values of a metric that the new side lacks placeholders? */
bool rg_are_placeholders(const rg_metric *old);

typedef struct {
	const rg_metric *old; /* the series as it was; NULL: there was none */
	const rg_metric *fresh;
	const rg_metric_policy *policy;
	const rg_nan_pattern
		*pattern; /* of `fresh`; NULL: no NaN is usual, and all are looked at */
	bool changes;     /* only what the old side had otherwise, or not at all */
} rg_nonfinite_query;

/* Starts all zero. */
typedef struct {
	rg_step_ranges nan, inf, minus_inf; /* without the usual ones */
	size_t usual;
	rg_step_ranges gone; /* steps that the new side lacks, without placeholders */
	size_t placeholders;
} rg_nonfinite;

RG_CHECKED rg_error *rg_nonfinite_find(rg_nonfinite *out, const rg_nonfinite_query *query);
size_t rg_nonfinite_steps(const rg_nonfinite *found);
/* The first step of them; there is one. */
int64_t rg_nonfinite_first(const rg_nonfinite *found);
/* "nan at 1..95, 105..195, inf at 200 (1,901 of 2,001 steps)": what `found` has of the metric. */
void rg_nonfinite_say(rg_buf *out, const rg_nonfinite *found, const rg_metric *metric);

#endif
