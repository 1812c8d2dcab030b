/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_AUDIT_BACKEND_CASES_H
#define REGILD_AUDIT_BACKEND_CASES_H

#include "audit/audit.h"

/* The cases of one file of backend reports, followed over the runs of a group. */
typedef struct {
	struct rg_case_observation *items; /* run by run */
	size_t count, capacity;
	rg_arena arena;
} rg_followed_cases;

void rg_followed_cases_init(rg_followed_cases *followed);
void rg_followed_cases_release(rg_followed_cases *followed);
/* Takes in what a run's golden says, if it is such a report. */
void rg_followed_cases_add(rg_followed_cases *followed, size_t run, const rg_golden *golden);
/* Counts them all, and keeps those that failed in some run. */
void rg_audit_add_cases(rg_audit *audit, const char *file, size_t group,
			rg_followed_cases *followed);
/* By group, file and name, once those of all files are there. */
void rg_audit_sort_cases(rg_audit *audit);

#endif
