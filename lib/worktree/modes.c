/* The executable bit, which comparisons of bytes do not look at. */
#include "worktree/internal.h"
#include "worktree/stage.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct {
	rg_worktree *worktree;
	git_tree *head;
	bool in_files; /* core.fileMode */
	rg_change_list *list;
} work;

/* Does the file, where one stands there, have the other executable bit than `mode`? */
static rg_error *differs_in_files(const work *w, const char *path, unsigned mode, bool *out)
{
	struct stat st;
	char *full;

	RG_TRY(rg_textf(&full, "%s%s", rg_worktree_root(w->worktree), path));
	*out = !lstat(full, &st) && S_ISREG(st.st_mode) && !(st.st_mode & 0100) != !(mode & 0100);
	free(full);
	return NULL;
}

static rg_error *look_at_entry(work *w, const git_index_entry *entry)
{
	rg_change change = {
		.kind = RG_CHANGE_MODIFIED, .path = entry->path, .old_path = entry->path};
	git_tree_entry *found = NULL;
	bool differs = false;
	unsigned mode = 0;

	if (!git_tree_entry_bypath(&found, w->head, entry->path)) {
		mode = git_tree_entry_filemode(found);
		git_oid_tostr(change.old_id, sizeof(change.old_id), git_tree_entry_id(found));
	}
	git_tree_entry_free(found);
	if (!rg_git_is_file_mode(mode) || !rg_git_is_file_mode(entry->mode))
		return NULL;
	/* git does not look at files that are marked. */
	if (w->in_files && !rg_git_may_be_absent(entry))
		RG_TRY(differs_in_files(w, entry->path, mode, &differs));
	if (!differs && !(entry->mode & 0100) == !(mode & 0100))
		return NULL;
	return rg_git_add_change(w->list, &change);
}

static rg_error *look_at_all(work *w, git_index *index, const char *root)
{
	size_t length = strlen(root), i;

	while (length && root[length - 1] == '/')
		length--;
	for (i = 0; i < git_index_entrycount(index); i++) {
		const git_index_entry *entry = git_index_get_byindex(index, i);

		if (git_index_entry_stage(entry) || strncmp(entry->path, root, length) != 0 ||
		    (length && entry->path[length] != '/'))
			continue;
		RG_TRY(look_at_entry(w, entry));
	}
	return NULL;
}

rg_error *rg_worktree_mode_changes(rg_worktree *worktree, const char *root, rg_change_list *out)
{
	work w = {.worktree = worktree, .list = out};
	git_object *head = NULL;
	git_config *config = NULL;
	git_index *index = NULL;
	rg_error *err;
	int in_files, answer;

	*out = (rg_change_list){0};
	rg_arena_init(&out->arena);
	RG_TRY(rg_git_resolve(worktree, "HEAD", GIT_OBJECT_TREE, &head));
	w.head = (git_tree *)head;
	answer = git_repository_config_snapshot(&config, worktree->repository);
	if (answer >= 0)
		answer = git_repository_index(&index, worktree->repository);
	/* Unset is true, as git has it. */
	w.in_files = answer < 0 || git_config_get_bool(&in_files, config, "core.filemode") < 0 ||
		     in_files;
	err = answer < 0 ? rg_git_error(answer, "index") : look_at_all(&w, index, root);
	git_index_free(index);
	git_config_free(config);
	git_object_free(head);
	if (err)
		rg_change_list_release(out);
	else
		rg_git_sort_changes(out);
	return err;
}
