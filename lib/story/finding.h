/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_STORY_FINDING_H
#define REGILD_STORY_FINDING_H

#include "base/fields.h"
#include "compare/row.h"
#include "compare/summary.h"

#include <stdbool.h>
#include <stddef.h>

/* One thing that a reviewer has to decide on: its kind, metric, golden and figures, and no
 * sentence. */

typedef enum {
	/* Values are missing or no numbers. */
	RG_FOUND_NONFINITE,      /* became NaN or infinite */
	RG_FOUND_VALUES_REMOVED, /* steps or cells that the new side lacks */
	RG_FOUND_METRIC_REMOVED,
	RG_FOUND_UNREADABLE,
	RG_FOUND_HELD,    /* a refresh held the golden back */
	RG_FOUND_MISSING, /* the run should have it */
	/* Records, goldens and tests. */
	RG_FOUND_RECORDS_REMOVED,
	RG_FOUND_GOLDEN_REMOVED,
	RG_FOUND_TESTS, /* newly failing, crashed … */
	/* Figures. */
	RG_FOUND_RESHAPED, /* another kind, type, shape or unit */
	RG_FOUND_OUTLIER,
	RG_FOUND_MOVED,     /* over the flag level, or it broke a gate */
	RG_FOUND_FROM_ZERO, /* 0 or a tiny value before: no percentage */
	RG_FOUND_TENSOR,
	RG_FOUND_REPAIRED, /* values that were NaN or infinite are numbers */
	RG_FOUND_VALUES_ADDED,
	RG_FOUND_CHECK,  /* a check of the project fails, which has a tolerance */
	RG_FOUND_PASSED, /* a check passes values of another kind, by a tool's rule */
	RG_FOUND_RUN,    /* a noise model says that the run has changed, or cannot tell */
	/* New, and not looked at by anybody. */
	RG_FOUND_METRIC_NEW,
	RG_FOUND_RECORDS_ADDED,
	RG_FOUND_GOLDEN_NEW,
	/* Without figures. */
	RG_FOUND_TEXT,   /* a text, tokens, or the golden as a whole differs */
	RG_FOUND_UNREAD, /* numbers that no metric has differ */
	RG_FOUND_KINDS
} rg_found;
extern const char *const rg_found_names[RG_FOUND_KINDS]; /* in JSON */
extern const char *const rg_class_names[RG_CLASSES];     /* the same */

/* Figures that are not defined are NaN, texts that there are none NULL. */
typedef struct {
	rg_found kind;
	rg_metric_class class_of;
	const char *metric; /* or the family; NULL: it is about goldens as a whole */
	size_t metrics;     /* that have it alike: the first is `metric` */
	const char *row;    /* that of the golden's row; NULL: no row has it */
	const char *file;   /* the golden that has it most; NULL: none has */
	const char *name;   /* the name of that */
	size_t goldens;     /* that have it */
	bool gate;          /* it broke a gate */
	bool by_record;
	bool by_element; /* of a tensor: it has no steps, and only masks take values away */
	/* The change of the worst golden, (new - old) / |old|: of steps the mean, of records the
	 * one that moved most. */
	double change;
	double median;  /* of a duration, its median step's; NaN: it says the same as the mean */
	bool by_median; /* `change` is the median step's and `median` the mean */
	/* The record or step that moved most; RG_FOUND_PASSED: "became infinite". */
	const char *at;
	/* Records that moved both ways: how many, and the farthest of each. */
	size_t larger, smaller, steps_counted;
	double most_larger, most_smaller;
	double per_step;   /* the mean |change| per step of what cancels */
	double old, fresh; /* RG_FOUND_FROM_ZERO */
	/* RG_FOUND_OUTLIER: the others of its group, or stage, and their median change. */
	size_t others;
	bool of_stage;
	double others_median;
	size_t runs;            /* outside all of so many measured runs; 0: by levels */
	double level;           /* the flag level that all of it is over */
	double score;           /* by a policy that is not relative, with `level`; NaN: it is */
	size_t count, count_of; /* steps, records, tests, values */
	const char *steps;      /* "18, 20, 32"; the names of records, of that golden */
	bool is_nan, is_inf;    /* RG_FOUND_NONFINITE: values now; RG_FOUND_REPAIRED: before */
	/* Records of that golden; and, if there are two, of the other one. */
	size_t first_count, first_of, also_count, also_of;
	const char *also;              /* its name */
	const char *text;              /* a check's name; why; what became what */
	double max_abs, snr_db, share; /* RG_FOUND_TENSOR; share: of elements that differ */
	double over;                   /* times its flag level, which findings are sorted by */
} rg_story_finding;

#define RG_STORY_FINDING_NONE                                                                  \
	{                                                                                      \
		.change = NAN, .median = NAN, .most_larger = NAN, .most_smaller = NAN,         \
		.per_step = NAN, .old = NAN, .fresh = NAN, .others_median = NAN, .level = NAN, \
		.score = NAN, .max_abs = NAN, .snr_db = NAN, .share = NAN                      \
	}

/* Goldens with findings of one kind, whatever the metric. */
typedef struct {
	rg_found kind;
	size_t goldens, over; /* over: of them, those over a flag level */
	size_t count;         /* values, records or tests */
} rg_story_reason;

/* Their keys in JSON. */
extern const rg_json_field rg_finding_fields[], rg_reason_fields[];

/* Findings are printed by so many; the others are counted. */
enum { RG_FINDINGS_SHOWN = 8 };

/* The order of findings: loss metrics, then missing values, removed records and goldens, figures by
 * how far they are over their flag level, new goldens, texts. */
int rg_finding_compare(const void *a, const void *b);
/* Compares like strcmp; NULL is "". */
int rg_finding_compare_texts(const char *a, const char *b);

#endif
