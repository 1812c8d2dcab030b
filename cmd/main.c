#include "commands.h"
#include "terminal.h"
#include "update.h"

#include "base/buf.h"
#include "base/cancel.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int exit_code_of(const rg_error *err)
{
	return rg_error_get_code(err) == RG_E_USAGE ? EXIT_USAGE : EXIT_FAILED;
}

/* Says what went wrong, frees the error and returns the exit code. */
static int fail(rg_error *err, const command *cmd)
{
	int code = exit_code_of(err);

	fputs("regild: ", stderr);
	terminal_print_safe(stderr, rg_error_message(err));
	fputc('\n', stderr);
	if (code == EXIT_USAGE && cmd)
		fprintf(stderr, "See 'regild %s --help'.\n", cmd->name);
	rg_error_free(err);
	return code;
}

static rg_error *check_operands(const command *cmd, const environment *env)
{
	if (cmd->operands_max >= 0 && env->operand_count > cmd->operands_max)
		return usage_error("unexpected argument '%s'", env->operands[cmd->operands_max]);
	return NULL;
}

rg_error *environment_need_worktree(environment *env)
{
	rg_error *err = env->no_worktree;

	env->no_worktree = NULL;
	return err ? err : rg_worktree_require_commit(env->worktree);
}

static rg_error *open_environment(environment *env, const command *cmd)
{
	const char *const *warning;

	if (env->common->dir && chdir(env->common->dir))
		return rg_error_io(errno, "-C: '%s'", env->common->dir);
	if (cmd->flags & (COMMAND_NEEDS_WORKTREE | COMMAND_MAY_USE_WORKTREE))
		env->no_worktree = rg_worktree_open(&env->worktree, NULL);
	if (cmd->flags & COMMAND_NEEDS_WORKTREE)
		RG_TRY(environment_need_worktree(env));
	RG_TRY(rg_config_load(&env->config, env->worktree));
	if (env->worktree && !(cmd->flags & COMMAND_HANDLES_PENDING))
		RG_TRY(update_warn_pending(env));
	for (warning = rg_config_warnings(env->config); *warning; warning++)
		rg_log_say(&env->log, RG_LOG_WARNING, "%s", *warning);
	return NULL;
}

static rg_error *run(const command *cmd, environment *env, const option_set *sets, int argc,
		     char **argv)
{
	RG_TRY(options_parse(sets, argc, argv, &env->operands, &env->operand_count));
	if (env->common->help) {
		print_command_help(cmd, stdout);
		return NULL;
	}
	RG_TRY(check_operands(cmd, env));
	terminal_log_init(&env->log, env->common);
	env->color = terminal_use_color(env->common->color, stdout);
	RG_TRY(open_environment(env, cmd));
	return cmd->run(env, sets->arguments);
}

/* One argument, in single quotes where a shell would read more into it than its letters. */
static void quote(rg_buf *line, const char *argument)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789-_./:=,@%+";
	const char *p;

	if (*argument && !argument[strspn(argument, plain)]) {
		rg_buf_str(line, argument);
		return;
	}
	rg_buf_char(line, '\'');
	for (p = argument; *p; p++)
		if (*p == '\'')
			rg_buf_str(line, "'\\''");
		else
			rg_buf_char(line, *p);
	rg_buf_char(line, '\'');
}

/* argv[0] is the command's name. Made before parsing, which reorders argv. */
static void join_command_line(rg_buf *line, int argc, char **argv)
{
	int i;

	rg_buf_init(line, RG_BUF_TEXT);
	rg_buf_str(line, "regild");
	for (i = 0; i < argc; i++) {
		rg_buf_char(line, ' ');
		quote(line, argv[i]);
	}
}

static int run_command(const command *cmd, int argc, char **argv)
{
	void *arguments = calloc(1, cmd->arguments_size + 1);
	common_arguments common = {0};
	environment env = {.common = &common};
	const option_set sets[] = {{cmd->groups, arguments}, {common_group, &common}, {0}};
	rg_error *err = arguments ? NULL : rg_error_nomem();
	rg_buf line;
	int code;

	join_command_line(&line, argc, argv);
	err = rg_error_first(err, rg_buf_check(&line, "the command line"));
	env.command_line = line.data;
	if (!err)
		err = run(cmd, &env, sets, argc, argv);
	code = err ? fail(err, cmd) : env.exit_code;
	rg_buf_release(&line);

	if (arguments)
		options_release(sets);
	free(arguments);
	rg_error_free(env.no_worktree);
	rg_config_free(env.config);
	rg_worktree_free(env.worktree);
	return code;
}

int main(int argc, char **argv)
{
	const command *cmd = NULL;
	rg_error *err;
	int code = EXIT_DONE;

	signal(SIGPIPE, SIG_IGN); /* a closed pipe is a write error, said once at the end */
	rg_cancel_install();
	if (argc < 2) {
		print_program_help(stderr);
		return EXIT_USAGE;
	}
	if (!strcmp(argv[1], "--version"))
		printf("regild %s\n", REGILD_VERSION);
	else if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))
		print_program_help(stdout);
	else if ((cmd = command_find(argv[1])) != NULL)
		code = run_command(cmd, argc - 1, argv + 1);
	else
		code = fail(usage_error("'%s' is not a command; 'regild help' lists them", argv[1]),
			    NULL);
	err = terminal_close_stdout();
	if (err) {
		int lost = fail(err, NULL);

		code = code == EXIT_DONE ? lost : code;
	}
	rg_cancel_reraise();
	return code;
}
