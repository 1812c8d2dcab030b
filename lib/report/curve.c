/* SPDX-License-Identifier: Apache-2.0 */
#include "report/curve.h"

#include "base/cancel.h"
#include "base/fields.h"
#include "base/memory.h"
#include "golden/tensor.h"

#include <math.h>
#include <stdlib.h>

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

static void append_point(rg_curve_side *side, rg_svg_point point)
{
	*RG_PUSH(side->points, side->count, side->capacity) = point;
}

static void end_stretch(rg_curve_side *side, stretch *s)
{
	bool rising = s->least.x <= s->largest.x;
	const rg_svg_point first = rising ? s->least : s->largest;
	const rg_svg_point last = rising ? s->largest : s->least;
	const rg_svg_point gap = {s->first_gap, NAN};
	bool has_gap = !isnan(s->first_gap);

	if (has_gap && (!s->finite || gap.x < first.x))
		append_point(side, gap);
	if (s->finite)
		append_point(side, first);
	if (has_gap && s->finite && gap.x > first.x && gap.x < last.x)
		append_point(side, gap);
	if (s->finite && last.x > first.x)
		append_point(side, last);
	if (has_gap && s->finite && gap.x > last.x)
		append_point(side, gap);
	*s = (stretch){.first_gap = NAN};
}

static void append_value(rg_curve_side *side, stretch *s, rg_svg_point point)
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

