/* SPDX-License-Identifier: Apache-2.0 */
#include "commands.h"
#include "terminal.h"
#include "flow/undo.h"
#include "update/reset.h"

#include <string.h>

typedef struct {
	bool yes, dry_run;
} reset_arguments;

#define OF reset_arguments
/* clang-format off */
static const option options[] = {
	OPTION("yes", NULL, yes, "do not ask", .letter = 'y'),
	OPTION("dry-run", NULL, dry_run, "list what would be done and stop", .letter = 'n'),
	{0},
};
/* clang-format on */
static void print_item(const rg_reset_item *item)
{
	terminal_printf(stdout, "%-10s %s%s%s\n",
			item->why               ? "left alone"
			: item->new_side.exists ? "restore"
						: "remove",
			item->path, item->why ? ": " : "", item->why ? item->why : "");
}

/* Asks where there is a terminal; elsewhere --yes is the answer. */
static rg_error *confirm(const reset_arguments *given, size_t count, bool *yes)
{
	char question[128];
	*yes = given->yes;
	if (given->yes)
		return NULL;
	if (!terminal_is_interactive())
		return usage_error(
			"this discards what is in %zu golden%s; say --yes where there is "
			"no terminal to ask on",
			count, count == 1 ? "" : "s");
	fflush(stdout);
	if (count == 1)
		snprintf(question, sizeof(question), "Reset this golden to HEAD?");
	else
		snprintf(question, sizeof(question), "Reset these %zu goldens to HEAD?", count);
	return terminal_confirm(question, yes);
}

static rg_error *apply(command_context *context, rg_reset *reset, rg_journal *journal)
{
	rg_record done;
	rg_record_init(&done);
	rg_error *err = rg_reset_apply(reset, journal, &done);
	if (!err) {
		context->changed = true;
		command_miss(context, rg_reset_index(context->flow.worktree, &done));
		printf("%zu golden%s as in HEAD; 'regild undo %llu' takes that back\n", done.count,
		       done.count == 1 ? " is" : "s are", (unsigned long long)done.id);
		if (reset->left_alone)
			context->exit_code = EXIT_PARTIAL;
	}
	rg_record_release(&done);
	return err;
}

static rg_error *reset_goldens(command_context *context, const reset_arguments *given,
			       rg_journal *journal, rg_reset *reset)
{
	rg_reset_options wanted = {.root = rg_config_get(context->flow.config, "regild.root"),
				   .files = rg_config_goldens(context->flow.config),
				   .target = rg_config_get(context->flow.config, "jobs.target"),
				   .names = rg_config_get(context->flow.config, "names.test"),
				   .pattern = context->operand_count ? context->operands[0] : NULL};
	bool yes;

	RG_TRY(rg_reset_plan(reset, context->flow.worktree, journal, &wanted));
	for (size_t i = 0; i < reset->count; i++)
		print_item(&reset->items[i]);
	if (reset->count == reset->left_alone) {
		puts("nothing to reset");
		context->exit_code = reset->left_alone ? EXIT_PARTIAL : EXIT_DONE;
		return NULL;
	}
	if (given->dry_run)
		return NULL;
	RG_TRY(confirm(given, reset->count - reset->left_alone, &yes));
	if (!yes) {
		puts("nothing is changed");
		return NULL;
	}
	return apply(context, reset, journal);
}

static rg_error *run_reset(command_context *context, void *arguments)
{
	const reset_arguments *given = arguments;
	rg_reset reset = {0};
	rg_journal *journal;

	RG_TRY(rg_flow_open_journal(&journal, &context->flow, !given->dry_run));
	rg_error *err = reset_goldens(context, given, journal, &reset);
	rg_reset_release(&reset);
	rg_journal_close(journal);
	return err;
}

const command command_reset = {
	.name = "reset",
	.summary = "bring goldens back to HEAD",
	.operands = "[PATTERN]",
	.operands_max = 1,
	.description = "Brings the goldens under regild.root back to HEAD and removes untracked "
		       "ones, after\n"
		       "listing them and asking. PATTERN names tests or files. 'regild undo' takes "
		       "it back.",
	.examples = "regild reset --dry-run\n"
		    "regild reset --yes",
	.groups = OPTIONS(options),
	.arguments_size = sizeof(reset_arguments),
	.flags = COMMAND_NEEDS_WORKTREE | COMMAND_HANDLES_PENDING,
	.run = run_reset,
};
