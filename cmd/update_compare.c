/* SPDX-License-Identifier: Apache-2.0 */
#include "update.h"

#include <stdlib.h>

rg_error *update_compare_prepare(comparison_run *c, command_context *context,
				 update_arguments *arguments, compare_arguments *compare)
{
	rg_update_options *update = &arguments->update;
	unsigned allowed;

	RG_TRY(rg_update_check(update, &allowed));
	compare->compare.refreshed = true;
	compare->compare.allow_lost = allowed & RG_GUARD_SHRINK;
	compare->report.files[RG_REPORT_MESSAGE] = arguments->message;
	RG_TRY(comparison_prepare(c, context, compare));
	update->policy = c->rules.policy;
	update->formats = &c->rules.formats.options;
	if (!arguments->interactive && !update->only.count && !update->except.count) {
		update->compared = rg_compare_look_at;
		update->compared_context = &c->rules;
	}
	return NULL;
}

/* Adds what did not come: of an artifact, its job, as nobody has seen the goldens in it. */
static rg_error *add_one(rg_refresh *out, const char *name, rg_outcome outcome, const char *reason)
{
	rg_error *err;
	char *why;

	RG_TRY(rg_textf(&why, "%s%s%s", rg_outcome_text(outcome), reason ? ": " : "",
			reason ? reason : ""));
	err = rg_refresh_add(out, RG_REFRESH_MISSING, name, why);
	free(why);
	return err;
}

static rg_error *add_missing(rg_refresh *out, rg_manifest *manifest)
{
	size_t i;

	for (i = 0; i < manifest->artifact_count; i++) {
		const rg_manifest_artifact *artifact = &manifest->artifacts[i];
		const rg_manifest_job *job = rg_manifest_find_job(manifest, artifact->job_id);

		if (rg_outcome_is_missing(artifact->outcome))
			RG_TRY(add_one(out, job ? job->name : artifact->name, artifact->outcome,
				       artifact->why));
	}
	for (i = 0; i < manifest->job_count; i++)
		if (rg_manifest_is_unread(manifest, &manifest->jobs[i]))
			RG_TRY(add_one(out, manifest->jobs[i].name, manifest->jobs[i].outcome,
				       manifest->jobs[i].why));
	rg_refresh_sort(out);
	return NULL;
}

rg_error *update_compare(comparison_run *c, command_context *context, compare_arguments *compare,
			 rg_update *update, rg_error *(*show)(comparison_run *, command_context *))
{
	rg_manifest *manifest = update->manifest;
	rg_error *err = add_missing(&update->refresh, manifest);
	const char *from = NULL;

	if (!err)
		err = rg_manifest_from(manifest, &from);
	snprintf(c->run_id, sizeof(c->run_id), "%llu", (unsigned long long)manifest->run_id);
	compare->compare.run_id = manifest->run_id;
	compare->compare.plan = &update->plan;
	c->report.run =
		(rg_run_facts){.id = manifest->run_id ? c->run_id : NULL,
			       .from = from,
			       .url = manifest->url,
			       .commit = manifest->head_commit,
			       .branch = manifest->branch,
			       .fork = manifest->fork ? manifest->head_repository : NULL,
			       .commit_note = update->commit_note,
			       .attempt = manifest->attempt,
			       .only_failing = manifest->only_failing,
			       .among = {manifest->take, manifest->among, manifest->missed}};
	c->report.refresh = &update->refresh;
	c->report.from.manifest = manifest;
	if (!err)
		err = rg_compare_run(&c->result, &context->flow, &compare->compare, &c->rules);
	if (!err)
		err = show(c, context);
	return context->changed
		       ? rg_error_wrap(err, "the goldens are put in, but not all is reported")
		       : err;
}
