/* SPDX-License-Identifier: Apache-2.0 */
/* `regild update --interactive` as a person has it: on a pseudo-terminal. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

enum { OUTPUT_SIZE = 65536, PATIENCE_MS = 60000 };

static char regild[4096], folder[4096];

/* Runs a shell script in the test's folder; its exit code. */
static int shell(const char *script)
{
	int status;
	pid_t child = fork();

	assert_true(child >= 0);
	if (!child) {
		if (!chdir(folder))
			execl("/bin/bash", "bash", "-e", "-c", script, (char *)NULL);
		_exit(127);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

/* Three tests, the last by name is the worst; one golden is new, and `twice` has two. */
static const char make_repository[] =
	"export REGILD_BUILD=/nowhere; . \"$TOP/tests/cli/lib.sh\"\n"
	"rm -rf repo staged; mkdir repo; cd repo; git init -q --template= .\n"
	"put() { f=$ROOT/gpt/$1.json; golden $f 'lm loss' 10 9 8 -- 'mem' 5 5 5\n"
	"        golden ../staged/files/gpt/$1.json 'lm loss' 10 9 $2 -- 'mem' 5 5 $3; }\n"
	"put mid/golden_values_a 8.5 5; put twice/golden_values_a 8 5.5; put twice/golden_values_b "
	"8.1 5\n"
	"put worst/golden_values_a 80 5; commit\n"
	"golden ../staged/files/gpt/fresh/golden_values_a.json 'lm loss' 1\n"
	"cd ..; staging_manifest staged\n";

static int set_up(void **state)
{
	(void)state;
	return shell(make_repository) ? -1 : 0;
}

typedef struct {
	pid_t child;
	int terminal;
	char output[OUTPUT_SIZE];
	size_t length;
	size_t seen; /* what was waited for ends here */
	int status;
} session;

static void start(session *s)
{
	const char *name;

	*s = (session){0};
	s->terminal = posix_openpt(O_RDWR | O_NOCTTY);
	name = s->terminal < 0 || grantpt(s->terminal) || unlockpt(s->terminal)
		       ? NULL
		       : ptsname(s->terminal);
	if (!name || access(name, R_OK | W_OK))
		skip(); /* a container without pseudo-terminals */
	s->child = fork();
	assert_true(s->child >= 0);
	if (!s->child) {
		int fd;

		/* Only the test holds the terminal's other side: without it the program hangs up.
		 */
		close(s->terminal);
		setsid();
		fd = open(name, O_RDWR); /* becomes the controlling terminal */
		if (fd < 0 || chdir(folder) || dup2(fd, 0) < 0 || dup2(fd, 1) < 0 ||
		    dup2(fd, 2) < 0)
			_exit(127);
		execl(regild, "regild", "update", "-C", "repo", "../staged", "-i", (char *)NULL);
		_exit(127);
	}
}

/* Reads once; false at the end of the output. */
static bool read_more(session *s)
{
	struct pollfd ready = {.fd = s->terminal, .events = POLLIN};
	ssize_t got;

	if (poll(&ready, 1, PATIENCE_MS) <= 0)
		fail_msg("nothing comes; so far: %s", s->output);
	got = read(s->terminal, s->output + s->length, OUTPUT_SIZE - 1 - s->length);
	if (got <= 0)
		return false; /* EIO: the other side is closed */
	s->length += (size_t)got;
	s->output[s->length] = '\0';
	return true;
}

static void wait_for(session *s, const char *text)
{
	char *at;

	while (!(at = strstr(s->output + s->seen, text)))
		if (!read_more(s))
			fail_msg("'%s' never comes: %s", text, s->output);
	s->seen = (size_t)(at - s->output) + strlen(text);
}

static void type(session *s, const char *keys)
{
	assert_int_equal(write(s->terminal, keys, strlen(keys)), (ssize_t)strlen(keys));
}

/* Answers one prompt a letter. */
static void answer(session *s, const char *letters)
{
	char line[3] = "?\n";

	for (; *letters; letters++) {
		wait_for(s, "q,?]? ");
		line[0] = *letters;
		type(s, line);
	}
}

static void finish(session *s)
{
	while (read_more(s))
		;
	close(s->terminal);
	assert_int_equal(waitpid(s->child, &s->status, 0), s->child);
}

/* Answers, and then exactly the goldens listed by `wanted` differ from HEAD. */
static void check_review(const char *letters, const char *wanted)
{
	char script[1024];
	session s;

	start(&s);
	answer(&s, letters);
	finish(&s);
	assert_int_equal(s.status, 0);
	snprintf(script, sizeof(script),
		 "cd repo; got=$(git status --short -uall | sed 's|.*gpt/||; s|golden_values_||; "
		 "s|.json||' | xargs)\n"
		 "[ \"$got\" = '%s' ] || { echo \"wanted '%s', got '$got'\" >&2; exit 1; }\n"
		 "for f in $got; do\n"
		 "  f=$(echo $f | sed 's|/|/golden_values_|').json\n"
		 "  cmp ../staged/files/gpt/$f tests/functional_tests/test_cases/gpt/$f\n"
		 "done\n",
		 wanted, wanted);
	if (shell(script))
		fail_msg("after %s: %s", letters, s.output);
}

static void test_worst_test_first(void **state)
{
	session s;

	(void)state;
	start(&s);
	wait_for(&s, "(1/5) changed tests/functional_tests/test_cases/gpt/worst");
	wait_for(&s, "lm loss: avg_rel_diff -3.000000 over 3 steps");
	answer(&s, "n");
	/* Of the two goldens of a test the worse one first, though other tests come between. */
	wait_for(&s, "gpt/twice/golden_values_a.json");
	answer(&s, "n");
	wait_for(&s, "gpt/twice/golden_values_b.json");
	answer(&s, "n");
	wait_for(&s, "gpt/mid/golden_values_a.json");
	answer(&s, "n");
	wait_for(&s, "(5/5) new tests/functional_tests/test_cases/gpt/fresh/");
	answer(&s, "n");
	finish(&s);
	assert_non_null(strstr(s.output, "0 updated, 0 new, 0 unchanged, 5 left out"));
}

static void test_accept_and_reject(void **state)
{
	(void)state;
	check_review("ynyny", "twice/b worst/a fresh/a");
}

static void test_capitals_count(void **state)
{
	(void)state;
	check_review("YNQ", "worst/a");
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

static void test_quit_keeps_what_was_taken(void **state)
{
	(void)state;
	check_review("yq", "worst/a");
}

static void test_rows_curve_and_help(void **state)
{
	session s;

	(void)state;
	start(&s);
	answer(&s, "c");
	wait_for(&s, "lm loss, 8.0 to 80.0");
	wait_for(&s, "old  ___");
	wait_for(&s, "new  __#");
	answer(&s, "r");
	wait_for(&s, "lm loss: avg_rel_diff");
	answer(&s, "?");
	wait_for(&s, "y - take this golden");
	answer(&s, "q");
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
	wait_for(&s, "time, 1.0 to 55.5 and 2 values beyond");
	wait_for(&s, "old  #__");
	answer(&s, "q");
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
	wait_for(&s, "tensor, 49.0 to 100.0");
	wait_for(&s, "old  ");
	answer(&s, "y");
	finish(&s);
	assert_int_equal(s.status, 0);
	assert_int_equal(shell("cmp staged/files/gpt/raw/a.bin "
			       "repo/tests/functional_tests/test_cases/gpt/raw/a.bin"),
			 0);
}

static void check_untouched(void)
{
	assert_int_equal(shell("cd repo; [ -z \"$(git status --short)\" ]"), 0);
}

/* A text that changes has no curve, and in a new golden nothing changes. */
static void test_nothing_to_draw(void **state)
{
	session s;

	(void)state;
	assert_int_equal(shell("rm -rf staged/files/gpt/[mtw]*; cd repo\n"
			       "export REGILD_BUILD=/nowhere; . \"$TOP/tests/cli/lib.sh\"; "
			       "f=gpt/words/golden_values_a.json\n"
			       "mkdir -p $ROOT/gpt/words ../staged/files/gpt/words\n"
			       "echo '{\"text\": \"a cat\"}' >$ROOT/$f; commit\n"
			       "echo '{\"text\": \"a cow\"}' >../staged/files/$f\n"
			       "cd ..; staging_manifest staged\n"),
			 0);
	start(&s);
	wait_for(&s, "text: differs from position 3");
	answer(&s, "c");
	wait_for(&s, "this metric is not a series");
	answer(&s, "n");
	wait_for(&s, "gpt/fresh");
	answer(&s, "c");
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
	wait_for(&s, "old  \xe2\x96\x81\xe2\x96\x81\xe2\x96\x81");
	wait_for(&s, "new  \xe2\x96\x81\xe2\x96\x81\xe2\x96\x88");
	answer(&s, "q");
	finish(&s);
}

static void test_end_of_input(void **state)
{
	session s;

	(void)state;
	start(&s);
	answer(&s, "y");
	wait_for(&s, "q,?]? ");
	type(&s, "\x04");
	finish(&s);
	assert_int_equal(WEXITSTATUS(s.status), 3);
	check_untouched();
}

static void test_interrupt(void **state)
{
	session s;

	(void)state;
	start(&s);
	answer(&s, "y");
	wait_for(&s, "q,?]? ");
	type(&s, "\x03");
	finish(&s);
	assert_true(WIFSIGNALED(s.status));
	assert_int_equal(WTERMSIG(s.status), SIGINT);
	check_untouched();
}

/* What is applied is what was reviewed: a script changes something while the first prompt waits. */
static void check_changed_meanwhile(const char *script, const char *message)
{
	session s;

	start(&s);
	wait_for(&s, "q,?]? ");
	assert_int_equal(shell(script), 0);
	type(&s, "a\n");
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

int main(int argc, char **argv)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_worst_test_first, set_up),
		cmocka_unit_test_setup(test_accept_and_reject, set_up),
		cmocka_unit_test_setup(test_capitals_count, set_up),
		cmocka_unit_test_setup(test_skipped_ones_come_again, set_up),
		cmocka_unit_test_setup(test_skipped_twice_is_left_out, set_up),
		cmocka_unit_test_setup(test_all_of_a_test, set_up),
		cmocka_unit_test_setup(test_all_of_a_metric, set_up),
		cmocka_unit_test_setup(test_all_the_rest, set_up),
		cmocka_unit_test_setup(test_quit_keeps_what_was_taken, set_up),
		cmocka_unit_test_setup(test_rows_curve_and_help, set_up),
		cmocka_unit_test_setup(test_curve_with_outliers, set_up),
		cmocka_unit_test_setup(test_curve_of_a_raw_tensor, set_up),
		cmocka_unit_test_setup(test_nothing_to_draw, set_up),
		cmocka_unit_test_setup(test_curve_in_utf8, set_up),
		cmocka_unit_test_setup(test_end_of_input, set_up),
		cmocka_unit_test_setup(test_interrupt, set_up),
		cmocka_unit_test_setup(test_staged_bytes_changed_meanwhile, set_up),
		cmocka_unit_test_setup(test_tree_changed_meanwhile, set_up),
	};
	char top[2048], scratch[] = "build/interactive-XXXXXX";
	int failed;

	(void)argc;
	/* BUILD/unit/test_interactive is beside BUILD/regild. */
	if (!getcwd(top, sizeof(top)) || !mkdtemp(scratch) || !strstr(argv[0], "unit/"))
		return 1;
	snprintf(folder, sizeof(folder), "%s/%s", top, scratch);
	snprintf(regild, sizeof(regild), "%s%s%.*sregild", argv[0][0] == '/' ? "" : top,
		 argv[0][0] == '/' ? "" : "/", (int)(strstr(argv[0], "unit/") - argv[0]), argv[0]);
	setenv("TOP", top, 1);
	setenv("LC_ALL", "C", 1);
	setenv("HOME", folder, 1);
	setenv("GIT_CONFIG_NOSYSTEM", "1", 1);
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	if (chdir(top) || shell("rm -rf repo staged; rmdir \"$HOME\""))
		return 1;
	return failed;
}
