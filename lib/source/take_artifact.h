/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_SOURCE_TAKE_ARTIFACT_H
#define REGILD_SOURCE_TAKE_ARTIFACT_H

#include "source/fetch_options.h"
#include "source/log_artifact.h"
#include "source/taken.h"

/*
 * One artifact's goldens, out of the cache or off the network, into plain files
 * PARTS/ARTIFACT-LOG-NUMBER. No names from outside reach the file system here.
 */

/* What the caller wants to know while an artifact is on its way. */
typedef struct {
	/* Bytes that came over the wire. */
	void (*moved)(void *context, uint64_t bytes);
	/* The artifact's address is known and its bytes are next: may block until it is its turn.
	 * Called at most once, and not where the cache has it all. */
	void (*begin)(void *context);
	void *context;
} rg_take_hooks;

/* The files come out under the names that they have below the test's folder. `rules` are those of
 * options->rules that the artifact's name fits, as bits; `log` is the one that the artifact is of,
 * if it is a log. Errors are those that stop everything. */
RG_CHECKED rg_error *rg_take_artifact(rg_taken *out, const rg_fetch_options *options,
				      const rg_run *run, const rg_artifact *artifact,
				      uint64_t rules, const rg_member_owner *owner, rg_job_log *log,
				      const char *parts, const rg_take_hooks *hooks);

#endif
