/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_UPDATE_SIBLINGS_H
#define REGILD_UPDATE_SIBLINGS_H

#include "update/plan.h"

/* Goldens beside refreshed ones and were not staged, or left out: variants for other
 * machines, mostly, which may be stale now. */
typedef struct {
	const char **paths; /* from the repository's root, in path-component order, each once */
	size_t count, capacity;
	rg_arena arena;
} rg_siblings;

/* `files` is regild.files (rg_globs_take). `out` starts all zero. */
RG_CHECKED rg_error *rg_siblings_find(rg_siblings *out, const rg_plan *plan, const char *files);
void rg_siblings_release(rg_siblings *siblings);

#endif
