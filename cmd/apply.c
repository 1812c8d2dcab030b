/* SPDX-License-Identifier: Apache-2.0 */
#include "commands.h"
#include "facts.h"
#include "terminal.h"
#include "update.h"

#include <stdlib.h>

typedef struct {
	update_arguments what;
} apply_arguments;

/* clang-format off */
static const option options[] = {
	{.letter = 'n', .name = "dry-run", OPTION_FIELD(apply_arguments, what.update.dry_run),
	 .help = "check whether the plan can be applied, and stop"},
	{.name = "only", .argument = "PATTERN", OPTION_FIELD(apply_arguments, what.update.only),
	 .help = "only goldens of the plan whose test, file or changed metric matches"},
	{.name = "except", .argument = "PATTERN", OPTION_FIELD(apply_arguments, what.update.except),
	 .help = "skip goldens of the plan that match"},
	{.name = "message", .unsaid = true, .argument = "FILE", OPTION_FIELD(apply_arguments, what.message),
	 .help = "write a commit message that names the run, for 'git commit -F'; '-' is stdout"},
	JSON_OPTION(apply_arguments, what.json),
	{0},
};
/* clang-format on */

static rg_error *apply(command_context *context, update_arguments *what, const char *folder)
{
	const update_view view = {
		.listing = is_stdout(what->message) || is_stdout(what->json) ? stderr : stdout};
	const bool message = what->message && !what->update.dry_run;
	compare_arguments compare = {0};
	comparison_run c = {0};
	rg_update update;

	rg_update_init(&update);
	rg_error *err = message ? update_compare_prepare(&c, context, what, &compare) : NULL;
	if (!err)
		err = update_run(&update, context, what, folder, &view);
	if (!err && message)
		err = update_compare(&c, context, &compare, &update, comparison_write_reports);
	rg_update_release(&update);
	comparison_release(&c);
	return err;
}

static rg_error *run_apply(command_context *context, void *own)
{
	apply_arguments *given = own;
	update_arguments what = given->what;
	const char *plan = context->operands[0];
	char *folder = NULL;
	rg_plan_file file;

	RG_TRY(check_output_is_not(&(output_file){"--json", what.json}, "the plan", plan));
	RG_TRY(check_output_is_not(&(output_file){"--message", what.message}, "the plan", plan));
	RG_TRY(update_check_files(&what, context));
	rg_plan_file_init(&file);
	rg_error *err = rg_plan_file_load(&file, &context->flow, plan);
	if (!err) {
		rg_plan_file_options(&file, &context->flow, &what.update, &folder);
		what.follow = &file;
		err = apply(context, &what,
			    context->operand_count > 1 ? context->operands[1] : folder);
	}
	free(folder);
	rg_plan_file_release(&file);
	return err;
}

const command command_apply = {
	.name = "apply",
	.summary = "apply exactly what a plan says, or nothing",
	.operands = "PLAN [DIR]",
	.operands_min = 1,
	.missing = "name the plan: 'regild refresh --dry-run --plan FILE' writes one",
	.operands_max = 2,
	.description = "Puts exactly the goldens of PLAN into the working tree. If HEAD, the "
		       "working tree or the staging folder has changed since, does nothing and "
		       "names the first golden that differs. DIR is the staging folder, if it "
		       "has moved.",
	.examples = "regild refresh --run 22651183945 --all --dry-run --plan plan.json\n"
		    "regild apply plan.json",
	.groups = OPTIONS(options),
	.arguments_size = sizeof(apply_arguments),
	.flags = COMMAND_NEEDS_WORKTREE | COMMAND_HANDLES_PENDING | COMMAND_IS_BRIEF,
	.run = run_apply,
};
