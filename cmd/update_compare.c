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
	const char *from = NULL;
	rg_manifest_from(manifest, &from);
	rg_refresh_sort(&update->refresh);

	snprintf(c->run_id, sizeof(c->run_id), "%llu", (unsigned long long)manifest->run_id);
	compare->compare.run_id = manifest->run_id;
	compare->compare.plan = &update->plan;
	c->rules.gate.allow_lost |= is_loss_allowed(&update->plan);
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
			       .job = manifest->job,
			       .among = {manifest->take, manifest->among, manifest->missed}};
	c->report.refresh = &update->refresh;
	c->report.from.manifest = manifest;
	rg_error *err = rg_compare_run(&c->result, &context->flow, &compare->compare, &c->rules);
	if (!err)
		err = show(c, context);
	return context->changed
		       ? rg_error_wrap(err, "the goldens are put in, but not all is reported")
		       : err;
}
