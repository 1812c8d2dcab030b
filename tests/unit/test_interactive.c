/* SPDX-License-Identifier: Apache-2.0 */
/* The answers of an interactive review, and what becomes of goldens by them. */
#include "unit.h"

#include "interactive.h"

/* Six goldens that move together, one that does not, and beside them one with two variants, a new
 * one, and one whose values are equal. */
static const char make_groups[] =
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

TEST(story_then_what_needs_a_look)
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

	assert_int_equal(shell(make_groups), 0);
	start(&s);
	wait_for(&s, "11 goldens to review, 1 of them new\r\n10 goldens compared: needs review");
	wait_for(&s, "6 others: +0.85 %");
	for (i = 0; i < sizeof(order) / sizeof(*order); i++) {
		wait_for(&s, order[i]);
		if (!i)
			wait_for(&s, "  * lm loss: outlier, ");
		answer(&s, "n");
	}
	finish(&s);
	assert_non_null(strstr(s.output, "no value differs"));
	assert_non_null(strstr(s.output, "0 updated, 0 new, 0 unchanged, 11 left out"));
}

/* What is left out from the start is no part of the story. */
TEST(story_of_what_is_asked)
{
	session s;

	assert_int_equal(shell(make_groups), 0);
	start_script(&s, "exec \"$REGILD\" update -C repo ../staged -i --only t5/a");
	wait_for(&s, "2 goldens to review\r\n2 goldens compared: needs review");
	answer(&s, "a");
	wait_for(&s, "2 to put in");
	confirm(&s, "2 of 2", "y\n");
	finish(&s);
	assert_int_equal(s.status, 0);
	assert_null(strstr(s.output, "gpt"));
}

TEST(group_is_put_in_as_one)
{
	session s;

	assert_int_equal(shell(make_groups), 0);
	start(&s);
	wait_for(&s, "g puts in all 8 of its stage and variant");
	answer(&s, "n");
	wait_for(&s, "g puts in all 7 of its stage and variant");
	answer(&s, "g");
	wait_for(&s, "7 to put in");
	wait_for(&s, "(5 of 11) t5/a [h100]");
	answer(&s, "nnn");
	confirm(&s, "7 of 11", "y\n");
	finish(&s);
	assert_non_null(strstr(s.output, "7 updated, 0 new, 0 unchanged, 4 left out"));
}

/* Of `loss` a loss moves by little and of `time` a time by much; `nan` and `gone` are held back,
 * and `lfs` is so that nobody can let it through. */
static const char make_held[] =
	"export REGILD_BUILD=/nowhere; . \"$TOP/tests/cli/lib.sh\"\n"
	"rm -rf repo staged; mkdir repo; cd repo; git init -q --template= .\n"
	"put() { f=$ROOT/gpt/$1/golden_values_a.json; "
	"n=../staged/files/gpt/$1/golden_values_a.json\n"
	"        golden $f 'lm loss' 10 9 8 -- time 1 1 1; shift; golden $n \"$@\"; }\n"
	"put loss 'lm loss' 10 9 8.01 -- time 1 1 1; put time 'lm loss' 10 9 8 -- time 9 9 9\n"
	"put nan 'lm loss' 10 NaN 8 -- time 1 1 1; put gone 'lm loss' 10 9 8 -- time 1 1\n"
	"put lfs 'lm loss' 10 9 7 -- time 1 1 1\n"
	"printf 'version https://git-lfs.github.com/spec/v1\\noid sha256:%064d\\nsize 5\\n' 0 >$f\n"
	"commit; cd ..; staging_manifest staged\n";

TEST(losses_come_first)
{
	session s;

	assert_int_equal(shell(make_held), 0);
	start(&s);
	wait_for(&s, "4 goldens to review, 2 held back");
	wait_for(&s, "(1 of 4) gpt/nan [a], changed, held back; y lets it through");
	wait_for(&s, "nonfinite: lm loss: ");
	answer(&s, "n");
	wait_for(&s, "(2 of 4) gpt/loss [a], changed\r\n");
	answer(&s, "n");
	answer(&s, "nn");
	finish(&s);
	assert_int_equal(WEXITSTATUS(s.status), 4);
	assert_non_null(strstr(s.output, "0 updated, 0 new, 0 unchanged, 3 held back, 2 left out"));
	check_untouched();
}

