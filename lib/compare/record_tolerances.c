/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/record_tolerances.h"

#include "base/buf.h"
#include "base/number.h"
#include "golden/records.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The record that is the most times over its tolerance. */
typedef struct {
	double old, fresh, times;
	int64_t step;
} worst_record;

/* What is no number any more, and what was 0, is off by more than any tolerance. */
static void hold(rg_row_over *over, worst_record *worst, const worst_record *record,
		 double tolerance)
{
	double size = fabs(record->old - record->fresh), times;
	if (isnan(tolerance) || !isfinite(record->old) || size <= tolerance * fabs(record->old))
		return;
	times = size / fabs(record->old) / tolerance;
	if (isnan(times))
		times = INFINITY;
	if (!over->count++ || times > worst->times) {
		*worst = *record;
		worst->times = times;
		over->off = size / fabs(record->old);
		over->tolerance = tolerance;
	}
}

/* With as many digits as tell it from the tolerance. */
static void add_off(rg_buf *out, double off, const char *tolerance)
{
	char text[RG_DOUBLE_REPR_SIZE];
	int digits = 2;

	do
		snprintf(text, sizeof(text), "%.*g", ++digits, off);
	while (digits < 17 && !strcmp(text, tolerance));
	rg_buf_printf(out, "%s off", text);
}

static rg_error *say(rg_row_over *over, rg_arena *arena, const rg_records *records,
		     const worst_record *worst)
{
	char tolerance[RG_DOUBLE_REPR_SIZE], number[RG_STEP_TEXT];
	rg_buf text;

	rg_double_repr(over->tolerance, tolerance);
	rg_buf_init(&text, RG_BUF_TEXT);
	rg_buf_printf(&text, "%s %s: ", rg_step_word(records, true),
		      rg_step_name(records, worst->step, number));
	if (isfinite(over->off))
		add_off(&text, over->off, tolerance);
	else
		rg_buf_printf(&text, "%.3g instead of %.3g", worst->fresh, worst->old);
	rg_buf_printf(&text, ", over its tolerance %s", tolerance);
	if (over->count > 1)
		rg_buf_printf(&text, ", and %zu more", over->count - 1);
	rg_error *err = rg_buf_check(&text, "tolerances");
	if (!err)
		over->text = rg_arena_text(arena, text.data);
	rg_buf_release(&text);
	return err;
}

rg_error *rg_record_tolerances_fill(rg_row *row, rg_arena *arena, const rg_metric *old,
				    const rg_metric *fresh)
{
	worst_record worst = {0};
	size_t i = 0, k = 0;

	row->over = (rg_row_over){.off = NAN, .tolerance = NAN};
	if (!old->tolerances || !old->values || !fresh->values)
		return NULL;
	while (i < old->count && k < fresh->count) {
		int64_t left = rg_metric_step(old, i), right = rg_metric_step(fresh, k);
		worst_record record = {
			.old = old->values[i], .fresh = fresh->values[k], .step = left};

		if (left == right)
			hold(&row->over, &worst, &record, old->tolerances[i]);
		i += left <= right;
		k += right <= left;
	}
	return row->over.count ? say(&row->over, arena, old->records, &worst) : NULL;
}
