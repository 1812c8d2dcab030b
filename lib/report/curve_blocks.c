/* SPDX-License-Identifier: Apache-2.0 */
#include "report/curve_blocks.h"

#include "base/base64.h"
#include "base/deflate.h"
#include "base/json.h"

/* Of one block, whose curves have RG_CURVES_POINTS at most. */
#define BLOCK_MAX ((size_t)256 << 20)

static void add_side(rg_json_out *json, const char *name, const rg_curve_side *side)
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

static void add_curve(rg_json_out *json, const rg_curve *curve)
{
	rg_json_open(json, '{');
	add_side(json, "old", &curve->old);
	add_side(json, "new", &curve->new_side);
	add_side(json, "low", &curve->low);
	add_side(json, "high", &curve->high);
	if (curve->row->near_zero != RG_NEAR_ZERO)
		rg_json_key_number(json, "near_zero", curve->row->near_zero);
	if (curve->is_tensor)
		rg_json_key_truth(json, "tensor", true);
	if (curve->row->n_steps > RG_CURVE_MAX)
		rg_json_key_truth(json, "thin", true);
	if (curve->by_record) {
		rg_json_key_open(json, "records", '[');
		for (size_t i = 0; i < curve->record_count; i++)
			rg_json_text(json, curve->records[i]);
		rg_json_close(json, ']');
	}
	rg_json_close(json, '}');
}

static rg_error *add_block(rg_buf *out, rg_buf *text, rg_buf *packed, const rg_curve *curves,
			   size_t count)
{
	rg_json_out json;
	rg_buf_clear(text);
	rg_buf_clear(packed);
	rg_json_out_init(&json, text);
	rg_json_open_flat(&json, '[');
	for (size_t i = 0; i < count; i++)
		add_curve(&json, &curves[i]);
	rg_json_close(&json, ']');
	RG_TRY(rg_buf_check(text, "curves"));
	rg_deflate(packed, text->data, text->length);
	RG_TRY(rg_buf_check(packed, "curves"));
	rg_buf_str(out, "<script type=\"application/json\" class=\"curve-data\">\"");
	rg_base64_add(out, (const unsigned char *)packed->data, packed->length);
	rg_buf_str(out, "\"</script>\n");
	return NULL;
}

rg_error *rg_curve_blocks_add(rg_buf *out, const rg_curve_list *curves)
{
	rg_error *err = NULL;
	rg_buf text, packed;

	rg_buf_init(&text, BLOCK_MAX);
	rg_buf_init(&packed, BLOCK_MAX);
	for (size_t i = 0; i < curves->count && !err; i += RG_CURVE_BLOCK) {
		size_t left = curves->count - i;
		err = add_block(out, &text, &packed, &curves->items[i],
				left < RG_CURVE_BLOCK ? left : RG_CURVE_BLOCK);
	}
	rg_buf_release(&text);
	rg_buf_release(&packed);
	return err;
}