/* As --allow of that guard would, for that golden. */
TEST(held_ones_are_let_through_one_by_one)
{
	session s;

	assert_int_equal(shell(make_held), 0);
	start(&s);
	wait_for(&s,
		 "cannot go in: tests/functional_tests/test_cases/gpt/lfs/golden_values_a.json");
	wait_for(&s, "lfs: is a Git LFS pointer in the tree");
	wait_for(&s, "(1 of 4) gpt/nan [a]");
	answer(&s, "y");
	wait_for(&s, "(2 of 4)");
	answer(&s, "a");
	wait_for(&s, "2 to put in");
	/* What is held back is asked about anyway. */
	wait_for(&s, "gpt/gone [a], changed, held back");
	answer(&s, "a");
	wait_for(&s, "nothing that follows goes with it; y puts it in");
	answer(&s, "n");
	confirm(&s, "3 of 4", "y\n");
	finish(&s);
	assert_int_equal(WEXITSTATUS(s.status), 4);
	assert_non_null(strstr(s.output, "3 updated, 0 new, 0 unchanged, 2 held back"));
	assert_non_null(strstr(s.output, "allowed, nonfinite: lm loss: "));
	assert_int_equal(
		shell("grep -c '\"allowed\": \"nonfinite\"' staged/manifest.json | grep -qx 1"), 0);
	assert_int_equal(
		shell("cd repo; ! git diff --quiet -- '*/nan/*'; git diff --quiet -- '*/gone/*'"),
		0);
}

/* The gate of a refresh holds nothing against what was let through. */
TEST(refresh_lets_through)
{
	session s;

	assert_int_equal(shell(make_held), 0);
	start_script(
		&s,
		"exec \"$REGILD\" refresh -C repo --from ../staged -i --only gone --fail-above 9");
	wait_for(&s, "(1 of 1) gpt/gone [a], changed, held back");
	answer(&s, "y");
	confirm(&s, "1 of 1", "y\n");
	finish(&s);
	assert_int_equal(WEXITSTATUS(s.status), 0);
}

TEST_WITH(q_keeps_the_answers, set_up, NULL)
{
	check_review("nyq", "mid/a");
}

TEST_WITH(no_is_the_default, set_up, NULL)
{
	static const char *const answers[] = {"\n", "n\n", "\x04"};
	size_t i;

	for (i = 0; i < sizeof(answers) / sizeof(*answers); i++) {
		session s;

		start(&s);
		answer(&s, i ? "a" : "yq");
		confirm(&s, i ? "5 of 5" : "1 of 5", answers[i]);
		finish(&s);
		assert_int_equal(WEXITSTATUS(s.status), 3);
		assert_non_null(strstr(s.output, "regild: not confirmed; nothing is changed"));
		check_untouched();
	}
}

TEST_WITH(interrupt_at_the_end, set_up, NULL)
{
	session s;

	start(&s);
	answer(&s, "a");
	confirm(&s, "5 of 5", "\x03");
	finish(&s);
	assert_true(WIFSIGNALED(s.status));
	check_untouched();
}

/* Keys that were typed ahead put nothing in. */
TEST_WITH(keys_typed_ahead_confirm_nothing, set_up, NULL)
{
	session s;

	start(&s);
	wait_for(&s, "q,?]? ");
	type(&s, "ay\ny\n");
	confirm(&s, "5 of 5", "n\n");
	finish(&s);
	assert_int_equal(WEXITSTATUS(s.status), 3);
	check_untouched();
}

TEST_WITH(dry_run_confirms_nothing, set_up, NULL)
{
	session s;

	start_script(&s, "exec \"$REGILD\" update -C repo ../staged -i -n");
	answer(&s, "yd");
	finish(&s);
	assert_int_equal(s.status, 0);
	assert_null(strstr(s.output, "[y/N]"));
	assert_non_null(strstr(s.output, "would be: 1 updated, 0 new, 0 unchanged, 4 left out"));
	check_untouched();
}

