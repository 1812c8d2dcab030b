/* SPDX-License-Identifier: Apache-2.0 */
#include "commands.h"
#include "compare.h"
#include "download.h"
#include "interactive.h"
#include "update.h"

#include "flow/pending.h"

#include <stdlib.h>
#include <string.h>

/* Each part's own arguments, filled by each part's own table. */
typedef struct {
	rg_download_options download;
	update_arguments update;
	compare_arguments compare;
} refresh_arguments;

static const option_group groups[] = {
	{"What to fetch", download_options, offsetof(refresh_arguments, download)},
	{"What to put in", update_options, offsetof(refresh_arguments, update)},
	{"What to report", compare_report_options, offsetof(refresh_arguments, compare)},
	{0},
};

/* What is wrong with the call is said before anything is fetched. */
static rg_error *prepare(command_context *context, comparison_run *c, refresh_arguments *arguments)
{
	RG_TRY(update_compare_prepare(c, context, &arguments->update, &arguments->compare));
	if (arguments->update.interactive)
		RG_TRY(interactive_check());
	return arguments->update.update.dry_run ? NULL : rg_flow_refuse_pending(&context->flow);
}

static rg_error *run_refresh(command_context *context, void *own)
{
	refresh_arguments *arguments = own;
	update_view view = {.rows_follow = true};
	rg_download_result download;
	comparison_run c = {0};
	rg_update update;
	rg_error *err;

	rg_download_result_init(&download);
	rg_update_init(&update);
	err = prepare(context, &c, arguments);
	view.listing = comparison_takes_stdout(&arguments->compare) ? stderr : stdout;
	if (!err)
		err = download_run(context, &arguments->download, &download);
	arguments->update.update.manifest = &download.manifest;
	if (!err)
		err = update_run(&update, context, &arguments->update, download.folder, &view);
	if (!err && arguments->update.update.dry_run)
		rg_log_say(&context->flow.log, RG_LOG_INFO,
			   "nothing was written (--dry-run), so there is nothing to compare yet");
	else if (!err)
		err = update_compare(&c, context, &arguments->compare, &update, comparison_show);
	rg_update_release(&update);
	rg_download_result_release(&download);
	comparison_release(&c);
	return err;
}

const command command_refresh = {
	.name = "refresh",
	.summary = "download, update and compare in turn, and sum it up",
	.operands = "[PATH...]",
	.operands_max = -1,
	.description =
		"Fetches the goldens of a CI run, puts them into the working tree, compares them\n"
		"with HEAD and writes the reports that are asked for.",
	.examples = "regild refresh --run 22651183945 --only-failing --markdown summary.md\n"
		    "regild refresh --run 22651183945 --all --except '*t5*' --stage\n"
		    "regild refresh --from ~/Downloads/logs-*.zip",
	.groups = groups,
	.arguments_size = sizeof(refresh_arguments),
	.flags = COMMAND_NEEDS_WORKTREE | COMMAND_HANDLES_PENDING,
	.run = run_refresh,
};
