/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_FLOW_CHECK_H
#define REGILD_FLOW_CHECK_H

#include "base/memory.h"
#include "flow/context.h"

/* A line for all of which the same is said. */
typedef struct {
	const char *path;       /* of the first, as it was named or from the repository's root */
	const char *inner_path; /* from the repository's root where it is in there, else `path` */
	const char *text;
	size_t goldens; /* how many it is said of */
	unsigned rank;
	size_t place; /* among all that was added */
} rg_check_line;

/* Starts all zero. */
typedef struct {
	rg_check_line *items;
	size_t count, capacity;
	rg_arena arena;
} rg_check_lines;

/* Looks for what is wrong with goldens in themselves. Only of NaN that a log leaves on purpose git
 * is asked whether they have always been there: see rg_golden_check. */

/* The worst first. */
typedef enum {
	RG_CHECK_UNREADABLE,
	RG_CHECK_CONTENT, /* contradicts itself */
	RG_CHECK_NAN,
	RG_CHECK_INF,
	RG_CHECK_STEPS,  /* not those that the block promises */
	RG_CHECK_KEYS,   /* that appear twice */
	RG_CHECK_VALUES, /* that are not numbers */
	/* A changed golden is not of the full precision that a check of the project could use. */
	RG_CHECK_PRECISION,
	RG_CHECK_KINDS
} rg_check_kind;

/* "unreadable", "nan", … */
extern const char *const rg_check_kind_names[RG_CHECK_KINDS];

typedef struct {
	char *const *files; /* none: every golden below regild.root */
	size_t file_count;
	bool changed;     /* only those that differ from where HEAD and `base` parted */
	bool staged;      /* with `changed`: in the index, as it has them */
	const char *base; /* NULL: HEAD; "REV..." is the same as "REV" */
	bool each;        /* a line for each golden, by path, instead of one for many */
} rg_check_options;

typedef struct {
	char base_id[41]; /* the commit that baselines are of; "" where there is none */
	size_t files;
	size_t found;                   /* goldens with findings */
	size_t by_kind[RG_CHECK_KINDS]; /* of those; one may have several kinds */
	rg_check_lines lines;           /* "METRIC: what is wrong", or why one cannot be read */
	/* Series with leading or periodic NaN that are not findings: how many, and of which
	 * metrics ("iteration-time: leading NaN"). */
	size_t passed;
	rg_check_lines passed_lines;
	bool refused;       /* values that regild.nonfinite refuses are among the findings */
	bool no_commit;     /* there is none yet, so that all is new to `staged` */
	size_t no_baseline; /* goldens that were judged by themselves, theirs being unreadable */
} rg_check_result;

/* `out` is released whatever comes back. */
RG_CHECKED rg_error *rg_check(rg_check_result *out, const rg_flow *flow,
			      const rg_check_options *options);
void rg_check_result_release(rg_check_result *result);

#endif
