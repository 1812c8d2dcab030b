#ifndef REGILD_CMD_REPORT_OUTPUTS_H
#define REGILD_CMD_REPORT_OUTPUTS_H

#include "compare.h"
#include "compare/policy.h"
#include "compare/row.h"
#include "format_reports.h"
#include "report/columns.h"
#include "report/curve.h"

/* The user's template of a summary or page, which may well be empty. */
typedef struct {
	bool given; /* else the built-in one counts */
	rg_buf text;
} report_template;

/* Where a comparison's rows go, and how. */
typedef struct {
	const compare_report *report;
	rg_column_list columns; /* of table and CSV */
	rg_column_context columns_context;
	const char *old_side, *new_side; /* what they are called; borrowed */
	bool files_alone;                /* --old and --new: no repository is compared */
	report_template summary_template, page_template;
	const format_reports *reports; /* shown before the rows; NULL: nothing */
	const rg_curve_list *curves;   /* for the page */
} outputs;

void outputs_init(outputs *o);
void outputs_release(outputs *o);

/* Reads what the flags and the configuration say; `report` must outlive it. */
RG_CHECKED rg_error *outputs_prepare(environment *env, const compare_report *report, outputs *o);

/* The table on stdout, unless something else goes there, and every file. */
RG_CHECKED rg_error *outputs_write(environment *env, const outputs *o,
				   const rg_comparison *comparison, const rg_policy *policy,
				   const compare_context *context);

#endif
