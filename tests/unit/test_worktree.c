/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "unit/repository.h"

#include "base/file.h"
#include "worktree/revisions.h"
#include "worktree/worktree.h"

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

FIXTURE(set_up)
{
	make_repository();
	sh("mkdir -p g/a g/a-b g/c && for f in g/a/x g/a-b/x g/c/x g/c/y; do echo $f >$f; done\n"
	   "echo g/ignored/ >.gitignore && git add -A && git commit -qm one");
	return 0;
}

/* The changes as text: "M path", "R old>path", "M path!" in conflict, one a line. */
static char *changes(const rg_change_query *query)
{
	static char text[4096];
	rg_worktree *worktree;
	rg_change_list list;
	size_t i, length = 0;

	assert_success(rg_worktree_open(&worktree, scratch));
	assert_success(rg_worktree_changes(worktree, query, &list));
	text[0] = '\0';
	for (i = 0; i < list.count; i++) {
		const rg_change *c = &list.items[i];

		assert_true(rg_change_list_has(&list, c->path));
		assert_true(c->kind == RG_CHANGE_NEW ? !c->old_path : strlen(c->old_id) == 40);
		length += (size_t)snprintf(
			text + length, sizeof(text) - length, "%c %s%s%s%s\n", "MNDR"[c->kind],
			c -> kind == RG_CHANGE_RENAMED ? c -> old_path : "",
			c->kind == RG_CHANGE_RENAMED ? ">" : "", c->path, c->unmerged ? "!" : "");
	}
	assert_false(rg_change_list_has(&list, "nowhere"));
	rg_change_list_release(&list);
	rg_worktree_free(worktree);
	return text;
}

static void reset(void)
{
	sh("git reset -q --hard main && git clean -qffdx");
}

TEST_GROUP(set_up, remove_repository);

TEST(working_tree)
{
	const rg_change_query all = {0}, below = {.root = "g/c/"};

	reset();
	assert_string_equal(changes(&all), "");
	sh("echo 1 >>g/a-b/x; echo 1 >>g/a/x; git add g/a/x; rm g/c/x; echo new >g/c/new\n"
	   "mkdir g/ignored && echo 1 >g/ignored/x && echo 1 >top");
	assert_string_equal(changes(&all), "M g/a/x\nM g/a-b/x\nN g/c/new\nD g/c/x\nN top\n");
	assert_string_equal(changes(&below), "N g/c/new\nD g/c/x\n");
}

/* As git has it: what a "!" names is ignored anyway where its folder is. */
TEST(ignored_folders_stay_ignored)
{
	const rg_change_query all = {0};

	reset();
	sh("echo build/ >.git/info/exclude; echo '!*x' >>.gitignore; git add .gitignore\n"
	   "mkdir -p build g/build/deep g/d && for f in build/x g/build/deep/x g/build/x g/d/x; "
	   "do\n"
	   "echo 1 >$f; done");
	assert_string_equal(changes(&all), "M .gitignore\nN g/d/x\n");
	sh("git add -f g/build/x");
	assert_string_equal(changes(&all), "M .gitignore\nN g/build/x\nN g/d/x\n");
	sh("rm -r .git/info/exclude build");
}

TEST(index_and_files_disagree)
{
	const rg_change_query all = {0}, staged = {.staged = true};

	reset();
	/* Staged, then changed back; taken out of the index but there; added and gone again. */
	sh("echo 1 >g/a/x; git add g/a/x; echo g/a/x >g/a/x\n"
	   "git rm -q --cached g/c/x; git rm -q --cached g/c/y; echo 1 >>g/c/y\n"
	   "echo 1 >g/n; git add g/n; rm g/n");
	assert_string_equal(changes(&all), "M g/c/y\n");
	assert_string_equal(changes(&staged), "M g/a/x\nD g/c/x\nD g/c/y\nN g/n\n");
}

TEST(conflict_and_links)
{
	const rg_change_query all = {0};

	reset();
	sh("git checkout -q -b side && echo side >g/a/x && git commit -qam side\n"
	   "git checkout -q main && echo main >g/a/x && git commit -qam main\n"
	   "git merge -q side >merge.log 2>&1 && exit 1; rm merge.log\n"
	   "rm g/c/x && ln -s y g/c/x && chmod +x g/c/y");
	assert_string_equal(changes(&all), "M g/a/x!\nD g/c/x\n");
	sh("echo 1 >g/n"); /* may g/c/x have become that? */
	assert_string_equal(changes(&all), "M g/a/x!\nD g/c/x\nN g/n\n");
	sh("git reset -q --hard main~1 && git branch -qD side");
}

