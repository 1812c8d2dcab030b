/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/step_ranges.h"

#include "base/number.h"
#include "base/utf8.h"
#include "golden/records.h"

#include <string.h>

enum { SAID = 4 };

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

static void add_name(rg_buf *out, const rg_records *records, int64_t step)
{
	char number[RG_STEP_TEXT];
	const char *name = rg_step_name(records, step, number);

	rg_utf8_add_safe(out, name, strlen(name));
}

size_t rg_step_ranges_text(rg_buf *out, const rg_step_ranges *ranges, size_t most)
{
	size_t shown = most < RG_STEP_RANGES ? most : RG_STEP_RANGES;
	if (shown > ranges->ranges)
		shown = ranges->ranges;
	for (size_t i = 0; i < shown; i++) {
		int64_t first = ranges->kept[i].first, last = ranges->kept[i].last;
		rg_buf_str(out, i ? ", " : "");
		add_name(out, ranges->records, first);
		if (last != first) {
			rg_buf_str(out, "..");
			add_name(out, ranges->records, last);
		}
	}
	return ranges->ranges - shown;
}

void rg_step_ranges_say(rg_buf *out, const rg_step_ranges *ranges)
{
	char text[RG_COUNT_TEXT];
	size_t more = rg_step_ranges_text(out, ranges, SAID);

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
