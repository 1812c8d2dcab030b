/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_REPORT_JSON_H
#define REGILD_REPORT_JSON_H

#include "base/fields.h"
#include "audit/new_runs.h"
#include "base/json.h"
#include "compare/gate.h"
#include "report/among.h"
#include "report/columns.h"
#include "report/curve.h"
#include "report/page_table.h"
#include "report/refresh.h"

/* What the document says of itself; all but `story` and `page` may be NULL. */
typedef struct {
	const char *old_side, *new_side; /* "HEAD", "the working tree" */
	const char *run;                 /* the run's id */
	const rg_among *among;           /* … where it is one of several */
	const rg_refresh *refresh;       /* what was done with it */
	const rg_comparison *told;       /* what metrics and buckets are of; NULL: of all rows */
	const rg_new_runs *new_runs;     /* of several new sides */
	const rg_gate_groups *gate;      /* what broke it; NULL: there is no gate */
	int exit_code;                   /* that the gate's line names */
	/* What the summary and the page are rendered from, so that `regild report` can do it again.
	 */
	const cJSON *story; /* report/summary_view.h */
	const rg_page_rows *page;
	const rg_curve_list *curves;
	const cJSON *formats;    /* report/format_report.h; NULL: nothing */
	const cJSON *provenance; /* flow/provenance.h; NULL: not known */
} rg_json_about;

/*
 * The whole comparison: counts, buckets, a line a metric, every row with every column, every file,
 * every gap. `rows` is the order of the rows; it must hold all of the comparison's. Described in
 * regild-json(5). Numbers are written as rg_double_repr writes them, what JSON has no number for as
 * the texts "nan", "inf" and "-inf", what is not defined as null.
 */
RG_CHECKED rg_error *rg_comparison_json(rg_buf *out, const rg_comparison *comparison,
					const rg_row *const *rows, const rg_column_context *context,
					const rg_json_about *about);

/* A cell as a value: null where it is not defined. */
void rg_json_cell(rg_json_out *json, const rg_cell *cell);

/* The keys of that, in JSON. */
extern const rg_json_field rg_compare_fields[];

#endif
