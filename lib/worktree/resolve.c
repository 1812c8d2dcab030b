/* SPDX-License-Identifier: Apache-2.0 */
/* Finds what a revision names, as git reads it: libgit2 1.5 falls short of that here and there. */
#include "base/number.h"
#include "base/memory.h"
#include "worktree/internal.h"
#include "worktree/revisions.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define HEAD_LOG "HEAD@{"

/* Is the text in "@{…}" a place in a log or a date, and not "@{-1}" or "@{upstream}"? */
static bool is_of_log(const char *text)
{
	return *text && *text != '-' && *text != '}' && strncasecmp(text, "u}", 2) != 0 &&
	       strncasecmp(text, "upstream}", 9) != 0;
}

/* Finds what HEAD was `back` movements ago; all zeros if its log does not reach that far. */
static rg_error *find_in_log(rg_worktree *worktree, uint64_t back, git_oid *out)
{
	const git_reflog_entry *entry;
	RG_AUTO_PTR(git_reflog) log = NULL;

	memset(out, 0, sizeof(*out));
	/* libgit2 would make one. */
	if (git_reference_has_log(worktree->repository, "HEAD") != 1)
		return NULL;
	int answer = git_reflog_read(&log, worktree->repository, "HEAD");
	if (answer < 0)
		return rg_git_error(answer, "HEAD's log");
	size_t count = git_reflog_entrycount(log);
	if (back < count) {
		entry = git_reflog_entry_byindex(log, (size_t)back);
		git_oid_cpy(out, git_reflog_entry_id_new(entry));
	} else if (count && back == count) { /* before the first movement */
		entry = git_reflog_entry_byindex(log, count - 1);
		git_oid_cpy(out, git_reflog_entry_id_old(entry));
	}
	return NULL;
}

/*
 * "HEAD@{2}^" as the commit's id and what leads on from it. libgit2 would look in the log of the
 * branch that HEAD is on, which knows nothing of checkouts.
 */
static rg_error *spell_head_log(rg_worktree *worktree, const char *revision, char **out)
{
	const char *text = revision + strlen(HEAD_LOG), *end = strchr(text, '}');
	size_t length = end ? (size_t)(end - text) : 0;
	bool detached = git_repository_head_detached(worktree->repository) == 1;
	char hex[GIT_OID_HEXSZ + 1];
	uint64_t back;
	git_oid id;

	if (length && rg_uint64_parse(text, length, &back)) {
		RG_TRY(find_in_log(worktree, back, &id));
		if (git_oid_is_zero(&id))
			return rg_error_new(RG_E_NOTFOUND,
					    "revision '%s': HEAD's log does not go back that far",
					    revision);
		git_oid_tostr(hex, sizeof(hex), &id);
		*out = rg_textf("%s%s", hex, end + 1);
		return NULL;
	}
	if (!detached && length && is_of_log(text))
		return rg_error_new(
			RG_E_NOTFOUND,
			"revision '%s': libgit2 finds dates in the log of a branch only; "
			"name that, or HEAD@{N}",
			revision);
	*out = rg_strdup(revision);
	return NULL;
}

static rg_error *not_found(const rg_worktree *worktree, const char *revision)
{
	bool searches = strstr(revision, ":/") || strstr(revision, "{/");
	const char *dots = strstr(revision, "..");
	if (dots && dots[2] != '/' && !searches) /* "../a" is no range */
		return rg_error_new(
			RG_E_NOTFOUND,
			"revision '%s': is a range; name its ends apart: --base A --to B%s",
			revision, strstr(revision, "...") ? " --merge-base" : "");
	if (revision[0] == ':' && !searches)
		return rg_error_new(
			RG_E_NOTFOUND,
			"revision '%s': names a file of the index; --staged looks there", revision);
	return rg_error_new(RG_E_NOTFOUND, "'%s' is not a revision of this %s", revision,
			    rg_worktree_is_shallow(worktree)
				    ? "shallow clone; 'git fetch' with its name gets a branch or a "
				      "tag, 'git fetch --unshallow' the rest of the history"
				    : "repository");
}

