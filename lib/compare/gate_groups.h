/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_COMPARE_GATE_GROUPS_H
#define REGILD_COMPARE_GATE_GROUPS_H

#include "compare/gate.h"

/* What broke a gate, a group for each reason and metric, as people and JSON are told it. */
typedef struct {
	rg_breach_kind kind;
	/* The worst one's, where each is of another (a test's result, say); NULL: goldens as a
	 * whole. */
	const char *metric;
	const char *argument;   /* of the condition: a check of the project; NULL: none */
	size_t n, of;           /* that broke the gate; of those that could have */
	const rg_breach *worst; /* n of them, worst first; in the list */
} rg_gate_group;

typedef struct {
	rg_gate_group *items; /* worst first: by kind, those over a limit by how far they are */
	size_t count, capacity;
} rg_gate_groups;

/* Sorts the list as well, and borrows it. `out` starts all zero, and is released even where this
 * fails. */
void rg_gate_groups_make(rg_gate_groups *out, rg_breach_list *breaches,
			 const rg_comparison *comparison);
void rg_gate_groups_release(rg_gate_groups *groups);

/* The reason's name: of rg_conditions ("check:NAME" and "slower=5%" whole), or "reshaped", "fail"
 * or "fail-above". */
const char *rg_gate_group_name(const rg_gate_group *group);
/* Is the group of what got worse, whatever the metric? */
bool rg_gate_group_is_of_many(const rg_gate_group *group);

#endif
