/* SPDX-License-Identifier: Apache-2.0 */
/* What an update is about to do, and what it does: plan, inspection, siblings. */
#include "unit.h"

#include "unit/repository.h"

#include "base/digest.h"
#include "update/plan_make.h"
#include "update/siblings.h"
#include "update/update_log.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define SERIES(name, values) "\"" name "\": {\"values\": {" values "}}"
#define OLD                  "{" SERIES("m", "\"1\": 1, \"2\": 2") ", " SERIES("n", "\"1\": 1") "}"
#define NEW                  "{" SERIES("m", "\"1\": 1, \"2\": 3") ", " SERIES("n", "\"1\": 1") "}"
#define NAN_IN_IT            "{" SERIES("m", "\"1\": 1, \"2\": NaN") ", " SERIES("n", "\"1\": 1") "}"
#define SHORT                "{" SERIES("m", "\"1\": 1, \"2\": 2") "}"
#define POINTER                                                   \
	"version https://git-lfs.github.com/spec/v1\noid sha256:" \
	"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855\nsize 1\n"

static rg_worktree *worktree;
static rg_journal *journal;
static rg_manifest manifest;
static rg_manifest_golden goldens[8];
static rg_plan plan;
static rg_plan_options options;
static char staging[256];

static void write_bytes(const char *name, const void *bytes, size_t size)
{
	char path[512];

	snprintf(path, sizeof(path), "%s/%s", scratch, name);
	assert_success(rg_make_parent_dirs(path, 0777));
	assert_success(rg_file_replace(path, bytes, size, 0666));
}

static void write_file(const char *name, const char *text)
{
	write_bytes(name, text, strlen(text));
}

static void assert_file(const char *name, const char *wanted)
{
	char path[512];

	snprintf(path, sizeof(path), "%s/%s", scratch, name);
	RG_AUTO(rg_buf) bytes = rg_buf_of(RG_BUF_TEXT);
	assert_success(rg_file_read(&bytes, path));
	assert_string_equal(bytes.data, wanted);
}

FIXTURE(set_up)
{
	make_repository();
	write_file("g/s/a/x.json", OLD);
	write_file("g/s/a/y.json", OLD);
	write_file("g/s/b/x.json", OLD);
	write_file("g/s/b/big.json", POINTER);
	sh("git add -A && git commit -qm one");
	snprintf(staging, sizeof(staging), "%s/.git/staged", scratch);
	return 0;
}

static void open_all(void)
{
	assert_success(rg_worktree_open(&worktree, scratch));
	assert_success(rg_journal_open(&journal, rg_worktree_root(worktree),
				       rg_worktree_git_dir(worktree), NULL));
	options.root = "g";
	options.files = "*.json *.bin *.pte";
	options.worktree = worktree;
}

FIXTURE(open_clean)
{
	sh("git reset -q --hard && git clean -qffdx && rm -rf .git/staged .git/regild\n"
	   "mkdir .git/staged");
	options = (rg_plan_options){0};
	open_all();
	rg_manifest_init(&manifest);
	manifest.goldens = goldens;
	rg_plan_init(&plan);
	return 0;
}

static void close_all(void)
{
	rg_plan_release(&plan);
	rg_journal_close(journal);
	rg_worktree_free(worktree);
}

FIXTURE(close_it)
{
	close_all();
	manifest.goldens = NULL;
	rg_manifest_release(&manifest);
	return 0;
}

/* Adds a golden, in the order of targets; they and the names must be literals. */
static void stage_bytes(const char *test, const char *file, const char *target, const void *bytes,
			size_t size)
{
	rg_manifest_golden *golden = &goldens[manifest.golden_count++];
	char name[256];

	*golden = (rg_manifest_golden){
		.stage = "s", .test = test, .file = file, .target = target, .size = size};
	assert_success(rg_sha256_hex(bytes, size, golden->sha256));
	snprintf(name, sizeof(name), ".git/staged/files/s/%s/%s", test, file);
	write_bytes(name, bytes, size);
}

static void stage(const char *test, const char *file, const char *target, const char *text)
{
	stage_bytes(test, file, target, text, strlen(text));
}

static rg_error *make(void)
{
	return rg_plan_make(&plan, &manifest, staging, journal, &options);
}

/* What is planned again. */
static rg_error *make_again(void)
{
	rg_plan_release(&plan);
	return make();
}

