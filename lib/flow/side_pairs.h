/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_FLOW_SIDE_PAIRS_H
#define REGILD_FLOW_SIDE_PAIRS_H

#include "flow/comparison.h"
#include "flow/context.h"
#include "place/sides.h"
#include "source/manifest.h"

/*
 * The sides that a flow compares:
 *
 *	rg_flow_find_sides(&rules->sides, flow, &options);
 *	rg_side_pairs_find(&pairs, flow, …);		each side is opened, listed and paired
 *	… pairs.pairs …
 *	err = rg_side_pairs_release(&pairs, err);	whatever came back
 */

/* rg_sides_find, with what a flow knows. */
RG_CHECKED rg_error *rg_flow_find_sides(rg_sides *out, const rg_flow *flow,
					const rg_side_options *options);

/* A side of a comparison that is not in git, as a place. A run is downloaded into a temporary
 * folder, which goes with the release. */
typedef struct {
	rg_place place;
	bool is_staging; /* the manifest says where its goldens belong */
	rg_manifest manifest;
	rg_selection refused; /* of an archive's members */
	bool missing;         /* goldens of it are, as the log has heard */
	const char *label;    /* what it is called; NULL: as the user named it */
	char *scratch;        /* NULL: nothing is temporary */
} rg_staged_side;

void rg_staged_side_init(rg_staged_side *side);
/* Opens a path, an archive, a run or a branch's latest run, and does not list it. `artifacts`: a
 * path or archive holds what jobs left, and is read as --from reads it. The options say which
 * source runs are of. `out` was initialised, and is released whatever comes back. */
RG_CHECKED rg_error *rg_side_stage(rg_staged_side *out, const rg_flow *flow,
				   const rg_side_name *name, const rg_compare_options *options,
				   bool artifacts);

/* Takes `err` and returns it, or what went wrong with removing what is temporary. What is left is
 * initialised. */
RG_CHECKED rg_error *rg_staged_side_release(rg_staged_side *side, rg_error *err);

/* The pairs of goldens that two sides make, wherever these are. */
typedef struct {
	rg_staged_side old, fresh;
	rg_change_list changes; /* of RG_SIDES_IN_GIT */
	rg_place_pairs pairs;
	char *name; /* of two files: "OLDNAME vs NEWNAME" */
} rg_side_pairs;

/*
 * Finds those that the filter does not leave out:
 *
 * - in git: what differs;
 * - two files; or the files of two folders or archives, by their paths in them. What counts are
 *   those that regild.files takes in either; where it takes nothing, and is the default, what
 *   begins like a golden;
 * - else goldens that belong into one repository, by where they do. What a side in git, a checkout
 *   or a copy of one has and the other side lacks counts as new or removed; but a run, or the
 *   folder or archive of one, lacks much, and is compared by what it has.
 *
 * Folders and archives of which no golden has a partner hold artifacts, and are read as such. The
 * rules' sides and the result's labels, run and `missing` are filled in. RG_E_NOTFOUND where there
 * is nothing to compare. `out` is released whatever comes back, with what went wrong before that.
 */
RG_CHECKED rg_error *rg_side_pairs_find(rg_side_pairs *out, const rg_flow *flow,
					const rg_compare_options *options, rg_compare_rules *rules,
					rg_compare_result *result);
RG_CHECKED rg_error *rg_side_pairs_release(rg_side_pairs *pairs, rg_error *err);

#endif
