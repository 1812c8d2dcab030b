/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/stages.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

rg_ordered_rows rg_ordered_rows_of(size_t runs)
{
	return (rg_ordered_rows){.values = rg_calloc(runs + 1, sizeof(double)),
				 .rows = rg_calloc(runs + 1, sizeof(size_t))};
}

void rg_ordered_rows_release(rg_ordered_rows *rows)
{
	free(rows->values);
	free(rows->rows);
}

void rg_audit_order_rows(rg_ordered_rows *out, const rg_audit_series *series, size_t first)
{
	out->count = 0;
	for (size_t i = 0; i < series->row_count; i++) {
		if (!series->pooled[i] || series->row_runs[i] < first ||
		    !isfinite(series->all.deviations[i]))
			continue;
		out->values[out->count] = series->all.deviations[i];
		out->rows[out->count++] = i;
	}
}

void rg_audit_add_break(rg_audit_series *series, const rg_ordered_rows *rows,
			const rg_audit_break *found)
{
	size_t at = found->before, first, last;
	rg_shift shift;
	rg_audit_break *added =
		RG_PUSH(series->breaks, series->break_count, series->break_capacity);
	*added = *found;
	added->at = series->row_runs[rows->rows[at]];
	added->after = rows->count - at;
	rg_changepoint_place(&first, &last, rows->values, rows->count, at);
	added->first = series->row_runs[rows->rows[first]];
	added->last = series->row_runs[rows->rows[last]];
	rg_shift_find(&shift, rows->values, at, rows->values + at, rows->count - at);
	added->shift = shift.size;
	/* The size is how far the runs of the newer side are above those of the older, by their
	 * mean values. */
	RG_AUTO_FREE double *means = rg_calloc(rows->count + 1, sizeof(*means));
	for (size_t i = 0; i < rows->count; i++)
		means[i] = series->all.means[rows->rows[i]];
	rg_shift_find(&added->size, means, added->before, means + added->before, added->after);
	if (added->at > series->regime_from)
		series->regime_from = added->at;
}
