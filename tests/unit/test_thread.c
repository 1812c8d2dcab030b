/* SPDX-License-Identifier: Apache-2.0 */
/* For sched_getaffinity. */
#define _GNU_SOURCE

#include "unit.h"

#include "base/thread.h"
#include "base/clock.h"

#include <sched.h>

/* By the clock that nobody sets: by the date, whose seconds are many more, it would end at once. */
TEST(waits_by_the_monotonic_clock)
{
	pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	double until = rg_clock_monotonic() + 0.05;
	pthread_cond_t condition;

	assert_success(rg_condition_init(&condition));
	pthread_mutex_lock(&lock);
	while (rg_condition_wait(&condition, &lock, until))
		assert_true(rg_clock_monotonic() < until + 1);
	pthread_mutex_unlock(&lock);
	assert_true(rg_clock_monotonic() >= until);
	assert_true(rg_clock_monotonic() < until + 30);
	pthread_cond_destroy(&condition);
}

#ifdef __GLIBC__

TEST(process_on_one_core)
{
	cpu_set_t all, one;
	int here = sched_getcpu();

	assert_true(here >= 0);
	assert_int_equal(sched_getaffinity(0, sizeof(all), &all), 0);
	assert_int_equal(rg_cores(), (size_t)CPU_COUNT(&all));
	CPU_ZERO(&one);
	CPU_SET((size_t)here, &one);
	assert_int_equal(sched_setaffinity(0, sizeof(one), &one), 0);
	assert_int_equal(rg_cores(), 1);
	assert_int_equal(sched_setaffinity(0, sizeof(all), &all), 0);
}

#endif
