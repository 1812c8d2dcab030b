/* SPDX-License-Identifier: Apache-2.0 */
/* The versions that git has of goldens, and the runs that they are for an audit. */
#include "unit.h"

#include "unit/repository.h"

#include "flow/audit_revisions.h"

#include <stdio.h>
#include <string.h>

static rg_worktree *worktree;

/*
 * one --- two --- three --- merge --- gone
 *    \-- side ----------------/
 *
 * The merge takes side's g/a-b/x.json as it is and has bytes of its own in g/a/x.json.
 */
FIXTURE(set_up)
{
	make_repository();
	sh("at() { export GIT_COMMITTER_DATE=\"2026-04-02T10:0$1:00+0200\"; }\n"
	   "put() { mkdir -p \"$(dirname \"$1\")\"; echo \"{\\\"m\\\": {\\\"values\\\": "
	   "{\\\"1\\\": "
	   "$2}}}\" >\"$1\"; git add -A; }\n"
	   "at 1; put g/a/x.json 1; put g/a-b/x.json 1; put g2/x.json 1; put top.json 1\n"
	   "git commit -qm 'one of all\n\nbody'\n"
	   "at 2; git checkout -q -b side; put g/a/x.json 2; put g/a-b/x.json 2; git commit -qm "
	   "side\n"
	   "git checkout -q main\n"
	   "at 3; put g/a/x.json 3; git commit -qm two\n"
	   "at 4; put g/notes.txt 4; git commit -qm three; git tag three\n"
	   "at 5; git merge -q --no-commit side >.git/log 2>&1 || put g/a/x.json 5\n"
	   "git commit -qm merge; git tag merge\n"
	   "at 6; git rm -q g/a/x.json; ln -s x.json g/a-b/y.json; git add -A; git commit -qm "
	   "gone");
	assert_success(rg_worktree_open(&worktree, scratch));
	return 0;
}

static int tear_down(void **state)
{
	rg_worktree_free(worktree);
	return remove_repository(state);
}

/* "SUBJECT PATH PATH; …" by commit, as git_log would have it. */
static void assert_versions(const char *range, const char *root, const char *wanted)
{
	rg_revisions history;
	size_t i, j, k;

	assert_success(rg_revisions_read(worktree, range, root, "*.json", &history));
	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_TEXT);
	for (i = 0; i < history.commit_count; i++) {
		rg_buf_str(&text, history.commits[i].subject);
		for (j = 0; j < history.file_count; j++)
			for (k = 0; k < history.files[j].count; k++)
				if (history.files[j].versions[k].commit == i)
					rg_buf_printf(&text, " %s", history.files[j].path);
		rg_buf_str(&text, "; ");
	}
	assert_success(rg_buf_check(&text, "versions"));
	assert_string_equal(text.length ? text.data : "", wanted);
	rg_revisions_release(&history);
}

#define ONE "one of all g/a/x.json g/a-b/x.json"

TEST_GROUP(set_up, tear_down);

TEST(each_commit_has_what_it_touches)
{
	assert_versions("three", NULL, ONE " g2/x.json top.json; two g/a/x.json; ");
	assert_versions("three", "", ONE " g2/x.json top.json; two g/a/x.json; ");
	/* A root is a folder, not the beginning of a name. */
	assert_versions("three", "g", ONE "; two g/a/x.json; ");
	assert_versions("three", "g/a", "one of all g/a/x.json; two g/a/x.json; ");
	assert_versions("three", "g*", "");
}

TEST(merges_count_for_what_no_parent_has)
{
	assert_versions("merge", "g",
			ONE "; side g/a/x.json g/a-b/x.json; two g/a/x.json; merge g/a/x.json; ");
	/* What goes away and what is a link is not a version. */
	assert_versions("HEAD", "g",
			ONE "; side g/a/x.json g/a-b/x.json; two g/a/x.json; merge g/a/x.json; ");
}

TEST(ranges_are_gits)
{
	rg_revisions history;

	assert_versions("side..three", "g", "two g/a/x.json; ");
	assert_versions("three..", "g", "side g/a/x.json g/a-b/x.json; merge g/a/x.json; ");
	assert_versions("..three", "g", "");
	assert_error(rg_revisions_read(worktree, "none..three", NULL, "*", &history), RG_E_NOTFOUND,
		     "'none' is not a revision of this repository");
	assert_error(rg_revisions_read(worktree, "three..none", NULL, "*", &history), RG_E_NOTFOUND,
		     "'none' is not a revision of this repository");
	assert_error(rg_revisions_read(worktree, "three^{tree}", NULL, "*", &history),
		     RG_E_NOTFOUND, "revision 'three^{tree}': is not a commit");
}

