/* SPDX-License-Identifier: Apache-2.0 */
#include "report/curve_json.h"

#include "base/fields.h"

#include <stdlib.h>

/* --- the keys --- */

static const rg_json_field side_fields[] = {RG_SAID("min", NUMBER, ""),
					    RG_SAID("max", NUMBER, ""),
					    RG_SAID("steps", NUMBERS, "The points' steps."),
					    RG_SAID("values", NUMBERS, "Their values."),
					    {0}};

static const rg_json_field band_fields[] = {
	RG_SAID("steps", NUMBERS, ""), RG_SAID("values", NUMBERS, ""), {0}};

const rg_json_field rg_curve_fields[] = {
	RG_SAID("file", TEXT, "The golden's path."),
	RG_SAID("metric", TEXT, "The metric."),
	RG_SAID("n_steps", COUNT, "Steps that counted."),
	RG_SAID("avg_rel_diff", NUMBER, ""),
	RG_SAID("max_abs_rel", NUMBER, ""),
	RG_SAID("max_abs_rel_step", NUMBER, ""),
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
	rg_json_key_number(json, "min", side->min);
	rg_json_key_number(json, "max", side->max);
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
		rg_json_key_text(json, "file", curve->row->file);
		rg_json_key_text(json, "metric", curve->row->metric);
		rg_json_key_count(json, "n_steps", curve->row->n_steps);
		rg_json_key_number(json, "avg_rel_diff", curve->row->avg_rel_diff);
		rg_json_key_number(json, "max_abs_rel", curve->row->max_abs_rel);
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

static rg_error *read_number(const rg_json_in *in, const cJSON *object, const char *key,
			     double *out)
{
	return rg_json_is_number(rg_json_member(object, key), out)
		       ? NULL
		       : rg_json_wrong(in, object, key, "is not a number");
}

static rg_error *read_points(rg_curve_side *out, const rg_json_in *in, const cJSON *side)
{
	const double *steps, *values;
	size_t count;

	RG_TRY(rg_json_get_numbers(in, side, "steps", &steps, &out->count));
	RG_TRY(rg_json_get_numbers(in, side, "values", &values, &count));
	if (count != out->count || count > RG_CURVE_POINTS)
		return rg_json_wrong(in, side, "values", "does not fit the steps");
	out->points = malloc((count + 1) * sizeof(*out->points));
	for (size_t i = 0; out->points && i < count; i++)
		out->points[i] = (rg_svg_point){steps[i], values[i]};
	return out->points ? NULL : rg_error_nomem();
}

static rg_error *read_side(rg_curve_side *out, const rg_json_in *in, const cJSON *object,
			   const char *name)
{
	const cJSON *side;
	RG_TRY(rg_json_get_object(in, object, name, &side));
	RG_TRY(read_number(in, side, "min", &out->min));
	RG_TRY(read_number(in, side, "max", &out->max));
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
	uint64_t n_steps;
	double step;

	if (!row)
		return rg_error_nomem();
	*row = (rg_row){.near_zero = RG_NEAR_ZERO};
	out->row = row;
	RG_TRY(rg_json_get_text(in, object, "file", &row->file));
	RG_TRY(rg_json_get_text(in, object, "metric", &row->metric));
	RG_TRY(rg_json_get_count(in, object, "n_steps", UINT64_MAX, &n_steps));
	RG_TRY(read_number(in, object, "avg_rel_diff", &row->avg_rel_diff));
	RG_TRY(read_number(in, object, "max_abs_rel", &row->max_abs_rel));
	RG_TRY(read_number(in, object, "max_abs_rel_step", &step));
	if (rg_json_member(object, "near_zero"))
		RG_TRY(read_number(in, object, "near_zero", &row->near_zero));
	RG_TRY(rg_json_get_truth(in, object, "tensor", &out->is_tensor));
	RG_TRY(rg_json_get_optional(in, object, "max_abs_rel_record", &row->max_abs_rel_record));
	RG_TRY(read_records(out, in, object));
	row->n_steps = (size_t)n_steps;
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
	out->items = calloc(count + 1, sizeof(*out->items));
	if (!out->items)
		return rg_error_nomem();
	cJSON_ArrayForEach(item, list) RG_TRY(read_curve(&out->items[out->count++], in, item));
	return NULL;
}
