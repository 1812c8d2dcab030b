/* SPDX-License-Identifier: Apache-2.0 */
#include "report/html.h"

#include "base/base64.h"
#include "base/json.h"
#include "base/utf8.h"

#include <math.h>
#include <string.h>

/*
 * The data for templates/rows.js: elements <script type="application/json">, whose JSON is a text,
 * base64 of a zlib stream of JSON. So 20,000 rows take one megabyte, not ten, and only what is
 * opened is read of the curves.
 */

/* The bytes of an element at most; its curves have at most RG_CURVES_POINTS. */
#define BLOCK_MAX ((size_t)256 << 20)

static void pack(rg_packed_json *out)
{
	rg_buf_init(&out->text, BLOCK_MAX);
	rg_buf_init(&out->packed, BLOCK_MAX);
	rg_deflate_begin(&out->deflater, &out->packed);
	out->drain = (rg_buf_drain){rg_deflate_add, &out->deflater, NULL};
	out->text.drain = &out->drain;
	rg_json_out_init(&out->json, &out->text);
}

/* As an element of that class. */
static rg_error *write_packed(rg_buf *page, const char *class_name, rg_packed_json *from)
{
	rg_buf_pour(&from->text, 1);
	rg_deflate_end(&from->deflater);
	rg_buf_inherit(&from->packed, &from->text);
	rg_error *err = rg_buf_check(&from->packed, "the page's data");
	rg_buf_printf(page, "<script type=\"application/json\" class=\"%s\">\"", class_name);
	if (!err)
		rg_base64_add(page, (const unsigned char *)from->packed.data, from->packed.length);
	rg_buf_str(page, "\"</script>\n");
	rg_buf_release(&from->packed);
	rg_buf_release(&from->text);
	return err;
}

/* --- curves --- */

/*
 * All of a list, in order, in elements of so many curves each, "curve-data": a list of objects with
 * "old" and "new", a list of steps and a list of values each, "low" and "high" where a noise model
 * has them, "tensor", and "records", the names of a table's steps, and "thin" where a side does not
 * have all of its values.
 */
enum { BLOCK = 64 };

static void write_points(rg_json_out *json, const char *name, const rg_curve_side *side)
{
	if (!side->count)
		return;
	rg_json_key_open(json, name, '[');
	rg_json_open(json, '[');
	for (size_t i = 0; i < side->count; i++)
		rg_json_number(json, side->points[i].x);
	rg_json_close(json, ']');
	rg_json_open(json, '[');
	for (size_t i = 0; i < side->count; i++)
		rg_json_number(json, side->points[i].y);
	rg_json_close(json, ']');
	rg_json_close(json, ']');
}

rg_error *rg_page_curves_write(rg_buf *out, const rg_curve_list *curves)
{
	rg_packed_json block;

	for (size_t i = 0; i < curves->count; i += BLOCK) {
		pack(&block);
		rg_json_open_flat(&block.json, '[');
		for (size_t k = i; k < i + BLOCK && k < curves->count; k++) {
			const rg_curve *curve = &curves->items[k];
			rg_json_open(&block.json, '{');
			write_points(&block.json, "old", &curve->old);
			write_points(&block.json, "new", &curve->new_side);
			write_points(&block.json, "low", &curve->low);
			write_points(&block.json, "high", &curve->high);
			if (curve->row->near_zero != RG_NEAR_ZERO)
				rg_json_key_number(&block.json, "near_zero", curve->row->near_zero);
			if (curve->is_tensor)
				rg_json_key_truth(&block.json, "tensor", true);
			if (curve->row->n_steps > RG_CURVE_MAX)
				rg_json_key_truth(&block.json, "thin", true);
			if (curve->by_record)
				rg_json_key_texts(&block.json, "records", curve->records,
						  curve->record_count);
			rg_json_close(&block.json, '}');
		}
		rg_json_close(&block.json, ']');
		RG_TRY(write_packed(out, "curve-data", &block));
	}
	return NULL;
}

/* --- rows --- */

/* As the page shows it: with control characters and broken UTF-8 as \xNN. */
static void write_shown(rg_json_out *json, const cJSON *value)
{
	const char *text = cJSON_GetStringValue(value);

	RG_AUTO(rg_buf) shown = rg_buf_of(RG_BUF_TEXT);
	rg_utf8_add_safe(&shown, text ? text : "", text ? strlen(text) : 0);
	rg_json_text(json, shown.data);
}

static void write_texts(rg_json_out *json, const cJSON *from, const char *const *keys)
{
	for (; *keys; keys++) {
		const char *text = cJSON_GetStringValue(rg_json_member(from, *keys));
		if (!text || !*text)
			continue;
		rg_json_key(json, *keys);
		write_shown(json, rg_json_member(from, *keys));
	}
}

