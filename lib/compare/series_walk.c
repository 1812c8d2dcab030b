/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/series_walk.h"

#include "compare/pair_kernel.h"

enum { WINDOW = 1024 };

/* One side: the values at hand, and how many of them are used. */
typedef struct {
	const rg_metric *metric;
	const double *values; /* of the metric's places base … base + filled - 1 */
	size_t base, filled, used;
	double window[WINDOW]; /* of a series that is not in memory */
} side;

static void side_init(side *s, const rg_metric *metric)
{
	s->metric = metric;
	s->values = metric->values ? metric->values : s->window;
	s->filled = metric->values ? metric->count : 0;
	s->base = s->used = 0;
}

static size_t position(const side *s)
{
	return s->base + s->used;
}

static size_t left_of(const side *s)
{
	return s->metric->count - position(s);
}

/* Makes at least one value available; there is one left. */
static rg_error *side_fill(side *s)
{
	if (s->used < s->filled)
		return NULL;
	s->base += s->filled;
	s->used = 0;
	s->filled = left_of(s) < WINDOW ? left_of(s) : WINDOW;
	return rg_metric_read(s->metric, s->base, s->filled, s->window);
}

/* The steps of one side from where it is. */
static rg_pair_chunk steps_of(const side *s, rg_chunk_side which, size_t count)
{
	const rg_metric *metric = s->metric;
	return (rg_pair_chunk){.side = which,
			       .count = count,
			       .dtype = RG_DTYPE_FLOAT64,
			       .steps = metric->steps ? metric->steps + position(s) : NULL,
			       .first_step = (int64_t)position(s)};
}

/* How many of the next values at hand have the same steps on both sides. */
static size_t common_steps(const side *old, const side *fresh)
{
	size_t left = old->filled - old->used, other = fresh->filled - fresh->used, i = 0;
	size_t count = left < other ? left : other;

	count = count < RG_CHUNK ? count : RG_CHUNK;
	while (i < count && rg_metric_step(old->metric, position(old) + i) ==
				    rg_metric_step(fresh->metric, position(fresh) + i))
		i++;
	return i;
}

/* Takes the steps of one side that come before the other side's next one, of those at hand; all
 * that are left if the other side has ended. */
static rg_error *take_alone(side *s, rg_chunk_side which, const side *other, rg_chunk_fn *take,
			    void *context)
{
	rg_pair_chunk chunk = steps_of(s, which, left_of(s));
	if (left_of(other)) {
		chunk.count = s->filled - s->used;
		chunk.count = rg_chunk_steps_before(&chunk,
						    rg_metric_step(other->metric, position(other)));
	}
	if (which == RG_OLD_ONLY && s->metric->values)
		chunk.old = (const unsigned char *)(s->values + s->used);
	s->used += chunk.count;
	return chunk.count ? take(context, &chunk) : NULL;
}

rg_error *rg_series_walk(const rg_metric *old_metric, const rg_metric *fresh_metric,
			 rg_chunk_fn *take, void *context)
{
	side old, fresh;
	side_init(&old, old_metric);
	side_init(&fresh, fresh_metric);
	while (left_of(&old) && left_of(&fresh)) {
		size_t count;
		RG_TRY(side_fill(&old));
		RG_TRY(side_fill(&fresh));
		count = common_steps(&old, &fresh);
		if (count) {
			rg_pair_chunk chunk =
				steps_of(old_metric->steps ? &old : &fresh, RG_BOTH_SIDES, count);
			chunk.old = (const unsigned char *)(old.values + old.used);
			chunk.fresh = (const unsigned char *)(fresh.values + fresh.used);
			old.used += count;
			fresh.used += count;
			RG_TRY(take(context, &chunk));
			continue;
		}
		RG_TRY(take_alone(&old, RG_OLD_ONLY, &fresh, take, context));
		RG_TRY(take_alone(&fresh, RG_NEW_ONLY, &old, take, context));
	}
	RG_TRY(take_alone(&old, RG_OLD_ONLY, &fresh, take, context));
	return take_alone(&fresh, RG_NEW_ONLY, &old, take, context);
}

void rg_series_narrow(const rg_metric *old, const rg_metric *fresh, size_t count,
		      int64_t *first_step, int64_t last_step)
{
	size_t i = old->count, j = fresh->count;
	while (i && j && count) {
		int64_t left = rg_metric_step(old, i - 1), right = rg_metric_step(fresh, j - 1);
		if (left == right && left <= last_step) {
			if (left < *first_step)
				return;
			if (!--count)
				*first_step = left;
		}
		i -= left >= right;
		j -= right >= left;
	}
}
