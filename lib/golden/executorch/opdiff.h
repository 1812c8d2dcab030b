/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_GOLDEN_OPDIFF_H
#define REGILD_GOLDEN_OPDIFF_H

#include "base/error.h"
#include "base/memory.h"
#include "golden/unread.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * Results of opdiff (JSON Lines, format "opdiff_run" version 1): operators that were run on a
 * baseline and on several backends, with the difference of their outputs and their times. A file
 * may hold several runs, each begun by a meta line; they are merged as opdiff's own reports do.
 *
 * As a golden (rg_format_opdiff) each operator and backend is a group of metrics, ID/BACKEND/…:
 * `status`, `err` and `code` are exact texts ("": none), `ms` is a series by side (a pair of
 * operators has two), `max_abs`, `mse` and `mean_abs` are series by repeat. The baseline's group is
 * ID/baseline/….
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

/* Why two outputs could not be compared with each other. */
typedef enum {
	RG_OPDIFF_SHAPE, /* NOT_COMPARABLE_SHAPE */
	RG_OPDIFF_EMPTY, /* NOT_COMPARABLE_EMPTY */
	RG_OPDIFF_NAN_BASELINE,
	RG_OPDIFF_NAN_OUTPUT,
	RG_OPDIFF_NONFINITE, /* a max_abs that is missing, negative or not finite */
	RG_OPDIFF_OTHER,     /* a code that is not known here */
	RG_OPDIFF_CODES,
} rg_opdiff_code;

/* "OK", "EXPORT_FAIL"; "NAN_IN_OUTPUT", "other". */
extern const char *const rg_opdiff_status_texts[RG_OPDIFF_STATUSES];
extern const char *const rg_opdiff_code_texts[RG_OPDIFF_CODES];

/* One repeat's difference to the baseline. */
typedef struct {
	bool ok;
	double mse, max_abs, mean_abs; /* where ok; NaN where the file says none */
	rg_opdiff_code code;           /* where not ok */
} rg_opdiff_diff;

/* One backend's differences, as a whole. */
typedef enum {
	RG_OPDIFF_DIFF_MISSING, /* there are none */
	RG_OPDIFF_DIFF_ERR,     /* of one repeat at least there is a code instead */
	RG_OPDIFF_DIFF_OK,
} rg_opdiff_diff_state;

/* One backend, or the baseline, on one operator. */
typedef struct {
	const char *backend;
	rg_opdiff_status status; /* the worst of its sides; ERROR without any */
	const char **errs;       /* each side's where it has one */
	size_t err_count;
	double *ms; /* milliseconds by side; NaN where it has none */
	size_t ms_count;
	double time; /* the median of the sides where all are OK, over 0; else NaN */
	bool target; /* it ran as a backend: an operator's baseline alone has no differences */
	rg_opdiff_diff *diffs;
	size_t diff_count;
	rg_opdiff_diff_state state;
	rg_opdiff_code code; /* of the first repeat with one, where the state is ERR */
	/* Medians over the repeats, where the state is OK; NaN where none has the figure. */
	double median_max_abs, median_mse, median_mean_abs;
	size_t line, place; /* where it stands in the file */
} rg_opdiff_result;

typedef struct {
	const char *backend, *text;
} rg_opdiff_err;

typedef struct {
	const char *id;
	const char *op;       /* of its first case; "" where it says none */
	const char *baseline; /* a backend's name, NULL where it has none; of several the last */
	rg_opdiff_result *results; /* ascending by backend, each once */
	size_t result_count;
	/* As opdiff counts them: of each line's backends, and of the first line's baseline. */
	rg_opdiff_err *errs;
	size_t err_count;
	size_t run, line; /* where it stands in the file, of several lines the last */
} rg_opdiff_item;

typedef struct {
	rg_opdiff_item *items; /* ascending by id, each once */
	size_t count, capacity;
	rg_unread unread;
	size_t duplicates; /* lines of an operator that has one in the same run already */
	size_t runs;       /* how many the file holds */
	size_t merged;     /* … and how many of them the items are of */
	rg_arena arena;
} rg_opdiff_run;

/*
 * Reads run `run_index` (from 0), or with -1 all: of an operator's backend in several lines the
 * last counts. `out` is released whatever comes back. RG_E_PARSE with the line, RG_E_USAGE where
 * there is no such run.
 */
RG_CHECKED rg_error *rg_opdiff_read(rg_opdiff_run *out, const void *data, size_t size,
				    int run_index);
void rg_opdiff_run_release(rg_opdiff_run *run);

/* The item of that id, or the item's result of that backend, or NULL. "baseline" names the
 * baseline where no backend is called so. */
const rg_opdiff_item *rg_opdiff_find(const rg_opdiff_run *run, const char *id);
const rg_opdiff_result *rg_opdiff_backend(const rg_opdiff_item *item, const char *backend);
/* The result's error, else the code of its differences, else "". */
const char *rg_opdiff_why(const rg_opdiff_result *result);

/* Do the bytes begin like one? */
bool rg_opdiff_recognised(const void *data, size_t size);

#endif
