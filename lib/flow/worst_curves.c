/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/worst_curves.h"

#include "report/review.h"

#include <string.h>

rg_error *rg_worst_curves_add(rg_worst_curves *worst, const rg_row *row, const rg_golden *old,
			      const rg_golden *fresh)
{
	const rg_metric *before = rg_golden_find(old, row->metric);
	const rg_metric *after = rg_golden_find(fresh, row->metric);
	rg_curve curve = {0};
	size_t at = worst->count;
	rg_error *err;

	if (!rg_row_has_curve(row) || !before || !after)
		return NULL;
	/* Of equals the first is worse. */
	while (at && rg_row_is_worse(row, &worst->items[at - 1].row))
		at--;
	if (at == RG_HTML_CURVES)
		return NULL;
	err = rg_curve_read(&curve, before, after);
	if (err) {
		rg_curve_release(&curve);
		return err;
	}
	if (worst->count == RG_HTML_CURVES)
		rg_curve_release(&worst->items[--worst->count].curve);
	memmove(&worst->items[at + 1], &worst->items[at],
		(worst->count++ - at) * sizeof(*worst->items));
	worst->items[at].row = *row;
	worst->items[at].curve = curve;
	return NULL;
}

static bool same_row(const rg_row *a, const rg_row *b)
{
	return !strcmp(a->file, b->file) && !strcmp(a->metric, b->metric);
}

static void take(rg_curve *out, rg_worst_curves *worst)
{
	const rg_row *row = out->row;
	size_t i;

	for (i = 0; i < worst->count; i++)
		if (same_row(&worst->items[i].row, row)) {
			*out = worst->items[i].curve;
			out->row = row;
			worst->items[i].curve = (rg_curve){0};
		}
}

rg_error *rg_worst_curves_pick(rg_curve_list *out, const rg_comparison *comparison,
			       rg_worst_curves *parts, size_t count)
{
	size_t i, k;

	RG_TRY(rg_curves_pick(out, comparison, RG_HTML_CURVES));
	for (i = 0; i < out->count; i++)
		for (k = 0; k < count; k++)
			take(&out->items[i], &parts[k]);
	return NULL;
}

void rg_worst_curves_release(rg_worst_curves *worst)
{
	while (worst->count)
		rg_curve_release(&worst->items[--worst->count].curve);
}
