/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/dependence.h"

#include "audit/changepoint.h"
#include "audit/statistics.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Values for which the orders are counted, and their pairs. */
enum { EXACT_MAX = 50, PAIRS_MAX = EXACT_MAX * (EXACT_MAX - 1) / 2 };

/* The share of the orders of n values with at most so many pairs in descending order. */
static double share_of_orders(size_t n, size_t most)
{
	double share[PAIRS_MAX + 1] = {1}, before[PAIRS_MAX + 1], sum = 0;
	for (size_t m = 2; m <= n; m++) {
		double window = 0;
		for (size_t k = 0; k <= most; k++)
			before[k] = share[k];
		/* The m-th value descends from 0 … m - 1 of those before it, each as likely. */
		for (size_t k = 0; k <= most; k++) {
			window += before[k] - (k >= m ? before[k - m] : 0);
			share[k] = window / (double)m;
		}
	}
	for (size_t k = 0; k <= most; k++)
		sum += share[k];
	return sum;
}

static void find_trend(rg_dependence *out, const double *values, size_t count)
{
	const double n = (double)count, pairs = n * (n - 1) / 2;
	size_t up = 0, down = 0;
	double tied = 0;
	for (size_t i = 0; i < count; i++) {
		size_t equal = 0;
		for (size_t j = 0; j < count; j++)
			equal += values[j] == values[i];
		for (size_t j = i + 1; j < count; j++) {
			up += values[j] > values[i];
			down += values[j] < values[i];
		}
		tied += (double)(equal - 1) * (2 * (double)equal + 5);
	}
	if (!up && !down)
		return;
	double s = (double)up - (double)down;
	out->trend = s / pairs;
	if (tied == 0 && count <= EXACT_MAX) {
		out->p = fmin(1, 2 * share_of_orders(count, up < down ? up : down));
		return;
	}
	double variance = (n * (n - 1) * (2 * n + 5) - tied) / 18;
	out->p = erfc(fmax(fabs(s) - 1, 0) / sqrt(variance) / sqrt(2));
}

void rg_dependence_find(rg_dependence *out, const double *values, size_t count)
{
	if (count > RG_DEPENDENCE_MAX) {
		values += count - RG_DEPENDENCE_MAX;
		count = RG_DEPENDENCE_MAX;
	}
	*out = (rg_dependence){count, NAN, NAN, NAN};
	find_trend(out, values, count);
	if (isnan(out->trend))
		return;
	/* The lag is of ranks: a wild value would hide how all others go. */
	size_t ties;
	RG_AUTO_FREE double *ranks = rg_midranks(values, count, &ties);
	double products = 0, squares = 0;
	for (size_t i = 0; i < count; i++) {
		squares += ranks[i] * ranks[i];
		products += i ? ranks[i] * ranks[i - 1] : 0;
	}
	out->lag1 = products / squares;
}

bool rg_dependence_drifts(const rg_dependence *dependence, size_t among)
{
	double level = among ? fmin(RG_DRIFT_LEVEL, RG_DRIFT_RATE / (double)among) : RG_DRIFT_LEVEL;
	return dependence->count && dependence->p <= level;
}

/* --- levels or drift --- */

/* Median deviations from the median that a value may be away. */
#define FAR_MAX 10.0
/* Rounding alone leaves this share of all squares. */
#define NOTHING_LEFT 1e-12

/* Sums of the first k values, and of their squares. */
typedef struct {
	double *values, *sums, *squares;
	size_t count;
} course;

static void course_release(course *c)
{
	free(c->values);
}

