/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_COMPARE_OPDIFF_COMPARE_H
#define REGILD_COMPARE_OPDIFF_COMPARE_H

#include "golden/executorch/opdiff.h"

/* Operators by the backends that support them, as opdiff's own support report shows it. */

typedef struct {
	const char *id, *op;
	size_t bad, ok; /* backends, by whether their status is OK */
} rg_opdiff_problem;

/* Operators where both of two backends have a status, and where both are OK. */
typedef struct {
	size_t seen, ok;
	double share; /* in percent; 0 of none */
} rg_opdiff_overlap;

/* Backends in the matrix at most: it grows by the square. */
#define RG_OPDIFF_MATRIX_MAX 64

typedef struct {
	rg_opdiff_problem *problems; /* operators that some backend fails, the most failed first */
	size_t problem_count, problem_capacity;
	const char **backends; /* borrowed names, ascending */
	size_t backend_count, left_out;
	rg_opdiff_overlap *overlaps; /* row by row */
} rg_opdiff_overview;

/* The errors of opdiff results, those of one kind together, as in its own report. */

/* One kind on one backend. */
typedef struct {
	const char *backend;
	const char *group;     /* what its errors have in common, '*' for the rest; or one's line */
	size_t old, fresh;     /* errors on each side */
	const char *id, *text; /* one of them: of the new side where that has any */
} rg_opdiff_error_group;

typedef struct {
	rg_opdiff_error_group *items; /* by backend, then the most frequent first */
	size_t count;
	rg_arena arena;
} rg_opdiff_error_list;

/* The group of an error; "" of one without any text. In the arena, or a constant. */
const char *rg_opdiff_error_kind(rg_arena *arena, const char *text);

/* The figures of opdiff's own reports, and the comparison of two sides or of two backends. */

/* ==0, (0,1e-6], (1e-6,1e-4], (1e-4,1e-2], (1e-2,1e-1], (1e-1,1], >1, then what has no figure:
 * DIFF_ERR where a repeat has a code instead, MISSING where there is nothing. */
#define RG_OPDIFF_BUCKETS 9
extern const char *const rg_opdiff_bucket_names[RG_OPDIFF_BUCKETS];
/* `value` is 0 or more, or NaN: MISSING. */
size_t rg_opdiff_bucket(double value);

typedef enum {
	RG_OPDIFF_MAX_ABS,
	RG_OPDIFF_MSE,
	RG_OPDIFF_MEAN_ABS,
	RG_OPDIFF_FIGURES
} rg_opdiff_figure;

/* Errors by operator, or ratios of times over the operators that have both. Figures are NaN
 * without any. The median is of an even count the mean of the two in the middle; other quantiles
 * are by the nearest rank. */
#define RG_OPDIFF_QUANTILES 5
extern const double rg_opdiff_quantiles[RG_OPDIFF_QUANTILES]; /* 0.05 … 0.95 */
typedef struct {
	size_t count;
	double geometric_mean, median, p90, p99, max;
	double faster;                         /* the percentage under 1 */
	double quantiles[RG_OPDIFF_QUANTILES]; /* the cumulative distribution, turned round */
	double *sorted;                        /* all of them, ascending */
} rg_opdiff_values;

/* Operators, and their percentage of all of a list. */
typedef struct {
	size_t n;
	double share;
} rg_opdiff_share;

/* By the median over repeats. */
typedef struct {
	const char *name;
	rg_opdiff_share buckets[RG_OPDIFF_BUCKETS];
} rg_opdiff_sizes;

/* One backend on one side, over all operators. */
typedef struct {
	bool new_side;
	const char *backend;
	bool is_baseline; /* of the side's times */
	size_t operators; /* that have a status */
	double ok;        /* the percentage of them that is OK */
	rg_opdiff_share statuses[RG_OPDIFF_STATUSES];
	size_t targets;                         /* operators that it ran beside the baseline */
	rg_opdiff_share codes[RG_OPDIFF_CODES]; /* of those, by their first code */
	rg_opdiff_sizes figures[RG_OPDIFF_FIGURES];
	size_t figure_count;          /* 0: there are no targets */
	rg_opdiff_values max_abs;     /* medians over repeats */
	rg_opdiff_values to_baseline; /* time / time of the baseline */
} rg_opdiff_column;

/* A status that changed, or of the same status what went wrong. */
typedef struct {
	const char *id, *backend; /* the new side's backend */
	rg_opdiff_status old, fresh;
	const char *old_why, *why; /* rg_opdiff_why */
} rg_opdiff_change;

/* The baseline that backend times are compared with: of several, the one of most operators. */
typedef struct {
	const char *backend; /* NULL: there is none */
	size_t others;       /* further baselines in the file */
} rg_opdiff_baseline;

typedef struct {
	bool alone;             /* there is no old side */
	size_t runs, operators; /* of the new side; all of its runs are merged, or there is one */
	rg_opdiff_baseline old_baseline, new_baseline;
	rg_opdiff_column *columns; /* by backend, the old side before the new one */
	size_t column_count, column_capacity;
	size_t columns_left_out;   /* of backends beyond a side's first 256, which nothing counts */
	rg_opdiff_change *changes; /* worse ones first, then better, then by id and backend */
	size_t change_count, change_capacity;
	size_t worse, better, other;
	size_t old_only, new_only;   /* operators × backends */
	rg_opdiff_values new_to_old; /* backends' time of the new side / time of the old one */
	rg_opdiff_error_list errors;
	rg_opdiff_overview overview; /* of the new side, where it is not one backend */
} rg_opdiff_comparison;

/*
 * `old_backend` and `new_backend` (NULL: all, paired by name) may differ, and the two sides may be
 * one. `old` may be NULL: the new side alone. Borrows runs and names. `out` is released whatever
 * comes back.
 */
void rg_opdiff_compare(rg_opdiff_comparison *out, const rg_opdiff_run *old,
		       const rg_opdiff_run *fresh, const char *old_backend,
		       const char *new_backend);
void rg_opdiff_comparison_release(rg_opdiff_comparison *comparison);

#endif