/* As many as 'git add -p' has for what one decides on. */
TEST_WITH(eight_keys, set_up, NULL)
{
	const char *line;
	size_t keys = 0;
	session s;

	start(&s);
	wait_for(&s, "put this golden in [y,n,a,d,g,s,q,?]? ");
	type(&s, "?");
	wait_for(&s, "y - put this golden in");
	wait_for(&s, "? - show this help\r\n");
	answer(&s, "q");
	finish(&s);
	for (line = s.output; (line = strstr(line, "\r\n")); line += 2)
		keys += !strncmp(line + 3, " - ", 3);
	assert_int_equal(keys, 8);
}

TEST_WITH(accept_and_reject, set_up, NULL)
{
	check_review("ynyny", "twice/b worst/a fresh/a");
}

TEST_WITH(capitals_count, set_up, NULL)
{
	check_review("YNd", "worst/a");
}

TEST_WITH(all_the_rest, set_up, NULL)
{
	check_review("na", "mid/a twice/a twice/b fresh/a");
}

TEST_WITH(none_of_the_rest, set_up, NULL)
{
	check_review("yd", "worst/a");
}

TEST_WITH(quit_without_a_golden, set_up, NULL)
{
	session s;

	start(&s);
	answer(&s, "nq");
	finish(&s);
	assert_int_equal(WEXITSTATUS(s.status), 3);
	assert_non_null(strstr(s.output, "regild: the review was stopped; nothing is changed"));
	check_untouched();
}

TEST_WITH(rows_and_curve, set_up, NULL)
{
	session s;

	start(&s);
	answer(&s, "s");
	wait_for(&s, "tests/functional_tests/test_cases/gpt/worst/golden_values_a.json\r\n");
	wait_for(&s, "lm loss: +300 % over 3 steps\r\n");
	wait_for(&s, "lm loss, 8.0 to 80.0");
	wait_for(&s, "old  ___");
	wait_for(&s, "new  __#");
	wait_for(&s, "step                     old                     new\r\n"
		     "           3                     8.0                    80.0\r\n");
	answer(&s, "nnnn");
	/* A new golden has no old values. */
	wait_for(&s, "(5 of 5) gpt/fresh [a], new");
	answer(&s, "s");
	wait_for(&s, "new  =");
	wait_for(&s, "           1                       -                     1.0\r\n");
	answer(&s, "d");
	finish(&s);
	assert_int_equal(s.status, 0);
}

/* The values of a golden that a script makes, of its worst metric. */
static void check_values(const char *script, const char *const *shown)
{
	session s;

	assert_int_equal(
		shell("export REGILD_BUILD=/nowhere; . \"$TOP/tests/cli/lib.sh\"\n"
		      "rm -rf repo staged; mkdir repo; cd repo; git init -q --template= .\n"),
		0);
	assert_int_equal(shell(script), 0);
	start(&s);
	answer(&s, "s");
	for (; *shown; shown++)
		wait_for(&s, *shown);
	answer(&s, "n");
	finish(&s);
	assert_int_equal(s.status, 0);
	check_untouched();
}

#define IN_REPOSITORY \
	"export REGILD_BUILD=/nowhere; . \"$TOP/tests/cli/lib.sh\"; cd repo; s=../staged/files\n"

/* A table's records are shown by their keys. */
TEST(values_of_a_table)
{
	check_values(IN_REPOSITORY "printf '[regild]\\n\\tfiles = *.csv\\n' >.regild\n"
				   "mkdir -p $ROOT/gpt/t $s/gpt/t\n"
				   "printf 'name,v\\na,1\\nb,2\\n' >$ROOT/gpt/t/x.csv; commit\n"
				   "printf 'name,v\\nb,3\\na,1\\n' >$s/gpt/t/x.csv\n"
				   "cd ..; staging_manifest staged\n",
		     (const char *const[]){
			     "record                     old                     new\r\n",
			     " b                     2.0                     3.0\r\n", NULL});
}

