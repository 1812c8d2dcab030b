/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_COMPARE_OPDIFF_ERRORS_H
#define REGILD_COMPARE_OPDIFF_ERRORS_H

#include "golden/opdiff.h"

/* The errors of opdiff results, those of one kind together, as in its own report. */

/* One kind on one backend. */
typedef struct {
	const char *backend;
	const char *group;     /* what its errors have in common, '*' for the rest; or one's line */
	size_t old, fresh;     /* errors on each side */
	const char *id, *text; /* one of them: of the new side where that has any */
} rg_opdiff_error_group;

typedef struct {
	rg_opdiff_error_group *items; /* by backend, then the most frequent first */
	size_t count;
	rg_arena arena;
} rg_opdiff_error_list;

/* `old` may be NULL. Each side's errors are of its `backend` alone, or with NULL of all. Borrows
 * the runs. `out` is released whatever comes back. */
void rg_opdiff_errors(rg_opdiff_error_list *out, const rg_opdiff_run *old,
		      const rg_opdiff_run *fresh, const char *old_backend, const char *new_backend);
void rg_opdiff_errors_release(rg_opdiff_error_list *list);

/* The group of an error; "" of one without any text. In the arena, or a constant. */
void rg_opdiff_error_kind(const char **out, rg_arena *arena, const char *text);

#endif
