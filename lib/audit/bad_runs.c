/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/stages.h"

#include "base/memory.h"
#include "base/order.h"

#include <math.h>
#include <stdlib.h>

enum {
	/* Fewer runs do not say which one is the odd one. */
	BAD_RUN_OF = 5,
	/* A bad run is far out in at least so many series, and in half of those it is in. */
	BAD_RUN_SERIES = 3,
};

/* MADs from the median (some 6.7 standard deviations of a normal sample), and a relative deviation
 * that somebody would have to look at: a bit's difference among runs that agree does not make a bad
 * run. */
#define FAR_OUT 10.0
#define FAR_MIN 1e-3

typedef struct {
	size_t far, of, files, last_file;
	bool odd; /* far out in most of its series */
} run_tally;

/* A run is far out of a series if it is over `limit` from the median of its newest regime. */
typedef struct {
	double median, limit;
} far_bound;

static far_bound bound_of(const rg_audit_series *series, rg_ordered_rows *scratch)
{
	far_bound out;
	rg_audit_order_rows(scratch, series, series->regime_from);
	out.median = rg_median(scratch->values, scratch->count);
	out.limit = fmax(FAR_OUT * rg_median_deviation(scratch->values, scratch->count), FAR_MIN);
	return out;
}

/* A run that is not finite where the others are is as far out as can be. */
static bool is_far(const rg_audit_series *series, size_t row, far_bound bound)
{
	double value = series->all.deviations[row];
	if (isnan(value))
		return series->all.rows_nonfinite[row];
	return fabs(value - bound.median) > bound.limit;
}

void rg_audit_find_far_rows(bool *out, const rg_audit_series *series)
{
	RG_AUTO(rg_ordered_rows) scratch = rg_ordered_rows_of(series->row_count);
	far_bound bound = bound_of(series, &scratch);
	for (size_t i = 0; i < series->row_count; i++)
		out[i] = is_far(series, i, bound);
}

/* Many far-out runs in one series are its spread, or a break, and not bad runs. */
static void tally_series(run_tally *tallies, const rg_audit_series *series, size_t file,
			 rg_ordered_rows *scratch)
{
	size_t far = 0, most = series->row_count / 8;
	far_bound bound = bound_of(series, scratch);
	for (size_t i = 0; i < series->row_count; i++) {
		tallies[series->row_runs[i]].of++;
		far += is_far(series, i, bound) ? 1 : 0;
	}
	if (!far || far > (most ? most : 1) || series->row_count < BAD_RUN_OF)
		return;
	for (size_t i = 0; i < series->row_count; i++) {
		run_tally *tally = &tallies[series->row_runs[i]];
		if (!is_far(series, i, bound))
			continue;
		tally->far++;
		tally->files += tally->last_file != file + 1 ? 1 : 0;
		tally->last_file = file + 1;
	}
}

/* The runs of a group, in their order: those with others that are as usual before and after them
 * are bad; at an end nobody knows yet. */
static void add_group(rg_audit *audit, const rg_audit_group *group, const run_tally *tallies)
{
	size_t first = 0, end = group->run_count;
	while (first < end && tallies[group->runs[first]].odd)
		first++;
	while (end > first && tallies[group->runs[end - 1]].odd)
		end--;
	for (size_t i = 0; i < group->run_count; i++) {
		const run_tally *tally = &tallies[group->runs[i]];
		if (tally->odd) {
			const rg_odd_run_kind kind = i < first  ? RG_ODD_RUN_OLDEST
						     : i >= end ? RG_ODD_RUN_NEWEST
								: RG_ODD_RUN_BAD;
			*RG_PUSH(audit->odd_runs, audit->odd_count, audit->odd_capacity) =
				(rg_audit_odd_run){kind, group->runs[i], tally->far, tally->of,
						   tally->files};
			if (kind == RG_ODD_RUN_BAD) {
				RG_EACH_SERIES(audit, series)
				for (size_t k = 0; k < series->row_count; k++)
					if (series->row_runs[k] == group->runs[i])
						series->pooled[k] = false;
			}
		}
	}
}

RG_ORDER(by_run, rg_audit_odd_run, RG_RISING(run));

void rg_audit_find_bad_runs(rg_audit *audit, rg_ordered_rows *scratch)
{
	RG_AUTO_FREE run_tally *tallies = rg_calloc(audit->run_count + 1, sizeof(*tallies));
	RG_EACH_SERIES(audit, series)
	tally_series(tallies, series, of_series, scratch);
	for (size_t i = 0; i < audit->run_count; i++)
		tallies[i].odd = tallies[i].far >= BAD_RUN_SERIES &&
				 2 * tallies[i].far >= tallies[i].of;
	for (size_t i = 0; i < audit->group_count; i++)
		add_group(audit, &audit->groups[i], tallies);
	if (audit->odd_count)
		qsort(audit->odd_runs, audit->odd_count, sizeof(*audit->odd_runs), by_run);
}
