/* SPDX-License-Identifier: Apache-2.0 */
#include "random.h"
#include "unit.h"

#include "compare/compare.h"
#include "compare/series_statistics.h"
#include "compare/tensor_pair.h"
#include "support/little.h"
#include "support/tensor_golden.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Two tensors in memory, and their metrics. */
typedef struct {
	rg_golden goldens[2];
	rg_tensor tensors[2];
	unsigned char *data[2];
} pair;

static void make_pair(pair *p, rg_dtype dtype, int64_t rows, int64_t columns)
{
	size_t count = (size_t)rows * (size_t)columns, i;

	memset(p, 0, sizeof(*p));
	for (i = 0; i < 2; i++) {
		p->data[i] = calloc(count + 1, 8);
		assert_non_null(p->data[i]);
		rg_arena_init(&p->goldens[i].arena);
		p->tensors[i] = (rg_tensor){.dtype = dtype,
					    .dimensions = 2,
					    .shape = {rows, columns},
					    .big_endian = big_endian,
					    .data = p->data[i],
					    .size = count * rg_dtype_size(dtype)};
		rg_tensor_row_major(&p->tensors[i]);
	}
}

static void free_pair(pair *p)
{
	size_t i;

	for (i = 0; i < 2; i++) {
		rg_arena_release(&p->goldens[i].arena);
		free(p->data[i]);
	}
}

/* The same values as those of a series, which is not a tensor's. */
static void forget_tensor(rg_golden *golden)
{
	rg_metric *metric = (rg_metric *)(uintptr_t)golden->metrics;
	double *values = rg_arena_alloc(&golden->arena, (metric->count + 1) * sizeof(*values));

	assert_non_null(values);
	assert_success(rg_metric_read(metric, 0, metric->count, values));
	metric->values = values;
	metric->block = NULL;
	metric->tensor = NULL;
}

/* The row of the two; `slowly` through the path that any series takes. */
static rg_row compare_pair(pair *p, bool slowly)
{
	rg_metric_policy policy;
	rg_row row = {0};
	size_t i;

	rg_policy_resolve(NULL, NULL, "tensor", &policy);
	for (i = 0; i < 2; i++) {
		assert_success(tensor_golden(&p->goldens[i], &p->tensors[i]));
		if (slowly)
			forget_tensor(&p->goldens[i]);
	}
	assert_int_equal(rg_tensor_are_alike(p->goldens[0].metrics[0].tensor,
					     p->goldens[1].metrics[0].tensor),
			 !slowly);
	assert_success(rg_series_statistics(&row, &p->goldens[0].arena, &p->goldens[0].metrics[0],
					    &p->goldens[1].metrics[0], &policy));
	return row;
}

/* The score by a policy of that kind, either way. */
static double score_of(pair *p, rg_policy_kind kind, bool slowly)
{
	rg_metric_policy policy;
	rg_row row;

	compare_pair(p, slowly);
	memset(&row, 0, sizeof(row));
	rg_policy_resolve(NULL, NULL, "tensor", &policy);
	policy.kind = kind;
	policy.rtol = 1e-5;
	policy.atol = 1e-8;
	assert_success(rg_series_statistics(&row, &p->goldens[0].arena, &p->goldens[0].metrics[0],
					    &p->goldens[1].metrics[0], &policy));
	return row.score;
}

/* Signed means of values that cancel are held to the size of what cancelled. */
static void assert_near(const char *what, double got, double wanted, double scale)
{
	if (isnan(wanted) ? isnan(got) : got == wanted)
		return;
	if (!(fabs(got - wanted) <= 1e-13 * (fabs(wanted) + fabs(scale))))
		fail_msg("%s: %.17g, not %.17g", what, got, wanted);
}

