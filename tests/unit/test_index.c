/* SPDX-License-Identifier: Apache-2.0 */
/* The index as writers of goldens need it. */
#include "unit.h"

#include "unit/repository.h"

#include "worktree/index.h"

#include <stdio.h>
#include <string.h>

static rg_worktree *worktree;

FIXTURE(set_up)
{
	make_repository();
	sh("mkdir -p g/a g/b && echo one >g/a/x && echo two >g/b/y && printf '1\\n2\\n' >g/crlf\n"
	   "echo '*.lfs filter=lfs' >.gitattributes && echo 'g/crlf text eol=crlf' "
	   ">>.gitattributes\n"
	   "echo pointer >big.lfs && echo run >tool && chmod +x tool\n"
	   "git add -A && git commit -qm one");
	return 0;
}

/* Who opened it before has the index as it was then. */
static void open_again(void)
{
	rg_worktree_free(worktree);
	assert_success(rg_worktree_open(&worktree, scratch));
}

/* Each test starts from the commit. */
FIXTURE(open_clean)
{
	sh("git reset -q --hard && git clean -qffdx");
	assert_success(rg_worktree_open(&worktree, scratch));
	return 0;
}

FIXTURE(close_it)
{
	rg_worktree_free(worktree);
	return 0;
}

/* What git says of the repository, one path a line. */
static void assert_status(const char *wanted)
{
	char path[128];

	sh("git status --porcelain --untracked-files=all >.git/status");
	snprintf(path, sizeof(path), "%s/.git/status", scratch);
	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_TEXT);
	assert_success(rg_file_read(&text, path));
	assert_string_equal(text.length ? text.data : "", wanted);
}

TEST_EACH(open_clean, close_it);
TEST_GROUP(set_up, remove_repository);

TEST(stages_only_what_it_is_told)
{
	static const char *const paths[] = {"g/a/x", "g/new"};
	rg_index *before;

	/* What git adds after the index was read stays in it. */
	assert_success(rg_index_open(&before, worktree));
	rg_index_free(before);
	sh("echo 1 >g/a/x; echo 1 >g/b/y; echo 1 >g/new; echo 1 >g/other; git add g/b/y");
	assert_success(rg_worktree_stage(worktree, paths, 2));
	assert_status("M  g/a/x\nM  g/b/y\nA  g/new\n?? g/other\n");
	assert_success(rg_worktree_unstage(worktree, paths, 2));
	assert_status(" M g/a/x\nM  g/b/y\n?? g/new\n?? g/other\n");
	/* What is in neither HEAD nor the index is no trouble, and what is gone comes back. */
	sh("git rm -q --cached g/a/x");
	assert_success(rg_worktree_unstage(worktree, paths, 2));
	assert_status(" M g/a/x\nM  g/b/y\n?? g/new\n?? g/other\n");
}

TEST(stages_through_gits_filters)
{
	static const char *const crlf[] = {"g/crlf"};

	sh("printf '1\\r\\n2\\r\\n3\\r\\n' >g/crlf");
	assert_success(rg_worktree_stage(worktree, crlf, 1));
	sh("git cat-file blob :g/crlf >.git/blob; printf '1\\n2\\n3\\n' | cmp - .git/blob");
}

TEST(stages_nothing_beside_a_filter_that_only_git_can_run)
{
	static const char *const paths[] = {"g/a/x", "big.lfs"}, *const gone[] = {"g/b/y", "no"};

	sh("echo 1 >g/a/x; echo 1 >g/b/y; echo 1 >big.lfs");
	assert_error(rg_worktree_stage(worktree, paths, 2), RG_E_GIT,
		     "big.lfs: only git can run its filter "
		     "'lfs'");
	assert_fails_with(rg_worktree_stage(worktree, gone, 2), RG_E_NOTFOUND);
	sh("git diff --cached --quiet");
}

TEST(a_path_is_outside_a_sparse_checkout)
{
	static const struct {
		const char *path;
		bool outside;
	} cases[] = {
		{"top.json", false}, /* beside files that are there */
		{"g/new.json", false},
		{"g/a/new.json", false},      /* the cone's folder */
		{"g/a/deep/new.json", false}, /* below it */
		{"g/b/new.json", true},
		{"g/b/deep/new.json", true},
		{"other/new.json", true},
		{"g/b/y", true}, /* tracked, with its bit */
		{"g/a/x", false},
	};
	rg_index *index;
	size_t i;

	assert_success(rg_index_open(&index, worktree));
	assert_false(rg_index_is_outside(index, "other/new.json"));
	assert_false(rg_index_ignores_case(index));
	rg_index_free(index);
	sh("git sparse-checkout set --cone g/a");
	open_again();
	assert_success(rg_index_open(&index, worktree));
	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		if (rg_index_is_outside(index, cases[i].path) != cases[i].outside)
			fail_msg("%s", cases[i].path);
	rg_index_free(index);
	sh("git sparse-checkout disable");
}