/* A clone may have a commit and not its tree. */
static rg_error *get_tree(rg_worktree *worktree, const char *revision, const git_object *named,
			  git_object **out)
{
	RG_AUTO_PTR(git_object) commit = NULL;
	RG_AUTO_PTR(git_odb) odb = NULL;

	if (git_object_peel(&commit, named, GIT_OBJECT_COMMIT) ||
	    git_repository_odb(&odb, worktree->repository))
		return rg_error_new(RG_E_NOTFOUND, "revision '%s': is not a tree", revision);
	const git_oid *id = git_commit_tree_id((git_commit *)commit);
	rg_git_fetch_objects(worktree, id, 1);
	RG_AUTO_FREE char *subject = rg_textf("revision '%s'", revision);
	if (!git_odb_exists(odb, id))
		return rg_git_lacks_object(worktree, subject, true);
	if (git_object_peel(out, commit, GIT_OBJECT_TREE))
		return rg_git_error(-1, "%s", subject);
	return NULL;
}

rg_error *rg_git_resolve(rg_worktree *worktree, const char *revision, git_object_t type,
			 git_object **out)
{
	RG_AUTO_PTR(git_object) named = NULL;
	RG_AUTO_FREE char *spelled = NULL;

	*out = NULL;
	/* git's '@' is HEAD before what leads on from it, too ("@~2"); libgit2's only alone. */
	bool at = revision[0] == '@' && revision[1] && strchr("~^:", revision[1]);
	if (!strncmp(revision, HEAD_LOG, strlen(HEAD_LOG)))
		RG_TRY(spell_head_log(worktree, revision, &spelled));
	else
		spelled = at ? rg_textf("HEAD%s", revision + 1) : rg_strdup(revision);
	int answer = git_revparse_single(&named, worktree->repository, spelled);
	if (answer == GIT_ENOTFOUND || answer == GIT_EINVALIDSPEC ||
	    (answer < 0 && revision[0] == ':'))
		return not_found(worktree, revision);
	if (answer < 0)
		return rg_git_error(answer, "revision '%s'", revision);
	answer = git_object_peel(out, named, type);
	if (answer < 0 && type == GIT_OBJECT_TREE)
		return get_tree(worktree, revision, named, out);
	if (answer == GIT_EPEEL || answer == GIT_EINVALIDSPEC)
		return rg_error_new(RG_E_NOTFOUND, "revision '%s': is not a %s", revision,
				    git_object_type2string(type));
	return answer < 0 ? rg_git_error(answer, "revision '%s'", revision) : NULL;
}

rg_error *rg_worktree_resolve(rg_worktree *worktree, const char *revision, char out[41])
{
	RG_AUTO_PTR(git_object) commit = NULL;
	RG_TRY(rg_git_resolve(worktree, revision, GIT_OBJECT_COMMIT, &commit));
	git_oid_tostr(out, 41, git_object_id(commit));
	return NULL;
}

rg_error *rg_worktree_check_revision(rg_worktree *worktree, const char *revision)
{
	RG_AUTO_PTR(git_object) tree = NULL;
	return rg_git_resolve(worktree, revision, GIT_OBJECT_TREE, &tree);
}

rg_error *rg_worktree_ancestry(rg_worktree *worktree, const char *commit, rg_ancestry *out)
{
	bool shallow = rg_worktree_is_shallow(worktree);
	RG_AUTO_PTR(git_commit) found = NULL;
	git_oid head, id;

	*out = shallow ? RG_HISTORY_NOT_KNOWN : RG_NOT_IN_HISTORY;
	if (git_oid_fromstr(&id, commit))
		return NULL;
	int answer = git_reference_name_to_id(&head, worktree->repository, "HEAD");
	if (!answer)
		answer = git_commit_lookup(&found, worktree->repository, &id);
	if (answer)
		return NULL;
	answer = git_oid_equal(&head, &id)
			 ? 1
			 : git_graph_descendant_of(worktree->repository, &head, &id);
	if (answer > 0)
		*out = RG_IN_HISTORY;
	return answer < 0 ? rg_git_error(answer, "the history of HEAD") : NULL;
}

