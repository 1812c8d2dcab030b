/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/pairs.h"

#include "base/memory.h"
#include "base/thread.h"
#include "compare/compare_pairs.h"
#include "compare/differences.h"
#include "compare/row.h"
#include "flow/nearest_variant.h"
#include "flow/side_pairs.h"
#include "base/lfs.h"
#include "place/place.h"
#include "story/filter.h"
#include "source/staging_tables.h"

#include <stdlib.h>
#include <string.h>

static bool is_looked_at(const rg_row *row, const rg_filter *filter)
{
	return !row->identical && !row->ignored && rg_filter_takes_metric(filter, row->metric);
}

/* Appends the columns of the rows and, if none of a column's records counts, of the gaps. */
static void append_columns(rg_column_pair *columns, size_t *count, const rg_row *rows,
			   size_t row_count, const rg_golden *old, const rg_golden *fresh,
			   const rg_filter *filter)
{
	for (size_t i = 0; i < row_count; i++) {
		const rg_metric *before = rg_golden_find(old, rows[i].metric);
		const rg_metric *after = rg_golden_find(fresh, rows[i].metric);

		if (is_looked_at(&rows[i], filter) && before && after && before->records &&
		    before->records == after->records)
			columns[(*count)++] = (rg_column_pair){before, after};
	}
}

/*
 * Adds to the file that was added to a comparison last what differs one by one: of tensors the
 * largest elements (rg_row.elements), of a table its records (rg_file_outcome.table). Metrics that
 * the filter leaves out, or the policy ignores, are not looked at.
 */
static rg_error *append_differences(rg_comparison *comparison, const rg_golden *old,
				    const rg_golden *fresh, const rg_filter *filter)
{
	rg_file_outcome *file = &comparison->files[comparison->file_count - 1];
	rg_row *rows = comparison->rows + file->first_row;

	for (size_t i = 0; i < file->row_count; i++) {
		const rg_metric *before = rg_golden_find(old, rows[i].metric);
		const rg_metric *after = rg_golden_find(fresh, rows[i].metric);

		if (is_looked_at(&rows[i], filter) && rows[i].tensor && before && after)
			RG_TRY(rg_differing_elements(&rows[i].elements, &comparison->arenas[0],
						     before, after));
	}
	if (!old->records || old->records != fresh->records)
		return NULL;
	RG_AUTO_FREE rg_column_pair *columns =
		rg_calloc(file->row_count + file->gap_count + 1, sizeof(*columns));
	size_t count = 0;
	append_columns(columns, &count, comparison->rows + file->first_row, file->row_count, old,
		       fresh, filter);
	append_columns(columns, &count, comparison->gaps + file->first_gap, file->gap_count, old,
		       fresh, filter);
	rg_table_differences_find(&file->table, &comparison->arenas[0], columns, count,
				  old->records);
	return NULL;
}

typedef struct {
	rg_worktree *worktree; /* a handle is for one thread; the first worker is the caller */
	rg_place_reader old_reader, new_reader;
	rg_buf table; /* the new side, where it is not copied */
	rg_nearest_variant nearest;
} worker_state;

typedef struct {
	const rg_flow *flow;
	const rg_compare_options *options;
	const rg_side_pairs *sides;
	worker_state *workers;
	rg_worst_curves *curves; /* one a worker, then the rules' own */
	rg_compare_rules *rules;
	rg_compare_result *out;
} load_state;

/* In git: only the file's time had changed, or its line ends, or git has a pointer to it (Git LFS)?
 * By where goldens belong: the same bytes, or in git the pointer to them? By paths, what is the
 * same is shown. */
static rg_error *is_unchanged(const load_state *l, const worker_state *w, const rg_change *change,
			      const rg_pair *pair, bool *out)
{
	const rg_input *old = &pair->old_side, *fresh = &pair->new_side;
	const rg_span a = rg_input_span(old), b = rg_input_span(fresh);

	*out = false;
	if (change && (!change->unsure || change->kind != RG_CHANGE_MODIFIED))
		return NULL;
	if (!change && l->rules->sides.kind != RG_SIDES_LAYOUTS)
		return NULL;
	*out = change ? rg_change_is_none(w->worktree, change, old->data, old->size, fresh->data,
					  fresh->size)
		      : rg_span_equal(&a, &b);
	if (!*out)
		RG_TRY(rg_lfs_points_to(old->data, old->size, fresh->data, fresh->size, out));
	return *out || change
		       ? NULL
		       : rg_lfs_points_to(fresh->data, fresh->size, old->data, old->size, out);
}

