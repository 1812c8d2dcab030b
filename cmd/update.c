/* SPDX-License-Identifier: Apache-2.0 */
#include "update.h"

#include "base/memory.h"
#include "base/number.h"
#include "commands.h"
#include "facts.h"
#include "interactive.h"
#include "terminal.h"
#include "flow/undo.h"
#include "flow/download.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define OF update_arguments
/* clang-format off */
const option update_options[] = {
	OPTION("dry-run", NULL, update.dry_run, "show what would be done and stop", .letter = 'n'),
	OPTION("interactive", NULL, interactive, "ask about each golden, losses first", .letter = 'i'),
	OPTION("only", "PATTERN", update.only, "only goldens whose test, file or changed metric matches"),
	OPTION("except", "PATTERN", update.except, "skip goldens that match"),
	OPTION("metric", "NAME", update.metrics,
	       "take only this metric from the new files into the old ones"),
	OPTION("only-better", "METRIC", update.only_better,
	       "only goldens in which this metric is better than before"),
	OPTION("tighten", NULL, update.tighten,
	       "only goldens in which a metric is better and none is worse"),
	OPTION("allow", "GUARD", update.allow,
	       "let through what a guard (nonfinite, shrink, empty, dirty, fork, opaque, "
	       "rejected) or a gate (no-match, no-figure) holds back",
	       .choices = "nonfinite|shrink|empty|dirty|fork|opaque|rejected|no-match|"
			"no-figure"),
	OPTION("stage", NULL, update.stage, "add the updated goldens to the index"),
	OPTION("message", "FILE", message,
	       "write a commit message that names the run, for 'git commit -F'; '-' is stdout", .unsaid = true),
	OPTION("plan", "FILE", plan,
	       "with --dry-run: write a plan for 'regild apply'", .unsaid = true),
	{0},
};
/* clang-format on */

typedef struct {
	update_arguments what;
	const char *run;
	bool resume, take_back;
} update_command_arguments;

#undef OF
#define OF update_command_arguments
/* clang-format off */
static const option own_options[] = {
	OPTION("run", "ID", run,
	       "the downloaded run, by id or URL",
	       .several = "regild refresh --runs"),
	OPTION("continue", NULL, resume, "finish an interrupted update"),
	OPTION("abort", NULL, take_back, "undo an interrupted update"),
	JSON_OPTION(update_command_arguments, what.json),
	{0},
};
/* clang-format on */

static const option_group groups[] = {
	{.title = "Which update", .options = own_options},
	{.title = "What and how",
	 .options = update_options,
	 .offset = offsetof(update_command_arguments, what)},
	{0},
};

static rg_error *staging_folder(const command_context *context, const char *run, char **out)
{
	const char *folder = context->operand_count ? context->operands[0] : NULL;
	uint64_t id;

	if (!folder)
		return rg_flow_find_staged(out, &context->flow, run);
	if (run)
		return usage_error("--run and a folder exclude each other");
	if (!*folder)
		return usage_error("DIR is empty; name a folder, or leave it out");
	if (rg_uint64_parse(folder, strlen(folder), &id) && access(folder, F_OK))
		return usage_error("%s: there is no such folder; a run is named with --run",
				   folder);
	*out = rg_strdup(folder);
	return NULL;
}

static rg_error *settle_pending(command_context *context, bool finish)
{
	rg_error *missed;
	rg_record record;

	rg_record_init(&record);
	rg_error *err = rg_flow_settle_pending(&context->flow, finish, &record, &missed);
	context->changed = !err;
	command_miss(context, missed);
	if (!err)
		printf("the interrupted %s of %zu file%s is %s\n", rg_record_kind_text(record.kind),
		       record.count, record.count == 1 ? "" : "s",
		       finish ? "finished" : "taken back");
	rg_record_release(&record);
	return err;
}

rg_error *update_check_plan(const update_arguments *arguments)
{
	if (!arguments->plan || arguments->update.dry_run)
		return NULL;
	return usage_error("--plan goes with --dry-run: 'regild apply %s' does what it says",
			   is_stdout(arguments->plan) ? "FILE" : arguments->plan);
}

static rg_error *write_plan(const rg_update *update, const command_context *context,
			    const char *file)
{
	rg_buf text;
	rg_buf_init(&text, RG_BUF_ANY);
	rg_error *err = rg_plan_file_make(&text, update, &context->flow, context->command_line);
	if (!err)
		err = write_json(file, &text);
	rg_buf_release(&text);
	return rg_error_wrap(err, "--plan");
}

rg_error *update_check_files(const update_arguments *arguments, command_context *context)
{
	const output_file files[] = {{"--message", arguments->message},
				     {"--json", arguments->json},
				     {"--plan", arguments->plan}};
	RG_TRY(check_output_files(files, 3));
	for (size_t i = 0; i < 3; i++) {
		const char *golden;
		if (!files[i].path || is_stdout(files[i].path))
			continue;
		rg_error *err = rg_flow_golden_path(&golden, &context->flow, files[i].path);
		if (!err)
			return usage_error("%s would be written over the golden '%s'",
					   files[i].option_name, golden);
		rg_error_free(err);
	}
	return NULL;
}

