/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/reject.h"

#include "base/file.h"
#include "base/temporary.h"
#include "flow/undo.h"
#include "update/rejected.h"
#include "update/safe_tree.h"

#include <string.h>

#define OF rg_reject_result
const rg_json_field rg_reject_fields[] = {
	RG_KEY(golden, "Its path from the repository's root."),
	RG_KEY(sha256, "Of the bytes that are rejected."),
	RG_KEY_AS("because", why, "The reason that a refresh gives."),
	RG_KEY(already, "Were they rejected before? Then nothing was written."),
	{0}};
#undef OF

static rg_error *append(const rg_reject_result *out, const rg_flow *flow, rg_buf *text)
{
	RG_AUTO_FREE char *path = rg_path_join(rg_worktree_root(flow->worktree), RG_REJECTED_FILE);
	if (text->length && text->data[text->length - 1] != '\n')
		rg_buf_char(text, '\n');
	rg_buf_printf(text, "%s  %s  %s\n", out->sha256, out->golden, out->why);
	RG_AUTO_FREE char *beside =
		rg_path_join(rg_worktree_git_dir(flow->worktree), "regild/rejected");
	rg_error *err = rg_buf_check(text, RG_REJECTED_FILE);
	/* At the root, `git add -A` would take what a killed process left. */
	rg_temporary_sweep(beside);
	if (!err)
		err = rg_file_replace_from(beside, path, text->data, text->length, 0666);
	return err;
}

/* Is the rejection in the file, whatever failed after that? */
static bool is_written(const rg_reject_result *out, int tree)
{
	RG_AUTO(rg_rejections) now = {0};
	RG_AUTO_PTR(rg_error) err = rg_rejections_read(&now, tree, NULL);
	return !err && rg_rejections_find(&now, out->golden, out->sha256);
}

rg_error *rg_reject(rg_reject_result *out, const rg_flow *flow, const char *golden, const char *why)
{
	RG_AUTO_PTR(rg_journal) journal = NULL;
	*out = (rg_reject_result){.why = why};
	RG_TRY(rg_flow_golden_path(&out->golden, flow, golden));
	RG_TRY(rg_rejection_check(RG_E_USAGE, out->golden, why));
	RG_TRY(rg_flow_open_journal(&journal, flow, true)); /* one writer at a time */
	const int tree = rg_journal_tree(journal);
	RG_AUTO(rg_rejections) known = {0};
	RG_AUTO(rg_buf) bytes = rg_buf_of(RG_TREE_FILE_MAX);
	RG_AUTO(rg_buf) text = rg_buf_of(RG_REJECTED_MAX);
	rg_side side;

	RG_TRY(rg_tree_read(tree, out->golden, &bytes, &side));
	if (!side.exists)
		return rg_error_new(RG_E_NOTFOUND, "%s: there is no such file", out->golden);
	memcpy(out->sha256, side.sha256, sizeof(out->sha256));
	RG_TRY(rg_rejections_read(&known, tree, &text));
	out->already = rg_rejections_find(&known, out->golden, out->sha256) != NULL;
	if (out->already)
		return NULL;
	rg_error *err = append(out, flow, &text);
	out->written = !err || is_written(out, tree);
	return out->written ? rg_error_wrap(err, "the golden is rejected, but " RG_REJECTED_FILE
						 " may not outlive a power cut")
			    : err;
}