/* What is in conflict is not gone from the index, and what is only announced is not in it yet. */
TEST(index_in_conflict)
{
	static const char *const paths[] = {"g/a/x", "g/said", "g/both"};
	const rg_change_query staged = {.staged = true};
	rg_worktree *worktree;
	rg_change_list list;
	rg_buf buf;

	reset();
	sh("git checkout -q -b side && echo side >g/a/x && echo side >g/both && git add -A\n"
	   "git commit -qm side && git checkout -q main && echo main >g/a/x && echo main >g/both\n"
	   "git add -A && git commit -qm main && ! git merge -q side >merge.log 2>&1\n"
	   "rm merge.log; echo 1 >g/said; git add -N g/said; : >g/empty; git add g/empty\n"
	   "git rm -q --cached g/c/x; git add -N g/c/x");
	assert_string_equal(changes(&staged), "M g/a/x!\nM g/both!\nD g/c/x\nN g/empty\n");
	assert_success(rg_worktree_open(&worktree, scratch));
	assert_success(rg_worktree_named(worktree, &staged, paths, 3, &list));
	assert_true(list.items[0].unmerged && list.items[1].unmerged);
	assert_string_equal(list.items[0].new_id, "");
	assert_int_equal(list.items[2].kind, RG_CHANGE_NONE);
	rg_change_list_release(&list);
	rg_buf_init(&buf, 100);
	assert_fails_with(rg_worktree_file_at(worktree, ":", "g/a/x", &buf), RG_E_CONFLICT);
	assert_fails_with(rg_worktree_file_at(worktree, ":", "g/said", &buf), RG_E_NOTFOUND);
	rg_buf_release(&buf);
	rg_worktree_free(worktree);
	sh("git reset -q --hard main~1 && git branch -qD side");
}

/* Repositories inside, linked folders, sparse checkouts, names beside the root's, touched files. */
TEST(scan)
{
	const rg_change_query all = {0}, below = {.root = "g/a"}, text = {.files = "*.txt"};
	const rg_change_query unsure = {.root = "g/a", .unsure = true};
	const rg_change_query absent = {.as_in_index = true};

	reset();
	sh("git init -q g/inner && mkdir g/inner/deep && echo 1 >g/inner/x && echo 1 "
	   ">g/inner/deep/x\n"
	   "mkdir g/ignored && echo 1 >g/ignored/x && ln -s ../g/a g/link && mkdir g/empty\n"
	   "echo 1 >g/a/new.txt; echo 1 >>g/a-b/x; echo 1 >g/note.txt");
	assert_string_equal(changes(&all), "N g/a/new.txt\nM g/a-b/x\nN g/note.txt\n");
	assert_string_equal(changes(&below), "N g/a/new.txt\n");
	assert_string_equal(changes(&text), "N g/a/new.txt\nN g/note.txt\n");
	reset();
	sh("touch -d '2001-01-01' g/a/x");
	assert_string_equal(changes(&all), "");
	assert_string_equal(changes(&unsure), "M g/a/x\n");
	sh("git update-index --refresh >refresh.log; rm refresh.log");
	assert_string_equal(changes(&unsure), "");
	sh("git update-index --skip-worktree g/c/x && rm g/c/x");
	assert_string_equal(changes(&all), "");
	/* The index's own bytes count only where they are asked for. */
	sh("git update-index --cacheinfo 100644,$(echo 2 | git hash-object -w --stdin),g/c/x\n"
	   "git update-index --skip-worktree g/c/x");
	assert_string_equal(changes(&all), "");
	assert_string_equal(changes(&absent), "M g/c/x\n");
	sh("git mv g/a/x g/a/y");
	assert_string_equal(changes(&all), "R g/a/x>g/a/y\n");
	assert_string_equal(changes(&absent), "R g/a/x>g/a/y\nM g/c/x\n");
	sh("git mv g/a/y g/a/x\n"
	   "git update-index --cacheinfo 100644,$(git rev-parse HEAD:g/c/x),g/c/x\n"
	   "git update-index --skip-worktree g/c/x");
	assert_string_equal(changes(&absent), "");
	/* Nor where renames are looked for: what is left out was not renamed. */
	sh("git mv g/a/x g/a/y");
	assert_string_equal(changes(&all), "R g/a/x>g/a/y\n");
	sh("git update-index --no-skip-worktree g/c/x && git update-index --assume-unchanged "
	   "g/c/x");
	assert_string_equal(changes(&all), "R g/a/x>g/a/y\n");
	sh("git mv g/a/y g/a/x");
	assert_string_equal(changes(&all), "");
	sh("git update-index --no-assume-unchanged g/c/x");
	assert_string_equal(changes(&all), "D g/c/x\n");
	/* What is tracked is git's, though its folder is a repository by now. */
	sh("git checkout -q g/c/x && git init -q g/c && echo 2 >>g/c/y");
	assert_string_equal(changes(&all), "M g/c/y\n");
	sh("rm -rf g/c/.git g/c/x && git checkout -q g/c/y");
	/* The folder itself is a link: what is behind it is not git's. */
	sh("mv g/c elsewhere && ln -s ../elsewhere g/c");
	assert_string_equal(changes(&(rg_change_query){.root = "g/c"}), "D g/c/x\nD g/c/y\n");
	/* Nor where it was taken out of the index and renames are looked for. */
	sh("git rm -q --cached g/c/y && git mv g/a/x g/a/y");
	assert_string_equal(changes(&(rg_change_query){.root = "g"}),
			    "R g/a/x>g/a/y\nD g/c/x\nD g/c/y\n");
}

