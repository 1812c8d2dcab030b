/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_COMPARE_POLICY_H
#define REGILD_COMPARE_POLICY_H

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "base/memory.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The expectations of metrics: the [metric "PATTERN"] sections, and [golden "FILES:PATTERN"] for
 * the metrics of some files. A metric follows every section whose pattern matches it, key by key,
 * the most specific one (rg_glob_weight; the later one of equals) having the last word: any section
 * with files comes after those without, and of two the one whose files are the more specific. A
 * section that sets another `kind` starts the levels afresh, since their unit changes with it.
 */

/* Unless near-zero is set, a step with |old| under it has no relative figure. */
#define RG_NEAR_ZERO 1e-12

typedef enum {
	/* (old - new) / old: the mean over the steps, or of the aggregates. */
	RG_POLICY_RELATIVE,
	RG_POLICY_ABSOLUTE, /* |old - new|: the largest over the steps, or of the aggregates */
	/* |old - new| / (atol + rtol·|old|), the largest over the steps, or of the aggregates; fail
	 * is 1 unless set */
	RG_POLICY_COMBINED,
	RG_POLICY_ULP,   /* the largest distance in ULPs */
	RG_POLICY_EXACT, /* 0 where identical, else 1; fail is 0 unless set */
	/* For tensors, as PyTorch's function of that name: floats as combined, all others and those
	 * whose type changed as exact. Other metrics have no level. */
	RG_POLICY_ALLCLOSE,
	RG_POLICY_IGNORE, /* no level, ever */
} rg_policy_kind;

/* NaN where the golden had no value (nonfinite.h). */
typedef enum {
	RG_NAN_FAULT,
	RG_NAN_PLACEHOLDER, /* leading ones, and in a new series periodic ones, stand for no value
			     */
} rg_policy_nan;

typedef enum {
	RG_DIRECTION_BOTH,
	RG_DIRECTION_LOWER, /* only a smaller new value is bad */
	RG_DIRECTION_HIGHER,
} rg_direction;

typedef enum {
	RG_AGGREGATE_NONE, /* step by step */
	/* Each side's steps become one figure first, as tests do for timing and memory. */
	RG_AGGREGATE_MEAN,
	RG_AGGREGATE_MEDIAN, /* of an even count: the mean of the two in the middle */
	RG_AGGREGATE_MAX,
} rg_aggregate;

/* Which figure of a row the levels of RG_POLICY_RELATIVE and --fail-above look at. */
typedef enum {
	RG_SCORE_MAX,   /* the largest |old - new| / |old| */
	RG_SCORE_MEAN,  /* |avg_rel_diff| */
	RG_SCORE_USUAL, /* the mean of steps, the largest of records and elements */
} rg_score_of;

/* Are its values durations, of which a larger one is slower? */
typedef enum {
	RG_DURATION_BY_UNIT, /* if they have such a unit */
	RG_DURATION_YES,
	RG_DURATION_NO,
	RG_DURATION_RATE, /* work per time, whose noise is that of a duration */
} rg_duration;

/* The policy of one metric. Levels that are not set are NaN. */
typedef struct {
	rg_policy_kind kind;
	double noise, flag, fail;
	double rtol, atol;
	double floor;     /* both |values| at or under it: equal for the score; NaN: no floor */
	double near_zero; /* a step with |old| under it has no relative figure; over 0 */
	rg_policy_nan nan;
	rg_direction direction;
	rg_aggregate aggregate;
	rg_score_of score;
	rg_duration duration;
	double missing; /* a number that stands for none; NaN: there is no such number */
	int64_t first_step, last_step; /* inclusive; INT64_MIN and INT64_MAX: all */
	size_t last_steps;             /* only so many at the end of those; 0: all */
} rg_metric_policy;

typedef struct rg_policy rg_policy;

/* Without any section: the built-in levels come from the configuration's defaults. */
rg_policy *rg_policy_new(void);
void rg_policy_free(rg_policy *policy);
RG_FREE_AT(rg_policy)

/* Sets a key of the section [metric "PATTERN"]. `noise`, `flag`, `fail` and `rtol` may be in
 * per cent. RG_E_USAGE for an unknown key or a value that does not fit: "metric \"lm loss\": noise:
 * 'x' is not a number of 0 or more". */
RG_CHECKED rg_error *rg_policy_set(rg_policy *policy, const char *pattern, const char *key,
				   const char *value);
/* Sets a key of the section [metric "NAME"], or [golden "NAME"] where it is `of_golden`, as a
 * default: everything that somebody has set comes after it, however specific the default is. */
RG_CHECKED rg_error *rg_policy_set_default(rg_policy *policy, bool of_golden, const char *name,
					   const char *key, const char *value);

/* The same of the section [golden "FILES:PATTERN"], which `section` is; RG_E_USAGE without a colon.
 * The files are a glob without one, matched against a path's end as regild.files is. */
RG_CHECKED rg_error *rg_policy_set_of_golden(rg_policy *policy, const char *section,
					     const char *key, const char *value);

/* Has the section [metric] of just this pattern the key, and not as a default? `policy` may be
 * NULL. */
bool rg_policy_has(const rg_policy *policy, const char *pattern, const char *key);

/* Comes after the last key. RG_E_USAGE for a level in per cent of a kind whose unit is not a
 * fraction. */
RG_CHECKED rg_error *rg_policy_check_levels(const rg_policy *policy);

/* The pattern of a section with tolerances that nothing looks at, because no section's kind is
 * combined; NULL where there is none. Owned by the policy. */
const char *rg_policy_idle_tolerances(const rg_policy *policy);

/* The sections in force, the one with the last word last. `text` gets its keys as .regild has them,
 * "flag = 0.01, steps = 5..20". Texts are the policy's. */
typedef struct {
	const char *files; /* of [golden "FILES:PATTERN"]; NULL: of [metric "PATTERN"] */
	const char *pattern;
	bool is_default; /* nobody has set it */
} rg_policy_section;
size_t rg_policy_sections(const rg_policy *policy);
void rg_policy_section_at(const rg_policy *policy, size_t place, rg_policy_section *out,
			  rg_buf *text);

/* Does a section set where near zero ends? */
bool rg_policy_sets_near_zero(const rg_policy *policy);

/* Are both values at or under the floor? */
bool rg_policy_is_under_floor(const rg_metric_policy *policy, double old, double fresh);

/* Does it look at some steps only? */
bool rg_policy_narrows(const rg_metric_policy *policy);

/* Resolves the policy of a file's metric. `policy` may be NULL: relative, no levels, all steps.
 * Safe for several threads once nobody sets any more. */
void rg_policy_resolve(const rg_policy *policy, const char *file, const char *metric,
		       rg_metric_policy *out);

/* A metric's name as a pattern that matches it alone: wildcards and backslashes are escaped. The
 * caller frees. */
RG_CHECKED rg_error *rg_policy_pattern(char **out, const char *metric);

#endif
