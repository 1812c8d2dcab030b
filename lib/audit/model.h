/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_AUDIT_MODEL_H
#define REGILD_AUDIT_MODEL_H

#include "audit/audit.h"

/*
 * The noise model: the part of an audit that judges new values. For each file and metric it has the
 * values of the newest runs of the newest regime, bad ones too. Metrics that the audit derived from
 * others, those whose median is finite at no step, and runs that lack a step which counts, or are
 * not finite, are not in it.
 *
 * A model is an audit's, or a file's (store/noise_file.h): then what is large is read when it is
 * asked for.
 */

/* The part of a series that is large. */
typedef struct {
	const int64_t *steps; /* strictly ascending */
	/* The records that the steps, 0 … count - 1, are the places of; NULL: there is no table. */
	const rg_records *records;
	const void *packed; /* the values: see rg_noise_read */
	size_t packed_size;
} rg_noise_content;

typedef struct {
	const char *file, *metric;
	const char *group;       /* of runs: "all", a branch, a commit */
	const char *regime_from; /* the run from which on it holds; NULL: no break was found */
	size_t count;            /* steps; at least 1 */
	size_t run_count;        /* at least 1 */
	const size_t *runs;      /* into rg_noise_model.runs, ascending; shared by series */
	bool drifts;             /* the runs, so that ranks among them bound nothing */
	const double *scores;    /* as rg_figures has them; NULL: none */
	double usual;
	int64_t key; /* a file's own */
	rg_noise_content content;
} rg_noise_series;

/* Reads the content of a series into `arena`. Called by several threads at once. */
typedef rg_error *rg_noise_content_fn(void *source, const rg_noise_series *series, rg_arena *arena,
				      rg_noise_content *out);

typedef struct {
	rg_audit_grouping grouping;
	rg_tolerance_options tolerance;
	double error_rate;
	const rg_audit_run *runs;
	size_t run_count;
	rg_noise_series *series; /* by file, then metric, in code-point order */
	size_t count;
	rg_arena arena;
	rg_noise_content_fn *read; /* NULL: the series have their contents */
	void *source;              /* what the series come from, if `close` is set */
	void (*close)(void *source);
} rg_noise_model;

/* The model borrows from the audit. The group with most runs counts (of equally many the newest) if
 * several have a file and metric. */
void rg_noise_model_of_audit(rg_noise_model *out, const rg_audit *audit);
/* Sorts the series of a model that was read. RG_E_PARSE where one is there twice. */
RG_CHECKED rg_error *rg_noise_model_order(rg_noise_model *model);
void rg_noise_model_release(rg_noise_model *model);

/* The steps of a series, and the values of each run, one after the other, with room for so many
 * runs `more`, which are 0. RG_E_PARSE or RG_E_MISMATCH where the model has anything else. */
RG_CHECKED rg_error *rg_noise_read(rg_noise_content *out, double **values, size_t more,
				   rg_arena *arena, const rg_noise_model *model,
				   const rg_noise_series *series);
/* The scores of a series and `usual` in few bytes; none where all are 0, as most are. */
RG_CHECKED rg_error *rg_noise_scores_pack(rg_buf *out, const rg_noise_series *series);
/* RG_E_PARSE or RG_E_MISMATCH for what are no scores of its runs. */
RG_CHECKED rg_error *rg_noise_scores_unpack(rg_noise_series *out, rg_arena *arena,
					    const void *bytes, size_t size);

/*
 * The series for a row. `file` is a path from the repository's root or what `compare --old --new`
 * calls it; a model's file is the same or its last parts, at least two of them unless `file` has
 * only one. NULL where there is none.
 */
const rg_noise_series *rg_noise_model_find(const rg_noise_model *model, const char *file,
					   const char *metric);

/* Marks the series of a file that rg_noise_model_find goes through for it, in a list as long as the
 * model's. */
void rg_noise_model_mark(const rg_noise_model *model, const char *file, bool *marks);

#endif
