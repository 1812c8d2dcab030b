/* SPDX-License-Identifier: Apache-2.0 */
#include "commands.h"
#include "facts.h"
#include "terminal.h"
#include "update.h"

#define OF update_arguments
/* clang-format off */
static const option options[] = {
	OPTION("dry-run", NULL, update.dry_run,
	       "check whether the plan can be applied, and stop", .letter = 'n'),
	OPTION("only", "PATTERN", update.only,
	       "only goldens of the plan whose test, file or changed metric matches",
	       .part = OPTION_GOLDENS),
	OPTION("except", "PATTERN", update.except,
	       "skip goldens of the plan that match", .part = OPTION_GOLDENS),
	OPTION("message", "FILE", message,
	       "write a commit message that names the run, for 'git commit -F'; '-' is stdout",
	       .unsaid = true),
	JSON_OPTION(update_arguments, json),
	{0},
};
/* clang-format on */

static rg_error *run_apply(command_context *context, void *own)
{
	update_arguments *what = own;
	const char *plan = context->operands[0];
	const bool message = what->message && !what->update.dry_run;
	const update_view view = {
		.listing = is_stdout(what->message) || is_stdout(what->json) ? stderr : stdout};
	compare_arguments compare = {0};
	RG_AUTO(rg_plan_file) file;
	RG_AUTO_FREE char *folder = NULL;
	RG_AUTO(comparison_run) c = {0};
	RG_AUTO(rg_update) update;

	rg_plan_file_init(&file);
	rg_update_init(&update);
	RG_TRY(check_output_is_not(&(output_file){"--json", what->json}, "the plan", plan));
	RG_TRY(check_output_is_not(&(output_file){"--message", what->message}, "the plan", plan));
	RG_TRY(update_check_files(what, context));
	RG_TRY(rg_plan_file_load(&file, &context->flow, plan));
	rg_plan_file_options(&file, &context->flow, &what->update, &folder);
	what->follow = &file;
	if (message)
		RG_TRY(update_compare_prepare(&c, context, what, &compare));
	RG_TRY(update_run(&update, context, what,
			  context->operand_count > 1 ? context->operands[1] : folder, &view));
	return message ? update_compare(&c, context, &compare, &update, comparison_write_reports)
		       : NULL;
}

const command command_apply = {
	.name = "apply",
	.summary = "apply exactly what a plan says, or nothing",
	.operands = "PLAN [DIR]",
	.missing = "'regild refresh --dry-run --plan FILE' writes one",
	.operands_max = 2,
	.description = "Puts exactly the goldens of PLAN into the working tree. If HEAD, the "
		       "working tree or the staging folder has changed since, does nothing and "
		       "names the first golden that differs. DIR is the staging folder, if it "
		       "has moved.",
	.examples = "regild refresh --run 22651183945 --all --dry-run --plan plan.json\n"
		    "regild apply plan.json",
	.groups = OPTIONS(options),
	.arguments_size = sizeof(update_arguments),
	.flags = COMMAND_NEEDS_WORKTREE | COMMAND_HANDLES_PENDING | COMMAND_IS_BRIEF,
	.run = run_apply,
};
