/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/series_text.h"

#include "base/number.h"
#include "golden/series_bytes.h"

#include <inttypes.h>
#include <string.h>

static uint64_t distance_to(const rg_metric *series, size_t at)
{
	return (uint64_t)series->steps[at] - (uint64_t)series->steps[at - 1];
}

static bool counts_up(const rg_metric *series)
{
	return !series->steps || !series->count ||
	       (uint64_t)series->steps[series->count - 1] - (uint64_t)series->steps[0] ==
		       series->count - 1;
}

void rg_steps_pack(rg_buf *out, const rg_metric *series)
{
	size_t next;
	if (counts_up(series))
		return;
	for (size_t i = 1; i < series->count; i = next) {
		uint64_t distance = distance_to(series, i);
		for (next = i + 1; next < series->count; next++)
			if (distance_to(series, next) != distance)
				break;
		rg_buf_printf(out, "%s%" PRIu64, i > 1 ? " " : "", distance);
		if (next > i + 1)
			rg_buf_printf(out, "*%zu", next - i);
	}
}

/* "5" or "5*3" at *text. */
static bool parse_distance(const char **text, uint64_t *distance, uint64_t *times)
{
	size_t length = strspn(*text, "0123456789");
	*times = 1;
	if (!rg_uint64_parse(*text, length, distance) || !*distance)
		return false;
	*text += length;
	if (**text != '*')
		return true;
	++*text;
	length = strspn(*text, "0123456789");
	if (!rg_uint64_parse(*text, length, times) || !*times)
		return false;
	*text += length;
	return true;
}

rg_error *rg_steps_unpack(int64_t *out, size_t count, int64_t first, const char *text)
{
	uint64_t distance = 1, times = *text ? 0 : UINT64_MAX;
	if (count)
		out[0] = first;
	for (size_t i = 1; i < count; i++, times--) {
		if (!times && !parse_distance(&text, &distance, &times))
			return rg_series_damaged();
		if (distance > (uint64_t)INT64_MAX - (uint64_t)out[i - 1])
			return rg_series_damaged();
		out[i] = (int64_t)((uint64_t)out[i - 1] + distance);
		text += times == 1 && *text == ' ';
	}
	return *text || (times && times < UINT64_MAX - count) ? rg_series_damaged() : NULL;
}
