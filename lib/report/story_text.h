/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_REPORT_STORY_TEXT_H
#define REGILD_REPORT_STORY_TEXT_H

#include "report/review.h"
#include "report/story.h"
#include "report/summary.h"
#include "report/table.h"

/* The story for a terminal. Names are made safe to show. */

/* What was lost, then what else changed in shape: a line for each pattern that repeats. */
void rg_story_shapes_text(rg_buf *out, const rg_story *story, const rg_table_style *style);
/* A table of the groups that moved, differ or have rows apart, and how many are not shown. */
RG_CHECKED rg_error *rg_story_groups_text(rg_buf *out, const rg_story *story,
					  const rg_table_style *style);
/* The bottom line, wrapped at words where the style has a width; with colours, what stands out is
 * bold. */
void rg_story_lines_text(rg_buf *out, const rg_story *story, const rg_table_style *style);

/*
 * Appends the goldens that need a look as workflow commands of GitHub (report/workflow_command.h),
 * one a line, worst first, RG_ANNOTATIONS_MAX at most: an error where a fail level is reached, else
 * a warning. `in_repository`: files are named by their paths from its root.
 */
RG_CHECKED rg_error *rg_annotations_add(rg_buf *out, const rg_story *story, bool in_repository);

/* Which rows the terminal's table has, and how many more there are. They are in the story's order,
 * what needs a look first, or in the order that is asked for. */

typedef struct {
	rg_row_kind kind;    /* exact rows are a table of their own */
	bool sized;          /* whatever the kind: all rows with a size, as the page has them */
	bool without_models; /* whose rows are tables of their own */
	double threshold;    /* of rg_row_size, for series rows */
	/* So many at most, a family's worst member for the family; 0: all, with those that did not
	 * change. */
	size_t top;
	const char *sort; /* a column (rg_rows_sort), or NULL */
	const rg_story *story;
} rg_shown_options;

typedef struct {
	const rg_row **rows;
	rg_look *looks; /* of each of them, as the story has it */
	size_t count;
	size_t more, unchanged; /* that are not shown; under the threshold is neither */
} rg_shown_rows;

/* `out` is released whatever comes back. RG_E_USAGE for a column that is none. */
RG_CHECKED rg_error *rg_shown_rows_find(rg_shown_rows *out, const rg_shown_options *options);
void rg_shown_rows_release(rg_shown_rows *shown);

/* Appends "638 more; 96 unchanged; --top 0 shows all" and a line's end, as far as it is so. */
void rg_shown_rows_say_rest(rg_buf *out, const rg_shown_rows *shown);

/* The heading of a table of exact rows that differ: "2 of 9 texts and token lists differ:". */
void rg_shown_rows_say_exact(rg_buf *out, const rg_shown_rows *shown,
			     const rg_shown_options *options);
/* Its columns: tables' texts say what changed to what. */
const char *rg_shown_rows_exact_columns(const rg_shown_rows *shown);

/* The trailers that say where goldens are from; 'regild blame' reads them again. */
#define RG_TRAILER_RUN     "Regild-Run"
#define RG_TRAILER_ATTEMPT "Regild-Attempt"
#define RG_TRAILER_COMMIT  "Regild-Commit"
#define RG_TRAILER_SCOPE   "Regild-Scope"
#define RG_TRAILER_FROM    "Regild-From"

/*
 * Adds the message of the commit that a refresh leads to: a subject, each line as an item of a list
 * (NULL: left out), folded at 72 columns, and the trailers. Adds nothing where no golden that
 * differs is the run's.
 */
RG_CHECKED rg_error *rg_commit_message_add(rg_buf *out, const rg_summary *summary,
					   const char *const *lines, size_t line_count);

#endif
