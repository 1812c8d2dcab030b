#ifndef REGILD_BASE_THREAD_H
#define REGILD_BASE_THREAD_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

/* How many threads this process can run at once: the cores that it is let onto (taskset, a
 * container), at least 1. */
size_t rg_cores(void);

/*
 * Starts a thread for work that fills a core, on another core than the caller's where there is one:
 * a scheduler that starts it where its parent runs leaves it waiting there until it next balances,
 * which takes as long as comparing a hundred goldens. Once it runs it is bound to no core. False
 * where no thread can be had; the caller does the work itself then.
 */
bool rg_thread_start(pthread_t *out, void *(*run)(void *argument), void *argument);

#endif
