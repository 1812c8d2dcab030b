/* SPDX-License-Identifier: Apache-2.0 */
/* Goldens back to HEAD. */
#include "unit.h"

#include "unit/repository.h"

#include "update/reset.h"
#include "update/update_log.h"

#include <stdio.h>
#include <string.h>
#include <zlib.h>

static rg_worktree *worktree;
static rg_journal *journal;
static rg_reset reset;

FIXTURE(set_up)
{
	make_repository();
	sh("mkdir -p g/s/a g/s/b && for f in a/x a/y b/x; do echo $f >g/s/$f.json; done\n"
	   "printf '1\\n' >g/s/b/crlf.json; echo 'g/s/b/crlf.json eol=crlf' >.gitattributes\n"
	   "echo '*.lfs.json filter=lfs' >>.gitattributes; echo p >g/s/b/big.lfs.json\n"
	   "echo tool >g/s/b/tool.json; chmod +x g/s/b/tool.json; echo t >g/s/notes.txt\n"
	   "echo outside >x.json; git add -A && git commit -qm one");
	return 0;
}

static void open_all(void)
{
	assert_success(rg_worktree_open(&worktree, scratch));
	assert_success(rg_journal_open(&journal, rg_worktree_root(worktree),
				       rg_worktree_git_dir(worktree), NULL));
}

FIXTURE(open_clean)
{
	/* As old as the index's own time, a file would be read to know whether it changed: with a
	 * filter that only git can run, that is not to be known. */
	sh("git reset -q --hard && git clean -qffdx && rm -rf .git/regild\n"
	   "touch -d 2001-01-01 g/s/b/big.lfs.json && git update-index -q --refresh");
	open_all();
	reset = (rg_reset){0};
	return 0;
}

FIXTURE(close_it)
{
	rg_reset_release(&reset);
	rg_journal_close(journal);
	rg_worktree_free(worktree);
	return 0;
}

static rg_error *plan(const char *pattern)
{
	const rg_reset_options options = {.root = "g",
					  .files = "*.json",
					  .target = "{stage}/{test}/{file}",
					  .pattern = pattern};

	rg_reset_release(&reset);
	return rg_reset_plan(&reset, worktree, journal, &options);
}

/* "s/a/x.json; s/a/y.json: why it is left alone; …" */
static void assert_plan(const char *wanted)
{
	size_t i, left_alone = 0;

	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_TEXT);
	for (i = 0; i < reset.count; i++) {
		const char *why = reset.items[i].why;

		left_alone += why != NULL;
		rg_buf_printf(&text, "%s%s%s; ", reset.items[i].path + strlen("g/"),
			      why ? ": " : "", why ? why : "");
	}
	assert_success(rg_buf_check(&text, "plan"));
	assert_string_equal(text.length ? text.data : "", wanted);
	assert_int_equal(reset.left_alone, left_alone);
}

static void apply(rg_record *done)
{
	rg_record_init(done);
	assert_success(rg_journal_lock(journal));
	assert_success(rg_reset_apply(&reset, journal, done));
	assert_success(rg_reset_index(worktree, done));
}

TEST_EACH(open_clean, close_it);
TEST_GROUP(set_up, remove_repository);

TEST(goldens_are_as_in_head_again)
{
	rg_record done, undone;

	sh("echo 1 >g/s/a/x.json; rm g/s/a/y.json; mkdir g/s/new; echo 1 >g/s/new/x.json\n"
	   "echo 1 >g/s/notes.txt; echo 1 >x.json; git add g/s/a/x.json g/s/new; echo 2 "
	   ">g/s/b/crlf.json");
	assert_success(plan(NULL));
	assert_plan("s/a/x.json; s/a/y.json; s/b/crlf.json; s/new/x.json; ");
	assert_false(reset.items[1].old.exists);
	assert_false(reset.items[3].new_side.exists);
	/* Planning touches nothing. */
	sh("[ \"$(cat g/s/a/x.json)\" = 1 ]; [ ! -e g/s/a/y.json ]");
	apply(&done);
	assert_int_equal(done.count, 4);
	assert_int_equal(done.kind, RG_RECORD_RESET);
	sh("[ \"$(git status --porcelain | xargs)\" = 'M g/s/notes.txt M x.json' ]\n"
	   "[ ! -e g/s/new ]; printf '1\\r\\n' | cmp - g/s/b/crlf.json");
	/* All that went comes back. */
	rg_record_init(&undone);
	assert_success(rg_undo(journal, worktree, &done, &undone));
	sh("[ \"$(cat g/s/a/x.json)\" = 1 ]; [ ! -e g/s/a/y.json ]; [ -e g/s/new/x.json ]");
	rg_record_release(&undone);
	rg_record_release(&done);
}

