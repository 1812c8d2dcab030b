/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_SOURCE_LOG_ARTIFACT_H
#define REGILD_SOURCE_LOG_ARTIFACT_H

#include "source/fetch_options.h"
#include "source/match.h"

/*
 * A job's log as one more artifact of its run, out of which one golden comes: so that outcomes,
 * manifest, cache and progress are those of artifacts, whatever the source.
 */

/*
 * After rg_match: adds an artifact to the run and to the manifest for each job and rule that fit,
 * after all others. A job that never ran has no log.
 */
RG_CHECKED rg_error *rg_log_artifacts_add(rg_run *run, const rg_log_rules *rules,
					  const rg_match_options *options, rg_manifest *out);

/* As rg_source.take, for such an artifact; the golden's path is the rule's `file`. Nothing is taken
 * where the log has nothing of it. */
RG_CHECKED rg_error *rg_log_artifact_take(const rg_fetch_options *options, const rg_run *run,
					  const rg_artifact *artifact,
					  const rg_take_request *request);

#endif
