/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_REPORT_SHOWN_ROWS_H
#define REGILD_REPORT_SHOWN_ROWS_H

#include "story/story.h"

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
	bool review;      /* only those that need it */
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

#endif