TEST(work_that_only_the_index_holds_is_left_alone)
{
	rg_record done;

	sh("echo staged >g/s/a/x.json; git add g/s/a/x.json; echo later >g/s/a/x.json\n"
	   "echo 1 >g/s/a/y.json; echo 1 >g/s/b/big.lfs.json");
	assert_success(plan(NULL));
	assert_plan("s/a/x.json: the staged version is neither HEAD's nor the working tree's; "
		    "'git restore --staged' it first; s/a/y.json; "
		    "s/b/big.lfs.json: only git can run its filter 'lfs'; ");
	apply(&done);
	assert_int_equal(done.count, 1);
	sh("[ \"$(cat g/s/a/x.json)\" = later ]; [ \"$(git show :g/s/a/x.json)\" = staged ]\n"
	   "[ \"$(cat g/s/b/big.lfs.json)\" = 1 ]; [ \"$(cat g/s/a/y.json)\" = a/y ]");
	rg_record_release(&done);
}

/* A loose object that says it is a blob of 1.2 GB, and has none of it: read past its size, it is
 * found to be damaged. */
static void put_large_blob(const char *hex)
{
	static const char header[] = "blob 1288490188";
	char path[sizeof(scratch) + 64];
	unsigned char packed[64];
	uLongf length = sizeof(packed);

	assert_int_equal(compress(packed, &length, (const Bytef *)header, sizeof(header)), Z_OK);
	snprintf(path, sizeof(path), "%s/.git/objects/%.2s/%s", scratch, hex, hex + 2);
	assert_success(rg_make_parent_dirs(path, 0777));
	assert_success(rg_file_replace(path, packed, length, 0444));
}

TEST(a_file_of_over_a_gigabyte_stops_no_other)
{
	rg_record done;

	put_large_blob("1234567890123456789012345678901234567890");
	sh("git update-index --add --cacheinfo "
	   "100644,1234567890123456789012345678901234567890,g/s/a/large.json\n"
	   "git commit -qm large; echo 1 >g/s/a/large.json\n"
	   "echo 1 >g/s/a/x.json; truncate -s 1200M g/s/a/y.json");
	assert_success(plan(NULL));
	assert_plan("s/a/large.json: HEAD's version: 1288490188 bytes, more than the limit of "
		    "1073741824; s/a/x.json; "
		    "s/a/y.json: 1258291200 bytes, more than the limit of 1073741824; ");
	apply(&done);
	assert_int_equal(done.count, 1);
	sh("[ \"$(cat g/s/a/x.json)\" = a/x ]; [ \"$(cat g/s/a/large.json)\" = 1 ]\n"
	   "rm g/s/a/large.json; git reset -q --soft HEAD^");
	rg_record_release(&done);
}

TEST(what_the_index_alone_has_otherwise_is_seen)
{
	rg_record done;

	sh("echo staged >g/s/a/x.json; git add g/s/a/x.json; git show HEAD:g/s/a/x.json "
	   ">g/s/a/x.json\n"
	   "git rm -q --cached g/s/a/y.json; echo soon >g/s/a/z.json; git add -N g/s/a/z.json\n"
	   "for side in theirs HEAD; do echo 100644 $(git rev-parse HEAD:g/s/a/x.json) "
	   "$([ $side = HEAD ] && echo 2 || echo 3) g/s/b/x.json; done | sed 's/ g/\\tg/' "
	   ">entries\n"
	   "git rm -q --cached g/s/b/x.json; git update-index --index-info <entries; rm entries");
	assert_success(plan(NULL));
	assert_plan("s/a/x.json: the staged version is neither HEAD's nor the working tree's; "
		    "'git restore --staged' it first; s/a/y.json; s/a/z.json; s/b/x.json; ");
	apply(&done);
	assert_int_equal(done.count, 3);
	sh("[ \"$(git status --porcelain | xargs)\" = 'MM g/s/a/x.json' ]; git write-tree >&2");
	rg_record_release(&done);
}

