/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_COMPARE_BACKEND_COMPARE_H
#define REGILD_COMPARE_BACKEND_COMPARE_H

#include "base/memory.h"
#include "golden/executorch/backend_report.h"

/* Two backend test runs are compared case by case. */

typedef enum {
	RG_CASE_NEWLY_FAILING, /* on both sides, and only now failing */
	RG_CASE_FIXED,         /* failed before and passes now */
	RG_CASE_STILL_FAILING,
	RG_CASE_NEW, /* on the new side only, whatever its result */
	RG_CASE_GONE,
	RG_CASE_OTHER, /* between Pass and Skip, or from Fail to Skip */
	RG_CASE_CHANGES,
} rg_case_change_kind;

typedef struct {
	rg_case_change_kind kind;
	const rg_case *old, *fresh; /* NULL where the case is not on that side */
} rg_case_change;

typedef struct {
	size_t passed, failed, skipped;
} rg_case_counts;

/* An output's SNR that is lower than before. */
typedef struct {
	const rg_case *old, *fresh;
	const char *column; /* "Output 0 SNR" */
	double before, now; /* decibels */
	double drop;        /* rg_snr_drop */
} rg_case_snr;

/* Cases by flow, by parameters, or by flow and detail of failure. */
typedef struct {
	const char *name, *detail; /* detail is "" where it does not count */
	rg_case_counts old, fresh;
	size_t changes[RG_CASE_CHANGES];
	/* Of flows: outputs that have an SNR on both sides, those of them whose SNR is lower and
	 * those that were infinite before that; and the largest drop, NULL where there is none. */
	size_t outputs, lower, from_infinite;
	const rg_case_snr *worst;
} rg_case_group;

typedef struct {
	/* All cases but those that passed or were skipped on both sides: by kind, then detail of
	 * the failure, flow and case. */
	rg_case_change *changes;
	size_t count, capacity;
	size_t counts[RG_CASE_CHANGES]; /* add up to count */
	/* Passing and delegated before, passing and not delegated now: by flow and case. */
	rg_case_change *undelegated;
	size_t undelegated_count, undelegated_capacity;
	rg_case_snr *snrs; /* the largest drops first, then by flow, case and column */
	size_t snr_count, snr_capacity;
	rg_case_counts old, fresh;
	rg_case_group *flows, *params, *failures; /* by name, then detail */
	size_t flow_count, param_count, failure_count;
	size_t flow_capacity, param_capacity, failure_capacity;
} rg_case_comparison;

/* Borrows both lists, which are finished. `out` is released whatever comes back. */
void rg_cases_compare(rg_case_comparison *out, const rg_case_list *old, const rg_case_list *fresh);
void rg_case_comparison_release(rg_case_comparison *comparison);

/* passed / (passed + failed); NaN where there are none. */
double rg_case_pass_rate(const rg_case_counts *counts);

#endif
