/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/golden.h"

#include "golden/unit.h"

#include <stdlib.h>
#include <string.h>

void rg_golden_free(rg_golden *golden)
{
	if (!golden)
		return;
	rg_arena_release(&golden->arena);
	free(golden);
}

bool rg_golden_is_opaque(const rg_golden *golden)
{
	return golden->count == 1 && golden->metrics->kind == RG_METRIC_OPAQUE;
}

const rg_metric *rg_golden_find(const rg_golden *golden, const char *name)
{
	const rg_metric key = {.name = name};
	return golden->count ? bsearch(&key, golden->metrics, golden->count, sizeof(key),
				       rg_metric_compare)
			     : NULL;
}

int rg_metric_compare(const void *a, const void *b)
{
	return strcmp(((const rg_metric *)a)->name, ((const rg_metric *)b)->name);
}

const char *rg_record_text_at(const rg_record_text *list, size_t count, int64_t step)
{
	size_t low = 0, high = count;
	while (low < high) {
		const size_t middle = low + (high - low) / 2;
		if (list[middle].step < step)
			low = middle + 1;
		else
			high = middle;
	}
	return low < count && list[low].step == step ? list[low].text : NULL;
}

bool rg_metric_is_duration(const rg_metric *metric)
{
	for (size_t i = 0; i < metric->unit_count; i++)
		if (!rg_unit_is_duration(metric->units[i].text))
			return false;
	return metric->unit_count ? metric->unit_count == metric->count
				  : rg_unit_is_duration(metric->unit);
}

rg_error *rg_metric_read(const rg_metric *metric, size_t first, size_t count, double *out)
{
	if (metric->kind != RG_METRIC_SERIES || first > metric->count ||
	    count > metric->count - first)
		return rg_error_new(RG_E_LIMIT, "metric '%s': values %zu … %zu are not there",
				    metric->name, first, first + count);
	if (!count)
		return NULL;
	if (!metric->values)
		return metric->block(metric, first, count, out);
	memcpy(out, metric->values + first, count * sizeof(*out));
	return NULL;
}

void rg_golden_add_note(rg_golden *golden, rg_note_kind kind, const char *text)
{
	const size_t count = golden->note_count;
	rg_golden_note *notes = rg_arena_alloc(&golden->arena, (count + 1) * sizeof(*notes));
	if (count)
		memcpy(notes, golden->notes, count * sizeof(*notes));
	notes[count] = (rg_golden_note){kind, rg_arena_text(&golden->arena, text)};
	golden->notes = notes;
	golden->note_count = count + 1;
}