static void assert_same_rows(const rg_row *fast, const rg_row *slow)
{
	assert_int_equal(fast->n_steps, slow->n_steps);
	assert_memory_equal(&fast->left_out, &slow->left_out, sizeof(fast->left_out));
	assert_near("avg_rel_diff", fast->avg_rel_diff, slow->avg_rel_diff, slow->mean_abs_rel);
	assert_near("mean_abs_rel", fast->mean_abs_rel, slow->mean_abs_rel, 0);
	assert_near("max_abs_rel", fast->max_abs_rel, slow->max_abs_rel, 0);
	assert_int_equal(fast->max_abs_rel_step, slow->max_abs_rel_step);
	assert_near("share", fast->share_above_zero, slow->share_above_zero, 0);
	assert_near("max_abs", fast->max_abs, slow->max_abs, 0);
	assert_near("old_mean", fast->old_mean, slow->old_mean, 1);
	assert_near("new_mean", fast->new_mean, slow->new_mean, 1);
	assert_int_equal(fast->identical, slow->identical);
	assert_int_equal(fast->first_diff_known, slow->first_diff_known);
	assert_int_equal(fast->first_diff, slow->first_diff);
	assert_near("l2", fast->tensor->l2, slow->tensor->l2, 0);
	assert_near("mse", fast->tensor->mse, slow->tensor->mse, 0);
	assert_near("mean_abs", fast->tensor->mean_abs, slow->tensor->mean_abs, 0);
	assert_near("mean_signed", fast->tensor->mean_signed, slow->tensor->mean_signed,
		    slow->tensor->mean_abs);
	assert_near("snr_db", fast->tensor->snr_db, slow->tensor->snr_db, 0);
	assert_near("cosine", fast->tensor->cosine, slow->tensor->cosine, 0);
	assert_int_equal(fast->tensor->nonfinite_mismatches, slow->tensor->nonfinite_mismatches);
	assert_int_equal(fast->tensor->worst, slow->tensor->worst);
	assert_memory_equal(fast->tensor->worst_index, slow->tensor->worst_index,
			    2 * sizeof(int64_t));
	assert_true(isnan(slow->score) ? isnan(fast->score) : true);
}

/* Bits at random, so that every kind of value is there, and a share of equal elements. */
static void fill(pair *p, uint32_t seed, bool finite)
{
	size_t count = (size_t)(p->tensors[0].shape[0] * p->tensors[0].shape[1]), i, k;
	size_t size = rg_dtype_size(p->tensors[0].dtype);

	for (i = 0; i < count; i++) {
		for (k = 0; k < size; k++)
			p->data[0][i * size + k] = (unsigned char)next_random(&seed);
		if (finite && p->tensors[0].dtype == RG_DTYPE_FLOAT32) {
			float x = (float)(next_random(&seed) % 2001) / 100 - 10;

			memcpy(p->data[0] + i * size, &x, sizeof(x));
		}
		memcpy(p->data[1] + i * size, p->data[0] + i * size, size);
		if (next_random(&seed) % 3 == 0)
			p->data[1][i * size] ^= (unsigned char)next_random(&seed);
	}
}

