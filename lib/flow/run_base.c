/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/run_base.h"

#include "source/merge_base.h"

rg_error *rg_run_base(char out[static 41], const rg_flow *flow, const rg_source_options *source,
		      const char *branch)
{
	RG_AUTO(rg_open_source) open = {0};
	RG_AUTO(rg_run) run = {0};

	RG_TRY(rg_flow_need_worktree(flow));
	rg_run_init(&run);
	RG_TRY(rg_flow_open_source(&open, flow, source));
	char resolved[41];
	RG_TRY(open.source->load(open.source, open.name.id, 0, &run));
	if (!run.head_commit)
		return rg_error_new(RG_E_NOTFOUND, "run %llu does not say of which commit it is",
				    (unsigned long long)run.id);
	RG_TRY(rg_api_merge_base(out, open.http, &open.repository, branch, run.head_commit));
	RG_AUTO_PTR(rg_error) err = rg_worktree_resolve(flow->worktree, out, resolved);
	if (!err)
		return NULL;
	return rg_error_new(RG_E_NOTFOUND,
			    "this clone does not have %.10s, where the run's commit %.10s parted "
			    "from the branch; 'git fetch origin %s' gets it",
			    out, run.head_commit, out);
}
