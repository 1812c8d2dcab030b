/* SPDX-License-Identifier: Apache-2.0 */
#include "commands.h"
#include "facts.h"
#include "terminal.h"

#include "flow/accept.h"

#include <stdio.h>

typedef struct {
	const char *variant, *json;
} accept_arguments;

#define OF accept_arguments
/* clang-format off */
static const option options[] = {
	OPTION("variant", "NAME", variant, "the variant's name, such as the machine (required)", .needed = true),
	JSON_OPTION(accept_arguments, json),
	{0},
};
/* clang-format on */

static rg_error *run(command_context *context, void *own)
{
	const accept_arguments *given = own;
	rg_accept_result result;

	if (!given->variant)
		return usage_error("missing option: --variant NAME");
	RG_TRY(check_output_file("--json", given->json));
	RG_TRY(rg_accept(&result, &context->flow, context->operands[0], given->variant));
	context->changed = true;
	command_miss(context, result.missed);
	const char *id = rg_arena_textf(context->flow.arena, "%llu", (unsigned long long)result.id);
	if (!is_stdout(given->json)) {
		terminal_printf(stdout, "%s: %s the golden's value, to be committed\n", result.file,
				result.replaced ? "now has" : "keeps");
		terminal_printf(stdout, "%s: reset to HEAD (undo both: regild undo %s)\n",
				context->operands[0], id);
	}
	rg_facts facts = facts_at_root(context);
	rg_facts_can(&facts, "undo both", "undo", id, NULL);
	return facts_finish(&facts, context, given->json, "regild-accept", &result);
}

const command command_accept = {
	.name = "accept",
	.summary = "keep a golden's new value as a variant beside the old one",
	.operands = "GOLDEN",
	.missing = "regild accept --variant NAME GOLDEN",
	.operands_max = 1,
	.description = "Keeps the golden's value in the working tree as a variant, in a file "
		       "beside the golden, and restores the golden to HEAD. A comparison uses "
		       "the nearest variant, and a refresh skips a golden if a variant has the "
		       "value.",
	.examples = "regild accept --variant b200 tests/functional_tests/test_cases/gpt/"
		    "gpt3_mcore_te_tp1_pp2/golden_values_dev_dgx_h100.json",
	.groups = OPTIONS(options),
	.arguments_size = sizeof(accept_arguments),
	.flags = COMMAND_NEEDS_WORKTREE,
	.run = run,
};