TEST(commits_are_described)
{
	rg_revisions history;
	char id[41];

	assert_success(rg_revisions_read(worktree, "three", "g/a", "*.json", &history));
	assert_int_equal(history.commit_count, 2);
	assert_string_equal(history.commits[0].subject, "one of all");
	assert_string_equal(history.commits[0].when, "2026-04-02T08:01:00Z");
	assert_success(rg_worktree_resolve(worktree, "three~1", id));
	assert_string_equal(history.commits[1].id, id);
	RG_AUTO(rg_buf) bytes = rg_buf_of(RG_BUF_TEXT);
	assert_success(rg_worktree_blob(worktree, history.files[0].versions[1].blob, &bytes));
	assert_string_equal(bytes.data, "{\"m\": {\"values\": {\"1\": 3}}}\n");
	rg_revisions_release(&history);
}

/* More paths than the table starts with, each found again. */
TEST(many_files_keep_their_versions)
{
	rg_revisions history;
	size_t i;

	sh("git checkout -q --orphan many && git rm -qrf . && mkdir m\n"
	   "i=0; while [ $i -lt 1200 ]; do echo 1 >m/$i; i=$((i+1)); done; git add m\n"
	   "git commit -qm first; for f in m/*; do echo 2 >$f; done; git commit -qam second\n"
	   "git checkout -q main");
	assert_success(rg_revisions_read(worktree, "many", "m", "*", &history));
	assert_int_equal(history.commit_count, 2);
	assert_int_equal(history.file_count, 1200);
	for (i = 0; i < history.file_count; i++) {
		assert_int_equal(history.files[i].count, 2);
		if (i)
			assert_true(rg_path_compare(history.files[i - 1].path,
						    history.files[i].path) < 0);
	}
	rg_revisions_release(&history);
}

/* The value of the golden of a run, NAN where that run has none. */
static double value_of(const rg_audit_source *source, size_t run, size_t file)
{
	double value = -1;
	rg_golden *golden = NULL;

	RG_AUTO(rg_buf) bytes = rg_buf_of(RG_BUF_TEXT);
	assert_success(source->read(source->context, run, file, &bytes, &golden));
	if (golden)
		assert_success(rg_metric_read(rg_golden_find(golden, "m"), 0, 1, &value));
	rg_golden_free(golden);
	return value;
}

TEST(runs_are_commits)
{
	rg_revision_runs *runs;
	rg_audit_source source;
	char id[41];

	assert_success(rg_revision_runs_open(&runs, worktree, "merge", "g", "*.json", NULL));
	source = rg_revision_runs_source(runs, RG_BUF_TEXT);
	assert_int_equal(source.run_count, 4);
	assert_int_equal(source.file_count, 2);
	assert_string_equal(source.files[0], "g/a/x.json");
	assert_string_equal(source.files[1], "g/a-b/x.json");
	assert_success(rg_worktree_resolve(worktree, "merge", id));
	assert_string_equal(source.runs[3].commit, id);
	assert_memory_equal(source.runs[3].id, id, 10);
	assert_int_equal(strlen(source.runs[3].id), 10);
	assert_string_equal(source.runs[3].when, "2026-04-02T08:05:00Z");
	assert_string_equal(source.runs[3].branch, "");
	assert_true(value_of(&source, 0, 0) == 1);
	assert_true(value_of(&source, 1, 0) == 2);
	assert_true(value_of(&source, 2, 0) == 3);
	assert_true(value_of(&source, 3, 0) == 5);
	/* A commit that does not touch a golden has none. */
	assert_true(value_of(&source, 0, 1) == 1);
	assert_true(value_of(&source, 1, 1) == 2);
	assert_true(value_of(&source, 2, 1) == -1);
	assert_true(value_of(&source, 3, 1) == -1);
	rg_revision_runs_free(runs);
}

