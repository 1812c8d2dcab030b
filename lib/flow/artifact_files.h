/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_FLOW_ARTIFACT_FILES_H
#define REGILD_FLOW_ARTIFACT_FILES_H

#include "base/map.h"
#include "base/tree.h"
#include "config/config.h"
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

#endif
