/* SPDX-License-Identifier: Apache-2.0 */
#include "random.h"
#include "unit.h"

#include "base/median.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Every size up to 40, with ties, against sorting. */
TEST(median_and_quantile_against_sorting)
{
	uint32_t seed = 1;
	size_t count, round, i;

	for (count = 1; count <= 40; count++) {
		for (round = 0; round < 200; round++) {
			double values[40], sorted[40], copy[40], wanted;
			uint32_t distinct = round % 3 == 0 ? 3 : round % 3 == 1 ? 10 : 1000000;
			size_t k = next_random(&seed) % count;

			for (i = 0; i < count; i++)
				values[i] = (double)(next_random(&seed) % distinct);
			memcpy(sorted, values, sizeof(values));
			qsort(sorted, count, sizeof(double), rg_compare_doubles);
			wanted = count % 2 ? sorted[count / 2]
					   : (sorted[count / 2 - 1] + sorted[count / 2]) / 2;
			memcpy(copy, values, sizeof(values));
			assert_true(rg_median(copy, count) == wanted);
			memcpy(copy, values, sizeof(values));
			assert_true(rg_quantile(copy, count, (double)(k + 1) / (double)count) ==
				    sorted[k]);
		}
	}
}

/* With one more value: one of a few that are there, or any. */
TEST(the_middle_knows_the_median_with_one_more)
{
	uint32_t seed = 3;

	for (size_t count = 1; count <= 40; count++)
		for (size_t round = 0; round < 200; round++) {
			const uint32_t distinct = round % 2 ? 5 : 1000000;
			double values[41], copy[41];
			for (size_t i = 0; i <= count; i++)
				values[i] = (double)(next_random(&seed) % distinct);
			memcpy(copy, values, sizeof(values));
			const rg_middle middle = rg_middle_find(copy, count);
			memcpy(copy, values, sizeof(values));
			assert_true(middle.median == rg_median(copy, count));
			memcpy(copy, values, sizeof(values));
			assert_true(rg_middle_with(&middle, count, values[count]) ==
				    rg_median(copy, count + 1));
		}
}

TEST(quantile_is_a_value_that_was_seen)
{
	double values[20];
	size_t i;

	for (i = 0; i < 20; i++)
		values[i] = (double)(20 - i);
	assert_true(rg_quantile(values, 20, 0.95) == 19);
	assert_true(rg_quantile(values, 20, 1) == 20);
	assert_true(rg_quantile(values, 20, 0) == 1);
	assert_true(rg_quantile(values, 1, 0.5) == values[0]);
	assert_true(isnan(rg_quantile(values, 0, 0.5)));
	assert_true(isnan(rg_median(values, 0)));
}

TEST(values_near_both_ends_of_doubles)
{
	double two[] = {1.7e308, 1.5e308}, least[] = {5e-324, 1.5e-323};

	assert_true(fabs(rg_median(two, 2) - 1.6e308) < 1e295);
	assert_true(rg_median(least, 2) == 1e-323);
}