rg_error *update_run(rg_update *out, command_context *context, const update_arguments *arguments,
		     const char *folder, const update_view *view)
{
	RG_TRY(update_check_files(arguments, context));
	rg_error *err = rg_update_make_plan(out, &context->flow, &arguments->update, folder);
	if (!err && arguments->follow)
		err = rg_error_wrap(rg_plan_file_follow(arguments->follow, &out->plan),
				    "nothing is changed");
	if (!err && arguments->interactive)
		err = interactive_review(context, &out->plan, arguments->update.dry_run);
	if (!err && arguments->plan)
		err = write_plan(out, context, arguments->plan);
	if (!err)
		err = rg_update_apply(out, &context->flow);
	context->changed |= out->changed;
	if (!err)
		err = update_show(context, out, view);
	if (!err)
		err = update_write_facts(context, out, arguments->json);
	return err;
}

/* What was decided on before the interruption is all that --continue and --abort know. */
static rg_error *check_alone(const command_context *context, const update_command_arguments *given)
{
	const rg_update_options *update = &given->what.update;
	if (given->resume && given->take_back)
		return usage_error("--continue and --abort exclude each other");
	if (context->operand_count || given->run || update->dry_run || given->what.interactive ||
	    update->stage || update->only_better.count || update->tighten || update->only.count ||
	    update->except.count || update->metrics.count || update->allow.count ||
	    given->what.message || given->what.plan || given->what.json)
		return usage_error("%s takes no other option or folder: it is about the update "
				   "that was interrupted",
				   given->resume ? "--continue" : "--abort");
	return NULL;
}

rg_error *update_compare_prepare(comparison_run *c, command_context *context,
				 update_arguments *arguments, compare_arguments *compare)
{
	rg_update_options *update = &arguments->update;
	unsigned allowed;

	RG_TRY(rg_update_check(update, &allowed));
	compare->compare.refreshed = true;
	compare->compare.allow_lost = allowed & RG_GUARD_SHRINK;
	for (size_t i = 0; i < update->allow.count; i++) {
		compare->compare.allow_idle |= !strcmp(update->allow.items[i], RG_ALLOW_NO_MATCH);
		compare->compare.allow_no_figure |=
			!strcmp(update->allow.items[i], RG_ALLOW_NO_FIGURE);
	}
	compare->report.files[RG_REPORT_MESSAGE] = arguments->message;
	RG_TRY(comparison_prepare(c, context, compare));
	update->policy = c->rules.policy;
	update->formats = &c->rules.formats.options;
	if (!arguments->interactive && !arguments->follow && !update->only.count &&
	    !update->except.count && !update->only_better.count && !update->tighten) {
		update->compared = rg_compare_look_at;
		update->compared_context = &c->rules;
	}
	return NULL;
}

/* What a review has let through is let through in the comparison, too. */
static bool is_loss_allowed(const rg_plan *plan)
{
	for (size_t i = 0; i < plan->count; i++)
		if (rg_plan_item_is_taken(&plan->items[i]) &&
		    plan->items[i].allowed & RG_GUARD_SHRINK)
			return true;
	return false;
}

rg_error *update_compare(comparison_run *c, command_context *context, compare_arguments *compare,
			 rg_update *update, rg_error *(*show)(comparison_run *, command_context *))
{
	rg_manifest *manifest = update->manifest;

	rg_refresh_sort(&update->refresh);
	compare->compare.run_id = manifest->run_id;
	compare->compare.plan = &update->plan;
	c->rules.gate.allow_lost |= is_loss_allowed(&update->plan);
	c->report.run = update_run_facts(update, c->run_id);
	c->report.refresh = &update->refresh;
	c->report.from.manifest = manifest;
	rg_error *err = rg_compare_run(&c->result, &context->flow, &compare->compare, &c->rules);
	if (!err)
		err = show(c, context);
	return context->changed
		       ? rg_error_wrap(err, "the goldens are put in, but not all is reported")
		       : err;
}

static rg_error *run_update(command_context *context, void *arguments)
{
	update_command_arguments *given = arguments;
	bool taken = is_stdout(given->what.message) || is_stdout(given->what.plan) ||
		     is_stdout(given->what.json);
	const update_view view = {.listing = taken ? stderr : stdout};
	compare_arguments compare = {0};
	comparison_run c = {0};
	rg_update update;
	char *folder;

	if (given->resume || given->take_back) {
		RG_TRY(check_alone(context, given));
		return settle_pending(context, given->resume);
	}
	RG_TRY(update_check_plan(&given->what));
	RG_TRY(staging_folder(context, given->run, &folder));
	rg_update_init(&update);
	rg_error *err = given->what.message
				? update_compare_prepare(&c, context, &given->what, &compare)
				: NULL;
	if (!err)
		err = update_run(&update, context, &given->what, folder, &view);
	if (!err && given->what.message && given->what.update.dry_run)
		tell(context, RG_LOG_INFO,
		     "nothing was written (--dry-run), so there is no commit message yet");
	else if (!err && given->what.message)
		err = update_compare(&c, context, &compare, &update, comparison_write_reports);
	rg_update_release(&update);
	comparison_release(&c);
	free(folder);
	return err;
}

const command command_update = {
	.name = "update",
	.summary = "put downloaded goldens into the working tree",
	.operands = "[DIR]",
	.operands_max = 1,
	.description =
		"Puts the goldens that 'regild download' staged in DIR into the working tree, "
		"all of them or none. Without DIR, takes the downloaded run if there is only one.",
	.examples = "regild update --dry-run\n"
		    "regild update --run 22651183945 --only '*t5*' --stage",
	.groups = groups,
	.arguments_size = sizeof(update_command_arguments),
	.flags = COMMAND_NEEDS_WORKTREE | COMMAND_HANDLES_PENDING | COMMAND_IS_BRIEF,
	.run = run_update,
};
