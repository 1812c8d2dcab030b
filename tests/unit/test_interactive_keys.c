/* SPDX-License-Identifier: Apache-2.0 */
/* The terminal of an interactive review: its mode, its keys, and every way out. */
#include "unit.h"

#include "interactive.h"

static const char question[] = "q,?]? ";

TEST_EACH(set_up, NULL);

TEST(keys_act_at_once)
{
	session s;

	start(&s);
	wait_for(&s, question);
	assert_true(is_raw(&s));
	/* Enter after a key, as people are used to, answers nothing. */
	type(&s, "y\n");
	wait_for(&s, "(2 of 5)");
	wait_for(&s, question);
	/* Several keys in one go are as many answers. */
	type(&s, "nnnn");
	confirm(&s, "1 of 5", "y\n");
	finish(&s);
	assert_int_equal(s.status, 0);
	assert_null(strstr(s.output, "show this help"));
	assert_non_null(strstr(s.output, "1 updated, 0 new, 0 unchanged, 4 left out"));
}

/* An arrow ends in the letter of an answer, and control-space is the byte 0. */
static void check_no_answer(const char *keys, size_t length)
{
	session s;

	start(&s);
	wait_for(&s, question);
	assert_int_equal(write(s.terminal, keys, length), (ssize_t)length);
	wait_for(&s, "? - show this help");
	answer(&s, "?q");
	finish(&s);
	assert_int_equal(WEXITSTATUS(s.status), 3);
	assert_null(strstr(s.output, "to put in"));
	assert_null(strstr(s.output, "(2 of 5)"));
}

TEST(unknown_keys_show_help)
{
	check_no_answer("x", 1);
	check_no_answer("", 1);
	check_no_answer("\x1b[A", 3);
	check_no_answer("\x1b[1;5D", 6);
	check_no_answer("\xc3\xa4", 2);
}

/* Nobody has seen the question yet. */
TEST(what_was_typed_before_is_forgotten)
{
	session s;

	start_script(&s, "echo ready; read -r line; exec \"$REGILD\" update -C repo ../staged -i");
	wait_for(&s, "ready");
	type(&s, "go\na\na");
	wait_for(&s, question);
	type(&s, "d");
	wait_for(&s, "5 left out");
	finish(&s);
	check_untouched();
}

TEST(end_of_input)
{
	session s;

	start(&s);
	answer(&s, "y\x04");
	finish(&s);
	assert_int_equal(WEXITSTATUS(s.status), 3);
	assert_non_null(strstr(s.output, "the input ended before the review did"));
	check_untouched();
}

/* `key` ends it, after an answer and in the middle of a question. */
static void check_killed(const char *key, int by)
{
	session s;

	start_script(&s, "ulimit -c 0; exec \"$REGILD\" update -C repo ../staged -i");
	answer(&s, "y");
	wait_for(&s, question);
	assert_true(is_raw(&s));
	if (key)
		type(&s, key);
	else
		assert_int_equal(kill(s.child, by), 0);
	finish(&s);
	assert_true(WIFSIGNALED(s.status));
	assert_int_equal(WTERMSIG(s.status), by);
	check_untouched();
}

TEST(interrupt)
{
	check_killed("\x03", SIGINT);
}

TEST(quit_key)
{
	check_killed("\x1c", SIGQUIT);
}

TEST(terminate)
{
	check_killed(NULL, SIGTERM);
}

TEST(hang_up)
{
	session s;

	start(&s);
	answer(&s, "y");
	wait_for(&s, question);
	close(s.terminal);
	assert_int_equal(waitpid(s.child, &s.status, 0), s.child);
	assert_true(WIFSIGNALED(s.status));
	assert_int_equal(WTERMSIG(s.status), SIGHUP);
	check_untouched();
}

/* A shell that leaves the terminal's mode to its jobs. */
TEST(stop_and_go_on)
{
	session s;

	start_script(&s, "set -m; \"$REGILD\" update -C repo ../staged -i; stty -a | tr ' ' '\\n' |"
			 "grep -x -e -*icanon -e -*echo | xargs echo stopped:; fg; echo code $?");
	answer(&s, "y");
	wait_for(&s, question);
	type(&s, "\x1a");
	wait_for(&s, "stopped: icanon echo");
	/* The question is there again, and its answer is a key. */
	wait_for(&s, question);
	assert_true(is_raw(&s));
	type(&s, "d");
	confirm(&s, "1 of 5", "y\n");
	wait_for(&s, "1 updated, 0 new, 0 unchanged, 4 left out");
	wait_for(&s, "code 0");
	finish(&s);
}

/* --- what is seen --- */

TEST(colour_is_never_alone)
{
	session s;

	start_script(&s, "exec \"$REGILD\" update -C repo ../staged -i --color=always");
	wait_for(&s, "\x1b[1m(1 of 5) gpt/worst [a], changed\x1b[0m\r\n");
	wait_for(&s,
		 "\x1b[31m  * lm loss: over its flag level: +300 % (flag level 0.001)\x1b[0m\r\n");
	answer(&s, "q");
	finish(&s);
	start_script(&s, "exec \"$REGILD\" update -C repo ../staged -i --color=never");
	wait_for(&s, "  * lm loss: over its flag level: +300 % (flag level 0.001)\r\n");
	answer(&s, "q");
	finish(&s);
	assert_null(strchr(s.output, '\x1b'));
}

/* 52 columns, in which one character has three bytes. */
enum { LINE_BYTES = 54 };

/* Nobody's name moves the cursor, or makes a line longer than the window. */
TEST(hostile_names_in_a_narrow_window)
{
	const char *line;
	session s;

	assert_int_equal(
		shell("export REGILD_BUILD=/nowhere; . \"$TOP/tests/cli/lib.sh\"; rm -rf staged\n"
		      "cd repo; long=$(printf '%4000s' '' | tr ' ' n)\n"
		      "f=gpt/a${long:0:150}/golden_values_dev.json\n"
		      "golden $ROOT/$f 'x\\u001b[2J\\u202ey' 1 -- \"$long\" 1; commit\n"
		      "golden ../staged/files/$f 'x\\u001b[2J\\u202ey' 2 -- \"$long\" 2\n"
		      "cd ..; staging_manifest staged\n"),
		0);
	start_script(&s,
		     "stty cols 52; exec \"$REGILD\" update -C repo ../staged -i --color=never");
	wait_for(&s, "(1 of 1)\r\n  gpt/\xe2\x80\xa6nnn");
	wait_for(&s, "nnn\r\n  [dev], changed\r\n");
	wait_for(&s, "x\\x1b[2J\\xe2\\x80\\xaey: over its flag level:");
	answer(&s, "q");
	finish(&s);
	assert_null(strchr(s.output, '\x1b'));
	assert_null(strstr(s.output, "\xe2\x80\xae"));
	for (line = s.output; strchr(line, '\r'); line = strchr(line, '\n') + 1)
		assert_in_range(strchr(line, '\r') - line, 0, LINE_BYTES);
}

int main(int argc, char **argv)
{
	(void)argc;
	return run_in_folder(argv[0], unit_run);
}
