#include "commands.h"
#include "terminal.h"
#include "update.h"

#include "base/buf.h"
#include "base/cancel.h"
#include "base/file.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int exit_code_of(const rg_error *err)
{
	return rg_error_get_code(err) == RG_E_USAGE ? EXIT_USAGE : EXIT_FAILED;
}

/* Says what went wrong, frees the error and returns the exit code. */
static int fail(rg_error *err, const command *cmd)
{
	int code = exit_code_of(err);

	terminal_say("%s", rg_error_message(err));
	if (code == EXIT_USAGE && cmd)
		fprintf(stderr, "See 'regild %s --help'.\n", cmd->name);
	rg_error_free(err);
	return code;
}

static rg_error *check_operands(const command *cmd, const environment *env)
{
	if (cmd->operands_max >= 0 && env->operand_count > cmd->operands_max)
		return usage_error("unexpected argument '%s'%s%s", env->operands[cmd->operands_max],
				   cmd->stray ? "; " : "", cmd->stray ? cmd->stray : "");
	return NULL;
}

rg_error *environment_need_worktree(environment *env)
{
	rg_error *err = env->no_worktree;

	env->no_worktree = NULL;
	return err ? err : rg_worktree_require_commit(env->worktree);
}

rg_error *environment_setting_path(const environment *env, const char *setting, char **out)
{
	const char *path = rg_config_get(env->config, setting);

	*out = NULL;
	if (!path || !*path)
		return NULL;
	return *path == '/' || !env->worktree
		       ? rg_strdup(out, path)
		       : rg_path_join(out, rg_worktree_root(env->worktree), path);
}

/* A command that works on no repository says it all the same of the one that it is called in. */
static rg_error *warn_pending(environment *env, const command *cmd)
{
	bool borrowed = !(cmd->flags & (COMMAND_NEEDS_WORKTREE | COMMAND_MAY_USE_WORKTREE));
	rg_error *err = NULL;

	if (cmd->flags & COMMAND_HANDLES_PENDING)
		return NULL;
	if (borrowed)
		rg_error_free(rg_worktree_open(&env->worktree, NULL));
	if (env->worktree)
		err = update_warn_pending(env);
	if (borrowed) {
		rg_worktree_free(env->worktree);
		env->worktree = NULL;
	}
	return err;
}

/* How many bytes of the root, a path in the worktree, name another repository; 0 where none is. */
static size_t inner_repository(const char *worktree, const char *root)
{
	char path[PATH_MAX];
	struct stat st;
	size_t i;

	for (i = 1; i <= strlen(root); i++) {
		int length;

		if (root[i] && root[i] != '/')
			continue;
		length = snprintf(path, sizeof(path), "%s%.*s/.git", worktree, (int)i, root);
		if (length > 0 && (size_t)length < sizeof(path) && !lstat(path, &st))
			return i;
	}
	return 0;
}

rg_error *environment_warn_root(const environment *env, bool found)
{
	const char *top = rg_worktree_root(env->worktree);
	const char *root = rg_config_get(env->config, "regild.root");
	size_t inner = inner_repository(top, root);
	struct stat st;
	char *path;

	if (inner)
		rg_log_say(&env->log, RG_LOG_WARNING,
			   "'%s' is in another repository, and its files are none of this one's; "
			   "work there, with -C '%.*s'",
			   root, (int)inner, root);
	if (inner || found)
		return NULL;
	RG_TRY(rg_path_join(&path, top, root));
	if (stat(path, &st) && (errno == ENOENT || errno == ENOTDIR))
		rg_log_say(&env->log, RG_LOG_WARNING,
			   rg_worktree_tracks(env->worktree, root)
				   ? "'%s' is in the index alone; where a sparse checkout leaves "
				     "it out, 'git sparse-checkout add' takes it in"
				   : "there is no '%s' here; set regild.root, or let 'regild init' "
				     "look for goldens",
			   root);
	free(path);
	return NULL;
}

/* One from the other, as git has it; an empty name changes nothing. */
static rg_error *change_folder(const option_texts *dirs)
{
	size_t i;

	for (i = 0; i < dirs->count; i++)
		if (*dirs->items[i] && chdir(dirs->items[i]))
			return rg_error_io(errno, "-C: '%s'", dirs->items[i]);
	return NULL;
}

