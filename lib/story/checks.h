/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_STORY_CHECKS_H
#define REGILD_STORY_CHECKS_H

#include "base/fields.h"
#include "base/memory.h"
#include "compare/row.h"

#include <stdbool.h>
#include <stddef.h>

/* The project's own checks, and the goldens that pass each. */

typedef struct {
	const char *metric;
	size_t goldens; /* in which it fails */
} rg_story_failure;

typedef struct {
	const char *name;
	bool exact; /* it has no tolerance */
	size_t goldens, passes, fails, unchecked;
	rg_story_failure *failures; /* by falling goldens */
	size_t failure_count;
} rg_story_check;

/* Those that look at a golden: with a tolerance first, in the order of their sections. Texts and
 * lists are in the arena, or the comparison's. */
void rg_story_checks_make(rg_story_check **out, size_t *count, rg_arena *arena,
			  const rg_comparison *comparison);

/* Their keys in JSON. */
extern const rg_json_field rg_story_check_fields[], rg_story_failure_fields[];

#endif