static void write_cell(rg_json_out *json, const cJSON *cell)
{
	double number;
	write_shown(json, rg_json_member(cell, "value"));
	if (rg_json_is_number(rg_json_member(cell, "number"), &number))
		rg_json_number(json, number);
	else
		rg_json_null(json);
}

void rg_page_rows_begin(rg_packed_json *out, const cJSON *head)
{
	static const char *const links[] = {"old_url", "new_url", NULL};
	rg_json_out *json = &out->json;

	pack(out);
	rg_json_open_flat(json, '{');
	write_texts(json, head, links);
	rg_json_key(json, "columns");
	rg_json_tree(json, rg_json_member(head, "columns"));
	rg_json_key_open(json, "rows", '[');
}

void rg_page_rows_add(rg_packed_json *out, const cJSON *row)
{
	enum { AT_ONCE = 65536 };
	/* Its facets are names and values by turns, its cells texts and numbers, those of its
	 * figure first. */
	static const char *const texts[] = {"id",    "file", "name",  "metric",
					    "trend", "why",  "curve", NULL};
	const cJSON *item;

	rg_json_open(&out->json, '{');
	write_texts(&out->json, row, texts);
	/* The path itself, where it is shown otherwise. */
	const char *path = cJSON_GetStringValue(rg_json_member(row, "file"));
	RG_AUTO(rg_buf) shown = rg_buf_of(RG_BUF_TEXT);
	rg_utf8_add_safe(&shown, path ? path : "", path ? strlen(path) : 0);
	if (path && strcmp(shown.data, path) != 0)
		rg_json_key_text(&out->json, "path", path);
	rg_json_key_truth(&out->json, "look", cJSON_IsTrue(rg_json_member(row, "look")));
	rg_json_key_truth(&out->json, "own", cJSON_IsTrue(rg_json_member(row, "own")));
	rg_json_key_open(&out->json, "facets", '[');
	cJSON_ArrayForEach(item, rg_json_member(row, "facets"))
	{
		write_shown(&out->json, rg_json_member(item, "name"));
		write_shown(&out->json, rg_json_member(item, "value"));
	}
	rg_json_close(&out->json, ']');
	rg_json_key_open(&out->json, "cells", '[');
	write_cell(&out->json, rg_json_member(row, "figure"));
	cJSON_ArrayForEach(item, rg_json_member(row, "cells")) write_cell(&out->json, item);
	rg_json_close(&out->json, ']');
	rg_json_close(&out->json, '}');
	rg_buf_pour(&out->text, AT_ONCE);
}

rg_error *rg_page_rows_end(rg_packed_json *out, rg_buf *page)
{
	rg_json_close(&out->json, ']');
	rg_json_close(&out->json, '}');
	return write_packed(page, "row-data", out);
}

/* --- how the relative difference goes --- */

/* A letter a place, from 'a', as far down as the largest goes up or down, over 'k', which is 0, to
 * 'u'; '.' where no step counts. Capital letters are of records, which have no order. */
enum { PLACES = RG_PAGE_TREND - 1, LEVELS = 20 };

/* How far the step moved, positive where new is the larger number; NaN where it does not count. */
static double relative(const rg_curve *curve, const rg_svg_point *old, const rg_svg_point *fresh)
{
	bool counts = isfinite(old->y) && isfinite(fresh->y) &&
		      fabs(old->y) >= curve->row->near_zero && old->y != 0;
	return counts ? (fresh->y - old->y) / fabs(old->y) : NAN;
}

void rg_page_trend(char out[static RG_PAGE_TREND], const rg_curve *curve)
{
	const rg_curve_side *old = &curve->old, *fresh = &curve->new_side;
	size_t count = old->count < PLACES ? old->count : PLACES;
	double values[PLACES], largest = 0;

	for (size_t i = 0; i < count; i++)
		values[i] = NAN;
	for (size_t i = 0, k = 0; i < old->count; i++) {
		while (k < fresh->count && fresh->points[k].x < old->points[i].x)
			k++;
		if (k == fresh->count || fresh->points[k].x > old->points[i].x)
			continue;
		double value = relative(curve, &old->points[i], &fresh->points[k]);
		double *place = &values[i * count / old->count];
		if (isfinite(value) && !(fabs(value) <= fabs(*place)))
			*place = value;
		if (isfinite(value))
			largest = fmax(largest, fabs(value));
	}
	for (size_t i = 0; i < count; i++) {
		double share = largest > 0 ? values[i] / largest : values[i];
		int level = isnan(share) ? 0 : (int)lround((share + 1) / 2 * LEVELS);
		out[i] = (char)(isnan(share) ? '.' : (curve->by_record ? 'A' : 'a') + level);
	}
	out[count] = '\0';
}
