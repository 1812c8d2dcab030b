/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/record_tolerances.h"

#include "base/buf.h"
#include "base/number.h"
#include "golden/records.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
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

static const char *find_beside(rg_arena *arena, const rg_metric *old, const rg_metric *fresh,
			       const double *was, const double *is, const char *what)
{
	size_t i = 0, k = 0;
	while ((was || is) && i < old->count && k < fresh->count) {
		int64_t left = rg_metric_step(old, i), right = rg_metric_step(fresh, k);
		const double a = was ? was[i] : NAN, b = is ? is[k] : NAN;
		char number[RG_STEP_TEXT], text[2][RG_DOUBLE_REPR_SIZE];

		if (left == right && a != b && !(isnan(a) && isnan(b))) {
			rg_double_repr(a, text[0]);
			rg_double_repr(b, text[1]);
			char *said = rg_textf("the %s of %s was %s and is %s", what,
					      rg_step_name(old->records, left, number),
					      isnan(a) ? "none" : text[0],
					      isnan(b) ? "none" : text[1]);
			const char *kept = rg_arena_text(arena, said);
			free(said);
			return kept;
		}
		i += left <= right;
		k += right <= left;
	}
	return NULL;
}

const char *rg_record_beside(rg_arena *arena, const rg_metric *old, const rg_metric *fresh)
{
	const char *text =
		find_beside(arena, old, fresh, old->tolerances, fresh->tolerances, "tolerance");
	return text ? text
		    : find_beside(arena, old, fresh, old->errors, fresh->errors, "standard error");
}
