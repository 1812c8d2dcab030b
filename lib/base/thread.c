/* SPDX-License-Identifier: Apache-2.0 */
/* For sched_getaffinity. */
#define _GNU_SOURCE

#include "base/thread.h"

#include "base/cancel.h"

#include <errno.h>
#include <sched.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

size_t rg_workers_for(size_t count)
{
	size_t workers = rg_cores();
	if (workers > RG_WORKERS_MAX)
		workers = RG_WORKERS_MAX;
	if (workers > count)
		workers = count;
	return workers ? workers : 1;
}

typedef struct {
	rg_work_fn *work;
	void *context;
	size_t count;
	atomic_size_t next; /* the first part that nobody has taken */
	atomic_bool stop;
} job;

typedef struct {
	job *job;
	size_t index;
	pthread_t thread;
	rg_error *err;
} worker;

static void *run(void *argument)
{
	worker *self = argument;
	job *j = self->job;
	size_t part;

	while (!self->err && !atomic_load(&j->stop) &&
	       (part = atomic_fetch_add(&j->next, 1)) < j->count) {
		self->err = rg_cancel_check();
		if (!self->err)
			self->err = j->work(j->context, self->index, part);
	}
	if (self->err)
		atomic_store(&j->stop, true);
	return NULL;
}

rg_error *rg_workers_run(size_t workers, size_t count, rg_work_fn *work, void *context)
{
	job j = {.work = work, .context = context, .count = count};
	worker all[RG_WORKERS_MAX];
	size_t started = 1;
	rg_error *err = NULL;

	for (size_t i = 0; i < RG_WORKERS_MAX; i++)
		all[i] = (worker){.job = &j, .index = i};
	/* If there are too few threads, these do all of it. */
	while (started < workers && started < count && started < RG_WORKERS_MAX &&
	       !pthread_create(&all[started].thread, NULL, run, &all[started]))
		started++;
	run(&all[0]);
	for (size_t i = 1; i < started; i++)
		pthread_join(all[i].thread, NULL);
	for (size_t i = 0; i < started; i++)
		err = rg_error_first(err, all[i].err);
	return err;
}

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
#ifndef __APPLE__
		failed = pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
#endif
		if (!failed)
			failed = pthread_cond_init(out, &monotonic);
		pthread_condattr_destroy(&monotonic);
	}
	return failed ? rg_error_io(failed, "a condition to wait for") : NULL;
}

bool rg_condition_wait(pthread_cond_t *condition, pthread_mutex_t *lock, double until)
{
#ifdef __APPLE__
	/* It waits by no clock that can be chosen, but for so long. */
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	until -= (double)now.tv_sec + (double)now.tv_nsec / 1e9;
	until = until > 0 ? until : 0;
#endif
	struct timespec time = {.tv_sec = (time_t)until};
	time.tv_nsec = (long)((until - (double)time.tv_sec) * 1e9);
#ifdef __APPLE__
	return pthread_cond_timedwait_relative_np(condition, lock, &time) != ETIMEDOUT;
#else
	return pthread_cond_timedwait(condition, lock, &time) != ETIMEDOUT;
#endif
}