/* "a/x.json changed; b/x.json new held dirty nonfinite; …" */
static void assert_plan(const char *wanted)
{
	static const char *const changes[] = {"unchanged", "changed", "new"};
	size_t i, j;

	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_TEXT);
	for (i = 0; i < plan.count; i++) {
		const rg_plan_item *item = &plan.items[i];

		rg_buf_printf(&text, "%s %s%s", item->golden->target + strlen("g/s/"),
			      changes[item->change], item->left_out ? " left out" : "");
		if (item->held)
			rg_buf_str(&text, " held");
		for (j = 0; j < item->findings.count; j++)
			rg_buf_printf(&text, " %s", rg_guard_name(item->findings.items[j].guard));
		assert_int_equal(rg_plan_item_is_taken(item),
				 item->change && !item->left_out && !item->held);
		rg_buf_str(&text, "; ");
	}
	assert_success(rg_buf_check(&text, "plan"));
	assert_string_equal(text.length ? text.data : "", wanted);
}

static void plan_anew(const char *wanted)
{
	close_all();
	open_all();
	assert_success(make());
	assert_plan(wanted);
}

/* Does the plan; the record is the caller's to release. */
static void apply(rg_record *done)
{
	rg_record_init(done);
	assert_success(rg_journal_lock(journal));
	assert_success(rg_plan_apply(&plan, journal, done));
}

TEST_EACH(open_clean, close_it);
TEST_GROUP(set_up, remove_repository);

TEST(goldens_are_changed_unchanged_or_new)
{
	rg_record done;

	stage("a", "x.json", "g/s/a/x.json", NEW);
	stage("b", "x.json", "g/s/b/x.json", OLD);
	stage("c", "x.json", "g/s/c/x.json", SHORT);
	assert_success(make());
	assert_plan("a/x.json changed; b/x.json unchanged; c/x.json new; ");
	assert_string_equal(plan.items[0].test, "s/a");
	assert_true(plan.items[0].worst == 0.25);
	assert_int_equal(plan.items[0].metric_count, 2);
	assert_true(plan.items[0].metrics[0].changed);
	assert_string_equal(plan.items[0].metrics[0].name, "m");
	assert_false(plan.items[0].metrics[1].changed);
	assert_true(plan.items[1].file_index == SIZE_MAX);
	assert_int_equal(plan.items[2].new_side.mode, 0666);
	/* Nothing was touched yet. */
	assert_file("g/s/a/x.json", OLD);
	apply(&done);
	assert_int_equal(done.count, 2);
	assert_int_equal(done.kind, RG_RECORD_UPDATE);
	assert_file("g/s/a/x.json", NEW);
	assert_file("g/s/c/x.json", SHORT);
	rg_record_release(&done);
}

TEST(nothing_taken_is_nothing_done)
{
	uint64_t *ids;
	rg_record done;
	size_t count;

	stage("b", "x.json", "g/s/b/x.json", OLD);
	assert_success(make());
	apply(&done);
	assert_int_equal(done.count, 0);
	assert_success(rg_journal_list(journal, &ids, &count));
	assert_int_equal(count, 0);
	free(ids);
	rg_record_release(&done);
	/* Not even a golden is staged. */
	manifest.golden_count = 0;
	assert_success(make_again());
	assert_plan("");
}

TEST(guards_hold_back_what_they_name)
{
	write_file("g/s/b/x.json", OLD "\n");
	stage("a", "x.json", "g/s/a/x.json", NAN_IN_IT);
	stage("a", "y.json", "g/s/a/y.json", SHORT);
	stage("b", "big.json", "g/s/b/big.json", NEW);
	stage("b", "x.json", "g/s/b/x.json", NEW);
	stage("c", "x.json", "g/s/c/x.json", "no golden");
	stage("d", "x.json", "g/s/d/x.json", NAN_IN_IT);
	assert_success(make());
	assert_plan("a/x.json changed held nonfinite; a/y.json changed held shrink; "
		    "b/big.json changed held lfs; b/x.json changed held dirty; "
		    "c/x.json new held unreadable; d/x.json new held nonfinite; ");
	assert_true(isinf(plan.items[0].worst));
	options.allowed = RG_GUARD_NONFINITE | RG_GUARD_SHRINK | RG_GUARD_DIRTY | RG_GUARD_LFS |
			  RG_GUARD_UNREADABLE;
	assert_success(make_again());
	/* What would break something is let through by nobody. */
	assert_plan("a/x.json changed nonfinite; a/y.json changed shrink; "
		    "b/big.json changed held lfs; b/x.json changed dirty; "
		    "c/x.json new held unreadable; d/x.json new nonfinite; ");
	assert_int_equal(plan.items[0].allowed, RG_GUARD_NONFINITE);
	assert_int_equal(plan.items[2].allowed, 0);
}

