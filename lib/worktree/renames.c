/* SPDX-License-Identifier: Apache-2.0 */
/* Which new file a removed one has become: the one with its bytes, or the most similar one. */
#include "base/file.h"
#include "base/memory.h"
#include "base/order.h"
#include "worktree/internal.h"

#include <git2/sys/hashsig.h>

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* As in git: how similar two files must be, in percent, how many pairs are compared for that, and
 * how large a file may be (core.bigFileThreshold). */
enum { SIMILAR_MIN = 50, PAIRS_MAX = 1000 * 1000, LARGE = 512 << 20 };

typedef struct {
	rg_change *change;
	char id[41]; /* of its bytes; "" where they cannot be read */
	size_t size;
	git_hashsig *signature; /* NULL: not asked for yet, or there is none */
	bool is_signed, is_paired;
} candidate;

typedef struct {
	candidate *from, *to;
	int score;
} pair;

typedef struct {
	rg_worktree *worktree;
	candidate *removed, *fresh;
	size_t removed_count, fresh_count;
	pair *pairs;
	size_t pair_count, pair_capacity;
} search;

static void search_release(search *s)
{
	for (size_t i = 0; i < s->removed_count; i++)
		git_hashsig_free(s->removed[i].signature);
	for (size_t i = 0; i < s->fresh_count; i++)
		git_hashsig_free(s->fresh[i].signature);
	free(s->removed);
	free(s->fresh);
	free(s->pairs);
}

static char *full_path(const search *s, const candidate *c)
{
	return rg_textf("%s%s", rg_worktree_root(s->worktree), c->change->path);
}

/* A file that cannot be read was not renamed: whoever reads it will say why. */
static void identify(search *s, candidate *c)
{
	const char *id = c->change->kind == RG_CHANGE_REMOVED ? c->change->old_id
							      : c->change->new_id;
	struct stat st;
	git_oid oid;

	if (*id) {
		memcpy(c->id, id, sizeof(c->id));
		RG_AUTO_PTR(rg_error) err = rg_git_blob_size(s->worktree, id, &c->size);
		return;
	}
	RG_AUTO_FREE char *path = full_path(s, c);
	if (!lstat(path, &st) && !git_repository_hashfile(&oid, s->worktree->repository, path,
							  GIT_OBJECT_BLOB, c->change->path)) {
		c->size = (size_t)st.st_size;
		git_oid_tostr(c->id, sizeof(c->id), &oid);
	}
}

/* Reads the whole file at once: libgit2's own reader of files starts again every 4 KiB, so that a
 * file of one long line is nothing like the blob that it was. */
static void sign(search *s, candidate *c)
{
	RG_AUTO(rg_buf) bytes = rg_buf_of(LARGE);
	if (c->is_signed)
		return;
	c->is_signed = true;
	RG_AUTO_FREE char *path = full_path(s, c);
	RG_AUTO_PTR(rg_error)
	err = c->change->kind == RG_CHANGE_REMOVED || *c->change->new_id
		      ? rg_worktree_blob(s->worktree, c->id, &bytes)
		      : rg_file_read(&bytes, path);
	if (!err &&
	    git_hashsig_create(&c->signature, bytes.data, bytes.length,
			       GIT_HASHSIG_SMART_WHITESPACE | GIT_HASHSIG_ALLOW_SMALL_FILES) < 0)
		c->signature = NULL;
}

static void compare(search *s, candidate *from, candidate *to)
{
	size_t less = from->size < to->size ? from->size : to->size;
	size_t more = from->size < to->size ? to->size : from->size;

	if (from->is_paired || to->is_paired || more > LARGE || !less || less < more / 2)
		return;
	sign(s, from);
	sign(s, to);
	if (!from->signature || !to->signature)
		return;
	int score = git_hashsig_compare(from->signature, to->signature);
	if (score >= SIMILAR_MIN)
		*RG_PUSH(s->pairs, s->pair_count, s->pair_capacity) = (pair){from, to, score};
}

/* The most similar first; among equals, in the order of paths. */
RG_ORDER(compare_pairs, pair, RG_FALLING(score) || RG_RISING(to) || RG_RISING(from));

static void rename_one(candidate *from, candidate *to)
{
	if (from->is_paired || to->is_paired)
		return;
	from->is_paired = to->is_paired = true;
	to->change->kind = RG_CHANGE_RENAMED;
	to->change->old_path = from->change->path;
	memcpy(to->change->old_id, from->change->old_id, sizeof(to->change->old_id));
	from->change->kind = RG_CHANGE_NONE;
}

static void pair_all(search *s)
{
	for (size_t i = 0; i < s->fresh_count; i++)
		for (size_t k = 0; k < s->removed_count; k++)
			if (*s->fresh[i].id && !strcmp(s->fresh[i].id, s->removed[k].id))
				rename_one(&s->removed[k], &s->fresh[i]);
	if (s->removed_count > PAIRS_MAX / s->fresh_count)
		return;
	for (size_t i = 0; i < s->fresh_count; i++)
		for (size_t k = 0; k < s->removed_count; k++)
			compare(s, &s->removed[k], &s->fresh[i]);
	if (s->pair_count)
		qsort(s->pairs, s->pair_count, sizeof(*s->pairs), compare_pairs);
	for (size_t i = 0; i < s->pair_count; i++)
		rename_one(s->pairs[i].from, s->pairs[i].to);
}

void rg_git_pair_renames(rg_worktree *worktree, rg_change_list *list)
{
	RG_AUTO(search) s = {.worktree = worktree};
	size_t kept = 0;

	s.removed = rg_calloc(list->count + 1, sizeof(*s.removed));
	s.fresh = rg_calloc(list->count + 1, sizeof(*s.fresh));
	for (size_t i = 0; i < list->count; i++) {
		rg_change *change = &list->items[i];
		if (change->kind == RG_CHANGE_REMOVED)
			s.removed[s.removed_count++].change = change;
		else if (change->kind == RG_CHANGE_NEW)
			s.fresh[s.fresh_count++].change = change;
	}
	if (!s.removed_count || !s.fresh_count)
		return;
	for (size_t i = 0; i < s.removed_count; i++)
		identify(&s, &s.removed[i]);
	for (size_t i = 0; i < s.fresh_count; i++)
		identify(&s, &s.fresh[i]);
	pair_all(&s);
	for (size_t i = 0; i < list->count; i++)
		if (list->items[i].kind != RG_CHANGE_NONE)
			list->items[kept++] = list->items[i];
	list->count = kept;
}
