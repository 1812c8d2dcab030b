/* SPDX-License-Identifier: Apache-2.0 */
#include "pager.h"

#include "base/cancel.h"
#include "base/memory.h"
#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The one that runs; 0: none does. */
static pid_t pager;
/* stderr as it was; -1: it is as it was. */
static int stderr_before = -1;

/* Is the caller's to free. The setting is read for a command that has read none; a broken
 * configuration is another command's to report. */
static char *choose_pager(const command_context *context)
{
	static const char *const variables[] = {"GIT_PAGER", "PAGER"};
	RG_AUTO_PTR(rg_worktree) worktree = NULL;
	RG_AUTO_PTR(rg_config) own = NULL;
	const rg_config *config = context->flow.config;
	const char *name = NULL;

	if (!config) {
		rg_error_free(rg_worktree_open(&worktree, NULL));
		rg_error_free(rg_config_load(&own, worktree));
		config = own;
	}
	if (config)
		name = rg_config_get(config, "regild.pager");
	for (size_t i = 0; !name && i < sizeof(variables) / sizeof(*variables); i++)
		name = getenv(variables[i]);
	return rg_strdup(name ? name : "less");
}

static rg_error *start(char *name)
{
	char shell[] = "sh", flag[] = "-c";
	char *by_shell[] = {shell, flag, name, NULL}, *alone[] = {name, NULL};
	/* A command line goes to the shell; a mere name does not, so that it is known whether it
	 * is there. */
	char **argv = strpbrk(name, "|&;<>()$`\\\"' \t\n*?[#~=%") ? by_shell : alone;
	int ends[2];

	if (pipe(ends))
		return rg_error_io(errno, "the pager");
	fcntl(ends[0], F_SETFD, FD_CLOEXEC);
	fcntl(ends[1], F_SETFD, FD_CLOEXEC);
	/* As git: leave after one screen, show colours, leave the screen as it is. */
	setenv("LESS", "FRX", 0);
	setenv("LV", "-c", 0);
	int failed = child_start(&pager, argv, ends[0], STDOUT_FILENO);
	if (failed) {
		pager = 0;
	} else {
		/* Everything that is printed from here on goes into the pipe. */
		fflush(stdout);
		dup2(ends[1], STDOUT_FILENO);
		if (isatty(STDERR_FILENO))
			stderr_before = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
		if (stderr_before >= 0)
			dup2(ends[1], STDERR_FILENO);
	}
	close(ends[0]);
	close(ends[1]);
	return failed ? rg_error_io(failed, "the pager '%s'", name) : NULL;
}

void pager_open(command_context *context)
{
	if (pager || context->common->no_pager || !isatty(STDOUT_FILENO))
		return;
	RG_AUTO_FREE char *name = choose_pager(context);
	RG_AUTO_PTR(rg_error) err = *name && strcmp(name, "cat") != 0 ? start(name) : NULL;
	if (err)
		tell(context, RG_LOG_WARNING, "%s", rg_error_message(err));
	context->paged = pager != 0;
	if (pager)
		rg_cancel_stay();
}

void pager_close(void)
{
	if (stderr_before >= 0) {
		fflush(stderr);
		dup2(stderr_before, STDERR_FILENO);
		close(stderr_before);
		stderr_before = -1;
	}
	if (pager)
		child_wait(pager);
	pager = 0;
}
