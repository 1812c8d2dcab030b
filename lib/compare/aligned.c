#include "compare/aligned.h"

#include <stdlib.h>
#include <string.h>

enum { WINDOW = 8192 };

/* One side: the values from `base` on that are at hand, and how far they are used. */
typedef struct {
	const rg_metric *metric;
	const double *values; /* of metric positions base … base + filled - 1 */
	size_t base, filled, used;
	double *window; /* NULL where the series lies in memory */
} side;

static rg_error *side_init(side *s, const rg_metric *metric)
{
	*s = (side){.metric = metric};
	if (metric->values || !metric->count) {
		s->values = metric->values;
		s->filled = metric->count;
		return NULL;
	}
	s->window = malloc(WINDOW * sizeof(*s->window));
	s->values = s->window;
	return s->window ? NULL : rg_error_nomem();
}

static size_t position(const side *s)
{
	return s->base + s->used;
}

static bool at_end(const side *s)
{
	return position(s) >= s->metric->count;
}

/* Makes at least one value available; the side is not at its end. */
static rg_error *side_fill(side *s)
{
	size_t left;

	if (s->used < s->filled)
		return NULL;
	s->base += s->filled;
	s->used = 0;
	left = s->metric->count - s->base;
	s->filled = left < WINDOW ? left : WINDOW;
	return rg_metric_read(s->metric, s->base, s->filled, s->window);
}

static int64_t step_at(const rg_metric *metric, size_t at)
{
	return metric->steps ? metric->steps[at] : (int64_t)at;
}

/* How many values at hand on both sides, from where they stand, have the same steps. */
static size_t common_run(const side *old, const side *new)
{
	size_t left = old->filled - old->used, other = new->filled - new->used;
	size_t count = left < other ? left : other, i;
	size_t from_old = position(old), from_new = position(new);

	if (!old->metric->steps && !new->metric->steps)
		return from_old == from_new ? count : 0;
	for (i = 0; i < count; i++)
		if (step_at(old->metric, from_old + i) != step_at(new->metric, from_new + i))
			break;
	return i;
}

static rg_error *walk(side *old, side *new, rg_aligned_fn *run, void *context,
		      rg_aligned_totals *totals)
{
	while (!at_end(old) && !at_end(new)) {
		size_t count;

		RG_TRY(side_fill(old));
		RG_TRY(side_fill(new));
		count = common_run(old, new);
		if (count) {
			const rg_metric *stepped = old->metric->steps ? old->metric : new->metric;
			size_t from = stepped == old->metric ? position(old) : position(new);
			rg_aligned_run r = {
				.steps = stepped->steps ? stepped->steps + from : NULL,
				.first_step = step_at(old->metric, position(old)),
				.old = old->values + old->used,
				.new = new->values + new->used,
				.count = count,
			};

			RG_TRY(run(context, &r));
			old->used += count;
			new->used += count;
		} else if (step_at(old->metric, position(old)) <
			   step_at(new->metric, position(new))) {
			old->used++;
			totals->old_only++;
		} else {
			new->used++;
			totals->new_only++;
		}
	}
	totals->old_only += old->metric->count - position(old);
	totals->new_only += new->metric->count - position(new);
	return NULL;
}

rg_error *rg_aligned_walk(const rg_metric *old, const rg_metric *new, rg_aligned_fn *run,
			  void *context, rg_aligned_totals *totals)
{
	side left = {0}, right = {0};
	rg_error *err;

	*totals = (rg_aligned_totals){0};
	err = side_init(&left, old);
	if (!err)
		err = side_init(&right, new);
	if (!err)
		err = walk(&left, &right, run, context, totals);
	free(left.window);
	free(right.window);
	return err;
}

rg_error *rg_aligned_narrow(const rg_metric *old, const rg_metric *new, size_t count,
			    int64_t *first_step, int64_t last_step)
{
	size_t i = old->count, j = new->count;

	while (i && j && count) {
		int64_t left = step_at(old, i - 1), right = step_at(new, j - 1);

		if (left == right && left <= last_step) {
			if (left < *first_step)
				return NULL;
			if (!--count)
				*first_step = left;
		}
		i -= left >= right;
		j -= right >= left;
	}
	return NULL;
}
