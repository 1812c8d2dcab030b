/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/new_runs.h"

#include "base/file.h"
#include "flow/pairs.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Two files are called by both their names, so those of several pairs would be no one golden. */
static rg_error *check_files(const rg_sides *sides)
{
	if (sides->kind != RG_SIDES_PATHS || sides->fresh.kind != RG_SIDE_PATH ||
	    access(sides->fresh.text, F_OK) || rg_is_folder(sides->fresh.text))
		return NULL;
	return rg_error_new(RG_E_USAGE,
			    "--new: '%s' is a file; several new sides are folders, archives or "
			    "runs",
			    sides->fresh.text);
}

rg_error *rg_new_runs_prepare(rg_compare_rules *rules, const rg_flow *flow,
			      const rg_compare_options *options)
{
	rg_side_options sides = options->sides;
	size_t i, k;

	if (sides.new_paths.count < 2)
		return NULL;
	for (i = 1; i < sides.new_paths.count; i++)
		for (k = 0; k < i; k++)
			if (!strcmp(sides.new_paths.items[i], sides.new_paths.items[k]))
				return rg_error_new(RG_E_USAGE, "--new: '%s' is named twice",
						    sides.new_paths.items[i]);
	rules->further = calloc(sides.new_paths.count, sizeof(*rules->further));
	if (!rules->further)
		return rg_error_nomem();
	for (sides.new_index = 1; sides.new_index < sides.new_paths.count; sides.new_index++)
		RG_TRY(rg_sides_find(&rules->further[rules->further_count++], flow, &sides));
	return check_files(&rules->sides);
}

void rg_new_runs_forget(rg_compare_rules *rules)
{
	size_t i;

	for (i = 0; i < rules->further_count; i++)
		rg_sides_release(&rules->further[i]);
	free(rules->further);
	rules->further = NULL;
	rules->further_count = 0;
}

/* What could not be read of a further run is missing. */
static void say_unreadable(rg_compare_result *result, const rg_flow *flow,
			   const rg_compare_result *further)
{
	const rg_comparison *c = &further->comparison;
	size_t i;

	result->missing |= further->missing || c->unreadable;
	for (i = 0; i < c->file_count; i++)
		if (c->files[i].status == RG_FILE_UNREADABLE)
			rg_log_say(&flow->log, RG_LOG_MISSING, "%s: unreadable: %s",
				   c->files[i].file, c->files[i].why);
}

/* By the same rules, for the means alone. */
static rg_error *add_further(rg_compare_result *result, const rg_flow *flow,
			     const rg_compare_options *options, const rg_compare_rules *rules,
			     size_t run)
{
	rg_sides *sides = &rules->further[run - 1];
	rg_compare_rules own = *rules;
	rg_compare_result further = {.old_side = sides->old_label, .new_side = sides->new_label};
	rg_error *err;

	own.sides = *sides;
	own.checks = NULL;
	own.want_curves = false;
	own.opaque = (rg_opaque_wanted){0};
	own.curves = (rg_worst_curves){0};
	rg_comparison_init(&further.comparison);
	err = rg_pairs_compare(&further, flow, options, &own);
	*sides = own.sides; /* it holds what was found out meanwhile */
	if (!err)
		err = rg_new_runs_add(&result->new_runs, run, further.new_side, further.run_id,
				      &further.comparison);
	if (!err)
		say_unreadable(result, flow, &further);
	rg_curves_release(&further.curves);
	rg_format_reports_release(&further.reports);
	rg_comparison_release(&further.comparison);
	return err;
}

rg_error *rg_new_runs_compare(rg_compare_result *result, const rg_flow *flow,
			      const rg_compare_options *options, const rg_compare_rules *rules)
{
	size_t i;

	if (!rules->further_count)
		return NULL;
	RG_TRY(rg_new_runs_init(&result->new_runs, rules->further_count + 1, rules->judge.level));
	RG_TRY(rg_new_runs_add(&result->new_runs, 0, result->new_side, result->run_id,
			       &result->comparison));
	for (i = 1; i <= rules->further_count; i++)
		RG_TRY(add_further(result, flow, options, rules, i));
	return rg_new_runs_judge(&result->new_runs, rules->judged ? &rules->noise : NULL);
}
