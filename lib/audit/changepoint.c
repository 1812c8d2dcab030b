/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/changepoint.h"

#include "audit/distributions.h"
#include "audit/statistics.h"
#include "base/memory.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

const char *const rg_change_test_names[] = {"none", "normal", "permutation"};

enum {
	SIDE_MIN = 2,
	/* As many orders as show whether more of them are worth it. */
	ORDERS_FIRST = 199,
	ORDERS_PLACE = 99,
	/* Places that are tried on each side of the peak. */
	PLACES_MAX = 64,
};

/* Where the first orders say more than this, no further ones are drawn. */
#define P_ENOUGH 0.1

/* What a normal value is under in 80 % of cases. */
#define SHOWN_NORMAL 0.8416212335729143

/* What is summed from the left: a value's centred rank and the centred value. */
typedef struct {
	double rank, value;
} item;

/* The largest weighed sums. They are kept to seven digits, so that another order of rounding makes
 * no difference. */
typedef struct {
	float rank, value;
	size_t rank_at, value_at;
} peaks;

static void make_items(item **out, const double *values, size_t count)
{
	item *items = rg_calloc(count + 1, sizeof(*items));
	double *sorted = rg_calloc(count + 1, sizeof(*sorted));
	rg_sum sum = {0, 0};

	*out = items;
	memcpy(sorted, values, count * sizeof(*sorted));
	qsort(sorted, count, sizeof(*sorted), rg_compare_doubles);
	for (size_t i = 0; i < count; i++)
		rg_sum_add(&sum, values[i]);
	for (size_t i = 0; i < count; i++) {
		size_t under = rg_count_under(sorted, count, values[i], false);
		size_t over = count - rg_count_under(sorted, count, values[i], true);

		items[i] =
			(item){(double)under - (double)over, values[i] - rg_sum_mean(&sum, count)};
	}
	free(sorted);
}

static peaks find_peaks(const item *items, size_t count, const double *weights)
{
	double rank = 0, value = 0, best_rank = 0, best_value = 0;
	peaks out = {0};

	for (size_t k = 1; k + SIDE_MIN <= count; k++) {
		rank += items[k - 1].rank;
		value += items[k - 1].value;
		if (k < SIDE_MIN)
			continue;
		if (fabs(rank) * weights[k] > best_rank) {
			best_rank = fabs(rank) * weights[k];
			out.rank_at = k;
		}
		if (fabs(value) * weights[k] > best_value) {
			best_value = fabs(value) * weights[k];
			out.value_at = k;
		}
	}
	out.rank = (float)best_rank;
	out.value = (float)best_value;
	return out;
}

static double *make_weights(size_t count)
{
	double *weights = rg_calloc(count + 1, sizeof(*weights));
	for (size_t k = 1; k < count; k++)
		weights[k] = 1 / sqrt((double)k * (double)(count - k));
	return weights;
}

/* Fisher and Yates. */
static void shuffle(item *items, size_t count, rg_random *random)
{
	for (size_t i = count; i > 1; i--) {
		size_t j = (size_t)rg_random_below(random, i);
		item swapped = items[i - 1];

		items[i - 1] = items[j];
		items[j] = swapped;
	}
}

static int compare_floats(const void *a, const void *b)
{
	float x = *(const float *)a, y = *(const float *)b;
	return (x > y) - (x < y);
}

/* How many of the sorted ones reach the value. */
static size_t count_reached(const float *sorted, size_t count, float value)
{
	size_t low = 0, high = count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (sorted[middle] < value)
			low = middle + 1;
		else
			high = middle;
	}
	return count - low;
}

/* Of `count` orders, the first of them the one that was seen: in which share the smaller of the
 * statistics' own shares is as small. */
static double joint_p(const float *ranks, const float *values, size_t count, float *sorted_ranks,
		      float *sorted_values)
{
	size_t seen = 0, reached = 0;
	memcpy(sorted_ranks, ranks, count * sizeof(*ranks));
	memcpy(sorted_values, values, count * sizeof(*values));
	qsort(sorted_ranks, count, sizeof(*ranks), compare_floats);
	qsort(sorted_values, count, sizeof(*values), compare_floats);
	for (size_t i = 0; i < count; i++) {
		size_t by_rank = count_reached(sorted_ranks, count, ranks[i]);
		size_t by_value = count_reached(sorted_values, count, values[i]);
		size_t fewer = by_rank < by_value ? by_rank : by_value;

		if (!i)
			seen = fewer;
		reached += fewer <= seen ? 1 : 0;
	}
	return (double)reached / (double)count;
}

