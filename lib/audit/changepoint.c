/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/changepoint.h"

#include "audit/statistics.h"
#include "base/memory.h"
#include "base/order.h"

#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

const char *const rg_change_test_names[RG_CHANGE_TESTS] = {"none", "normal", "permutation"};

enum {
	SIDE_MIN = 2,
	/* As many orders as show whether more of them are worth it. */
	ORDERS_FIRST = 9999,
	/* So many of them that reach what was seen say what p is. */
	REACHED_ENOUGH = 20,
	/* Values that are shuffled for one series, at most. */
	SHUFFLED_MAX = 20000000,
	/* From so many values on, the normal bound loses nothing that matters. */
	NORMAL_FROM = 200,
	ORDERS_PLACE = 99,
	/* Places that are tried on each side of the peak. */
	PLACES_MAX = 64,
};

/* No further orders are drawn if the first ones say more than this. */
#define P_ENOUGH 0.02

/* A normal value is under this in 80 % of cases. */
#define SHOWN_NORMAL 0.8416212335729143

/* Peaks of random orders of so many values without ties, ascending. */
typedef struct {
	size_t count, orders;
	float *peaks;
} null_table;

struct rg_change_nulls {
	pthread_mutex_t lock;
	null_table *tables;
	size_t count, capacity;
};

rg_change_nulls *rg_change_nulls_new(void)
{
	rg_change_nulls *nulls = rg_calloc(1, sizeof(*nulls));
	if (pthread_mutex_init(&nulls->lock, NULL))
		rg_out_of_memory();
	return nulls;
}

void rg_change_nulls_free(rg_change_nulls *nulls)
{
	for (size_t i = 0; i < nulls->count; i++)
		free(nulls->tables[i].peaks);
	free(nulls->tables);
	pthread_mutex_destroy(&nulls->lock);
	free(nulls);
}

double *rg_midranks(const double *values, size_t count, size_t *ties)
{
	double *sorted = rg_calloc(2 * count + 1, sizeof(*sorted)), *ranks = sorted + count;
	*ties = 0;
	memcpy(sorted, values, count * sizeof(*sorted));
	qsort(sorted, count, sizeof(*sorted), rg_compare_doubles);
	for (size_t i = 0; i < count; i++) {
		size_t under = rg_ecdf_count(sorted, count, values[i], false);
		size_t most = rg_ecdf_count(sorted, count, values[i], true);
		ranks[i] = (double)under + (double)most - (double)count;
		*ties = most - under > *ties ? most - under : *ties;
	}
	memmove(sorted, ranks, count * sizeof(*ranks));
	return sorted;
}

/* The largest weighed sum. It is kept to seven digits, so that another order of rounding makes no
 * difference. */
static float find_peak(const double *items, size_t count, const double *weights, size_t *at)
{
	double sum = 0, best = 0;
	for (size_t k = 1; k + SIDE_MIN <= count; k++) {
		sum += items[k - 1];
		if (k >= SIDE_MIN && fabs(sum) * weights[k] > best) {
			best = fabs(sum) * weights[k];
			*at = k;
		}
	}
	return (float)best;
}

static double *make_weights(size_t count)
{
	double *weights = rg_calloc(count + 1, sizeof(*weights));
	for (size_t k = 1; k < count; k++)
		weights[k] = 1 / sqrt((double)k * (double)(count - k));
	return weights;
}

/* Fisher and Yates. */
static void shuffle(double *items, size_t count, rg_random *random)
{
	for (size_t i = count; i > 1; i--) {
		size_t j = (size_t)rg_random_below(random, i);
		double swapped = items[i - 1];
		items[i - 1] = items[j];
		items[j] = swapped;
	}
}

RG_ORDER(by_size, float, RG_BY(*x, *y));

/* The table of that length, which has as many orders or more; made where there is none. */
static null_table find_table(rg_change_nulls *nulls, size_t count, size_t orders,
			     const double *weights)
{
	for (size_t i = 0; i < nulls->count; i++)
		if (nulls->tables[i].count == count && nulls->tables[i].orders >= orders)
			return nulls->tables[i];
	RG_AUTO_FREE double *ranks = rg_calloc(count, sizeof(*ranks));
	float *peaks = rg_calloc(orders, sizeof(*peaks));
	rg_random random = {0x7265676966u};
	size_t ignored;
	for (size_t i = 0; i < count; i++)
		ranks[i] = 2 * (double)i + 1 - (double)count;
	for (size_t i = 0; i < orders; i++) {
		shuffle(ranks, count, &random);
		peaks[i] = find_peak(ranks, count, weights, &ignored);
	}
	qsort(peaks, orders, sizeof(*peaks), by_size);
	null_table *made = RG_PUSH(nulls->tables, nulls->count, nulls->capacity);
	*made = (null_table){count, orders, peaks};
	return *made;
}

