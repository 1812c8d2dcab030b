/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_COMPARE_CHECKS_APPLY_H
#define REGILD_COMPARE_CHECKS_APPLY_H

#include "compare/checks.h"
#include "compare/row.h"

/* Applies the project's checks to a golden that was compared, and counts what came of them. */

/* Asks what a file beside the golden says; both calls may fail with what is wrong with the file. */
typedef struct {
	/* Is the setting 1? */
	rg_error *(*is_one)(void *context, const rg_checks_setting *setting, bool *out);
	/* The names of a list, borrowed until the next call; *names is NULL where there is none. */
	rg_error *(*list)(void *context, const rg_checks_setting *setting,
			  const char *const **names, size_t *count);
	void *context;
} rg_checks_beside;

/*
 * Fills in the fields about checks of the file that was added to the comparison last, and of its
 * rows and gaps. A fault of a file beside the golden becomes the file's `unchecked_why`. Fails with
 * RG_E_CANCELLED or the error of a block function.
 */
RG_CHECKED rg_error *rg_checks_apply(const rg_checks *checks, rg_comparison *comparison,
				     const rg_golden *old, const rg_golden *fresh,
				     const rg_checks_beside *beside);

/*
 * Which metrics of a golden, by their places, a check looks at, without looking at them: *applies
 * has room for golden->count. *any is false where it is left out of this golden as a whole.
 */
RG_CHECKED rg_error *rg_checks_select(const rg_checks_check *check, const rg_golden *golden,
				      const rg_checks_beside *beside, bool *applies, bool *any);

/* Goldens by what a check says of them: of `applied`, so many fail; beside them, those that could
 * not be checked. */
typedef struct {
	size_t applied, fails, unchecked;
} rg_checks_count;
rg_checks_count rg_checks_count_goldens(const rg_comparison *comparison, size_t check);

#endif