TEST(a_golden_without_bytes_is_empty)
{
	stage("a", "x.json", "g/s/a/x.json", "");
	stage("a", "y.json", "g/s/a/y.json", "{}");
	stage("c", "x.json", "g/s/c/x.json", "");
	assert_success(make());
	assert_plan("a/x.json changed held empty; a/y.json changed held empty; "
		    "c/x.json new held unreadable; ");
	assert_string_equal(plan.items[0].findings.items[0].text, "has no bytes");
}

/* What an update wrote is nobody's work, until somebody changes it or it is put back. */
TEST(what_an_update_wrote_is_not_dirty)
{
	rg_record done, undone;

	write_file("g/s/a/x.json", SHORT);
	options.allowed = RG_GUARD_DIRTY;
	stage("a", "x.json", "g/s/a/x.json", NEW);
	assert_success(make());
	apply(&done);
	options.allowed = 0;
	manifest.golden_count = 0;
	stage("a", "x.json", "g/s/a/x.json", OLD " ");
	plan_anew("a/x.json changed; ");
	write_file("g/s/a/x.json", NEW " ");
	plan_anew("a/x.json changed held dirty; ");
	write_file("g/s/a/x.json", NEW);
	rg_record_init(&undone);
	assert_success(rg_journal_lock(journal));
	assert_success(rg_undo(journal, worktree, &done, &undone));
	assert_file("g/s/a/x.json", SHORT);
	plan_anew("a/x.json changed held dirty; ");
	/* What is gone is nobody's work. */
	sh("rm g/s/a/x.json");
	plan_anew("a/x.json new; ");
	rg_record_release(&undone);
	rg_record_release(&done);
}

TEST(names_that_differ_in_case_alone_are_twins)
{
	stage("A", "x.json", "g/s/A/x.json", NEW);
	stage("Q", "x.json", "g/s/Q/x.json", NEW);
	stage("Z", "x.json", "g/s/Z/x.json", NEW);
	stage("q", "x.json", "g/s/q/x.json", NEW);
	assert_success(make());
	assert_plan("A/x.json new; Q/x.json new; Z/x.json new; q/x.json new; ");
	close_all();
	sh("git config core.ignorecase true");
	open_all();
	assert_success(make());
	assert_plan("A/x.json new held twin; Q/x.json new held twin; Z/x.json new; "
		    "q/x.json new held twin; ");
	assert_non_null(strstr(plan.items[0].findings.items[0].text, "from 'g/s/a/x.json' in"));
	assert_non_null(strstr(plan.items[1].findings.items[0].text, "from 'g/s/q/x.json' in"));
	assert_non_null(strstr(plan.items[3].findings.items[0].text, "from 'g/s/Q/x.json' in"));
	sh("git config core.ignorecase false");
}

TEST(goldens_outside_a_sparse_checkout_are_held)
{
	sh("git sparse-checkout set --cone g/s/a");
	close_all();
	open_all();
	stage("a", "z.json", "g/s/a/z.json", NEW);
	stage("b", "x.json", "g/s/b/x.json", NEW);
	assert_success(make());
	assert_plan("a/z.json new; b/x.json new held sparse; ");
	sh("git sparse-checkout disable");
}

