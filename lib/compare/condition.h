/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_COMPARE_CONDITION_H
#define REGILD_COMPARE_CONDITION_H

#include "compare/row.h"

/* Why a gate breaks, the gravest first. */
typedef enum {
	RG_BREACH_UNREADABLE, /* of a golden as a whole, as the next two */
	RG_BREACH_REMOVED,
	RG_BREACH_NEEDED,    /* a check of the project needs a metric that is on neither side, or a
				file that cannot be read */
	RG_BREACH_LOST,      /* the new side lost the metric or steps of it */
	RG_BREACH_NONFINITE, /* the new side is NaN or infinite where the old is not */
	RG_BREACH_RESHAPED,  /* no longer of the old side's kind or shape */
	RG_BREACH_POLICY,    /* the row's level is RG_LEVEL_FAIL */
	RG_BREACH_TOLERANCE, /* a record is over its own tolerance */
	RG_BREACH_LIMIT,     /* |avg_rel_diff| over a --fail-above */
	RG_BREACH_CHANGED,   /* not the same, bit for bit */
	RG_BREACH_CHECK,     /* the new values fail a check of the project */
	RG_BREACH_KINDS
} rg_breach_kind;

/* What a condition is tested on: a golden's metric, or the golden as a whole. */
typedef struct {
	const rg_row *row; /* or gap; NULL where it is about the golden */
	const rg_file_outcome *file;
	const char *argument;           /* the condition's; NULL: none */
	const struct rg_checks *checks; /* that it may name */
} rg_condition_subject;

/*
 * What --fail-on can name. One table: the parser, --help and the message for an unknown name all
 * come from it. A test returns how much of the condition is there, NaN where it does not hold. It
 * looks at the values alone, never at levels, verdicts or what the policy ignores.
 */
typedef struct {
	const char *name;
	const char *argument; /* what follows "NAME:" in --help; NULL: the name is all */
	const char *help;
	rg_breach_kind kind;
	double (*test)(const rg_condition_subject *subject);
} rg_condition;

extern const rg_condition rg_conditions[]; /* a NULL name ends it */

/*
 * Finds the condition of "NAME" or "NAME:ARGUMENT" in a table; *argument is NULL where it takes
 * none. RG_E_USAGE for a name that is not there, with the one that may be meant, and for an
 * argument that is missing or too much.
 */
RG_CHECKED rg_error *rg_condition_find(const rg_condition **out, const char **argument,
				       const rg_condition *table, const char *text);

#endif
