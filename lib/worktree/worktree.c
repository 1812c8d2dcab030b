/* SPDX-License-Identifier: Apache-2.0 */
#include "worktree/internal.h"

#include "base/memory.h"
#include "base/number.h"

#include <git2/sys/repository.h>

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
	PACK_WINDOW = 1 << 20,
	PACK_MAPPED = 8 << 20,
	TREE_CACHED = 1 << 20,
	CACHE_SIZE = 16 << 20,
	ENTRIES_MAX = 1000
};

#ifdef REGILD_ONLY_LIBGIT2_USES_MBEDTLS
/*
 * libgit2 over mbedTLS parses all of the system's certificates whenever it starts, which is two
 * thirds of what an empty comparison does, and has no option against it. regild asks nothing of a
 * server through libgit2: libcurl does, with a TLS of its own. So libgit2 finds no certificate in
 * the file, and if it ever did connect, it would trust nobody. The dynamic linker takes a function
 * of the program before a library's; scripts/certificates.sh has seen that it is nobody else's.
 */
struct mbedtls_x509_crt;
int mbedtls_x509_crt_parse_file(struct mbedtls_x509_crt *chain, const char *path);

int mbedtls_x509_crt_parse_file(struct mbedtls_x509_crt *chain, const char *path)
{
	(void)chain;
	(void)path;
	return 0;
}
#endif

/* libgit2 1.5 refuses them in a repository of format 1 and ignores them in one of format 0. None
 * changes what regild reads; what a partial clone lacks is fetched. */
static const char *const extensions[] = {"worktreeconfig", "partialclone", "noop-v1",
					 "preciousobjects", "relativeworktrees"};

rg_error *rg_git_acquire(void)
{
	int count = git_libgit2_init();
	if (count < 0)
		return rg_git_error(count, "libgit2");
	if (count > 1)
		return NULL;
	/* Like git, check an object's hash when it is written, not on every read. */
	git_libgit2_opts(GIT_OPT_ENABLE_STRICT_HASH_VERIFICATION, 0);
	/* Packs are mapped in small pieces, few of them at a time: what is mapped counts as this
	 * process's memory, and a pack may be as large as the repository. */
	git_libgit2_opts(GIT_OPT_SET_MWINDOW_SIZE, (size_t)PACK_WINDOW);
	git_libgit2_opts(GIT_OPT_SET_MWINDOW_MAPPED_LIMIT, (size_t)PACK_MAPPED);
	/* A folder of many tests is a large tree, which is searched once for each golden. */
	git_libgit2_opts(GIT_OPT_SET_CACHE_OBJECT_LIMIT, GIT_OBJECT_TREE, (size_t)TREE_CACHED);
	git_libgit2_opts(GIT_OPT_SET_CACHE_MAX_SIZE, (ssize_t)CACHE_SIZE);
	if (git_libgit2_opts(GIT_OPT_SET_EXTENSIONS, extensions,
			     sizeof(extensions) / sizeof(*extensions)) >= 0)
		return NULL;
	rg_error *err = rg_git_error(-1, "libgit2");
	git_libgit2_shutdown();
	return err;
}

void rg_git_release(void)
{
	git_libgit2_shutdown();
}

/* If no safe.directory is set at all, libgit2 1.5 says that it was not found. */
static bool is_strangers(int answer)
{
	const git_error *last = git_error_last();
	return answer == GIT_EOWNER ||
	       (answer == GIT_ENOTFOUND && last && last->klass == GIT_ERROR_CONFIG);
}

/* Does a value of safe.directory name the folder: by itself, as all, or as all below "/x/" by
 * "/x/\*"? */
static void note_trust(bool *trusted, const char *value, const char *folder)
{
	size_t length = value ? strlen(value) : 0;
	if (!length) /* it takes back all values before it */
		*trusted = false;
	else if (length > 1 && !strcmp(value + length - 2, "/*"))
		*trusted |= !strncmp(value, folder, length - 1);
	else
		*trusted |= !strcmp(value, "*") || !strcmp(value, folder);
}

/* Reads the values that 'git -c' and containers of CI set in the environment. */
static void read_environment(bool *trusted, const char *folder)
{
	const char *count = getenv("GIT_CONFIG_COUNT");
	uint64_t all = 0;

	if (!count || !rg_uint64_parse(count, strlen(count), &all))
		return;
	for (uint64_t i = 0; i < all && i < ENTRIES_MAX; i++) {
		RG_AUTO_FREE char *name = rg_textf("GIT_CONFIG_KEY_%llu", (unsigned long long)i);
		RG_AUTO_FREE char *value = rg_textf("GIT_CONFIG_VALUE_%llu", (unsigned long long)i);
		const char *key = getenv(name);
		if (key && !strcasecmp(key, "safe.directory"))
			note_trust(trusted, getenv(value), folder);
	}
}

