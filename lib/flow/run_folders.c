/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/run_folders.h"

#include "base/path.h"
#include "place/sides.h"
#include "source/manifest.h"

#include <string.h>

/* The folder that was looked at last: its files come one after the other. */
typedef struct {
	const rg_flow *flow;
	const char *path;
	bool is_run;
	size_t files;
} run_folder;

static void log_left_out(const run_folder *folder)
{
	if (folder->files)
		rg_log_say(&folder->flow->log, RG_LOG_INFO,
			   "%s: what a run left; its %zu file%s not the checkout's", folder->path,
			   folder->files, folder->files == 1 ? " is" : "s are");
}

/* Is it the folder of a run, as `named` says, or a manifest in it? */
static bool is_run(run_folder *last, const char *path, size_t length, bool named)
{
	rg_arena *arena = last->flow->arena;
	if (last->path && strlen(last->path) == length && !memcmp(last->path, path, length))
		return last->is_run;
	const char *folder = rg_arena_copy(arena, path, length);
	const char *root = rg_worktree_root(last->flow->worktree);
	bool found = (named || rg_manifest_is_in(rg_arena_path(arena, root, folder))) &&
		     !rg_worktree_tracks(last->flow->worktree, folder, NULL);

	if (found || !last->is_run) {
		log_left_out(last);
		*last = (run_folder){last->flow, folder, found, 0};
	}
	return found;
}

static bool is_of_run(run_folder *last, const char *path, char *const *named, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (named[i] && rg_path_is_below(named[i], path))
			return is_run(last, path, strlen(named[i]), true);
	for (const char *slash = path; (slash = strchr(slash, '/')) != NULL; slash++)
		if ((!strncmp(slash, "/files/", 7) || !strcmp(slash, "/manifest.json")) &&
		    is_run(last, path, (size_t)(slash - path), false))
			return true;
	return false;
}

static rg_error *name_folders(const rg_flow *flow, const rg_texts *from, const char *base,
			      char ***named, size_t *count)
{
	const size_t more = from ? from->count : 0;
	char **all = rg_arena_alloc(flow->arena, (*count + more + 1) * sizeof(*all));
	for (size_t i = 0; i < *count; i++)
		all[i] = (*named)[i];
	for (size_t i = 0; i < more; i++)
		RG_TRY(rg_place_inner_path(&all[(*count)++], flow->arena, flow->worktree,
					   rg_arena_path(flow->arena, base, from->items[i])));
	*named = all;
	return NULL;
}

rg_error *rg_run_folders_leave_out(rg_change_list *list, const rg_flow *flow, const rg_texts *from)
{
	run_folder last = {.flow = flow};
	char **named = NULL;
	size_t kept = 0, count = 0, first = 0;

	while (first < list->count && list->items[first].kind != RG_CHANGE_NEW)
		first++;
	if (first == list->count)
		return NULL;
	RG_TRY(name_folders(flow, from, "", &named, &count));
	/* The last download was from folders, too, as long as what it staged is there. It may have
	 * been called at the root or here. */
	RG_AUTO_FREE char *dir = rg_flow_staging_folder(flow, 0);
	RG_AUTO(rg_manifest) staged = {0};
	rg_manifest_init(&staged);
	RG_AUTO_PTR(rg_error) none = rg_manifest_load(&staged, dir);
	if (!none) {
		RG_TRY(name_folders(flow, &staged.paths, "", &named, &count));
		RG_TRY(name_folders(flow, &staged.paths, rg_worktree_root(flow->worktree), &named,
				    &count));
	}
	for (size_t i = 0; i < list->count; i++) {
		const rg_change change = list->items[i];
		if (change.kind == RG_CHANGE_NEW && is_of_run(&last, change.path, named, count))
			last.files++;
		else
			list->items[kept++] = change;
	}
	list->count = kept;
	log_left_out(&last);
	return NULL;
}
