/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_REPORT_STORY_H
#define REGILD_REPORT_STORY_H

#include "compare/summary.h"
#include "report/models.h"
#include "report/review.h"
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

/* What rows are sorted by first. */
typedef enum {
	RG_TIER_BROKEN, /* a gate fails, or what is no time and no memory is lost or not finite */
	RG_TIER_LOOK,   /* another reason to look */
	RG_TIER_REST,
} rg_tier;

enum { RG_SHIFT_NONFINITE, RG_SHIFT_LOST, RG_SHIFT_REPAIRED, RG_SHIFT_COUNTS };

/* Over rows whose values differ; NaN: none of them has a figure. */
typedef struct {
	double low, high;   /* of rg_row_typical, for words */
	double least, most; /* of avg_rel_diff, for documents */
	/* Of times: there are some; how many have a mean that says something else than their
	 * median (rg_row_mean_differs), or is mostly one step's; these means, for words. */
	bool typical;
	size_t disputed, one_step;
	double mean_low, mean_high;
	double jitter; /* the largest mean_abs_rel of those in which opposite halves cancel */
	size_t larger, smaller;
	size_t counts[RG_SHIFT_COUNTS]; /* rows that are not finite any more, and so on */
} rg_story_shift;
#define RG_STORY_NO_SHIFT                                                          \
	{                                                                          \
		.low = NAN, .high = NAN, .least = NAN, .most = NAN, .jitter = NAN, \
		.mean_low = NAN, .mean_high = NAN                                  \
	}

/* The rows of one golden that people read as one: a metric's row, or the worst member of a family
 * of several ("layer*.weight"). Metrics that differ where no step has a relative figure are among
 * them: their row is one of the comparison's gaps. */
typedef struct {
	const rg_row *row;  /* the worst member */
	const char *family; /* what rows are put together by (report/test_name.h) */
	const char *metric; /* the family's name where it has several members, else the metric's */
	rg_metric_class class_of;
	rg_test_name name;    /* of the golden */
	bool of_model;        /* story.models has it */
	size_t members;       /* rows that it is about */
	size_t changed;       /* of them, those whose values differ */
	rg_story_shift shift; /* of these */
	size_t group;         /* its place in story.groups */
	size_t number;        /* among them before they were sorted */
	rg_metric_policy policy;
	/* |avg_rel_diff|, or mean_abs_rel where opposite halves cancel; what differs without a
	 * figure: infinite. Of a tensor rg_row_noise. */
	double size;
	double over;    /* score over the flag level: 1 and more needs a look */
	bool cancels;   /* opposite halves do: avg_rel_diff alone would hide the change */
	bool looked_at; /* by rg_row_must_look, or because of what cancels or is finite again */
	rg_tier tier;
	/* Does it not move with the others? These are `others` rows of its group, or with
	 * `of_stage` of all variants of its stage, whose median is without this row. */
	bool apart, of_stage;
	size_t others;
	double others_median;
	double distance; /* from it, in robust deviations; 6 is apart */
} rg_story_row;

typedef enum {
	RG_GROUP_SAME,   /* no value differs */
	RG_GROUP_QUIET,  /* no golden needs a look */
	RG_GROUP_LARGER, /* some do; all that have a figure are larger */
	RG_GROUP_SMALLER,
	RG_GROUP_MIXED,   /* in both directions */
	RG_GROUP_DIFFERS, /* counted: some differ */
} rg_group_kind;

/* Why a row is worth a look, as bits; a row may be worth one for another reason. */
enum {
	RG_MARK_APART = 1,   /* it stands out of its group, or from what was measured */
	RG_MARK_CHECK = 2,   /* it fails one of the project's checks, whose tolerance may be 0 */
	RG_MARK_LEVEL = 4,   /* at or over its level */
	RG_MARK_CANCELS = 8, /* opposite halves do */
	RG_MARK_LOST = 16,   /* values are gone or not finite */
	RG_MARKS = 5
};
extern const char *const rg_story_mark_names[RG_MARKS];

/* What the story has of a row of the comparison, by its place there. */
typedef struct {
	size_t place; /* in the order of all rows, from 0 */
	rg_look look;
	unsigned marks;         /* RG_MARK_… */
	bool is_member;         /* of a family, and not the worst one */
	const rg_story_row *of; /* its family's */
	double over, size;      /* as a story's row has them */
} rg_story_place;

