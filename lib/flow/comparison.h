/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_FLOW_COMPARISON_H
#define REGILD_FLOW_COMPARISON_H

#include "audit/new_runs.h"
#include "audit/verdict.h"
#include "base/optional.h"
#include "compare/compare.h"
#include "compare/gate.h"
#include "flow/check_rules.h"
#include "flow/format_reports.h"
#include "flow/noise.h"
#include "flow/settings.h"
#include "flow/worst_curves.h"
#include "place/sides.h"
#include "report/columns.h"
#include "report/curve.h"
#include "story/filter.h"
#include "source/manifest.h"
#include "update/plan.h"

/* A comparison's options, rules and results; see flow/compare.h. */

typedef struct {
	rg_side_options sides; /* all zero: HEAD and the working tree */
	/* For runs; NULL: what URLs and settings say. As rg_source_options has them. */
	const char *repository, *source;
	const char *workflow; /* of latest:BRANCH; NULL: regild.workflow, else any */
	rg_format_choice formats;
	const char *old_part, *new_part; /* rg_golden_options.part */
	rg_texts filters;                /* rg_filter */
	rg_texts limits;                 /* "[METRIC=]X", rg_gate */
	rg_texts conditions;             /* "CONDITION[,CONDITION…]", rg_gate */
	bool allow_lost;                 /* rg_gate */
	bool allow_no_figure;            /* rg_gate */
	bool allow_idle; /* limits and conditions that can hold nothing in the repository */
	rg_noise_options noise;
	bool want_curves;        /* of the worst rows */
	bool want_differences;   /* flow/differences.h */
	rg_opaque_wanted opaque; /* of opaque goldens */
	/* After a refresh: a root without any golden is not wrong, as all may have been held back.
	 */
	bool refreshed;
	const rg_texts *from; /* folders that the refresh took goldens from; NULL: none */
	uint64_t run_id;      /* of the goldens in the working tree; 0: not known */
	/* The update just before, by the same rules: what it has handed on (rg_compare_look_at)
	 * is taken out of it, and not compared again. May be NULL. */
	rg_plan *plan;
	/* The figures of several runs that are compared already, of which one is in the working
	 * tree now; it is taken out. May be NULL. */
	rg_new_runs *new_runs;
} rg_compare_options;

/* The rules of a comparison. They borrow the options. */
typedef struct {
	rg_sides sides;
	rg_sides *further; /* of further new runs, each with the same old side */
	size_t further_count;
	rg_policy *policy;
	rg_formats formats;
	rg_golden_options old_options, new_options; /* for readers, of each side */
	rg_gate gate;
	bool judged; /* there is a noise model */
	rg_noise_model noise;
	const char *noise_name; /* its file's */
	rg_noise_judge_context judge;
	rg_filter filter;
	rg_column_context columns;
	rg_checks *checks;     /* the project's own */
	rg_worktree *worktree; /* NULL: there is none */
	bool want_curves, want_differences;
	rg_opaque_wanted opaque;
	rg_worst_curves curves; /* of what an update has handed on */
} rg_compare_rules;

/* A limit that no compared metric with figures fits, or a condition on what no compared golden has:
 * it holds nothing. */
typedef struct {
	const rg_asked_condition *asked; /* NULL: it is a limit */
	const char *pattern;             /* NULL: every metric */
	bool known;                      /* another golden of the side in git has it */
	const char
		*meant; /* the metric that was meant, where it is not known; NULL: none is near */
} rg_idle_limit;

typedef struct {
	/* "HEAD", "the working tree", "run 7", a file's name; the rules'. */
	const char *old_side, *new_side;
	/* The commits of sides whose names can move, "HEAD" or a branch; NULL: none. */
	const char *old_commit, *new_commit;
	/* The part before a golden's path in its address on the host of the remote "origin", as the
	 * side's commit has it; NULL: not known. */
	char *old_url, *new_url;
	uint64_t run_id;      /* of the new side's goldens; 0: not known */
	rg_manifest manifest; /* of a new side that is a run (run_id in it); else all zero */
	bool missing;         /* goldens of a run or an archive are, as the log has heard */
	const char *filter;   /* what --filter keeps; NULL: all */
	bool only_review;     /* … rows that need review */
	bool by_checks;       /* by what checks say, too */
	rg_comparison comparison;
	rg_new_runs new_runs;      /* the first of which the comparison is of */
	rg_format_reports reports; /* what formats say beside rows */
	rg_curve_list curves;
	bool gated; /* by a limit, a condition or a `fail` level of what was compared */
	rg_breach_list breaches;
	rg_gate_groups groups; /* of the breaches */
	rg_idle_limit *idle;
	size_t idle_count;
} rg_compare_result;

#endif