/* The program that gives a tensor's type is beside it, in the very commit. */
TEST(reads_what_lies_beside_at_that_commit)
{
	rg_revision_runs *runs;
	rg_audit_source source;
	rg_golden *golden;
	rg_error *err;

	sh("git checkout -q --orphan program && git rm -qrf . && mkdir p\n"
	   "cp \"$TOP/tests/formats/model.pte\" p/add.pte\n"
	   "printf '\\000\\074\\000\\100\\000\\304\\000\\074' >p/add_expected_output_0.bin\n"
	   "git add p && git commit -qm 'with program'\n"
	   "printf '\\000\\100\\000\\100\\000\\304\\000\\074' >p/add_expected_output_0.bin\n"
	   "git commit -qam 'other values'\n"
	   "echo hello >p/add.pte; printf 12345678 >p/add_expected_output_0.bin\n"
	   "git commit -qam 'broken program'\n"
	   "git rm -q p/add.pte; echo 1 >p/add_expected_output_0.bin; git commit -qam alone\n"
	   "git checkout -q main; rm -rf p");
	assert_success(rg_revision_runs_open(&runs, worktree, "program", "p", "*.bin", NULL));
	source = rg_revision_runs_source(runs, RG_BUF_TEXT);
	assert_int_equal(source.run_count, 4);
	RG_AUTO(rg_buf) bytes = rg_buf_of(RG_BUF_TEXT);
	assert_success(source.read(source.context, 1, 0, &bytes, &golden));
	assert_int_equal(golden->metrics[0].count, 4);
	rg_golden_free(golden);
	golden = NULL;
	err = source.read(source.context, 2, 0, &bytes, &golden);
	assert_non_null(err);
	assert_non_null(strstr(rg_error_message(err), "p/add_expected_output_0.bin: add.pte: "));
	rg_error_free(err);
	/* Where nothing is beside it the format has to say what it lacks. */
	err = source.read(source.context, 3, 0, &bytes, &golden);
	assert_non_null(err);
	assert_non_null(strstr(rg_error_message(err), "no program (.pte) beside it"));
	rg_error_free(err);
	rg_revision_runs_free(runs);
}

TEST(says_which_golden_is_bad)
{
	rg_golden *golden = NULL;
	rg_revision_runs *runs;
	rg_audit_source source;
	rg_error *err;
	rg_buf bytes;

	sh("git checkout -q -b bad three && echo '{' >g/a/x.json && git commit -qam bad\n"
	   "git checkout -q main");
	assert_success(rg_revision_runs_open(&runs, worktree, "three..bad", "", "*.json", NULL));
	source = rg_revision_runs_source(runs, RG_BUF_TEXT);
	rg_buf_init(&bytes, RG_BUF_TEXT);
	err = source.read(source.context, 0, 0, &bytes, &golden);
	assert_non_null(err);
	assert_true(rg_audit_is_of_one_golden(err));
	assert_memory_equal(rg_error_message(err), "g/a/x.json: ", 12);
	rg_error_free(err);
	assert_null(golden);
	rg_buf_release(&bytes);
	/* One that is larger than there is room for, too. */
	rg_buf_init(&bytes, 1);
	err = source.read(source.context, 0, 0, &bytes, &golden);
	assert_int_equal(rg_error_get_code(err), RG_E_LIMIT);
	rg_error_free(err);
	rg_buf_release(&bytes);
	rg_revision_runs_free(runs);
}

TEST(nothing_to_audit_is_an_error)
{
	rg_revision_runs *runs;

	assert_error(rg_revision_runs_open(&runs, worktree, "three", "g", "*.csv", NULL),
		     RG_E_NOTFOUND, "three: no commit touches a golden below 'g'");
	assert_null(runs);
	assert_error(rg_revision_runs_open(&runs, worktree, "none", NULL, "*", NULL), RG_E_NOTFOUND,
		     "'none' is not a revision of this repository");
	assert_null(runs);
	rg_revision_runs_free(NULL);
}

/* Old trees have files of a mode that git writes no more. */
TEST(modes_of_old_trees_are_files)
{
	sh("old() { printf '100664 blob %s\\tx.json\\n' $(git rev-parse $1:g/a/x.json) | git "
	   "mktree; }\n"
	   "first=$(old three~2 | xargs git commit-tree -m first)\n"
	   "git tag old $(old three | xargs git commit-tree -p $first -m second)");
	assert_versions("old", NULL, "first x.json; second x.json; ");
}

/* The commit where a shallow clone ends is its first one, as for git. */
TEST(a_shallow_clone_begins_where_it_ends)
{
	rg_worktree *full = worktree;
	char path[128];

	sh("git checkout -q -B short three && git clone -q --depth 2 file://$PWD shallow\n"
	   "git -C shallow worktree add -q --detach linked");
	snprintf(path, sizeof(path), "%s/shallow/linked", scratch);
	assert_success(rg_worktree_open(&worktree, path));
	assert_versions("HEAD", "g", "two g/a/x.json g/a-b/x.json; ");
	assert_true(rg_worktree_is_shallow(worktree));
	rg_worktree_free(worktree);
	worktree = full;
	assert_false(rg_worktree_is_shallow(worktree));
	sh("rm -r shallow && git checkout -q main");
}
