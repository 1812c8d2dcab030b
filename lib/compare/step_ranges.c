/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/step_ranges.h"

#include "base/number.h"
#include "base/utf8.h"
#include "golden/records.h"

#include <string.h>

void rg_step_ranges_add(rg_step_ranges *ranges, size_t place, int64_t first, int64_t last,
			size_t count)
{
	if (!ranges->ranges || ranges->end != place || ranges->records) {
		if (ranges->ranges < RG_STEP_RANGES)
			ranges->kept[ranges->ranges].first = first;
		ranges->ranges++;
	}
	if (ranges->ranges <= RG_STEP_RANGES)
		ranges->kept[ranges->ranges - 1].last = last;
	ranges->steps += count;
	ranges->end = place + count;
}

static void append_name(rg_buf *out, const rg_records *records, int64_t step)
{
	char number[RG_STEP_TEXT];
	const char *name = rg_step_name(records, step, number);

	rg_utf8_add_safe(out, name, strlen(name));
}

/* "1..95, 105..195", "alexnet, dcgan": the first ranges, `most` of them at most. Returns how many
 * more there are. */
static size_t append_ranges(rg_buf *out, const rg_step_ranges *ranges, size_t most)
{
	size_t shown = most < RG_STEP_RANGES ? most : RG_STEP_RANGES;
	if (shown > ranges->ranges)
		shown = ranges->ranges;
	for (size_t i = 0; i < shown; i++) {
		int64_t first = ranges->kept[i].first, last = ranges->kept[i].last;
		rg_buf_str(out, i ? ", " : "");
		append_name(out, ranges->records, first);
		if (last != first) {
			rg_buf_str(out, "..");
			append_name(out, ranges->records, last);
		}
	}
	return ranges->ranges - shown;
}

enum { SAID = 4 };

void rg_step_ranges_say(rg_buf *out, const rg_step_ranges *ranges)
{
	char text[RG_COUNT_TEXT];
	size_t more = append_ranges(out, ranges, SAID);

	if (!more)
		return;
	rg_count_text(more, text);
	rg_buf_printf(out, " and %s more", text);
}

void rg_steps_say_share(rg_buf *out, size_t steps, const rg_metric *metric)
{
	char some[RG_COUNT_TEXT], all[RG_COUNT_TEXT];
	rg_buf_printf(out, " (%s of %s ", rg_count_text(steps, some),
		      rg_count_text(metric->count, all));
	if (metric->tensor)
		rg_buf_printf(out, "value%s)", metric->count == 1 ? "" : "s");
	else
		rg_buf_printf(out, "%s)", rg_step_word(metric->records, metric->count == 1));
}

void rg_left_steps_init(rg_left_steps *steps, const rg_records *records)
{
	*steps = (rg_left_steps){0};
	for (size_t i = 0; i < RG_LEFT_REASONS; i++)
		steps->by[i].records = records;
}

static void append_all(rg_buf *out, const rg_left_steps *steps, rg_left_reason reason)
{
	if (append_ranges(out, &steps->by[reason], RG_STEP_RANGES))
		rg_buf_str(out, ", …");
}

/* " (2..50)" */
static void append_in_parentheses(rg_buf *out, const rg_left_steps *steps, rg_left_reason reason)
{
	if (!steps->by[reason].ranges)
		return;
	rg_buf_str(out, " (");
	append_all(out, steps, reason);
	rg_buf_char(out, ')');
}

void rg_left_out_text(const char **out, rg_arena *arena, const rg_left_out *counts,
		      const rg_left_steps *steps)
{
	static const char *const reasons[RG_LEFT_REASONS] = {
		[RG_LEFT_NEAR_ZERO] = "near zero",
		[RG_LEFT_OLD_NONFINITE] = "not finite on the old side",
		[RG_LEFT_NEW_NONFINITE] = "not finite on the new side",
		[RG_LEFT_OLD_ONLY] = "on the old side only",
		[RG_LEFT_NEW_ONLY] = "on the new side only",
		[RG_LEFT_OLD_PLACEHOLDER] = "NaN on the old side only",
		[RG_LEFT_NOT_LOOKED_AT] = "not looked at",
		[RG_LEFT_NO_STEP] = "under keys that are not steps",
	};
	rg_buf text = rg_buf_of(RG_BUF_ANY);

	for (size_t i = 0; i < RG_LEFT_REASONS; i++) {
		if (!counts->by[i])
			continue;
		rg_buf_printf(&text, "%s%zu %s", text.length ? ", " : "", counts->by[i],
			      reasons[i]);
		if (steps)
			append_in_parentheses(&text, steps, (rg_left_reason)i);
	}
	*out = text.length ? rg_buf_keep(&text, arena) : NULL;
}

void rg_lost_text(const char **out, rg_arena *arena, size_t lost, size_t all,
		  const rg_left_steps *steps)
{
	rg_buf text = rg_buf_of(RG_BUF_ANY);

	*out = NULL;
	if (!lost)
		return;
	rg_buf_printf(&text, "%zu of %zu %s", lost, all,
		      rg_step_word(steps->by[RG_LEFT_OLD_ONLY].records, all == 1));
	append_in_parentheses(&text, steps, RG_LEFT_OLD_ONLY);
	*out = rg_buf_keep(&text, arena);
}

void rg_left_steps_text(const char **out, rg_arena *arena, const rg_left_steps *steps,
			rg_left_reason reason)
{
	rg_buf text = rg_buf_of(RG_BUF_ANY);

	append_all(&text, steps, reason);
	*out = text.length ? rg_buf_keep(&text, arena) : NULL;
}
