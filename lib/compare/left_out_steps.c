/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/left_out_steps.h"

#include "base/utf8.h"
#include "golden/records.h"

#include <string.h>

void rg_left_steps_init(rg_left_steps *steps, const rg_records *records)
{
	*steps = (rg_left_steps){0};
	for (size_t i = 0; i < RG_LEFT_REASONS; i++)
		steps->by[i].records = records;
}

static void add_ranges(rg_buf *out, const rg_left_steps *steps, rg_left_reason reason)
{
	if (rg_step_ranges_text(out, &steps->by[reason], RG_STEP_RANGES))
		rg_buf_str(out, ", …");
}

/* " (2..50)" */
static void add_in_parentheses(rg_buf *out, const rg_left_steps *steps, rg_left_reason reason)
{
	if (!steps->by[reason].ranges)
		return;
	rg_buf_str(out, " (");
	add_ranges(out, steps, reason);
	rg_buf_char(out, ')');
}

static rg_error *keep(const char **out, rg_arena *arena, const rg_buf *text)
{
	RG_TRY(rg_buf_check(text, "steps that were left out"));
	if (text->length)
		*out = rg_arena_text(arena, text->data);
	return NULL;
}

rg_error *rg_left_out_text(const char **out, rg_arena *arena, const rg_left_out *counts,
			   const rg_left_steps *steps)
{
	static const char *const reasons[RG_LEFT_REASONS] = {
		[RG_LEFT_NEAR_ZERO] = "near zero",
		[RG_LEFT_OLD_NONFINITE] = "not finite on the old side",
		[RG_LEFT_NEW_NONFINITE] = "not finite on the new side",
		[RG_LEFT_OLD_ONLY] = "on the old side only",
		[RG_LEFT_NEW_ONLY] = "on the new side only",
		[RG_LEFT_OLD_PLACEHOLDER] = "NaN on the old side only",
		[RG_LEFT_NEW_PLACEHOLDER] = "leading NaN on the new side",
		[RG_LEFT_NOT_LOOKED_AT] = "not looked at",
		[RG_LEFT_NO_STEP] = "under keys that are not steps",
	};
	rg_error *err;
	rg_buf text;

	*out = NULL;
	rg_buf_init(&text, RG_BUF_TEXT);
	for (size_t i = 0; i < RG_LEFT_REASONS; i++) {
		if (!counts->by[i])
			continue;
		rg_buf_printf(&text, "%s%zu %s", text.length ? ", " : "", counts->by[i],
			      reasons[i]);
		if (steps)
			add_in_parentheses(&text, steps, (rg_left_reason)i);
	}
	err = keep(out, arena, &text);
	rg_buf_release(&text);
	return err;
}

rg_error *rg_lost_text(const char **out, rg_arena *arena, size_t lost, size_t all,
		       const rg_left_steps *steps)
{
	rg_buf text;
	*out = NULL;
	if (!lost)
		return NULL;
	rg_buf_init(&text, RG_BUF_TEXT);
	rg_buf_printf(&text, "%zu of %zu %s", lost, all,
		      rg_step_word(steps->by[RG_LEFT_OLD_ONLY].records, all == 1));
	add_in_parentheses(&text, steps, RG_LEFT_OLD_ONLY);
	rg_error *err = keep(out, arena, &text);
	rg_buf_release(&text);
	return err;
}

rg_error *rg_left_steps_text(const char **out, rg_arena *arena, const rg_left_steps *steps,
			     rg_left_reason reason)
{
	rg_buf text;
	*out = NULL;
	rg_buf_init(&text, RG_BUF_TEXT);
	add_ranges(&text, steps, reason);
	rg_error *err = keep(out, arena, &text);
	rg_buf_release(&text);
	return err;
}

rg_error *rg_left_records_text(const char **brief, const char **whole, rg_arena *arena,
			       const rg_records *records, unsigned char side)
{
	rg_left_steps steps;
	rg_buf text;

	*brief = *whole = NULL;
	rg_left_steps_init(&steps, records);
	rg_buf_init(&text, SIZE_MAX / 4);
	for (size_t i = 0; i < records->count; i++) {
		if (!rg_record_is_of(records, (int64_t)i, side))
			continue;
		rg_step_ranges_add(&steps.by[RG_LEFT_OLD_ONLY], i, (int64_t)i, (int64_t)i, 1);
		rg_buf_str(&text, text.length ? ", " : "");
		rg_utf8_add_safe(&text, records->names[i], strlen(records->names[i]));
	}
	rg_error *err = keep(whole, arena, &text);
	rg_buf_release(&text);
	return err ? err : rg_left_steps_text(brief, arena, &steps, RG_LEFT_OLD_ONLY);
}
