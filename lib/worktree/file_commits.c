/* SPDX-License-Identifier: Apache-2.0 */
#include "worktree/file_commits.h"

#include "base/memory.h"
#include "base/cancel.h"
#include "worktree/internal.h"
#include "worktree/revisions.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* A commit, and the file in it. */
typedef struct {
	git_commit *commit; /* NULL: none */
	char *path;
	git_oid blob;
} place;

typedef struct {
	rg_worktree *worktree;
	rg_file_commit_fn *visit;
	void *context;
	place at;
	bool shallow;
} walk;

static void place_release(place *p)
{
	git_commit_free(p->commit);
	free(p->path);
	*p = (place){0};
}

static void walk_release(walk *w)
{
	place_release(&w->at);
}

static rg_error *find_in_commit(const rg_worktree *worktree, git_commit *commit, const char *path,
				git_oid *blob, bool *found)
{
	RG_AUTO_PTR(git_tree) tree = NULL;
	unsigned mode;
	int answer = git_commit_tree(&tree, commit);

	*found = false;
	if (answer == GIT_ENOTFOUND)
		return rg_git_lacks_object(worktree, "walking history", true);
	if (answer < 0)
		return rg_git_error(answer, "walking history");
	RG_TRY(rg_git_find_in_tree(worktree, tree, path, blob, &mode));
	*found = mode;
	return NULL;
}

static rg_error *get_parent(const walk *w, unsigned index, git_commit **out)
{
	int answer = git_commit_parent(out, w->at.commit, index);
	return answer < 0 ? rg_git_error(answer, "walking history") : NULL;
}

/* The first parent with the same bytes; *same is false, and it is the first with the file, where
 * none has them. */
static rg_error *find_older(const walk *w, place *out, bool *same)
{
	unsigned count = git_commit_parentcount(w->at.commit);
	*same = false;

	for (unsigned i = 0; i < count && !*same; i++) {
		RG_AUTO_PTR(git_commit) parent = NULL;
		git_oid blob;
		bool found;

		RG_TRY(get_parent(w, i, &parent));
		RG_TRY(find_in_commit(w->worktree, parent, w->at.path, &blob, &found));
		*same = found && git_oid_equal(&blob, &w->at.blob);
		if (*same || (found && !out->commit)) {
			git_commit_free(out->commit);
			out->commit = RG_TAKE(parent);
			out->blob = blob;
		}
	}
	if (out->commit)
		out->path = rg_strdup(w->at.path);
	return NULL;
}

/* The name that a file, which no parent has, has in the first parent. */
static rg_error *find_renamed(const walk *w, place *out)
{
	char before[41], after[41];
	const rg_change_query query = {.base = before, .to = after};
	RG_AUTO(rg_change_list) list = {0};

	if (!git_commit_parentcount(w->at.commit))
		return NULL;
	git_oid_tostr(before, sizeof(before), git_commit_parent_id(w->at.commit, 0));
	git_oid_tostr(after, sizeof(after), git_commit_id(w->at.commit));
	RG_TRY(rg_worktree_changes(w->worktree, &query, &list));
	for (size_t i = 0; i < list.count; i++) {
		const rg_change *change = &list.items[i];
		if (change->kind != RG_CHANGE_RENAMED || strcmp(change->path, w->at.path) != 0)
			continue;
		out->path = rg_strdup(change->old_path);
		if (git_oid_fromstr(&out->blob, change->old_id))
			return rg_git_error(-1, "%s", change->old_path);
		return get_parent(w, 0, &out->commit);
	}
	return NULL;
}

static rg_error *show(const walk *w, bool *stop)
{
	const char *subject = git_commit_summary(w->at.commit);
	const char *message = git_commit_message(w->at.commit);
	rg_file_commit version = {.subject = subject ? subject : "",
				  .message = message ? message : ""};

	git_oid_tostr(version.id, sizeof(version.id), git_commit_id(w->at.commit));
	rg_git_commit_time(w->at.commit, version.when);
	return w->visit(w->context, &version, stop);
}

/* Goes one commit back; *stop where there is nothing beyond it, *cut where the clone does not show
 * what is. */
static rg_error *step(walk *w, bool *stop, bool *cut)
{
	RG_AUTO(place) older = {0};
	bool same;
	RG_AUTO_PTR(rg_error) err = find_older(w, &older, &same);

	if (!err && !older.commit) {
		err = find_renamed(w, &older);
		same = older.commit && git_oid_equal(&older.blob, &w->at.blob);
	}
	*cut = w->shallow && !git_commit_parentcount(w->at.commit);
	if (err && rg_error_get_code(err) != RG_E_GONE)
		return RG_TAKE(err);
	if (err) {
		*cut = true;
		place_release(&older);
	}
	if (!same && !*cut)
		RG_TRY(show(w, stop));
	*stop |= !older.commit;
	place_release(&w->at);
	w->at = older;
	older = (place){0};
	return NULL;
}

rg_error *rg_worktree_file_commits(rg_worktree *worktree, const char *path,
				   rg_file_commit_fn *visit, void *context, bool *cut)
{
	RG_AUTO(walk) w = {worktree, visit, context, .shallow = rg_worktree_is_shallow(worktree)};
	git_object *head;
	bool found, stop = false;

	*cut = false;
	RG_TRY(rg_git_resolve(worktree, "HEAD", GIT_OBJECT_COMMIT, &head));
	w.at.commit = (git_commit *)head;
	w.at.path = rg_strdup(path);
	RG_TRY(find_in_commit(worktree, w.at.commit, path, &w.at.blob, &found));
	if (!found)
		return rg_error_new(RG_E_NOTFOUND,
				    "%s: is not in HEAD, and only what is committed has a history",
				    path);
	while (!stop) {
		RG_TRY(rg_cancel_check());
		RG_TRY(step(&w, &stop, cut));
	}
	return NULL;
}

rg_error *rg_worktree_is_changed(rg_worktree *worktree, const char *path, bool *out)
{
	const rg_change_query query = {.as_in_index = true};
	RG_AUTO(rg_change_list) list = {0};

	RG_TRY(rg_worktree_named(worktree, &query, &path, 1, &list));
	const rg_change *change = &list.items[0];
	*out = change->kind != RG_CHANGE_MODIFIED || change->unmerged ||
	       (*change->new_id ? strcmp(change->old_id, change->new_id) != 0
				: !rg_git_has_bytes(worktree, path, change->old_id));
	return NULL;
}

/* A value that goes on in further lines becomes one. */
static void unfold(char *value)
{
	char *to = value;
	for (; *value; value++) {
		if (*value == '\n') {
			value += strspn(value + 1, " \t");
			*to++ = ' ';
		} else {
			*to++ = *value;
		}
	}
	*to = '\0';
}

rg_error *rg_trailer_find(rg_arena *arena, const char *message, const char *key, size_t max,
			  const char **out)
{
	git_message_trailer_array trailers = {0};
	*out = NULL;

	RG_TRY(rg_git_acquire());
	bool failed = git_message_trailers(&trailers, message) < 0;
	rg_error *err = failed ? rg_git_error(-1, "a commit's message") : NULL;
	for (size_t i = failed ? 0 : trailers.count; !*out && i-- > 0;) {
		const git_message_trailer *trailer = &trailers.trailers[i];
		if (strcasecmp(trailer->key, key) != 0)
			continue;
		char *value = rg_arena_copy(arena, trailer->value, strnlen(trailer->value, max));
		unfold(value);
		*out = value;
	}
	git_message_trailer_array_free(&trailers);
	rg_git_release();
	return err;
}
