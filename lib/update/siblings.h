/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_UPDATE_SIBLINGS_H
#define REGILD_UPDATE_SIBLINGS_H

#include "source/rule.h"
#include "update/plan.h"

/* Goldens beside refreshed ones and were not staged, or left out: variants for other
 * machines, mostly, which may be stale now. */
typedef struct {
	const char **paths; /* from the repository's root, in path-component order, each once */
	size_t count, capacity;
	rg_arena arena;
} rg_siblings;

/* `out` starts all zero. `rules`: what rg_siblings_gone names is none of these; NULL: all are. */
RG_CHECKED rg_error *rg_siblings_find(rg_siblings *out, const rg_plan *plan, const rg_rules *rules);
/* The goldens that the run no longer makes: beside those that it has, where a rule says that it
 * makes all of a folder (rg_rules_complete). Nothing of it may be missing. */
RG_CHECKED rg_error *rg_siblings_gone(rg_siblings *out, const rg_plan *plan, const rg_rules *rules);
void rg_siblings_release(rg_siblings *siblings);

#endif
