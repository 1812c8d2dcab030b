#ifndef REGILD_COMPARE_PARALLEL_H
#define REGILD_COMPARE_PARALLEL_H

#include "compare/compare.h"

/*
 * Compares many pairs of goldens on all cores. Rows and files come out in the order of the pairs,
 * whatever finished first. Each worker holds one pair's bytes at a time, so memory is bounded by
 * the largest pair times the workers, beside the rows.
 */

/* What the caller's load fills in, valid until the worker's next load. All zero before. */
typedef struct {
	rg_file_name name;
	/* RG_FILE_COMPARED (0): both sides are read and compared. RG_FILE_NEW: `new_side`, where it
	 * has a name, is read to see whether it can be. RG_FILE_REMOVED: nothing is read. */
	rg_file_status status;
	rg_input old_side, new_side; /* name: what formats bid on */
	const char *old_label,
		*new_label; /* in messages: "HEAD", "working tree"; NULL: "old side" … */
	bool leave_out;     /* load found that there is nothing to compare: no file comes of it */
} rg_pair;

/*
 * Loads pair `index` on worker `worker` (0 … workers - 1; one call at a time per worker, so state
 * by worker needs no lock). An error makes that file RG_FILE_UNREADABLE with its message (name must
 * be set all the same), but RG_E_NOMEM, RG_E_CANCELLED and RG_E_USAGE stop the whole.
 */
typedef rg_error *rg_pair_load_fn(void *context, size_t worker, size_t index, rg_pair *pair);

typedef struct {
	size_t count;
	size_t workers; /* from rg_compare_workers, or 1 */
	rg_pair_load_fn *load;
	void *context;
	const rg_policy *policy;              /* may be NULL */
	const rg_golden_options *options;     /* may be NULL */
	const rg_golden_options *new_options; /* of the new side; NULL: the same */
	/* Fills in the verdicts of the file that was added to the comparison last, while its new
	 * side is at hand; several workers call it at once, each with a comparison of its own.
	 * NULL: rows have no verdict. */
	rg_error *(*judge)(void *judge_context, rg_comparison *comparison, const rg_golden *new);
	void *judge_context;
} rg_pair_source;

/* How many workers are worth it for `count` pairs on this machine: at least 1, at most 16. */
size_t rg_compare_workers(size_t count);

/* Into an initialised, empty comparison. Asks rg_cancelled between pairs. */
RG_CHECKED rg_error *rg_compare_pairs(rg_comparison *out, const rg_pair_source *source);

#endif
