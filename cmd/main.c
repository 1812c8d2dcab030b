/* SPDX-License-Identifier: Apache-2.0 */
#include "commands.h"
#include "pager.h"
#include "runner.h"
#include "terminal.h"

#include "base/cancel.h"
#include "base/memory.h"
#include "golden/binary/formats.h"
#include "golden/binary/child.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <malloc.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int run_parsed(common_arguments *common, int count, char **operands, bool *changed)
{
	if (common->version) {
		print_version(common->verbose > 0);
		return EXIT_DONE;
	}
	if (common->help && (!count || operands[0][0] == '-')) {
		print_program_help(&program, help_columns(stdout), stdout);
		return EXIT_DONE;
	}
	if (!count) {
		print_program_help(&program, help_columns(stderr), stderr);
		return EXIT_USAGE;
	}
	if (!common->help)
		return command_run(&program, common, count, operands, changed);
	/* regild --help COMMAND, as with git */
	rg_error *err = print_help_of(&program, operands, 1);
	return err ? command_fail(err, NULL) : EXIT_DONE;
}

/* Parses the options before the command (regild -C DIR compare), and runs the command. */
static int run_program(int argc, char **argv, bool *changed)
{
	common_arguments common = {0};
	const option_set sets[] = {{common_group, &common}, {version_group, &common}, {0}};
	option_operands rest;
	const command *cmd;

	if (argc > 1 && !strcmp(argv[1], COMPLETE)) {
		complete(&program, argv + 2, argc - 2);
		return EXIT_DONE;
	}
	rg_error *err = options_parse(sets, true, argc, argv, &rest, NULL);
	if (err && rest.items) {
		/* A command's option may come before the command: regild --only-failing. */
		const char *given = rest.items[0];
		const char *name = command_of_option(&cmd, &program, given + strspn(given, "-"));
		if (name) {
			rg_error_free(err);
			err = usage_error("'%s' comes after a command: 'regild %s --%s'", given,
					  cmd->name, name);
		}
	}
	int code = err ? command_fail(err, NULL)
		       : run_parsed(&common, rest.count, rest.items, changed);
	options_release(sets);
	return code;
}

/* The findings of a gate are lost with stdout. */
static int close_stdout(int code)
{
	RG_AUTO_PTR(rg_error) err = terminal_close_stdout();
	pager_close();
	if (!err)
		return code;
	if (rg_error_errno(err) == EPIPE) {
		/* The reader of stdout has left (regild compare | head -1), which is nobody's
		 * error: die as git does, also if SIGPIPE came in ignored. */
		rg_error_free(RG_TAKE(err));
		signal(SIGPIPE, SIG_DFL);
		raise(SIGPIPE);
		exit(128 + SIGPIPE); /* it is blocked */
	}
	int lost = command_fail(RG_TAKE(err), NULL);
	return code == EXIT_DONE || code == EXIT_GATE ? lost : code;
}

/* In any thread. What was begun stays as a kill would leave it. */
static void write_out_of_memory(void)
{
	static const char text[] = "regild: error: out of memory\n";
	ssize_t written = write(STDERR_FILENO, text, sizeof(text) - 1);

	(void)written;
	_exit(EXIT_FAILED);
}

int main(int argc, char **argv)
{
	bool changed = false;
	if (argc == 3 && !strcmp(argv[1], RG_CHILD_COMMAND))
		rg_binary_serve(argv[2]);
	rg_child_program(argv[0]);
#ifdef M_ARENA_MAX /* glibc: reports can use the memory that threads have freed */
	(void)mallopt(M_ARENA_MAX, 1);
#endif
	rg_on_out_of_memory(write_out_of_memory);
	cJSON_InitHooks(&(cJSON_Hooks){.malloc_fn = rg_malloc, .free_fn = free});
	if (!terminal_guard_descriptors() || !runner_guard_streams())
		return EXIT_FAILED; /* and no safe place to say so */
	signal(SIGPIPE, SIG_IGN);   /* nothing stays half done for it; see close_stdout */
	rg_cancel_install();
	int code = close_stdout(run_program(argc, argv, &changed));
	if (changed && code == EXIT_FAILED) /* what failed came after changes that stay */
		code = EXIT_PARTIAL;
	rg_cancel_reraise();
	return code;
}
