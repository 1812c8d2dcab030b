/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_COMPARE_CONDITION_H
#define REGILD_COMPARE_CONDITION_H

#include "compare/policy.h"
#include "compare/row.h"

/* Why a gate breaks, the gravest first. */
typedef enum {
	RG_BREACH_UNREADABLE, /* of a golden as a whole, as the next six */
	RG_BREACH_REMOVED,
	RG_BREACH_NEEDED, /* a check of the project needs a metric that is on neither side, or a
			     file that cannot be read */
	RG_BREACH_BULK,   /* more goldens change than may at a time */
	RG_BREACH_NEW_NONFINITE, /* a new golden has values that are NaN or infinite */
	RG_BREACH_NEW_GOLDEN,    /* nobody has looked at it yet */
	RG_BREACH_NEW_RECORDS,
	RG_BREACH_CRASH, /* a test crashed */
	RG_BREACH_NEWLY_FAILING,
	RG_BREACH_UNDELEGATED,
	RG_BREACH_STATUS_WORSE,
	RG_BREACH_LOST,       /* the new side lost the metric or steps of it */
	RG_BREACH_NONFINITE,  /* the new side is NaN or infinite where the old is otherwise */
	RG_BREACH_RESHAPED,   /* no longer of the old side's kind or shape */
	RG_BREACH_UNIT,       /* a unit is another, so that no figure says what it said */
	RG_BREACH_POLICY,     /* the row's level is RG_LEVEL_FAIL */
	RG_BREACH_TOLERANCE,  /* a record is over its own tolerance */
	RG_BREACH_LIMIT,      /* rg_row.moved over a --fail-above */
	RG_BREACH_FROM_ZERO,  /* from 0 to more than a --fail-above */
	RG_BREACH_UNREAD,     /* of a golden as a whole: numbers that no metric has differ */
	RG_BREACH_NO_FIGURE,  /* it differs, and has no figure for a --fail-above */
	RG_BREACH_SNR_DROP,   /* by more decibels than asked for */
	RG_BREACH_SLOWER,     /* by a larger share than asked for */
	RG_BREACH_RUN,        /* it shows that the run is another than those measured */
	RG_BREACH_OUTSIDE,    /* of what a noise model measured */
	RG_BREACH_UNMEASURED, /* nothing was measured, or too little to tell */
	RG_BREACH_NEW,        /* a metric, or steps of it, that the old side does not have */
	RG_BREACH_CHANGED,    /* not the same, bit for bit */
	RG_BREACH_CHECK,      /* the new values fail a check of the project */
	RG_BREACH_KINDS
} rg_breach_kind;

/* The subject of a condition: a golden's metric, or the golden as a whole. */
typedef struct {
	const rg_row *row; /* or gap; NULL where it is about the golden */
	const rg_file_outcome *file;
	const char *argument;           /* the condition's; NULL: none */
	double number;                  /* the argument's, where it is one */
	const struct rg_checks *checks; /* that it may name */
	bool changed;                   /* the golden is not the same on both sides … */
	size_t changed_goldens;         /* … and so many are not */
} rg_condition_subject;

/* The kinds of arguments that follow a condition's name. */
typedef enum {
	RG_ARGUMENT_NONE,
	RG_ARGUMENT_OPTIONAL_NAME,  /* NAME or NAME:TEXT */
	RG_ARGUMENT_NAME,           /* NAME:TEXT */
	RG_ARGUMENT_OPTIONAL_LEVEL, /* NAME or NAME=0.05, of over 0 and at most 1 */
	RG_ARGUMENT_NUMBER,         /* NAME=3 */
	RG_ARGUMENT_PERCENT,        /* NAME=5% */
} rg_argument_kind;

/*
 * The conditions that --fail-on can name. One table: the parser, --help and the message for an
 * unknown name all come from it. Tests look at values, and those about measured noise at verdicts,
 * never at levels or at what the policy ignores.
 */
typedef struct {
	const char *name;
	rg_argument_kind takes;
	const char *argument; /* as --help shows it: ":NAME", "[=LEVEL]"; NULL: none */
	const char *help;
	rg_breach_kind kind;
	unsigned
		needs; /* one of RG_HAS_… is there, else it can hold nothing; 0: it needs nothing */
	const char *needed;
	/* One of the two. How much of the condition is there, NaN where it does not hold. */
	double (*test)(const rg_condition_subject *subject);
	/* How much worse the new side is, 0 or less where it is not; NaN where the row says nothing
	 * of that. The condition holds over its argument, or over 0. */
	double (*worse)(const rg_row *row);
} rg_condition;

extern const rg_condition rg_conditions[]; /* a NULL name ends it */

/* One that --fail-on asked for. */
typedef struct {
	const rg_condition *condition;
	const char *argument; /* NULL: none */
	double number;        /* the argument's; of per cent a share */
	const char *text;     /* as it was written, which it borrows */
} rg_asked_condition;

/*
 * Finds the condition of "NAME", "NAME:ARGUMENT" or "NAME=ARGUMENT" in a table. RG_E_USAGE for a
 * name that is not there, with the one that may be meant, and for an argument that is missing, too
 * much or not the number that it has to be.
 */
RG_CHECKED rg_error *rg_condition_find(rg_asked_condition *out, const rg_condition *table,
				       const char *text);

/* RG_HAS_… of a golden, which may be NULL, and whose durations `policy` may name. */
unsigned rg_condition_traits(const rg_golden *golden, const rg_policy *policy, const char *file);

/* The test's value, or how much worse the new side is; NaN where the condition does not hold. */
double rg_condition_test(const rg_asked_condition *asked, const rg_condition_subject *subject);

/* By how many decibels an SNR fell: infinite where it was infinite before, or is not a number now;
 * 0 where it did not fall. */
double rg_snr_drop(double before, double now);

/* The condition that breaks gates so; NULL where nobody can ask for it by name. */
const rg_condition *rg_condition_of(rg_breach_kind kind);

#endif
