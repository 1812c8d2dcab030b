/* SPDX-License-Identifier: Apache-2.0 */
#include "report/curve_json.h"

#include "base/memory.h"
#include "base/fields.h"

#include <stdlib.h>

/* --- the keys --- */

#define OF rg_curve_side
static const rg_json_field side_fields[] = {RG_KEY(min, "The least finite value."),
					    RG_KEY(max, "The largest finite value."),
					    RG_SAID("steps", NUMBERS, "The points' steps."),
					    RG_SAID("values", NUMBERS, "Their values."),
					    {0}};
#undef OF

static const rg_json_field band_fields[] = {
	RG_SAID("steps", NUMBERS, "The steps that are drawn."),
	RG_SAID("values", NUMBERS, "The value at each of them."),
	{0}};

/* What its row has is written and read by the table. */
#define OF rg_row
const rg_json_field rg_curve_fields[] = {
	RG_KEY(file, "The golden's path."),
	RG_KEY(metric, "The metric."),
	RG_KEY(n_steps, "Steps that counted."),
	RG_KEY(avg_rel_diff, "As in the row."),
	RG_KEY(max_abs_rel, "As in the row."),
	RG_SAID("max_abs_rel_step", NUMBER, "The first step that reaches it."),
	RG_SAID_OPTIONAL("near_zero", NUMBER,
			 "The bound under which a step has no relative figure; absent: 1e-12."),
	RG_SAID_OPTIONAL("max_abs_rel_record", TEXT,
			 "What a table's step max_abs_rel_step is called."),
	RG_SAID("tensor", TRUTH, "Its steps are a tensor's elements."),
	RG_SAID_OPTIONAL("records", TEXTS,
			 "What the steps of a table are called, from step 0 on; empty where there "
			 "are more than 1,000."),
	RG_SAID_OF("old", OBJECT, ALWAYS, side_fields, "A side."),
	RG_SAID_OF("new", OBJECT, ALWAYS, side_fields, "A side."),
	RG_SAID_OF("low", OBJECT, OPTIONAL, band_fields,
		   "The least or the largest value at each step of the runs behind a verdict; "
		   "missing where nothing was measured."),
	RG_SAID_OF("high", OBJECT, OPTIONAL, band_fields,
		   "The least or the largest value at each step of the runs behind a verdict; "
		   "missing where nothing was measured."),
	{0}};
#undef OF

/* --- writing --- */

/* Steps are whole numbers. */
static void write_step(rg_json_out *json, double step)
{
	if (step >= -(double)RG_JSON_EXACT_MAX && step <= (double)RG_JSON_EXACT_MAX)
		rg_json_integer(json, (int64_t)step);
	else
		rg_json_number(json, step);
}

/* The points as a member's two lists. */
static void write_points(rg_json_out *json, const rg_curve_side *side)
{
	rg_json_key_open(json, "steps", '[');
	for (size_t i = 0; i < side->count; i++)
		write_step(json, side->points[i].x);
	rg_json_close(json, ']');
	rg_json_key_open(json, "values", '[');
	for (size_t i = 0; i < side->count; i++)
		rg_json_number(json, side->points[i].y);
	rg_json_close(json, ']');
}

static void write_side(rg_json_out *json, const char *name, const rg_curve_side *side)
{
	rg_json_key_open_flat(json, name, '{');
	rg_json_put_fields(json, side_fields, side, NULL);
	write_points(json, side);
	rg_json_close(json, '}');
}

/* What the runs of a noise model had. */
static void write_band(rg_json_out *json, const char *name, const rg_curve_side *side)
{
	if (!side->count)
		return;
	rg_json_key_open_flat(json, name, '{');
	write_points(json, side);
	rg_json_close(json, '}');
}

