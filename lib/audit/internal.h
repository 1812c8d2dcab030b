#ifndef REGILD_AUDIT_INTERNAL_H
#define REGILD_AUDIT_INTERNAL_H

#include "audit/audit.h"

/* Finds bad runs and breaks in files that were measured over all runs: fills in the audit's bad
 * runs, and each series' breaks, regime and `pooled`. audit/findings.c */
RG_CHECKED rg_error *rg_audit_find(rg_audit *audit);
/* Is `noise` another than `all`? */
bool rg_audit_needs_regime(const rg_audit_series *series);

/* The figures by metric and overall. audit/summary.c */
RG_CHECKED rg_error *rg_audit_summarise(rg_audit *audit);

/* Holds each run since the newest break, bad ones too, against the one in the middle under today's
 * tolerances and the recommended ones. audit/failures.c */
RG_CHECKED rg_error *rg_audit_count_failures(rg_audit_series *series, rg_audit_file *file,
					     const rg_runs_table *table,
					     const rg_runs_metric *metric,
					     const rg_audit_options *options);

/* Follows the cases of backend reports over the runs of each group. audit/cases.c */
RG_CHECKED rg_error *rg_audit_follow_cases(rg_audit *audit, const rg_audit_source *source);

#endif
