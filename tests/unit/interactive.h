/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_TESTS_UNIT_INTERACTIVE_H
#define REGILD_TESTS_UNIT_INTERACTIVE_H

/* `regild update --interactive` as a person has it: on a pseudo-terminal. A test answers a question
 * only once it is shown. */

#include "unit.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

enum { OUTPUT_SIZE = 65536, PATIENCE_MS = 60000 };

static char regild[4096], folder[4096];

/* Runs a shell script in the test's folder; its exit code. */
static inline int shell(const char *script)
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

FIXTURE(set_up)
{
	return shell(make_repository) ? -1 : 0;
}

typedef struct {
	pid_t child;
	int terminal;
	char output[OUTPUT_SIZE];
	size_t length;
	size_t seen; /* what was waited for ends here */
	int status;
	struct termios mode; /* before anything ran */
} session;

static const char review[] = "exec \"$REGILD\" update -C repo ../staged -i";

/* Runs a shell script on a terminal of its own. */
static inline void start_script(session *s, const char *script)
{
	const char *name;

	*s = (session){0};
	s->terminal = posix_openpt(O_RDWR | O_NOCTTY);
	name = s->terminal < 0 || grantpt(s->terminal) || unlockpt(s->terminal)
		       ? NULL
		       : ptsname(s->terminal);
	if (!name || access(name, R_OK | W_OK))
		skip(); /* a container without pseudo-terminals */
	assert_int_equal(tcgetattr(s->terminal, &s->mode), 0);
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
		if (fd > 2)
			close(fd);
		execl("/bin/bash", "bash", "-c", script, (char *)NULL);
		_exit(127);
	}
}

static inline void start(session *s)
{
	start_script(s, review);
}

/* Do keys act at once, unseen? */
static inline bool is_raw(const session *s)
{
	struct termios now;

	assert_int_equal(tcgetattr(s->terminal, &now), 0);
	assert_int_equal(!(now.c_lflag & ICANON), !(now.c_lflag & ECHO));
	return !(now.c_lflag & ICANON);
}

static inline void check_mode(const session *s)
{
	struct termios now;

	assert_int_equal(tcgetattr(s->terminal, &now), 0);
	assert_int_equal(now.c_iflag, s->mode.c_iflag);
	assert_int_equal(now.c_oflag, s->mode.c_oflag);
	assert_int_equal(now.c_cflag, s->mode.c_cflag);
	assert_int_equal(now.c_lflag, s->mode.c_lflag);
	assert_memory_equal(now.c_cc, s->mode.c_cc, sizeof(now.c_cc));
}

/* Reads once; false at the end of the output. */
static inline bool read_more(session *s)
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

static inline void wait_for(session *s, const char *text)
{
	char *at;

	while (!(at = strstr(s->output + s->seen, text)))
		if (!read_more(s))
			fail_msg("'%s' never comes: %s", text, s->output);
	s->seen = (size_t)(at - s->output) + strlen(text);
}

static inline void type(session *s, const char *keys)
{
	assert_int_equal(write(s->terminal, keys, strlen(keys)), (ssize_t)strlen(keys));
}

/* A key to each question. */
static inline void answer(session *s, const char *keys)
{
	char key[2] = "?";

	for (; *keys; keys++) {
		wait_for(s, "q,?]? ");
		key[0] = *keys;
		type(s, key);
	}
}

/* Answers the last question, whether to put in as many as `counts` says ("2 of 5"). */
static inline void confirm(session *s, const char *counts, const char *answer)
{
	wait_for(s, "put in ");
	wait_for(s, counts);
	wait_for(s, "? [y/N] ");
	type(s, answer);
}

/* However it ended, the terminal is as it was. */
static inline void finish(session *s)
{
	while (read_more(s))
		;
	assert_int_equal(waitpid(s->child, &s->status, 0), s->child);
	check_mode(s);
	close(s->terminal);
}

/* Answers, and then exactly the goldens listed by `wanted` differ from HEAD. */
static inline void check_review(const char *keys, const char *wanted)
{
	char script[1024];
	session s;

	start(&s);
	answer(&s, keys);
	if (*wanted)
		confirm(&s, " of 5", "y\n");
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
		fail_msg("after %s: %s", keys, s.output);
}

static inline void check_untouched(void)
{
	assert_int_equal(shell("cd repo; [ -z \"$(git status --short)\" ]"), 0);
}

/* The tests' main: in a folder of their own. BUILD/unit/PROGRAM is beside BUILD/regild. */
static inline int run_in_folder(const char *program, int run(void))
{
	char top[2048], scratch[] = "build/interactive-XXXXXX";
	int failed;

	if (!getcwd(top, sizeof(top)) || !mkdtemp(scratch) || !strstr(program, "unit/"))
		return 1;
	snprintf(folder, sizeof(folder), "%s/%s", top, scratch);
	snprintf(regild, sizeof(regild), "%s%s%.*sregild", program[0] == '/' ? "" : top,
		 program[0] == '/' ? "" : "/", (int)(strstr(program, "unit/") - program), program);
	setenv("TOP", top, 1);
	setenv("REGILD", regild, 1);
	setenv("LC_ALL", "C", 1);
	setenv("TERM", "dumb", 1);
	setenv("HOME", folder, 1);
	setenv("GIT_CONFIG_NOSYSTEM", "1", 1);
	failed = run();
	if (chdir(top) || shell("rm -rf repo staged; rmdir \"$HOME\""))
		return 1;
	return failed;
}

#endif
