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

static rg_error *find_in_commit(const rg_worktree *worktree, git_commit *commit, const char *path,
				git_oid *blob, bool *found)
{
	git_tree *tree;
	unsigned mode;
	int answer = git_commit_tree(&tree, commit);

	*found = false;
	if (answer == GIT_ENOTFOUND)
		return rg_git_lacks_object(worktree, "walking history", true);
	if (answer < 0)
		return rg_git_error(answer, "walking history");
	rg_error *err = rg_git_find_in_tree(worktree, tree, path, blob, &mode);
	git_tree_free(tree);
	*found = !err && mode;
	return err;
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

	rg_error *err = NULL;
	for (unsigned i = 0; i < count && !err && !*same; i++) {
		git_commit *parent;
		git_oid blob;
		bool found;

		RG_TRY(get_parent(w, i, &parent));
		err = find_in_commit(w->worktree, parent, w->at.path, &blob, &found);
		*same = !err && found && git_oid_equal(&blob, &w->at.blob);
		if (*same || (!err && found && !out->commit)) {
			git_commit_free(out->commit);
			out->commit = parent;
			out->blob = blob;
		} else {
			git_commit_free(parent);
		}
	}
	if (!err && out->commit)
		out->path = rg_strdup(w->at.path);
	return err;
}

/* The name that a file, which no parent has, has in the first parent. */
static rg_error *find_renamed(const walk *w, place *out)
{
	char before[41], after[41];
	const rg_change_query query = {.base = before, .to = after};
	rg_change_list list;
	rg_error *err;
	size_t i;

	if (!git_commit_parentcount(w->at.commit))
		return NULL;
	git_oid_tostr(before, sizeof(before), git_commit_parent_id(w->at.commit, 0));
	git_oid_tostr(after, sizeof(after), git_commit_id(w->at.commit));
	RG_TRY(rg_worktree_changes(w->worktree, &query, &list));
	for (i = 0, err = NULL; i < list.count && !err; i++) {
		const rg_change *change = &list.items[i];
		if (change->kind != RG_CHANGE_RENAMED || strcmp(change->path, w->at.path) != 0)
			continue;
		out->path = rg_strdup(change->old_path);
		if (!err && git_oid_fromstr(&out->blob, change->old_id))
			err = rg_git_error(-1, "%s", change->old_path);
		if (!err)
			err = get_parent(w, 0, &out->commit);
	}
	rg_change_list_release(&list);
	return err;
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
	place older = {0};
	bool same;
	rg_error *err = find_older(w, &older, &same);

	if (!err && !older.commit) {
		err = find_renamed(w, &older);
		same = older.commit && git_oid_equal(&older.blob, &w->at.blob);
	}
	*cut = w->shallow && !git_commit_parentcount(w->at.commit);
	if (err && rg_error_get_code(err) == RG_E_GONE) {
		rg_error_free(err);
		err = NULL;
		*cut = true;
		place_release(&older);
	}
	if (!err && !same && !*cut)
		err = show(w, stop);
	*stop |= !older.commit;
	place_release(&w->at);
	w->at = older;
	return err;
}

static rg_error *start(walk *w, const char *path)
{
	git_object *head;
	bool found;

	RG_TRY(rg_git_resolve(w->worktree, "HEAD", GIT_OBJECT_COMMIT, &head));
	w->at.commit = (git_commit *)head;
	w->at.path = rg_strdup(path);
	RG_TRY(find_in_commit(w->worktree, w->at.commit, path, &w->at.blob, &found));
	return found ? NULL
		     : rg_error_new(RG_E_NOTFOUND,
				    "%s: is not in HEAD, and only what is committed has a history",
				    path);
}

rg_error *rg_worktree_file_commits(rg_worktree *worktree, const char *path,
				   rg_file_commit_fn *visit, void *context, bool *cut)
{
	walk w = {.worktree = worktree,
		  .visit = visit,
		  .context = context,
		  .shallow = rg_worktree_is_shallow(worktree)};
	rg_error *err = start(&w, path);
	bool stop = false;

	*cut = false;
	while (!err && !stop) {
		err = rg_cancel_check();
		if (!err)
			err = step(&w, &stop, cut);
	}
	place_release(&w.at);
	return err;
}

rg_error *rg_worktree_is_changed(rg_worktree *worktree, const char *path, bool *out)
{
	const rg_change_query query = {.as_in_index = true};
	rg_change_list list;

	RG_TRY(rg_worktree_named(worktree, &query, &path, 1, &list));
	const rg_change *change = &list.items[0];
	*out = change->kind != RG_CHANGE_MODIFIED || change->unmerged ||
	       (*change->new_id ? strcmp(change->old_id, change->new_id) != 0
				: !rg_git_has_bytes(worktree, path, change->old_id));
	rg_change_list_release(&list);
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

static const char *find_last(rg_arena *arena, const git_message_trailer_array *trailers,
			     const char *key, size_t max)
{
	for (size_t i = trailers->count; i-- > 0;) {
		const git_message_trailer *trailer = &trailers->trailers[i];
		char *value;

		if (strcasecmp(trailer->key, key) != 0)
			continue;
		value = rg_arena_copy(arena, trailer->value, strnlen(trailer->value, max));
		unfold(value);
		return value;
	}
	return NULL;
}

rg_error *rg_trailer_find(rg_arena *arena, const char *message, const char *key, size_t max,
			  const char **out)
{
	git_message_trailer_array trailers = {0};
	*out = NULL;

	RG_TRY(rg_git_acquire());
	rg_error *err = NULL;
	if (git_message_trailers(&trailers, message) < 0)
		err = rg_git_error(-1, "a commit's message");
	else {
		*out = find_last(arena, &trailers, key, max);
		err = NULL;
	}
	git_message_trailer_array_free(&trailers);
	rg_git_release();
	return err;
}
