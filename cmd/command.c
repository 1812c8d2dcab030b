/* SPDX-License-Identifier: Apache-2.0 */
#include "command.h"
#include "error_json.h"

#include "base/memory.h"
#include "terminal.h"
#include "base/counts.h"
#include "flow/undo.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What a command's context borrows. */
typedef struct {
	command_context context;
	rg_config *config;
	rg_error *no_worktree;
	rg_buf said; /* the command line */
	rg_arena arena;
} session;

static int exit_code_of(const rg_error *err)
{
	return rg_error_get_code(err) == RG_E_USAGE ? EXIT_USAGE : EXIT_FAILED;
}

int command_fail(rg_error *err, const command *cmd)
{
	int code = exit_code_of(err);
	bool usage = code == EXIT_USAGE;
	terminal_say("%s", rg_error_message(err));
	if (usage && cmd)
		fprintf(stderr, "See 'regild %s --help'.\n", cmd->name);
	rg_error_free(err);
	return code;
}

void command_miss(command_context *context, rg_error *err)
{
	if (!err)
		return;
	tell(context, RG_LOG_MISSING, "%s", rg_error_message(err));
	context->exit_code = EXIT_PARTIAL;
	rg_error_free(err);
}

static rg_error *check_operands(const command *cmd, const command_context *context)
{
	if (cmd->operands_max >= 0 && context->operand_count > cmd->operands_max)
		return usage_error("unexpected argument '%s'%s%s",
				   context->operands[cmd->operands_max], cmd->stray ? "; " : "",
				   cmd->stray ? cmd->stray : "");
	return context->operand_count < cmd->operands_min ? usage_error("%s", cmd->missing) : NULL;
}

/* One from the other, as git has it; an empty name changes nothing. */
static rg_error *change_folder(const rg_texts *dirs)
{
	for (size_t i = 0; i < dirs->count; i++)
		if (*dirs->items[i] && chdir(dirs->items[i]))
			return rg_error_io(errno, "-C: '%s'", dirs->items[i]);
	return NULL;
}

/* A command that works on no repository warns, too, of the one that it is called in. */
static rg_error *warn_pending(command_context *context, const command *cmd)
{
	bool borrowed = !(cmd->flags & (COMMAND_NEEDS_WORKTREE | COMMAND_MAY_USE_WORKTREE));
	rg_error *err = NULL;

	if (cmd->flags & COMMAND_HANDLES_PENDING)
		return NULL;
	if (borrowed)
		rg_error_free(rg_worktree_open(&context->flow.worktree, NULL));
	if (context->flow.worktree)
		err = rg_flow_warn_pending(&context->flow);
	if (borrowed) {
		rg_worktree_free(context->flow.worktree);
		context->flow.worktree = NULL;
	}
	return err;
}

static rg_error *open_session(session *s, const command *cmd)
{
	command_context *context = &s->context;
	const char *const *warning;

	context->flow.arena = &s->arena;
	RG_TRY(change_folder(&context->common->dirs));
	if (cmd->flags & (COMMAND_NEEDS_WORKTREE | COMMAND_MAY_USE_WORKTREE))
		context->flow.no_worktree = s->no_worktree =
			rg_worktree_open(&context->flow.worktree, NULL);
	if (cmd->flags & COMMAND_NEEDS_WORKTREE)
		RG_TRY(rg_flow_need_worktree(&context->flow));
	RG_TRY(warn_pending(context, cmd));
	if (cmd->flags & COMMAND_READS_NO_SETTINGS)
		return NULL;
	RG_TRY(rg_config_load(&s->config, context->flow.worktree));
	context->flow.config = s->config;
	for (warning = rg_config_warnings(s->config); *warning; warning++)
		tell(context, RG_LOG_WARNING, "%s", *warning);
	return NULL;
}

static void say_counts(const rg_log *log)
{
	unsigned long hashed = rg_count_of(RG_COUNT_HASHED), parsed = rg_count_of(RG_COUNT_PARSED);
	if (hashed || parsed)
		rg_log_say(log, RG_LOG_DEBUG, "goldens: %lu hashed, %lu parsed, %lu compared",
			   hashed, parsed, rg_count_of(RG_COUNT_COMPARED));
}

static void close_session(session *s)
{
	say_counts(&s->context.flow.log);
	rg_arena_release(&s->arena);
	rg_buf_release(&s->said);
	rg_error_free(s->no_worktree);
	rg_config_free(s->config);
	rg_worktree_free(s->context.flow.worktree);
}

static rg_error *run(const command *cmd, session *s, const option_set *sets, int argc, char **argv)
{
	command_context *context = &s->context;
	option_operands operands;

	rg_buf_printf(&s->said, "regild %s", cmd->name);
	RG_TRY(options_parse(sets, false, argc, argv, &operands, &s->said));
	context->operands = operands.items;
	context->operand_count = operands.count;
	context->operand_dashes = operands.dashes;
	context->operands_after_dashes = operands.after_dashes;
	RG_TRY(rg_buf_check(&s->said, "the command line"));
	context->command_line = s->said.data;
	if (context->common->help) {
		print_command_help(cmd, help_columns(stdout), stdout);
		return NULL;
	}
	RG_TRY(check_operands(cmd, context));
	terminal_log_init(&context->flow.log, context->common->quiet, context->common->verbose);
	context->style.color = terminal_use_color(context->common->color, stdout);
	context->style.width = terminal_columns(stdout);
	RG_TRY(open_session(s, cmd));
	if (cmd->flags & COMMAND_IS_BRIEF)
		terminal_limit(context->common->verbose);
	rg_error *err = cmd->run(context, sets->arguments);
	terminal_limit_end();
	return err;
}

static int run_found(const command *cmd, session *s, common_arguments *common, int argc,
		     char **argv)
{
	void *arguments = rg_calloc(1, cmd->arguments_size + 1);
	const option_set sets[] = {{cmd->groups, arguments}, {common_group, common}, {0}};

	rg_buf_init(&s->said, RG_BUF_TEXT);
	char **typed = rg_calloc((size_t)argc + 1, sizeof(*typed)); /* the parser reorders them */
	memcpy(typed, argv, (size_t)argc * sizeof(*typed));
	rg_error *err = run(cmd, s, sets, argc, argv);
	if (err)
		error_tell_json(err, s->said.data, cmd->name, exit_code_of(err), argc, typed);
	int code = err ? command_fail(err, cmd) : s->context.exit_code;
	free(typed);
	options_release(sets);
	free(arguments);
	return code;
}

/* A command, then a part of it where a word names one. */
static rg_error *find(const command **cmd, const command *of, int *argc, char ***argv)
{
	RG_TRY(command_find(cmd, of, **argv));
	while ((*cmd)->parts && *argc > 1 && (*argv)[1][0] != '-') {
		--*argc;
		RG_TRY(command_find(cmd, *cmd, *++*argv));
	}
	return NULL;
}

int command_run(const command *of, common_arguments *common, int argc, char **argv, bool *changed)
{
	session s = {.context = {.common = common, .program = of}};
	const command *cmd = NULL;
	rg_error *err = find(&cmd, of, &argc, &argv);

	if (err)
		error_tell_json(err, "regild", NULL, exit_code_of(err), argc, argv);
	int code = err ? command_fail(err, cmd) : run_found(cmd, &s, common, argc, argv);
	*changed = s.context.changed;
	if (!err)
		close_session(&s);
	return code;
}
