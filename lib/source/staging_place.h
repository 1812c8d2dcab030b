/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_SOURCE_STAGING_PLACE_H
#define REGILD_SOURCE_STAGING_PLACE_H

#include "source/fetch_options.h"
#include "source/taken.h"

/* Where a file of an artifact would go: the golden's stage, test, file and target, and in *shard
 * what {shard} stands for, NULL where nothing says it. RG_E_UNSAFE for a place that cannot be. */
RG_CHECKED rg_error *rg_place_golden(rg_manifest *manifest, const rg_fetch_options *options,
				     const char *folder, const rg_manifest_artifact *artifact,
				     const rg_taken_file *file, rg_manifest_golden *golden,
				     const char **shard);

#endif