TEST(texts_of_a_table)
{
	check_values(IN_REPOSITORY
		     "printf '[regild]\\n\\tfiles = *.csv\\n' >.regild\n"
		     "mkdir -p $ROOT/gpt/t $s/gpt/t\n"
		     "printf 'name,s\\na,pass\\nb,pass\\n' >$ROOT/gpt/t/x.csv; commit\n"
		     "printf 'name,s\\nb,fail\\na,pass\\n' >$s/gpt/t/x.csv\n"
		     "cd ..; staging_manifest staged\n",
		     (const char *const[]){"\r\ns\r\n  pass \xe2\x86\x92 fail: 1 (b)\r\n", NULL});
}

/* The first step's time is many times the others'. */
TEST(curve_with_outliers)
{
	check_values(IN_REPOSITORY "f=gpt/slow/golden_values_a.json; a=$(seq 1 39)\n"
				   "golden $ROOT/$f time 1000 $a; commit\n"
				   "golden $s/$f time 2000 $a; cd ..; staging_manifest staged\n",
		     (const char *const[]){
			     "time, 1.0 to 55.5 and 2 values beyond", "old  #__",
			     "           1                  1000.0                  2000.0", NULL});
}

/* What a raw tensor holds stands in .regild. */
TEST(curve_of_a_raw_tensor)
{
	check_values(IN_REPOSITORY
		     "new=$s/gpt/raw/a.bin; old=$ROOT/gpt/raw/a.bin\n"
		     "mkdir -p ${new%/*} ${old%/*}; printf 'abcd5678' >$old\n"
		     "printf '[regild]\\n\\tfiles = *.bin\\n[tensor \"*.bin\"]\\n\\tdtype = "
		     "int8\\n' >.regild\n"
		     "commit; printf 'abcd1278' >$new; cd ..; staging_manifest staged\n",
		     (const char *const[]){"tensor, 49.0 to 100.0", "old  ", NULL});
}

/* Texts are shown where they begin to differ. */
TEST(texts)
{
	check_values(IN_REPOSITORY
		     "f=gpt/words/golden_values_a.json; mkdir -p $ROOT/gpt/words $s/gpt/words\n"
		     "say() { echo \"{\\\"text\\\": \\\"$(printf '%99s')$1\\\"}\"; }\n"
		     "say 'a cat' >$ROOT/$f; commit; say 'a cow' >$s/$f; cd ..; staging_manifest "
		     "staged\n",
		     (const char *const[]){"text, from position 82\r\n"
					   "  old                   a cat\r\n"
					   "  new                   a cow\r\n",
					   NULL});
}

TEST(tokens)
{
	check_values(
		IN_REPOSITORY
		"f=gpt/words/golden_values_a.json; mkdir -p $ROOT/gpt/words $s/gpt/words\n"
		"say() { echo \"{\\\"generated_tokens\\\": [5, $1, 7]}\"; }\n"
		"say 6 >$ROOT/$f; commit; say 8 >$s/$f; cd ..; staging_manifest staged\n",
		(const char *const[]){
			"           1                       6                       8\r\n", NULL});
}

TEST_WITH(curve_in_utf8, set_up, NULL)
{
	session s;

	setenv("LC_ALL", "", 1);
	setenv("LANG", "de_DE.utf8", 1);
	start(&s);
	setenv("LC_ALL", "C", 1);
	unsetenv("LANG");
	answer(&s, "s");
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
	confirm(&s, "5 of 5", "y\n");
	finish(&s);
	assert_int_equal(WEXITSTATUS(s.status), 3);
	assert_non_null(strstr(s.output, message));
}

TEST_WITH(staged_bytes_changed_meanwhile, set_up, NULL)
{
	check_changed_meanwhile("echo >>staged/files/gpt/mid/golden_values_a.json",
				"changed while it was looked at");
	check_untouched();
}

TEST_WITH(tree_changed_meanwhile, set_up, NULL)
{
	check_changed_meanwhile(
		"cd repo/tests/functional_tests/test_cases/gpt; echo >>mid/golden_values_a.json",
		"changed while it was looked at");
	assert_int_equal(shell("cd repo; [ \"$(git status --short | wc -l)\" = 1 ]"), 0);
}

int main(int argc, char **argv)
{
	(void)argc;
	return run_in_folder(argv[0], unit_run);
}