static rg_error *read_side(rg_curve_side *side, const rg_metric *metric)
{
	RG_AUTO_FREE double *block = rg_malloc(BLOCK * sizeof(*block));
	size_t each = metric->count > RG_CURVE_MAX
			      ? metric->count / STRETCHES + (metric->count % STRETCHES != 0)
			      : 1;
	stretch s = {.first_gap = NAN};

	side->count = 0;
	side->min = side->max = NAN;
	for (size_t at = 0; at < metric->count; at += BLOCK) {
		size_t count = metric->count - at < BLOCK ? metric->count - at : BLOCK;
		RG_TRY(rg_metric_read(metric, at, count, block));
		for (size_t i = 0; i < count; i++) {
			double x = (double)rg_metric_step(metric, at + i);
			append_value(side, &s, (rg_svg_point){x, block[i]});
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
	if (side->count) { /* thousands of them stay */
		side->capacity = side->count;
		side->points = rg_realloc(side->points, side->count * sizeof(*side->points));
	}
	return NULL;
}

rg_error *rg_curve_read(rg_curve *curve, const rg_metric *old, const rg_metric *fresh)
{
	curve->is_tensor = old->dimensions && fresh->dimensions;
	const rg_records *records = old->records;
	curve->by_record = records;
	if (records && records->count <= RG_CURVE_MAX) {
		curve->records =
			rg_arena_alloc(&curve->arena, (records->count + 1) * sizeof(const char *));
		curve->record_count = records->count;
		for (size_t i = 0; i < records->count; i++)
			curve->records[i] = rg_arena_text(&curve->arena, records->names[i]);
	}
	RG_TRY(read_side(&curve->old, old));
	return read_side(&curve->new_side, fresh);
}

rg_error *rg_curve_read_band(rg_curve *curve, const rg_noise_model *model,
			     const rg_noise_series *runs)
{
	RG_AUTO(rg_arena) arena = {0};
	rg_noise_content content;
	double *values;
	if (!runs || runs->count > RG_CURVE_MAX)
		return NULL;
	RG_TRY(rg_noise_read(&content, &values, 0, &arena, model, runs));
	/* The least and the largest of the runs' values, which are one run after the other. */
	for (size_t i = 0; i < runs->count; i++) {
		double x = (double)content.steps[i], low = NAN, high = NAN;
		for (size_t r = 0; r < runs->run_count; r++) {
			double y = values[r * runs->count + i];
			low = fmin(low, isfinite(y) ? y : NAN);
			high = fmax(high, isfinite(y) ? y : NAN);
		}
		if (isnan(low))
			continue;
		append_point(&curve->low, (rg_svg_point){x, low});
		append_point(&curve->high, (rg_svg_point){x, high});
	}
	return NULL;
}

static size_t append_values(double *out, size_t count, const rg_curve_side *side)
{
	for (size_t i = 0; i < side->count; i++)
		out[count++] = side->points[i].y;
	return count;
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
	/* Quarters keep the differences of huge values finite. */
	const double low = values[finite / 20], high = values[finite - 1 - finite / 20];
	const double middle = high / 4 - low / 4;
	const double all = values[finite - 1] / 4 - values[0] / 4;
	if (!(middle > 0) || all < 10 * middle)
		return;
	out->low = fmax(low - 2 * middle, values[0]);
	out->high = fmin(high + 2 * middle, values[finite - 1]);
	for (size_t i = 0; i < finite; i++)
		out->beyond += values[i] < out->low || values[i] > out->high;
}

void rg_curve_measure(rg_curve_range *out, const rg_curve *curve)
{
	RG_AUTO_FREE double *values =
		rg_calloc(curve->old.count + curve->new_side.count + 1, sizeof(*values));
	size_t count = append_values(values, 0, &curve->old);
	count = append_values(values, count, &curve->new_side);
	rg_curve_range_of(out, values, count);
}

/* --- the keys --- */

#define OF rg_curve_side
static const rg_json_field band_fields[] = {RG_KEY_NUMBERS_OF("steps", points, count, rg_svg_point,
							      x, true, "The steps that are drawn."),
					    RG_KEY_NUMBERS_OF("values", points, count, rg_svg_point,
							      y, false,
							      "The value at each of them."),
					    {0}};

static const rg_json_field side_fields[] = {RG_KEY(min, "The least finite value."),
					    RG_KEY(max, "The largest finite value."),
					    RG_SPREAD_SAME(band_fields),
					    {0}};
#undef OF

/* Steps are whole numbers. */
static void write_step(rg_json_out *json, const void *member, const void *context)
{
	int64_t step = *(const int64_t *)member;
	(void)context;
	if (step >= -(int64_t)RG_JSON_EXACT_MAX && step <= (int64_t)RG_JSON_EXACT_MAX)
		rg_json_integer(json, step);
	else
		rg_json_number(json, (double)step);
}

static void write_near_zero(rg_json_out *json, const void *member, const void *context)
{
	double near_zero = *(const double *)member;
	(void)context;
	if (near_zero != RG_NEAR_ZERO)
		rg_json_key_number(json, "near_zero", near_zero);
}

#define OF rg_row
static const rg_json_field row_fields[] = {
	RG_KEY(file, "The golden's path."),
	RG_KEY(metric, "The metric."),
	RG_KEY(n_steps, "Steps that counted."),
	RG_KEY(avg_rel_diff, "As in the row."),
	RG_KEY(max_abs_rel, "As in the row."),
	RG_KEY_PUT("max_abs_rel_step", NUMBER, ALWAYS, max_abs_rel_step, write_step,
		   "The first step that reaches it."),
	RG_KEY_OPTIONAL(max_abs_rel_record, "What a table's step max_abs_rel_step is called."),
	RG_KEY_PUT("near_zero", NUMBER, OPTIONAL, near_zero, write_near_zero,
		   "The bound under which a step has no relative figure; absent: 1e-12."),
	{0}};
#undef OF

static void write_records(rg_json_out *json, const void *from, const void *context)
{
	const rg_curve *curve = from;
	(void)context;
	if (curve->by_record)
		rg_json_key_texts(json, "records", curve->records, curve->record_count);
}

#define OF rg_curve
const rg_json_field rg_curve_fields[] = {
	RG_SPREAD_TO(row, row_fields, ALWAYS),
	RG_KEY_AS("tensor", is_tensor, "Its steps are a tensor's elements."),
	RG_PUT("records", TEXTS, OPTIONAL, NULL, write_records,
	       "What the steps of a table are called, from step 0 on; empty where there are more "
	       "than 1,000."),
	RG_KEY_OBJECT("old", old, side_fields, ALWAYS, true, "A side."),
	RG_KEY_OBJECT("new", new_side, side_fields, ALWAYS, true, "A side."),
	RG_KEY_OBJECT("low", low, band_fields, OPTIONAL, true,
		      "The least or the largest value at each step of the runs behind a verdict; "
		      "missing where nothing was measured."),
	RG_KEY_OBJECT("high", high, band_fields, OPTIONAL, true,
		      "The least or the largest value at each step of the runs behind a verdict; "
		      "missing where nothing was measured."),
	{0}};
#undef OF

void rg_curves_write(rg_json_out *json, const rg_curve_list *curves)
{
	rg_json_key_open(json, "curves", '[');
	for (size_t i = 0; curves && i < curves->count; i++) {
		if (!rg_curve_is_read(&curves->items[i]))
			continue;
		rg_json_open(json, '{');
		rg_json_put_fields(json, rg_curve_fields, &curves->items[i], NULL);
		rg_json_close(json, '}');
	}
	rg_json_close(json, ']');
	rg_json_key_count(json, "curves_left_out", curves ? curves->left_out : 0);
}

/* --- reading --- */

static rg_error *get_side(rg_curve_side *out, const rg_json_in *in, const cJSON *object,
			  const char *name, const rg_json_field *fields)
{
	const cJSON *side;
	RG_TRY(rg_json_get_object(in, object, name, &side));
	RG_TRY(rg_json_get_fields(in, side, fields, out));
	const double *steps, *values;
	size_t count;
	RG_TRY(rg_json_get_numbers(in, side, "steps", &steps, &out->count));
	RG_TRY(rg_json_get_numbers(in, side, "values", &values, &count));
	if (count != out->count || count > RG_CURVE_POINTS)
		return rg_json_wrong(in, side, "values", "does not fit the steps");
	out->points = rg_malloc((count + 1) * sizeof(*out->points));
	for (size_t i = 0; out->points && i < count; i++)
		out->points[i] = (rg_svg_point){steps[i], values[i]};
	return NULL;
}

static rg_error *get_curve(rg_curve *out, const rg_json_in *in, const cJSON *object)
{
	rg_row *row = rg_arena_alloc(in->arena, sizeof(*row));
	double step;
	*row = (rg_row){.near_zero = RG_NEAR_ZERO};
	out->row = row;
	RG_TRY(rg_json_get_fields(in, object, row_fields, row));
	RG_TRY(rg_json_get_fields(in, object, rg_curve_fields, out));
	RG_TRY(rg_json_get_number(in, object, "max_abs_rel_step", &step));
	if (rg_json_member(object, "near_zero"))
		RG_TRY(rg_json_get_number(in, object, "near_zero", &row->near_zero));
	RG_TRY(rg_json_get_texts(in, object, "records", &out->records, &out->record_count));
	out->by_record = out->records;
	if (out->record_count > RG_CURVE_MAX)
		return rg_json_wrong(in, object, "records", "has more records than a curve");
	row->max_abs_rel_step = step >= -9e15 && step <= 9e15 ? (int64_t)step : 0;
	RG_TRY(get_side(&out->old, in, object, "old", side_fields));
	RG_TRY(get_side(&out->new_side, in, object, "new", side_fields));
	if (rg_json_member(object, "low"))
		RG_TRY(get_side(&out->low, in, object, "low", band_fields));
	return rg_json_member(object, "high")
		       ? get_side(&out->high, in, object, "high", band_fields)
		       : NULL;
}

rg_error *rg_curves_read(rg_curve_list *out, const rg_json_in *in)
{
	const cJSON *list, *item;
	uint64_t left_out = 0;
	size_t count;

	*out = (rg_curve_list){0};
	RG_TRY(rg_json_get_objects(in, in->root, "curves", &list, &count));
	if (rg_json_member(in->root, "curves_left_out"))
		RG_TRY(rg_json_get_count(in, in->root, "curves_left_out", SIZE_MAX, &left_out));
	out->left_out = (size_t)left_out;
	if (count > RG_CURVES_KEPT)
		return rg_json_wrong(in, in->root, "curves", "has more curves than a page");
	out->items = rg_calloc(count + 1, sizeof(*out->items));
	cJSON_ArrayForEach(item, list) RG_TRY(get_curve(&out->items[out->count++], in, item));
	return NULL;
}

enum { LEVELS = 8 };

void rg_sparkline_fit(rg_sparkline_scale *scale, const double *values, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (!isfinite(values[i]))
			continue;
		scale->low = fmin(scale->low, values[i]);
		scale->high = fmax(scale->high, values[i]);
	}
}

/* The mean of the finite values; NaN where there is none. */
static double mean(const double *values, size_t count)
{
	double sum = 0;
	size_t finite = 0;

	for (size_t i = 0; i < count; i++)
		if (isfinite(values[i])) {
			finite++;
			sum += (values[i] - sum) / (double)finite; /* running: never overflows */
		}
	return finite ? sum : NAN;
}

static int level_of(double value, const rg_sparkline_scale *scale)
{
	/* Halved, so that the span of the largest doubles is finite too. */
	double span = scale->high / 2 - scale->low / 2;
	double part = span > 0 ? (value / 2 - scale->low / 2) / span : 0.5;

	return part <= 0 ? 0 : part >= 1 ? LEVELS - 1 : (int)(part * LEVELS);
}

void rg_sparkline(rg_buf *out, const double *values, size_t count, const rg_sparkline_scale *scale)
{
	static const char *const blocks[LEVELS] = {"\u2581", "\u2582", "\u2583", "\u2584",
						   "\u2585", "\u2586", "\u2587", "\u2588"};
	static const char ascii[LEVELS + 1] = "_.-~=+*#";
	size_t width = count < scale->width ? count : scale->width;

	for (size_t i = 0; i < width; i++) {
		size_t first = i * count / width, last = (i + 1) * count / width;
		double value = mean(values + first, last - first);

		if (isnan(value))
			rg_buf_char(out, '!');
		else if (scale->utf8)
			rg_buf_str(out, blocks[level_of(value, scale)]);
		else
			rg_buf_char(out, ascii[level_of(value, scale)]);
	}
}
