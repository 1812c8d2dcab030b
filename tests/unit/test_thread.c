/* For sched_getaffinity. */
#define _GNU_SOURCE

#include "unit.h"

#include "base/thread.h"

#include <sched.h>

static void *set_flag(void *argument)
{
	*(int *)argument = 1;
	return argument;
}

static void test_start_runs_with_argument(void **state)
{
	int flag = 0;
	void *answer = NULL;
	pthread_t thread;

	(void)state;
	assert_true(rg_thread_start(&thread, set_flag, &flag));
	assert_int_equal(pthread_join(thread, &answer), 0);
	assert_int_equal(flag, 1);
	assert_ptr_equal(answer, &flag);
}

#ifdef __GLIBC__

static void *note_cores(void *argument)
{
	sched_getaffinity(0, sizeof(cpu_set_t), argument);
	return NULL;
}

/* Wherever it starts, it may go to every core of the process afterwards. */
static void assert_thread_has(const cpu_set_t *expected)
{
	cpu_set_t seen;
	pthread_t thread;

	CPU_ZERO(&seen);
	assert_true(rg_thread_start(&thread, note_cores, &seen));
	assert_int_equal(pthread_join(thread, NULL), 0);
	assert_true(CPU_EQUAL(&seen, expected));
}

static void test_thread_is_bound_to_no_core(void **state)
{
	cpu_set_t all;

	(void)state;
	assert_int_equal(sched_getaffinity(0, sizeof(all), &all), 0);
	assert_int_equal(rg_cores(), (size_t)CPU_COUNT(&all));
	assert_thread_has(&all);
}

static void test_process_on_one_core(void **state)
{
	cpu_set_t all, one;
	int here = sched_getcpu();

	(void)state;
	assert_true(here >= 0);
	assert_int_equal(sched_getaffinity(0, sizeof(all), &all), 0);
	CPU_ZERO(&one);
	CPU_SET((size_t)here, &one);
	assert_int_equal(sched_setaffinity(0, sizeof(one), &one), 0);
	assert_int_equal(rg_cores(), 1);
	assert_thread_has(&one);
	assert_int_equal(sched_setaffinity(0, sizeof(all), &all), 0);
}

#endif

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_start_runs_with_argument),
#ifdef __GLIBC__
		cmocka_unit_test(test_thread_is_bound_to_no_core),
		cmocka_unit_test(test_process_on_one_core),
#endif
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
