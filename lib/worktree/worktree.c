#include "worktree/internal.h"

#include <git2/sys/repository.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PACK_WINDOW = 1 << 20, PACK_MAPPED = 8 << 20, TREE_CACHED = 1 << 20, CACHE_SIZE = 16 << 20 };

rg_error *rg_git_error(int answer, const char *format, ...)
{
	const git_error *last = git_error_last();
	const char *why = last && last->message ? last->message : "unknown error";
	rg_error_code code = answer == GIT_ENOTFOUND ? RG_E_NOTFOUND : RG_E_GIT;
	char subject[1024];
	va_list args;

	if (last && last->klass == GIT_ERROR_NOMEMORY)
		return rg_error_nomem();
	va_start(args, format);
	vsnprintf(subject, sizeof(subject), format, args);
	va_end(args);
	return rg_error_new(code, "%s: %s", subject, why);
}

/* What libgit2 1.5 refuses in a repository of format 1 and passes over in one of format 0: both are
 * what a partial clone with a sparse checkout has. */
static const char *const extensions[] = {"worktreeconfig", "partialclone"};

static rg_error *set_options(void)
{
	/* As git itself does it: an object's hash is checked where it is written and by fsck, not
	 * on every read. */
	git_libgit2_opts(GIT_OPT_ENABLE_STRICT_HASH_VERIFICATION, 0);
	/* Packs are mapped in small pieces, few of them at a time: what is mapped counts as this
	 * process's memory, and a pack may be as large as the repository. */
	git_libgit2_opts(GIT_OPT_SET_MWINDOW_SIZE, (size_t)PACK_WINDOW);
	git_libgit2_opts(GIT_OPT_SET_MWINDOW_MAPPED_LIMIT, (size_t)PACK_MAPPED);
	/* A folder of many tests is a large tree, and it is looked into once for every golden. */
	git_libgit2_opts(GIT_OPT_SET_CACHE_OBJECT_LIMIT, GIT_OBJECT_TREE, (size_t)TREE_CACHED);
	git_libgit2_opts(GIT_OPT_SET_CACHE_MAX_SIZE, (ssize_t)CACHE_SIZE);
	if (git_libgit2_opts(GIT_OPT_SET_EXTENSIONS, extensions,
			     sizeof(extensions) / sizeof(*extensions)) < 0)
		return rg_git_error(-1, "libgit2");
	return NULL;
}

rg_error *rg_git_acquire(void)
{
	rg_error *err;
	int count;

	rg_git_skip_certificates(true);
	count = git_libgit2_init();
	rg_git_skip_certificates(false);

	if (count < 0)
		return rg_git_error(count, "libgit2");
	err = count == 1 ? set_options() : NULL;
	if (err)
		git_libgit2_shutdown();
	return err;
}

void rg_git_release(void)
{
	git_libgit2_shutdown();
}

/* libgit2 1.5 says «not found», of safe.directory, where none is set at all. */
static bool is_strangers(int answer)
{
	const git_error *last = git_error_last();

	return answer == GIT_EOWNER ||
	       (answer == GIT_ENOTFOUND && last && last->klass == GIT_ERROR_CONFIG);
}

static bool is_sha256(void)
{
	const git_error *last = git_error_last();

	return last && last->message && strstr(last->message, "extensions.objectformat");
}

static rg_error *open_failure(int answer, const char *start)
{
	const char *dir = getenv("GIT_DIR");

	if (is_strangers(answer))
		return rg_error_new(
			RG_E_GIT,
			"%s: the repository belongs to another user; if you trust it, run "
			"'git config --global --add safe.directory' with its path",
			start ? start : "current folder");
	if (is_sha256())
		return rg_error_new(
			RG_E_GIT,
			"%s: libgit2 reads no repository whose objects are named by SHA-256",
			start ? start : "current folder");
	if (answer != GIT_ENOTFOUND)
		return rg_git_error(answer, "%s", start ? start : "current folder");
	if (start)
		return rg_error_new(RG_E_NOTFOUND, "'%s' is not in a git repository", start);
	if (dir)
		return rg_error_new(RG_E_NOTFOUND, "GIT_DIR '%s': is not a git repository", dir);
	return rg_error_new(RG_E_NOTFOUND,
			    "not in a git repository; change into one or give -C DIR");
}

/* Is it the working tree that the repository has already? libgit2 1.5 leaks where that is set. */
static bool has_workdir(git_repository *repository, const char *root)
{
	const char *now = git_repository_workdir(repository);
	char *real = realpath(root, NULL);
	size_t length = real ? strlen(real) : 0;
	bool same = now && real && !strncmp(now, real, length) && !strcmp(now + length, "/");

	free(real);
	return same;
}

static int set_workdir(git_repository *repository, const char *root)
{
	return has_workdir(repository, root) ? 0 : git_repository_set_workdir(repository, root, 0);
}

static int use_index_file(git_repository *repository, const char *path)
{
	git_index *index = NULL;
	int answer = git_index_open(&index, path);

	if (answer >= 0)
		answer = git_repository_set_index(repository, index);
	git_index_free(index);
	return answer;
}

