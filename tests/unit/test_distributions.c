/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/unit.h"

#include "audit/statistics.h"

#include <math.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static void assert_near(double got, double wanted)
{
	if (!(fabs(got - wanted) <= 1e-11 * fabs(wanted)))
		fail_msg("%.15g, not %.15g", got, wanted);
}

/* Figures of mpmath 1.3, in 30 digits: betainc(n/2, 1/2, 0, n/(n + t^2), regularized). */
TEST(tails)
{
	static const struct {
		double t, freedom, share;
	} cases[] = {
		{0.5, 1, 0.7048327646991335},      {2.5, 3, 0.08770664700806555},
		{1, 4, 0.3739009663000589},        {12, 7, 6.3583103781851e-6},
		{4.25, 22, 0.0003276300471358356}, {9, 48, 7.091492616526189e-12},
		{1.96, 1000, 0.05027318495574872}, {40, 18, 4.865261692304991e-19},
	};
	size_t i;

	for (i = 0; i < COUNT(cases); i++) {
		assert_near(rg_t_tail(cases[i].t, cases[i].freedom), cases[i].share);
		assert_near(rg_t_tail(-cases[i].t, cases[i].freedom), cases[i].share);
	}
	assert_true(rg_t_tail(0, 5) == 1);
	assert_true(rg_t_tail(INFINITY, 5) == 0);
}

/* The same by mpmath's findroot. */
TEST(quantiles_of_t)
{
	static const struct {
		double rate, freedom, t;
	} cases[] = {
		{0.05, 1, 6.313751514675043},    {0.025, 4, 2.776445105197794},
		{0.001, 9, 4.296805662729918},   {1e-06, 22, 6.385682027017759},
		{8e-08, 3, 239.7587810639068},   {0.3, 50, 0.5277604527065975},
		{1e-09, 998, 6.053803157343564},
	};
	size_t i;

	for (i = 0; i < COUNT(cases); i++)
		assert_near(rg_t_quantile(cases[i].rate, cases[i].freedom), cases[i].t);
}

TEST(quantiles_of_f)
{
	static const struct {
		double share, above, below, f;
	} cases[] = {
		{0.025, 1, 1, 0.001543712508674131}, {0.975, 3, 4, 9.979198532243886},
		{0.025, 3, 4, 0.06622087246793584},  {0.975, 1, 30, 5.567534996510774},
		{0.975, 19, 200, 1.7980955643518},   {0.025, 400, 7, 0.4311773188584611},
	};
	size_t i;

	for (i = 0; i < COUNT(cases); i++)
		assert_near(rg_f_quantile(cases[i].share, cases[i].above, cases[i].below),
			    cases[i].f);
}
