/* SPDX-License-Identifier: Apache-2.0 */
#include "commands.h"
#include "facts.h"
#include "terminal.h"

#include "flow/undo.h"
#include "update/reset.h"

#include <stdlib.h>

typedef struct {
	bool yes, dry_run;
	const char *json;
} reset_arguments;

#define OF reset_arguments
/* clang-format off */
static const option options[] = {
	OPTION("yes", NULL, yes, "do not ask", .letter = 'y'),
	OPTION("dry-run", NULL, dry_run, "list what would be done and stop", .letter = 'n'),
	JSON_OPTION(reset_arguments, json),
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
			"missing option: --yes, to discard the changes in %zu golden%s without a "
			"terminal to ask on",
			count, rg_plural(count));
	fflush(stdout);
	if (count == 1)
		snprintf(question, sizeof(question), "Reset this golden to HEAD?");
	else
		snprintf(question, sizeof(question), "Reset these %zu goldens to HEAD?", count);
	return terminal_confirm(question, yes);
}

static rg_error *apply(command_context *context, rg_reset *reset, rg_journal *journal, bool shown,
		       uint64_t *id)
{
	RG_AUTO(rg_record) done;
	rg_record_init(&done);
	RG_TRY(rg_reset_apply(reset, journal, &done));
	context->changed = true;
	command_miss(context, rg_reset_index(context->flow.worktree, &done));
	*id = done.id;
	if (shown)
		printf("%zu golden%s reset to HEAD (undo: regild undo %llu)\n", done.count,
		       done.count == 1 ? " is" : "s are", (unsigned long long)done.id);
	if (reset->left_alone)
		context->exit_code = EXIT_PARTIAL;
	return NULL;
}

static rg_error *reset_goldens(command_context *context, const reset_arguments *given,
			       rg_journal *journal, rg_reset *reset, uint64_t *id)
{
	rg_reset_options wanted = {.root = rg_config_get(context->flow.config, "regild.root"),
				   .files = rg_config_goldens(context->flow.config),
				   .target = rg_config_get(context->flow.config, "jobs.target"),
				   .names = rg_config_get(context->flow.config, "names.test"),
				   .pattern = context->operand_count ? context->operands[0] : NULL};
	bool yes, shown = !is_stdout(given->json);

	RG_TRY(rg_reset_plan(reset, context->flow.worktree, journal, &wanted));
	for (size_t i = 0; i < reset->count && shown; i++)
		print_item(&reset->items[i]);
	if (reset->count == reset->left_alone) {
		if (shown)
			puts("nothing to reset");
		context->exit_code = reset->left_alone ? EXIT_PARTIAL : EXIT_DONE;
		return NULL;
	}
	if (given->dry_run)
		return NULL;
	RG_TRY(confirm(given, reset->count - reset->left_alone, &yes));
	if (!yes) {
		if (shown)
			puts("nothing was changed");
		return NULL;
	}
	return apply(context, reset, journal, shown, id);
}

static void journal_close_at(rg_journal **journal)
{
	rg_journal_close(*journal);
}

static rg_error *run_reset(command_context *context, void *arguments)
{
	const reset_arguments *given = arguments;
	__attribute__((cleanup(journal_close_at))) rg_journal *journal = NULL;
	RG_AUTO(rg_reset) reset = {0};
	rg_reset_facts said;
	uint64_t id = 0;

	RG_TRY(check_output_file("--json", given->json));
	RG_TRY(rg_flow_open_journal(&journal, &context->flow, !given->dry_run));
	RG_TRY(reset_goldens(context, given, journal, &reset, &id));
	rg_reset_facts_of(&said, &reset, id);
	rg_facts facts = facts_of(context);
	if (id)
		rg_facts_can(&facts, "undo the reset", "undo",
			     rg_arena_textf(&facts.arena, "%llu", (unsigned long long)id), NULL);
	else if (reset.count > reset.left_alone)
		rg_facts_can(&facts, "reset these goldens", "reset", "--yes",
			     context->operand_count ? context->operands[0] : NULL, NULL);
	rg_error *err = facts_finish(&facts, context, given->json, "regild-reset", &said);
	free(said.items);
	return err;
}

const command command_reset = {
	.name = "reset",
	.summary = "restore goldens to HEAD",
	.operands = "[PATTERN]",
	.operands_max = 1,
	.description = "Restores the goldens below regild.root to HEAD and removes untracked "
		       "ones, after listing them and asking. PATTERN selects tests or files. "
		       "'regild undo' puts everything back.",
	.examples = "regild reset --dry-run\n"
		    "regild reset --yes",
	.groups = OPTIONS(options),
	.arguments_size = sizeof(reset_arguments),
	.flags = COMMAND_NEEDS_WORKTREE | COMMAND_HANDLES_PENDING,
	.run = run_reset,
};
