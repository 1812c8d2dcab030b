/* SPDX-License-Identifier: Apache-2.0 */
/* The answers of an interactive review, and what becomes of goldens by them. */
#include "interactive.h"

/* Six goldens that move together, one that does not, and beside them one with two variants, a new
 * one, and one whose values are equal. */
static const char make_cohorts[] =
	"export REGILD_BUILD=/nowhere; . \"$TOP/tests/cli/lib.sh\"\n"
	"rm -rf repo staged; mkdir repo; cd repo; git init -q --template= .\n"
	"put() { f=$1/golden_values_$2.json; golden $ROOT/$f 'lm loss' 10 9 8\n"
	"        golden ../staged/files/$f 'lm loss' $3 $4 $5; }\n"
	"for i in 1 2 3 4 5 6; do put gpt/a$i h100 10.1 9.1 8.0$i; done\n"
	"put gpt/apart h100 9.5 8.6 7.6; put t5/a h100 10 9 8.2; put t5/a a100 10 9 8.1\n"
	"put gpt/equal h100 10 9 8; commit\n"
	"echo >>../staged/files/gpt/equal/golden_values_h100.json\n"
	"golden ../staged/files/t5/fresh/golden_values_h100.json 'lm loss' 1\n"
	"cd ..; staging_manifest staged\n";

static void test_story_then_what_needs_a_look(void **state)
{
	static const char *const order[] = {
		"(1 of 11) gpt/apart [h100], changed", "(2 of 11) gpt/a6 [h100], changed",
		"(3 of 11) gpt/a5 [h100], changed",    "(4 of 11) gpt/a4 [h100], changed",
		"(5 of 11) t5/a [h100], changed",      "(6 of 11) gpt/a3 [h100], changed",
		"(7 of 11) gpt/a2 [h100], changed",    "(8 of 11) gpt/a1 [h100], changed",
		"(9 of 11) t5/a [a100], changed",      "(10 of 11) t5/fresh [h100], new",
		"(11 of 11) gpt/equal [h100], changed"};
	session s;
	size_t i;

	(void)state;
	assert_int_equal(shell(make_cohorts), 0);
	start(&s);
	wait_for(&s, "11 goldens to review, 1 of them new\r\nlm loss: gpt ");
	wait_for(&s, "gpt/apart [h100] lm loss: new is 4.81 % smaller (its cohort: ");
	for (i = 0; i < sizeof(order) / sizeof(*order); i++) {
		wait_for(&s, order[i]);
		if (!i)
			wait_for(&s, "  * lm loss: new is 4.81 % smaller (flag level 0.001);");
		answer(&s, "n");
	}
	finish(&s);
	assert_non_null(strstr(s.output, "no value differs"));
	assert_non_null(strstr(s.output, "0 updated, 0 new, 0 unchanged, 11 left out"));
}

/* What is left out from the start is no part of the story. */
static void test_story_of_what_is_asked(void **state)
{
	session s;

	(void)state;
	assert_int_equal(shell(make_cohorts), 0);
	start_script(&s, "exec \"$REGILD\" update -C repo ../staged -i --only t5/a");
	wait_for(&s, "2 goldens to review\r\nlm loss: t5 new is");
	answer(&s, "a");
	finish(&s);
	assert_null(strstr(s.output, "gpt"));
	assert_non_null(strstr(s.output, "2 taken"));
}

static void test_cohort_is_taken_as_one(void **state)
{
	session s;

	(void)state;
	assert_int_equal(shell(make_cohorts), 0);
	start(&s);
	wait_for(&s, "A takes, D leaves all 8 of gpt [h100]");
	answer(&s, "n");
	wait_for(&s, "A takes, D leaves all 7 of gpt [h100]");
	answer(&s, "A");
	wait_for(&s, "7 taken");
	wait_for(&s, "(5 of 11) t5/a [h100]");
	wait_for(&s, "A takes, D leaves all 2 of t5 [h100]");
	answer(&s, "D");
	wait_for(&s, "2 left out");
	wait_for(&s, "(9 of 11) t5/a [a100]");
	answer(&s, "n");
	finish(&s);
	assert_non_null(strstr(s.output, "7 updated, 0 new, 0 unchanged, 4 left out"));
}