static void permutation_p(double *p, item *items, size_t count, const double *weights,
			  size_t orders)
{
	float *ranks = rg_calloc(4 * (orders + 1), sizeof(*ranks)), *values;
	rg_random random = {0x7265676966u};
	size_t drawn = 1, want = orders < ORDERS_FIRST ? orders : ORDERS_FIRST;
	peaks found = find_peaks(items, count, weights);
	values = ranks + orders + 1;
	ranks[0] = found.rank;
	values[0] = found.value;
	for (;;) {
		for (; drawn <= want; drawn++) {
			shuffle(items, count, &random);
			found = find_peaks(items, count, weights);
			ranks[drawn] = found.rank;
			values[drawn] = found.value;
		}
		*p = joint_p(ranks, values, drawn, values + orders + 1, values + 2 * (orders + 1));
		/* To look a second time makes nothing of what the second look says less true: it
		 * counts alone, and only where the first was under what is ever asked for. */
		if (want == orders || *p > P_ENOUGH)
			break;
		want = orders;
	}
	free(ranks);
}

/* Of all ways to part so many, the share that parts them so, in one order or the other. */
static double parting_share(size_t count, size_t at)
{
	double share = 2;
	for (size_t i = 1; i <= at; i++)
		share *= (double)i / (double)(count - at + i);
	return share;
}

/* Where a break can be: with so many runs on each side at least. */
static size_t places_of(size_t count)
{
	return count + 1 - 2 * SIDE_MIN;
}

static double normal_p(const item *items, size_t count, const peaks *found)
{
	double between = (double)found->value * (double)found->value * (double)count, total = 0;
	for (size_t i = 0; i < count; i++)
		total += items[i].value * items[i].value;
	double within = total - between;
	/* Each side is the same throughout, as far as seven digits tell: nothing normal. */
	if (within <= 1e-6 * total)
		return fmin(1, parting_share(count, found->value_at) * (double)places_of(count));
	double t = sqrt(between / within * (double)(count - 2));
	return fmin(1, (double)places_of(count) * rg_t_tail(t, (double)(count - 2)));
}

/*
 * The peak is nearer to the middle where the runs beside it happen to be those of their side that
 * are nearest to the other: such a place parts them as completely, and weighs more. Where the
 * values fall into two groups that are further apart than either is wide, which they can do at one
 * place only, the break is between these.
 */
static void find_gap(size_t *at, const double *values, size_t count, double *lows, double *highs)
{
	double low = values[0], high = values[0];
	lows[count - 1] = highs[count - 1] = values[count - 1];
	for (size_t k = count - 1; k > 0; k--) {
		lows[k - 1] = fmin(values[k - 1], lows[k]);
		highs[k - 1] = fmax(values[k - 1], highs[k]);
	}
	for (size_t k = 1; k + SIDE_MIN <= count; k++) {
		if (k >= SIDE_MIN &&
		    fmax(lows[k] - high, low - highs[k]) > fmax(high - low, highs[k] - lows[k]))
			*at = k;
		low = fmin(low, values[k]);
		high = fmax(high, values[k]);
	}
}

double rg_changepoint_least_p(size_t count)
{
	return count < RG_CHANGE_PERMUTATION_MIN ? 0 : parting_share(count, count / 2) / 2;
}

/* The p of the clearest break: in the middle, between two sides that do not overlap. What random
 * orders make of it is a standard error more, in most cases. */
static double clearest_p(double std, size_t count, size_t orders)
{
	double share = parting_share(count, count / 2), drawn = (double)orders * share;
	if (count < RG_CHANGE_PERMUTATION_MIN)
		return std > 0 ? 0 : share * (double)places_of(count);
	return (1 + drawn + sqrt(drawn)) / (double)(orders + 1);
}

double rg_changepoint_smallest(double std, size_t count, double level, size_t orders)
{
	const double n = (double)count, freedom = n - 2, older = floor(n / 2);
	if (count < RG_CHANGE_MIN || clearest_p(std, count, orders) > level)
		return INFINITY;
	if (!(std > 0))
		return 0;
	double limit = rg_t_quantile(level / (2 * (double)places_of(count)), freedom);
	/* What the runs have without the break is their spread within its sides, or more. */
	return std * (limit * sqrt((n - 1) / freedom) + SHOWN_NORMAL) /
	       sqrt(older * (n - older) / n);
}