TEST(finds_the_twin_that_differs_in_case)
{
	rg_index *index;

	assert_success(rg_index_open(&index, worktree));
	assert_null(rg_index_twin(index, "G/A/X"));
	rg_index_free(index);
	sh("git config core.ignorecase true");
	open_again();
	assert_success(rg_index_open(&index, worktree));
	assert_true(rg_index_ignores_case(index));
	assert_string_equal(rg_index_twin(index, "G/A/X"), "g/a/x");
	assert_null(rg_index_twin(index, "g/a/x"));
	assert_null(rg_index_twin(index, "g/a/z"));
	rg_index_free(index);
	sh("git config core.ignorecase false");
}

static bool hides(const char *path)
{
	rg_index *index;
	char id[41];

	assert_success(rg_index_open(&index, worktree));
	assert_success(rg_index_hidden_work(index, worktree, path, id));
	rg_index_free(index);
	assert_true(!*id || strlen(id) == 40);
	return *id;
}

TEST(hidden_work_is_neither_heads_nor_the_trees)
{
	assert_false(hides("g/a/x"));
	assert_false(hides("g/none"));
	sh("echo staged >g/a/x; git add g/a/x; echo new >g/new; git add g/new");
	assert_false(hides("g/a/x"));
	assert_false(hides("g/new"));
	sh("echo later >g/a/x; echo later >g/new");
	open_again();
	assert_true(hides("g/a/x"));
	assert_true(hides("g/new"));
	sh("rm g/a/x");
	assert_true(hides("g/a/x"));
	/* Only in the tree: git did not get it. */
	sh("echo tree >g/b/y");
	assert_false(hides("g/b/y"));
	/* Announced only: no bytes are staged. */
	sh("echo soon >g/soon; git add -N g/soon");
	open_again();
	assert_false(hides("g/soon"));
}

static bool overlooks(const char *path)
{
	rg_index *index;
	bool out;

	open_again();
	assert_success(rg_index_open(&index, worktree));
	assert_success(rg_index_overlooks_work(index, worktree, path, &out));
	rg_index_free(index);
	return out;
}

TEST(overlooked_work_is_what_git_was_told_to_pass_over)
{
	sh("echo work >g/a/x");
	assert_false(overlooks("g/a/x")); /* git sees it */
	sh("git update-index --assume-unchanged g/a/x g/b/y");
	assert_true(overlooks("g/a/x"));
	assert_false(overlooks("g/b/y"));
	sh("git update-index --no-assume-unchanged g/a/x; git update-index --skip-worktree g/a/x");
	assert_true(overlooks("g/a/x"));
	sh("git update-index --no-skip-worktree g/a/x; git update-index --no-assume-unchanged "
	   "g/b/y\n"
	   "echo g/ignored >.git/info/exclude; echo 1 >g/ignored");
	assert_true(overlooks("g/ignored"));
	/* Out of the index, and as in HEAD. */
	sh("git rm -q --cached g/b/y");
	assert_false(overlooks("g/b/y"));
}

TEST(a_mark_is_told_from_a_sparse_checkout)
{
	rg_index *index;

	sh("git update-index --skip-worktree g/a/x");
	open_again();
	assert_success(rg_index_open(&index, worktree));
	assert_true(rg_index_is_outside(index, "g/a/x"));
	assert_non_null(strstr(rg_index_why_outside(index, "g/a/x"), "skip-worktree"));
	assert_null(rg_index_why_outside(index, "g/b/y"));
	rg_index_free(index);
	sh("git update-index --no-skip-worktree g/a/x");
}