/* libgit2 respects GIT_INDEX_FILE, GIT_OBJECT_DIRECTORY and their like, but refuses to where
 * GIT_WORK_TREE is set: a hook's index must count there, too. */
static int open_by_environment(git_repository **out, const char *dir, unsigned flags)
{
	const char *index = getenv("GIT_INDEX_FILE");
	int answer;

	if (!getenv("GIT_WORK_TREE"))
		return git_repository_open_ext(out, dir, flags | GIT_REPOSITORY_OPEN_FROM_ENV,
					       NULL);
	answer = git_repository_open_ext(out, dir, flags, NULL);
	return answer < 0 || !index ? answer : use_index_file(*out, index);
}

static int open_repository(git_repository **out, const char *start)
{
	const char *dir = getenv("GIT_DIR"), *files = getenv("GIT_WORK_TREE");
	int answer;

	if (start)
		return git_repository_open_ext(out, start, 0, NULL);
	if (!files)
		return open_by_environment(out, NULL, 0);
	answer = open_by_environment(out, dir ? dir : ".", dir ? GIT_REPOSITORY_OPEN_NO_SEARCH : 0);
	return answer < 0 ? answer : set_workdir(*out, files);
}

static rg_error *new_worktree(rg_worktree **out)
{
	RG_TRY(rg_git_acquire());
	*out = calloc(1, sizeof(**out));
	if (*out)
		return NULL;
	rg_git_release();
	return rg_error_nomem();
}

rg_error *rg_worktree_open(rg_worktree **out, const char *start)
{
	rg_worktree *worktree;
	rg_error *err;
	int answer;

	*out = NULL;
	RG_TRY(new_worktree(&worktree));
	answer = open_repository(&worktree->repository, start);
	if (answer < 0 && is_strangers(answer))
		answer = rg_git_trust_all() ? open_repository(&worktree->repository, start)
					    : GIT_EOWNER;
	if (answer < 0) {
		err = open_failure(answer, start);
	} else if (!git_repository_workdir(worktree->repository)) {
		err = rg_error_new(
			RG_E_GIT,
			"%s: is a bare repository; regild needs one with a working tree, as "
			"'git worktree add' makes",
			git_repository_path(worktree->repository));
	} else {
		*out = worktree;
		return NULL;
	}
	rg_worktree_free(worktree);
	return err;
}

rg_error *rg_worktree_open_again(rg_worktree **out, const rg_worktree *other)
{
	const char *git_dir = rg_worktree_git_dir(other), *root = rg_worktree_root(other);
	rg_worktree *worktree;
	rg_error *err;
	int answer;

	*out = NULL;
	RG_TRY(new_worktree(&worktree));
	answer = open_by_environment(&worktree->repository, git_dir, GIT_REPOSITORY_OPEN_NO_SEARCH);
	if (answer >= 0)
		answer = set_workdir(worktree->repository, root);
	if (answer >= 0) {
		*out = worktree;
		return NULL;
	}
	err = open_failure(answer, git_dir);
	rg_worktree_free(worktree);
	return err;
}

void rg_worktree_free(rg_worktree *worktree)
{
	if (!worktree)
		return;
	git_odb_free(worktree->odb);
	git_repository_free(worktree->repository);
	free(worktree);
	rg_git_release();
}

const char *rg_worktree_root(const rg_worktree *worktree)
{
	return git_repository_workdir(worktree->repository);
}

const char *rg_worktree_git_dir(const rg_worktree *worktree)
{
	return git_repository_path(worktree->repository);
}

rg_error *rg_worktree_require_commit(rg_worktree *worktree)
{
	int answer = git_repository_head_unborn(worktree->repository);

	if (answer < 0)
		return rg_git_error(answer, "HEAD");
	if (answer)
		return rg_error_new(RG_E_GIT, "%s: has no commit yet; commit the goldens first",
				    rg_worktree_root(worktree));
	return NULL;
}

/* "url.BASE.insteadof = HEAD": BASE stands where a URL begins with HEAD; the longest HEAD counts.
 */
static rg_error *apply_instead_of(git_config *config, char **url)
{
	static const char prefix[] = "url.", suffix[] = ".insteadof";
	git_config_iterator *entries = NULL;
	git_config_entry *entry;
	size_t longest = 0;
	char *rewritten = NULL;
	rg_error *err = NULL;
	int answer = git_config_iterator_new(&entries, config);

	while (!err && answer >= 0 && (answer = git_config_next(&entry, entries)) >= 0) {
		size_t length = strlen(entry->name), head = entry->value ? strlen(entry->value) : 0;
		size_t around = strlen(prefix) + strlen(suffix);

		if (head <= longest || length < around ||
		    strncmp(entry->name, prefix, strlen(prefix)) != 0 ||
		    strcmp(entry->name + length - strlen(suffix), suffix) != 0 ||
		    strncmp(*url, entry->value, head) != 0)
			continue;
		longest = head;
		free(rewritten);
		err = rg_textf(&rewritten, "%.*s%s", (int)(length - around),
			       entry->name + strlen(prefix), *url + head);
	}
	if (!err && answer < 0 && answer != GIT_ITEROVER)
		err = rg_git_error(answer, "git's configuration");
	git_config_iterator_free(entries);
	if (!err && rewritten) {
		free(*url);
		*url = rewritten;
		rewritten = NULL;
	}
	free(rewritten);
	return err;
}

