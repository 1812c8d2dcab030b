/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_FLOW_ARTIFACT_H
#define REGILD_FLOW_ARTIFACT_H

#include "base/fields.h"
#include "base/map.h"
#include "base/tree.h"
#include "config/config.h"
#include "flow/context.h"
#include "golden/executorch/artifact.h"
#include "place/members.h"

/* The files of a golden artifact, out of a folder or a zip. None of them is held in memory. It
 * points into itself and must not move. */
typedef struct {
	rg_artifact_files files;
	size_t links; /* symbolic links of the folder, which are left out */
	/* Members of the zip that could not be had: "NAME: REASON". */
	const char **refusals;
	rg_map program; /* the one that was read last */
	/* Of a folder. */
	const char *folder;
	rg_tree tree;
	/* Of a zip: those that are files, in that order; path NULL: it was refused. */
	rg_members members;
	rg_zip_limits limits;
	uint64_t bytes_unpacked;
	const char **names, **refused;
	size_t refusal_capacity, refused_capacity;
	rg_arena arena; /* the refusals */
} rg_artifact_source;

/* ExecuTorch's goldens as a zip, flows kept apart: packed, unpacked and verified. */
typedef struct {
	rg_artifact_source source; /* its files, and those that were refused or left out */
	rg_artifact_check check;   /* pack, verify: the problems; not of what was refused */
	uint64_t size;             /* pack: of the zip */
	bool changed;              /* the zip or folder is there, whatever failed after that */
} rg_artifact_result;

/* All release `out` whatever comes back; it says what was found also after an error. */

/* Writes the folder's goldens into the zip. RG_E_PARSE where the check finds problems, RG_E_LIMIT
 * beyond rg_artifact_limits; nothing is written then. `skip_incomplete`: models with problems are
 * left out, as long as others are left. */
RG_CHECKED rg_error *rg_artifact_pack(rg_artifact_result *out, const rg_flow *flow,
				      const char *folder, const char *zip, bool skip_incomplete);
/* Unpacks into a folder that is not there yet: all of it, or nothing is made. RG_E_NOTFOUND for a
 * zip with nothing to unpack. */
RG_CHECKED rg_error *rg_artifact_unpack(rg_artifact_result *out, const rg_flow *flow,
					const char *zip, const char *folder);
RG_CHECKED rg_error *rg_artifact_verify(rg_artifact_result *out, const rg_flow *flow,
					const char *zip);

void rg_artifact_result_release(rg_artifact_result *result);

/* The document of pack, unpack, verify and extract; what a part does not count is 0. */
typedef struct {
	const char *file, *folder; /* the zip or bundled program; NULL: verify has no folder */
	size_t files, flows, models, inputs, outputs, left_out, others, cases;
	bool whole; /* without anything refused and without problems */
	const char *const *refused, *const *problems;
	size_t refused_count, problem_count;
} rg_executorch_facts;
extern const rg_json_field rg_executorch_fields[];

#endif
