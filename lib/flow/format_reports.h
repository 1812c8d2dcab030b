/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_FLOW_FORMAT_REPORTS_H
#define REGILD_FLOW_FORMAT_REPORTS_H

#include "compare/compare.h"
#include "compare/compare_pairs.h"
#include "report/format_hooks.h"

/*
 * What particular formats report beside rows (report/format_hooks.h), collected while pairs are
 * loaded. A new file has a report of its own.
 */
typedef struct {
	void **kept; /* hooks by hooks, each by the pair's index; NULL: nothing of the pair */
	size_t pairs;
	rg_format_request request;
} rg_format_reports;

/* Before pairs are loaded; `reports` starts all zero but for the request. */
void rg_format_reports_begin(rg_format_reports *reports, size_t pairs);
/* Has any file that was collected a report? */
bool rg_format_reports_any(const rg_format_reports *reports);
/* On any thread, once a pair. */
void rg_format_reports_collect(rg_format_reports *reports, size_t index, const rg_pair *pair);
/* With opaque goldens and tables, which report/format_report.h renders; NULL where there is
 * nothing. *out is freed with cJSON_Delete. */
RG_CHECKED rg_error *rg_format_reports_view(cJSON **out, const rg_format_reports *reports,
					    const rg_comparison *comparison);
void rg_format_reports_release(rg_format_reports *reports);

/* What is worth the room in a report. */
typedef struct {
	bool lines;    /* of two texts, those that differ */
	bool pictures; /* their bytes */
} rg_opaque_wanted;

/* A picture of more bytes or dots is not shown. */
#define RG_OPAQUE_PICTURE_MAX ((size_t)256 << 10)
#define RG_OPAQUE_DOTS_MAX    ((uint64_t)1 << 24)

/*
 * Adds to the file that was added to a comparison last, if it is opaque and differs, what a report
 * shows of it (rg_opaque in compare/row.h). Nothing borrows the goldens.
 */
RG_CHECKED rg_error *rg_opaque_details_add(rg_comparison *comparison, const rg_golden *old,
					   const rg_golden *fresh, const rg_opaque_wanted *wanted);

#endif
