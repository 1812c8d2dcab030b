/* SPDX-License-Identifier: Apache-2.0 */
/* Buckets, medians, orders. */

#include "unit.h"

#include "compare/summary.h"

#include <math.h>
#include <stdlib.h>

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

TEST(summaries)
{
	rg_row rows[] = {
		{.metric = "b", .avg_rel_diff = -0.75, .moved = 0.75},
		{.metric = "iteration-time", .avg_rel_diff = 0.25, .moved = 0.25},
		{.metric = "a", .avg_rel_diff = NAN, .moved = NAN, .kind = RG_ROW_EXACT},
		{.metric = "lm loss", .avg_rel_diff = 0, .moved = 0},
		{.metric = "b", .avg_rel_diff = 0.25, .moved = 0.25},
		{.metric = "a", .avg_rel_diff = 1, .moved = 1},
		{.metric = "b", .avg_rel_diff = 0.5, .moved = 0.5},
		{.metric = "b", .avg_rel_diff = -2, .moved = 2},
	};
	rg_comparison c = {.rows = rows, .row_count = 8, .series_rows = 7};
	rg_metric_summaries list = {0};
	size_t counts[RG_BUCKETS];

	rg_bucket_counts(&c, counts);
	assert_int_equal(counts[0], 1);
	assert_int_equal(counts[6], 6);
	rg_metric_summaries_make(&list, &c);
	assert_int_equal(list.count, 4);
	assert_string_equal(list.items[0].metric, "lm loss");
	assert_string_equal(list.items[1].metric, "a");
	assert_int_equal(list.items[1].n, 1);
	assert_string_equal(list.items[2].metric, "b");
	assert_int_equal(list.items[2].n, 4);
	assert_true(list.items[2].median ==
		    0.625); /* between the two in the middle of 0.25 0.5 0.75 2 */
	assert_true(list.items[2].max == 2);
	assert_true(list.items[2].mean_signed == -0.5);
	assert_string_equal(list.items[3].metric, "iteration-time");
	rg_metric_summaries_release(&list);
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
	static rg_row rows[5000];
	rg_metric_summaries list = {0};
	rg_comparison c = {.rows = rows, .row_count = 5, .series_rows = 5};
	size_t i;

	for (i = 0; i < 5000; i++)
		rows[i] = (rg_row){.metric = "a", .avg_rel_diff = (double)i + 1};
	rg_metric_summaries_make(&list, &c);
	assert_true(isnan(list.items[0].low) && isnan(list.items[0].high));
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		list.count = 0;
		c.row_count = c.series_rows = cases[i].count;
		rg_metric_summaries_make(&list, &c);
		assert_true(list.items[0].low == (double)cases[i].rank);
		assert_true(list.items[0].high == (double)(cases[i].count + 1 - cases[i].rank));
	}
	rg_metric_summaries_release(&list);
}

TEST(empty)
{
	rg_comparison c = {0};
	rg_metric_summaries list = {0};

	rg_metric_summaries_make(&list, &c);
	assert_int_equal(list.count, 0);
	rg_metric_summaries_release(&list);
}
