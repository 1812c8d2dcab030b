/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/unit.h"

#include "audit/components.h"

#include <math.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

enum { RUNS = 8 };

static const rg_components nothing = {NAN, NAN, NAN, NAN, NAN};

static void assert_near(const char *what, double got, double wanted)
{
	if (isnan(wanted) ? !isnan(got) : !(fabs(got - wanted) <= 1e-10))
		fail_msg("%s: %.15g, not %.15g", what, got, wanted);
}

/* Whatever their order. The figures wanted are those of a computation in exact fractions:
 * projections for the squares, their traces for the expectations, and mpmath for F.
 * `first`: values of the first of two kinds. */
static void assert_kinds(const rg_component_value *values, size_t first, size_t count,
			 rg_components wanted)
{
	rg_component_analysis *analysis;
	rg_component_value copy[32];
	rg_components found;
	size_t i;

	for (i = 0; i < count; i++)
		copy[i] = values[count - 1 - i];
	rg_components_begin(&analysis, RUNS);
	rg_components_add(analysis, copy, count - first);
	rg_components_add(analysis, copy + count - first, first);
	rg_components_finish(&found, analysis);
	assert_near("variants", found.variants, wanted.variants);
	assert_near("commits", found.commits, wanted.commits);
	assert_near("re-runs", found.reruns, wanted.reruns);
	assert_near("re-runs at least", found.reruns_low, wanted.reruns_low);
	assert_near("re-runs at most", found.reruns_high, wanted.reruns_high);
	assert_int_equal(rg_components_are_told(&found),
			 !isnan(wanted.variants) || !isnan(wanted.reruns));
}

static void assert_found(const rg_component_value *values, size_t count, rg_components wanted)
{
	assert_kinds(values, count, count, wanted);
}

/* Three, two, one and two runs of four commits. */
TEST(commits_and_reruns)
{
	static const rg_component_value values[] = {
		{0, 0, 0, 10.1}, {0, 0, 1, 10.3}, {0, 0, 2, 10.2}, {0, 3, 3, 11.0},
		{0, 3, 4, 11.4}, {0, 5, 5, 9.5},  {0, 6, 6, 10.9}, {0, 6, 7, 10.8},
	};

	assert_found(values, COUNT(values),
		     (rg_components){NAN, 0.9410903768752287, 0.05890962312477131,
				     0.004006450131532587, 0.4691775982363541});
}

/* Two metrics of two and three variants, not all of which are in each run. */
enum { FIRST_KIND = 11 };
static const rg_component_value variants[] = {
	{0, 0, 0, 5.1}, {0, 0, 1, 5.3},  {0, 2, 2, 5.2}, {0, 2, 3, 6.0},  {0, 4, 4, 6.4},
	{0, 5, 5, 4.5}, {1, 0, 1, 5.9},  {1, 2, 2, 7.2}, {1, 2, 3, 7.1},  {1, 4, 4, 7.9},
	{1, 5, 5, 8.3}, {2, 0, 0, 1.15}, {2, 0, 1, 1.1}, {2, 2, 2, 1.4},  {2, 2, 3, 1.45},
	{2, 4, 4, 1.7}, {3, 0, 0, 2.05}, {3, 0, 1, 2.0}, {3, 2, 2, 2.25}, {3, 2, 3, 2.1},
	{4, 2, 2, 2.6}, {4, 2, 3, 2.45}, {4, 4, 4, 2.5}, {4, 5, 5, 3.1},
};

TEST(variants)
{
	assert_kinds(variants, FIRST_KIND, COUNT(variants),
		     (rg_components){0.6773592696600467, 0.2840086434206342, 0.03863208691931916,
				     0.00249074813611326, 0.3226407303399533});
}

/* Each run is of a commit of its own, or all are of one: these two are not told apart. */
TEST(what_is_not_told_apart)
{
	const rg_components wanted = {0.7281799871025869, NAN, NAN, NAN, NAN};
	rg_component_value values[COUNT(variants)];
	size_t i;

	memcpy(values, variants, sizeof(values));
	for (i = 0; i < COUNT(values); i++)
		values[i].commit = values[i].run;
	assert_kinds(values, FIRST_KIND, COUNT(values), wanted);
	assert_found(values, 6, nothing); /* of one variant */
	for (i = 0; i < COUNT(values); i++)
		values[i].commit = 0;
	assert_kinds(values, FIRST_KIND, COUNT(values), wanted);
	assert_found(values, 6, nothing);
	for (i = 0; i < COUNT(values); i++)
		values[i] = (rg_component_value){i, 0, i % RUNS, 1.1 * (double)i};
	assert_found(values, COUNT(values), nothing); /* one run a variant */
	assert_found(values, 1, nothing);
	assert_found(values, 0, nothing);
}

/* Runs of one commit differ by more than commits do. */
TEST(negative_estimates_are_zero)
{
	static const rg_component_value values[] = {
		{0, 0, 0, 1},   {0, 0, 1, 3},   {0, 2, 2, 1.1},
		{0, 2, 3, 2.9}, {0, 4, 4, 0.9}, {0, 4, 5, 3.1},
	};

	assert_found(values, COUNT(values), (rg_components){NAN, 0, 1, 1, 1});
}

/* Runs of a commit agree to the bit, commits do not; then all do. */
TEST(without_noise)
{
	static const rg_component_value values[] = {
		{0, 0, 0, 0.1}, {0, 0, 1, 0.1}, {0, 0, 2, 0.1},
		{0, 3, 3, 0.7}, {0, 3, 4, 0.7}, {0, 3, 5, 0.7},
	};
	rg_component_value equal[COUNT(values)];
	size_t i;

	assert_found(values, COUNT(values), (rg_components){NAN, 1, 0, 0, 0});
	memcpy(equal, values, sizeof(equal));
	for (i = 0; i < COUNT(equal); i++)
		equal[i].value = 0.1;
	assert_found(equal, COUNT(equal), nothing);
}
