/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/blame.h"

#include "place/sides.h"
#include "report/commit_message.h"
#include "worktree/file_commits.h"

#include <string.h>
#include <sys/stat.h>

/* Bytes of a subject or trailer that are shown. */
enum { TEXT_MAX = 500 };

static void keep_commit(rg_arena *arena, rg_blame_commit *out, const rg_file_commit *version)
{
	out->subject = rg_arena_copy(arena, version->subject, strnlen(version->subject, TEXT_MAX));
	out->when = rg_arena_text(arena, version->when);
	out->id = rg_arena_text(arena, version->id);
}

static rg_error *look_at(void *context, const rg_file_commit *version, bool *stop)
{
	rg_blame *blame = context;
	const struct {
		const char *key, **out;
	} trailers[] = {
		{RG_TRAILER_RUN, &blame->run},
		{RG_TRAILER_ATTEMPT, &blame->attempt},
		{RG_TRAILER_COMMIT, &blame->commit},
		{RG_TRAILER_SCOPE, &blame->scope},
	};

	for (size_t i = 0; i < sizeof(trailers) / sizeof(trailers[0]); i++) {
		RG_TRY(rg_trailer_find(&blame->arena, version->message, trailers[i].key, TEXT_MAX,
				       trailers[i].out));
		if (!blame->run)
			break;
	}
	*stop = blame->run != NULL;
	if (blame->run) {
		keep_commit(&blame->arena, &blame->named, version);
		return NULL;
	}
	if (!blame->unnamed++)
		keep_commit(&blame->arena, &blame->newest, version);
	return NULL;
}

rg_error *rg_blame_golden(rg_blame *out, const rg_flow *flow, const char *path)
{
	struct stat st;
	char *inner;
	*out = (rg_blame){0};
	rg_arena_init(&out->arena);
	RG_TRY(rg_place_check_name(path));
	RG_TRY(rg_place_inner_path(&inner, flow->arena, flow->worktree, path));
	if (!inner)
		return rg_error_new(RG_E_USAGE, "'%s' is outside the repository", path);
	out->path = rg_arena_text(&out->arena, inner);
	rg_error *err = rg_worktree_file_commits(flow->worktree, inner, look_at, out, &out->cut);
	if (!err)
		err = rg_worktree_is_changed(flow->worktree, inner, &out->uncommitted);
	if (!err || rg_error_get_code(err) != RG_E_NOTFOUND || !lstat(path, &st))
		return err;
	rg_error_free(err);
	return rg_error_new(RG_E_NOTFOUND, "'%s' is neither in HEAD nor in the working tree", path);
}

void rg_blame_release(rg_blame *blame)
{
	rg_arena_release(&blame->arena);
}
