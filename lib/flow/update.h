/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_FLOW_UPDATE_H
#define REGILD_FLOW_UPDATE_H

#include "base/optional.h"
#include "flow/context.h"
#include "flow/settings.h"
#include "story/summary.h"
#include "update/plan.h"
#include "update/ratchet.h"
#include "update/siblings.h"

/*
 * Staged goldens into the working tree. First rg_update_make_plan, which changes nothing; a person
 * may then look at the plan and leave items out of it; then rg_update_apply; then
 * rg_update_release, in any case.
 */

typedef struct {
	bool dry_run;
	bool stage;
	rg_texts only, except; /* globs on tests, files or metrics */
	rg_texts metrics;      /* not empty: splice only these into the old files */
	rg_texts allow;        /* the names of guards that can be */
	rg_texts only_better;  /* not empty: only goldens in which one of these metrics is better */
	bool tighten;          /* only goldens in which no metric is worse and one better */
	/* If the caller has them already. NULL: by the configuration, and the folder's own. */
	const rg_policy *policy;
	const rg_golden_options *formats;
	rg_manifest *manifest;
	/* As rg_plan_options has them; not called where a person or pattern leaves goldens out. */
	rg_error *(*compared)(void *context, rg_comparison *comparison, const rg_golden *old,
			      const rg_golden *fresh);
	void *compared_context;
} rg_update_options;

typedef struct {
	rg_plan plan;
	size_t not_better; /* goldens that only_better or tighten leave out */
	/* By rg_update_apply; with dry_run, what would become of each golden. */
	rg_refresh refresh;
	rg_texts paths;       /* of the updated and created goldens, from the repository's root */
	bool changed;         /* files in the tree were */
	bool staged;          /* `paths` are in the index, too */
	rg_texts hidden;      /* of `paths`: those that git ignores */
	rg_siblings siblings; /* goldens beside updated ones that were not refreshed */
	rg_siblings gone;     /* and those that the run no longer makes */
	/* The note of HEAD's history on the run's commit: "is not in …"; NULL: it has it. */
	const char *commit_note;
	/* Why a part is missing, the goldens being in the tree. */
	rg_error *missed[4];
	size_t missed_count;

	/* The plan borrows these. */
	const rg_update_options *options;
	const char *folder;
	rg_journal *journal;
	rg_manifest loaded, *manifest; /* the one that counts */
	rg_plan_options plan_options;
	rg_policy *policy;
	rg_formats formats;
} rg_update;

/* RG_E_USAGE if the options are known to be wrong before anything is staged; *allowed gets the
 * guards (RG_GUARD_*) that they let through. */
RG_CHECKED rg_error *rg_update_check(const rg_update_options *options, unsigned *allowed);

void rg_update_init(rg_update *update);
/* Plans what the staging folder `folder` (with a manifest.json) does to the working tree, which is
 * locked but for a dry run. `out` is initialised, borrows options and folder, and is not moved. */
RG_CHECKED rg_error *rg_update_make_plan(rg_update *out, const rg_flow *flow,
					 const rg_update_options *options, const char *folder);
/* Lets the lock go, too. On an error nothing was changed, or the message says how to recover. */
RG_CHECKED rg_error *rg_update_apply(rg_update *update, const rg_flow *flow);
void rg_update_release(rg_update *update);

#endif
