#include "worktree/stage.h"

#include "base/file.h"
#include "base/pattern.h"
#include "worktree/internal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { PATTERNS_MAX = 1 << 24, PATH_SIZE = 4097 };

struct rg_index {
	git_index *index;
	bool ignores_case;
	bool sparse;
	char *patterns; /* the lines of info/sparse-checkout, each ended by a NUL; NULL: none */
	size_t patterns_size;
	char own[PATH_SIZE]; /* a path whose folders are all this repository's own */
};

/* A boolean of the repository's configuration, or of the worktree's own, which libgit2 does not
 * read (git sparse-checkout writes there). */
static bool config_bool(rg_worktree *worktree, const char *key)
{
	git_config *config = NULL;
	char *path = NULL;
	int value = 0;
	rg_error *err;

	if (!git_repository_config_snapshot(&config, worktree->repository) &&
	    git_config_get_bool(&value, config, key))
		value = 0;
	git_config_free(config);
	if (value)
		return true;
	config = NULL;
	err = rg_path_join(&path, rg_worktree_git_dir(worktree), "config.worktree");
	if (!err && !git_config_open_ondisk(&config, path) &&
	    git_config_get_bool(&value, config, key))
		value = 0;
	git_config_free(config);
	rg_error_free(err);
	free(path);
	return value != 0;
}

static rg_error *load_patterns(rg_index *index, rg_worktree *worktree)
{
	rg_error *err;
	rg_buf text;
	char *path, *p;

	RG_TRY(rg_path_join(&path, rg_worktree_git_dir(worktree), "info/sparse-checkout"));
	rg_buf_init(&text, PATTERNS_MAX);
	err = rg_file_read(&text, path);
	if (err && rg_error_errno(err) == ENOENT) {
		rg_error_free(err);
		err = NULL;
	} else if (!err) {
		index->patterns_size = text.length;
		index->patterns = rg_buf_detach(&text);
		if (!index->patterns)
			err = rg_error_nomem();
		for (p = index->patterns; p && *p; p++)
			if (*p == '\n')
				*p = '\0';
	}
	rg_buf_release(&text);
	free(path);
	return err;
}

rg_error *rg_index_open(rg_index **out, rg_worktree *worktree)
{
	rg_index *index = calloc(1, sizeof(*index));
	rg_error *err = NULL;
	int answer;

	*out = NULL;
	if (!index)
		return rg_error_nomem();
	answer = git_repository_index(&index->index, worktree->repository);
	if (answer)
		err = rg_git_explain_index(rg_git_error(answer, "index"));
	index->ignores_case = config_bool(worktree, "core.ignorecase");
	index->sparse = config_bool(worktree, "core.sparsecheckout");
	if (!err && index->sparse)
		err = load_patterns(index, worktree);
	if (err) {
		rg_index_free(index);
		return err;
	}
	*out = index;
	return NULL;
}

void rg_index_free(rg_index *index)
{
	if (!index)
		return;
	git_index_free(index->index);
	free(index->patterns);
	free(index);
}

bool rg_index_ignores_case(const rg_index *index)
{
	return index->ignores_case;
}

/* Does a line of the patterns, without its '!', match a path or folder as gitignore has it? */
static bool line_matches(const char *line, const char *path, bool is_folder)
{
	char pattern[PATH_SIZE];
	size_t length = strlen(line);
	const char *base = strrchr(path, '/');

	if (length >= sizeof(pattern))
		return false;
	memcpy(pattern, line, length + 1);
	if (length && pattern[length - 1] == '/') {
		if (!is_folder)
			return false;
		pattern[length - 1] = '\0';
	}
	if (*pattern == '/')
		return rg_glob_match(pattern + 1, path, 0);
	if (strchr(pattern, '/'))
		return rg_glob_match(pattern, path, 0);
	return rg_glob_match(pattern, base ? base + 1 : path, 0);
}