void rg_curves_write(rg_json_out *json, const rg_curve_list *curves)
{
	rg_json_key_open(json, "curves", '[');
	for (size_t i = 0; curves && i < curves->count; i++) {
		const rg_curve *curve = &curves->items[i];
		if (!rg_curve_is_read(curve))
			continue;
		rg_json_open(json, '{');
		rg_json_put_fields(json, rg_curve_fields, curve->row, NULL);
		rg_json_key(json, "max_abs_rel_step");
		write_step(json, (double)curve->row->max_abs_rel_step);
		if (curve->row->max_abs_rel_record)
			rg_json_key_text(json, "max_abs_rel_record",
					 curve->row->max_abs_rel_record);
		if (curve->row->near_zero != RG_NEAR_ZERO)
			rg_json_key_number(json, "near_zero", curve->row->near_zero);
		rg_json_key_truth(json, "tensor", curve->is_tensor);
		if (curve->by_record)
			/* What the steps of a table are called: step 0 is the first. */
			rg_json_key_texts(json, "records", curve->records, curve->record_count);
		write_side(json, "old", &curve->old);
		write_side(json, "new", &curve->new_side);
		write_band(json, "low", &curve->low);
		write_band(json, "high", &curve->high);
		rg_json_close(json, '}');
	}
	rg_json_close(json, ']');
	rg_json_key_count(json, "curves_left_out", curves ? curves->left_out : 0);
}

/* --- reading --- */

static rg_error *read_points(rg_curve_side *out, const rg_json_in *in, const cJSON *side)
{
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

static rg_error *read_side(rg_curve_side *out, const rg_json_in *in, const cJSON *object,
			   const char *name)
{
	const cJSON *side;
	RG_TRY(rg_json_get_object(in, object, name, &side));
	RG_TRY(rg_json_get_fields(in, side, side_fields, out));
	return read_points(out, in, side);
}

static rg_error *read_band(rg_curve_side *out, const rg_json_in *in, const cJSON *object,
			   const char *name)
{
	const cJSON *side;
	if (!rg_json_member(object, name))
		return NULL;
	RG_TRY(rg_json_get_object(in, object, name, &side));
	return read_points(out, in, side);
}

/* A step that is out of range is none. */
static int64_t step_of(double value)
{
	return value >= -9e15 && value <= 9e15 ? (int64_t)value : 0;
}

static rg_error *read_records(rg_curve *out, const rg_json_in *in, const cJSON *object)
{
	RG_TRY(rg_json_get_texts(in, object, "records", &out->records, &out->record_count));
	out->by_record = out->records;
	return out->record_count > RG_CURVE_MAX
		       ? rg_json_wrong(in, object, "records", "has more records than a curve")
		       : NULL;
}

static rg_error *read_curve(rg_curve *out, const rg_json_in *in, const cJSON *object)
{
	rg_row *row = rg_arena_alloc(in->arena, sizeof(*row));
	double step;
	*row = (rg_row){.near_zero = RG_NEAR_ZERO};
	out->row = row;
	RG_TRY(rg_json_get_fields(in, object, rg_curve_fields, row));
	RG_TRY(rg_json_get_number(in, object, "max_abs_rel_step", &step));
	if (rg_json_member(object, "near_zero"))
		RG_TRY(rg_json_get_number(in, object, "near_zero", &row->near_zero));
	RG_TRY(rg_json_get_truth(in, object, "tensor", &out->is_tensor));
	RG_TRY(rg_json_get_optional(in, object, "max_abs_rel_record", &row->max_abs_rel_record));
	RG_TRY(read_records(out, in, object));
	row->max_abs_rel_step = step_of(step);
	RG_TRY(read_side(&out->old, in, object, "old"));
	RG_TRY(read_side(&out->new_side, in, object, "new"));
	RG_TRY(read_band(&out->low, in, object, "low"));
	return read_band(&out->high, in, object, "high");
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
	cJSON_ArrayForEach(item, list) RG_TRY(read_curve(&out->items[out->count++], in, item));
	return NULL;
}
