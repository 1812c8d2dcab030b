/* SPDX-License-Identifier: Apache-2.0 */
/* ppoll, in POSIX since 2024 and in C libraries for longer. */
#define _GNU_SOURCE

#include "base/cancel.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <sys/select.h>

static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
static volatile sig_atomic_t caught;

static void on_signal(int number)
{
	caught = number;
}

/* A signal that the parent chose to ignore (nohup) stays ignored. */
static void catch (int number, int flags)
{
	struct sigaction action = {.sa_handler = on_signal, .sa_flags = flags}, before;
	sigemptyset(&action.sa_mask);
	if (!sigaction(number, NULL, &before) && before.sa_handler != SIG_IGN)
		sigaction(number, &action, NULL);
}

void rg_cancel_install(void)
{
	/* RESETHAND: a second one kills. No RESTART: a blocked read must come back. */
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		catch (numbers[i], (int)SA_RESETHAND);
}

void rg_cancel_stay(void)
{
	catch (SIGINT, SA_RESTART);
}

bool rg_cancelled(void)
{
	return caught != 0;
}

rg_error *rg_cancel_check(void)
{
	return caught ? rg_error_new(RG_E_CANCELLED, "interrupted") : NULL;
}

/* Waits with the mask in force. pselect would do everywhere, but ThreadSanitizer holds signals back
 * in it. */
static int wait_for(int fd, const sigset_t *mask)
{
#ifdef __APPLE__ /* which has no ppoll */
	fd_set ready;
	if (fd >= FD_SETSIZE)
		return 1; /* the read itself waits */
	FD_ZERO(&ready);
	FD_SET(fd, &ready);
	return pselect(fd + 1, &ready, NULL, NULL, NULL, mask);
#else
	struct pollfd ready = {.fd = fd, .events = POLLIN};
	return ppoll(&ready, 1, NULL, mask);
#endif
}

bool rg_cancel_wait(int fd)
{
	sigset_t ours, before;
	int got = -1;

	sigemptyset(&ours);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		sigaddset(&ours, numbers[i]);
	/* Only the wait lets signals in: it would sleep over one that came just before it. */
	pthread_sigmask(SIG_BLOCK, &ours, &before);
	while (!caught && got < 0) {
		got = wait_for(fd, &before);
		if (got < 0 && errno != EINTR)
			break; /* the read that follows says what is wrong */
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return !caught;
}

void rg_cancel_reraise(void)
{
	if (!caught)
		return;
	signal(caught, SIG_DFL);
	raise(caught);
}