/* 1: taken in, 0: left out, -1: no line says. The last line that matches counts. */
static int pattern_verdict(const rg_index *index, const char *path, bool is_folder)
{
	const char *line = index->patterns, *end = line + index->patterns_size;
	int verdict = -1;

	for (; line < end; line += strlen(line) + 1) {
		bool negated = *line == '!';

		if (*line && *line != '#' && line_matches(line + negated, path, is_folder))
			verdict = !negated;
	}
	return verdict;
}

/* As git: the path itself, then its folders upwards, until a line decides. */
static bool is_left_out(const rg_index *index, const char *path)
{
	char part[PATH_SIZE];
	size_t length = strlen(path);
	bool is_folder = false;
	char *slash = part;

	if (!index->patterns || length >= sizeof(part))
		return false;
	memcpy(part, path, length + 1);
	while (slash) {
		int verdict = pattern_verdict(index, part, is_folder);

		if (verdict >= 0)
			return !verdict;
		slash = strrchr(part, '/');
		if (slash)
			*slash = '\0';
		is_folder = true;
	}
	return true;
}

bool rg_index_is_outside(const rg_index *index, const char *path)
{
	const git_index_entry *entry = git_index_get_bypath(index->index, path, 0);

	if (entry)
		return entry->flags_extended & GIT_INDEX_ENTRY_SKIP_WORKTREE;
	return index->sparse && is_left_out(index, path);
}

const char *rg_index_twin(const rg_index *index, const char *path)
{
	const git_index_entry *entry =
		index->ignores_case ? git_index_get_bypath(index->index, path, 0) : NULL;

	return entry && strcmp(entry->path, path) != 0 ? entry->path : NULL;
}

const char *rg_index_why_outside(const rg_index *index, const char *path)
{
	if (!rg_index_is_outside(index, path))
		return NULL;
	return index->sparse
		       ? "is outside the sparse checkout; 'git sparse-checkout add' takes it in"
		       : "is marked skip-worktree; 'git update-index --no-skip-worktree' "
			 "takes the mark off";
}

/* A submodule need not be there, and a repository need not be a submodule. */
static bool is_repository(const rg_index *index, const rg_worktree *worktree, const char *folder)
{
	const git_index_entry *entry = git_index_get_bypath(index->index, folder, 0);
	char full[PATH_SIZE];
	struct stat st;
	int length;

	if (entry && entry->mode == GIT_FILEMODE_COMMIT)
		return true;
	length = snprintf(full, sizeof(full), "%s%s/.git", rg_worktree_root(worktree), folder);
	return length > 0 && (size_t)length < sizeof(full) && !lstat(full, &st);
}

/* How many bytes of a path are the folders of another one, too. */
static size_t shared_folders(const char *path, const char *other)
{
	size_t length = 0, i;

	for (i = 0; path[i] && path[i] == other[i]; i++)
		if (path[i] == '/')
			length = i + 1;
	return length;
}

size_t rg_index_inner_repository(rg_index *index, const rg_worktree *worktree, const char *path)
{
	size_t known = shared_folders(path, index->own), i;

	for (i = 0; path[i] && i + 1 < sizeof(index->own); i++) {
		index->own[i] = '\0';
		if (path[i] == '/' && i >= known && is_repository(index, worktree, index->own)) {
			index->own[0] = '\0';
			return i;
		}
		index->own[i] = path[i];
	}
	index->own[i] = '\0';
	return 0;
}

static rg_error *find_in_head(rg_worktree *worktree, const char *path, git_oid *id, bool *found)
{
	git_object *head;
	rg_error *err;

	RG_TRY(rg_git_resolve(worktree, "HEAD", GIT_OBJECT_TREE, &head));
	err = rg_git_find_in_tree((git_tree *)head, path, id, found);
	git_object_free(head);
	return err;
}

