/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_COMPARE_NAN_PATTERN_H
#define REGILD_COMPARE_NAN_PATTERN_H

#include "golden/golden.h"

/*
 * How a log leaves out values on purpose: not before a first step (leading), or but for every so
 * many steps (periodic). A series without a finite value has neither, nor has a tensor.
 */
typedef struct {
	size_t nonfinite; /* values that are not finite, in all */
	size_t leading;   /* so many NaN come before the first other value */
	/* The steps of finite values are an arithmetic progression, of two or more, from one end of
	 * the series to the other; all else is NaN. */
	bool periodic;
} rg_nan_pattern;

RG_CHECKED rg_error *rg_nan_pattern_find(rg_nan_pattern *out, const rg_metric *series);
/* Is the place, where the series is NaN, part of it? */
bool rg_nan_pattern_has(const rg_nan_pattern *pattern, size_t place);

#endif
