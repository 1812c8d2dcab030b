#include "compare/left_out.h"

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

		rg_buf_printf(out, "%s%" PRId64, i ? ", " : " (", first);
		if (last != first)
			rg_buf_printf(out, "..%" PRId64, last);
	}
	if (i)
		rg_buf_str(out, steps->by[reason].more ? ", …)" : ")");
}

rg_error *rg_left_out_text(const char **out, rg_arena *arena, const rg_left_out *counts,
			   const rg_left_steps *steps)
{
	const struct {
		size_t count;
		const char *what;
	} reasons[RG_LEFT_REASONS] = {
		{counts->near_zero, "near zero"},
		{counts->old_nonfinite, "not finite on the old side"},
		{counts->new_nonfinite, "not finite on the new side"},
		{counts->old_only, "on the old side only"},
		{counts->new_only, "on the new side only"},
		{counts->not_looked_at, "not looked at"},
	};
	rg_error *err;
	rg_buf text;
	size_t i;

	*out = NULL;
	rg_buf_init(&text, RG_BUF_TEXT);
	for (i = 0; i < RG_LEFT_REASONS; i++) {
		if (!reasons[i].count)
			continue;
		rg_buf_printf(&text, "%s%zu %s", text.length ? ", " : "", reasons[i].count,
			      reasons[i].what);
		if (steps)
			add_stretches(&text, steps, (rg_left_reason)i);
	}
	err = rg_buf_check(&text, "steps that were left out");
	if (!err && text.length) {
		*out = rg_arena_copy(arena, text.data, text.length);
		err = *out ? NULL : rg_error_nomem();
	}
	rg_buf_release(&text);
	return err;
}