/* Is the blob what git would make of the working tree's file? */
static rg_error *is_in_files(rg_worktree *worktree, const char *path, const git_oid *id, bool *out)
{
	git_oid now;
	int answer =
		git_repository_hashfile(&now, worktree->repository, path, GIT_OBJECT_BLOB, NULL);

	*out = !answer && git_oid_equal(&now, id);
	return answer && answer != GIT_ENOTFOUND ? rg_git_error(answer, "%s", path) : NULL;
}

/* The path's own entry, not a twin's. */
static const git_index_entry *find_entry(const rg_index *index, const char *path)
{
	const git_index_entry *entry = git_index_get_bypath(index->index, path, 0);

	return entry && !strcmp(entry->path, path) ? entry : NULL;
}

rg_error *rg_index_hidden_work(const rg_index *index, rg_worktree *worktree, const char *path,
			       char id[41])
{
	const git_index_entry *entry = find_entry(index, path);
	bool found;
	git_oid head;

	id[0] = '\0';
	if (!entry || entry->flags_extended & GIT_INDEX_ENTRY_INTENT_TO_ADD)
		return NULL;
	RG_TRY(find_in_head(worktree, path, &head, &found));
	if (found && git_oid_equal(&head, &entry->id))
		return NULL;
	RG_TRY(is_in_files(worktree, path, &entry->id, &found));
	if (!found)
		git_oid_tostr(id, 41, &entry->id);
	return NULL;
}

rg_error *rg_index_overlooks_work(const rg_index *index, rg_worktree *worktree, const char *path,
				  bool *out)
{
	const git_index_entry *entry = find_entry(index, path);
	bool found, same = false;
	git_oid head;

	*out = false;
	if (entry && !rg_git_may_be_absent(entry))
		return NULL;
	RG_TRY(find_in_head(worktree, path, &head, &found));
	if (found && !rg_git_is_in_conflict(index->index, path))
		RG_TRY(is_in_files(worktree, path, &head, &same));
	*out = !same;
	return NULL;
}

rg_error *rg_index_hides(const rg_index *index, rg_worktree *worktree, const char *path, bool *out)
{
	rg_error *err = NULL;
	rg_buf seen;

	*out = false;
	rg_buf_init(&seen, RG_BUF_TEXT);
	if (!find_entry(index, path))
		err = rg_git_is_ignored(worktree, path, &seen, out);
	rg_buf_release(&seen);
	return err;
}

/* RG_E_GIT where a path has a filter, or an encoding, that libgit2 does not know. */
static rg_error *check_filter(rg_worktree *worktree, const char *path)
{
	static const char *names[] = {"filter", "working-tree-encoding"};
	const char *values[2] = {NULL, NULL};
	size_t i;
	int answer = git_attr_get_many(values, worktree->repository, 0, path, 2, names);

	if (answer)
		return rg_git_error(answer, "%s", path);
	for (i = 0; i < 2; i++)
		if (git_attr_value(values[i]) == GIT_ATTR_VALUE_STRING)
			return rg_error_new(RG_E_GIT, "%s: only git can run its %s '%s'", path,
					    names[i], values[i]);
	return NULL;
}

rg_error *rg_worktree_stage(rg_worktree *worktree, const char *const *paths, size_t count)
{
	git_index *index = NULL;
	rg_error *err = NULL;
	size_t i;
	int answer;

	for (i = 0; i < count; i++)
		RG_TRY(check_filter(worktree, paths[i]));
	answer = git_repository_index(&index, worktree->repository);
	if (!answer)
		answer = git_index_read(index, false);
	if (answer)
		err = rg_git_error(answer, "index");
	for (i = 0; i < count && !err; i++) {
		answer = git_index_add_bypath(index, paths[i]);
		if (answer)
			err = rg_git_error(answer, "%s", paths[i]);
	}
	answer = err ? 0 : git_index_write(index);
	if (answer)
		err = rg_git_error(answer, "index");
	git_index_free(index);
	return err;
}

