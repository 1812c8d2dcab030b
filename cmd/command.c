/* SPDX-License-Identifier: Apache-2.0 */
#include "command.h"
#include "error_json.h"

#include "base/memory.h"
#include "terminal.h"
#include "base/counts.h"
#include "flow/undo.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

/* A command's context, and the things that it borrows. */
typedef struct {
	command_context context;
	rg_config *config;
	rg_error *no_worktree;
	rg_buf said; /* the command line */
	rg_arena arena;
} session;

static void session_release(session *s)
{
	rg_arena_release(&s->arena);
	rg_buf_release(&s->said);
	rg_error_free(s->no_worktree);
	rg_config_free(s->config);
	rg_worktree_free(s->context.flow.worktree);
}

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

/* A command that works on no repository also warns of the one that it is called in. */
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
	if (borrowed)
		rg_worktree_free(RG_TAKE(context->flow.worktree));
	return err;
}

static rg_error *open_session(session *s, const command *cmd)
{
	command_context *context = &s->context;
	const rg_texts *dirs = &context->common->dirs;

	context->flow.arena = &s->arena;
	/* One from the other, as git has it; an empty name changes nothing. */
	for (size_t i = 0; i < dirs->count; i++)
		if (*dirs->items[i] && chdir(dirs->items[i]))
			return rg_error_io(errno, "-C: '%s'", dirs->items[i]);
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
	for (const char *const *warning = rg_config_warnings(s->config); *warning; warning++)
		tell(context, RG_LOG_WARNING, "%s", *warning);
	return NULL;
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
	if (cmd->operands_max >= 0 && operands.count > cmd->operands_max)
		return usage_error("unexpected argument '%s'%s%s",
				   operands.items[cmd->operands_max], cmd->stray ? "; " : "",
				   cmd->stray ? cmd->stray : "");
	if (!operands.count && cmd->operands && isupper((unsigned char)*cmd->operands)) {
		RG_AUTO_FREE char *call = rg_textf("regild %s %s", cmd->name, cmd->operands);
		return usage_error("missing %.*s: %s", (int)strcspn(cmd->operands, " ."),
				   cmd->operands, cmd->missing ? cmd->missing : call);
	}
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
	RG_AUTO_FREE void *arguments = rg_calloc(1, cmd->arguments_size + 1);
	const option_set sets[] = {{cmd->groups, arguments}, {common_group, common}, {0}};
	const rg_log *log = &s->context.flow.log;

	s->said = rg_buf_of(RG_BUF_TEXT);
	/* The parser reorders the words. */
	RG_AUTO_FREE char **typed = rg_calloc((size_t)argc + 1, sizeof(*typed));
	memcpy(typed, argv, (size_t)argc * sizeof(*typed));
	rg_error *err = run(cmd, s, sets, argc, argv);
	if (err)
		error_tell_json(err, s->said.data, cmd->name, exit_code_of(err), argc, typed);
	int code = err ? command_fail(err, cmd) : s->context.exit_code;
	options_release(sets);
	unsigned long hashed = rg_count_of(RG_COUNT_HASHED), parsed = rg_count_of(RG_COUNT_PARSED);
	if (hashed || parsed)
		rg_log_say(log, RG_LOG_DEBUG, "goldens: %lu hashed, %lu parsed, %lu compared",
			   hashed, parsed, rg_count_of(RG_COUNT_COMPARED));
	return code;
}

int command_run(const command *of, common_arguments *common, int argc, char **argv, bool *changed)
{
	RG_AUTO(session) s = {.context = {.common = common, .program = of}};
	const command *cmd = NULL;

	/* A command, then a part of it if a word names one. */
	rg_error *err = command_find(&cmd, of, *argv);
	while (!err && cmd->parts && argc > 1 && argv[1][0] != '-') {
		argc--;
		err = command_find(&cmd, cmd, *++argv);
	}
	if (err)
		error_tell_json(err, "regild", NULL, exit_code_of(err), argc, argv);
	int code = err ? command_fail(err, cmd) : run_found(cmd, &s, common, argc, argv);
	*changed = s.context.changed;
	return code;
}

void options_append_operands(rg_texts *values, const command_context *context)
{
	for (int i = 0; i < context->operand_count; i++)
		*RG_PUSH(values->items, values->count, values->capacity) = context->operands[i];
}
