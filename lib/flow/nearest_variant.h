/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_FLOW_NEAREST_VARIANT_H
#define REGILD_FLOW_NEAREST_VARIANT_H

#include "compare/compare_pairs.h"
#include "place/place.h"

/* Finds the one of a golden and its variants that new values are compared with; a worker has one.
 */
typedef struct {
	const char *name; /* of the last pair's nearest; NULL: the golden itself */
	const rg_place *side;
	rg_worktree **worktree;
	rg_place folder; /* the variants in the folder that was looked at last … */
	char *tree, *path;
	rg_place_reader reader;
	rg_arena arena; /* of the pair at hand */
} rg_nearest_variant;

typedef struct {
	const char *text; /* rg_config_variants */
	const rg_policy *policy;
	const rg_golden_options *old_options, *new_options;
} rg_variant_rules;

/* `side` is the old side, a folder or in git; both are borrowed. */
void rg_nearest_variant_init(rg_nearest_variant *out, const rg_place *side, rg_worktree **worktree,
			     size_t max);
void rg_nearest_variant_release(rg_nearest_variant *nearest);

/* Makes the pair's old side the variant of `old` that is nearer to the new side than the golden
 * and all others, if there is one: the same bytes, else by rg_distance_is_less. What cannot be read
 * is not the nearest. */
RG_CHECKED rg_error *rg_nearest_variant_find(rg_nearest_variant *nearest,
					     const rg_variant_rules *rules,
					     const rg_place_file *old, rg_pair *pair);

#endif
