#ifndef REGILD_COMPARE_ALIGNED_H
#define REGILD_COMPARE_ALIGNED_H

#include "golden/golden.h"

typedef enum { RG_ALIGNED_BOTH, RG_ALIGNED_OLD_ONLY, RG_ALIGNED_NEW_ONLY } rg_aligned_side;

/*
 * Two series walked side by side, ascending, in runs of steps that both have or that one has alone,
 * through a small window, so that series too large for memory can be compared.
 */
typedef struct {
	rg_aligned_side side;
	const int64_t *steps; /* NULL: first_step, first_step + 1, … */
	int64_t first_step;
	const double *old, *new; /* NULL where one has them alone */
	size_t count;
} rg_aligned_run;

typedef struct {
	size_t old_only, new_only;
} rg_aligned_totals;

typedef rg_error *rg_aligned_fn(void *context, const rg_aligned_run *run);

RG_CHECKED rg_error *rg_aligned_walk(const rg_metric *old, const rg_metric *new, rg_aligned_fn *run,
				     void *context, rg_aligned_totals *totals);

/* Raises *first_step so that only the last `count` steps on both sides up to `last_step` are left.
 */
void rg_aligned_narrow(const rg_metric *old, const rg_metric *new, size_t count,
		       int64_t *first_step, int64_t last_step);

#endif