/* The index is in another order then. */
TEST(names_without_their_case)
{
	const rg_change_query all = {0}, below = {.root = "g/a-b"}, staged = {.staged = true};

	reset();
	sh("git config core.ignorecase true; echo 1 >>g/a-b/x; rm g/c/y; echo 1 >g/B; echo 1 >g/Z");
	sh("git add g/Z");
	assert_string_equal(changes(&all), "N g/B\nN g/Z\nM g/a-b/x\nD g/c/y\n");
	assert_string_equal(changes(&below), "M g/a-b/x\n");
	assert_string_equal(changes(&staged), "N g/Z\n");
	sh("git config core.ignorecase false");
}

TEST(unreadable_folder)
{
	const rg_change_query all = {0};
	rg_worktree *worktree;
	rg_change_list list;
	rg_error *err;

	if (!geteuid())
		skip(); /* root reads everything */
	reset();
	sh("mkdir g/closed && chmod 0 g/closed");
	assert_success(rg_worktree_open(&worktree, scratch));
	err = rg_worktree_changes(worktree, &all, &list);
	sh("chmod 755 g/closed");
	assert_fails_with(err, RG_E_IO);
	rg_worktree_free(worktree);
}

TEST(named)
{
	static const char *const paths[] = {"g/c/y", "g/a/x", "g/c/y", "no/such", "g/new", "g/c/x"};
	const rg_change_query files = {0}, index = {.staged = true};
	static const rg_change_kind kinds[] = {RG_CHANGE_MODIFIED, RG_CHANGE_REMOVED,
					       RG_CHANGE_MODIFIED, RG_CHANGE_NEW, RG_CHANGE_NONE};
	rg_worktree *worktree;
	rg_change_list list;
	rg_blob blob;
	size_t i;

	reset();
	sh("rm g/c/x; echo 1 >g/new; echo 2 >g/c/y; git add g/c/y");
	assert_success(rg_worktree_open(&worktree, scratch));
	assert_success(rg_worktree_named(worktree, &files, paths, 6, &list));
	assert_int_equal(list.count, 5);
	for (i = 0; i < list.count; i++)
		assert_int_equal(list.items[i].kind, kinds[i]);
	assert_string_equal(list.items[0].path, "g/a/x");
	rg_change_list_release(&list);
	assert_success(rg_worktree_named(worktree, &index, paths, 1, &list));
	assert_string_equal(list.to_id, ":");
	RG_AUTO(rg_buf) buf = rg_buf_of(100);
	assert_success(rg_worktree_blob(worktree, list.items[0].new_id, &buf));
	assert_string_equal(buf.data, "2\n");
	assert_success(rg_blob_open(&blob, worktree, list.items[0].new_id, 2));
	assert_int_equal(blob.size, 2);
	assert_memory_equal(blob.data, "2\n", 2);
	rg_blob_release(&blob);
	rg_blob_release(&blob);
	assert_fails_with(rg_blob_open(&blob, worktree, list.items[0].new_id, 1), RG_E_LIMIT);
	assert_fails_with(rg_blob_open(&blob, worktree, list.base_id, 100), RG_E_GIT);
	assert_success(rg_worktree_file_at(worktree, ":", "g/c/y", &buf));
	assert_string_equal(buf.data, "2\n");
	assert_success(rg_worktree_file_at(worktree, list.base_id, "g/c/y", &buf));
	assert_string_equal(buf.data, "g/c/y\n");
	rg_change_list_release(&list);
	rg_worktree_free(worktree);
}

