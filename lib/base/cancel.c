#include "base/cancel.h"

#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t caught;

static void on_signal(int number)
{
	caught = number;
}

void rg_cancel_install(void)
{
	static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
	struct sigaction action = {0}, before;
	size_t i;

	action.sa_handler = on_signal;
	/* RESETHAND: a second one kills. No RESTART: a blocked read must come back. */
	action.sa_flags = (int)SA_RESETHAND;
	sigemptyset(&action.sa_mask);
	for (i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		/* What the parent chose to ignore (nohup) stays ignored. */
		if (!sigaction(numbers[i], NULL, &before) && before.sa_handler != SIG_IGN)
			sigaction(numbers[i], &action, NULL);
}

bool rg_cancelled(void)
{
	return caught != 0;
}

rg_error *rg_cancel_check(void)
{
	return caught ? rg_error_new(RG_E_CANCELLED, "interrupted") : NULL;
}

void rg_cancel_reraise(void)
{
	if (!caught)
		return;
	signal(caught, SIG_DFL);
	raise(caught);
}
