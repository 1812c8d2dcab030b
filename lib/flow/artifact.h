/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_FLOW_ARTIFACT_H
#define REGILD_FLOW_ARTIFACT_H

#include "base/map.h"
#include "base/tree.h"
#include "config/config.h"
#include "flow/context.h"
#include "golden/artifact.h"
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
	size_t name_capacity, refusal_capacity, refused_capacity;
	rg_arena arena; /* the refusals */
} rg_artifact_source;

/* Released whatever comes back, and with its refusals also after an error. A zip that holds nothing
 * but one other zip is that other zip; members that its directory shows to be bad are refused. */
RG_CHECKED rg_error *rg_artifact_open_folder(rg_artifact_source *source, const char *folder);
RG_CHECKED rg_error *rg_artifact_open_zip(rg_artifact_source *source, const char *path,
					  const rg_zip_limits *limits);
void rg_artifact_source_release(rg_artifact_source *source);

/* Hands the bytes of a zip's file to `sink` and checks them. *refused: they are not what they
 * should be, which is among the refusals now; the file goes with rg_artifact_drop_refused. */
RG_CHECKED rg_error *rg_artifact_extract(rg_artifact_source *source, size_t index,
					 rg_zip_sink *sink, void *context, bool *refused);
/* Takes what was refused out of the files; the places of the others change. */
void rg_artifact_drop_refused(rg_artifact_source *source);

/* What unpack and verify take, and pack therefore makes: regild.maxMembers (100,000), and
 * regild.maxTotal bytes (32 GiB). */
RG_CHECKED rg_error *rg_artifact_limits(rg_zip_limits *out, const rg_config *config);

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

#endif