/* Without ties p depends on the number of values alone. */
static double table_p(rg_change_nulls *nulls, float seen, size_t count, const double *weights,
		      size_t orders)
{
	size_t want = orders < ORDERS_FIRST ? orders : ORDERS_FIRST;
	for (;;) {
		size_t reached = 0;
		pthread_mutex_lock(&nulls->lock);
		null_table table = find_table(nulls, count, want, weights);
		pthread_mutex_unlock(&nulls->lock);
		while (reached < table.orders && table.peaks[table.orders - 1 - reached] >= seen)
			reached++;
		double p = (1 + (double)reached) / (double)(table.orders + 1);
		if (want == orders || p > P_ENOUGH)
			return p;
		want = orders;
	}
}

/* By orders of these very values, until enough of them reach it (Besag, Clifford 1991). */
static double shuffled_p(double *ranks, float seen, size_t count, const double *weights,
			 size_t orders)
{
	rg_random random = {0x7265676966u};
	size_t reached = 0, drawn = 0, ignored, most = SHUFFLED_MAX / count;
	most = orders < most ? orders : most > ORDERS_FIRST ? most : ORDERS_FIRST;
	while (drawn < most) {
		shuffle(ranks, count, &random);
		drawn++;
		reached += find_peak(ranks, count, weights, &ignored) >= seen ? 1 : 0;
		if (reached == REACHED_ENOUGH)
			return (double)reached / (double)drawn;
	}
	return (double)(reached + 1) / (double)(drawn + 1);
}

/* A break leaves at least so many runs on each side; that leaves so many places. */
static size_t places_of(size_t count)
{
	return count + 1 - 2 * SIDE_MIN;
}

/* The share, among all ways to split so many, of those that split them so, in one order or the
 * other. */
static double parting_share(size_t count, size_t at)
{
	double share = 2;
	for (size_t i = 1; i <= at; i++)
		share *= (double)i / (double)(count - at + i);
	return share;
}

/* Less their mean; returns the sum of their squares. */
static double centre(double *out, const double *values, size_t count)
{
	double squares = 0;
	rg_sum sum = {0, 0};
	for (size_t i = 0; i < count; i++)
		rg_sum_add(&sum, values[i]);
	for (size_t i = 0; i < count; i++) {
		out[i] = values[i] - rg_sum_mean(&sum, count);
		squares += out[i] * out[i];
	}
	return squares;
}

static double normal_p(double total, float seen, size_t at, size_t count)
{
	double between = (double)seen * (double)seen * (double)count, within = total - between;
	/* Each side is the same throughout, as far as seven digits tell: nothing normal. */
	if (within <= 1e-6 * total)
		return fmin(1, parting_share(count, at) * (double)places_of(count));
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
	return count < RG_CHANGE_PERMUTATION_MIN ? 0 : 2 * parting_share(count, count / 2);
}

/* The p of the clearest break: in the middle, between two sides that do not overlap. What random
 * orders make of it is a standard error more, in most cases. */
static double clearest_p(double std, size_t count, size_t orders)
{
	double share = parting_share(count, count / 2), drawn = (double)orders * share;
	if (count < RG_CHANGE_PERMUTATION_MIN)
		return std > 0 ? 0 : share * (double)places_of(count);
	share *= 2;
	drawn *= 2;
	if (count >= NORMAL_FROM)
		return share;
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
	/* Without the break the runs have at least the spread within its sides. */
	return std * (limit * sqrt((n - 1) / freedom) + SHOWN_NORMAL) /
	       sqrt(older * (n - older) / n);
}

void rg_changepoint_find(rg_changepoint *out, rg_change_nulls *nulls, const double *values,
			 size_t count, size_t orders)
{
	size_t ties;
	*out = (rg_changepoint){RG_CHANGE_UNTESTED, 1, count};
	if (count < RG_CHANGE_MIN)
		return;
	RG_AUTO_FREE double *weights = make_weights(count),
			    *room = rg_calloc(2 * count, sizeof(*room));
	RG_AUTO_FREE double *ranks = rg_midranks(values, count, &ties);
	if (ties == count)
		return;
	size_t at = SIDE_MIN;
	float seen[2] = {find_peak(ranks, count, weights, &out->at)};
	find_gap(&out->at, values, count, room, room + count);
	out->test = count < RG_CHANGE_PERMUTATION_MIN ? RG_CHANGE_NORMAL : RG_CHANGE_PERMUTATION;
	if (!nulls)
		return;
	double total = centre(room, values, count);
	seen[1] = find_peak(room, count, weights, &at);
	if (count < RG_CHANGE_PERMUTATION_MIN)
		out->p = normal_p(total, seen[1], at, count);
	else if (count >= NORMAL_FROM && ties <= count / 2) {
		/* For each place a normal tail, which ranks have less of (Bonferroni). */
		double squares = 0, n = (double)count;
		for (size_t i = 0; i < count; i++)
			squares += ranks[i] * ranks[i];
		double z = (double)seen[0] / sqrt(squares / (n * (n - 1)));
		out->p = fmin(1, (double)places_of(count) * erfc(z / sqrt(2)));
	} else {
		/* By ranks and by values, as each sees what the other does not; twice the
		 * smaller p. */
		double by_value = shuffled_p(room, seen[1], count, weights, orders);
		double by_rank = ties > 1 ? shuffled_p(ranks, seen[0], count, weights, orders)
					  : table_p(nulls, seen[0], count, weights, orders);
		out->p = fmin(1, 2 * fmin(by_rank, by_value));
	}
}

