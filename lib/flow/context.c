/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/context.h"

#include "base/memory.h"
#include "base/pattern.h"
#include "base/file.h"
#include "place/sides.h"
#include "update/safe_tree.h"
#include "worktree/index.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void rg_flow_waits_for(const rg_flow *flow, const char *what)
{
	const rg_progress_state state = {.current = what};
	if (flow->progress.update)
		flow->progress.update(flow->progress.context, &state);
}

rg_error *rg_flow_need_worktree(const rg_flow *flow)
{
	return rg_place_need_worktree(flow->worktree, flow->no_worktree);
}

/* A file that .regild names: what it holds may be printed, in CI for everybody, so it must be one
 * of those that came with .regild. */
static rg_error *check_from_clone(const rg_flow *flow, const char *name)
{
	int tree;

	RG_TRY(rg_tree_open(&tree, rg_worktree_root(flow->worktree)));
	rg_error *err = rg_tree_check(tree, "", name);
	close(tree);
	return err && rg_error_get_code(err) == RG_E_UNSAFE
		       ? rg_error_wrap(err, "only files of the working tree can be named here")
		       : err;
}

rg_error *rg_flow_find_setting(const char **path, const rg_flow *flow, const char *setting)
{
	const char *value = rg_config_get(flow->config, setting);
	*path = value && *value ? value : NULL;
	if (!*path)
		return NULL;
	/* A file that the user names may be anywhere. */
	if (*value != '/' && flow->worktree)
		*path = rg_arena_path(flow->arena, rg_worktree_root(flow->worktree), value);
	return rg_config_is_from_clone(flow->config, setting) ? check_from_clone(flow, value)
							      : NULL;
}

rg_error *rg_flow_read_setting(const rg_flow *flow, const char *setting, rg_buf *out,
			       const char **name)
{
	const char *path;
	*name = rg_config_get(flow->config, setting);
	rg_error *err = rg_flow_find_setting(&path, flow, setting);
	if (!path)
		*name = NULL;
	if (!err && path)
		err = rg_file_read(out, path);
	else
		path = NULL;
	if (err && path && rg_config_is_from_clone(flow->config, setting))
		err = rg_error_wrap(rg_error_drop_subject(err, path), "%s", *name);
	return rg_config_blame(flow->config, setting, rg_error_wrap(err, "%s", setting));
}

char *rg_flow_staging_folder(const rg_flow *flow, uint64_t run_id)
{
	const char *git_dir = rg_worktree_git_dir(flow->worktree);
	return run_id ? rg_textf("%sregild/runs/%llu", git_dir, (unsigned long long)run_id)
		      : rg_textf("%sregild/runs/from", git_dir);
}

/* How many bytes of the root name a submodule or another repository; 0 where none is, and where
 * this one has files below the root. */
static size_t inner_repository(const rg_flow *flow, const rg_change_list *list, const char *root)
{
	size_t inner = 0;
	RG_AUTO_PTR(rg_index) index = NULL;

	if (rg_worktree_tracks(flow->worktree, root, NULL) ||
	    rg_worktree_has_folder(flow->worktree, list->base_id, root))
		return 0;
	RG_AUTO_PTR(rg_error) err = rg_index_open(&index, flow->worktree);
	if (!err && *root)
		inner = rg_index_inner_repository(index, flow->worktree,
						  rg_arena_textf(flow->arena, "%s/", root));
	return inner;
}

/* Is the root a folder of the working tree? One that cannot be looked at is. */
static bool root_is_there(const rg_flow *flow, const char *root)
{
	struct stat st;
	return !stat(rg_arena_path(flow->arena, rg_worktree_root(flow->worktree), root), &st) ||
	       (errno != ENOENT && errno != ENOTDIR);
}

static rg_error *no_root(const char *root)
{
	return rg_error_new(RG_E_USAGE,
			    "there is no '%s' here; set regild.root, or let 'regild init' look for "
			    "goldens",
			    root);
}

rg_error *rg_flow_need_layout(const rg_flow *flow)
{
	const char *root = rg_config_get(flow->config, "regild.root");
	if (!flow->worktree || !rg_config_layout_is_assumed(flow->config))
		return NULL;
	bool there = root_is_there(flow, root);
	return there || rg_worktree_has_folder(flow->worktree, ":", root) ? NULL : no_root(root);
}

/* The goldens are not in this repository. Those on disk can be looked at all the same, but for what
 * has changed in them only their own repository can be asked. */
static rg_error *in_another(const rg_flow *flow, const rg_change_list *list, const char *root,
			    int inner)
{
	const char *folder = rg_arena_textf(flow->arena, "%.*s", inner, root);

	if (!root_is_there(flow, rg_arena_textf(flow->arena, "%s/.git", folder)))
		return rg_error_new(RG_E_USAGE,
				    "'%s' is in the submodule '%s', which is not checked out; "
				    "'git submodule update --init %s' does it",
				    root, folder, folder);
	rg_error *err = rg_error_new(RG_E_USAGE,
				     "'%s' is in another repository, and its files are not in this "
				     "one; work there, with -C '%s'",
				     root, folder);
	if (strcmp(list->base_id, RG_EMPTY_TREE) != 0)
		return err;
	rg_log_say(&flow->log, RG_LOG_WARNING, "%s", rg_error_message(err));
	rg_error_free(err);
	return NULL;
}

rg_error *rg_flow_check_root(const rg_flow *flow, const rg_change_list *list)
{
	const char *root = rg_config_get(flow->config, "regild.root");
	size_t inner = inner_repository(flow, list, root);
	bool there = false;

	if (inner)
		return in_another(flow, list, root, (int)inner);
	if (list->count)
		return NULL;
	if (!*list->to_id && *root)
		there = root_is_there(flow, root);
	if (!*list->to_id && (there || !*root)) {
		/* Goldens that regild.files does not name are not looked at: that it names none may
		 * be a slip. */
		const char *files = rg_config_get(flow->config, "regild.files");
		if (rg_worktree_tracks(flow->worktree, root, NULL) &&
		    !rg_worktree_tracks(flow->worktree, root, files))
			rg_log_say(&flow->log, RG_LOG_WARNING,
				   "regild.files ('%s') names none of the files below '%s'", files,
				   *root ? root : ".");
	}
	if (there || !*root)
		return NULL;
	if (!*list->to_id && rg_worktree_has_folder(flow->worktree, ":", root))
		rg_log_say(&flow->log, RG_LOG_WARNING,
			   "'%s' is in the index only; where a sparse checkout leaves it out, "
			   "'git sparse-checkout add' takes it in",
			   root);
	else if (!rg_worktree_has_folder(flow->worktree, list->base_id, root) &&
		 !(*list->to_id && rg_worktree_has_folder(flow->worktree, list->to_id, root)))
		return no_root(root);
	return NULL;
}

rg_error *rg_flow_golden_path(const char **out, const rg_flow *flow, const char *golden)
{
	char *path;
	RG_TRY(rg_place_inner_path(&path, flow->arena, flow->worktree, golden));
	if (!path || !*path)
		return rg_error_new(RG_E_USAGE, "'%s' is outside of the repository at %s", golden,
				    rg_worktree_root(flow->worktree));
	RG_TRY(rg_path_check(path));
	if (!rg_globs_take(rg_config_goldens(flow->config), path))
		return rg_error_new(RG_E_USAGE,
				    "'%s' is not a golden: regild.files names no such file", path);
	*out = path;
	return NULL;
}