static rg_error *check_merged(const rg_place_file *file, const char *label)
{
	return file->unmerged && file->tree ? rg_error_new(RG_E_CONFLICT, "%s: " RG_UNMERGED, label)
					    : NULL;
}

static rg_error *read_side(rg_place_reader *reader, const rg_place_file *file, const char *label,
			   rg_input *out)
{
	return rg_error_wrap(rg_place_read(reader, file, out), "%s", label);
}

/* A staged table that is not copied is rewritten: *fresh becomes what an update would write over
 * the old side, and is in `table` then. */
static rg_error *rewrite_table(rg_buf *table, const rg_manifest_golden *golden,
			       const rg_golden_options *formats, const rg_input *old,
			       rg_input *fresh)
{
	if (!golden->rewrite)
		return NULL;
	rg_table_manner manner = rg_golden_manner(golden, formats);
	rg_buf_clear(table);
	rg_error *err = rg_table_rewrite(table, (rg_bytes){old->data, old->size},
					 (rg_bytes){fresh->data, fresh->size}, &manner);
	if (err && rg_error_get_code(err) == RG_E_PARSE) {
		rg_error_free(err); /* reading it says so, too */
		return NULL;
	}
	RG_TRY(err);
	fresh->data = table->data;
	fresh->size = table->length;
	return NULL;
}

/* Reads both sides, and leaves out what is the same. */
static rg_error *read_sides(const load_state *l, worker_state *w, const rg_place_pair *from,
			    rg_pair *pair)
{
	const rg_place_file *old = from->old.path ? &from->old : NULL, *fresh = &from->fresh;
	const rg_manifest *manifest = &l->sides->fresh.manifest;

	if (old)
		RG_TRY(read_side(&w->old_reader, old, pair->old_label, &pair->old_side));
	RG_TRY(read_side(&w->new_reader, fresh, pair->new_label, &pair->new_side));
	if (old && fresh->staged)
		RG_TRY(rewrite_table(&w->table, &manifest->goldens[fresh->staged - 1],
				     &l->rules->new_options, &pair->old_side, &pair->new_side));
	if (old)
		RG_TRY(is_unchanged(l, w, from->change, pair, &pair->leave_out));
	if (pair->leave_out)
		return NULL;
	if (old)
		RG_TRY(rg_error_wrap(rg_place_refuse_pointer(old, &pair->old_side), "%s",
				     l->out->old_side));
	return rg_error_wrap(rg_place_refuse_pointer(fresh, &pair->new_side), "%s",
			     l->out->new_side);
}

static rg_error *load(load_state *l, worker_state *w, size_t index, rg_pair *pair)
{
	w->nearest.name = NULL;
	const rg_place_pair *from = &l->sides->pairs.items[index];
	const rg_place_file *old = &from->old, *fresh = &from->fresh;

	pair->name = (rg_file_name){from->name, from->change ? from->change->old_path : NULL};
	pair->status = !old->path ? RG_FILE_NEW : !fresh->path ? RG_FILE_REMOVED : RG_FILE_COMPARED;
	pair->old_label = l->out->old_side;
	pair->new_label = l->out->new_side;
	RG_TRY(check_merged(old, pair->old_label));
	RG_TRY(check_merged(fresh, pair->new_label));
	if (from->change && fresh->unmerged) /* for the case that it cannot be read */
		pair->new_label = "the working tree: " RG_UNMERGED;
	if (!w->worktree && l->flow->worktree && l->rules->sides.kind != RG_SIDES_PATHS)
		RG_TRY(rg_worktree_open_again(&w->worktree, l->flow->worktree));
	if (!fresh->path)
		return rg_place_read_removed(&w->old_reader, old, &pair->old_side);
	RG_TRY(read_sides(l, w, from, pair));
	/* The golden's variants are beside it: a run and an archive have none. */
	if (!old->path || pair->leave_out || l->sides->old.is_staging ||
	    l->sides->old.place.archive ||
	    !(rg_side_is_in_git(&l->rules->sides.old) || l->rules->sides.old.kind == RG_SIDE_PATH))
		return NULL;
	const rg_variant_rules rules = {rg_config_variants(l->flow->config), l->rules->policy,
					&l->rules->old_options, &l->rules->new_options};
	return rg_nearest_variant_find(&w->nearest, &rules, old, pair);
}

