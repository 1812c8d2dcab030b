/* SPDX-License-Identifier: Apache-2.0 */
#include "keys.h"

#include "base/cancel.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

/* The bytes of one key follow each other at once, also over a slow line. */
enum { REST_OF_KEY_MS = 50 };

/* What end or stop a program without asking, beside those of base/cancel.h. */
static const int signals[] = {SIGTSTP, SIGQUIT};
enum { SIGNALS = sizeof(signals) / sizeof(*signals) };

/* During a wait for a key: for on_signal. */
static struct termios before, during;
static const char *shown;

static void catch (int number);

/* Only with functions that are safe in a handler. */
static void on_signal(int number)
{
	int kept = errno;
	sigset_t own;

	tcsetattr(STDIN_FILENO, TCSANOW, &before);
	signal(number, SIG_DFL);
	raise(number);
	/* It is blocked in its own handler: this is where it ends or stops the program. */
	sigemptyset(&own);
	sigaddset(&own, number);
	sigprocmask(SIG_UNBLOCK, &own, NULL);
	/* It was stopped, and goes on. */
	catch (number);
	tcsetattr(STDIN_FILENO, TCSANOW, &during);
	if (write(STDERR_FILENO, shown, strlen(shown)) < 0)
		kept = errno;
	errno = kept;
}

static void catch (int number)
{
	struct sigaction action = {.sa_handler = on_signal};
	sigemptyset(&action.sa_mask);
	sigaction(number, &action, NULL);
}

static void catch_all(struct sigaction old[static SIGNALS])
{
	for (size_t i = 0; i < SIGNALS; i++)
		/* What the parent chose to ignore stays ignored. */
		if (!sigaction(signals[i], NULL, &old[i]) && old[i].sa_handler != SIG_IGN)
			catch (signals[i]);
}

static void let_go(const struct sigaction old[static SIGNALS])
{
	for (size_t i = 0; i < SIGNALS; i++)
		sigaction(signals[i], &old[i], NULL);
}

static void drop_rest_of_key(void)
{
	struct pollfd ready = {.fd = STDIN_FILENO, .events = POLLIN};
	char rest[64];

	while (poll(&ready, 1, REST_OF_KEY_MS) == 1 && read(STDIN_FILENO, rest, sizeof(rest)) > 0)
		;
}

static bool is_plain(char key)
{
	return key >= ' ' && key <= '~';
}

static rg_error *wait_for_key(char *key, bool *end)
{
	do {
		ssize_t got = rg_cancel_wait(STDIN_FILENO) ? read(STDIN_FILENO, key, 1) : -1;
		RG_TRY(rg_cancel_check());
		if (got < 0 && errno == EINTR)
			*key = '\n';
		else if (got <= 0 || (cc_t)*key == before.c_cc[VEOF])
			*end = true;
	} while (!*end && (*key == '\n' || *key == '\r'));
	if (!*end && !is_plain(*key))
		drop_rest_of_key();
	return NULL;
}

void keys_forget(void)
{
	tcflush(STDIN_FILENO, TCIFLUSH);
}

rg_error *keys_read(const char *question, char *key, bool *end)
{
	struct sigaction old[SIGNALS];
	*end = false;
	if (tcgetattr(STDIN_FILENO, &before))
		return rg_error_io(errno, "the terminal");
	during = before;
	during.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
	during.c_cc[VMIN] = 1;
	during.c_cc[VTIME] = 0;
	shown = question;
	fflush(stderr);
	catch_all(old);
	tcsetattr(STDIN_FILENO, TCSANOW, &during);
	fputs(question, stderr);
	fflush(stderr);
	rg_error *err = wait_for_key(key, end);
	tcsetattr(STDIN_FILENO, TCSANOW, &before);
	let_go(old);
	fprintf(stderr, "%c\n", !err && !*end && is_plain(*key) ? *key : ' ');
	return err;
}