/* Out of the configuration itself: git_remote_lookup of libgit2 1.5 leaks. */
rg_error *rg_worktree_remote_url(rg_worktree *worktree, const char *remote, char **out)
{
	git_config *config = NULL;
	git_buf value = {0};
	char *key = NULL;
	rg_error *err;
	int answer;

	*out = NULL;
	RG_TRY(rg_textf(&key, "remote.%s.url", remote));
	answer = git_repository_config_snapshot(&config, worktree->repository);
	if (answer >= 0)
		answer = git_config_get_string_buf(&value, config, key);
	if (answer == GIT_ENOTFOUND || answer == GIT_EINVALIDSPEC)
		err = NULL;
	else if (answer < 0)
		err = rg_git_error(answer, "remote '%s'", remote);
	else
		err = rg_strdup(out, value.ptr);
	if (!err && *out)
		err = apply_instead_of(config, out);
	if (err) {
		free(*out);
		*out = NULL;
	}
	git_buf_dispose(&value);
	git_config_free(config);
	free(key);
	return err;
}

/* Its size is asked for first, so that one that is too large is not unpacked to be refused. */
static rg_error *open_blob(rg_worktree *worktree, const git_oid *id, size_t max,
			   git_odb_object **out)
{
	git_object_t type;
	char hex[41];
	size_t size;
	int answer = 0;

	git_oid_tostr(hex, sizeof(hex), id);
	if (!worktree->odb)
		answer = git_repository_odb(&worktree->odb, worktree->repository);
	if (answer >= 0)
		answer = git_odb_read_header(&size, &type, worktree->odb, id);
	if (answer >= 0 && type != GIT_OBJECT_BLOB)
		return rg_error_new(RG_E_GIT, "%s: is not a blob", hex);
	if (answer >= 0 && size > max)
		return rg_error_new(RG_E_LIMIT, "%zu bytes, more than the limit of %zu", size, max);
	if (answer >= 0)
		answer = git_odb_read(out, worktree->odb, id);
	if (answer == GIT_ENOTFOUND)
		return rg_error_new(RG_E_NOTFOUND,
				    "blob %s: is not in this clone; where it is a partial one, "
				    "'git diff' with the revision fetches what is missing",
				    hex);
	return answer < 0 ? rg_git_error(answer, "blob %s", hex) : NULL;
}

static rg_error *read_blob(rg_worktree *worktree, const git_oid *id, rg_buf *out)
{
	git_odb_object *object = NULL;
	char hex[41];

	RG_TRY(open_blob(worktree, id, out->max, &object));
	rg_buf_clear(out);
	rg_buf_add(out, git_odb_object_data(object), git_odb_object_size(object));
	git_odb_object_free(object);
	git_oid_tostr(hex, sizeof(hex), id);
	return rg_buf_check(out, hex);
}

rg_error *rg_blob_open(rg_blob *out, rg_worktree *worktree, const char *id, size_t max)
{
	git_odb_object *object = NULL;
	git_oid oid;
	int answer = git_oid_fromstr(&oid, id);

	*out = (rg_blob){.data = ""};
	if (answer < 0)
		return rg_git_error(answer, "blob '%s'", id);
	RG_TRY(open_blob(worktree, &oid, max, &object));
	*out = (rg_blob){
		.data = git_odb_object_data(object),
		.size = git_odb_object_size(object),
		.owner = object,
	};
	return NULL;
}

void rg_blob_release(rg_blob *blob)
{
	git_odb_object_free(blob->owner);
	*blob = (rg_blob){.data = ""};
}

rg_error *rg_worktree_blob(rg_worktree *worktree, const char *id, rg_buf *out)
{
	git_oid oid;
	int answer = git_oid_fromstr(&oid, id);

	if (answer < 0)
		return rg_git_error(answer, "blob '%s'", id);
	return read_blob(worktree, &oid, out);
}

rg_error *rg_worktree_file_at(rg_worktree *worktree, const char *revision, const char *path,
			      rg_buf *out)
{
	git_object *tree;
	git_oid id;
	bool found = false;
	rg_error *err;

	if (!strcmp(revision, ":")) {
		RG_TRY(rg_git_find_in_index(worktree, path, &id, &found));
	} else {
		RG_TRY(rg_git_resolve(worktree, revision, GIT_OBJECT_TREE, &tree));
		err = rg_git_find_in_tree((git_tree *)tree, path, &id, &found);
		git_object_free(tree);
		RG_TRY(err);
	}
	if (!found)
		return rg_error_new(RG_E_NOTFOUND, "%s: is not in '%s'", path, revision);
	if (git_oid_is_zero(&id))
		return rg_error_new(RG_E_CONFLICT, "%s: " RG_UNMERGED, path);
	return rg_error_wrap(read_blob(worktree, &id, out), "%s", path);
}