/* A golden that the update just before has compared, or read as new, is not read again, unless it
 * is opaque: a report has more to say of that. */
static void note_known(const rg_plan *plan, rg_pair *pair)
{
	const rg_plan_item *item = rg_plan_find(plan, pair->name.file);
	bool renamed = pair->name.old_file && strcmp(pair->name.old_file, pair->name.file) != 0;

	if (!item || renamed || !rg_plan_item_is_taken(item) ||
	    item->new_side.size != pair->new_side.size)
		return;
	if (pair->status == RG_FILE_NEW && item->change == RG_PLAN_NEW && !item->opaque &&
	    !item->findings.count)
		pair->new_side.name = NULL;
	pair->has_nonfinite = item->has_nonfinite;
	pair->is_known = pair->status == RG_FILE_COMPARED && item->handed_on;
	pair->known_file = item->file_index;
}

static rg_error *load_and_collect(void *context, size_t worker, size_t index, rg_pair *pair)
{
	load_state *l = context;
	RG_TRY(load(l, &l->workers[worker], index, pair));
	if (pair->status != RG_FILE_REMOVED)
		rg_format_reports_collect(&l->out->reports, index, pair);
	if (l->options->plan && !pair->leave_out && !l->workers[worker].nearest.name)
		note_known(l->options->plan, pair);
	return NULL;
}

static rg_error *look_at_compared(void *context, size_t worker, rg_comparison *comparison,
				  const rg_golden *old, const rg_golden *fresh)
{
	load_state *l = context;
	rg_file_outcome *file = &comparison->files[comparison->file_count - 1];
	const char *variant = l->workers[worker].nearest.name;

	if (variant)
		file->variant = rg_arena_text(&comparison->arenas[0], variant);
	if (file->status != RG_FILE_COMPARED)
		return rg_opaque_details_add(comparison, old, fresh, &l->rules->opaque);
	const rg_place_reader *reader = &l->workers[worker].new_reader;
	rg_check_place place = {.worktree = *reader->worktree,
				.folder = reader->place->folder,
				.tree = reader->tree,
				.archive = reader->place->archive,
				.path = reader->beside.path};
	/* A run leaves the goldens alone: the rest of their folder is in the working tree. */
	if (l->rules->sides.kind == RG_SIDES_LAYOUTS && !*reader->tree && l->flow->worktree)
		place = (rg_check_place){.folder = rg_worktree_root(l->flow->worktree),
					 .tree = "",
					 .path = file->file};
	return rg_pairs_look_at(l->rules, &l->curves[worker], comparison, old, fresh, &place);
}

rg_error *rg_pairs_look_at(rg_compare_rules *rules, rg_worst_curves *curves,
			   rg_comparison *comparison, const rg_golden *old, const rg_golden *fresh,
			   const rg_check_place *place)
{
	const rg_file_outcome *file = &comparison->files[comparison->file_count - 1];
	const rg_row *row = comparison->rows + file->first_row;

	RG_TRY(rg_opaque_details_add(comparison, old, fresh, &rules->opaque));
	if (rules->want_differences)
		RG_TRY(append_differences(comparison, old, fresh, &rules->filter));
	if (rules->judged)
		RG_TRY(rg_noise_judge_rows(&rules->judge, comparison, old, fresh));
	if (rules->checks)
		RG_TRY(rg_check_rules_apply(rules->checks, comparison, old, fresh, place));
	for (size_t i = 0; rules->want_curves && i < file->row_count; i++)
		if (rg_filter_takes_row(&rules->filter, &row[i], rules->checks) &&
		    rg_filter_takes_file(&rules->filter, file->file, &rules->columns))
			RG_TRY(rg_worst_curves_add(curves, &row[i], old, fresh,
						   rules->judged ? &rules->noise : NULL));
	return NULL;
}

/* --- the pairs --- */