/* Does the user trust this repository? libgit2 1.5 knows neither "safe.directory = *", which
 * containers of CI set as a rule, nor "/x/\*", nor the environment. */
static bool is_trusted(git_repository *repository)
{
	const char *root = git_repository_workdir(repository);
	RG_AUTO_PTR(git_config) config = NULL;
	RG_AUTO_PTR(git_config_iterator) entries = NULL;
	git_config_entry *entry;
	bool trusted = false;

	RG_AUTO_FREE char *folder = rg_strdup(root ? root : git_repository_path(repository));
	for (size_t end = strlen(folder); end > 1 && folder[end - 1] == '/';)
		folder[--end] = '\0';
	/* The user's and the system's: what a repository says of itself does not count. */
	if (!git_config_open_default(&config) &&
	    !git_config_multivar_iterator_new(&entries, config, "safe.directory", NULL))
		while (!git_config_next(&entry, entries))
			note_trust(&trusted, entry->value, folder);
	read_environment(&trusted, folder);
	return trusted;
}

/* Names what makes a repository readable that libgit2 refuses. */
static rg_error *with_help(rg_error *err)
{
	static const struct {
		const char *extension, *help;
	} known[] = {
		{"extensions.refstorage",
		 "'git refs migrate --ref-format=files' gives it references "
		 "that regild reads"},
		{"extensions.objectformat",
		 "regild reads SHA-1 alone; 'git fast-export --all' into 'git fast-import' makes a "
		 "copy with 'git init --object-format=sha1'"},
	};
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (strstr(rg_error_message(err), known[i].extension))
			return rg_error_first(rg_error_new(RG_E_GIT, "%s; %s",
							   rg_error_message(err), known[i].help),
					      err);
	return err;
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
	if (answer != GIT_ENOTFOUND)
		return with_help(rg_git_error(answer, "%s: libgit2 cannot open this repository",
					      start ? start : "current folder"));
	if (start)
		return rg_error_new(RG_E_NOTFOUND, "'%s' is not in a git repository", start);
	if (dir)
		return rg_error_new(RG_E_NOTFOUND, "GIT_DIR '%s': is not a git repository", dir);
	return rg_error_new(RG_E_NOTFOUND,
			    "not in a git repository; change into one or give -C DIR");
}

static int set_workdir(git_repository *repository, const char *root)
{
	const char *now = git_repository_workdir(repository);
	RG_AUTO_FREE char *real = realpath(root, NULL);
	size_t length = real ? strlen(real) : 0;

	/* libgit2 1.5 leaks if the working tree that the repository has already is set. */
	if (now && real && !strncmp(now, real, length) && !strcmp(now + length, "/"))
		return 0;
	return git_repository_set_workdir(repository, root, 0);
}

/* libgit2 respects GIT_INDEX_FILE, GIT_OBJECT_DIRECTORY and their like, but refuses to where
 * GIT_WORK_TREE is set: a hook's index must count there, too. */
static int open_by_environment(git_repository **out, const char *dir, unsigned flags)
{
	const char *path = getenv("GIT_INDEX_FILE");
	RG_AUTO_PTR(git_index) index = NULL;

	if (!getenv("GIT_WORK_TREE"))
		return git_repository_open_ext(out, dir, flags | GIT_REPOSITORY_OPEN_FROM_ENV,
					       NULL);
	int answer = git_repository_open_ext(out, dir, flags, NULL);
	if (answer < 0 || !path)
		return answer;
	answer = git_index_open(&index, path);
	if (answer >= 0)
		answer = git_repository_set_index(*out, index);
	return answer < 0 ? answer : git_index_set_caps(index, GIT_INDEX_CAPABILITY_FROM_OWNER);
}

static int open_repository(git_repository **out, const char *start)
{
	const char *dir = getenv("GIT_DIR"), *files = getenv("GIT_WORK_TREE");
	if (start)
		return git_repository_open_ext(out, start, 0, NULL);
	if (!files)
		return open_by_environment(out, NULL, 0);
	int answer =
		open_by_environment(out, dir ? dir : ".", dir ? GIT_REPOSITORY_OPEN_NO_SEARCH : 0);
	return answer < 0 ? answer : set_workdir(*out, files);
}

static rg_error *new_worktree(rg_worktree **out)
{
	RG_TRY(rg_git_acquire());
	*out = rg_calloc(1, sizeof(**out));
	return NULL;
}

/* Opens a repository that belongs to another user, if this one trusts it. */
static int open_trusted(git_repository **out, const char *start)
{
	git_libgit2_opts(GIT_OPT_SET_OWNER_VALIDATION, 0);
	int answer = open_repository(out, start);
	if (!answer && is_trusted(*out))
		return 0;
	git_libgit2_opts(GIT_OPT_SET_OWNER_VALIDATION, 1);
	git_repository_free(*out);
	*out = NULL;
	return GIT_EOWNER;
}

