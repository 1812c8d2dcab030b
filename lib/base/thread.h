/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_BASE_THREAD_H
#define REGILD_BASE_THREAD_H

#include "base/error.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

/* How many threads this process can run at once: the cores that it is let onto (taskset, a
 * container), at least 1. */
size_t rg_cores(void);

/* RG_LOCKED(&http->lock): holds the lock up to the end of the block. A declaration takes no
 * parentheses. NOLINTBEGIN(bugprone-macro-parentheses) */
#define RG_LOCKED(mutex) \
	__attribute__((cleanup(rg_unlock_at), unused)) pthread_mutex_t *rg_locked_ = rg_lock(mutex)
/* NOLINTEND(bugprone-macro-parentheses) */
static inline pthread_mutex_t *rg_lock(pthread_mutex_t *mutex)
{
	pthread_mutex_lock(mutex);
	return mutex;
}
static inline void rg_unlock_at(pthread_mutex_t **mutex)
{
	pthread_mutex_unlock(*mutex);
}

/*
 * A condition to wait for until a time of the monotonic clock (rg_clock_monotonic): a date that is
 * set back meanwhile makes no wait longer. Destroyed by pthread_cond_destroy.
 */
RG_CHECKED rg_error *rg_condition_init(pthread_cond_t *out);
/* The caller holds `lock`. False once it is `until`, in seconds. */
bool rg_condition_wait(pthread_cond_t *condition, pthread_mutex_t *lock, double until);

/* Work in many parts, shared out among all cores. */

enum { RG_WORKERS_MAX = 16 };

/* How many workers are worth it for `count` parts on this machine: 1 … RG_WORKERS_MAX. */
size_t rg_workers_for(size_t count);

/* Does part `part` on worker `worker` (0 … workers - 1). One call at a time per worker, so state by
 * worker needs no lock. */
typedef rg_error *rg_work_fn(void *context, size_t worker, size_t part);

/*
 * Does `count` parts on up to `workers` threads, of which the caller's is one; parts are taken in
 * order as workers become free. The first error, or Ctrl-C (RG_E_CANCELLED), stops the rest.
 */
RG_CHECKED rg_error *rg_workers_run(size_t workers, size_t count, rg_work_fn *work, void *context);

#endif