static rg_error *open_environment(environment *env, const command *cmd)
{
	const char *const *warning;

	RG_TRY(change_folder(&env->common->dirs));
	if (cmd->flags & (COMMAND_NEEDS_WORKTREE | COMMAND_MAY_USE_WORKTREE))
		env->no_worktree = rg_worktree_open(&env->worktree, NULL);
	if (cmd->flags & COMMAND_NEEDS_WORKTREE)
		RG_TRY(environment_need_worktree(env));
	RG_TRY(warn_pending(env, cmd));
	if (cmd->flags & COMMAND_READS_NO_SETTINGS)
		return NULL;
	RG_TRY(rg_config_load(&env->config, env->worktree));
	for (warning = rg_config_warnings(env->config); *warning; warning++)
		rg_log_say(&env->log, RG_LOG_WARNING, "%s", *warning);
	return NULL;
}

static rg_error *run(const command *cmd, environment *env, const option_set *sets, int argc,
		     char **argv)
{
	RG_TRY(options_parse(sets, false, argc, argv, &env->operands, &env->operand_count));
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

/* Made before parsing, which reorders argv. */
static void join_command_line(rg_buf *line, int argc, char **argv)
{
	int i;

	rg_buf_init(line, RG_BUF_TEXT);
	rg_buf_str(line, "regild");
	for (i = 1; i < argc; i++) {
		rg_buf_char(line, ' ');
		quote(line, argv[i]);
	}
}

static int run_command(const command *cmd, common_arguments *common, const char *command_line,
		       int argc, char **argv, bool *changed)
{
	void *arguments = calloc(1, cmd->arguments_size + 1);
	environment env = {.common = common, .command_line = command_line, .listing = stdout};
	const option_set sets[] = {{cmd->groups, arguments}, {common_group, common}, {0}};
	rg_error *err = arguments ? run(cmd, &env, sets, argc, argv) : rg_error_nomem();
	int code = err ? fail(err, cmd) : env.exit_code;

	if (arguments)
		options_release(sets);
	free(arguments);
	*changed = env.changed;
	rg_error_free(env.no_worktree);
	rg_config_free(env.config);
	rg_worktree_free(env.worktree);
	return code;
}

typedef struct {
	common_arguments common;
	bool version;
} program_arguments;

static const option version_options[] = {
	{0, "version", NULL, OPTION_FLAG, offsetof(program_arguments, version), "show the version",
	 NULL, 0, 0},
	{0},
};

static const option_group version_group[] = {{"Options", version_options, 0}, {0}};

static int run_parsed(program_arguments *program, const char *command_line, int count,
		      char **operands, bool *changed)
{
	const command *cmd;
	rg_error *err;

	if (program->version) {
		printf("regild %s\n", REGILD_VERSION);
		return EXIT_DONE;
	}
	if (program->common.help && (!count || operands[0][0] == '-')) {
		print_program_help(stdout);
		return EXIT_DONE;
	}
	if (!count) {
		print_program_help(stderr);
		return EXIT_USAGE;
	}
	err = command_find(&cmd, operands[0]);
	if (err)
		return fail(err, NULL);
	if (program->common.help) { /* regild --help COMMAND, as with git */
		print_command_help(cmd, stdout);
		return EXIT_DONE;
	}
	return run_command(cmd, &program->common, command_line, count, operands, changed);
}

/* What stands in front of the command (regild -C DIR compare), and the command itself. */
static int run_program(const char *command_line, int argc, char **argv, bool *changed)
{
	program_arguments program = {0};
	const option_set sets[] = {{common_group, &program.common}, {version_group, &program}, {0}};
	char **operands;
	int count, code;
	rg_error *err;

	err = options_parse(sets, true, argc, argv, &operands, &count);
	code = err ? fail(err, NULL) : run_parsed(&program, command_line, count, operands, changed);
	options_release(sets);
	return code;
}

int main(int argc, char **argv)
{
	bool changed = false;
	rg_error *err;
	rg_buf line;
	int code;

	if (!terminal_guard_descriptors())
		return EXIT_FAILED; /* and no safe place to say so */
	signal(SIGPIPE, SIG_IGN);   /* a closed pipe is a write error, said once at the end */
	rg_cancel_install();
	join_command_line(&line, argc, argv);
	err = rg_buf_check(&line, "the command line");
	code = err ? fail(err, NULL) : run_program(line.data, argc, argv, &changed);
	rg_buf_release(&line);
	err = terminal_close_stdout();
	if (err) {
		int lost = fail(err, NULL);

		/* What a gate has found is lost with it. */
		code = code == EXIT_DONE || code == EXIT_GATE ? lost : code;
	}
	/* What failed came behind changes that stay. */
	if (changed && code == EXIT_FAILED)
		code = EXIT_PARTIAL;
	rg_cancel_reraise();
	return code;
}