/* Rows of one metric, stage and variant. */
typedef struct {
	const char *family, *metric; /* as the rows have them */
	rg_metric_class class_of;
	rg_name_part stage, variant;
	rg_group_kind kind;
	rg_tier tier; /* of the first of its rows */
	/* Texts, tokens, ids and statuses: how many differ; the relative figures are NaN. */
	bool counted;
	bool of_models;            /* story.models has its rows: nothing is said of it as a group */
	size_t n, changed, over;   /* goldens; whose values differ; that need a look */
	size_t rows, rows_changed; /* with all members of families */
	size_t looks;              /* of rows: those that are marked, and gaps that need a look */
	size_t card;               /* its place in story.cards */
	size_t apart;
	rg_story_shift shift;        /* of all that changed, apart or not */
	double median;               /* of avg_rel_diff */
	double errors;               /* the most standard errors; NaN: the files give none */
	double flag;                 /* the metric's flag level; NaN: it has none */
	const rg_story_row *worst;   /* not finite, then lost, then by |avg_rel_diff| */
	const rg_story_row *jitters; /* the most; NULL: none cancels */
} rg_group;

typedef enum {
	RG_SHAPE_NONFINITE, /* otherwise before */
	RG_SHAPE_METRIC_GONE,
	RG_SHAPE_STEPS_GONE,
	RG_SHAPE_OTHER,  /* another type, kind or shape */
	RG_SHAPE_FINITE, /* not finite before */
	RG_SHAPE_METRIC_NEW,
	RG_SHAPE_STEPS_NEW,
	RG_SHAPE_DROPPED, /* placeholders, of all metrics */
	RG_SHAPES
} rg_shape_kind;

/* As many the bottom line names before it counts the others. */
enum { RG_STORY_SHAPES_NAMED = 3 };

/* One pattern of change in shape, and the goldens that have it. */
typedef struct {
	rg_shape_kind kind;
	const char *metric; /* or family; of several "lm loss, num-zeros and 3 more metrics" */
	size_t metrics;
	const char *steps;  /* "1", "2..50"; NULL: not known, or not about steps */
	bool by_record;     /* its steps are a table's records */
	bool rest_equal;    /* all shared steps are equal */
	bool ends;          /* nothing finite comes any more after a step */
	size_t goldens, of; /* that have it; whose new or old side has the metric */
	size_t others;      /* goldens beside the first */
	const rg_row *first;
	const char *name; /* what people call its golden */
	const char *text; /* "iteration-time: step 1 gone in 269 of 269 goldens, NaN before; …" */
} rg_shape_change;

typedef enum {
	RG_LINE_ANSWER,    /* noise, changed, or it cannot be told */
	RG_LINE_DONE,      /* what was done */
	RG_LINE_LOSSES,    /* moved or not */
	RG_LINE_SHAPE,     /* what came, went, or is not finite any more or again */
	RG_LINE_FROM_ZERO, /* what was 0 and is not */
	RG_LINE_APART,     /* what stands out */
	RG_LINE_CHANGED,   /* what else moved */
	RG_LINE_LAYOUT,    /* goldens of which only the formatting differs */
	RG_LINE_UNSHOWN,   /* goldens that differ in what no row shows */
	RG_LINE_VARIANTS,  /* goldens whose rows are of a variant */
	RG_LINE_CHECKS,    /* what the project's own checks say */
	RG_LINE_MEASURED,  /* what was measured, and what only configured */
	RG_LINE_RUNS,      /* what several new runs say together */
	RG_LINE_NEXT,      /* what to do next */
	RG_LINES
} rg_line_kind;

/* What the first screen answers, a few words each. */
typedef enum { RG_HEAD_GOOD, RG_HEAD_QUIET, RG_HEAD_LOOK, RG_HEAD_BAD } rg_head_kind;
typedef struct {
	rg_head_kind kind;
	const char *text; /* "look at 26 of 631 rows" */
} rg_head;

/* A metric, or family, of all goldens; losses first, then what has rows to look at. */
typedef struct {
	const char *name;
	const char *only; /* the metric, if there is no other of its family; else NULL */
	rg_metric_class class_of;
	size_t n, changed; /* goldens; whose values differ */
	size_t looks;      /* rows that need a look */
	const rg_story_row *worst;
	const char *says; /* what moved, in words */
} rg_card;

typedef struct {
	const rg_summary *summary; /* borrowed */
	/* What breaks a gate, then what needs a look; by class, tier, then by falling score over
	 * the level, or distance in levels of what is apart, then by falling size. */
	rg_story_row *rows;
	size_t row_count, apart_count, looked_at_count; /* looked_at_count: without those apart */
	/* Each row of the comparison: what needs a look, then the others, both as above; of a
	 * family the worst, then its other members. Terminal, page and curves have this order. */
	rg_story_place *places;
	size_t looks;     /* of them, those that need one */
	size_t unchanged; /* rows of the comparison whose values do not differ */
	size_t differing; /* rows and gaps whose values do */
	rg_group *groups; /* what needs a look first; by class, tier, metric, stage and variant */
	size_t group_count;
	rg_shape_change *shapes; /* by kind, then by falling goldens */
	size_t shape_count;
	rg_models models; /* tensors and programs; they are among the rows and groups, too */
	const char *failing_check; /* with a tolerance, in most goldens; NULL: none */
	/* The bottom line: three to ten of them; NULL: nothing to say of this. */
	const char *lines[RG_LINES];
	rg_head *heads;
	size_t head_count;
	rg_card *cards; /* not of tensors and programs */
	size_t card_count;
	rg_test_names names; /* of its goldens */
	rg_arena arena;
} rg_story;

