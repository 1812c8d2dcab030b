/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_COMPARE_GATE_H
#define REGILD_COMPARE_GATE_H

#include "compare/condition.h"

/*
 * Gates: --fail-above [METRIC=]X and [METRIC:]from-zero=X, --fail-on CONDITION and the policy's
 * `fail` levels. METRIC is a glob on metric names ('*' crosses '/'); a name that holds '=' is taken
 * up to the last one.
 */
typedef struct {
	const char *pattern; /* NULL: every metric */
	bool from_zero;      /* it is on what was 0: |new| */
	double limit;        /* else on rg_row.moved; a row over it (not at it) breaks the gate */
	const char *text;    /* the limit as it was written */
	size_t matched;      /* metrics with figures that it names: with 0 it holds nothing */
} rg_gate_limit;

typedef struct {
	bool allow_bulk; /* as many goldens may change as do: a commit says so */
	bool allow_lost; /* what the new side lost breaks nothing, unless --fail-on asked for it */
	bool allow_no_figure; /* what differs without a figure breaks no limit */
	rg_gate_limit *limits;
	size_t count, capacity;
	rg_asked_condition *conditions;
	size_t condition_count, condition_capacity;
	rg_arena arena;
} rg_gate;

/*
 * Why a row, gap or golden broke a gate. Each has a breach for every condition that was asked for,
 * and one more for the most severe of the other reasons.
 */
typedef struct {
	rg_breach_kind kind;
	bool asked;                  /* by --fail-on */
	const char *argument, *text; /* of what was asked for; NULL: none */
	const char *file;            /* the golden */
	const rg_file_outcome *golden;
	const rg_row *row; /* or gap; NULL: the golden as a whole, or its records */
	/* rg_row.moved, the score, or by how much it is worse; RG_BREACH_LOST and
	 * RG_BREACH_NONFINITE: the steps, or the records; else NaN */
	double value;
	double limit;           /* NaN: there is none */
	const char *limit_text; /* RG_BREACH_LIMIT, RG_BREACH_FROM_ZERO: as it was written */
} rg_breach;

typedef struct {
	rg_breach *items; /* goldens as a whole, rows, gaps, each in their order */
	size_t count, capacity;
	size_t looked_at;     /* rows and gaps under a limit, a `fail` level or a condition */
	size_t new_looked_at; /* new goldens, whose rows are none, under a condition */
	/* Rows and gaps under a limit that have no figure for it; those that differ break it. */
	size_t without_figure;
} rg_breach_list;

void rg_gate_init(rg_gate *gate);
void rg_gate_release(rg_gate *gate);
/* Adds "[METRIC=]X" or "[METRIC:]from-zero=X"; RG_E_USAGE where X is not a number of 0 or more. */
RG_CHECKED rg_error *rg_gate_add(rg_gate *gate, const char *text);
/* Adds "CONDITION[,CONDITION…]" by rg_conditions; RG_E_USAGE as rg_condition_find. */
RG_CHECKED rg_error *rg_gate_add_conditions(rg_gate *gate, const char *text);
/* RG_E_USAGE for "check:NAME" where the project has no check of that name. */
RG_CHECKED rg_error *rg_gate_find_checks(const rg_gate *gate, const struct rg_checks *checks);
/* Checks the comparison by the limits, the conditions and its rows' levels. `out` starts all
 * zero. */
void rg_gate_evaluate(rg_gate *gate, const rg_comparison *comparison, rg_breach_list *out);
void rg_breach_list_release(rg_breach_list *list);

/* The breaches of a gate, in a group for each reason and metric, as people and JSON read them. */
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

/* Sorts the list as well, and borrows it. `out` starts all zero. */
void rg_gate_groups_make(rg_gate_groups *out, rg_breach_list *breaches,
			 const rg_comparison *comparison);
void rg_gate_groups_release(rg_gate_groups *groups);

/* The reason's name: of rg_conditions ("check:NAME" and "slower=5%" whole), or "reshaped",
 * "unit", "no-figure", "fail" or "fail-above". */
const char *rg_gate_group_name(const rg_gate_group *group);
/* Does the group have all metrics that got worse, or that have no figure? */
bool rg_gate_group_is_of_many(const rg_gate_group *group);

#endif