rg_error *rg_worktree_open(rg_worktree **out, const char *start)
{
	RG_AUTO_PTR(rg_worktree) worktree = NULL;

	*out = NULL;
	RG_TRY(new_worktree(&worktree));
	int answer = open_repository(&worktree->repository, start);
	if (answer < 0 && is_strangers(answer))
		answer = open_trusted(&worktree->repository, start);
	if (answer < 0)
		return open_failure(answer, start);
	if (!git_repository_workdir(worktree->repository))
		return rg_error_new(RG_E_GIT,
				    "%s: is a bare repository; regild needs one with a working "
				    "tree, as 'git worktree add' makes",
				    git_repository_path(worktree->repository));
	RG_TRY(rg_git_graft_shallow(worktree));
	*out = RG_TAKE(worktree);
	return NULL;
}

rg_error *rg_worktree_open_again(rg_worktree **out, const rg_worktree *other)
{
	const char *git_dir = rg_worktree_git_dir(other), *root = rg_worktree_root(other);
	RG_AUTO_PTR(rg_worktree) worktree = NULL;

	*out = NULL;
	RG_TRY(new_worktree(&worktree));
	worktree->not_fetched = other->not_fetched ? rg_strdup(other->not_fetched) : NULL;
	int answer =
		open_by_environment(&worktree->repository, git_dir, GIT_REPOSITORY_OPEN_NO_SEARCH);
	if (answer >= 0)
		answer = set_workdir(worktree->repository, root);
	RG_TRY(answer < 0 ? open_failure(answer, git_dir) : rg_git_graft_shallow(worktree));
	*out = RG_TAKE(worktree);
	return NULL;
}

void rg_worktree_free(rg_worktree *worktree)
{
	if (!worktree)
		return;
	free(worktree->index_path);
	free(worktree->not_fetched);
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

/* "url.BASE.insteadof = HEAD": BASE replaces HEAD at a URL's beginning; the longest HEAD counts. */
static rg_error *apply_instead_of(git_config *config, char **url)
{
	static const char prefix[] = "url.", suffix[] = ".insteadof";
	RG_AUTO_PTR(git_config_iterator) entries = NULL;
	git_config_entry *entry;
	size_t longest = 0;
	RG_AUTO_FREE char *rewritten = NULL;
	int answer = git_config_iterator_new(&entries, config);

	while (answer >= 0 && (answer = git_config_next(&entry, entries)) >= 0) {
		size_t length = strlen(entry->name), head = entry->value ? strlen(entry->value) : 0;
		size_t around = strlen(prefix) + strlen(suffix);

		if (head <= longest || length < around ||
		    strncmp(entry->name, prefix, strlen(prefix)) != 0 ||
		    strcmp(entry->name + length - strlen(suffix), suffix) != 0 ||
		    strncmp(*url, entry->value, head) != 0)
			continue;
		longest = head;
		free(rewritten);
		rewritten = rg_textf("%.*s%s", (int)(length - around), entry->name + strlen(prefix),
				     *url + head);
	}
	if (answer < 0 && answer != GIT_ITEROVER)
		return rg_git_error(answer, "git's configuration");
	if (rewritten) {
		free(*url);
		*url = RG_TAKE(rewritten);
	}
	return NULL;
}

rg_error *rg_worktree_branch(rg_worktree *worktree, char **out)
{
	static const char heads[] = "refs/heads/";
	RG_AUTO_PTR(git_reference) head = NULL;
	int answer = git_reference_lookup(&head, worktree->repository, "HEAD");

	*out = NULL;
	if (answer < 0)
		return rg_git_error(answer, "HEAD");
	const char *target = git_reference_symbolic_target(head);
	if (target && !strncmp(target, heads, strlen(heads)))
		*out = rg_strdup(target + strlen(heads));
	return NULL;
}

/* Out of the configuration itself: git_remote_lookup of libgit2 1.5 leaks. */
rg_error *rg_worktree_remote_url(rg_worktree *worktree, const char *remote, char **out)
{
	RG_AUTO_FREE char *key = rg_textf("remote.%s.url", remote), *url = NULL;
	RG_AUTO_PTR(git_config) config = NULL;
	RG_AUTO(git_buf) value = {0};

	*out = NULL;
	int answer = git_repository_config_snapshot(&config, worktree->repository);
	if (answer >= 0)
		answer = git_config_get_string_buf(&value, config, key);
	if (answer == GIT_ENOTFOUND || answer == GIT_EINVALIDSPEC)
		return NULL;
	if (answer < 0)
		return rg_git_error(answer, "remote '%s'", remote);
	url = rg_strdup(value.ptr);
	RG_TRY(apply_instead_of(config, &url));
	*out = RG_TAKE(url);
	return NULL;
}
