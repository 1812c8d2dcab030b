/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_COMPARE_GATE_H
#define REGILD_COMPARE_GATE_H

#include "compare/row.h"

/*
 * Gates: --fail-above [METRIC=]X and the policy's `fail` levels. METRIC is a glob on metric names
 * ('*' crosses '/'); a name that holds '=' is taken up to the last one.
 */
typedef struct {
	const char *pattern; /* NULL: every metric */
	double limit;        /* on |avg_rel_diff|; a row over it (not at it) breaks the gate */
	size_t matched;      /* metrics with figures that it names: with 0 it holds nothing */
} rg_gate_limit;

typedef struct {
	bool allow_lost; /* what the new side lost breaks nothing */
	rg_gate_limit *limits;
	size_t count, capacity;
	rg_arena arena;
} rg_gate;

typedef enum {
	RG_BREACH_LIMIT,     /* |avg_rel_diff| over a --fail-above */
	RG_BREACH_POLICY,    /* the row's level is RG_LEVEL_FAIL */
	RG_BREACH_NONFINITE, /* gated, and the new side is NaN or infinite where the old is not */
	RG_BREACH_RESHAPED,  /* gated, and no longer of the old side's kind or shape */
	RG_BREACH_LOST,      /* gated, and the new side lost the metric or steps of it */
} rg_breach_kind;

/* The most severe reason of each row or gap that broke a gate. */
typedef struct {
	rg_breach_kind kind;
	const rg_row *row; /* or gap */
	double value;      /* |avg_rel_diff| or the score; RG_BREACH_LOST: the steps; else NaN */
	double limit;
} rg_breach;

typedef struct {
	rg_breach *items; /* in row order, gaps after them */
	size_t count, capacity;
} rg_breach_list;

void rg_gate_init(rg_gate *gate);
void rg_gate_release(rg_gate *gate);
/* Adds "[METRIC=]X"; RG_E_USAGE where X is not a number of 0 or more. */
RG_CHECKED rg_error *rg_gate_add(rg_gate *gate, const char *text);
/* Holds the comparison against the limits and its rows' levels. `out` starts all zero. */
RG_CHECKED rg_error *rg_gate_evaluate(rg_gate *gate, const rg_comparison *comparison,
				      rg_breach_list *out);
void rg_breach_list_release(rg_breach_list *list);

#endif