TEST(finds_the_repository_inside)
{
	rg_index *index;

	sh("git init -q g/inner; git update-index --add --cacheinfo "
	   "160000,$(git rev-parse HEAD),g/sub");
	open_again();
	assert_success(rg_index_open(&index, worktree));
	assert_int_equal(rg_index_inner_repository(index, worktree, "g/a/x"), 0);
	assert_int_equal(rg_index_inner_repository(index, worktree, "x"), 0);
	assert_int_equal(rg_index_inner_repository(index, worktree, "g/inner/s/t/x"), 7);
	assert_int_equal(rg_index_inner_repository(index, worktree, "g/inner/s/t/y"), 7);
	assert_int_equal(rg_index_inner_repository(index, worktree, "g/innert/x"), 0);
	assert_int_equal(rg_index_inner_repository(index, worktree, "g/inner/x"), 7);
	/* A submodule that is not checked out. */
	assert_int_equal(rg_index_inner_repository(index, worktree, "g/sub/t/x"), 5);
	rg_index_free(index);
	sh("rm -rf g/inner; git rm -q --cached g/sub");
}

/* As any other index. */
static void assert_read(void)
{
	rg_index *index;

	open_again();
	assert_success(rg_index_open(&index, worktree));
	assert_int_equal(rg_index_look(index, "g/a/x").mode, 0100644);
	assert_true(rg_index_is_as_file(index, worktree, "g/a/x"));
	rg_index_free(index);
}

TEST(git_reads_an_index_that_libgit2_does_not)
{
	sh("git update-index --split-index");
	assert_read();
	sh("git update-index --no-split-index; git update-index --refresh >&2\n"
	   "truncate -s -20 .git/index; head -c 20 /dev/zero >>.git/index");
	assert_read();
	sh("rm .git/index; git reset -q");
	sh("git sparse-checkout set --cone --sparse-index g/a");
	assert_read();
	sh("git sparse-checkout disable");
}

TEST(a_conflict_is_resolved_when_it_is_unstaged)
{
	static const char *const paths[] = {"g/a/x"};

	sh("git checkout -q -b other; echo other >g/a/x; git commit -qam other; git checkout -q -\n"
	   "echo ours >g/a/x; git commit -qam ours; git merge -q other >&2 && exit 1\n"
	   "[ \"$(git ls-files -u | wc -l)\" = 3 ]");
	open_again();
	assert_success(rg_worktree_unstage(worktree, paths, 1));
	sh("[ -z \"$(git ls-files -u)\" ]; git write-tree >&2; git diff --cached --quiet HEAD\n"
	   "git reset -q --hard; git branch -q -D other");
}

TEST(marks_stay_where_an_entry_is_unstaged)
{
	static const char *const paths[] = {"g/a/x", "g/b/y"};

	sh("echo staged >g/a/x; cp g/a/x g/b/y; git add g/a/x g/b/y\n"
	   "git update-index --skip-worktree g/a/x; git update-index --assume-unchanged g/b/y");
	open_again();
	assert_success(rg_worktree_unstage(worktree, paths, 2));
	sh("git ls-files -v g/a/x g/b/y >marks; printf 'S g/a/x\\nh g/b/y\\n' | cmp - marks >&2\n"
	   "rm marks; git diff --cached --quiet HEAD\n"
	   "git update-index --no-skip-worktree g/a/x; git update-index --no-assume-unchanged "
	   "g/b/y\n"
	   "git reset -q --hard");
	open_again();
}

TEST(gives_what_a_checkout_would_write)
{
	bool executable;
	rg_buf bytes;

	/* Neither the working tree nor the index counts. */
	sh("rm tool; echo 1 >g/crlf; git add g/crlf");
	rg_buf_init(&bytes, RG_BUF_TEXT);
	assert_success(rg_worktree_checkout_bytes(worktree, "g/crlf", &bytes, &executable));
	assert_string_equal(bytes.data, "1\r\n2\r\n");
	assert_false(executable);
	rg_buf_clear(&bytes);
	assert_success(rg_worktree_checkout_bytes(worktree, "tool", &bytes, &executable));
	assert_string_equal(bytes.data, "run\n");
	assert_true(executable);
	rg_buf_clear(&bytes);
	assert_fails_with(rg_worktree_checkout_bytes(worktree, "g/none", &bytes, &executable),
			  RG_E_NOTFOUND);
	assert_error(rg_worktree_checkout_bytes(worktree, "big.lfs", &bytes, &executable), RG_E_GIT,
		     "big.lfs: only git can run its filter 'lfs'");
	assert_fails_with(rg_worktree_checkout_bytes(worktree, "g/a", &bytes, &executable),
			  RG_E_NOTFOUND);
	rg_buf_release(&bytes);
	rg_buf_init(&bytes, 3);
	assert_fails_with(rg_worktree_checkout_bytes(worktree, "tool", &bytes, &executable),
			  RG_E_LIMIT);
	rg_buf_release(&bytes);
}
