/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_SOURCE_FETCH_H
#define REGILD_SOURCE_FETCH_H

#include "source/fetch_options.h"
#include "source/manifest.h"

/*
 * Fetches what a plan (rg_match) wants, several artifacts side by side, and lays the goldens out in
 * a staging folder: FOLDER/files/STAGE/TEST/FILE.
 */
/*
 * Works off the manifest's artifacts that are RG_OUTCOME_TAKEN, or RG_OUTCOME_EXPIRED and in the
 * cache, and gives each, and its job, its final outcome; adds the goldens in path-component order
 * and the bytes moved. `folder` must exist and be empty. What is wrong with one artifact is its
 * outcome; an error is what stops all of them: Ctrl-C, a refused token, a full disk.
 */
RG_CHECKED rg_error *rg_fetch(const rg_run *run, const rg_fetch_options *options,
			      const char *folder, rg_manifest *manifest);

#endif
