/* SPDX-License-Identifier: Apache-2.0 */
/* For sched_getaffinity. */
#define _GNU_SOURCE

#include "base/thread.h"

#include <errno.h>
#include <sched.h>
#include <time.h>
#include <unistd.h>

size_t rg_cores(void)
{
	long online = sysconf(_SC_NPROCESSORS_ONLN);
#ifdef __GLIBC__
	cpu_set_t cores;

	/* It fails on a machine of more cores than the set has room for. */
	if (!sched_getaffinity(0, sizeof(cores), &cores))
		online = CPU_COUNT(&cores);
#endif
	return online > 1 ? (size_t)online : 1;
}

rg_error *rg_condition_init(pthread_cond_t *out)
{
	pthread_condattr_t monotonic;
	int failed = pthread_condattr_init(&monotonic);

	if (!failed) {
		failed = pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
		if (!failed)
			failed = pthread_cond_init(out, &monotonic);
		pthread_condattr_destroy(&monotonic);
	}
	return failed ? rg_error_io(failed, "a condition to wait for") : NULL;
}

bool rg_condition_wait(pthread_cond_t *condition, pthread_mutex_t *lock, double until)
{
	struct timespec time = {.tv_sec = (time_t)until};
	time.tv_nsec = (long)((until - (double)time.tv_sec) * 1e9);
	return pthread_cond_timedwait(condition, lock, &time) != ETIMEDOUT;
}
