/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_REPORT_AUDIT_PAGE_H
#define REGILD_REPORT_AUDIT_PAGE_H

#include "base/json.h"
#include "report/audit_answers.h"
#include "report/columns.h"

/*
 * An audit's series in the order in which a person wants to see them, and by family; the parts of
 * its page that come out of that.
 */

/* What is most to be said of a series, the most interesting first. */
typedef enum {
	RG_FINDING_BROKE,
	RG_FINDING_DRIFTS,
	RG_FINDING_NOISY,
	RG_FINDING_DETERMINISTIC,
	RG_FINDING_UNMEASURED,
} rg_audit_finding;
#define RG_FINDINGS 5
extern const char *const rg_audit_finding_names[RG_FINDINGS];

typedef struct {
	const rg_audit_series *series;
	char *family;
	rg_audit_finding finding;
	size_t row; /* its place among all; the page's table has the first RG_AUDIT_ROWS */
} rg_audit_entry;

/* Series of one group whose metrics are one family, the most interesting first. */
typedef struct {
	const rg_audit_entry *const *entries;
	size_t count;
} rg_audit_kin;

/* What a page shows at most. */
#define RG_AUDIT_ROWS     4000 /* series in the table */
#define RG_AUDIT_FAMILIES 30   /* with figures */
#define RG_AUDIT_RUNS     100  /* of a figure and of the map: the newest */
/* Runs in the list of them and on a strip, the newest. */
#define RG_AUDIT_RUNS_LISTED 1000

typedef struct {
	rg_audit_build *build;
	const rg_column_context *context; /* what tells a golden's test by its path */
	rg_audit_entry *entries;          /* the most interesting first */
	size_t count;
	rg_audit_kin *families; /* by their most interesting series, then the largest first */
	size_t family_count;
	size_t noisy_families; /* of them, those in which anything differs: the first */
	size_t drawn;          /* of these, those that have figures: the first */
	bool *odd;             /* by run: far out in most of its series */
	const rg_audit_entry **by_family;
} rg_audit_page;

/* Only a want of memory fails, and the build keeps that. Release it whatever comes. */
void rg_audit_page_make(rg_audit_page *out, rg_audit_build *b, const rg_column_context *context,
			const rg_audit_series *const *series, size_t count);
void rg_audit_page_release(rg_audit_page *page);

/* The element that shows an entry in the table: "series-3"; "" where the table does not have it. */
#define RG_AUDIT_LINK 32
void rg_audit_page_link(char out[static RG_AUDIT_LINK], const rg_audit_entry *entry);
/* By row: the run's figure that a tolerance is held to, or the mean over its steps. */
const double *rg_audit_page_values(const rg_figures *figures);
/* The tolerance that a series can be held to; NULL: none holds. */
const rg_tolerance *rg_audit_page_tolerance(const rg_audit_series *series);
/* What it can be held to, as rg_audit_add_reliance has it, with "kind", that in words, and where
 * a tolerance holds, its "rtol", "atol" and "fails". */
void rg_audit_page_add_tolerance(const rg_audit_page *page, cJSON *item,
				 const rg_audit_series *series);
/* A run's name, and the day where it has one: "22651183945, 2026-04-02". */
void rg_audit_page_name_run(rg_buf *out, const rg_audit_run *run);

/* The page's parts of a story: "maps", "drawn_families", "rows", "runs_listed". */
void rg_audit_page_tell(rg_audit_build *b, cJSON *view, const rg_column_context *context,
			const rg_audit_series *const *series, size_t count);
/* "drawn_families", each with the runs of its most interesting series in time, and strips by
 * golden, as templates/page.js draws them. report/audit_figures.c */
void rg_audit_page_tell_figures(rg_audit_page *page, cJSON *view);

#endif
