/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "base/cancel.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

/* In a child: the parent must live on. */
static int status_of(void (*run)(void))
{
	pid_t child = fork();
	int status = 0;

	if (!child) {
		run();
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	return status;
}

static void raise_twice(void)
{
	rg_cancel_install();
	raise(SIGTERM);
	raise(SIGTERM);
}

static void reraise(void)
{
	rg_cancel_install();
	raise(SIGHUP);
	rg_cancel_reraise();
}

static void ignored_by_the_parent(void)
{
	signal(SIGHUP, SIG_IGN);
	rg_cancel_install();
	raise(SIGHUP);
	raise(SIGHUP);
}

static void wait_for_nothing(void)
{
	sigset_t set;
	int ends[2];

	rg_cancel_install();
	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	/* Comes with the wait itself, as one does between the look at the flag and the wait. */
	if (pipe(ends) || sigprocmask(SIG_BLOCK, &set, NULL) || raise(SIGINT) ||
	    write(ends[1], "x", 1) != 1 || !rg_cancel_wait(ends[0]))
		_exit(1);
	if (read(ends[0], &(char){0}, 1) != 1 || sigprocmask(SIG_UNBLOCK, &set, NULL))
		_exit(2);
	alarm(100);
	_exit(rg_cancel_wait(ends[0]) ? 3 : 0);
}

TEST(wait_sees_the_signal)
{
	assert_int_equal(status_of(wait_for_nothing), 0);
}

TEST(second_signal_kills)
{
	int status = status_of(raise_twice);

	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
	status = status_of(reraise);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGHUP);
	assert_int_equal(status_of(ignored_by_the_parent), 0);
}

/* The last one, as the flag stays. */
TEST(first_signal_sets_the_flag)
{
	rg_cancel_install();
	rg_cancel_reraise();
	assert_false(rg_cancelled());
	assert_success(rg_cancel_check());
	raise(SIGINT);
	assert_true(rg_cancelled());
	assert_error(rg_cancel_check(), RG_E_CANCELLED, "interrupted");
}