/* How much better than `at` the best place is. */
static double advantage(const double *items, size_t count, const double *weights, size_t at)
{
	double sum = 0, best = 0, there = 0;
	for (size_t k = 1; k + SIDE_MIN <= count; k++) {
		sum += items[k - 1];
		if (k < SIDE_MIN)
			continue;
		double split = sum * weights[k] * sum * weights[k];
		best = fmax(best, split);
		if (k == at)
			there = split;
	}
	return best - there;
}

void rg_changepoint_place(size_t *first, size_t *last, const double *values, size_t count,
			  size_t at)
{
	size_t end = at + PLACES_MAX, ties;
	RG_AUTO_FREE double *weights = make_weights(count),
			    *scratch = rg_calloc(count + 1, sizeof(*scratch));
	RG_AUTO_FREE double *items = rg_midranks(values, count, &ties);
	*first = *last = at;
	for (size_t k = at > PLACES_MAX + SIDE_MIN ? at - PLACES_MAX : SIDE_MIN;
	     k + SIDE_MIN <= count && k <= end; k++) {
		if (k == at)
			continue;
		memcpy(scratch, items, count * sizeof(*items));
		double seen = advantage(scratch, count, weights, k) * (1 - 1e-9);
		rg_random random = {0x706c616365u};
		size_t reached = 1;
		for (size_t order = 0; order < ORDERS_PLACE; order++) {
			shuffle(scratch, k, &random);
			shuffle(scratch + k, count - k, &random);
			reached += advantage(scratch, count, weights, k) >= seen ? 1 : 0;
		}
		if (reached <= (ORDERS_PLACE + 1) / 20)
			continue;
		*first = k < *first ? k : *first;
		*last = k > *last ? k : *last;
	}
}

/* Two sorted sides. */
typedef struct {
	const double *older, *newer;
	size_t older_count, newer_count;
} sides;

/* Doubles as numbers in the same order, and back. */
static double nth_double(uint64_t n)
{
	uint64_t bits = n >> 63 ? n ^ ((uint64_t)1 << 63) : ~n;
	double value;
	memcpy(&value, &bits, sizeof(value));
	return value;
}

/* The difference that so many are smaller than, without a list of them: by halving all doubles. */
static double nth_difference(const sides *s, size_t n)
{
	uint64_t low = 0x000fffffffffffffu, high = 0xfff0000000000000u;
	while (low < high) {
		uint64_t middle = low + (high - low) / 2;
		/* How many differences are at most `value`? */
		const double value = nth_double(middle);
		size_t count = 0, at = 0;
		for (size_t j = 0; j < s->newer_count; j++) {
			while (at < s->older_count && s->newer[j] - s->older[at] > value)
				at++;
			count += s->older_count - at;
		}
		if (count > n)
			high = middle;
		else
			low = middle + 1;
	}
	return nth_double(low) + 0.0; /* no -0 */
}

void rg_shift_find(rg_shift *out, const double *older, size_t older_count, const double *newer,
		   size_t newer_count)
{
	double n = (double)older_count, m = (double)newer_count;
	size_t count = older_count * newer_count;
	*out = (rg_shift){NAN, -INFINITY, INFINITY};
	if (!count)
		return;
	RG_AUTO_FREE double *sorted = rg_calloc(older_count + newer_count, sizeof(*sorted));
	const sides s = {sorted, sorted + older_count, older_count, newer_count};
	memcpy(sorted, older, older_count * sizeof(*sorted));
	memcpy(sorted + older_count, newer, newer_count * sizeof(*sorted));
	qsort(sorted, older_count, sizeof(*sorted), rg_compare_doubles);
	qsort(sorted + older_count, newer_count, sizeof(*sorted), rg_compare_doubles);
	/* So many of the n * m differences may be left out on each side: 1.96 standard deviations
	 * of Mann and Whitney's U under its mean. */
	double cut = n * m / 2 - 1.96 * sqrt(n * m * (n + m + 1) / 12);
	if (cut >= 0) {
		out->low = nth_difference(&s, (size_t)cut);
		out->high = nth_difference(&s, count - 1 - (size_t)cut);
	}
	double under = nth_difference(&s, (count - 1) / 2);
	out->size = count % 2 ? under : under / 2 + nth_difference(&s, count / 2) / 2;
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
