/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_COMPARE_COMPARE_PAIRS_H
#define REGILD_COMPARE_COMPARE_PAIRS_H

#include "compare/compare.h"

/*
 * Compares many pairs of goldens on all cores. Rows and files come out in the order of the pairs,
 * whatever finished first. Each worker holds one pair's bytes at a time, so memory is bounded by
 * the largest pair times the workers, beside the rows.
 */

/* The caller's load fills this in, all zero before; it is valid until the worker's next load. */
typedef struct {
	rg_file_name name;
	/* RG_FILE_COMPARED (0): both sides are read and compared. RG_FILE_NEW: `new_side`, where it
	 * has a name, is read to see whether it can be. RG_FILE_REMOVED: `old_side`, where it has
	 * one, is read for what it was; it need not be readable. */
	rg_file_status status;
	rg_input old_side, new_side; /* name: what formats bid on */
	const char *old_label,
		*new_label; /* in messages: "HEAD", "working tree"; NULL: "old side" … */
	bool leave_out;     /* load found that there is nothing to compare: no file comes of it */
	bool has_nonfinite; /* of a new golden that is not read: rg_golden_has_nonfinite */
	bool is_known;      /* it is the source's known->files[known_file]: nothing is read */
	size_t known_file;
} rg_pair;

/*
 * Loads pair `index` on worker `worker` (0 … workers - 1; one call at a time per worker, so state
 * by worker needs no lock). An error makes that file RG_FILE_UNREADABLE with its message (name must
 * be set anyway), but RG_E_CANCELLED and RG_E_USAGE stop the whole.
 */
typedef rg_error *rg_pair_load_fn(void *context, size_t worker, size_t index, rg_pair *pair);

typedef struct {
	size_t count;
	size_t workers; /* from rg_workers_for, or 1 */
	rg_pair_load_fn *load;
	void *context;
	const rg_policy *policy;              /* may be NULL */
	const rg_golden_options *options;     /* may be NULL */
	const rg_golden_options *new_options; /* of the new side; NULL: the same */
	/* Looks at the file that was added to the comparison last, while its sides are at hand (one
	 * is NULL where the golden is new or removed, and both where it was not read);
	 * several workers call it at once, each with a comparison of its own. May be NULL. */
	rg_error *(*compared)(void *context, size_t worker, rg_comparison *comparison,
			      const rg_golden *old, const rg_golden *fresh);
	rg_comparison *known; /* pairs that were compared before; it is emptied. May be NULL */
} rg_pair_source;

/* Into an initialised, empty comparison. Asks rg_cancelled between pairs. */
RG_CHECKED rg_error *rg_compare_pairs(rg_comparison *out, const rg_pair_source *source);

#endif
