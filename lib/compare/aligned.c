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

/* How many values at hand on both sides, from where they stand, have the same steps. */
static size_t common_run(const side *old, const side *new)
{
	size_t left = old->filled - old->used, other = new->filled - new->used;
	size_t count = left < other ? left : other, i;
	size_t from_old = position(old), from_new = position(new);

	if (!old->metric->steps && !new->metric->steps)
		return from_old == from_new ? count : 0;
	for (i = 0; i < count; i++)
		if (rg_metric_step(old->metric, from_old + i) !=
		    rg_metric_step(new->metric, from_new + i))
			break;
	return i;
}

/* How many of the steps at hand come before `step`. */
static size_t run_before(const side *s, int64_t step)
{
	size_t from = position(s), count = s->filled - s->used, i = 0;

	while (i < count && rg_metric_step(s->metric, from + i) < step)
		i++;
	return i;
}

/* Passes over steps that the other side does not have. */
static rg_error *pass(side *s, rg_aligned_side which, size_t count, rg_aligned_fn *run,
		      void *context, size_t *total)
{
	size_t from = position(s);
	rg_aligned_run r = {.side = which, .count = count};

	if (!count)
		return NULL;
	r.steps = s->metric->steps ? s->metric->steps + from : NULL;
	r.first_step = rg_metric_step(s->metric, from);
	s->used += count;
	*total += count;
	return run(context, &r);
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
				.first_step = rg_metric_step(old->metric, position(old)),
				.old = old->values + old->used,
				.new = new->values + new->used,
				.count = count,
			};

			RG_TRY(run(context, &r));
			old->used += count;
			new->used += count;
			continue;
		}
		count = run_before(old, rg_metric_step(new->metric, position(new)));
		if (count) {
			RG_TRY(pass(old, RG_ALIGNED_OLD_ONLY, count, run, context,
				    &totals->old_only));
			continue;
		}
		count = run_before(new, rg_metric_step(old->metric, position(old)));
		RG_TRY(pass(new, RG_ALIGNED_NEW_ONLY, count, run, context, &totals->new_only));
	}
	RG_TRY(pass(old, RG_ALIGNED_OLD_ONLY, old->metric->count - position(old), run, context,
		    &totals->old_only));
	return pass(new, RG_ALIGNED_NEW_ONLY, new->metric->count - position(new), run, context,
		    &totals->new_only);
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

void rg_aligned_narrow(const rg_metric *old, const rg_metric *new, size_t count,
		       int64_t *first_step, int64_t last_step)
{
	size_t i = old->count, j = new->count;

	while (i && j && count) {
		int64_t left = rg_metric_step(old, i - 1), right = rg_metric_step(new, j - 1);

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