TEST(patterns_choose)
{
	static const char *const test[] = {"s/a"}, *const metric[] = {"m"}, *const file[] = {"y*"};
	static const char *const unchanged[] = {"n"}, *const none[] = {"a", "no such"};

	stage("a", "x.json", "g/s/a/x.json", NEW);
	stage("a", "y.json", "g/s/a/y.json", OLD);
	stage("b", "x.json", "g/s/b/x.json", NEW);
	stage("c", "x.json", "g/s/c/x.json", NEW);
	options.only = (rg_plan_names){test, 1};
	assert_success(make());
	assert_plan("a/x.json changed; a/y.json unchanged; b/x.json changed left out; "
		    "c/x.json new left out; ");
	options.except = options.only;
	options.only = (rg_plan_names){metric, 1};
	assert_success(make_again());
	assert_plan("a/x.json changed left out; a/y.json unchanged left out; b/x.json changed; "
		    "c/x.json new; ");
	options.except.count = 0;
	options.only = (rg_plan_names){unchanged, 1};
	assert_success(make_again());
	assert_plan("a/x.json changed left out; a/y.json unchanged left out; b/x.json changed left "
		    "out; c/x.json new; ");
	/* A metric that nowhere changed chooses nothing; it is not a mistake, though. */
	manifest.golden_count = 3;
	assert_success(make_again());
	assert_plan("a/x.json changed left out; a/y.json unchanged left out; b/x.json changed left "
		    "out; ");
	manifest.golden_count = 4;
	options.only = (rg_plan_names){file, 1};
	assert_success(make_again());
	assert_plan("a/x.json changed left out; a/y.json unchanged; b/x.json changed left out; "
		    "c/x.json new left out; ");
	options.only = (rg_plan_names){none, 2};
	assert_error(make_again(), RG_E_USAGE,
		     "--only 'no such': matches no test, file or metric of what is staged");
	options.only.count = 0;
	options.except = (rg_plan_names){none, 2};
	assert_error(make_again(), RG_E_USAGE,
		     "--except 'no such': matches no test, file or metric of what is staged");
}

TEST(single_metrics_go_into_the_old_file)
{
	static const char *const names[] = {"m", "none"};
	rg_buf bytes;

	stage("a", "x.json", "g/s/a/x.json",
	      "{" SERIES("m", "\"1\": 1, \"2\": 3") ", " SERIES("n", "\"1\": 7") "}");
	stage("b", "big.json", "g/s/b/big.json", NEW);
	stage("c", "x.json", "g/s/c/x.json", NEW);
	options.metrics = (rg_plan_names){names, 1};
	assert_success(make());
	assert_plan("a/x.json changed; b/big.json changed held lfs; c/x.json new left out; ");
	rg_buf_init(&bytes, RG_BUF_TEXT);
	assert_success(rg_plan_bytes(&plan, 0, &bytes));
	assert_string_equal(bytes.data, NEW);
	rg_buf_release(&bytes);
	options.metrics.count = 2;
	assert_error(make_again(), RG_E_USAGE,
		     "--metric 'none': no staged golden that replaces one has this metric");
	/* Nothing can be spliced into what is not JSON, which holds back that golden alone. */
	write_file("g/s/a/x.json", "[1]");
	assert_success(make_again());
	assert_plan("a/x.json changed held unreadable dirty; b/big.json changed held lfs; "
		    "c/x.json new left out; ");
}

TEST(staged_bytes_are_what_the_manifest_says)
{
	stage("a", "x.json", "g/s/a/x.json", NEW);
	write_file(".git/staged/files/s/a/x.json", NEW " ");
	assert_error(make(), RG_E_MISMATCH,
		     "staged file 'files/s/a/x.json' is not what manifest.json says; download it "
		     "again");
	write_file(".git/staged/files/s/a/x.json", OLD);
	assert_fails_with(make_again(), RG_E_MISMATCH);
	write_file(".git/staged/files/s/a/x.json", NEW);
	goldens[0].size++;
	assert_fails_with(make_again(), RG_E_MISMATCH);
	sh("rm .git/staged/files/s/a/x.json");
	assert_error(make_again(), RG_E_MISMATCH,
		     "staged file 'files/s/a/x.json' is missing; download it again");
	sh("ln -s ../../../../config .git/staged/files/s/a/x.json");
	assert_fails_with(make_again(), RG_E_UNSAFE);
	sh("rm -r .git/staged");
	assert_fails_with(make_again(), RG_E_IO);
}

TEST(unsafe_targets_stop_the_whole)
{
	stage("a", "x.json", "g/s/a/x.json", NEW);
	stage("b", "x.json", "elsewhere/x.json", NEW);
	assert_fails_with(make(), RG_E_UNSAFE);
	assert_int_equal(plan.count, 0);
	sh("ln -s ../../.git g/s/link");
	goldens[1].target = "g/s/link/config";
	assert_fails_with(make_again(), RG_E_UNSAFE);
}

/* What is written is what was reviewed. */
TEST(what_changed_since_is_not_written)
{
	static const char *const names[] = {"m"};
	rg_record done;
	rg_buf bytes;

	stage("a", "x.json", "g/s/a/x.json", NEW);
	options.metrics = (rg_plan_names){names, 1};
	assert_success(make());
	write_file("g/s/a/x.json", "{" SERIES("m", "\"1\": 1") "}");
	rg_buf_init(&bytes, RG_BUF_TEXT);
	assert_error(rg_plan_bytes(&plan, 0, &bytes), RG_E_CONFLICT,
		     "g/s/a/x.json: changed while it was looked at; try again");
	rg_buf_release(&bytes);
	rg_record_init(&done);
	assert_success(rg_journal_lock(journal));
	assert_fails_with(rg_plan_apply(&plan, journal, &done), RG_E_CONFLICT);
	rg_record_release(&done);
	assert_file("g/s/a/x.json", "{" SERIES("m", "\"1\": 1") "}");
}

