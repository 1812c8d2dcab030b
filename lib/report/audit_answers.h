/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_REPORT_AUDIT_ANSWERS_H
#define REGILD_REPORT_AUDIT_ANSWERS_H

#include "audit/audit.h"

#include <cJSON.h>
#include <stdbool.h>

/*
 * What an audit is asked first, as data for templates: what is deterministic, what is noisy and how
 * much, which tolerance holds at what rate, and what more runs would tell. What changed when is in
 * report/audit_view.h.
 */

typedef struct {
	const rg_audit *audit;
	bool terminal; /* figures are short, and the terminal's table is there */
} rg_audit_build;

/* "-" for NaN. */
void rg_audit_add_figure(rg_audit_build *b, cJSON *parent, const char *name, double value);
/* A relative size that breaks are found from: "0.84 %", "any" for 0, "-" where none is. */
void rg_audit_add_smallest(cJSON *parent, const char *name, double size);
/* "median", "p95", "max", "low", "high"; "spreads": are there any? */
void rg_audit_add_spread(rg_audit_build *b, cJSON *item, const rg_spread *spread);

/* "fails": "0 to 12 %", of fresh runs; "" where the rate is not known, and no bound where runs
 * drift. */
void rg_audit_add_rate(cJSON *item, const rg_tolerance *tolerance);

/* What family a metric is of; the caller frees. */
char *rg_audit_family(const char *metric);

/* `series` are all of the audit's, see rg_audit_all_series. */
void rg_audit_add_answers(rg_audit_build *b, cJSON *view, const rg_audit_series *const *series,
			  size_t count);

#endif
