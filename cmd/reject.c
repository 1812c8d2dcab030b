/* SPDX-License-Identifier: Apache-2.0 */
#include "commands.h"
#include "facts.h"
#include "terminal.h"
#include "update.h"

#include "flow/reject.h"

#include <stdio.h>

typedef struct {
	const char *because, *json;
} reject_arguments;

#define OF reject_arguments
/* clang-format off */
static const option options[] = {
	OPTION("because", "TEXT", because, "the reason, in one line (required)", .needed = true),
	JSON_OPTION(reject_arguments, json),
	{0},
};
/* clang-format on */

static rg_error *run(command_context *context, void *own)
{
	const reject_arguments *given = own;
	rg_reject_result result;

	if (!given->because)
		return usage_error("missing option: --because TEXT");
	RG_TRY(check_output_file("--json", given->json));
	rg_error *err = rg_reject(&result, &context->flow, context->operands[0], given->because);
	context->changed = result.written;
	RG_TRY(err);
	if (!is_stdout(given->json))
		terminal_printf(stdout, "%s: %.10s %s\n", result.golden, result.sha256,
				result.already ? "was rejected before"
					       : "is in .regild-rejected, to be committed");
	rg_facts facts = facts_at_root(context);
	rg_facts_can(&facts, "reset the golden to HEAD", "reset", "--yes",
		     update_glob_of(&facts.arena, result.golden), NULL);
	return facts_finish(&facts, context, given->json, "regild-reject", &result);
}

const command command_reject = {
	.name = "reject",
	.summary = "keep these values of a golden out of future refreshes",
	.operands = "GOLDEN",
	.missing = "regild reject GOLDEN --because TEXT",
	.operands_max = 1,
	.description =
		"Records the digest of the golden in the working tree, with the reason, in "
		".regild-rejected at the repository's root. A refresh holds these bytes back and "
		"gives the reason. The option --allow rejected takes them.",
	.examples = "regild reject tests/functional_tests/test_cases/gpt/gpt3_mcore_te_tp1_pp2/"
		    "golden_values_dev_dgx_h100.json --because 'measured on a broken node'",
	.groups = OPTIONS(options),
	.arguments_size = sizeof(reject_arguments),
	.flags = COMMAND_NEEDS_WORKTREE,
	.run = run,
};
