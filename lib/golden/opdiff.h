/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_GOLDEN_OPDIFF_H
#define REGILD_GOLDEN_OPDIFF_H

#include "base/memory.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * Results of opdiff (JSON Lines, format "opdiff_run" version 1): operators that were run on a
 * baseline and on several backends, with the difference of their outputs and their times. A file
 * may hold several runs, each begun by a meta line.
 *
 * As a golden (rg_format_opdiff) each operator and backend is a group of metrics, ID/BACKEND/…:
 * `status` and `code` are exact texts, `ms`, `max_abs`, `mse` and `mean_abs` series by repeat. The
 * baseline's group is ID/baseline/….
 */

/* From good to bad. */
typedef enum {
	RG_OPDIFF_OK,
	RG_OPDIFF_SKIPPED,
	RG_OPDIFF_EXPORT_FAIL,
	RG_OPDIFF_INFER_FAIL,
	RG_OPDIFF_TIMING_FAIL,
	RG_OPDIFF_TIMED_ERROR,
	RG_OPDIFF_ERROR,
	RG_OPDIFF_STATUSES,
} rg_opdiff_status;

/* Why two outputs could not be held against each other. */
typedef enum {
	RG_OPDIFF_SHAPE, /* NOT_COMPARABLE_SHAPE */
	RG_OPDIFF_EMPTY, /* NOT_COMPARABLE_EMPTY */
	RG_OPDIFF_NAN_BASELINE,
	RG_OPDIFF_NAN_OUTPUT,
	RG_OPDIFF_OTHER, /* a code that is not known here */
	RG_OPDIFF_CODES,
} rg_opdiff_code;

/* "OK", "EXPORT_FAIL"; "NAN_IN_OUTPUT", "other". */
const char *rg_opdiff_status_text(rg_opdiff_status status);
const char *rg_opdiff_code_text(rg_opdiff_code code);

/* One repeat's difference to the baseline. */
typedef struct {
	bool ok;
	double mse, max_abs, mean_abs; /* where ok; NaN where the file says none */
	rg_opdiff_code code;           /* where not ok */
} rg_opdiff_diff;

/* One backend on one operator. */
typedef struct {
	const char *backend;
	rg_opdiff_status status; /* the worst of its repeats; ERROR without any */
	double *ms;              /* milliseconds by repeat; NaN where it has none */
	size_t ms_count;
	rg_opdiff_diff *diffs;
	size_t diff_count;
	/* Medians over the repeats that have the figure; NaN where none has it. */
	double median_ms, median_max_abs, median_mse, median_mean_abs;
} rg_opdiff_result;

typedef struct {
	const char *id;
	bool has_baseline;
	rg_opdiff_result baseline; /* no diffs */
	rg_opdiff_result *results; /* in file order */
	size_t result_count;
} rg_opdiff_item;

typedef struct {
	const char *created_at; /* of the meta line; "" where it says nothing */
	rg_opdiff_item *items;  /* ascending by id; of an id that appears twice the last */
	size_t count, capacity;
	size_t duplicates;
	size_t runs; /* how many the file holds */
	rg_arena arena;
} rg_opdiff_run;

/*
 * Reads run `run_index` (from 0; -1 the last). `out` is released whatever comes back. RG_E_PARSE
 * with the line, RG_E_USAGE where there is no such run.
 */
RG_CHECKED rg_error *rg_opdiff_read(rg_opdiff_run *out, const void *data, size_t size,
				    int run_index);
void rg_opdiff_release(rg_opdiff_run *run);

/* The item of that id, or the item's result of that backend, or NULL. "baseline" names the
 * baseline where no backend is called so. */
const rg_opdiff_item *rg_opdiff_find(const rg_opdiff_run *run, const char *id);
const rg_opdiff_result *rg_opdiff_backend(const rg_opdiff_item *item, const char *backend);

/* Do the bytes begin like one? */
bool rg_opdiff_recognised(const void *data, size_t size);

#endif