/* Borrows the summary's comparison, policy, context and texts. `out` is released whatever comes
 * back. */
RG_CHECKED rg_error *rg_story_make(rg_story *out, const rg_summary *summary);
void rg_story_release(rg_story *story);

/* What a golden is called, as no other of the comparison is. */
void rg_story_name_add(rg_buf *out, const rg_story *story, const char *file);

/* "new is 21.7 % larger", "no clear change", "equal": of avg_rel_diff, which is positive where the
 * new side is smaller. */
void rg_story_say_shift(rg_buf *out, double avg_rel_diff);
/* "new is 2.0 to 2.8 % larger"; both of avg_rel_diff. */
void rg_story_say_range(rg_buf *out, double low, double high);
/* Of times, what their means say where it is something else: ", on average 12.9 % larger, most of
 * it at step 1"; nothing where it is not. `step` is where it is one row's. */
void rg_story_say_means(rg_buf *out, const rg_story_shift *shift, size_t of, const int64_t *step);
/* "2 of 5 not finite", then the range of a shift; ", jitters by up to 0.44 % a step" where that is
 * larger than its farther end, and without the range where this is under the level and 0.1 %:
 * "jitters by 0.44 % a step, no shift". `of` is how many goldens it is of. */
void rg_story_say_moved(rg_buf *out, const rg_story_shift *shift, double level, size_t of);
/* Is there one to say, beyond what is lost or not finite? */
bool rg_story_has_range(const rg_story_shift *shift);
/* "2.89 to 3.12 %", of which neither is negative; one figure where both read alike. */
void rg_story_say_percents(rg_buf *out, double from, double to);
/* "0.0073 %": rounded up to two digits, so that all is within it. */
void rg_story_say_within(rg_buf *out, double share);
/* What moved, "2 of 40 differ" of what is counted, or what its worst row says where none has a
 * figure; with `in`, in how many goldens. */
void rg_story_say_group(rg_buf *out, const rg_group *group, bool in);
/* ", 2.5 standard errors at most": the most of any of them; nothing where the files give none. */
/* "2 of 5 not finite, 1 of 5 finite again"; nothing where there is nothing of that. */
void rg_story_say_counts(rg_buf *out, const rg_story_shift *shift, size_t of);
void rg_story_say_errors(rg_buf *out, const rg_group *const *groups, size_t count);
/* "2 goldens have records over their own tolerance"; nothing where none has. */
void rg_story_say_over(rg_buf *out, const rg_comparison *comparison);
/* "max_abs 0.25 at [1, 3], SNR 41.2 dB, 3.1 % of its elements differ" of a tensor, "int64 [] became
 * float32 [2]" of one of another type or shape. */
void rg_story_say_tensor(rg_buf *out, const rg_row *row);
/* "2 of 40 outputs differ, worst qnn/relu expected_output_0: max_abs 1 at [1], …; 1 of 20 inputs
 * differs"; nothing where no model does. */
void rg_story_say_models(rg_buf *out, const rg_models *models);
/* What one row says of its two sides: what moved, "from zero: 0 to 4", or "differs from position
 * 3". */
void rg_story_say_row(rg_buf *out, const rg_row *row, const rg_metric_policy *policy);
/* "new is 21.7 % larger (the median of the 10 others of its group: new is 3.05 % smaller)" */
void rg_story_say_apart(rg_buf *out, const rg_story_row *row);
/* What it says, or rg_story_say_apart, and why it needs a look: "… (flag level 0.01)". */
void rg_story_say_with_reason(rg_buf *out, const rg_story_row *row);
/* Why a row needs a look: "stands out, over its level: new is 5 % larger (flag level 0.01)";
 * nothing where it needs none. */
void rg_story_say_why(rg_buf *out, const rg_story *story, const rg_row *row);
/* The command that shows the comparison again, with what a --filter keeps where `filter` is given,
 * and with `options` at its end. */
void rg_story_say_command(rg_buf *out, const rg_summary *summary, const char *filter,
			  const char *options);
/* Three significant digits: "0.217", "1.2e-05", "12,300". */
void rg_story_add_figure(rg_buf *out, double value);

#endif
