/* SPDX-License-Identifier: Apache-2.0 */
#include "report/curve.h"

#include "base/memory.h"
#include "base/cancel.h"
#include "golden/records.h"
#include "golden/tensor.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A large tensor is given back after each SEGMENT of values. */
enum { BLOCK = 4096, SEGMENT = 256 * BLOCK, STRETCHES = RG_CURVE_MAX / 2 };

bool rg_row_has_curve(const rg_row *row)
{
	return row->kind == RG_ROW_SERIES && !row->identical &&
	       row->n_steps + row->left_out.new_nonfinite > 1;
}

bool rg_curve_is_read(const rg_curve *curve)
{
	return curve->old.count && curve->new_side.count;
}

size_t rg_curve_points(const rg_curve *curve)
{
	return curve->old.count + curve->new_side.count + curve->low.count + curve->high.count;
}

void rg_curve_release(rg_curve *curve)
{
	free(curve->old.points);
	free(curve->new_side.points);
	free(curve->low.points);
	free(curve->high.points);
	rg_arena_release(&curve->arena);
}

void rg_curves_release(rg_curve_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		rg_curve_release(&list->items[i]);
	free(list->items);
	*list = (rg_curve_list){0};
}

/* A stretch of neighbouring values: its ends, and whether something in it is not finite. */
typedef struct {
	rg_svg_point least, largest;
	size_t finite, count;
	double first_gap; /* the first x of a value that is not finite; NaN: none */
} stretch;

static void add_point(rg_curve_side *side, rg_svg_point point)
{
	rg_grow(&side->points, &side->capacity, side->count + 1, sizeof(*side->points));
	side->points[side->count++] = point;
}

static void end_stretch(rg_curve_side *side, stretch *s)
{
	bool rising = s->least.x <= s->largest.x;
	const rg_svg_point first = rising ? s->least : s->largest;
	const rg_svg_point last = rising ? s->largest : s->least;
	const rg_svg_point gap = {s->first_gap, NAN};
	bool has_gap = !isnan(s->first_gap);

	if (has_gap && (!s->finite || gap.x < first.x))
		add_point(side, gap);
	if (s->finite)
		add_point(side, first);
	if (has_gap && s->finite && gap.x > first.x && gap.x < last.x)
		add_point(side, gap);
	if (s->finite && last.x > first.x)
		add_point(side, last);
	if (has_gap && s->finite && gap.x > last.x)
		add_point(side, gap);
	*s = (stretch){.first_gap = NAN};
}

static void add_value(rg_curve_side *side, stretch *s, rg_svg_point point)
{
	s->count++;
	if (!isfinite(point.y)) {
		if (isnan(s->first_gap))
			s->first_gap = point.x;
		return;
	}
	side->min = fmin(side->min, point.y);
	side->max = fmax(side->max, point.y);
	if (!s->finite || point.y < s->least.y)
		s->least = point;
	if (!s->finite || point.y > s->largest.y)
		s->largest = point;
	s->finite++;
}

static rg_error *read_values(rg_curve_side *side, const rg_metric *metric, double *block)
{
	size_t each = metric->count > RG_CURVE_MAX
			      ? metric->count / STRETCHES + (metric->count % STRETCHES != 0)
			      : 1;
	stretch s = {.first_gap = NAN};

	for (size_t at = 0; at < metric->count; at += BLOCK) {
		size_t count = metric->count - at < BLOCK ? metric->count - at : BLOCK;
		RG_TRY(rg_metric_read(metric, at, count, block));
		for (size_t i = 0; i < count; i++) {
			double x = (double)rg_metric_step(metric, at + i);
			add_value(side, &s, (rg_svg_point){x, block[i]});
			if (s.count == each)
				end_stretch(side, &s);
		}
		if ((at + count) % SEGMENT != 0)
			continue;
		RG_TRY(rg_cancel_check());
		if (metric->tensor)
			rg_tensor_forget(metric->tensor, at + count - SEGMENT, SEGMENT);
	}
	if (s.count)
		end_stretch(side, &s);
	return NULL;
}