static void test_back_and_another_answer(void **state)
{
	session s;

	(void)state;
	start(&s);
	answer(&s, "yn");
	wait_for(&s, "(3 of 5)");
	answer(&s, "b");
	wait_for(&s, "(2 of 5) gpt/twice [a], changed; left out so far");
	answer(&s, "b");
	wait_for(&s, "(1 of 5) gpt/worst [a], changed; taken so far");
	answer(&s, "b");
	wait_for(&s, "this is the first one");
	answer(&s, "n");
	/* On to the first that has no answer. */
	wait_for(&s, "(3 of 5)");
	answer(&s, "bynnn");
	finish(&s);
	assert_int_equal(s.status, 0);
	assert_non_null(strstr(s.output, "1 updated, 0 new, 0 unchanged, 4 left out"));
	assert_int_equal(shell("cd repo; git diff --quiet -- ':!*/twice/*'"), 0);
}

static void test_back_keeps_an_answer(void **state)
{
	(void)state;
	check_review("ybsnnnn", "worst/a");
}

static void test_undo(void **state)
{
	(void)state;
	check_review("yunynnn", "twice/a");
}

static void test_undo_takes_back_a_whole_answer(void **state)
{
	session s;

	(void)state;
	start(&s);
	answer(&s, "u");
	wait_for(&s, "there is no answer to undo");
	answer(&s, "sA");
	wait_for(&s, "4 taken");
	answer(&s, "u");
	wait_for(&s, "(2 of 5) gpt/twice [a], changed\r\n");
	answer(&s, "u");
	wait_for(&s, "(1 of 5) gpt/worst [a], changed\r\n");
	answer(&s, "nnnnn");
	finish(&s);
	assert_int_equal(s.status, 0);
	check_untouched();
}

static void test_accept_and_reject(void **state)
{
	(void)state;
	check_review("ynyny", "mid/a worst/a fresh/a");
}

static void test_capitals_count(void **state)
{
	(void)state;
	check_review("YNd", "worst/a");
}

static void test_skipped_ones_come_again(void **state)
{
	(void)state;
	check_review("snnnsyn", "worst/a");
}

static void test_skipped_twice_is_left_out(void **state)
{
	(void)state;
	check_review("ynnnss", "worst/a");
}

static void test_all_of_a_test(void **state)
{
	(void)state;
	check_review("ntnn", "twice/a twice/b");
}

static void test_all_of_a_metric(void **state)
{
	(void)state;
	/* The worst metric of all but twice/a ("mem") and the new one is "lm loss". */
	check_review("mnn", "mid/a twice/b worst/a");
}

static void test_all_the_rest(void **state)
{
	(void)state;
	check_review("na", "mid/a twice/a twice/b fresh/a");
}

static void test_none_of_the_rest(void **state)
{
	(void)state;
	check_review("yd", "worst/a");
}

static void test_quit_changes_nothing(void **state)
{
	session s;

	(void)state;
	start(&s);
	answer(&s, "yq");
	finish(&s);
	assert_int_equal(WEXITSTATUS(s.status), 3);
	assert_non_null(strstr(s.output, "regild: the review was stopped; nothing is changed"));
	check_untouched();
}

static void test_rows_curve_and_help(void **state)
{
	session s;

	(void)state;
	start(&s);
	answer(&s, "c");
	wait_for(&s, "]: ");
	type(&s, "\n");
	wait_for(&s, "lm loss, 8.0 to 80.0");
	wait_for(&s, "old  ___");
	wait_for(&s, "new  __#");
	wait_for(&s, "step                     old                     new\r\n"
		     "           3                     8.0                    80.0\r\n");
	answer(&s, "r");
	wait_for(&s, "tests/functional_tests/test_cases/gpt/worst/golden_values_a.json\r\n");
	wait_for(&s, "lm loss: new is 300 % larger over 3 steps\r\n");
	answer(&s, "?");
	wait_for(&s, "y - take this golden");
	answer(&s, "d");
	finish(&s);
	assert_int_equal(s.status, 0);
}

/* A table's records are shown by their keys. */
static void test_values_of_a_table(void **state)
{
	session s;

	(void)state;
	assert_int_equal(
		shell("export REGILD_BUILD=/nowhere; . \"$TOP/tests/cli/lib.sh\"\n"
		      "rm -rf repo staged; mkdir repo; cd repo; git init -q --template= .\n"
		      "printf '[regild]\\n\\tfiles = *.csv\\n' >.regild\n"
		      "mkdir -p $ROOT/gpt/t ../staged/files/gpt/t\n"
		      "printf 'name,s,v\\na,pass,1\\nb,pass,2\\n' >$ROOT/gpt/t/x.csv; commit\n"
		      "printf 'name,s,v\\nb,fail,3\\na,pass,1\\n' >../staged/files/gpt/t/x.csv\n"
		      "cd ..; staging_manifest staged\n"),
		0);
	start(&s);
	answer(&s, "c");
	wait_for(&s, "metric [s]: ");
	type(&s, "v\n");
	wait_for(&s, "record                     old                     new\r\n");
	wait_for(&s, " b                     2.0                     3.0\r\n");
	answer(&s, "c");
	wait_for(&s, "metric [s]: ");
	type(&s, "s\n");
	wait_for(&s, "pass \xe2\x86\x92 fail: 1 (b)\r\n");
	answer(&s, "n");
	finish(&s);
}

