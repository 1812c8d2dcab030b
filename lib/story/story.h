/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_STORY_STORY_H
#define REGILD_STORY_STORY_H

#include "compare/summary.h"
#include "story/checks.h"
#include "story/finding.h"
#include "story/golden_name.h"
#include "story/models.h"
#include "story/moved.h"
#include "story/review.h"
#include "story/summary.h"

/*
 * The content of a report, worked out once from the rows: findings that a reviewer has to decide
 * on, a table of what moved, and the order of all rows. There is no sentence in it; each writer
 * prints the same lists in its own way, and escapes what it prints.
 *
 *	rg_story_make(&story, &summary);
 *	… writers …
 *	rg_story_release(&story);
 */

/* The rows of one golden that people read as one: a metric's row, or the worst member of a family
 * of several ("layer*.weight"). Metrics that differ where no step has a relative figure are among
 * them: their row is one of the comparison's gaps. */
typedef struct {
	const rg_row *row;  /* the worst member */
	const char *family; /* by which rows are put together (story/golden_name.h) */
	const char *metric; /* the family's name if it has several members, else the metric's */
	rg_metric_class class_of;
	rg_test_name name; /* of the golden */
	bool of_model;     /* story.models has it */
	size_t members;    /* rows that it stands for */
	size_t changed;    /* of them, those whose values differ */
	size_t group;      /* rows of one metric, stage and variant have one number */
	size_t number;     /* among the families before they were sorted */
	rg_metric_policy policy;
	/* rg_row.moved, or mean_abs_rel where opposite halves cancel; infinite for a difference
	 * without a figure. Of a tensor rg_row_noise. */
	double size;
	double over;  /* score over the flag level: 1 and more needs review */
	bool cancels; /* opposite halves do: avg_rel_diff alone would hide the change */
	bool review;  /* by itself: rg_row_needs_review, what cancels or is finite again */
	/* An outlier does not move with the `others` rows of its group, or with `of_stage` of all
	 * variants of its stage, whose median is without this row. */
	bool outlier, of_stage;
	size_t others;
	size_t kin; /* rows of its metric or family, it among them */
	double others_median;
	double distance; /* from it, in robust deviations; 6 is an outlier */
	size_t line;     /* in story.moved, before that was sorted */
	bool in_review;  /* a finding has its change: what moved is summed up without it */
} rg_story_row;

/* Why a row needs review, as bits; a row may need it for another reason. */
enum {
	RG_MARK_OUTLIER = 1, /* of its group, or of what was measured */
	RG_MARK_CHECK = 2,   /* it fails a check of the project that has a tolerance */
	RG_MARK_LEVEL = 4,   /* at or over its flag level */
	RG_MARK_CANCELS = 8, /* opposite halves do */
	RG_MARK_LOST = 16,   /* values are gone or not finite */
	RG_MARKS = 5
};
extern const char *const rg_story_mark_names[RG_MARKS];

/* A row of the comparison, as the story has it, by its place there. */
typedef struct {
	size_t place; /* in the order of all rows, from 0 */
	rg_look look;
	unsigned marks;         /* RG_MARK_… */
	bool is_member;         /* of a family, and not the worst one */
	const rg_story_row *of; /* its family's */
	size_t metric;          /* its family's place in story.moved, from 0 */
	double over, size;      /* as a story's row has them */
} rg_story_place;

/* A command that can be typed next, and its purpose. */
typedef enum {
	RG_NEXT_FAILS, /* shows the rows that fail a check */
	RG_NEXT_CHECK, /* shows what the merge gate refuses */
	RG_NEXT_UNDO,
	RG_NEXT_KEEP,
	RG_NEXT_KINDS
} rg_next_kind;
typedef struct {
	rg_next_kind kind;
	const char *command;
} rg_next;

/* A golden that has another path on the new side. */
typedef struct {
	const char *old_file, *file;
} rg_story_rename;

/* Facts about all goldens that are no findings. */
typedef struct {
	size_t formatted;    /* same values, different formatting */
	size_t placeholders; /* no longer write NaN for steps without a value */
	size_t variants;     /* compared with an accepted variant */
	size_t shown;        /* compared goldens with a row or a gap that the filter keeps */
	size_t columns;      /* metrics, if all rows are of records; else 0 */
	size_t unshown;      /* same values, other differences that no row shows */
} rg_story_facts;

typedef struct {
	const rg_summary *summary; /* borrowed */
	/* Rows that break a gate, then those that need review; by class, then by falling score over
	 * the level, or distance in levels of an outlier, then by falling size. */
	rg_story_row *rows;
	size_t row_count;
	/* Each row of the comparison: what needs review, then the others, both as above; of a
	 * family the worst, then its other members. Terminal, page and curves have this order. */
	rg_story_place *places;
	size_t review;              /* of the rows, those that need it */
	size_t review_goldens;      /* goldens with such rows */
	size_t unchanged;           /* rows of the comparison whose values do not differ */
	size_t differing;           /* rows and gaps whose values do */
	rg_story_finding *findings; /* worst first */
	size_t finding_count;
	rg_story_reason *reasons; /* by kind */
	size_t reason_count;
	rg_story_check *checks;
	size_t check_count;
	rg_moved *moved; /* a line a metric, losses first, then by falling size */
	size_t moved_count;
	rg_story_facts facts;
	rg_story_rename *renames;
	size_t rename_count;
	rg_models models; /* tensors and programs; they are among the rows and findings, too */
	rg_next *next;
	size_t next_count;
	/* The call that lists all findings, and the one that lists all rows. */
	const char *review_command, *all_command;
	rg_test_names names; /* of its goldens */
	rg_arena arena;
} rg_story;

/* Borrows the summary's comparison, policy, context and texts. `out` is released whatever comes
 * back. */
RG_CHECKED rg_error *rg_story_make(rg_story *out, const rg_summary *summary);
void rg_story_release(rg_story *story);

/* A golden's name, which no other of the comparison has. */
const char *rg_story_name(const rg_story *story, const char *file);
/* The policy's flag level, or 1e-3 where it has none: what is no larger is not worth a word. */
double rg_story_level(const rg_metric_policy *policy);

#endif
