/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_REPORT_FILTER_H
#define REGILD_REPORT_FILTER_H

#include "compare/row.h"
#include "report/columns.h"

/*
 * --filter: "file=GLOB", "metric=GLOB", "stage=GLOB", where '*' crosses '/'. Of filters for one
 * thing any may match, and of the things all must.
 */
typedef struct {
	const char *const *texts;
	size_t count;
} rg_filter;

/* RG_E_USAGE for one that is not such a filter. */
RG_CHECKED rg_error *rg_filter_check(const rg_filter *filter);
bool rg_filter_takes_file(const rg_filter *filter, const char *path,
			  const rg_column_context *context);
bool rg_filter_takes_metric(const rg_filter *filter, const char *metric);
/* Takes the rows and gaps of other metrics out of the comparison; files stay. */
void rg_filter_metrics(const rg_filter *filter, rg_comparison *comparison);

#endif
