/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/left_out_steps.h"

#include "base/buf.h"

#include <inttypes.h>

void rg_left_steps_note(rg_left_steps *steps, rg_left_reason reason, size_t place, int64_t first,
			int64_t last, size_t count)
{
	size_t n = steps->by[reason].count;

	if (n && !steps->by[reason].more && steps->by[reason].end == place) {
		steps->by[reason].stretches[n - 1].last = last;
	} else if (n < RG_LEFT_STRETCHES) {
		steps->by[reason].stretches[n].first = first;
		steps->by[reason].stretches[n].last = last;
		steps->by[reason].count++;
	} else {
		steps->by[reason].more = true;
	}
	steps->by[reason].end = place + count;
}

static void add_stretches(rg_buf *out, const rg_left_steps *steps, rg_left_reason reason)
{
	size_t i;

	for (i = 0; i < steps->by[reason].count; i++) {
		int64_t first = steps->by[reason].stretches[i].first;
		int64_t last = steps->by[reason].stretches[i].last;

		rg_buf_printf(out, "%s%" PRId64, i ? ", " : "", first);
		if (last != first)
			rg_buf_printf(out, "..%" PRId64, last);
	}
	if (steps->by[reason].more)
		rg_buf_str(out, ", …");
}

/* " (2..50)" */
static void add_in_parentheses(rg_buf *out, const rg_left_steps *steps, rg_left_reason reason)
{
	if (!steps->by[reason].count)
		return;
	rg_buf_str(out, " (");
	add_stretches(out, steps, reason);
	rg_buf_char(out, ')');
}

static rg_error *keep(const char **out, rg_arena *arena, const rg_buf *text)
{
	RG_TRY(rg_buf_check(text, "steps that were left out"));
	return text->length ? rg_arena_text(arena, text->data, out) : NULL;
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
		[RG_LEFT_NOT_LOOKED_AT] = "not looked at",
		[RG_LEFT_NO_STEP] = "under keys that are not steps",
	};
	rg_error *err;
	rg_buf text;
	size_t i;

	*out = NULL;
	rg_buf_init(&text, RG_BUF_TEXT);
	for (i = 0; i < RG_LEFT_REASONS; i++) {
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
	rg_error *err;
	rg_buf text;

	*out = NULL;
	if (!lost)
		return NULL;
	rg_buf_init(&text, RG_BUF_TEXT);
	rg_buf_printf(&text, "%zu of %zu %s", lost, all, all == 1 ? "step" : "steps");
	add_in_parentheses(&text, steps, RG_LEFT_OLD_ONLY);
	err = keep(out, arena, &text);
	rg_buf_release(&text);
	return err;
}

rg_error *rg_left_steps_text(const char **out, rg_arena *arena, const rg_left_steps *steps,
			     rg_left_reason reason)
{
	rg_error *err;
	rg_buf text;

	*out = NULL;
	rg_buf_init(&text, RG_BUF_TEXT);
	add_stretches(&text, steps, reason);
	err = keep(out, arena, &text);
	rg_buf_release(&text);
	return err;
}
