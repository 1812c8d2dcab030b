/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/new_runs.h"

#include "base/memory.h"
#include "base/file.h"
#include "flow/pairs.h"
#include "flow/side_pairs.h"

#include <stdlib.h>
#include <string.h>

rg_error *rg_new_runs_prepare(rg_compare_rules *rules, const rg_flow *flow,
			      const rg_compare_options *options)
{
	rg_side_options sides = options->sides;
	if (sides.new_paths.count < 2)
		return NULL;
	for (size_t i = 1; i < sides.new_paths.count; i++)
		for (size_t k = 0; k < i; k++)
			if (!strcmp(sides.new_paths.items[i], sides.new_paths.items[k]))
				return rg_error_new(RG_E_USAGE, "--new: '%s' is named twice",
						    sides.new_paths.items[i]);
	rules->further = rg_calloc(sides.new_paths.count, sizeof(*rules->further));
	for (sides.new_index = 1; sides.new_index < sides.new_paths.count; sides.new_index++)
		RG_TRY(rg_flow_find_sides(&rules->further[rules->further_count++], flow, &sides));
	return NULL;
}

void rg_new_runs_forget(rg_compare_rules *rules)
{
	for (size_t i = 0; i < rules->further_count; i++)
		rg_sides_release(&rules->further[i]);
	free(rules->further);
	rules->further = NULL;
	rules->further_count = 0;
}

/* Reads runs one by one, into what they say together. */
typedef struct {
	const rg_flow *flow;
	const rg_compare_options *options;
	const rg_compare_rules *rules;
	rg_new_runs *runs;
	const char
		*file; /* what a pair of two files is called; NULL: goldens have their own names */
	bool missing;  /* something of a run is, as the log has heard */
} read_state;

static rg_error *append_run(const read_state *r, size_t place, const rg_sides *sides,
			    const rg_compare_result *result)
{
	const rg_new_run run = {.label = result->new_side,
				.id = result->run_id,
				.is_part = sides->new_is_part,
				.has = sides->new_has,
				.has_count = sides->new_has_count};

	return rg_new_runs_add(r->runs, place, &run, &result->comparison);
}

/* Compares by the same rules, for the means alone. */
static rg_error *append_side(read_state *r, size_t place, rg_sides *sides)
{
	rg_compare_rules own = *r->rules;
	RG_AUTO(rg_compare_result)
	run = {.old_side = sides->old.label, .new_side = sides->fresh.label};

	own.sides = *sides;
	own.checks = NULL;
	own.want_curves = own.want_differences = false;
	own.opaque = (rg_opaque_wanted){0};
	own.curves = (rg_worst_curves){0};
	rg_comparison_init(&run.comparison);
	rg_error *err = rg_pairs_compare(&run, r->flow, r->options, &own);
	*sides = own.sides; /* it holds what was found out meanwhile */
	RG_TRY(err);
	const rg_comparison *c = &run.comparison;

	r->missing |= run.missing || c->unreadable;
	for (size_t i = 0; i < c->file_count; i++)
		if (c->files[i].status == RG_FILE_UNREADABLE)
			rg_log_say(&r->flow->log, RG_LOG_MISSING, "%s: unreadable: %s",
				   c->files[i].file, c->files[i].why);
	if (r->file && c->file_count)
		c->files[0].file = r->file;
	return append_run(r, place, sides, &run);
}

rg_error *rg_new_runs_compare(rg_compare_result *result, const rg_flow *flow,
			      const rg_compare_options *options, const rg_compare_rules *rules)
{
	read_state r = {flow, options, rules, &result->new_runs, NULL, false};
	if (options->new_runs) {
		result->new_runs = *options->new_runs;
		*options->new_runs = (rg_new_runs){0};
	}
	if (!rules->further_count)
		return NULL;
	/* Two files are called by both their names: those of a further pair by the first's. */
	bool files = rules->sides.kind == RG_SIDES_PATHS &&
		     rules->sides.fresh.kind == RG_SIDE_PATH &&
		     !rg_is_folder(rules->sides.fresh.text);
	r.file = (files && result->comparison.file_count ? result->comparison.files[0].file : NULL);
	rg_new_runs_init(&result->new_runs, rules->further_count + 1, rules->judge.level);
	RG_TRY(append_run(&r, 0, &rules->sides, result));
	for (size_t i = 0; i < rules->further_count; i++)
		RG_TRY(append_side(&r, i + 1, &rules->further[i]));
	result->missing |= r.missing;
	return rg_new_runs_judge(&result->new_runs, rules->judged ? &rules->noise : NULL);
}

/* --- staged runs --- */

rg_error *rg_new_runs_compare_staged(rg_new_runs *out, const rg_flow *flow,
				     const rg_compare_options *options,
				     const rg_compare_rules *rules, rg_download_result *staged,
				     size_t count)
{
	rg_compare_rules all = *rules; /* which run is in the middle is not for --filter to say */
	read_state r = {flow, options, &all, out, NULL, false};

	all.filter = (rg_filter){0};
	rg_new_runs_init(out, count, rules->judge.level);
	for (size_t i = 0; i < count; i++) {
		r.missing = false;
		const char *folder = staged[i].folder;
		const rg_side_options one = {.new_paths = {.items = &folder, .count = 1}};
		RG_AUTO(rg_sides) sides = {0};
		RG_TRY(rg_flow_find_sides(&sides, flow, &one));
		sides.fresh.label = rg_arena_textf(&sides.arena, "run %llu",
						   (unsigned long long)staged[i].manifest.run_id);
		RG_TRY(append_side(&r, i, &sides));
		staged[i].missing |= r.missing;
	}
	return rg_new_runs_judge(out, rules->judged ? &rules->noise : NULL);
}

void rg_new_runs_filter(rg_new_runs *runs, const rg_compare_rules *rules)
{
	size_t kept = 0;
	memset(runs->counts, 0, sizeof(runs->counts));
	for (size_t i = 0; i < runs->row_count; i++) {
		const rg_new_runs_row *row = &runs->rows[i];
		if (rg_filter_is_of_checks(&rules->filter) ||
		    !rg_filter_takes_file(&rules->filter, row->file, &rules->columns) ||
		    !rg_filter_takes_metric(&rules->filter, row->metric))
			continue;
		runs->counts[row->verdict]++;
		runs->rows[kept++] = *row;
	}
	runs->row_count = kept;
}