static void test_values_of_a_metric(void **state)
{
	session s;

	(void)state;
	start(&s);
	answer(&s, "c");
	wait_for(&s, "metric [lm loss]: ");
	type(&s, "mem\n");
	wait_for(&s, "mem, 5.0 to 5.0");
	wait_for(&s, "no value differs");
	answer(&s, "c");
	wait_for(&s, "metric [lm loss]: ");
	type(&s, "lm los\n");
	wait_for(&s, "no metric 'lm los' here; did you mean 'lm loss'?");
	answer(&s, "nnnn");
	/* A new golden has no old values. */
	wait_for(&s, "(5 of 5) gpt/fresh [a], new");
	answer(&s, "c");
	wait_for(&s, "metric: ");
	type(&s, "lm loss\n");
	wait_for(&s, "new  =");
	wait_for(&s, "           1                       -                     1.0\r\n");
	answer(&s, "n");
	finish(&s);
	assert_int_equal(s.status, 0);
}

/* The first step's time is many times the others'. */
static void test_curve_with_outliers(void **state)
{
	session s;

	(void)state;
	assert_int_equal(
		shell("export REGILD_BUILD=/nowhere; . \"$TOP/tests/cli/lib.sh\"; rm -rf staged\n"
		      "cd repo; f=gpt/slow/golden_values_a.json; a=$(seq 1 39)\n"
		      "golden $ROOT/$f time 1000 $a; commit\n"
		      "golden ../staged/files/$f time 2000 $a; cd ..; staging_manifest "
		      "staged\n"),
		0);
	start(&s);
	answer(&s, "c");
	wait_for(&s, "]: ");
	type(&s, "\n");
	wait_for(&s, "time, 1.0 to 55.5 and 2 values beyond");
	wait_for(&s, "old  #__");
	wait_for(&s, "           1                  1000.0                  2000.0");
	answer(&s, "d");
	finish(&s);
	assert_int_equal(s.status, 0);
}

/* What a raw tensor holds stands in .regild. */
static void test_curve_of_a_raw_tensor(void **state)
{
	session s;

	(void)state;
	assert_int_equal(
		shell("export REGILD_BUILD=/nowhere; . \"$TOP/tests/cli/lib.sh\"; rm -rf staged\n"
		      "cd repo; new=../staged/files/gpt/raw/a.bin; old=$ROOT/gpt/raw/a.bin\n"
		      "mkdir -p ${new%/*} ${old%/*}; printf 'abcd5678' >$old\n"
		      "printf '[regild]\\n\\tfiles = *.bin\\n[tensor \"*.bin\"]\\n\\tdtype = "
		      "int8\\n' >.regild\n"
		      "commit\n"
		      "printf 'abcd1278' >$new; cd ..; staging_manifest staged\n"),
		0);
	start(&s);
	answer(&s, "c");
	wait_for(&s, "]: ");
	type(&s, "\n");
	wait_for(&s, "tensor, 49.0 to 100.0");
	wait_for(&s, "old  ");
	answer(&s, "y");
	finish(&s);
	assert_int_equal(s.status, 0);
	assert_int_equal(shell("cmp staged/files/gpt/raw/a.bin "
			       "repo/tests/functional_tests/test_cases/gpt/raw/a.bin"),
			 0);
}

