/* SPDX-License-Identifier: Apache-2.0 */
/* Partial clones, which leave objects with a remote until somebody asks for them. */
#include "base/memory.h"
#include "worktree/internal.h"

#include <stdlib.h>
#include <string.h>

/* Does git take a variable in the environment for true? */
static bool is_true(const char *value)
{
	int set = 0;
	return value && *value && (git_config_parse_bool(&set, value) || set);
}

/* The remote that has what the clone lacks, the caller's to free; NULL: the clone is whole. */
static char *find_promisor(const rg_worktree *worktree)
{
	static const char names[] = "^(extensions\\.partialclone|remote\\..+\\.promisor)$";
	RG_AUTO_PTR(git_config) config = NULL;
	RG_AUTO_PTR(git_config_iterator) entries = NULL;
	git_config_entry *entry;
	char *out = NULL;

	if (!git_repository_config_snapshot(&config, worktree->repository) &&
	    !git_config_iterator_glob_new(&entries, config, names))
		while (!out && !git_config_next(&entry, entries)) {
			const char *remote = strchr(entry->name, '.') + 1;
			if (*entry->name == 'e' && entry->value)
				out = rg_strdup(entry->value);
			else if (*entry->name == 'r' && is_true(entry->value))
				out = rg_strndup(remote, strlen(remote) - strlen(".promisor"));
		}
	return out;
}

/* As git itself fetches what it finds missing. */
static rg_error *fetch(const rg_worktree *worktree, const char *remote, const rg_buf *ids)
{
	const char *words[] = {"fetch",
			       "--quiet",
			       "--no-tags",
			       "--no-write-fetch-head",
			       "--recurse-submodules=no",
			       "--filter=blob:none",
			       "--stdin",
			       "--",
			       remote,
			       NULL};
	return rg_git_run(worktree, NULL, words, ids);
}

void rg_git_fetch_objects(rg_worktree *worktree, const git_oid *ids, size_t count)
{
	RG_AUTO(rg_buf) wanted = rg_buf_of(RG_BUF_ANY);
	char hex[GIT_OID_HEXSZ + 1];

	if (worktree->not_fetched ||
	    (!worktree->odb && git_repository_odb(&worktree->odb, worktree->repository)))
		return;
	for (size_t i = 0; i < count; i++)
		if (!git_odb_exists_ext(worktree->odb, &ids[i], GIT_ODB_LOOKUP_NO_REFRESH))
			rg_buf_printf(&wanted, "%s\n", git_oid_tostr(hex, sizeof(hex), &ids[i]));
	RG_AUTO_FREE char *remote = wanted.length ? find_promisor(worktree) : NULL;
	if (remote && is_true(getenv("GIT_NO_LAZY_FETCH"))) {
		worktree->not_fetched = rg_strdup("GIT_NO_LAZY_FETCH is set");
	} else if (remote) {
		RG_AUTO_PTR(rg_error) err = fetch(worktree, remote, &wanted);
		if (err)
			worktree->not_fetched = rg_strdup(rg_error_message(err));
		(void)git_odb_refresh(worktree->odb);
	}
}

void rg_git_fetch_changes(rg_worktree *worktree, const rg_change_list *list)
{
	RG_AUTO_FREE git_oid *ids = rg_calloc(2 * list->count + 1, sizeof(*ids));
	size_t count = 0;
	for (size_t i = 0; i < list->count; i++) {
		count += *list->items[i].old_id &&
			 !git_oid_fromstr(&ids[count], list->items[i].old_id);
		count += *list->items[i].new_id &&
			 !git_oid_fromstr(&ids[count], list->items[i].new_id);
	}
	rg_git_fetch_objects(worktree, ids, count);
}

rg_error *rg_git_lacks_object(const rg_worktree *worktree, const char *subject, bool tree)
{
	const char *why = worktree->not_fetched;
	return rg_error_new(RG_E_GONE, "%s: %s%s%s%s; %s", subject,
			    tree ? "the clone has no trees of it" : "is not in this clone",
			    why ? " (" : "", why ? why : "", why ? ")" : "",
			    tree ? "'git fetch --refetch --filter=blob:none' gets them"
				 : "if it is a partial clone, 'git diff' with the revision fetches "
				   "what is missing");
}
