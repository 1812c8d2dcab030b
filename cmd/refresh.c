/* SPDX-License-Identifier: Apache-2.0 */
#include "commands.h"
#include "compare.h"
#include "download.h"
#include "interactive.h"
#include "update.h"

#include "flow/compare.h"
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

/* Adds what did not come: of an artifact, its job, as nobody has seen the goldens in it. */
static rg_error *add_missing(rg_refresh *out, rg_manifest *manifest)
{
	size_t i;

	for (i = 0; i < manifest->artifact_count; i++) {
		const rg_manifest_artifact *artifact = &manifest->artifacts[i];
		const rg_manifest_job *job = rg_manifest_find_job(manifest, artifact->job_id);
		rg_error *err;
		char *why;

		if (!rg_outcome_is_missing(artifact->outcome))
			continue;
		RG_TRY(rg_textf(&why, "%s%s%s", rg_outcome_text(artifact->outcome),
				artifact->why ? ": " : "", artifact->why ? artifact->why : ""));
		err = rg_refresh_add(out, RG_REFRESH_MISSING, job ? job->name : artifact->name,
				     why);
		free(why);
		RG_TRY(err);
	}
	rg_refresh_sort(out);
	return NULL;
}

/* Compares the whole of what now differs from HEAD: what an earlier refresh left uncommitted will
 * be in the same review. */
static rg_error *compare(command_context *context, comparison_run *c, refresh_arguments *arguments,
			 rg_manifest *manifest, rg_refresh *refresh)
{
	char run_id[32];
	rg_error *err = add_missing(refresh, manifest);

	snprintf(run_id, sizeof(run_id), "%llu", (unsigned long long)manifest->run_id);
	arguments->compare.compare.run_id = manifest->run_id;
	c->report.run = (rg_run_facts){.id = run_id,
				       .url = manifest->url,
				       .commit = manifest->head_commit,
				       .branch = manifest->branch,
				       .attempt = manifest->attempt,
				       .only_failing = manifest->only_failing};
	c->report.refresh = refresh;
	if (!err)
		err = rg_compare_run(&c->result, &context->flow, &arguments->compare.compare,
				     &c->rules);
	if (!err)
		err = comparison_show(c, context);
	c->report.run = (rg_run_facts){0}; /* its texts end here */
	return context->changed
		       ? rg_error_wrap(err, "the goldens are put in, but not all is reported")
		       : err;
}

/* What is wrong with the call is said before anything is fetched. */
static rg_error *prepare(command_context *context, comparison_run *c, refresh_arguments *arguments)
{
	rg_update_options *update = &arguments->update.update;
	rg_compare_options *options = &arguments->compare.compare;
	unsigned allowed;

	RG_TRY(rg_update_check(update, &allowed));
	if (arguments->update.interactive)
		RG_TRY(interactive_check());
	options->refreshed = true;
	options->allow_lost = allowed & RG_GUARD_SHRINK;
	RG_TRY(comparison_prepare(c, context, &arguments->compare));
	update->policy = c->rules.policy;
	update->formats = &c->rules.formats.options;
	if (!arguments->update.interactive && !update->only.count && !update->except.count) {
		update->compared = rg_compare_look_at;
		update->compared_context = &c->rules;
	}
	return update->dry_run ? NULL : rg_flow_refuse_pending(&context->flow);
}

static rg_error *run_refresh(command_context *context, void *own)
{
	refresh_arguments *arguments = own;
	const update_view view = {
		.listing = comparison_takes_stdout(&arguments->compare) ? stderr : stdout,
		.rows_follow = true,
	};
	rg_download_result download;
	comparison_run c = {0};
	rg_update update;
	rg_error *err;

	rg_download_result_init(&download);
	rg_update_init(&update);
	err = prepare(context, &c, arguments);
	if (!err)
		err = download_run(context, &arguments->download, &download);
	arguments->update.update.manifest = &download.manifest;
	arguments->compare.compare.plan = &update.plan;
	if (!err)
		err = update_run(&update, context, &arguments->update, download.folder, &view);
	if (!err && arguments->update.update.dry_run)
		rg_log_say(&context->flow.log, RG_LOG_INFO,
			   "nothing was written (--dry-run), so there is nothing to compare yet");
	else if (!err)
		err = compare(context, &c, arguments, &download.manifest, &update.refresh);
	rg_update_release(&update);
	rg_download_result_release(&download);
	comparison_release(&c);
	return err;
}

const command command_refresh = {
	.name = "refresh",
	.summary = "download, update and compare in turn, and sum it up",
	.stray = "a run is named with --run",
	.description =
		"Fetches the goldens of a CI run, puts them into the working tree, compares them\n"
		"with HEAD and writes the reports that are asked for.",
	.examples = "regild refresh --run 22651183945 --only-failing --markdown summary.md\n"
		    "regild refresh --run 22651183945 --all --except '*t5*' --stage",
	.groups = groups,
	.arguments_size = sizeof(refresh_arguments),
	.flags = COMMAND_NEEDS_WORKTREE | COMMAND_HANDLES_PENDING,
	.run = run_refresh,
};