/* A tensor is what the program beside it says: on the new side the staged one, if any. */
TEST(staged_programs_stand_beside_staged_tensors)
{
	rg_buf program;

	rg_buf_init(&program, RG_BUF_TEXT);
	assert_success(rg_file_read(&program, "tests/formats/model.pte"));
	write_file("g/s/p/add_expected_output_0.bin", "12345678");
	write_bytes("g/s/p/add.pte", program.data, program.length);
	sh("git add g/s/p && git commit -qm program");
	stage("p", "add_expected_output_0.bin", "g/s/p/add_expected_output_0.bin", "1234567X");
	assert_success(make());
	assert_plan("p/add_expected_output_0.bin changed; ");
	assert_int_equal(plan.items[0].file_index, 0);
	manifest.golden_count = 0;
	stage("p", "add.pte", "g/s/p/add.pte", "broken");
	stage("p", "add_expected_output_0.bin", "g/s/p/add_expected_output_0.bin", "1234567X");
	assert_success(make_again());
	assert_non_null(strstr(plan.items[1].findings.items[0].text, "add.pte: "));
	/* The old side has the old one. */
	write_file("g/s/p/add.pte", "broken");
	sh("git commit -qam broken");
	manifest.golden_count = 0;
	stage_bytes("p", "add.pte", "g/s/p/add.pte", program.data, program.length);
	stage("p", "add_expected_output_0.bin", "g/s/p/add_expected_output_0.bin", "1234567X");
	assert_success(make_again());
	assert_plan("p/add.pte changed; p/add_expected_output_0.bin changed; ");
	assert_true(plan.items[1].file_index == SIZE_MAX);
	rg_buf_release(&program);
	sh("git reset -q --hard HEAD~2");
}

/* Either could be written, but not both, and what was begun could not be taken back. */
TEST(no_target_is_a_folder_of_another)
{
	stage("e", "e", "g/s/e", NEW);
	stage("e", "y.json", "g/s/e/y.json", NEW);
	stage("e", "x.json", "g/s/e-x.json", NEW);
	assert_fails_with(make(), RG_E_UNSAFE);
}

TEST(siblings_stand_beside_what_is_taken)
{
	rg_siblings siblings = {0};

	write_file("g/s/a/z.json", OLD);
	write_file("g/s/a/notes.txt", "x");
	write_file("g/s/b/z.json", OLD);
	stage("a", "x.json", "g/s/a/x.json", NEW);
	stage("b", "x.json", "g/s/b/x.json", OLD);
	stage("c", "x.json", "g/s/c/x.json", NEW);
	stage("c", "y.json", "g/s/c/y.json", NEW);
	assert_success(make());
	assert_success(rg_siblings_find(&siblings, &plan, NULL));
	assert_int_equal(siblings.count, 2);
	assert_string_equal(siblings.paths[0], "g/s/a/y.json");
	assert_string_equal(siblings.paths[1], "g/s/a/z.json");
	rg_siblings_release(&siblings);
	/* A folder between two files of the folder above it. */
	write_file("g/s/d/a.json", OLD);
	manifest.golden_count = 0;
	stage("d", "m.json", "g/s/d/m.json", NEW);
	stage("d", "p/x.json", "g/s/d/p/x.json", NEW);
	stage("d", "z.json", "g/s/d/z.json", NEW);
	assert_success(make_again());
	assert_success(rg_siblings_find(&siblings, &plan, NULL));
	assert_int_equal(siblings.count, 1);
	assert_string_equal(siblings.paths[0], "g/s/d/a.json");
	rg_siblings_release(&siblings);
	manifest.golden_count = 0;
	stage("a", "x.json", "g/s/a/x.json", NEW);
	assert_success(make_again());
	/* A folder that became a link meanwhile is not followed. */
	sh("mv g/s/a elsewhere && ln -s ../../elsewhere g/s/a");
	assert_fails_with(rg_siblings_find(&siblings, &plan, NULL), RG_E_UNSAFE);
	rg_siblings_release(&siblings);
}