static rg_error *read_side(rg_curve_side *side, const rg_metric *metric)
{
	double *block = rg_malloc(BLOCK * sizeof(*block));
	side->count = 0;
	side->min = side->max = NAN;
	rg_error *err = read_values(side, metric, block);
	free(block);
	return err;
}

static void keep_records(rg_curve *curve, const rg_records *records)
{
	curve->by_record = records;
	if (!records || records->count > RG_CURVE_MAX)
		return;
	curve->records = rg_arena_alloc(&curve->arena, (records->count + 1) * sizeof(const char *));
	curve->record_count = records->count;
	for (size_t i = 0; i < records->count; i++)
		curve->records[i] = rg_arena_text(&curve->arena, records->names[i]);
}

rg_error *rg_curve_read(rg_curve *curve, const rg_metric *old, const rg_metric *fresh)
{
	curve->is_tensor = old->dimensions && fresh->dimensions;
	keep_records(curve, old->records);
	RG_TRY(read_side(&curve->old, old));
	return read_side(&curve->new_side, fresh);
}

/* The least and the largest of the runs' values, which are one run after the other. */
static void add_band(rg_curve *curve, const rg_noise_series *runs, const double *values)
{
	for (size_t i = 0; i < runs->count; i++) {
		double x = (double)runs->steps[i], low = NAN, high = NAN;
		for (size_t r = 0; r < runs->run_count; r++) {
			double y = values[r * runs->count + i];
			low = fmin(low, isfinite(y) ? y : NAN);
			high = fmax(high, isfinite(y) ? y : NAN);
		}
		if (isnan(low))
			continue;
		add_point(&curve->low, (rg_svg_point){x, low});
		add_point(&curve->high, (rg_svg_point){x, high});
	}
}

rg_error *rg_curve_read_band(rg_curve *curve, const rg_noise_series *runs)
{
	if (!runs || runs->count > RG_CURVE_MAX)
		return NULL;
	double *values = rg_calloc(runs->run_count * runs->count + 1, sizeof(*values));
	rg_error *err = rg_noise_series_values(values, runs);
	if (!err)
		add_band(curve, runs, values);
	free(values);
	return err;
}

static size_t add_values(double *out, size_t count, const rg_curve_side *side)
{
	for (size_t i = 0; i < side->count; i++)
		out[count++] = side->points[i].y;
	return count;
}

/* Of the sorted values. Quarters keep the differences of huge ones finite. */
static void measure_values(rg_curve_range *out, const double *values, size_t count)
{
	const double low = values[count / 20], high = values[count - 1 - count / 20];
	const double middle = high / 4 - low / 4;
	const double all = values[count - 1] / 4 - values[0] / 4;

	if (!(middle > 0) || all < 10 * middle)
		return;
	out->low = fmax(low - 2 * middle, values[0]);
	out->high = fmin(high + 2 * middle, values[count - 1]);
	for (size_t i = 0; i < count; i++)
		out->beyond += values[i] < out->low || values[i] > out->high;
}

void rg_curve_range_of(rg_curve_range *out, double *values, size_t count)
{
	size_t finite = 0;
	*out = (rg_curve_range){0};
	for (size_t i = 0; i < count; i++)
		if (isfinite(values[i]))
			values[finite++] = values[i];
	if (!finite)
		return;
	qsort(values, finite, sizeof(*values), rg_compare_doubles);
	measure_values(out, values, finite);
}

void rg_curve_measure(rg_curve_range *out, const rg_curve *curve)
{
	double *values = rg_calloc(curve->old.count + curve->new_side.count + 1, sizeof(*values));
	size_t count = add_values(values, 0, &curve->old);
	count = add_values(values, count, &curve->new_side);
	rg_curve_range_of(out, values, count);
	free(values);
}
