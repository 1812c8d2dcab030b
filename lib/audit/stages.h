/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_AUDIT_STAGES_H
#define REGILD_AUDIT_STAGES_H

#include "audit/audit.h"

/* What rg_audit_make (audit/measure.c) calls in turn. */

/* Finds bad runs and breaks in files that were measured over all runs: fills in the audit's bad
 * runs, and each series' breaks, regime and `pooled`. audit/regimes.c */
RG_CHECKED rg_error *rg_audit_find(rg_audit *audit);
/* Is `noise` another than `all`? */
bool rg_audit_needs_regime(const rg_audit_series *series);

/* The figures by metric and overall. audit/metric_summaries.c */
RG_CHECKED rg_error *rg_audit_summarise(rg_audit *audit);

/* Holds each run since the newest break, bad ones too, against the one in the middle under today's
 * tolerances and the recommended ones. audit/failing_runs.c */
RG_CHECKED rg_error *rg_audit_count_failures(rg_audit_series *series, rg_audit_file *file,
					     const rg_runs_metric *metric,
					     const rg_audit_options *options);

#endif
