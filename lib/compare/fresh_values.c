/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/fresh_values.h"

#include "compare/series_walk.h"

#include <string.h>

enum { WINDOW = 1024 };

typedef struct {
	const rg_fresh_values *values;
	size_t old_place, fresh_place; /* how many of each were looked at */
} walk;

static void pass_lost(walk *w, const rg_pair_chunk *chunk)
{
	const rg_fresh_values *values = w->values;
	size_t each = values->fresh->records ? 1 : chunk->count, i;

	for (i = 0; values->lost && i < chunk->count; i += each)
		values->lost(values->context, w->old_place + i, rg_chunk_step(chunk, i),
			     rg_chunk_step(chunk, i + each - 1), each);
	w->old_place += chunk->count;
}

static rg_error *take_steps(void *context, const rg_pair_chunk *chunk)
{
	walk *w = context;
	const unsigned char *old = chunk->side == RG_BOTH_SIDES ? chunk->old : NULL;
	double window[WINDOW], before;
	size_t from, count, i;

	if (chunk->side == RG_OLD_ONLY) {
		pass_lost(w, chunk);
		return NULL;
	}
	for (from = 0; from < chunk->count; from += count) {
		count = chunk->count - from < WINDOW ? chunk->count - from : WINDOW;
		RG_TRY(rg_metric_read(w->values->fresh, w->fresh_place, count, window));
		for (i = 0; i < count; i++) {
			if (old)
				memcpy(&before, old + (from + i) * sizeof(before), sizeof(before));
			w->values->value(w->values->context, w->fresh_place++, window[i],
					 old ? &before : NULL);
		}
	}
	if (old)
		w->old_place += chunk->count;
	return NULL;
}

rg_error *rg_fresh_values_walk(const rg_fresh_values *values)
{
	static const rg_metric nothing = {.kind = RG_METRIC_SERIES};
	walk w = {.values = values};

	return rg_series_walk(values->old ? values->old : &nothing, values->fresh, take_steps, &w);
}
