/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/changepoint.h"

#include "audit/statistics.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
	SIDE_MIN = 2,
	ORDERS_MIN = 199,
	ORDERS_MAX = 9999,
	/* Values shuffled in all: 1,000 runs get some 4,000 orders. */
	SHUFFLED_MAX = 4000000,
	EXCEEDED_ENOUGH = 20,
};

/* How many of the sorted values are under `value`, or (`or_equal`) not over it. */
static size_t count_under(const double *sorted, size_t count, double value, bool or_equal)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (sorted[middle] < value || (or_equal && sorted[middle] == value))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Twice the mid-ranks less (n + 1), so that they are whole numbers which add up to 0. */
static void center_ranks(int64_t *ranks, const double *values, size_t count, double *sorted)
{
	size_t i;

	memcpy(sorted, values, count * sizeof(*sorted));
	qsort(sorted, count, sizeof(*sorted), rg_compare_doubles);
	for (i = 0; i < count; i++)
		ranks[i] = (int64_t)(count_under(sorted, count, values[i], false) +
				     count_under(sorted, count, values[i], true) + 1) -
			   (int64_t)(count + 1);
}

/* What |U(k)| is multiplied with before places are compared; 0 where a side is too small. */
static double weight_at(size_t k, size_t count)
{
	if (k < SIDE_MIN || count - k < SIDE_MIN)
		return 0;
	return 1 / sqrt((double)k * (double)(count - k));
}

static double largest_split(const int64_t *ranks, const double *weights, size_t count, size_t *at)
{
	double largest = 0;
	int64_t sum = 0;
	size_t k;

	for (k = 1; k < count; k++) {
		double score;

		sum += ranks[k - 1];
		score = fabs((double)sum) * weights[k];
		if (score > largest) {
			largest = score;
			if (at)
				*at = k;
		}
	}
	return largest;
}

/* A statistic counts as reached in spite of another order of rounding. */
static double just_under(double statistic)
{
	return statistic * (1 - 1e-12);
}

/*
 * The share of orders whose statistic reaches `statistic`: the orders that stay under it are
 * counted subset by subset (the first k values' sum depends on which they are, not on their order).
 */
static rg_error *exact_p(double *p, const int64_t *ranks, const double *weights, size_t count,
			 double statistic)
{
	size_t subsets = (size_t)1 << count, set, i;
	double *share = calloc(subsets, sizeof(*share));
	int64_t *sums = calloc(subsets, sizeof(*sums));
	rg_error *err = NULL;

	if (!share || !sums) {
		err = rg_error_nomem();
		goto done;
	}
	share[0] = 1;
	for (set = 1; set < subsets; set++) {
		size_t size = (size_t)__builtin_popcountll(set);
		size_t last = (size_t)__builtin_ctzll(set);

		sums[set] = sums[set & (set - 1)] + ranks[last];
		if (fabs((double)sums[set]) * weights[size] >= just_under(statistic))
			continue;
		for (i = 0; i < count; i++)
			if (set >> i & 1)
				share[set] += share[set & ~((size_t)1 << i)];
		share[set] /= (double)size;
	}
	*p = fmin(fmax(1 - share[subsets - 1], 0), 1);
done:
	free(sums);
	free(share);
	return err;
}

size_t rg_changepoint_orders(size_t count)
{
	size_t orders = count ? SHUFFLED_MAX / count : ORDERS_MAX;

	return orders > ORDERS_MAX ? ORDERS_MAX : orders < ORDERS_MIN ? ORDERS_MIN : orders;
}

