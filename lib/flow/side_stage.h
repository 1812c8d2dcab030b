/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_FLOW_SIDE_STAGE_H
#define REGILD_FLOW_SIDE_STAGE_H

#include "flow/context.h"
#include "flow/side.h"
#include "place/place.h"
#include "source/manifest.h"

/* A side of a comparison that is not in git, as a place. A run is downloaded into a temporary
 * folder, which goes with the release. */
typedef struct {
	rg_place place;
	bool is_staging; /* the manifest says where its goldens belong */
	rg_manifest manifest;
	bool missing;  /* goldens of it are, as the log has heard */
	char *label;   /* what it is called; NULL: as the user named it */
	char *scratch; /* NULL: nothing is temporary */
} rg_staged_side;

typedef struct {
	/* Of runs; NULL: what URLs and settings say. As rg_source_options has them. */
	const char *repository, *source;
	const char *workflow; /* of a branch's runs; NULL: regild.workflow, else any */
	bool artifacts;       /* a path or archive holds what jobs left: as --from takes it */
} rg_stage_options;

void rg_staged_side_init(rg_staged_side *side);
/* Of a path, an archive, a run or a branch's latest run: opened, and not listed. `out` was
 * initialised, and is released whatever comes back. */
RG_CHECKED rg_error *rg_side_stage(rg_staged_side *out, const rg_flow *flow,
				   const rg_side_name *name, const rg_stage_options *options);

/* Takes `err` and returns it, or what went wrong with removing what is temporary. What is left is
 * initialised. */
RG_CHECKED rg_error *rg_staged_side_release(rg_staged_side *side, rg_error *err);

#endif
