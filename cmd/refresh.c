/* SPDX-License-Identifier: Apache-2.0 */
#include "commands.h"
#include "compare.h"
#include "download.h"
#include "interactive.h"
#include "update.h"

#include "flow/undo.h"
#include "flow/several_runs.h"

#include <stdlib.h>

typedef struct {
	const char *runs, *take;
} several_arguments;

/* clang-format off */
static const option several_options[] = {
	{.name = "runs", .argument = "ID,ID,...", OPTION_FIELD(several_arguments, runs),
	 .help = "several runs of one change, tested together; one is taken"},
	{.name = "take", .argument = "RUN", .choices = "median-run|first",
	 OPTION_FIELD(several_arguments, take),
	 .help = "which of them: median-run or first (default: median-run)"},
	{0},
};
/* clang-format on */

/* Each part's own arguments, filled by each part's own table. */
typedef struct {
	rg_download_options download;
	several_arguments several;
	update_arguments update;
	compare_arguments compare;
} refresh_arguments;

static const option_group groups[] = {
	{.title = "What to fetch",
	 .options = download_options,
	 .offset = offsetof(refresh_arguments, download)},
	{.title = "Instead of one run",
	 .options = several_options,
	 .offset = offsetof(refresh_arguments, several)},
	{.title = "What to put in",
	 .options = update_options,
	 .offset = offsetof(refresh_arguments, update)},
	COMPARE_REPORTS(offsetof(refresh_arguments, compare)),
	{0},
};

static rg_error *parse_runs(rg_several_runs *runs, const refresh_arguments *arguments)
{
	const several_arguments *several = &arguments->several;
	if (!several->runs)
		return several->take ? usage_error("--take goes with --runs") : NULL;
	if (arguments->download.source.run)
		return usage_error("--run and --runs exclude each other");
	RG_TRY(rg_run_choice_check(&arguments->download.choice, "--runs"));
	return rg_several_runs_parse(runs, several->runs, several->take);
}

/* What is wrong with the call is said before anything is fetched. */
static rg_error *prepare(command_context *context, comparison_run *c, rg_several_runs *runs,
			 refresh_arguments *arguments)
{
	RG_TRY(parse_runs(runs, arguments));
	RG_TRY(update_compare_prepare(c, context, &arguments->update, &arguments->compare));
	if (arguments->update.interactive)
		RG_TRY(interactive_check());
	if (!arguments->download.source.from.count)
		RG_TRY(rg_flow_need_layout(&context->flow));
	return arguments->update.update.dry_run ? NULL : rg_flow_refuse_pending(&context->flow);
}

/* Fetches all runs, and chooses one of them. */
static rg_error *fetch_runs(rg_several_runs *runs, command_context *context,
			    refresh_arguments *arguments, const rg_compare_rules *rules)
{
	rg_download_options options = arguments->download;
	RG_TRY(download_choose_scope(&options));
	for (size_t i = 0; i < runs->name_count; i++) {
		rg_download_result result;
		rg_error *err;

		rg_log_say(&context->flow.log, RG_LOG_INFO, "run %s (%zu of %zu)", runs->names[i],
			   i + 1, runs->name_count);
		rg_download_result_init(&result);
		options.source.run = runs->names[i];
		err = download_run(context, &options, &result);
		err = rg_several_runs_add(runs, &context->flow, &result, err);
		rg_download_result_release(&result);
		RG_TRY(err);
	}
	RG_TRY(rg_several_runs_choose(runs, &context->flow, &arguments->compare.compare, rules));
	if (runs->missing)
		context->exit_code = EXIT_PARTIAL;
	arguments->compare.compare.new_runs = &runs->new_runs;
	return NULL;
}

static rg_error *put_in(command_context *context, refresh_arguments *arguments, comparison_run *c,
			rg_download_result *download)
{
	const update_view view = {.listing = comparison_takes_stdout(&arguments->compare) ? stderr
											  : stdout,
				  .rows_follow = true};
	rg_update update;
	rg_error *err;

	rg_update_init(&update);
	arguments->update.update.manifest = &download->manifest;
	err = update_run(&update, context, &arguments->update, download->folder, &view);
	if (!err && arguments->update.update.dry_run)
		rg_log_say(&context->flow.log, RG_LOG_INFO,
			   "nothing was written (--dry-run), so there is nothing to compare yet");
	else if (!err)
		err = update_compare(c, context, &arguments->compare, &update, comparison_show);
	rg_update_release(&update);
	return err;
}

static rg_error *run_refresh(command_context *context, void *own)
{
	refresh_arguments *arguments = own;
	rg_download_result download;
	rg_several_runs runs;
	comparison_run c = {0};

	rg_download_result_init(&download);
	rg_several_runs_init(&runs);
	rg_error *err = prepare(context, &c, &runs, arguments);
	if (!err && runs.name_count)
		err = fetch_runs(&runs, context, arguments, &c.rules);
	else if (!err)
		err = download_run(context, &arguments->download, &download);
	if (!err)
		err = put_in(context, arguments, &c,
			     runs.name_count ? &runs.fetched[runs.taken] : &download);
	comparison_release(&c);
	rg_several_runs_release(&runs);
	rg_download_result_release(&download);
	return err;
}

const command command_refresh = {
	.name = "refresh",
	.summary = "take a CI run's goldens, and see what they change",
	.operands = "[PATH...]",
	.operands_max = -1,
	.description =
		"Fetches the goldens of a CI run, puts them into the working tree, compares them\n"
		"with HEAD and writes the reports that are asked for.",
	.examples = "regild refresh --run 22651183945 --only-failing --markdown summary.md\n"
		    "regild refresh --run 22651183945 --all --except '*t5*' --stage\n"
		    "regild refresh --runs 22651183945,22651190112,22651194470 --all\n"
		    "regild refresh --from ~/Downloads/logs-*.zip",
	.groups = groups,
	.arguments_size = sizeof(refresh_arguments),
	.flags = COMMAND_NEEDS_WORKTREE | COMMAND_HANDLES_PENDING,
	.run = run_refresh,
};
