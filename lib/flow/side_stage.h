/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_FLOW_SIDE_STAGE_H
#define REGILD_FLOW_SIDE_STAGE_H

#include "archive/zip_files.h"
#include "flow/context.h"
#include "flow/file_pairs.h"
#include "flow/side.h"
#include "source/manifest.h"

/*
 * A side of a comparison that is not in git, as a folder: a path is one already, a run is
 * downloaded and a tar unpacked into a temporary one, which goes with the release. A zip is read
 * where it is.
 */
typedef struct {
	char *folder;      /* the paths of its files begin there; ends in '/' */
	rg_zip_files *zip; /* a zip's files, which are not in the folder; NULL for other sides */
	bool is_staging;   /* the manifest says where its goldens belong */
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

/* Of a path, an archive, a run or a branch's latest run. `out` is released whatever comes back. */
RG_CHECKED rg_error *rg_side_stage(rg_staged_side *out, const rg_flow *flow,
				   const rg_side_name *name, const rg_stage_options *options);
/* Are two folders what two runs left, as `gh run download` lays it out? All goldens are in folders
 * that are called as artifacts are, and none is in both. */
RG_CHECKED rg_error *rg_sides_are_artifacts(bool *out, const rg_flow *flow,
					    const rg_file_pairs *pairs);

/* Takes `err` and returns it, or what went wrong with removing what is temporary. */
RG_CHECKED rg_error *rg_staged_side_release(rg_staged_side *side, rg_error *err);

#endif
