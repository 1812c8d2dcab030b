#include "artifact_source.h"
#include "commands.h"
#include "terminal.h"

static const option_group groups[] = {{0}};

static rg_error *run(environment *env, void *arguments)
{
	rg_artifact_check check = {0};
	artifact_source source;
	rg_error *err;

	(void)arguments;
	if (env->operand_count != 1)
		return usage_error("which zip? 'regild verify ZIP'");
	err = artifact_open_zip(&source, env->operands[0]);
	if (!err)
		err = artifact_check(&source, &check);
	if (!err) {
		bool whole = !check.problem_count && !source.refused;

		if (!whole)
			env->exit_code = EXIT_GATE;
		if (!env->common->quiet) {
			terminal_print_safe(stdout, env->operands[0]);
			printf(": %s: ", whole ? "whole" : "not whole");
			artifact_print_counts(&check, stdout);
			if (check.strays)
				printf(", %zu other file%s", check.strays,
				       check.strays == 1 ? "" : "s");
			putchar('\n');
		}
	}
	rg_artifact_check_release(&check);
	artifact_release(&source);
	return err;
}

const command command_verify = {
	.name = "verify",
	.summary = "check that a zip of ExecuTorch goldens is whole",
	.operands = "ZIP",
	.operands_max = 1,
	.description = "Every checksum must be right, every program must have its inputs and "
		       "expected outputs\nin the size that it says, and every tensor its program. "
		       "Exit code 1 where not.",
	.groups = groups,
	.run = run,
};
