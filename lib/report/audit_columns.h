/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_REPORT_AUDIT_COLUMNS_H
#define REGILD_REPORT_AUDIT_COLUMNS_H

#include "audit/audit.h"
#include "report/columns.h"

/* The columns of an audit's series: CSV has them all, in this order; JSON writes them part by part.
 */
typedef enum {
	RG_AUDIT_NAMES,   /* group, file, metric: CSV alone */
	RG_AUDIT_COUNTS,  /* runs, and steps */
	RG_AUDIT_BREAK,   /* the newest one: CSV alone */
	RG_AUDIT_REGIME,  /* patterns among the newest regime's runs */
	RG_AUDIT_FIGURES, /* the spread and the tolerances: CSV alone, as JSON has them in objects
			   */
	RG_AUDIT_FAILED,
} rg_audit_part;

typedef struct {
	const char *name;
	rg_audit_part part;
	rg_cell (*cell)(const rg_audit *audit, const rg_audit_series *series);
} rg_audit_column;

/* A NULL name ends it. */
extern const rg_audit_column rg_audit_columns[];

#endif
