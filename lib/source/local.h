/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_SOURCE_LOCAL_H
#define REGILD_SOURCE_LOCAL_H

#include "source/settings.h"
#include "source/source.h"
#include "worktree/worktree.h"

/*
 * Goldens that are on this machine already, in folders and archives that the user names, or in an
 * archive at an address (plain_url.h). There is no token. What a path may be is told in
 * local_find.c, and in regild-download(1).
 *
 * There is no run, unless the path is a staging folder, which knows its own. Where it takes a
 * {stage} to place a golden and the artifact's name has none, the tests that the repository has
 * goldens of say which; of a test without a golden, its settings.
 */
typedef struct {
	const char *const *paths; /* at least one */
	size_t path_count;
	const rg_settings *settings;
	const char *root;           /* regild.root, "" for the top */
	const char *files;          /* regild.files */
	const char *settings_files; /* the same of what is beside goldens; "": nothing is */
	rg_worktree *worktree;      /* whose goldens they are to be; NULL: of none */
	rg_http *http;              /* for addresses among the paths, without a token; or NULL */
	uint64_t run_id;            /* of the run that they are of; 0: not known */
	unsigned attempt;
	bool jobs_known; /* by the caller, who makes nothing of those that are assumed here */
	const rg_log *log;
} rg_local_options;

/*
 * Nothing is looked at before `load`, whose errors are: RG_E_IO for a path that is not there or
 * cannot be read, RG_E_USAGE for one that is neither a folder nor an archive or cannot be beside
 * others, RG_E_NOTFOUND where there is no golden in any of them. `options` and what they point at
 * are borrowed.
 */
rg_source *rg_local_new(const rg_local_options *options);

#endif