TEST(what_a_partial_clone_lacks_is_left_alone)
{
	sh("echo 1 >g/s/a/x.json; echo 1 >g/s/a/y.json; id=$(git rev-parse HEAD:g/s/a/x.json)\n"
	   "mv .git/objects/${id%\"${id#??}\"}/${id#??} .git/away; echo $id >.git/away.id");
	assert_success(plan(NULL));
	assert_plan("s/a/x.json: HEAD's bytes are not in this partial clone; 'git checkout HEAD -- "
		    "FILE' fetches them; s/a/y.json; ");
	sh("id=$(cat .git/away.id); mv .git/away .git/objects/${id%\"${id#??}\"}/${id#??}");
}

TEST(what_is_behind_a_link_is_left_alone)
{
	sh("mv g/s/a elsewhere && ln -s ../../elsewhere g/s/a");
	assert_success(plan(NULL));
	assert_int_equal(reset.count, 2);
	assert_int_equal(reset.left_alone, 2);
	assert_string_equal(reset.items[0].path, "g/s/a/x.json");
	assert_non_null(strstr(reset.items[0].why, "symbolic link"));
	sh("rm g/s/a");
}

TEST(the_executable_bit_is_heads_and_the_rest_of_the_mode_stays)
{
	rg_record done;

	/* A mode alone is a change to git as well, in the index too. */
	sh("chmod +x g/s/b/x.json; for f in a/x a/y b/tool; do echo 1 >g/s/$f.json; done\n"
	   "chmod -x g/s/b/tool.json; chmod 600 g/s/a/x.json; chmod 700 g/s/a/y.json\n"
	   "git update-index --chmod=+x g/s/b/crlf.json; git config core.fileMode false");
	assert_success(plan(NULL));
	assert_plan("s/a/x.json; s/a/y.json; s/b/crlf.json; s/b/tool.json; ");
	sh("git config core.fileMode true");
	close_it(state);
	open_all();
	assert_success(plan(NULL));
	assert_plan("s/a/x.json; s/a/y.json; s/b/crlf.json; s/b/tool.json; s/b/x.json; ");
	apply(&done);
	sh("[ \"$(stat -c %a g/s/a/x.json)\" = 600 ]; [ -x g/s/b/tool.json ]\n"
	   "[ ! -x g/s/a/y.json ]; [ ! -x g/s/b/x.json ]; git diff --quiet HEAD\n"
	   "git diff --cached --quiet");
	rg_record_release(&done);
}

TEST(a_pattern_names_tests_and_files)
{
	const rg_reset_options everywhere = {
		.root = "", .files = "*.json", .target = "{file}", .pattern = "none.json"};
	rg_record done;

	sh("echo 1 >g/s/a/x.json; echo 1 >g/s/a/y.json; echo 1 >g/s/b/x.json");
	assert_error(rg_reset_plan(&reset, worktree, journal, &everywhere), RG_E_USAGE,
		     "'none.json' matches no golden under . that differs from HEAD");
	assert_success(plan("s/a"));
	assert_plan("s/a/x.json; s/a/y.json; ");
	assert_success(plan("x.json"));
	assert_plan("s/a/x.json; s/b/x.json; ");
	assert_error(plan("tool.json"), RG_E_USAGE,
		     "'tool.json' matches no golden under g that differs from HEAD");
	assert_success(plan("b"));
	apply(&done);
	sh("[ \"$(git status --porcelain | xargs)\" = 'M g/s/a/x.json M g/s/a/y.json' ]");
	rg_record_release(&done);
}

TEST(nothing_to_reset_is_nothing_done)
{
	uint64_t *ids;
	rg_record done;
	size_t count;

	assert_success(plan(NULL));
	assert_plan("");
	apply(&done);
	assert_int_equal(done.count, 0);
	assert_success(rg_journal_list(journal, &ids, &count));
	assert_int_equal(count, 0);
	rg_record_release(&done);
}

TEST(what_changed_since_is_kept)
{
	rg_record done;

	sh("echo 1 >g/s/a/x.json; echo 1 >g/s/b/x.json");
	assert_success(plan(NULL));
	sh("echo work >g/s/b/x.json");
	rg_record_init(&done);
	assert_success(rg_journal_lock(journal));
	assert_fails_with(rg_reset_apply(&reset, journal, &done), RG_E_CONFLICT);
	sh("[ \"$(cat g/s/b/x.json)\" = work ]; [ \"$(cat g/s/a/x.json)\" = 1 ]");
	rg_record_release(&done);
}