TEST(renames)
{
	const rg_change_query all = {0}, none = {.no_renames = true}, to = {.to = "moved"};

	reset();
	sh("seq 100 >g/long && git add g/long && git commit -qm long && git tag long\n"
	   "mv g/long g/moved && echo 101 >>g/moved");
	assert_string_equal(changes(&all), "R g/long>g/moved\n");
	assert_string_equal(changes(&none), "D g/long\nN g/moved\n");
	sh("git add -A && git commit -qm moved && git tag moved && git reset -q --hard long");
	assert_string_equal(changes(&to), "R g/long>g/moved\n");
	sh("git reset -q --hard long~1");
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define UNDER_SANITIZER
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define UNDER_SANITIZER
#endif
#endif

/* A tensor that could have been something else before is not read into memory for that. */
TEST(rename_of_large)
{
#ifdef UNDER_SANITIZER
	skip(); /* a sanitizer's own memory knows no limit */
#else
	const rg_change_query all = {0};
	struct rlimit before, limit;

	reset();
	sh("truncate -s 128M g/large && rm g/c/x && mv g/a/x g/a/y");
	assert_int_equal(getrlimit(RLIMIT_AS, &before), 0);
	limit = before;
	limit.rlim_cur = (rlim_t)160 << 20;
	assert_int_equal(setrlimit(RLIMIT_AS, &limit), 0);
	assert_string_equal(changes(&all), "R g/a/x>g/a/y\nD g/c/x\nN g/large\n");
	assert_int_equal(setrlimit(RLIMIT_AS, &before), 0);
#endif
}

/* A file of one long line, as JSON often is, that moved and changed a little, is the same one
 * whether git knows of its new place or not. */
TEST(rename_of_one_line)
{
	const rg_change_query all = {0};

	reset();
	sh("seq 3000 | tr '\\n' ' ' >g/line && git add g/line && git commit -qm line\n"
	   "mv g/line g/moved && echo 3001 >>g/moved");
	assert_string_equal(changes(&all), "R g/line>g/moved\n");
	sh("git add -A && echo 3002 >>g/moved");
	assert_string_equal(changes(&all), "R g/line>g/moved\n");
	sh("git reset -q --hard main~1");
}

/* What is no longer a golden is gone, and what was none before is new. */
TEST(renames_in_and_out)
{
	const rg_change_query files = {.files = "*x"};
	const rg_change_query staged = {.files = "*x", .staged = true};

	reset();
	sh("git mv g/a/x g/a/else");
	assert_string_equal(changes(&files), "D g/a/x\n");
	assert_string_equal(changes(&staged), "D g/a/x\n");
	reset();
	sh("git mv g/c/y g/c/z && git mv g/c/x g/c/y-x");
	assert_string_equal(changes(&staged), "R g/c/x>g/c/y-x\n");
	reset();
	sh("git mv g/c/y g/c/new-x");
	assert_string_equal(changes(&files), "N g/c/new-x\n");
	assert_string_equal(changes(&staged), "N g/c/new-x\n");
}

TEST(revisions)
{
	const rg_change_query merge = {.base = "up", .merge_base = true}, plain = {.base = "up"};
	const rg_change_query unknown = {.base = "nothing"};
	rg_worktree *worktree;
	rg_change_list list;
	char id[41];
	rg_buf buf;

	reset();
	sh("git checkout -q -b up && echo up >g/c/x && git commit -qam up && git checkout -q main\n"
	   "echo here >g/c/y");
	assert_string_equal(changes(&merge), "M g/c/y\n");
	assert_string_equal(changes(&plain), "M g/c/x\nM g/c/y\n");
	assert_success(rg_worktree_open(&worktree, scratch));
	assert_error(rg_worktree_changes(worktree, &unknown, &list), RG_E_NOTFOUND,
		     "'nothing' is not a revision of this repository");
	assert_success(rg_worktree_resolve(worktree, "up", id));
	assert_int_equal(strlen(id), 40);
	rg_buf_init(&buf, 1 << 20);
	assert_success(rg_worktree_file_at(worktree, "up", "g/c/x", &buf));
	assert_string_equal(buf.data, "up\n");
	assert_error(rg_worktree_file_at(worktree, "up", "g/c/none", &buf), RG_E_NOTFOUND,
		     "g/c/none: is not in 'up'");
	rg_buf_release(&buf);
	rg_buf_init(&buf, 2);
	assert_fails_with(rg_worktree_file_at(worktree, "up", "g/c/x", &buf), RG_E_LIMIT);
	rg_buf_release(&buf);
	rg_worktree_free(worktree);
	sh("git branch -qD up");
}

TEST(ancestry)
{
	rg_worktree *worktree;
	rg_ancestry ancestry;
	char id[41], branch[41];
	char *name;

	reset();
	sh("git checkout -q -b aside && git commit -q --allow-empty -m aside && git checkout -q "
	   "main");
	assert_success(rg_worktree_open(&worktree, scratch));
	assert_success(rg_worktree_branch(worktree, &name));
	assert_string_equal(name, "main");
	free(name);
	assert_success(rg_worktree_resolve(worktree, "HEAD", id));
	assert_success(rg_worktree_ancestry(worktree, id, &ancestry));
	assert_int_equal(ancestry, RG_IN_HISTORY);
	assert_success(rg_worktree_resolve(worktree, "aside", branch));
	assert_success(rg_worktree_ancestry(worktree, branch, &ancestry));
	assert_int_equal(ancestry, RG_NOT_IN_HISTORY);
	assert_success(rg_worktree_ancestry(worktree, "no SHA", &ancestry));
	assert_int_equal(ancestry, RG_NOT_IN_HISTORY);
	rg_worktree_free(worktree);
	sh("git checkout -q aside");
	assert_success(rg_worktree_open(&worktree, scratch));
	assert_success(rg_worktree_ancestry(worktree, id, &ancestry));
	assert_int_equal(ancestry, RG_IN_HISTORY);
	rg_worktree_free(worktree);
	sh("git checkout -q --detach");
	assert_success(rg_worktree_open(&worktree, scratch));
	assert_success(rg_worktree_branch(worktree, &name));
	assert_null(name);
	rg_worktree_free(worktree);
	sh("git checkout -q main && git branch -qD aside");
}

/* What a clone's history does not have is not asked for. */
TEST(shallow_clone)
{
	const rg_change_query known_merge = {.base = "main", .merge_base = true, .root = "g"};
	const rg_change_query merge = {.base = "old", .merge_base = true};
	const rg_change_query older = {.base = "v1"};
	rg_worktree *worktree;
	rg_change_list list;
	rg_ancestry ancestry;
	char known[41];

	reset();
	sh("cp -r .git full.git && echo 1 >g/a/x && git commit -qam two\n"
	   "git clone -q --depth 1 file://$PWD shallow\n"
	   "git -C shallow fetch -q --depth 1 origin $(git rev-parse HEAD~1):old && mv .git "
	   "old.git\n"
	   "mv shallow/.git . && rm -r shallow\n"
	   "git config user.name t && git config user.email t@example.com\n"
	   "git checkout -q -b feature && echo 2 >g/c/x && git commit -qam feature");
	assert_success(rg_worktree_open(&worktree, scratch));
	assert_success(rg_worktree_changes(worktree, &known_merge, &list));
	assert_int_equal(list.count, 1);
	assert_string_equal(list.items[0].path, "g/c/x");
	rg_change_list_release(&list);
	assert_error(rg_worktree_changes(worktree, &merge, &list), RG_E_GIT,
		     "this shallow clone does not show where 'old' and 'HEAD' parted; 'git fetch "
		     "--unshallow' gets the rest of the history");
	assert_error(
		rg_worktree_changes(worktree, &older, &list), RG_E_NOTFOUND,
		"'v1' is not a revision of this shallow clone; 'git fetch' with its "
		"name gets a branch or a tag, 'git fetch --unshallow' the rest of the history");
	assert_success(rg_worktree_resolve(worktree, "HEAD~1", known));
	assert_success(rg_worktree_ancestry(worktree, known, &ancestry));
	assert_int_equal(ancestry, RG_IN_HISTORY);
	assert_success(rg_worktree_ancestry(worktree, "0123456789012345678901234567890123456789",
					    &ancestry));
	assert_int_equal(ancestry, RG_HISTORY_NOT_KNOWN);
	rg_worktree_free(worktree);
	sh("rm -rf .git old.git && mv full.git .git");
}

TEST(sha256)
{
	rg_worktree *worktree;
	char path[128], wanted[512];

	reset();
	sh("git init -q --object-format=sha256 sha256");
	snprintf(path, sizeof(path), "%s/sha256", scratch);
	snprintf(wanted, sizeof(wanted),
		 "%s: libgit2 cannot open this repository: unsupported extension name "
		 "extensions.objectformat; regild reads SHA-1 alone; 'git fast-export --all' into "
		 "'git fast-import' makes a copy with 'git init --object-format=sha1'",
		 path);
	assert_error(rg_worktree_open(&worktree, path), RG_E_GIT, wanted);
}

TEST(where_it_opens)
{
	rg_worktree *worktree;
	char path[128], *url;

	reset();
	snprintf(path, sizeof(path), "%s/g/c", scratch);
	assert_success(rg_worktree_open(&worktree, path));
	assert_success(rg_worktree_require_commit(worktree));
	assert_success(rg_worktree_remote_url(worktree, "origin", &url));
	assert_null(url);
	rg_worktree_free(worktree);

	sh("git init -q empty && git init -q --bare bare && git worktree add -q linked\n"
	   "git remote add origin https://example.com/a/b.git");
	snprintf(path, sizeof(path), "%s/linked/g", scratch);
	assert_success(rg_worktree_open(&worktree, path));
	assert_non_null(strstr(rg_worktree_git_dir(worktree), "/.git/worktrees/linked/"));
	assert_non_null(strstr(rg_worktree_root(worktree), "/linked/"));
	assert_success(rg_worktree_remote_url(worktree, "origin", &url));
	assert_string_equal(url, "https://example.com/a/b.git");
	free(url);
	sh("git config url.x:.insteadOf https:// && git config url.git@host:.insteadOf "
	   "https://example.com/");
	assert_success(rg_worktree_remote_url(worktree, "origin", &url));
	assert_string_equal(url, "git@host:a/b.git");
	free(url);
	rg_worktree_free(worktree);

	snprintf(path, sizeof(path), "%s/bare", scratch);
	assert_fails_with(rg_worktree_open(&worktree, path), RG_E_GIT);
	assert_null(worktree);
	snprintf(path, sizeof(path), "%s/empty", scratch);
	assert_success(rg_worktree_open(&worktree, path));
	assert_fails_with(rg_worktree_require_commit(worktree), RG_E_GIT);
	rg_worktree_free(worktree);
	assert_error(rg_worktree_open(&worktree, "/"), RG_E_NOTFOUND,
		     "'/' is not in a git repository");
	sh("git worktree remove --force linked && git branch -qD linked && git remote remove "
	   "origin");
}

/* The environment names it, as with git; and the same one opens again for another thread. */
TEST(environment_and_again)
{
	rg_worktree *worktree, *again;
	char git_dir[128], elsewhere[128];

	reset();
	sh("git init -q other");
	snprintf(git_dir, sizeof(git_dir), "%s/.git", scratch);
	snprintf(elsewhere, sizeof(elsewhere), "%s/other", scratch);
	setenv("GIT_DIR", git_dir, 1);
	setenv("GIT_WORK_TREE", elsewhere, 1);
	assert_success(rg_worktree_open(&worktree, NULL));
	unsetenv("GIT_DIR");
	unsetenv("GIT_WORK_TREE");
	assert_non_null(strstr(rg_worktree_root(worktree), "/other/"));
	assert_null(strstr(rg_worktree_git_dir(worktree), "/other/"));
	assert_success(rg_worktree_open_again(&again, worktree));
	assert_string_equal(rg_worktree_root(again), rg_worktree_root(worktree));
	assert_string_equal(rg_worktree_git_dir(again), rg_worktree_git_dir(worktree));
	rg_worktree_free(worktree);
	/* It outlives the first. */
	RG_AUTO(rg_buf) bytes = rg_buf_of(100);
	assert_success(rg_worktree_file_at(again, "HEAD", "g/a/x", &bytes));
	assert_string_equal(bytes.data, "g/a/x\n");
	rg_worktree_free(again);
	/* Where its objects and its index are, too. */
	sh("cp .git/index index && git init -q bare && echo staged >g/a/x && git add g/a/x\n"
	   "mv index bare/index && mv .git/index bare/staged && mv bare/index .git/index\n"
	   "cp -r .git/objects bare/objects && rm -rf .git/objects/?? .git/objects/pack/*");
	snprintf(elsewhere, sizeof(elsewhere), "%s/bare/staged", scratch);
	setenv("GIT_INDEX_FILE", elsewhere, 1);
	snprintf(elsewhere, sizeof(elsewhere), "%s/bare/objects", scratch);
	setenv("GIT_OBJECT_DIRECTORY", elsewhere, 1);
	setenv("GIT_DIR", git_dir, 1);
	assert_success(rg_worktree_open(&worktree, NULL));
	assert_success(rg_worktree_open_again(&again, worktree));
	unsetenv("GIT_DIR");
	unsetenv("GIT_OBJECT_DIRECTORY");
	assert_success(rg_worktree_file_at(again, "HEAD", "g/a/x", &bytes));
	assert_string_equal(bytes.data, "g/a/x\n");
	assert_success(rg_worktree_file_at(again, ":", "g/a/x", &bytes));
	assert_string_equal(bytes.data, "staged\n");
	rg_worktree_free(worktree);
	rg_worktree_free(again);
	/* A hook's index beside a working tree that is named. */
	sh("cp -r bare/objects .git/");
	setenv("GIT_DIR", git_dir, 1);
	setenv("GIT_WORK_TREE", scratch, 1);
	assert_success(rg_worktree_open(&worktree, NULL));
	assert_success(rg_worktree_open_again(&again, worktree));
	unsetenv("GIT_DIR");
	unsetenv("GIT_WORK_TREE");
	unsetenv("GIT_INDEX_FILE");
	assert_success(rg_worktree_file_at(worktree, ":", "g/a/x", &bytes));
	assert_string_equal(bytes.data, "staged\n");
	assert_success(rg_worktree_file_at(again, ":", "g/a/x", &bytes));
	assert_string_equal(bytes.data, "staged\n");
	rg_worktree_free(worktree);
	rg_worktree_free(again);
	sh("rm -r bare");
}

TEST(blobs)
{
	rg_worktree *worktree;
	char id[41];

	assert_success(rg_worktree_open(&worktree, scratch));
	assert_success(rg_worktree_resolve(worktree, "HEAD", id));
	RG_AUTO(rg_buf) bytes = rg_buf_of(100);
	assert_fails_with(rg_worktree_blob(worktree, id, &bytes), RG_E_GIT);
	assert_fails_with(rg_worktree_blob(worktree, "no id", &bytes), RG_E_GIT);
	memset(id, '1', 40);
	assert_fails_with(rg_worktree_blob(worktree, id, &bytes), RG_E_GONE);
	assert_fails_with(rg_worktree_file_at(worktree, "HEAD", "g/a", &bytes), RG_E_NOTFOUND);
	rg_worktree_free(worktree);
}

/* A blob whose bytes are damaged: whoever unpacks it to learn its size stumbles over that. */
TEST(large_blob)
{
	rg_worktree *worktree;
	rg_blob blob;
	rg_buf bytes, id;
	char path[4096];

	snprintf(path, sizeof(path), "%s/id", scratch);
	sh("id=$(seq 20000 | git hash-object -w --stdin) && printf $id >id && "
	   "file=.git/objects/$(echo $id | sed 's|..|&/|') && chmod u+w $file && "
	   "tr '\\0' '\\377' </dev/zero | dd of=$file bs=1 seek=5000 count=1000 conv=notrunc "
	   "2>/dev/null");
	rg_buf_init(&id, 100);
	assert_success(rg_worktree_open(&worktree, scratch));
	assert_success(rg_file_read(&id, path));
	assert_error(rg_blob_open(&blob, worktree, id.data, 108893), RG_E_LIMIT,
		     "108894 bytes, more than the limit of 108893");
	rg_blob_release(&blob);
	assert_fails_with(rg_blob_open(&blob, worktree, id.data, 108894), RG_E_GIT);
	rg_blob_release(&blob);
	rg_buf_init(&bytes, 108893);
	assert_error(rg_worktree_blob(worktree, id.data, &bytes), RG_E_LIMIT,
		     "108894 bytes, more than the limit of 108893");
	rg_buf_release(&bytes);
	rg_buf_release(&id);
	rg_worktree_free(worktree);
}
