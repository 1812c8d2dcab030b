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

/* The setting, for a command that has read none; a broken configuration is another command's to
 * report. */
static void read_setting(char **out)
{
	rg_worktree *worktree = NULL;
	rg_config *config = NULL;
	const char *name = NULL;

	rg_error_free(rg_worktree_open(&worktree, NULL));
	rg_error_free(rg_config_load(&config, worktree));
	if (config)
		name = rg_config_get(config, "regild.pager");
	if (name)
		*out = rg_strdup(name);
	rg_config_free(config);
	rg_worktree_free(worktree);
}

/* *out is the caller's to free. */
static void choose_pager(char **out, const command_context *context)
{
	static const char *const variables[] = {"GIT_PAGER", "PAGER"};
	const char *name = NULL;

	if (context->flow.config)
		name = rg_config_get(context->flow.config, "regild.pager");
	else
		read_setting(out);
	if (*out)
		return;
	for (size_t i = 0; !name && i < sizeof(variables) / sizeof(*variables); i++)
		name = getenv(variables[i]);
	*out = rg_strdup(name ? name : "less");
}

/* A command line goes to the shell; a mere name does not, so that it is known whether it is there.
 * Returns 0 or an errno. */
static int spawn(pid_t *child, char *name, int input)
{
	char shell[] = "sh", flag[] = "-c";
	char *by_shell[] = {shell, flag, name, NULL}, *alone[] = {name, NULL};
	char **argv = strpbrk(name, "|&;<>()$`\\\"' \t\n*?[#~=%") ? by_shell : alone;

	return child_start(child, argv, input, STDOUT_FILENO);
}

/* What is printed from here goes into the pipe. */
static void redirect(int output)
{
	fflush(stdout);
	dup2(output, STDOUT_FILENO);
	if (!isatty(STDERR_FILENO))
		return;
	stderr_before = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	if (stderr_before >= 0)
		dup2(output, STDERR_FILENO);
}

static rg_error *start(char *name)
{
	int ends[2];
	if (pipe(ends))
		return rg_error_io(errno, "the pager");
	fcntl(ends[0], F_SETFD, FD_CLOEXEC);
	fcntl(ends[1], F_SETFD, FD_CLOEXEC);
	/* As git: leave after one screen, show colours, leave the screen as it is. */
	setenv("LESS", "FRX", 0);
	setenv("LV", "-c", 0);
	int failed = spawn(&pager, name, ends[0]);
	if (failed)
		pager = 0;
	else
		redirect(ends[1]);
	close(ends[0]);
	close(ends[1]);
	return failed ? rg_error_io(failed, "the pager '%s'", name) : NULL;
}

void pager_open(command_context *context)
{
	char *name = NULL;
	if (pager || context->common->no_pager || !isatty(STDOUT_FILENO))
		return;
	choose_pager(&name, context);
	rg_error *err = NULL;
	if (*name && strcmp(name, "cat") != 0)
		err = start(name);
	if (err)
		tell(context, RG_LOG_WARNING, "%s", rg_error_message(err));
	rg_error_free(err);
	free(name);
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