rg_error *rg_worktree_merge_base(rg_worktree *worktree, const char *one, const char *two,
				 char out[41])
{
	RG_AUTO_PTR(git_object) a = NULL;
	RG_AUTO_PTR(git_object) b = NULL;
	git_oid id;

	RG_TRY(rg_git_resolve(worktree, one, GIT_OBJECT_COMMIT, &a));
	RG_TRY(rg_git_resolve(worktree, two, GIT_OBJECT_COMMIT, &b));
	int answer = git_merge_base(&id, worktree->repository, git_object_id(a), git_object_id(b));
	if (answer == GIT_ENOTFOUND && rg_worktree_is_shallow(worktree))
		return rg_error_new(RG_E_GIT,
				    "this shallow clone does not show where '%s' and '%s' parted; "
				    "'git fetch --unshallow' gets the rest of the history",
				    one, two);
	if (answer == GIT_ENOTFOUND)
		return rg_error_new(RG_E_NOTFOUND,
				    "'%s' and '%s' have no common ancestor; without --merge-base "
				    "they are compared themselves",
				    one, two);
	if (answer < 0)
		return rg_git_error(answer, "merge base of '%s' and '%s'", one, two);
	git_oid_tostr(out, 41, &id);
	return NULL;
}

/* `id` gets the tree's, too. */
static rg_error *resolve_tree(rg_worktree *worktree, const char *revision, git_tree **out,
			      char id[41])
{
	git_object *tree;
	RG_TRY(rg_git_resolve(worktree, revision, GIT_OBJECT_TREE, &tree));
	*out = (git_tree *)tree;
	git_oid_tostr(id, 41, git_object_id(tree));
	return NULL;
}

rg_error *rg_git_resolve_sides(rg_worktree *worktree, const rg_change_query *query, git_tree **base,
			       git_tree **to, rg_change_list *list)
{
	const char *from = query->base ? query->base : "HEAD";
	char parted[41] = "";

	if (!query->base)
		RG_TRY(rg_worktree_require_commit(worktree));
	if (query->merge_base) {
		RG_TRY(rg_worktree_merge_base(worktree, from, query->to ? query->to : "HEAD",
					      parted));
		from = parted;
	}
	RG_TRY(resolve_tree(worktree, from, base, list->base_id));
	if (query->to)
		return resolve_tree(worktree, query->to, to, list->to_id);
	if (query->staged)
		list->to_id[0] = ':';
	return NULL;
}

bool rg_git_is_file_mode(unsigned mode)
{
	return mode == GIT_FILEMODE_BLOB || mode == GIT_FILEMODE_BLOB_EXECUTABLE ||
	       mode == 0100664; /* found in old trees */
}

rg_error *rg_git_find_in_tree(const rg_worktree *worktree, git_tree *tree, const char *path,
			      git_oid *id, unsigned *mode)
{
	RG_AUTO_PTR(git_tree_entry) entry = NULL;
	int answer = git_tree_entry_bypath(&entry, tree, path);
	const git_error *last = git_error_last();

	if (answer == GIT_ENOTFOUND && last && last->klass == GIT_ERROR_ODB)
		return rg_git_lacks_object(worktree, path, true);
	if (answer < 0 && answer != GIT_ENOTFOUND)
		return rg_git_error(answer, "%s", path);
	*mode = entry ? git_tree_entry_filemode_raw(entry) : 0;
	if (!rg_git_is_file_mode(*mode))
		*mode = 0;
	if (*mode)
		git_oid_cpy(id, git_tree_entry_id(entry));
	return NULL;
}
