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

/* What family a metric is of; the caller frees. The tokens of an answer are one. */
char *rg_audit_family(const char *metric);

/* What a series can be held to, the best first; the worst of a golden's is its own. */
typedef enum {
	RG_RELY_EXACT,    /* all runs agree to the bit, and are not too few */
	RG_RELY_WITHIN,   /* a tolerance that fresh runs fail at the rate at most */
	RG_RELY_THEORY,   /* one that takes the noise to be lognormal, for want of runs */
	RG_RELY_TOO_FEW,  /* of too few runs nothing is recommended */
	RG_RELY_TOO_WIDE, /* what they differ by is over 100 %: all would pass */
	RG_RELY_DRIFTS,
	RG_RELY_NONE, /* nothing is measured of it, or other metrics say it */
} rg_reliance;
#define RG_RELIANCES RG_RELY_NONE
/* "within", "by theory" */
const char *rg_reliance_text(rg_reliance reliance);
rg_reliance rg_audit_rely(const rg_audit_series *series);
/* What it can be held to, by one of the truths "exact", "within", "theory", "few", "wide", "drifts"
 * and "unmeasured"; "most": how many more runs it needs. */
void rg_audit_add_reliance(rg_audit_build *b, cJSON *item, const rg_audit_series *series);

/* `series` are all of the audit's, see rg_audit_all_series. */
void rg_audit_add_answers(rg_audit_build *b, cJSON *view, const rg_audit_series *const *series,
			  size_t count);

#endif
