/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_COMPARE_COMPARE_H
#define REGILD_COMPARE_COMPARE_H

#include "compare/policy.h"
#include "compare/row.h"

/*
 * Rows out of two goldens. A metric on both sides makes a row: over the steps on both sides with
 * finite values and |old| >= near-zero, avg_rel_diff = mean((old - new) / old), by Neumaier's sum
 * in ascending steps; a metric without such a step makes no row but a gap. Exact values always make
 * a row. Tables are aligned before (align.h). See row.h for all that a row holds.
 */

/* A comparison is all zero before the first file is added, and freed with release. */
void rg_comparison_init(rg_comparison *comparison);
void rg_comparison_release(rg_comparison *comparison);

/* How rows call a file. `old_file` NULL: the same as `file`. Copied. */
typedef struct {
	const char *file, *old_file;
} rg_file_name;

/*
 * Adds a file and its rows and gaps at the end. `policy` may be NULL: no levels, all steps.
 * Fails with what a metric's block function says (a file that cannot be read
 * to its end); then nothing was added.
 */
RG_CHECKED rg_error *rg_compare_goldens(rg_comparison *comparison, const rg_file_name *name,
					const rg_golden *old, const rg_golden *fresh,
					const rg_policy *policy);

/* Adds a file that was not compared. `why` (copied) is for RG_FILE_UNREADABLE, else NULL. */
void rg_comparison_add_file(rg_comparison *comparison, const rg_file_name *name,
			    rg_file_status status, const char *why);

/* Adds a golden that is on one side only; the other side is NULL, and both where nothing is known
 * of it. One that is new is checked (defects.h). */
RG_CHECKED rg_error *rg_comparison_add_alone(rg_comparison *comparison, const rg_file_name *name,
					     const rg_golden *old, const rg_golden *fresh,
					     rg_file_status status, const rg_policy *policy);

/* Joins `count` comparisons' files, in the order that `order` gives, into an empty one; the parts
 * are left empty. Used by the parallel driver. */
typedef struct {
	size_t part, file; /* parts[part].files[file] */
} rg_comparison_place;
void rg_comparison_join(rg_comparison *out, rg_comparison *parts, size_t part_count,
			const rg_comparison_place *order, size_t file_count);

/* One metric against one of a file, which only the policy needs: for previews ("which rows would
 * change most"). *is_row is false where no step counts. Texts in it borrow the metrics or lie in
 * `arena`. */
RG_CHECKED rg_error *rg_compare_metric(rg_row *row, bool *is_row, rg_arena *arena,
				       const rg_metric *old, const rg_metric *fresh,
				       const rg_policy *policy, const char *file);

/* Are there placeholders of the file that are not written any more? These are told. */
bool rg_comparison_dropped(const rg_comparison *comparison, const rg_file_outcome *file);

#endif