/* Texts are shown where they begin to differ; in a new golden nothing changes. */
static void test_texts_and_tokens(void **state)
{
	session s;

	(void)state;
	assert_int_equal(
		shell("rm -rf staged/files/gpt/[mtw]*; cd repo\n"
		      "export REGILD_BUILD=/nowhere; . \"$TOP/tests/cli/lib.sh\"; "
		      "f=gpt/words/golden_values_a.json\n"
		      "mkdir -p $ROOT/gpt/words ../staged/files/gpt/words\n"
		      "say() { echo \"{\\\"text\\\": \\\"$(printf '%99s')$1\\\", "
		      "\\\"generated_tokens\\\": [5, $2, 7]}\"; }\n"
		      "say 'a cat' 6 >$ROOT/$f; commit; say 'a cow' 8 >../staged/files/$f\n"
		      "cd ..; staging_manifest staged\n"),
		0);
	start(&s);
	wait_for(&s, "text: differs from position 102");
	answer(&s, "c");
	wait_for(&s, "]: ");
	type(&s, "text\n");
	wait_for(&s, "text, from position 82\r\n"
		     "  old                   a cat\r\n"
		     "  new                   a cow\r\n");
	answer(&s, "c");
	wait_for(&s, "]: ");
	type(&s, "generated_tokens\n");
	wait_for(&s, "           1                       6                       8\r\n");
	answer(&s, "n");
	wait_for(&s, "gpt/fresh");
	answer(&s, "c");
	wait_for(&s, "metric: ");
	type(&s, "\n");
	wait_for(&s, "no metric changes here");
	answer(&s, "m");
	wait_for(&s, "no metric changes here");
	answer(&s, "n");
	finish(&s);
	assert_int_equal(s.status, 0);
	check_untouched();
}

static void test_curve_in_utf8(void **state)
{
	session s;

	(void)state;
	setenv("LC_ALL", "", 1);
	setenv("LANG", "de_DE.utf8", 1);
	start(&s);
	setenv("LC_ALL", "C", 1);
	unsetenv("LANG");
	answer(&s, "c");
	wait_for(&s, "]: ");
	type(&s, "\n");
	wait_for(&s, "old  \xe2\x96\x81\xe2\x96\x81\xe2\x96\x81");
	wait_for(&s, "new  \xe2\x96\x81\xe2\x96\x81\xe2\x96\x88");
	answer(&s, "d");
	finish(&s);
}

/* What is applied is what was reviewed: a script changes something while the first prompt waits. */
static void check_changed_meanwhile(const char *script, const char *message)
{
	session s;

	start(&s);
	wait_for(&s, "q,?]? ");
	assert_int_equal(shell(script), 0);
	type(&s, "a");
	finish(&s);
	assert_int_equal(WEXITSTATUS(s.status), 3);
	assert_non_null(strstr(s.output, message));
}

static void test_staged_bytes_changed_meanwhile(void **state)
{
	(void)state;
	check_changed_meanwhile("echo >>staged/files/gpt/mid/golden_values_a.json",
				"changed while it was looked at");
	check_untouched();
}

static void test_tree_changed_meanwhile(void **state)
{
	(void)state;
	check_changed_meanwhile(
		"cd repo/tests/functional_tests/test_cases/gpt; echo >>mid/golden_values_a.json",
		"changed while it was looked at");
	assert_int_equal(shell("cd repo; [ \"$(git status --short | wc -l)\" = 1 ]"), 0);
}

static int run(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_story_then_what_needs_a_look),
		cmocka_unit_test(test_story_of_what_is_asked),
		cmocka_unit_test(test_cohort_is_taken_as_one),
		cmocka_unit_test_setup(test_back_and_another_answer, set_up),
		cmocka_unit_test_setup(test_back_keeps_an_answer, set_up),
		cmocka_unit_test_setup(test_undo, set_up),
		cmocka_unit_test_setup(test_undo_takes_back_a_whole_answer, set_up),
		cmocka_unit_test_setup(test_accept_and_reject, set_up),
		cmocka_unit_test_setup(test_capitals_count, set_up),
		cmocka_unit_test_setup(test_skipped_ones_come_again, set_up),
		cmocka_unit_test_setup(test_skipped_twice_is_left_out, set_up),
		cmocka_unit_test_setup(test_all_of_a_test, set_up),
		cmocka_unit_test_setup(test_all_of_a_metric, set_up),
		cmocka_unit_test_setup(test_all_the_rest, set_up),
		cmocka_unit_test_setup(test_none_of_the_rest, set_up),
		cmocka_unit_test_setup(test_quit_changes_nothing, set_up),
		cmocka_unit_test_setup(test_rows_curve_and_help, set_up),
		cmocka_unit_test(test_values_of_a_table),
		cmocka_unit_test_setup(test_values_of_a_metric, set_up),
		cmocka_unit_test_setup(test_curve_with_outliers, set_up),
		cmocka_unit_test_setup(test_curve_of_a_raw_tensor, set_up),
		cmocka_unit_test_setup(test_texts_and_tokens, set_up),
		cmocka_unit_test_setup(test_curve_in_utf8, set_up),
		cmocka_unit_test_setup(test_staged_bytes_changed_meanwhile, set_up),
		cmocka_unit_test_setup(test_tree_changed_meanwhile, set_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

int main(int argc, char **argv)
{
	(void)argc;
	return run_in_folder(argv[0], run);
}
