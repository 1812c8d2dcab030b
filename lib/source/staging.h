/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_SOURCE_STAGING_H
#define REGILD_SOURCE_STAGING_H

#include "source/manifest.h"

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

#endif
