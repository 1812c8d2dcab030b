/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_FLOW_BLAME_H
#define REGILD_FLOW_BLAME_H

#include "flow/context.h"

/* Which run the newest values of a golden are from, by the trailers of commits
 * (report/story_text.h). Texts are as the commits have them, cut off where they are absurdly
 * long. */

typedef struct {
	const char *id; /* 40 hexadecimal digits; NULL: there is no such commit */
	const char *when, *subject;
} rg_blame_commit;

typedef struct {
	const char *path;       /* from the repository's root */
	bool uncommitted;       /* the working tree's differs from HEAD's */
	bool cut;               /* a shallow clone ends before the answer */
	rg_blame_commit newest; /* that changed the golden without a run named */
	size_t unnamed;         /* such commits, up to the one that names a run */
	rg_blame_commit named;  /* the newest that names a run … */
	const char *run;        /* … and what it says; NULL: nothing of this */
	const char *attempt, *commit, *scope;
	rg_arena arena;
} rg_blame;

/* `path` is the user's. RG_E_NOTFOUND where HEAD has no such file, RG_E_USAGE for one outside the
 * repository. `out` is released whatever comes back. */
RG_CHECKED rg_error *rg_blame_golden(rg_blame *out, const rg_flow *flow, const char *path);
void rg_blame_release(rg_blame *blame);

#endif
