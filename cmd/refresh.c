#include "commands.h"
#include "compare.h"
#include "download.h"
#include "terminal.h"
#include "update.h"

#include <stdlib.h>
#include <string.h>

/* Each part's own arguments, filled by each part's own table. */
typedef struct {
	download_arguments download;
	update_arguments update;
	compare_report report;
} refresh_arguments;

static const option_group groups[] = {
	{"What to fetch", download_options, offsetof(refresh_arguments, download)},
	{"What to put in", update_options, offsetof(refresh_arguments, update)},
	{"What to report", compare_report_options, offsetof(refresh_arguments, report)},
	{0},
};

/* Compares the whole of what now differs from HEAD: what an earlier refresh left uncommitted will
 * be in the same review. */
static rg_error *report(environment *env, const refresh_arguments *arguments,
			const rg_manifest *manifest)
{
	compare_arguments compare = {.report = arguments->report};
	compare_context context = {.run = manifest, .command = env->command_line};
	rg_error *err = compare_run(env, &compare, &context);

	return env->changed ? rg_error_wrap(err, "the goldens are put in, but not all is reported")
			    : err;
}

static rg_error *run_refresh(environment *env, void *own)
{
	const refresh_arguments *arguments = own;
	char *staged = NULL;
	rg_manifest manifest;
	update_result result;
	rg_error *err;

	RG_TRY(update_check(&arguments->update));
	RG_TRY(compare_check(env, &arguments->report));
	RG_TRY(arguments->update.dry_run ? update_warn_pending(env) : update_refuse_pending(env));
	env->rows_follow = true;
	if (is_stdout(arguments->report.csv) || is_stdout(arguments->report.markdown) ||
	    is_stdout(arguments->report.json) || is_stdout(arguments->report.html))
		env->listing = stderr;
	rg_manifest_init(&manifest);
	update_result_init(&result);
	err = download_run(env, &arguments->download, NULL, &manifest, &staged);
	if (!err)
		err = update_run(env, &arguments->update, staged, &result);
	if (!err && arguments->update.dry_run)
		rg_log_say(&env->log, RG_LOG_INFO,
			   "nothing was written (--dry-run), so there is nothing to compare yet");
	else if (!err)
		err = report(env, arguments, &manifest);
	free(staged);
	update_result_release(&result);
	rg_manifest_release(&manifest);
	return err;
}

const command command_refresh = {
	.name = "refresh",
	.summary = "download, update and compare in turn, and sum it up",
	.stray = "a run is named with --run",
	.description =
		"Fetches the goldens of a CI run, puts them into the working tree, compares them\n"
		"with HEAD and writes the reports that are asked for.",
	.groups = groups,
	.arguments_size = sizeof(refresh_arguments),
	.flags = COMMAND_NEEDS_WORKTREE | COMMAND_HANDLES_PENDING,
	.run = run_refresh,
};
