/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_FLOW_AUDIT_STORE_H
#define REGILD_FLOW_AUDIT_STORE_H

#include "audit/audit.h"
#include "base/cleanup.h"
#include "base/log.h"
#include "source/manifest.h"
#include "store/history.h"

/* The runs of one repository in the history, as today's settings see them. */
typedef struct {
	const rg_log *log;
	const rg_golden_options *options;
	size_t golden_max; /* bytes */
	rg_history_store *history;
	char *repository; /* "HOST/OWNER/NAME" */
	const char *settings;
	bool missing; /* something that was asked for is not there */
} rg_audit_store;

/* Those that there are, by time. */
RG_CHECKED rg_error *rg_audit_store_list(const rg_audit_store *store, rg_arena *arena,
					 rg_history_run **out, size_t *count);
/* Puts what a download left in `folder` into the history, unless that has all of it: another audit
 * may have been faster, and artifacts expire meanwhile. */
RG_CHECKED rg_error *rg_audit_store_run(rg_audit_store *store, const rg_manifest *manifest,
					const char *folder);
/* Runs of the history as an audit's source, in the order given. */
typedef struct rg_stored_runs rg_stored_runs;
/* Takes `history` over, also where it fails. */
RG_CHECKED rg_error *rg_stored_runs_open(rg_stored_runs **out, rg_history_store *history,
					 const rg_history_run *runs, size_t count);
void rg_stored_runs_free(rg_stored_runs *runs);
RG_FREE_AT(rg_stored_runs)
/* As they are in the history. */
const rg_history_run *rg_stored_runs_list(const rg_stored_runs *runs);
rg_history_store *rg_stored_runs_history(const rg_stored_runs *runs);
/* Borrows from `runs`. */
rg_audit_source rg_stored_runs_source(rg_stored_runs *runs, size_t golden_max);
/* Leaves out so many of the first runs, in the source, too. */
void rg_stored_runs_drop(rg_stored_runs *runs, rg_audit_source *source, size_t count);

#endif
