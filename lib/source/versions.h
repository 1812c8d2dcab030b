#ifndef REGILD_SOURCE_VERSIONS_H
#define REGILD_SOURCE_VERSIONS_H

#include "audit/audit.h"
#include "worktree/versions.h"

/*
 * Runs out of git's own history: each commit that touches a golden is a run, which has the goldens
 * that it touches. Runs are called by the commit's first ten digits.
 */
typedef struct rg_version_runs rg_version_runs;

/* `worktree`, and what `options` (may be NULL) point at, must outlive it. See rg_worktree_versions
 * for the rest; RG_E_NOTFOUND where no commit of the range touches a golden. */
RG_CHECKED rg_error *rg_version_runs_open(rg_version_runs **out, rg_worktree *worktree,
					  const char *range, const char *root, const char *pattern,
					  const rg_golden_options *options);
void rg_version_runs_free(rg_version_runs *runs);
/* Borrows from `runs`. */
rg_audit_source rg_version_runs_source(rg_version_runs *runs, size_t golden_max);

#endif
