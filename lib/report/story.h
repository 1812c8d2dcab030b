/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_REPORT_STORY_H
#define REGILD_REPORT_STORY_H

#include "report/models.h"
#include "report/summary.h"
#include "report/test_name.h"

/*
 * What there is to say of a comparison, worked out once. Terminal, markdown, JSON, the page and the
 * commit message tell it, each at its length; none of them works anything out. Texts are plain:
 * escaping is the writers'.
 *
 *	rg_story_make(&story, &summary);
 *	… writers …
 *	rg_story_release(&story);
 */

/* The rows of one golden that people read as one: a metric's row, or the worst member of a family
 * of several ("layer*.weight"). */
typedef struct {
	const rg_row *row;  /* the worst member */
	const char *family; /* what rows are put together by (report/family.h) */
	const char *metric; /* the family's name where it has several members, else the metric's */
	rg_test_name name;  /* of the golden */
	bool of_model;      /* story.models has it */
	size_t members;     /* rows that it is about */
	size_t changed;     /* of them, those whose values differ */
	size_t cohort;      /* its place in story.cohorts */
	rg_metric_policy policy;
	/* |avg_rel_diff|, or mean_abs_rel where opposite halves cancel; an exact row that differs:
	 * infinite. Of a tensor rg_row_noise. */
	double size;
	double over;     /* score over the flag level: 1 and more needs a look */
	bool cancels;    /* opposite halves do: avg_rel_diff alone would hide the change */
	bool looked_at;  /* by rg_row_must_look, or because of what cancels */
	bool apart;      /* does not move with its cohort */
	double distance; /* from the cohort's median, in its robust deviations; 6 is apart */
} rg_story_row;

typedef enum {
	RG_COHORT_SAME,   /* no value differs */
	RG_COHORT_QUIET,  /* no golden at or over the level */
	RG_COHORT_LARGER, /* some at or over it; all that move with it are larger */
	RG_COHORT_SMALLER,
	RG_COHORT_MIXED,   /* in both directions */
	RG_COHORT_DIFFERS, /* counted: some differ */
} rg_cohort_kind;

/* Rows of one metric, stage and variant. */
typedef struct {
	const char *metric;
	rg_name_part stage, variant;
	rg_cohort_kind kind;
	/* Texts, tokens, ids and statuses: how many differ; the relative figures are NaN. */
	bool counted;
	bool of_models;          /* story.models has its rows: nothing is said of it as a cohort */
	size_t n, changed, over; /* goldens; whose values differ; at or over the flag level */
	size_t rows, rows_changed; /* with all members of families */
	size_t apart;              /* that do not move with it: low and high are without them */
	double median, low, high;  /* of avg_rel_diff */
	double mean_abs;           /* the median of mean_abs_rel */
	double errors;             /* the most standard errors; NaN: the files give none */
	bool cancels;              /* for half of the changed goldens or more */
	double flag;               /* the metric's flag level; NaN: it has none */
	const rg_story_row *worst;
} rg_cohort;

typedef enum {
	RG_SHAPE_METRIC_GONE,
	RG_SHAPE_STEPS_GONE,
	RG_SHAPE_NONFINITE, /* finite before */
	RG_SHAPE_OTHER,     /* another type, kind or shape */
	RG_SHAPE_METRIC_NEW,
	RG_SHAPE_STEPS_NEW,
	RG_SHAPES
} rg_shape_kind;

/* As many the bottom line names before it counts the others. */
enum { RG_STORY_SHAPES_NAMED = 2 };

/* One pattern of change in shape, and the goldens that have it. */
typedef struct {
	rg_shape_kind kind;
	const char *metric; /* or family */
	const char *steps;  /* "1", "2..50"; NULL: not known, or not about steps */
	bool by_record;     /* its steps are a table's records */
	bool was_nonfinite; /* RG_SHAPE_STEPS_GONE: none of these steps had a finite value */
	bool rest_equal;    /* all shared steps are equal */
	size_t goldens, of; /* that have it; whose new or old side has the metric */
	const rg_row *first;
	const char *text; /* "iteration-time: step 1 gone in 269 of 269 goldens, NaN before; …" */
} rg_shape_change;

typedef enum {
	RG_LINE_DONE,  /* what was done */
	RG_LINE_SHAPE, /* what came or went */
	RG_LINE_CHANGED,
	RG_LINE_CHECKS,   /* what the project's own checks say */
	RG_LINE_APART,    /* what stands out */
	RG_LINE_MEASURED, /* what was measured, and what only configured */
	RG_LINE_RUNS,     /* what several new runs say together */
	RG_LINE_NEXT,     /* what to do next */
	RG_LINES
} rg_line_kind;

typedef struct {
	const rg_summary *summary; /* borrowed */
	/* By what needs a look: apart, losses first, by falling distance; looked at, what fails a
	 * check with a tolerance first, then what fails, by falling score over level; then the
	 * others, by the same and by falling size. */
	rg_story_row *rows;
	size_t row_count, apart_count, looked_at_count; /* looked_at_count: without those apart */
	size_t unchanged;   /* rows of the comparison whose values do not differ */
	rg_cohort *cohorts; /* what needs a look first, then by metric, stage and variant */
	size_t cohort_count;
	rg_shape_change *shapes; /* by kind, then by falling goldens */
	size_t shape_count;
	rg_models models; /* tensors and programs; they are among the rows and cohorts, too */
	/* The bottom line: three to seven of them; NULL: nothing to say of this. */
	const char *lines[RG_LINES];
	rg_arena arena;
} rg_story;

/* Borrows the summary's comparison, policy, context and texts. `out` is released whatever comes
 * back. RG_E_NOMEM. */
RG_CHECKED rg_error *rg_story_make(rg_story *out, const rg_summary *summary);
void rg_story_release(rg_story *story);

/* "new is 21.7 % larger", "no clear change", "equal": of avg_rel_diff, which is positive where the
 * new side is smaller. */
void rg_story_say_shift(rg_buf *out, double avg_rel_diff);
/* "new is 2.0 to 2.8 % larger"; both of avg_rel_diff. */
void rg_story_say_range(rg_buf *out, double low, double high);
/* "1.91 % off step by step, in both directions": of mean_abs_rel, where these cancel. */
void rg_story_say_spread(rg_buf *out, double mean_abs_rel);
/* ", 2.5 standard errors at most": the most of any of them; nothing where the files give none. */
void rg_story_say_errors(rg_buf *out, const rg_cohort *cohorts, size_t count);
/* "2 goldens have records over their own tolerance"; nothing where none has. */
void rg_story_say_over(rg_buf *out, const rg_comparison *comparison);
/* "max_abs 0.25 at [1, 3], SNR 41.2 dB, 3.1 % of its elements differ" of a tensor, "int64 [] became
 * float32 [2]" of one of another type or shape. */
void rg_story_say_tensor(rg_buf *out, const rg_row *row);
/* "2 of 40 outputs differ, worst qnn/relu expected_output_0: max_abs 1 at [1], …; 1 of 20 inputs
 * differs"; nothing where no model does. */
void rg_story_say_models(rg_buf *out, const rg_models *models);
/* What one row says of its two sides: the shift or the spread, or "differs from position 3". */
void rg_story_say_row(rg_buf *out, const rg_row *row, bool cancels);
/* Three significant digits: "0.217", "1.2e-05", "12,300". */
void rg_story_add_figure(rg_buf *out, double value);

#endif
