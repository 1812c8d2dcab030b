/* SPDX-License-Identifier: Apache-2.0 */
/* Two series side by side, dense and sparse ones, through windows of different places. */

#include "unit.h"

#include "compare/pair_kernel.h"
#include "compare/series_walk.h"

#include <string.h>

enum { DENSE = 30000 };

/* Value i of a series that is asked for in blocks is i. */
static rg_error *positions(const rg_metric *metric, size_t first, size_t count, double *out)
{
	size_t i;

	(void)metric;
	for (i = 0; i < count; i++)
		out[i] = (double)(first + i);
	return NULL;
}

typedef struct {
	size_t steps, old_only, new_only;
	int64_t last;
	double old_sum, new_sum, lost_sum; /* lost_sum: of old_only, where they are in memory */
} seen;

static double value_at(const unsigned char *values, size_t i)
{
	double value;

	memcpy(&value, values + i * sizeof(value), sizeof(value));
	return value;
}

static rg_error *note(void *context, const rg_pair_chunk *chunk)
{
	seen *s = context;
	size_t i;

	assert_true(chunk->count > 0);
	if (chunk->side != RG_BOTH_SIDES) {
		assert_true(!chunk->fresh && (!chunk->old || chunk->side == RG_OLD_ONLY));
		for (i = 0; chunk->old && i < chunk->count; i++)
			s->lost_sum += value_at(chunk->old, i);
		*(chunk->side == RG_OLD_ONLY ? &s->old_only : &s->new_only) += chunk->count;
		return NULL;
	}
	assert_true(chunk->count <= RG_CHUNK);
	for (i = 0; i < chunk->count; i++) {
		int64_t step = rg_chunk_step(chunk, i);

		assert_true(!s->steps || step > s->last);
		s->last = step;
		s->steps++;
		s->old_sum += value_at(chunk->old, i);
		s->new_sum += value_at(chunk->fresh, i);
	}
	return NULL;
}

static seen walk(const rg_metric *old, const rg_metric *fresh)
{
	seen s = {0};

	assert_null(rg_series_walk(old, fresh, note, &s));
	return s;
}

TEST(dense_and_sparse)
{
	const int64_t steps[] = {-1, 0, 1, 8191, 8192, 8193, 29999, 30000};
	const double values[] = {9, 1, 1, 1, 1, 1, 1, 9};
	rg_metric dense = {.name = "d", .count = DENSE, .block = positions};
	rg_metric sparse = {.name = "s", .count = 8, .steps = steps, .values = values};
	seen s;

	s = walk(&dense, &sparse);
	assert_int_equal(s.steps, 6);
	assert_int_equal(s.last, 29999);
	assert_true(s.old_sum == 0 + 1 + 8191 + 8192 + 8193 + 29999 && s.new_sum == 6);
	assert_int_equal(s.old_only, DENSE - 6);
	assert_int_equal(s.new_only, 2);
	s = walk(&sparse, &dense);
	assert_int_equal(s.steps, 6);
	assert_int_equal(s.old_only, 2);
	assert_true(s.lost_sum == 18);
	s = walk(&dense, &dense);
	assert_int_equal(s.steps, DENSE);
	assert_int_equal(s.old_only + s.new_only, 0);
}

TEST(empty_and_apart)
{
	const int64_t even[] = {0, 2, 4}, odd[] = {1, 3, 5};
	const double values[] = {1, 2, 3};
	rg_metric a = {.name = "a", .count = 3, .steps = even, .values = values};
	rg_metric b = {.name = "b", .count = 3, .steps = odd, .values = values};
	rg_metric none = {.name = "n"};
	seen s;

	s = walk(&a, &b);
	assert_int_equal(s.steps, 0);
	assert_int_equal(s.old_only, 3);
	assert_int_equal(s.new_only, 3);
	s = walk(&none, &b);
	assert_int_equal(s.new_only, 3);
	s = walk(&none, &none);
	assert_int_equal(s.steps + s.old_only + s.new_only, 0);
}

static int64_t narrowed(const rg_metric *old, const rg_metric *fresh, size_t count, int64_t last)
{
	int64_t first = INT64_MIN;

	rg_series_narrow(old, fresh, count, &first, last);
	return first;
}

TEST(narrow)
{
	const int64_t left[] = {1, 2, 3, 5, 8}, right[] = {2, 3, 4, 5, 9};
	const double values[] = {0, 0, 0, 0, 0};
	rg_metric a = {.name = "a", .count = 5, .steps = left, .values = values};
	rg_metric b = {.name = "b", .count = 5, .steps = right, .values = values};

	assert_int_equal(narrowed(&a, &b, 1, INT64_MAX), 5);
	assert_int_equal(narrowed(&a, &b, 2, INT64_MAX), 3);
	assert_int_equal(narrowed(&a, &b, 3, INT64_MAX), 2);
	assert_true(narrowed(&a, &b, 4, INT64_MAX) == INT64_MIN); /* there are not as many */
	assert_int_equal(narrowed(&a, &b, 1, 4), 3);
}