static void release_workers(load_state *l, size_t count)
{
	for (size_t i = 0; l->curves && i <= count; i++)
		rg_worst_curves_release(&l->curves[i]);
	free(l->curves);
	for (size_t i = 0; l->workers && i < count; i++) {
		rg_nearest_variant_release(&l->workers[i].nearest);
		rg_buf_release(&l->workers[i].table);
		rg_place_reader_release(&l->workers[i].new_reader);
		rg_place_reader_release(&l->workers[i].old_reader);
		if (i)
			rg_worktree_free(l->workers[i].worktree);
	}
	free(l->workers);
}

/* Only git runs a filter: a blob may be unreadable because a filter wrote it. */
static void name_filters(const load_state *l)
{
	rg_comparison *c = &l->out->comparison;
	const bool in_git = l->flow->worktree && l->rules->sides.kind != RG_SIDES_PATHS;

	for (size_t i = 0; in_git && i < c->file_count; i++) {
		rg_file_outcome *file = &c->files[i];
		RG_AUTO_FREE char *filter =
			file->status == RG_FILE_UNREADABLE
				? rg_worktree_filter(l->flow->worktree, file->file)
				: NULL;
		if (filter)
			file->why = rg_arena_textf(&c->arenas[0], RG_BEHIND_FILTER ": %s", filter,
						   file->why);
	}
}

static rg_error *run_pairs(load_state *l, size_t count)
{
	const rg_compare_rules *rules = l->rules;
	rg_pair_source pairs = {.count = count,
				.workers = rg_workers_for(count),
				.load = load_and_collect,
				.context = l,
				.policy = rules->policy,
				.options = &rules->old_options,
				.new_options = &rules->new_options,
				.compared = look_at_compared,
				.known = l->options->plan ? &l->options->plan->comparison : NULL};
	size_t max;
	RG_TRY(rg_config_golden_max(l->flow->config, &max));

	l->out->reports.request = (rg_format_request){.run_index = rules->old_options.run_index,
						      .old_part = rules->old_options.part,
						      .new_part = rules->new_options.part};
	rg_format_reports_begin(&l->out->reports, count);
	l->workers = rg_calloc(pairs.workers, sizeof(*l->workers));
	l->curves = rg_calloc(pairs.workers + 1, sizeof(*l->curves));
	for (size_t i = 0; i < pairs.workers; i++) {
		worker_state *w = &l->workers[i];
		rg_place_reader_init(&w->old_reader, &w->worktree, max);
		rg_place_reader_init(&w->new_reader, &w->worktree, max);
		w->old_reader.place = &l->sides->old.place;
		w->new_reader.place = &l->sides->fresh.place;
		rg_nearest_variant_init(&w->nearest, &l->sides->old.place, &w->worktree, max);
		rg_buf_init(&w->table, 2 * max);
	}
	l->workers[0].worktree = l->flow->worktree;
	rg_error *err = rg_compare_pairs(&l->out->comparison, &pairs);
	if (!err) {
		name_filters(l);
		rg_filter_rows(&rules->filter, &l->out->comparison);
		l->curves[pairs.workers] = rules->curves;
		l->rules->curves = (rg_worst_curves){0};
		if (rules->want_curves)
			rg_worst_curves_pick(&l->out->curves, &l->out->comparison, l->curves,
					     pairs.workers + 1);
	}
	release_workers(l, pairs.workers);
	return err;
}

rg_error *rg_pairs_compare(rg_compare_result *out, const rg_flow *flow,
			   const rg_compare_options *options, rg_compare_rules *rules)
{
	rg_side_pairs sides;
	load_state l = {
		.flow = flow, .options = options, .sides = &sides, .out = out, .rules = rules};
	rg_error *err = rg_side_pairs_find(&sides, flow, options, rules, out);

	if (!err)
		err = run_pairs(&l, sides.pairs.count);
	if (sides.fresh.manifest.run_id) {
		out->manifest = sides.fresh.manifest;
		rg_manifest_init(&sides.fresh.manifest);
	}
	return rg_side_pairs_release(&sides, err);
}

void rg_compare_result_release(rg_compare_result *result)
{
	free(result->idle);
	free(result->old_url);
	free(result->new_url);
	rg_manifest_release(&result->manifest);
	rg_gate_groups_release(&result->groups);
	rg_breach_list_release(&result->breaches);
	rg_curves_release(&result->curves);
	rg_new_runs_release(&result->new_runs);
	rg_format_reports_release(&result->reports);
	rg_comparison_release(&result->comparison);
}