static void test(rg_changepoint *out, item *items, const double *values, size_t count,
		 const double *weights, size_t orders)
{
	peaks found = find_peaks(items, count, weights);
	double *bounds;

	if (found.rank == 0 || found.value == 0)
		return;
	bounds = rg_calloc(2 * count, sizeof(*bounds));
	out->at = found.rank_at;
	find_gap(&out->at, values, count, bounds, bounds + count);
	free(bounds);
	if (count < RG_CHANGE_PERMUTATION_MIN) {
		out->test = RG_CHANGE_NORMAL;
		out->p = normal_p(items, count, &found);
		return;
	}
	out->test = RG_CHANGE_PERMUTATION;
	permutation_p(&out->p, items, count, weights, orders);
}

void rg_changepoint_find(rg_changepoint *out, const double *values, size_t count, size_t orders)
{
	item *items;
	*out = (rg_changepoint){RG_CHANGE_UNTESTED, 1, count};
	if (count < RG_CHANGE_MIN)
		return;
	double *weights = make_weights(count);
	make_items(&items, values, count);
	test(out, items, values, count, weights, orders);
	free(items);
	free(weights);
}

/* How much better than `at` the best place is. */
static double advantage(const item *items, size_t count, const double *weights, size_t at)
{
	double sum = 0, best = 0, there = 0;
	for (size_t k = 1; k + SIDE_MIN <= count; k++) {
		double split;
		sum += items[k - 1].rank;
		if (k < SIDE_MIN)
			continue;
		split = sum * weights[k] * sum * weights[k];
		best = fmax(best, split);
		if (k == at)
			there = split;
	}
	return best - there;
}

static bool may_be_at(item *items, size_t count, const double *weights, size_t at)
{
	double seen = advantage(items, count, weights, at) * (1 - 1e-9);
	rg_random random = {0x706c616365u};
	size_t reached = 1;

	for (size_t order = 0; order < ORDERS_PLACE; order++) {
		shuffle(items, at, &random);
		shuffle(items + at, count - at, &random);
		reached += advantage(items, count, weights, at) >= seen ? 1 : 0;
	}
	return reached > (ORDERS_PLACE + 1) / 20;
}

void rg_changepoint_place(size_t *first, size_t *last, const double *values, size_t count,
			  size_t at)
{
	double *weights = make_weights(count);
	item *items = NULL, *scratch = rg_calloc(count + 1, sizeof(*scratch));
	make_items(&items, values, count);
	size_t end = at + PLACES_MAX;

	*first = *last = at;
	for (size_t k = at > PLACES_MAX + SIDE_MIN ? at - PLACES_MAX : SIDE_MIN;
	     k + SIDE_MIN <= count && k <= end; k++) {
		memcpy(scratch, items, count * sizeof(*items));
		if (k == at || !may_be_at(scratch, count, weights, k))
			continue;
		*first = k < *first ? k : *first;
		*last = k > *last ? k : *last;
	}
	free(scratch);
	free(items);
	free(weights);
}

void rg_shift_find(rg_shift *out, const double *older, size_t older_count, const double *newer,
		   size_t newer_count)
{
	double n = (double)older_count, m = (double)newer_count, cut;
	size_t count = older_count * newer_count;
	double *differences = rg_calloc(count + 1, sizeof(*differences));

	*out = (rg_shift){NAN, -INFINITY, INFINITY};
	for (size_t i = 0; i < older_count; i++)
		for (size_t j = 0; j < newer_count; j++)
			differences[i * newer_count + j] = newer[j] - older[i];
	qsort(differences, count, sizeof(*differences), rg_compare_doubles);
	/* Of n * m differences, so many may be left out on each side: 1.96 standard deviations of
	 * Mann and Whitney's U under its mean. */
	cut = n * m / 2 - 1.96 * sqrt(n * m * (n + m + 1) / 12);
	size_t left_out = cut > 0 ? (size_t)cut : 0;
	if (count && cut >= 0) {
		out->low = differences[left_out];
		out->high = differences[count - 1 - left_out];
	}
	out->size = rg_median(differences, count);
	free(differences);
}

size_t rg_tests_that_count(double *least, size_t count, double rate)
{
	size_t by, able;
	qsort(least, count, sizeof(*least), rg_compare_doubles);
	for (by = 1, able = 0; by < count; by++) {
		while (able < count && least[able] <= rate / (double)by)
			able++;
		while (able && least[able - 1] > rate / (double)by)
			able--;
		if (able <= by)
			break;
	}
	return by;
}
