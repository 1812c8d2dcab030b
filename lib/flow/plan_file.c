/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/plan_file.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/path.h"

#include <stdlib.h>
#include <string.h>

/* Room for 10,000 goldens with 20 reasons each, many times over. */
enum { PLAN_MAX = 64 << 20 };

rg_error *rg_plan_file_make(rg_buf *out, const rg_update *update, const rg_flow *flow,
			    const char *command)
{
	const rg_update_options *options = update->options;
	char head[41];

	RG_TRY(rg_worktree_resolve(flow->worktree, "HEAD", head));
	RG_AUTO(rg_plan_file) file = {0};
	rg_plan_file_init(&file);
	file.head = head;
	file.command = command;
	file.run_id = update->manifest->run_id;
	/* From the root, where it is below that: another checkout has it in the same place. */
	RG_AUTO_FREE char *whole = realpath(update->folder, NULL);
	RG_AUTO_FREE char *root = realpath(rg_worktree_root(flow->worktree), NULL);
	const char *place = whole ? whole : update->folder;
	if (whole && root && rg_path_is_below(root, whole))
		place += strlen(root) + 1;
	file.staged = rg_arena_text(&file.arena, place);
	file.allow = options->allow.items;
	file.allow_count = options->allow.count;
	file.metrics = options->metrics.items;
	file.metric_count = options->metrics.count;
	file.stage = options->stage;
	rg_plan_file_of(&file, &update->plan);
	return rg_plan_file_write(&file, out);
}

rg_error *rg_plan_file_load(rg_plan_file *out, const rg_flow *flow, const char *name)
{
	RG_AUTO(rg_buf) text = rg_buf_of(PLAN_MAX);
	char head[41];

	RG_TRY(rg_file_read(&text, name));
	RG_TRY(rg_error_wrap(rg_plan_file_parse(out, text.data, text.length), "%s", name));
	RG_TRY(rg_worktree_resolve(flow->worktree, "HEAD", head));
	if (!strcmp(head, out->head))
		return NULL;
	return rg_error_new(RG_E_CONFLICT,
			    "HEAD is %.10s, and the plan was made at %.10s; nothing is changed: "
			    "make the plan again",
			    head, out->head);
}

void rg_plan_file_options(const rg_plan_file *file, const rg_flow *flow, rg_update_options *options,
			  char **folder)
{
	options->stage = file->stage;
	options->allow = (rg_texts){file->allow, file->allow_count, file->allow_count};
	options->metrics = (rg_texts){file->metrics, file->metric_count, file->metric_count};
	*folder = *file->staged == '/'
			  ? rg_strdup(file->staged)
			  : rg_path_join(rg_worktree_root(flow->worktree), file->staged);
}
