/* What a revision names, as git has it: libgit2 1.5 falls short of that here and there. */
#include "base/number.h"
#include "worktree/internal.h"
#include "worktree/versions.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define HEAD_LOG "HEAD@{"

/* git's '@' is HEAD in front of what leads on from it, too ("@~2"); libgit2's only alone. */
static bool begins_with_at(const char *revision)
{
	return revision[0] == '@' && revision[1] && strchr("~^:", revision[1]);
}

/* What stands in "@{…}": a place in a log or a date, but not "@{-1}" or "@{upstream}". */
static bool is_of_log(const char *text)
{
	return *text && *text != '-' && *text != '}' && strncasecmp(text, "u}", 2) != 0 &&
	       strncasecmp(text, "upstream}", 9) != 0;
}

/* Would libgit2 look in a log that is not there? It would make it. */
static rg_error *lacks_log(rg_worktree *worktree, const char *revision, bool *out)
{
	const char *at = strstr(revision, "@{");
	git_reference *reference = NULL;
	char *name;

	*out = false;
	if (!at || (at[2] != '-' && !is_of_log(at + 2)))
		return NULL;
	/* "@{-1}", a branch that was left, is found in HEAD's, too. */
	if (at[2] == '-' || !strncmp(revision, HEAD_LOG, strlen(HEAD_LOG))) {
		*out = git_reference_has_log(worktree->repository, "HEAD") != 1;
		return NULL;
	}
	/* Without a name it is the branch's. */
	if (at == revision)
		RG_TRY(rg_strdup(&name, "HEAD"));
	else
		RG_TRY(rg_strndup(&name, revision, (size_t)(at - revision)));
	if (!git_reference_dwim(&reference, worktree->repository, name))
		*out = git_reference_has_log(worktree->repository, git_reference_name(reference)) !=
		       1;
	git_reference_free(reference);
	free(name);
	return NULL;
}

/* What HEAD was `back` movements ago; all zeros where its log does not reach that far. */
static rg_error *find_in_log(rg_worktree *worktree, uint64_t back, git_oid *out)
{
	const git_reflog_entry *entry;
	git_reflog *log;
	size_t count;
	int answer = git_reflog_read(&log, worktree->repository, "HEAD");

	memset(out, 0, sizeof(*out));
	if (answer < 0)
		return rg_git_error(answer, "HEAD's log");
	count = git_reflog_entrycount(log);
	if (back < count) {
		entry = git_reflog_entry_byindex(log, (size_t)back);
		git_oid_cpy(out, git_reflog_entry_id_new(entry));
	} else if (count && back == count) { /* in front of the first movement */
		entry = git_reflog_entry_byindex(log, count - 1);
		git_oid_cpy(out, git_reflog_entry_id_old(entry));
	}
	git_reflog_free(log);
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
					    "revision '%s': HEAD's log does not reach that far",
					    revision);
		git_oid_tostr(hex, sizeof(hex), &id);
		return rg_textf(out, "%s%s", hex, end + 1);
	}
	if (!detached && length && is_of_log(text))
		return rg_error_new(
			RG_E_NOTFOUND,
			"revision '%s': libgit2 finds dates in the log of a branch alone; "
			"name that, or HEAD@{N}",
			revision);
	return rg_strdup(out, revision);
}

static rg_error *spell(rg_worktree *worktree, const char *revision, char **out)
{
	if (begins_with_at(revision))
		return rg_textf(out, "HEAD%s", revision + 1);
	if (!strncmp(revision, HEAD_LOG, strlen(HEAD_LOG)))
		return spell_head_log(worktree, revision, out);
	return rg_strdup(out, revision);
}

static rg_error *not_found(const rg_worktree *worktree, const char *revision)
{
	bool searches = strstr(revision, ":/") || strstr(revision, "{/");

	if (strstr(revision, "..") && !searches)
		return rg_error_new(
			RG_E_NOTFOUND,
			"revision '%s': is a range; its ends go apart: --base A --to B%s", revision,
			strstr(revision, "...") ? " --merge-base" : "");
	if (revision[0] == ':' && !searches)
		return rg_error_new(
			RG_E_NOTFOUND,
			"revision '%s': names a file of the index; --staged looks there", revision);
	return rg_error_new(RG_E_NOTFOUND, "revision '%s': names nothing in this %s", revision,
			    rg_worktree_is_shallow(worktree)
				    ? "shallow clone; 'git fetch' with its name gets a branch or a "
				      "tag, 'git fetch --unshallow' the rest of the history"
				    : "repository");
}

rg_error *rg_git_resolve(rg_worktree *worktree, const char *revision, git_object_t type,
			 git_object **out)
{
	git_object *named = NULL;
	bool no_log;
	char *spelled;
	int answer;

	*out = NULL;
	RG_TRY(lacks_log(worktree, revision, &no_log));
	if (no_log)
		return rg_error_new(RG_E_NOTFOUND, "revision '%s': there is no log of that",
				    revision);
	RG_TRY(spell(worktree, revision, &spelled));
	answer = git_revparse_single(&named, worktree->repository, spelled);
	free(spelled);
	if (answer == GIT_ENOTFOUND || answer == GIT_EINVALIDSPEC ||
	    (answer < 0 && revision[0] == ':'))
		return not_found(worktree, revision);
	if (answer < 0)
		return rg_git_error(answer, "revision '%s'", revision);
	answer = git_object_peel(out, named, type);
	git_object_free(named);
	if (answer < 0)
		return rg_error_new(RG_E_NOTFOUND, "revision '%s': is not a %s", revision,
				    git_object_type2string(type));
	return NULL;
}

rg_error *rg_worktree_resolve(rg_worktree *worktree, const char *revision, char out[41])
{
	git_object *commit;

	RG_TRY(rg_git_resolve(worktree, revision, GIT_OBJECT_COMMIT, &commit));
	git_oid_tostr(out, 41, git_object_id(commit));
	git_object_free(commit);
	return NULL;
}
