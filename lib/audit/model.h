/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_AUDIT_MODEL_H
#define REGILD_AUDIT_MODEL_H

#include "base/fields.h"
#include "audit/audit.h"

/*
 * The noise model: what an audit leaves for `compare`, as JSON (described in man/regild-audit.1).
 * For each file and metric: the values of the newest runs of the newest regime, bad ones too.
 * Metrics that the audit derived from others, those whose median is finite at no step, and runs
 * that lack a step which counts, or are not finite, are not in it.
 */
typedef struct {
	const char *file, *metric;
	const char *group;       /* of runs: "all", a branch, a commit */
	const char *regime_from; /* the run from which on it holds; NULL: no break was found */
	size_t count;            /* steps */
	const int64_t *steps;    /* strictly ascending */
	/* The records that the steps, 0 … count - 1, are the places of; NULL: there is no table. */
	const rg_records *records;
	size_t run_count;
	const size_t *runs; /* into rg_noise_model.runs, ascending */
	const char *values; /* theirs, packed: see rg_noise_series_values */
	bool drifts;        /* the runs, so that ranks among them bound nothing */
} rg_noise_series;

typedef struct {
	rg_audit_grouping grouping;
	rg_audit_run *runs;
	size_t run_count;
	rg_noise_series *series; /* by file, then metric, in code-point order */
	size_t count;
	rg_arena arena;
} rg_noise_model;

#define RG_NOISE_MODEL_MAX ((size_t)1 << 30) /* bytes of its file */

/* The group with most runs counts (of equally many the newest), if several have a file and metric.
 */
RG_CHECKED rg_error *rg_noise_model_write(rg_buf *out, const rg_audit *audit);
/* Every field is checked: a model may come from anywhere. RG_E_PARSE says what is wrong where. */
RG_CHECKED rg_error *rg_noise_model_parse(rg_noise_model *out, const char *text, size_t length);
void rg_noise_model_release(rg_noise_model *model);

/* Unpacks the values of each run, one after the other: run_count * count of them. RG_E_PARSE where
 * they are not that many numbers. */
RG_CHECKED rg_error *rg_noise_series_values(double *out, const rg_noise_series *series);

/*
 * The series for a row. `file` is a path from the repository's root or what `compare --old --new`
 * calls it; a model's file is the same or its last parts, at least two of them unless `file` has
 * only one. NULL where there is none.
 */
const rg_noise_series *rg_noise_model_find(const rg_noise_model *model, const char *file,
					   const char *metric);

extern const rg_json_field rg_noise_model_fields[];

/* Marks the series of a file that rg_noise_model_find goes through for it, in a list as long as the
 * model's. */
void rg_noise_model_mark(const rg_noise_model *model, const char *file, bool *marks);

#endif
