/* SPDX-License-Identifier: Apache-2.0 */
#include "commands.h"
#include "facts.h"
#include "terminal.h"

#include "flow/blame.h"
#include "worktree/revisions.h"

#include <stdio.h>

typedef struct {
	const char *json;
} blame_arguments;

static const option options[] = {JSON_OPTION(blame_arguments, json), {0}};

static void print_fact(const char *name, const char *value)
{
	if (value)
		terminal_printf(stdout, "%-9s%s\n", name, value);
}

/* "0123456789 2026-04-02 (Refresh 3 goldens)" */
static void print_commit(const rg_blame_commit *commit)
{
	terminal_printf(stdout, "%.10s %.10s (%s)", commit->id, commit->when, commit->subject);
}

static void print_blame(const rg_worktree *worktree, const rg_blame *blame)
{
	terminal_printf(stdout, "%s\n", blame->path);
	print_fact("run", blame->run);
	print_fact("attempt", blame->attempt);
	print_fact("commit", blame->commit);
	print_fact("scope", blame->scope);
	if (blame->run) {
		fputs("in git   ", stdout);
		print_commit(&blame->named);
		putchar('\n');
	}
	if (blame->unnamed) {
		const size_t others = blame->unnamed - 1;
		fputs(blame->run ? "changed since by " : "changed by ", stdout);
		print_commit(&blame->newest);
		if (blame->run)
			fputs(", which names no run", stdout);
		if (others)
			printf(", and by %zu commit%s before it", others, rg_plural(others));
		putchar('\n');
	}
	if (blame->uncommitted)
		puts("changed in the working tree, not committed");
	if (blame->cut)
		puts(rg_worktree_history_ends(worktree));
	else if (!blame->run)
		puts("no commit names a run");
}

static rg_error *run(command_context *context, void *own)
{
	const blame_arguments *arguments = own;
	RG_AUTO(rg_blame) blame = {0};

	RG_TRY(rg_blame_golden(&blame, &context->flow, context->operands[0]));
	if (!is_stdout(arguments->json))
		print_blame(context->flow.worktree, &blame);
	rg_facts facts = facts_at_root(context);
	if (blame.run)
		rg_facts_can(&facts, "compare the golden with the run", "compare", "HEAD",
			     rg_arena_textf(&facts.arena, "run:%s", blame.run), "--", blame.path,
			     NULL);
	return facts_finish(&facts, context, arguments->json, "regild-blame", &blame);
}

const command command_blame = {
	.name = "blame",
	.summary = "find the run that a golden's values came from",
	.operands = "GOLDEN",
	.operands_max = 1,
	.description =
		"Finds the newest commit that changed the golden and names a run. Messages that "
		"'regild refresh' and 'regild update' write with --message have the run's URL.",
	.examples = "regild blame "
		    "tests/functional_tests/test_cases/gpt/gpt3_mcore_te_tp1_pp2/"
		    "golden_values_dev_dgx_h100.json",
	.groups = OPTIONS(options),
	.arguments_size = sizeof(blame_arguments),
	.flags = COMMAND_NEEDS_WORKTREE,
	.run = run,
};
