/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_BASE_WORKERS_H
#define REGILD_BASE_WORKERS_H

#include "base/error.h"

#include <stddef.h>

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