static void sampled_p(rg_changepoint *out, int64_t *ranks, const double *weights, size_t count,
		      double statistic, size_t orders)
{
	rg_random random = {0x7265676966u};
	size_t exceeded = 0, order, i;

	for (order = 1; order <= orders; order++) {
		for (i = count - 1; i > 0; i--) {
			size_t j = (size_t)rg_random_below(&random, i + 1);
			int64_t swapped = ranks[i];

			ranks[i] = ranks[j];
			ranks[j] = swapped;
		}
		if (largest_split(ranks, weights, count, NULL) >= just_under(statistic) &&
		    ++exceeded == EXCEEDED_ENOUGH) {
			/* One more than Besag and Clifford need, on the safe side. */
			out->p = (double)(exceeded + 1) / (double)(order + 1);
			return;
		}
	}
	out->p = (double)(exceeded + 1) / (double)(orders + 1);
	out->unreached = exceeded ? 0 : orders;
}

static double median_of(const double *values, size_t count, double *copy)
{
	memcpy(copy, values, count * sizeof(*copy));
	return rg_median(copy, count);
}

/*
 * Ranks place a break nearer to the middle where the runs beside it happen to be those of their
 * side that are nearest to the other: such a place parts them as completely, and weighs more. Where
 * the values fall into two groups that are further apart than either is wide, which they can do at
 * one place only, the break is between these.
 */
static void find_gap(size_t *at, const double *values, size_t count, double *lows, double *highs)
{
	double low = values[0], high = values[0];
	size_t k;

	lows[count - 1] = highs[count - 1] = values[count - 1];
	for (k = count - 1; k > 0; k--) {
		lows[k - 1] = fmin(values[k - 1], lows[k]);
		highs[k - 1] = fmax(values[k - 1], highs[k]);
	}
	for (k = 1; k + SIDE_MIN <= count; k++) {
		if (k >= SIDE_MIN &&
		    fmax(lows[k] - high, low - highs[k]) > fmax(high - low, highs[k] - lows[k]))
			*at = k;
		low = fmin(low, values[k]);
		high = fmax(high, values[k]);
	}
}

rg_error *rg_changepoint_find(rg_changepoint *out, const double *values, size_t count,
			      size_t orders)
{
	double *weights, *scratch, statistic;
	rg_error *err = NULL;
	int64_t *ranks;
	size_t k;

	*out = (rg_changepoint){false, 1, count, 0, 0};
	if (count < 2 * SIDE_MIN)
		return NULL;
	ranks = calloc(count, sizeof(*ranks));
	weights = calloc(3 * count + 1, sizeof(*weights));
	if (!ranks || !weights) {
		err = rg_error_nomem();
		goto done;
	}
	scratch = weights + count + 1;
	for (k = 0; k <= count; k++)
		weights[k] = weight_at(k, count);
	center_ranks(ranks, values, count, scratch);
	statistic = largest_split(ranks, weights, count, &out->at);
	if (statistic == 0)
		goto done;
	find_gap(&out->at, values, count, scratch, scratch + count);
	out->shift = median_of(values + out->at, count - out->at, scratch) -
		     median_of(values, out->at, scratch);
	if (count <= RG_CHANGE_EXACT_MAX)
		err = exact_p(&out->p, ranks, weights, count, statistic);
	else
		sampled_p(out, ranks, weights, count, statistic, orders);
	out->tested = !err;
done:
	free(weights);
	free(ranks);
	return err;
}

typedef struct {
	double p;
	size_t index;
} ranked_p;

static int compare_p(const void *a, const void *b)
{
	const ranked_p *x = a, *y = b;

	if (x->p != y->p)
		return x->p > y->p ? 1 : -1;
	return (x->index > y->index) - (x->index < y->index);
}

rg_error *rg_false_discovery(double *adjusted, const double *p, size_t count)
{
	ranked_p *order = malloc((count ? count : 1) * sizeof(*order));
	double least = 1;
	size_t i;

	if (!order)
		return rg_error_nomem();
	for (i = 0; i < count; i++)
		order[i] = (ranked_p){p[i], i};
	qsort(order, count, sizeof(*order), compare_p);
	for (i = count; i > 0; i--) {
		least = fmin(least, order[i - 1].p * (double)count / (double)i);
		adjusted[order[i - 1].index] = least;
	}
	free(order);
	return NULL;
}
