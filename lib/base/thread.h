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

/*
 * A condition to wait for until a time of the monotonic clock (rg_clock_monotonic): a date that is
 * set back meanwhile makes no wait longer. Destroyed by pthread_cond_destroy.
 */
RG_CHECKED rg_error *rg_condition_init(pthread_cond_t *out);
/* The caller holds `lock`. False once it is `until`, in seconds. */
bool rg_condition_wait(pthread_cond_t *condition, pthread_mutex_t *lock, double until);

#endif