/* Makes the index's entry the tree's; the user's marks on it stay. */
static int reset_entry(git_index *index, git_tree *tree, const char *path)
{
	const git_index_entry *before = git_index_get_bypath(index, path, 0);
	git_index_entry entry = {.path = path};
	git_tree_entry *found = NULL;
	int answer;

	if (before) {
		entry.flags = before->flags & GIT_INDEX_ENTRY_VALID;
		entry.flags_extended = before->flags_extended & GIT_INDEX_ENTRY_SKIP_WORKTREE;
	}
	answer = git_index_conflict_remove(index, path);

	if (!answer || answer == GIT_ENOTFOUND)
		answer = git_tree_entry_bypath(&found, tree, path);
	if (!answer) {
		entry.mode = (uint32_t)git_tree_entry_filemode(found);
		git_oid_cpy(&entry.id, git_tree_entry_id(found));
		answer = git_index_add(index, &entry);
	} else if (answer == GIT_ENOTFOUND) {
		answer = git_index_remove(index, path, 0);
		answer = answer == GIT_ENOTFOUND ? 0 : answer;
	}
	git_tree_entry_free(found);
	return answer;
}

rg_error *rg_worktree_unstage(rg_worktree *worktree, const char *const *paths, size_t count)
{
	git_object *tree = NULL;
	git_index *index = NULL;
	rg_error *err = NULL;
	size_t i;
	int answer;

	RG_TRY(rg_git_resolve(worktree, "HEAD", GIT_OBJECT_TREE, &tree));
	answer = git_repository_index(&index, worktree->repository);
	if (!answer)
		answer = git_index_read(index, false);
	for (i = 0; i < count && !answer; i++)
		answer = reset_entry(index, (git_tree *)tree, paths[i]);
	if (!answer)
		answer = git_index_write(index);
	if (answer)
		err = rg_git_error(answer, "index");
	git_index_free(index);
	git_object_free(tree);
	return err;
}

static rg_error *filter_blob(rg_worktree *worktree, git_blob *blob, const char *path, rg_buf *out)
{
	git_filter_list *filters = NULL;
	git_buf bytes = {0};
	rg_error *err = NULL;
	int answer = git_filter_list_load(&filters, worktree->repository, blob, path,
					  GIT_FILTER_TO_WORKTREE, GIT_FILTER_DEFAULT);

	if (!answer)
		answer = git_filter_list_apply_to_blob(&bytes, filters, blob);
	if (answer) {
		err = rg_git_error(answer, "%s", path);
	} else {
		rg_buf_add(out, bytes.ptr, bytes.size);
		err = rg_buf_check(out, path);
	}
	git_buf_dispose(&bytes);
	git_filter_list_free(filters);
	return err;
}

rg_error *rg_worktree_checkout_bytes(rg_worktree *worktree, const char *path, rg_buf *out,
				     bool *executable)
{
	git_tree_entry *entry = NULL;
	git_object *tree = NULL;
	git_blob *blob = NULL;
	rg_error *err;
	int answer;

	RG_TRY(check_filter(worktree, path));
	RG_TRY(rg_git_resolve(worktree, "HEAD", GIT_OBJECT_TREE, &tree));
	answer = git_tree_entry_bypath(&entry, (git_tree *)tree, path);
	if (!answer)
		answer = git_blob_lookup(&blob, worktree->repository, git_tree_entry_id(entry));
	if (answer == GIT_ENOTFOUND && entry && git_tree_entry_type(entry) == GIT_OBJECT_BLOB) {
		err = rg_error_new(RG_E_GIT,
				   "%s: HEAD's bytes are not in this partial clone; 'git "
				   "checkout HEAD -- FILE' fetches them",
				   path);
	} else if (answer) {
		err = rg_git_error(answer, "%s", path);
	} else {
		*executable = git_tree_entry_filemode(entry) == GIT_FILEMODE_BLOB_EXECUTABLE;
		err = filter_blob(worktree, blob, path, out);
	}
	git_blob_free(blob);
	git_tree_entry_free(entry);
	git_object_free(tree);
	return err;
}