static course course_of(const double *values, size_t count)
{
	course c = {.values = rg_calloc(3 * (count + 1), sizeof(double)), .count = count};
	c.sums = c.values + count + 1;
	c.squares = c.sums + count + 1;
	memcpy(c.sums, values, count * sizeof(*values));
	double median = rg_median(c.sums, count);
	double unit = FAR_MAX * rg_median_deviation(c.sums, count);
	for (size_t i = 0; i < count; i++) {
		double off = values[i] - median;
		c.values[i] = unit > 0 ? fmax(fmin(off / unit, 1), -1) : (off > 0) - (off < 0);
	}
	c.sums[0] = 0;
	for (size_t i = 0; i < count; i++) {
		c.sums[i + 1] = c.sums[i] + c.values[i];
		c.squares[i + 1] = c.squares[i] + c.values[i] * c.values[i];
	}
	return c;
}

/* The squares of some values about their mean. */
static double left_between(const course *c, size_t from, size_t end)
{
	double sum = c->sums[end] - c->sums[from];
	return c->squares[end] - c->squares[from] - sum * sum / (double)(end - from);
}

static double cost_of(const course *c, double left, double figures)
{
	double n = (double)c->count, all = left_between(c, 0, c->count);
	return n * log(fmax(left / all, NOTHING_LEFT)) + figures * log(n);
}

/* How many squares one more level spares, and where it begins. */
static double best_split(const course *c, size_t from, size_t end, size_t *at)
{
	double whole = left_between(c, from, end), best = 0;
	for (size_t k = from + 2; k + 2 <= end; k++) {
		double spared = whole - left_between(c, from, k) - left_between(c, k, end);
		if (spared > best) {
			best = spared;
			*at = k;
		}
	}
	return best;
}

/* Level by level, each where it spares most. */
static double cost_of_levels(const course *c)
{
	size_t ends[RG_LEVELS_MAX] = {c->count}, levels = 1;
	double left = left_between(c, 0, c->count), best = INFINITY;
	while (levels < RG_LEVELS_MAX) {
		double most = 0;
		size_t where = 0, split = 0, at = 0;
		for (size_t i = 0; i < levels; i++) {
			double spared = best_split(c, i ? ends[i - 1] : 0, ends[i], &at);
			if (spared <= most)
				continue;
			most = spared;
			where = i;
			split = at;
		}
		if (most <= 0)
			break;
		memmove(ends + where + 1, ends + where, (levels - where) * sizeof(*ends));
		ends[where] = split;
		left -= most;
		best = fmin(best, cost_of(c, left, 2 * (double)levels++));
	}
	return best;
}

/* The squares that a line through the values leaves; the values become what is left. */
static double take_line(course *c)
{
	double n = (double)c->count, middle = (n - 1) / 2, product = 0, left = 0;
	for (size_t i = 0; i < c->count; i++)
		product += ((double)i - middle) * c->values[i];
	double slope = product / (n * (n * n - 1) / 12), mean = c->sums[c->count] / n;
	for (size_t i = 0; i < c->count; i++) {
		c->values[i] -= mean + slope * ((double)i - middle);
		left += c->values[i] * c->values[i];
	}
	return left;
}

/* The squares that are left if each value follows from the one before. */
static double left_by_following(const course *c)
{
	double n = (double)c->count - 1, x = 0, y = 0, xx = 0, yy = 0, xy = 0;
	for (size_t i = 1; i < c->count; i++) {
		double before = c->values[i - 1], value = c->values[i];
		x += before;
		y += value;
		xx += before * before;
		yy += value * value;
		xy += before * value;
	}
	double spread = xx - x * x / n, shared = xy - x * y / n;
	double left = yy - y * y / n - (spread > 0 ? shared * shared / spread : 0);
	return left * (n + 1) / n;
}

bool rg_dependence_is_levels(const double *values, size_t count)
{
	RG_AUTO(course) c = course_of(values, count);
	double levels = cost_of_levels(&c);
	double follows = cost_of(&c, left_by_following(&c), 1);
	double line = cost_of(&c, take_line(&c), 1);
	double both = cost_of(&c, left_by_following(&c), 2);
	return levels <= fmin(fmin(follows, line), both);
}
