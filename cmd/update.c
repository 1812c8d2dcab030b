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

#include <string.h>
#include <unistd.h>

typedef struct {
	update_arguments what;
	const char *run;
	bool resume, take_back;
} update_command_arguments;

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

/* --continue and --abort know only what was decided on before the interruption. */
static rg_error *settle_pending(command_context *context, update_command_arguments *given)
{
	const bool finish = given->resume;
	rg_error *missed;
	RG_AUTO(rg_record) record;

	rg_record_init(&record);
	if (finish && given->take_back)
		return usage_error("--continue and --abort exclude each other");
	if (context->operand_count ||
	    options_count_given(OPTION_SET(groups, given), OPTION_ANY) > 1)
		return usage_error("%s takes no other option or folder: it is about the update "
				   "that was interrupted",
				   finish ? "--continue" : "--abort");
	rg_error *err = rg_flow_settle_pending(&context->flow, finish, &record, &missed);
	context->changed = !err;
	command_miss(context, missed);
	if (!err)
		printf("the interrupted %s of %zu file%s is %s\n", rg_record_kind_text(record.kind),
		       record.count, rg_plural(record.count), finish ? "finished" : "taken back");
	return err;
}

rg_error *update_check_plan(const update_arguments *arguments)
{
	if (!arguments->plan || arguments->update.dry_run)
		return NULL;
	return usage_error("--plan goes with --dry-run: 'regild apply %s' does what it says",
			   is_stdout(arguments->plan) ? "FILE" : arguments->plan);
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
	RG_TRY(rg_update_make_plan(out, &context->flow, &arguments->update, folder));
	if (arguments->follow)
		RG_TRY(rg_error_wrap(rg_plan_file_follow(arguments->follow, &out->plan),
				     "nothing is changed"));
	if (arguments->interactive)
		RG_TRY(interactive_review(context, &out->plan, arguments->update.dry_run));
	if (arguments->plan) {
		RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_ANY);
		RG_TRY(rg_error_wrap(
			rg_plan_file_make(&text, out, &context->flow, context->command_line),
			"--plan"));
		RG_TRY(rg_error_wrap(write_json(arguments->plan, &text), "--plan"));
	}
	rg_error *err = rg_update_apply(out, &context->flow);
	context->changed |= out->changed;
	RG_TRY(err);
	RG_TRY(update_show(context, out, view));
	return update_write_facts(context, out, arguments->json);
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
	if (!arguments->interactive && !arguments->follow &&
	    !options_count_given(OPTION_SET(OPTIONS(update_options), arguments), OPTION_GOLDENS)) {
		update->compared = rg_compare_look_at;
		update->compared_context = &c->rules;
	}
	return NULL;
}

rg_error *update_compare(comparison_run *c, command_context *context, compare_arguments *compare,
			 rg_update *update, rg_error *(*show)(comparison_run *, command_context *))
{
	rg_plan *plan = &update->plan;

	rg_refresh_sort(&update->refresh);
	compare->compare.run_id = update->manifest->run_id;
	compare->compare.plan = plan;
	/* The comparison lets through what a review has let through. */
	for (size_t i = 0; i < plan->count; i++)
		c->rules.gate.allow_lost |= rg_plan_item_is_taken(&plan->items[i]) &&
					    plan->items[i].allowed & RG_GUARD_SHRINK;
	c->report.run = update_run_facts(update, c->run_id);
	c->report.refresh = &update->refresh;
	c->report.from.manifest = update->manifest;
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
	update_arguments *what = &given->what;
	bool taken = is_stdout(what->message) || is_stdout(what->plan) || is_stdout(what->json);
	const update_view view = {.listing = taken ? stderr : stdout};
	compare_arguments compare = {0};
	RG_AUTO_FREE char *folder = NULL;
	RG_AUTO(comparison_run) c = {0};
	RG_AUTO(rg_update) update;

	rg_update_init(&update);
	if (given->resume || given->take_back)
		return settle_pending(context, given);
	RG_TRY(update_check_plan(what));
	RG_TRY(staging_folder(context, given->run, &folder));
	if (what->message)
		RG_TRY(update_compare_prepare(&c, context, what, &compare));
	RG_TRY(update_run(&update, context, what, folder, &view));
	if (!what->message)
		return NULL;
	if (!what->update.dry_run)
		return update_compare(&c, context, &compare, &update, comparison_write_reports);
	tell(context, RG_LOG_INFO,
	     "nothing was written (--dry-run), so there is no commit message yet");
	return NULL;
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
