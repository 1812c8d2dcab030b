/* SPDX-License-Identifier: Apache-2.0 */
#include "update/siblings.h"

#include "base/memory.h"
#include "base/path.h"
#include "base/pattern.h"
#include "update/safe_tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void rg_siblings_release(rg_siblings *siblings)
{
	free(siblings->paths);
	rg_arena_release(&siblings->arena);
	*siblings = (rg_siblings){0};
}

/* One search. */
typedef struct {
	rg_siblings *out;
	const rg_plan *plan;
	const rg_rules *rules; /* may be NULL */
	bool gone;             /* what the run no longer makes, and else its siblings */
} find_state;

/* Is it what the run no longer makes? */
static bool is_gone(const find_state *s, const char *path)
{
	size_t root = strlen(s->plan->options->root);
	return s->rules && !rg_plan_find(s->plan, path) &&
	       rg_rules_complete(s->rules, path + root + (root > 0));
}

/* Is a sibling spoken of already, or as it should be? What was left out is neither. */
static bool is_dealt_with(const find_state *s, const char *path)
{
	const rg_plan_item *item = rg_plan_find(s->plan, path);
	return item ? !item->left_out || item->change == RG_PLAN_UNCHANGED : is_gone(s, path);
}

/* Adds the goldens that are looked for in an open folder, which it closes; its path ends in '/' or
 * is empty. */
static rg_error *read_folder(const find_state *s, int fd, const char *folder, size_t length)
{
	DIR *entries = fdopendir(fd);
	struct dirent *entry;

	if (!entries) {
		rg_error *err = rg_error_io(errno, "%.*s", (int)length, folder);
		close(fd);
		return err;
	}
	while ((errno = 0, entry = readdir(entries)) != NULL) {
		struct stat st;
		/* Links and folders are not goldens, whatever they are called. */
		if (fstatat(dirfd(entries), entry->d_name, &st, AT_SYMLINK_NOFOLLOW) ||
		    !S_ISREG(st.st_mode))
			continue;
		const char *path = rg_arena_textf(&s->out->arena, "%.*s%s", (int)length, folder,
						  entry->d_name);
		if (rg_globs_take(s->plan->options->files, path) &&
		    (s->gone ? is_gone(s, path) : !is_dealt_with(s, path)))
			*RG_PUSH(s->out->paths, s->out->count, s->out->capacity) = path;
	}
	int failed = errno;
	closedir(entries);
	return failed ? rg_error_io(failed, "%.*s", (int)length, folder) : NULL;
}

static rg_error *look(const find_state *s)
{
	const rg_plan *plan = s->plan;
	const char *previous = "";
	size_t previous_length = 0;

	for (size_t i = 0; i < plan->count; i++) {
		const char *path = plan->items[i].golden->target, *name;
		const char *slash = strrchr(path, '/');
		size_t length = slash ? (size_t)(slash - path) + 1 : 0;
		int folder;

		if (plan->items[i].is_link ||
		    (!s->gone && !rg_plan_item_is_taken(&plan->items[i])) ||
		    (length == previous_length && !strncmp(path, previous, length)))
			continue;
		previous = path;
		previous_length = length;
		RG_TRY(rg_tree_folder(plan->tree, path, false, &folder, &name));
		if (folder >= 0)
			RG_TRY(read_folder(s, folder, path, length));
	}
	/* A folder is read again after the folders in it. */
	s->out->count = rg_path_sort_unique(s->out->paths, s->out->count);
	return NULL;
}

rg_error *rg_siblings_find(rg_siblings *out, const rg_plan *plan, const rg_rules *rules)
{
	return look(&(find_state){out, plan, rules, false});
}

rg_error *rg_siblings_gone(rg_siblings *out, const rg_plan *plan, const rg_rules *rules)
{
	return look(&(find_state){out, plan, rules, true});
}
