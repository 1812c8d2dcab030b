#include "worktree/internal.h"

#include <stdlib.h>
#include <string.h>

static rg_error *ask(const rg_worktree *worktree, const char *path, bool *out)
{
	int ignored = 0, answer = git_ignore_path_is_ignored(&ignored, worktree->repository, path);

	*out = ignored;
	return answer < 0 ? rg_git_error(answer, "%s", path) : NULL;
}

rg_error *rg_git_is_ignored(const rg_worktree *worktree, const char *path, rg_buf *seen, bool *out)
{
	const char *slash;
	size_t length;
	rg_error *err;
	char *folder;

	RG_TRY(ask(worktree, path, out));
	for (slash = strchr(path, '/'); slash && !*out; slash = strchr(slash + 1, '/')) {
		length = (size_t)(slash - path);
		if (!strncmp(seen->data, path, length + 1))
			continue;
		RG_TRY(rg_strndup(&folder, path, length));
		err = ask(worktree, folder, out);
		free(folder);
		RG_TRY(err);
	}
	if (*out || !(slash = strrchr(path, '/')))
		return NULL;
	rg_buf_clear(seen);
	rg_buf_add(seen, path, (size_t)(slash - path) + 1);
	return rg_buf_check(seen, "a path");
}