TEST(agrees_with_the_general_way)
{
	static const rg_dtype types[] = {RG_DTYPE_FLOAT32,       RG_DTYPE_FLOAT16,
					 RG_DTYPE_BFLOAT16,      RG_DTYPE_INT32,
					 RG_DTYPE_FLOAT8_E4M3FN, RG_DTYPE_UINT8};
	static const int64_t sizes[][2] = {{0, 1},   {1, 1},   {1, 255},  {2, 128},
					   {1, 257}, {13, 99}, {3, 87400}};
	size_t i, k;

	for (i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		for (k = 0; k < sizeof(sizes) / sizeof(sizes[0]); k++) {
			rg_row fast, slow;
			pair p;

			make_pair(&p, types[i], sizes[k][0], sizes[k][1]);
			fill(&p, (uint32_t)(i * 100 + k), k % 2 == 0);
			fast = compare_pair(&p, false);
			slow = compare_pair(&p, true);
			assert_same_rows(&fast, &slow);
			free_pair(&p);
		}
}

TEST(scores_agree)
{
	static const rg_policy_kind kinds[] = {RG_POLICY_ABSOLUTE, RG_POLICY_COMBINED,
					       RG_POLICY_EXACT};
	size_t i;
	pair p;

	make_pair(&p, RG_DTYPE_FLOAT32, 3, 87400);
	fill(&p, 5, true);
	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		assert_true(score_of(&p, kinds[i], false) == score_of(&p, kinds[i], true));
	memcpy(p.data[1], p.data[0], p.tensors[0].size);
	assert_true(score_of(&p, RG_POLICY_COMBINED, false) == 0);
	assert_true(score_of(&p, RG_POLICY_ULP, false) == 0);
	/* One float further is one ULP, not the many doubles between. */
	((float *)(void *)p.data[0])[7] = 1;
	((float *)(void *)p.data[1])[7] = 1 + 0x1p-23f;
	assert_true(score_of(&p, RG_POLICY_ULP, false) == 1);
	free_pair(&p);
}

static void set_floats(pair *p, size_t side, const float *values, size_t count)
{
	memcpy(p->data[side], values, count * sizeof(*values));
}

/* Of the elements that differ without a relative figure, the one that differs most. */
TEST(too_small)
{
	static const float old[] = {0, 1, 3e-20F, 0}, fresh[] = {1e-20F, 2, 9e-20F, 0};
	rg_row row;
	pair p;

	make_pair(&p, RG_DTYPE_FLOAT32, 2, 2);
	set_floats(&p, 0, old, 4);
	set_floats(&p, 1, fresh, 4);
	row = compare_pair(&p, false);
	assert_int_equal(row.n_steps, 1);
	assert_int_equal(row.too_small.count, 2);
	assert_true(row.too_small.old == (double)old[2] && row.too_small.fresh == (double)fresh[2]);
	assert_false(row.too_small.alone);
	free_pair(&p);
}

/* By hand: err = (1, 0, -2, 0), ref = (1, 2, 4, 0). */
TEST(by_hand)
{
	static const float old[] = {1, 2, 4, 0}, fresh[] = {2, 2, 2, 0};
	rg_row row;
	pair p;

	make_pair(&p, RG_DTYPE_FLOAT32, 2, 2);
	set_floats(&p, 0, old, 4);
	set_floats(&p, 1, fresh, 4);
	row = compare_pair(&p, false);
	assert_int_equal(row.n_steps, 3);
	assert_int_equal(row.left_out.near_zero, 1);
	assert_int_equal(row.too_small.count, 0);
	assert_near("avg", row.avg_rel_diff, (-1.0 + 0 + 0.5) / 3, 1);
	assert_near("l2", row.tensor->l2, sqrt(5), 0);
	assert_near("mse", row.tensor->mse, 1.25, 0);
	assert_near("mean_abs", row.tensor->mean_abs, 0.75, 0);
	assert_near("mean_signed", row.tensor->mean_signed, -0.25, 0);
	assert_near("snr", row.tensor->snr_db, 20 * log10(sqrt(12) / sqrt(5)), 0);
	assert_true(row.tensor->max_rel == 1 && row.tensor->share_differing == 0.5);
	assert_near("cosine", row.tensor->cosine, 14 / (sqrt(21) * sqrt(12)), 0);
	assert_int_equal(row.tensor->worst, 2);
	assert_int_equal(row.tensor->worst_index[0], 1);
	assert_int_equal(row.tensor->worst_index[1], 0);
	assert_string_equal(row.tensor->worst_text, "[1, 0]");
	assert_int_equal(row.first_diff, 0);
	/* A factor of two is 2^23 floats. */
	assert_int_equal(row.max_ulps, 1 << 23);
	free_pair(&p);
}

TEST(identical_and_nonfinite)
{
	static const float old[] = {NAN, INFINITY, 1, -INFINITY, NAN, 3};
	static const float fresh[] = {NAN, INFINITY, NAN, INFINITY, 5, 3};
	rg_row row;
	pair p;

	make_pair(&p, RG_DTYPE_FLOAT32, 6, 1);
	set_floats(&p, 0, old, 6);
	set_floats(&p, 1, old, 6);
	row = compare_pair(&p, false);
	assert_true(row.identical);
	assert_int_equal(row.left_out.old_nonfinite, 4);
	assert_int_equal(row.tensor->nonfinite_mismatches, 0);
	assert_true(isinf(row.tensor->snr_db));
	set_floats(&p, 1, fresh, 6);
	row = compare_pair(&p, false);
	assert_false(row.identical);
	assert_int_equal(row.first_diff, 2);
	assert_int_equal(row.n_steps, 1);
	assert_int_equal(row.left_out.new_nonfinite, 2);
	assert_int_equal(row.left_out.old_nonfinite, 3);
	assert_int_equal(row.tensor->nonfinite_mismatches, 3);
	assert_int_equal(row.max_ulps, 0);
	free_pair(&p);
}

/* The largest difference, wherever it stands among several segments, and the first of equals. */
TEST(worst_anywhere)
{
	enum { COUNT = 600000 };
	static const size_t places[] = {0, 255, 256, 262143, 262144, 300001, COUNT - 1};
	rg_row row;
	size_t i;
	pair p;

	make_pair(&p, RG_DTYPE_FLOAT32, COUNT / 1000, 1000);
	for (i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		float *fresh = (float *)(void *)p.data[1];

		fresh[places[i]] = 3;
		if (places[i] + 1 < COUNT)
			fresh[places[i] + 1] = -3;
		row = compare_pair(&p, false);
		assert_int_equal(row.tensor->worst, places[i]);
		assert_int_equal(row.tensor->worst_index[0], places[i] / 1000);
		assert_int_equal(row.tensor->worst_index[1], places[i] % 1000);
		assert_int_equal(row.first_diff, places[i]);
		memset(fresh, 0, COUNT * sizeof(float));
	}
	free_pair(&p);
}

/* What else the policy says of steps and directions changes nothing in what an ULP is. */
TEST(ulps_are_of_the_type)
{
	static const float old[] = {1, 2, 4, 1}, fresh[] = {1, 2, 4, 1 - 17 * 0x1p-24F};
	rg_metric_policy policies[6];
	size_t i;
	pair p;

	make_pair(&p, RG_DTYPE_FLOAT32, 2, 2);
	set_floats(&p, 0, old, 4);
	set_floats(&p, 1, fresh, 4);
	compare_pair(&p, false);
	for (i = 0; i < 6; i++) {
		rg_policy_resolve(NULL, NULL, "tensor", &policies[i]);
		policies[i].kind = i == 5 ? RG_POLICY_RELATIVE : RG_POLICY_ULP;
		policies[i].fail = 100;
	}
	policies[1].last_step = 100;
	policies[2].direction = policies[5].direction = RG_DIRECTION_LOWER;
	policies[3].floor = 0.5;
	policies[4].last_steps = 1;
	policies[4].aggregate = RG_AGGREGATE_MAX;
	for (i = 0; i < 6; i++) {
		rg_row row = {0};

		assert_success(rg_series_statistics(&row, &p.goldens[0].arena,
						    &p.goldens[0].metrics[0],
						    &p.goldens[1].metrics[0], &policies[i]));
		assert_int_equal(row.max_ulps, 17);
		assert_int_equal(row.level, RG_LEVEL_PLAIN);
		if (i < 5)
			assert_true(row.score == 17);
	}
	free_pair(&p);
}

/* Integers that doubles cannot tell apart. */
TEST(large_integers_differ)
{
	const int64_t old = ((int64_t)1 << 60) + 1, fresh = (int64_t)1 << 60;
	rg_row row;
	pair p;

	make_pair(&p, RG_DTYPE_INT64, 1, 1);
	memcpy(p.data[0], &old, 8);
	memcpy(p.data[1], &fresh, 8);
	row = compare_pair(&p, false);
	assert_false(row.identical);
	assert_int_equal(row.max_ulps, 1);
	free_pair(&p);
}

/* Fills a tensor's bytes with values in row-major order, laid out as its order and byte order say.
 */
static void lay_out(pair *p, size_t side, const int64_t *values, bool fortran, bool reversed)
{
	rg_tensor *t = &p->tensors[side];
	int64_t rows = t->shape[0], columns = t->shape[1], r, c, k;

	t->order[0] = fortran ? 1 : 0;
	t->order[1] = fortran ? 0 : 1;
	t->big_endian = reversed;
	for (r = 0; r < rows; r++)
		for (c = 0; c < columns; c++)
			for (k = 0; k < 8; k++) {
				int64_t at = fortran ? c * rows + r : r * columns + c;
				int64_t byte = reversed ? 7 - k : k;

				p->data[side][at * 8 + byte] =
					(unsigned char)(values[r * columns + c] >> 8 * k);
			}
}

/* However two tensors lie in their files, their own bits count, and elements are numbered alike. */
TEST(orders_and_byte_orders)
{
	enum { ROWS = 13, COLUMNS = 40, ODD = 5 * COLUMNS + 7 };
	int64_t old[ROWS * COLUMNS], fresh[ROWS * COLUMNS];
	size_t i;

	for (i = 0; i < ROWS * COLUMNS; i++)
		old[i] = fresh[i] = ((int64_t)1 << 60) + (int64_t)i;
	fresh[ODD]++; /* no double knows */
	for (i = 0; i < 16; i++) {
		rg_row row;
		pair p;

		make_pair(&p, RG_DTYPE_INT64, ROWS, COLUMNS);
		lay_out(&p, 0, old, i & 1, i & 2);
		lay_out(&p, 1, old, i & 4, i & 8);
		row = compare_pair(&p, false);
		assert_true(row.identical);
		lay_out(&p, 1, fresh, i & 4, i & 8);
		row = compare_pair(&p, false);
		assert_false(row.identical);
		assert_int_equal(row.first_diff, ODD);
		assert_int_equal(row.max_ulps, 1);
		fresh[ODD] += (int64_t)1 << 20;
		lay_out(&p, 1, fresh, i & 4, i & 8);
		row = compare_pair(&p, false);
		fresh[ODD] -= (int64_t)1 << 20;
		assert_int_equal(row.tensor->worst, ODD);
		assert_int_equal(row.tensor->worst_index[0], 5);
		assert_int_equal(row.tensor->worst_index[1], 7);
		assert_int_equal(row.max_abs_rel_step, ODD);
		free_pair(&p);
	}
}

/* The first of several is the first in row-major order, wherever it is in the files. */
TEST(first_of_several)
{
	enum { ROWS = 300, COLUMNS = 40, FIRST = 2 * COLUMNS + 30, SECOND = 250 * COLUMNS };
	static int64_t old[ROWS * COLUMNS], fresh[ROWS * COLUMNS];
	size_t i;

	for (i = 0; i < ROWS * COLUMNS; i++)
		old[i] = fresh[i] = 8;
	fresh[SECOND] = fresh[SECOND + 1] = fresh[FIRST] = fresh[FIRST + 1] = 6;
	for (i = 0; i < 4; i++) {
		rg_row row;
		pair p;

		make_pair(&p, RG_DTYPE_INT64, ROWS, COLUMNS);
		lay_out(&p, 0, old, i & 1, false);
		lay_out(&p, 1, fresh, i & 2, false);
		row = compare_pair(&p, false);
		assert_int_equal(row.first_diff, FIRST);
		assert_int_equal(row.tensor->worst, FIRST);
		assert_int_equal(row.max_abs_rel_step, FIRST);
		free_pair(&p);
	}
}

/* A policy that looks at some steps goes through doubles, which must not make equal what is not. */
TEST(some_steps_and_large_integers)
{
	const int64_t old[] = {1, ((int64_t)1 << 60) + 1}, fresh[] = {1, (int64_t)1 << 60};
	rg_metric_policy policy;
	rg_row row = {0};
	pair p;

	make_pair(&p, RG_DTYPE_INT64, 1, 2);
	memcpy(p.data[0], old, sizeof(old));
	memcpy(p.data[1], fresh, sizeof(fresh));
	compare_pair(&p, false);
	rg_policy_resolve(NULL, NULL, "tensor", &policy);
	policy.last_steps = 2;
	assert_success(rg_series_statistics(&row, &p.goldens[0].arena, &p.goldens[0].metrics[0],
					    &p.goldens[1].metrics[0], &policy));
	assert_false(row.identical);
	free_pair(&p);
}

/* What is no longer finite is counted in every segment, whether the policy looks there or not. */
TEST(nonfinite_anywhere)
{
	enum { COUNT = 600000 };
	rg_metric_policy policy;
	rg_row row = {0};
	float *fresh;
	pair p;

	make_pair(&p, RG_DTYPE_FLOAT32, COUNT / 1000, 1000);
	fresh = (float *)(void *)p.data[1];
	fresh[5] = fresh[262144] = fresh[COUNT - 1] = NAN;
	compare_pair(&p, false);
	rg_policy_resolve(NULL, NULL, "tensor", &policy);
	policy.first_step = 300000;
	assert_success(rg_series_statistics(&row, &p.goldens[0].arena, &p.goldens[0].metrics[0],
					    &p.goldens[1].metrics[0], &policy));
	assert_int_equal(row.left_out.new_nonfinite, 1);
	assert_int_equal(row.nonfinite, 3);
	free_pair(&p);
}

/* The same numbers in another type are another golden. */
TEST(another_type_is_not_identical)
{
	static const float singles[] = {1, 2};
	static const double doubles[] = {1, 2};
	rg_metric_policy policy;
	rg_row row = {0};
	pair p, q;

	make_pair(&p, RG_DTYPE_FLOAT32, 1, 2);
	make_pair(&q, RG_DTYPE_FLOAT64, 1, 2);
	set_floats(&p, 0, singles, 2);
	memcpy(q.data[1], doubles, sizeof(doubles));
	compare_pair(&p, false);
	compare_pair(&q, false);
	rg_policy_resolve(NULL, NULL, "tensor", &policy);
	assert_success(rg_series_statistics(&row, &p.goldens[0].arena, &p.goldens[0].metrics[0],
					    &q.goldens[1].metrics[0], &policy));
	assert_true(row.avg_rel_diff == 0);
	assert_false(row.identical);
	free_pair(&q);
	free_pair(&p);
}

/* Of nothing there is no norm, and no signal without noise. */
TEST(nothing_finite)
{
	static const float old[] = {NAN, INFINITY}, fresh[] = {1, 1};
	rg_row row;
	pair p;

	make_pair(&p, RG_DTYPE_FLOAT32, 1, 2);
	set_floats(&p, 0, old, 2);
	set_floats(&p, 1, fresh, 2);
	row = compare_pair(&p, false);
	assert_int_equal(row.tensor->count, 0);
	assert_null(row.tensor->worst_text);
	assert_true(isnan(row.tensor->l2) && isnan(row.tensor->mse) && isnan(row.tensor->snr_db) &&
		    isnan(row.tensor->cosine));
	assert_int_equal(row.tensor->nonfinite_mismatches, 2);
	assert_true(row.tensor->max_rel == INFINITY && row.tensor->share_differing == 1);
	free_pair(&p);
}

/* Values that do not change turn in no direction at all, whatever the rounding of their norm. */
TEST(cosine_of_equals)
{
	static const float ones[] = {1, 1};
	pair p;

	make_pair(&p, RG_DTYPE_FLOAT32, 1, 2);
	set_floats(&p, 0, ones, 2);
	set_floats(&p, 1, ones, 2);
	assert_true(compare_pair(&p, false).tensor->cosine == 1);
	free_pair(&p);
}

TEST(rows_that_are_no_series)
{
	static const float zeros[] = {0, 0, 0, 0}, ones[] = {0, 1, 1, 1};
	rg_arena arena;
	bool is_row;
	rg_row row;
	pair p, q;

	rg_arena_init(&arena);
	make_pair(&p, RG_DTYPE_FLOAT32, 2, 2);
	set_floats(&p, 0, zeros, 4);
	set_floats(&p, 1, ones, 4);
	compare_pair(&p, false);
	assert_success(rg_compare_metric(&row, &is_row, &arena, &p.goldens[0].metrics[0],
					 &p.goldens[1].metrics[0], NULL, NULL));
	assert_true(is_row);
	assert_int_equal(row.kind, RG_ROW_EXACT);
	assert_int_equal(row.first_diff, 1);
	assert_string_equal(row.old_excerpt, "0.0");
	assert_string_equal(row.new_excerpt, "1.0");
	assert_near("l2", row.tensor->l2, sqrt(3), 0);
	make_pair(&q, RG_DTYPE_FLOAT16, 4, 1);
	compare_pair(&q, false);
	assert_success(rg_compare_metric(&row, &is_row, &arena, &p.goldens[0].metrics[0],
					 &q.goldens[1].metrics[0], NULL, NULL));
	assert_true(is_row);
	assert_int_equal(row.kind, RG_ROW_EXACT);
	assert_false(row.identical);
	assert_string_equal(row.old_excerpt, "float32 [2, 2]");
	assert_string_equal(row.new_excerpt, "float16 [4, 1]");
	free_pair(&q);
	free_pair(&p);
	rg_arena_release(&arena);
}

/* Elements that overflow in both directions do not cancel each other. */
TEST(overflow_in_both_directions)
{
	static const double old[] = {1e-12, 1e-12}, fresh[] = {1e300, -1e300};
	size_t slowly;
	pair p;

	make_pair(&p, RG_DTYPE_FLOAT64, 1, 2);
	memcpy(p.data[0], old, sizeof(old));
	memcpy(p.data[1], fresh, sizeof(fresh));
	for (slowly = 0; slowly < 2; slowly++)
		assert_true(compare_pair(&p, slowly).avg_rel_diff == INFINITY);
	free_pair(&p);
}

/* Small integers, the old side times 2^old_power, the new one times 2^new_power; some elements are
 * equal there, and the last but one is not finite. */
static void fill_scaled(pair *p, size_t count, int old_power, int new_power)
{
	double *old = (double *)(void *)p->data[0], *fresh = (double *)(void *)p->data[1];
	size_t i;

	for (i = 0; i < count; i++) {
		old[i] = ldexp((double)(i % 7) - 2, old_power);
		fresh[i] = ldexp((double)(i % 7) - 2 + (double)(i % 5 == 1) -
					 3 * (double)(i % 11 == 2),
				 new_power);
	}
	fresh[count - 2] = INFINITY;
}

/* Figures that doubles can hold are right, though the squares behind them are not doubles. */
TEST(squares_past_the_range_of_doubles)
{
	static const int powers[] = {-1070, -1000, -600, -530, -400, 0, 400, 500, 508, 600, 1000};
	enum { ROWS = 100, COLUMNS = 3 };
	rg_tensor_stats unit;
	size_t slowly, i;
	pair p;

	make_pair(&p, RG_DTYPE_FLOAT64, ROWS, COLUMNS);
	fill_scaled(&p, ROWS * COLUMNS, 0, 0);
	unit = *compare_pair(&p, false).tensor;
	for (i = 0; i < sizeof(powers) / sizeof(*powers); i++)
		for (slowly = 0; slowly < 2; slowly++) {
			int power = powers[i];
			const rg_tensor_stats *t;

			fill_scaled(&p, ROWS * COLUMNS, power, power);
			t = compare_pair(&p, slowly).tensor;
			assert_near("l2", t->l2, ldexp(unit.l2, power), 0);
			assert_near("mse", t->mse, ldexp(unit.mse, 2 * power), 0);
			assert_near("mean_abs", t->mean_abs, ldexp(unit.mean_abs, power), 0);
			assert_near("mean", t->mean_signed, ldexp(unit.mean_signed, power), 0);
			assert_near("snr", t->snr_db, unit.snr_db, 0);
			assert_near("cosine", t->cosine, unit.cosine, 0);
			assert_int_equal(t->count, ROWS * COLUMNS - 1);
			if (power < -1000)
				continue;
			/* The larger side is all of the error. */
			fill_scaled(&p, ROWS * COLUMNS, power, -power);
			t = compare_pair(&p, slowly).tensor;
			assert_near("cosine", t->cosine, unit.cosine, 0);
			if (power < 0)
				assert_near("snr", t->snr_db, 0, 1);
		}
	free_pair(&p);
}

/* Nothing is left of a sum where all of it cancels, and of a difference past all doubles only what
 * is relative. */
TEST(ends_of_doubles)
{
	static const double large[] = {1.5e308, -1.5e308}, other[] = {-1.5e308, 1.5e308};
	const rg_tensor_stats *t;
	size_t slowly;
	pair p;

	make_pair(&p, RG_DTYPE_FLOAT64, 1, 2);
	memcpy(p.data[0], large, sizeof(large));
	for (slowly = 0; slowly < 2; slowly++) {
		memcpy(p.data[1], large, sizeof(large));
		t = compare_pair(&p, slowly).tensor;
		assert_true(t->l2 == 0 && t->mse == 0 && t->mean_abs == 0);
		assert_true(t->snr_db == INFINITY && t->cosine == 1);
		memcpy(p.data[1], other, sizeof(other));
		t = compare_pair(&p, slowly).tensor;
		assert_true(t->l2 == INFINITY && t->mean_abs == INFINITY && t->mean_signed == 0);
		assert_near("snr", t->snr_db, 20 * log10(0.5), 0);
		assert_near("cosine", t->cosine, -1, 0);
		memset(p.data[1], 0, sizeof(other));
		t = compare_pair(&p, slowly).tensor;
		assert_near("l2", t->l2, INFINITY, 0);
		assert_near("mean_abs", t->mean_abs, 1.5e308, 0);
		assert_true(isnan(t->cosine));
	}
	free_pair(&p);
}

/* Sums of squares of zeros are not too small, they are right. */
TEST(zeros_are_not_small)
{
	static const double some[] = {0, 3, 0x1p-600, -0.0};
	const rg_tensor_stats *t;
	size_t slowly;
	pair p;

	make_pair(&p, RG_DTYPE_FLOAT64, 1, 4);
	for (slowly = 0; slowly < 2; slowly++) {
		memset(p.data[0], 0, sizeof(some));
		memset(p.data[1], 0, sizeof(some));
		t = compare_pair(&p, slowly).tensor;
		assert_true(t->l2 == 0 && t->mean_abs == 0 && t->snr_db == INFINITY &&
			    isnan(t->cosine) && t->max_rel == 0 && t->share_differing == 0);
		memcpy(p.data[1], some, sizeof(some));
		t = compare_pair(&p, slowly).tensor;
		assert_true(t->l2 == 3 && t->snr_db == 0 && isnan(t->cosine));
		assert_true(t->max_rel == INFINITY && t->share_differing == 0.5);
		memcpy(p.data[1], p.data[0], sizeof(some));
		memcpy(p.data[0], some, sizeof(some));
		t = compare_pair(&p, slowly).tensor;
		assert_true(t->l2 == 3 && t->snr_db == -INFINITY && isnan(t->cosine));
		assert_true(t->max_rel == 1 && t->share_differing == 0.5);
	}
	free_pair(&p);
}
