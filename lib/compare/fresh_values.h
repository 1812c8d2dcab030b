/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_COMPARE_FRESH_VALUES_H
#define REGILD_COMPARE_FRESH_VALUES_H

#include "golden/golden.h"

/* What a new series has, value by value, beside what the old one had. */
typedef struct {
	const rg_metric *old, *fresh; /* `old` NULL: there was none */
	/* `before` is the old value of the same step, NULL where it had none. */
	void (*value)(void *context, size_t place, double value, const double *before);
	/* `count` steps that only the old one has, `first` to `last`, from its `place` on; records
	 * one at a time. May be NULL. */
	void (*lost)(void *context, size_t place, int64_t first, int64_t last, size_t count);
	void *context;
} rg_fresh_values;

/* In ascending steps. Series that are not in memory are read through a small window. */
RG_CHECKED rg_error *rg_fresh_values_walk(const rg_fresh_values *values);

#endif
