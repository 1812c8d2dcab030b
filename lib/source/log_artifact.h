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
void rg_log_artifacts_add(rg_run *run, const rg_log_rules *rules, const rg_match_options *options,
			  rg_manifest *out);

/* The artifacts that are the log of one job. The log is read once, by the first of them that is
 * taken, for all of them: what is kept of it until the release is their goldens. */
typedef struct {
	const rg_fetch_options *options;
	const rg_run *run;
	const rg_artifact *artifacts;
	size_t count;
	struct rg_log_reading *readings; /* one for each artifact; NULL: nothing is read yet */
	rg_error *err;                   /* why the log could not be read to its end; or NULL */
} rg_job_log;

/* `log` starts with its first four members alone, which are borrowed. */
void rg_job_log_release(rg_job_log *log);

/* As rg_source.take, for one of the artifacts; the golden's path is the rule's `file`. Nothing is
 * taken where the log has nothing of it. The first call's request is the one that reads. */
RG_CHECKED rg_error *rg_log_artifact_take(rg_job_log *log, const rg_artifact *artifact,
					  const rg_take_request *request);

#endif
