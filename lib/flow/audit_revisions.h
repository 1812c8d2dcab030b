/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_FLOW_AUDIT_REVISIONS_H
#define REGILD_FLOW_AUDIT_REVISIONS_H

#include "audit/audit.h"
#include "base/cleanup.h"
#include "worktree/revisions.h"

/*
 * Runs out of git's own history: each commit that touches a golden is a run, which has the goldens
 * that it touches. Runs are called by the commit's first ten digits.
 */
typedef struct rg_revision_runs rg_revision_runs;

/* `worktree`, and what `options` (may be NULL) point at, must outlive it. See rg_revisions_read
 * for the rest; RG_E_NOTFOUND where no commit of the range touches a golden. */
RG_CHECKED rg_error *rg_revision_runs_open(rg_revision_runs **out, rg_worktree *worktree,
					   const char *range, const char *root, const char *pattern,
					   const rg_golden_options *options);
void rg_revision_runs_free(rg_revision_runs *runs);
RG_FREE_AT(rg_revision_runs)
/* Borrows from `runs`. */
rg_audit_source rg_revision_runs_source(rg_revision_runs *runs, size_t golden_max);

#endif
