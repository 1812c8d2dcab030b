/* SPDX-License-Identifier: Apache-2.0 */
/* Buckets, classes, intervals. */

#include "unit.h"

#include "compare/summary.h"

#include <math.h>

TEST(buckets)
{
	static const struct {
		double value;
		size_t bucket;
	} cases[] = {
		{0.0, 0},    {-0.0, 0}, {5e-324, 1},   {9.9e-7, 1}, {-1e-6, 2},
		{9.9e-5, 2}, {1e-4, 3}, {-1e-3, 4},    {1e-2, 5},   {0.0999, 5},
		{0.1, 6},    {-7, 6},   {INFINITY, 6},
	};
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_int_equal(rg_bucket_of(cases[i].value), cases[i].bucket);
}

TEST(bucket_counts)
{
	rg_row rows[] = {
		{.metric = "b", .avg_rel_diff = -0.75, .moved = 0.75},
		{.metric = "a", .avg_rel_diff = NAN, .moved = NAN, .kind = RG_ROW_EXACT},
		{.metric = "lm loss", .avg_rel_diff = 0, .moved = 0},
		{.metric = "b", .avg_rel_diff = -2, .moved = 2},
	};
	rg_comparison c = {.rows = rows, .row_count = 4, .series_rows = 3};
	size_t counts[RG_BUCKETS];

	rg_bucket_counts(&c, counts);
	assert_int_equal(counts[0], 1);
	assert_int_equal(counts[6], 2);
	c.row_count = 0;
	rg_bucket_counts(&c, counts);
	assert_int_equal(counts[6], 0);
}

/* Losses before all else, whatever they are called; no name makes a duration. */
TEST(classes)
{
	static const struct {
		const char *metric;
		rg_metric_class is;
	} cases[] = {
		{"lm loss", RG_CLASS_LOSS},
		{"Loss/train", RG_CLASS_LOSS},
		{"loss-scale vs samples", RG_CLASS_VALUE},
		{"num-zeros", RG_CLASS_COUNT},
		{"grad-norm", RG_CLASS_VALUE},
		{"iteration-time", RG_CLASS_VALUE},
		{"0/ttft", RG_CLASS_VALUE},
		{"sentiment", RG_CLASS_VALUE},
		{"throughput", RG_CLASS_VALUE},
		{"mem-max-allocated-bytes", RG_CLASS_MEMORY},
		{"max_vpr_mem", RG_CLASS_MEMORY},
	};
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		rg_row row = {.metric = cases[i].metric};

		assert_int_equal(rg_metric_class_of(cases[i].metric), cases[i].is);
		assert_int_equal(rg_row_class(&row), cases[i].is);
		row.measure = RG_MEASURE_DURATION;
		assert_int_equal(rg_row_class(&row), RG_CLASS_TIME);
		row.measure = RG_MEASURE_RATE;
		assert_int_equal(rg_row_class(&row), RG_CLASS_RATE);
	}
}

/* Ranks of the sign test's 95 % interval, from any table of it. */
TEST(intervals)
{
	static const struct {
		size_t count, rank;
	} cases[] = {{6, 1}, {8, 1}, {9, 2}, {20, 6}, {100, 40}, {5000, 2431}};
	static double values[5000];
	double low, high;

	for (size_t i = 0; i < 5000; i++)
		values[i] = (double)i + 1;
	assert_false(rg_median_interval(values, 5, &low, &high));
	assert_true(isnan(low) && isnan(high));
	assert_false(rg_median_interval(values, 0, &low, &high));
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_true(rg_median_interval(values, cases[i].count, &low, &high));
		assert_true(low == (double)cases[i].rank);
		assert_true(high == (double)(cases[i].count + 1 - cases[i].rank));
	}
}
