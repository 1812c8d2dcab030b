/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_SOURCE_STAGING_H
#define REGILD_SOURCE_STAGING_H

#include "base/cleanup.h"
#include "source/fetch_options.h"
#include "source/manifest.h"
#include "source/taken.h"

/*
 * A staging folder that changes as a whole: what is fetched is in DIR/.download until it is
 * complete, and takes the place of DIR/files and DIR/manifest.json then.
 */
typedef struct rg_staging rg_staging;

/*
 * Makes DIR, and those above it, where it is missing, and an empty DIR/.download (what a killed
 * download left there goes). RG_E_CONFLICT where another download has it open, RG_E_USAGE where DIR
 * is neither empty nor a staging folder.
 */
RG_CHECKED rg_error *rg_staging_begin(rg_staging **out, const char *dir);
/* DIR/.download, where FILES/… go. */
const char *rg_staging_folder(const rg_staging *staging);
/* Puts the new files and the manifest in place. */
RG_CHECKED rg_error *rg_staging_commit(rg_staging *staging, const rg_manifest *manifest);
/* Removes what is not in place, also the folders that begin made, and frees. */
void rg_staging_free(rg_staging *staging);
RG_FREE_AT(rg_staging)

/*
 * Lays what was taken out in FOLDER/files/STAGE/TEST/FILE and gives every artifact and job of the
 * manifest its final outcome. `taken[i]` belongs to the manifest's artifact `indices[i]`.
 *
 * Two artifacts that want one target with the same bytes share it; with different bytes neither is
 * laid out and both are conflicts. So is a target that would have to be a file and a folder.
 */
RG_CHECKED rg_error *rg_lay_out(rg_manifest *manifest, const rg_fetch_options *options,
				const char *folder, const rg_taken *taken, const size_t *indices,
				size_t count);

/* The place where a file of an artifact would go: the golden's stage, test, file and target, and in
 * *shard what {shard} stands for, NULL where nothing says it. RG_E_UNSAFE for a place that cannot
 * be. */
RG_CHECKED rg_error *rg_place_golden(rg_manifest *manifest, const rg_fetch_options *options,
				     const char *folder, const rg_manifest_artifact *artifact,
				     const rg_taken_file *file, rg_manifest_golden *golden,
				     const char **shard);

#endif
