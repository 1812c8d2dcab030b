/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_FLOW_AUDIT_RUNS_H
#define REGILD_FLOW_AUDIT_RUNS_H

#include "base/optional.h"
#include "flow/audit_paths.h"
#include "flow/audit_revisions.h"
#include "flow/audit_store.h"
#include "flow/context.h"
#include "flow/settings.h"

/* The runs that an audit measures: opened from where they are, and fetched where the history does
 * not have them yet. */

/* The source of the runs: just one of the first five is given. */
typedef struct {
	rg_texts runs;         /* ids or URLs, several in one text with commas between them */
	const char *workflow;  /* its newest completed runs */
	const char *pipelines; /* the newest finished pipelines on GitLab of that branch or tag */
	const char *history;   /* revisions of the worktree, a run a commit */
	rg_texts from;         /* folders or files, one a run */
	/* With `workflow` or `pipelines`. */
	rg_optional_integer last; /* not given: 30 */
	const char *since;
	const char *branch, *event; /* with `workflow` */
	const char *source;         /* with `pipelines`: what started them, "schedule" */
	rg_texts only;              /* globs on goldens and their tests; none: all goldens */
	/* With one of the first three. */
	rg_optional_integer max_wait; /* seconds; not given: 900 */
	const char *repository;       /* NULL: what URLs and settings say */
} rg_audit_runs_options;

/* An opened source and what it borrows from. */
typedef struct {
	rg_audit_source source;
	bool missing; /* some of what was asked for is not there */
	rg_formats formats;
	size_t golden_max; /* bytes of one golden that are taken */
	rg_arena tests;    /* what the source's `tests` are in */
	/* One of them, the others are NULL. */
	rg_path_runs *paths;
	rg_revision_runs *revisions;
	rg_stored_runs *stored;
} rg_audit_runs;

/* The log hears of runs that are left out. RG_E_NOTFOUND where no run is left. Closed whatever
 * comes back. */
RG_CHECKED rg_error *rg_audit_runs_open(rg_audit_runs *out, const rg_flow *flow,
					const rg_audit_runs_options *options);
void rg_audit_runs_close(rg_audit_runs *runs);

typedef struct {
	uint64_t id;
	bool stored; /* the history has all of it */
} rg_audit_listed_run;

typedef struct {
	rg_audit_listed_run *items; /* of lists newest first, else by id */
	size_t count, stored;
} rg_audit_run_list;

/* The same for `runs`, `workflow` and `pipelines` alone; `out` has its formats and golden_max. */
RG_CHECKED rg_error *rg_audit_ci_open(rg_audit_runs *out, const rg_flow *flow,
				      const rg_audit_runs_options *options);

/* Which of them rg_audit_runs_open would open; nothing is fetched. Released whatever comes back. */
RG_CHECKED rg_error *rg_audit_runs_list(rg_audit_run_list *out, const rg_flow *flow,
					const rg_audit_runs_options *options);
void rg_audit_run_list_release(rg_audit_run_list *list);

/*
 * Keeps an audit of the history's runs within regild.auditMemory, 256 MiB by default, however many
 * they are: fewer threads read goldens that many runs have, and where that is not enough, the
 * oldest runs are left out, which the log hears of and `missing` says. RG_E_USAGE where the
 * setting is not a size.
 */
RG_CHECKED rg_error *rg_audit_runs_fit(rg_audit_runs *runs, rg_audit_options *options,
				       const rg_flow *flow);

#endif
