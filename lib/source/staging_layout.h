/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_SOURCE_STAGING_LAYOUT_H
#define REGILD_SOURCE_STAGING_LAYOUT_H

#include "source/fetch_options.h"
#include "source/taken.h"

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

#endif
