/* SPDX-License-Identifier: Apache-2.0 */
#include "artifact_print.h"
#include "commands.h"
#include "terminal.h"

static const option_group groups[] = {{0}};

static void print_verified(const rg_artifact_check *check, const char *zip, bool whole)
{
	terminal_print_safe(stdout, zip);
	printf(": %s: ", whole ? "whole" : "not whole");
	artifact_print_counts(check, stdout);
	if (check->strays)
		printf(", %zu other file%s", check->strays, check->strays == 1 ? "" : "s");
	putchar('\n');
}

static rg_error *run(command_context *context, void *arguments)
{
	rg_artifact_result result;
	(void)arguments;
	if (context->operand_count != 1)
		return usage_error("which zip? 'regild verify ZIP'");
	rg_error *err = rg_artifact_verify(&result, &context->flow, context->operands[0]);
	artifact_say_trouble(&result);
	if (!err) {
		bool whole = !result.check.problem_count && !result.source.files.refused_count;
		if (!whole)
			context->exit_code = EXIT_GATE;
		if (!context->common->quiet)
			print_verified(&result.check, context->operands[0], whole);
	}
	rg_artifact_result_release(&result);
	return err;
}

const command command_verify = {
	.name = "verify",
	.summary = "check that a zip of ExecuTorch goldens is whole",
	.operands = "ZIP",
	.operands_max = 1,
	.flags = COMMAND_MAY_USE_WORKTREE,
	.description = "Every checksum must be right, every program must have its inputs and "
		       "expected outputs\nin the size that it says, and every tensor its program. "
		       "Exit code 1 where not.",
	.examples = "regild verify golden_artifacts_26112103.zip",
	.groups = groups,
	.run = run,
};
