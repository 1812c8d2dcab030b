/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/pairs.h"

#include "base/workers.h"
#include "compare/compare_pairs.h"
#include "flow/changed_files.h"
#include "flow/differences.h"
#include "flow/file_pairs.h"
#include "flow/golden_side.h"
#include "flow/layout_pairs.h"
#include "flow/rewritten_side.h"
#include "golden/lfs.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
	rg_worktree *worktree; /* a handle is for one thread; the first worker is the caller */
	rg_golden_side old_side, new_side;
	rg_buf table; /* the new side, where it is not copied */
} worker_state;

/* The pairs are changes in the repository, files outside of it, or goldens of two sides that belong
 * into it. */
typedef struct {
	const rg_flow *flow;
	const rg_compare_options *options;
	rg_change_list changes;
	rg_file_pairs files;
	rg_layout_pairs layouts;
	rg_staged_side old_staged, new_staged; /* of sides that are not in git */
	rg_pair_load_fn *load;
	worker_state *workers;
	rg_worst_curves *curves; /* one a worker, then the rules' own */
	rg_compare_rules *rules;
	rg_compare_result *out;
} loader;

static rg_file_status status_of(rg_change_kind kind)
{
	return kind == RG_CHANGE_NEW       ? RG_FILE_NEW
	       : kind == RG_CHANGE_REMOVED ? RG_FILE_REMOVED
					   : RG_FILE_COMPARED;
}

/* Only the file's time had changed, or its line ends, or git has a pointer to it (Git LFS)? */
static rg_error *is_unchanged(const worker_state *w, const rg_change *change, const rg_pair *pair,
			      bool *out)
{
	const rg_input *old = &pair->old_side, *fresh = &pair->new_side;
	*out = rg_change_is_none(w->worktree, change, old->data, old->size, fresh->data,
				 fresh->size);
	if (*out || !change->unsure || change->kind != RG_CHANGE_MODIFIED)
		return NULL;
	return rg_lfs_points_to(old->data, old->size, fresh->data, fresh->size, out);
}

static rg_error *read_old(worker_state *w, const char *path, const char *tree, const char *id,
			  rg_pair *pair)
{
	return rg_error_wrap(rg_golden_side_read(&w->old_side, path, tree, id, &pair->old_side),
			     "%s", pair->old_label);
}

static rg_error *read_new(worker_state *w, const char *path, const char *tree, const char *id,
			  rg_pair *pair)
{
	return rg_error_wrap(rg_golden_side_read(&w->new_side, path, tree, id, &pair->new_side),
			     "%s", pair->new_label);
}

static rg_error *load_change(void *context, size_t worker, size_t index, rg_pair *pair)
{
	loader *l = context;
	worker_state *w = &l->workers[worker];
	const rg_change *change = &l->changes.items[index];
	/* A file that a sparse checkout leaves out is the index's. */
	const char *new_tree = *change->new_id && !*l->changes.to_id ? ":" : l->changes.to_id;

	pair->name = (rg_file_name){change->path, change->old_path};
	pair->status = status_of(change->kind);
	pair->old_label = l->out->old_side;
	pair->new_label = l->out->new_side;
	if (change->unmerged && l->rules->sides.fresh.kind == RG_SIDE_INDEX)
		return rg_error_new(RG_E_CONFLICT, "%s: " RG_UNMERGED, pair->new_label);
	if (change->unmerged) /* for the case that it cannot be read */
		pair->new_label = "the working tree: " RG_UNMERGED;
	if (!w->worktree)
		RG_TRY(rg_worktree_open_again(&w->worktree, l->flow->worktree));
	w->old_side.folder = w->new_side.folder = rg_worktree_root(l->flow->worktree);
	if (pair->status == RG_FILE_COMPARED)
		RG_TRY(read_old(w, change->old_path, l->changes.base_id, change->old_id, pair));
	if (pair->status == RG_FILE_REMOVED)
		return rg_golden_side_read_removed(&w->old_side, change->old_path,
						   l->changes.base_id, change->old_id,
						   &pair->old_side);
	RG_TRY(read_new(w, change->path, new_tree, change->new_id, pair));
	RG_TRY(is_unchanged(w, change, pair, &pair->leave_out));
	if (pair->leave_out)
		return NULL;
	RG_TRY(rg_error_wrap(rg_golden_side_refuse_pointer(&pair->old_side, change->old_id), "%s",
			     l->out->old_side));
	return rg_error_wrap(rg_golden_side_refuse_pointer(&pair->new_side, change->new_id), "%s",
			     l->out->new_side);
}

static rg_error *load_files(void *context, size_t worker, size_t index, rg_pair *pair)
{
	loader *l = context;
	worker_state *w = &l->workers[worker];
	const rg_file_pair *files = &l->files.items[index];

	pair->name.file = files->name;
	pair->status = !files->old_path   ? RG_FILE_NEW
		       : !files->new_path ? RG_FILE_REMOVED
					  : RG_FILE_COMPARED;
	pair->old_label = l->out->old_side;
	pair->new_label = l->out->new_side;
	w->old_side.folder = l->files.old_folder;
	w->new_side.folder = l->files.new_folder;
	w->old_side.zip = l->files.old_zip;
	w->new_side.zip = l->files.new_zip;
	if (!files->new_path)
		return rg_golden_side_read_removed(&w->old_side, files->old_path, "", NULL,
						   &pair->old_side);
	if (files->old_path)
		RG_TRY(read_old(w, files->old_path, "", NULL, pair));
	return read_new(w, files->new_path, "", NULL, pair);
}

/* The same bytes, or in git the pointer to them (Git LFS)? */
static rg_error *is_same(const rg_pair *pair, bool *out)
{
	const rg_input *old = &pair->old_side, *fresh = &pair->new_side;
	const rg_span a = rg_input_span(old), b = rg_input_span(fresh);

	*out = rg_span_equal(&a, &b);
	if (!*out)
		RG_TRY(rg_lfs_points_to(old->data, old->size, fresh->data, fresh->size, out));
	return *out ? NULL : rg_lfs_points_to(fresh->data, fresh->size, old->data, old->size, out);
}

static rg_error *check_merged(const rg_layout_file *file, const char *label)
{
	return file && file->unmerged && *file->tree
		       ? rg_error_new(RG_E_CONFLICT, "%s: " RG_UNMERGED, label)
		       : NULL;
}

static rg_error *load_layouts(void *context, size_t worker, size_t index, rg_pair *pair)
{
	loader *l = context;
	worker_state *w = &l->workers[worker];
	const rg_layout_file *old = l->layouts.items[index].old;
	const rg_layout_file *fresh = l->layouts.items[index].fresh;

	pair->name.file = fresh ? fresh->target : old->target;
	pair->status = !old ? RG_FILE_NEW : !fresh ? RG_FILE_REMOVED : RG_FILE_COMPARED;
	pair->old_label = l->out->old_side;
	pair->new_label = l->out->new_side;
	RG_TRY(check_merged(old, pair->old_label));
	RG_TRY(check_merged(fresh, pair->new_label));
	if (!w->worktree && l->flow->worktree)
		RG_TRY(rg_worktree_open_again(&w->worktree, l->flow->worktree));
	w->old_side.folder = l->layouts.old.folder;
	w->new_side.folder = l->layouts.fresh.folder;
	w->old_side.zip = l->layouts.old.zip;
	w->new_side.zip = l->layouts.fresh.zip;
	if (!fresh)
		return rg_golden_side_read_removed(&w->old_side, old->path, old->tree, old->id,
						   &pair->old_side);
	if (old)
		RG_TRY(read_old(w, old->path, old->tree, old->id, pair));
	RG_TRY(read_new(w, fresh->path, fresh->tree, fresh->id, pair));
	if (old)
		RG_TRY(rg_rewritten_side(&w->table, fresh->golden, &l->rules->new_options,
					 &pair->old_side, &pair->new_side));
	if (old)
		RG_TRY(is_same(pair, &pair->leave_out));
	if (pair->leave_out)
		return NULL;
	if (old)
		RG_TRY(rg_error_wrap(rg_golden_side_refuse_pointer(&pair->old_side, old->id), "%s",
				     pair->old_label));
	return rg_error_wrap(rg_golden_side_refuse_pointer(&pair->new_side, fresh->id), "%s",
			     pair->new_label);
}

/* What the update just before has compared, or read as new, is not read again: but for what is
 * opaque, of which a report has more to say. */
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
	pair->is_known = pair->status == RG_FILE_COMPARED && item->handed_on;
	pair->known_file = item->file_index;
}

static rg_error *load_and_collect(void *context, size_t worker, size_t index, rg_pair *pair)
{
	loader *l = context;
	RG_TRY(l->load(context, worker, index, pair));
	if (pair->status != RG_FILE_REMOVED)
		RG_TRY(rg_format_reports_collect(&l->out->reports, index, pair));
	if (l->options->plan && !pair->leave_out)
		note_known(l->options->plan, pair);
	return NULL;
}

/* What a run leaves has the goldens alone: the rest of their folder is in the working tree. */
static rg_check_place place_of(const loader *l, size_t worker, const rg_comparison *comparison)
{
	const rg_golden_side *side = &l->workers[worker].new_side;
	const char *file = comparison->files[comparison->file_count - 1].file;

	if (l->rules->sides.kind == RG_SIDES_LAYOUTS && !*side->tree && l->flow->worktree)
		return (rg_check_place){NULL, rg_worktree_root(l->flow->worktree), "", file};
	return (rg_check_place){side->worktree ? *side->worktree : NULL, side->folder, side->tree,
				side->beside.path};
}

static rg_error *look_at_compared(void *context, size_t worker, rg_comparison *comparison,
				  const rg_golden *old, const rg_golden *fresh)
{
	loader *l = context;
	const rg_file_outcome *file = &comparison->files[comparison->file_count - 1];

	if (file->status != RG_FILE_COMPARED)
		return rg_opaque_details_add(comparison, old, fresh, &l->rules->opaque);
	rg_check_place place = place_of(l, worker, comparison);
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
		RG_TRY(rg_differences_add(comparison, old, fresh, &rules->filter));
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

static rg_error *begin_reports(rg_format_reports *reports, const rg_compare_rules *rules,
			       size_t count)
{
	reports->run_index = rules->old_options.run_index;
	reports->old_backend = rules->old_options.backend;
	reports->new_backend = rules->new_options.backend;
	return rg_format_reports_begin(reports, count);
}

static rg_error *run_pairs(loader *l, rg_pair_load_fn *load, size_t count, rg_compare_rules *rules)
{
	rg_pair_source pairs = {.count = count,
				.workers = rg_workers_for(count),
				.load = load_and_collect,
				.context = l,
				.policy = rules->policy,
				.options = &rules->old_options,
				.new_options = &rules->new_options,
				.compared = look_at_compared,
				.known = l->options->plan ? &l->options->plan->comparison : NULL};
	uint64_t max;
	rg_error *err;

	RG_TRY(rg_config_golden_max(l->flow->config, &max));
	RG_TRY(begin_reports(&l->out->reports, rules, count));
	l->load = load;
	l->workers = calloc(pairs.workers, sizeof(*l->workers));
	l->curves = calloc(pairs.workers + 1, sizeof(*l->curves));
	if (!l->workers || !l->curves) {
		free(l->curves);
		free(l->workers);
		return rg_error_nomem();
	}
	for (size_t i = 0; i < pairs.workers; i++) {
		worker_state *w = &l->workers[i];
		rg_golden_side_init(&w->old_side, &w->worktree, max);
		rg_golden_side_init(&w->new_side, &w->worktree, max);
		rg_buf_init(&w->table, max < SIZE_MAX / 2 ? (size_t)max * 2 : SIZE_MAX);
	}
	l->workers[0].worktree = l->flow->worktree;
	err = rg_compare_pairs(&l->out->comparison, &pairs);
	if (!err) {
		rg_filter_rows(&rules->filter, &l->out->comparison);
		l->curves[pairs.workers] = rules->curves;
		rules->curves = (rg_worst_curves){0};
		if (rules->want_curves)
			err = rg_worst_curves_pick(&l->out->curves, &l->out->comparison, l->curves,
						   pairs.workers + 1);
	}
	for (size_t i = 0; i <= pairs.workers; i++)
		rg_worst_curves_release(&l->curves[i]);
	free(l->curves);
	for (size_t i = 0; i < pairs.workers; i++) {
		rg_buf_release(&l->workers[i].table);
		rg_golden_side_release(&l->workers[i].new_side);
		rg_golden_side_release(&l->workers[i].old_side);
		if (i)
			rg_worktree_free(l->workers[i].worktree);
	}
	free(l->workers);
	return err;
}

/* A side's files on this machine, if it is not in git. Of two paths, only an archive's have to be
 * made. */
static rg_error *stage_side(loader *l, const rg_side_name *name, bool artifacts,
			    rg_staged_side *out, const char **label)
{
	const rg_stage_options options = {l->options->repository, l->options->source,
					  l->options->workflow, artifacts};

	if (rg_side_is_in_git(name) ||
	    (l->rules->sides.kind == RG_SIDES_PATHS && name->kind == RG_SIDE_PATH))
		return NULL;
	RG_TRY(rg_side_stage(out, l->flow, name, &options));
	l->out->missing |= out->missing;
	return out->label ? rg_arena_text(&l->rules->sides.arena, out->label, label) : NULL;
}

static rg_error *stage_sides(loader *l)
{
	const rg_sides *sides = &l->rules->sides;
	RG_TRY(stage_side(l, &sides->old, false, &l->old_staged, &l->out->old_side));
	RG_TRY(stage_side(l, &sides->fresh, false, &l->new_staged, &l->out->new_side));
	if (!l->out->run_id)
		l->out->run_id = l->new_staged.manifest.run_id;
	return NULL;
}

/* A path or archive whose goldens are where nobody else has any. */
static bool may_be_artifacts(const rg_side_name *name, const rg_staged_side *staged,
			     const rg_layout_side *side)
{
	return rg_side_is_on_disk(name) && !staged->is_staging && !side->whole;
}

static rg_error *stage_again(loader *l, const rg_side_name *name, rg_staged_side *staged,
			     const char **label)
{
	RG_TRY(rg_staged_side_release(staged, NULL));
	return stage_side(l, name, true, staged, label);
}

/* Takes `err`, of the pairs as they are in folders and archives. Where none has two sides, these
 * hold what jobs left, and where that belongs has to be found out. */
static rg_error *try_artifacts(loader *l, rg_error *err)
{
	const rg_sides *s = &l->rules->sides;
	bool old = may_be_artifacts(&s->old, &l->old_staged, &l->layouts.old);
	bool fresh = may_be_artifacts(&s->fresh, &l->new_staged, &l->layouts.fresh);
	bool found = err ? rg_error_get_code(err) != RG_E_NOTFOUND
			 : rg_layout_pairs_meet(&l->layouts);

	if (found || !(old || fresh))
		return err;
	rg_error_free(err);
	rg_layout_pairs_release(&l->layouts);
	if (old)
		RG_TRY(stage_again(l, &s->old, &l->old_staged, &l->out->old_side));
	if (fresh)
		RG_TRY(stage_again(l, &s->fresh, &l->new_staged, &l->out->new_side));
	return rg_layout_pairs_find(&l->layouts, l->flow, s, &l->old_staged, &l->new_staged);
}

static rg_file_side file_side(const rg_side_name *name, const rg_staged_side *staged)
{
	return (rg_file_side){staged->folder ? staged->folder : name->text, staged->zip};
}

static rg_error *check_root(const loader *l)
{
	rg_error *err = rg_flow_check_root(l->flow, &l->changes);
	if (!err || !l->options->refreshed)
		return err;
	rg_log_say(&l->flow->log, RG_LOG_WARNING, "%s", rg_error_message(err));
	rg_error_free(err);
	return NULL;
}

static rg_error *compare_repository(loader *l, rg_compare_rules *rules)
{
	rg_change_list *list = &l->changes;
	size_t kept = 0;

	RG_TRY(rg_flow_need_worktree(l->flow));
	RG_TRY(rg_changed_files(list, l->flow, &rules->sides, l->options->sides.no_renames));
	for (size_t i = 0; i < list->count; i++)
		if (list->items[i].kind == RG_CHANGE_NONE)
			return rg_error_new(RG_E_USAGE, "'%s' is neither in %s nor in %s",
					    list->items[i].path, l->out->old_side,
					    l->out->new_side);
	for (size_t i = 0; i < list->count; i++)
		if (rg_filter_takes_file(&rules->filter, list->items[i].path, &rules->columns))
			list->items[kept++] = list->items[i];
	list->count = kept;
	if (!rules->sides.part_count || rules->sides.parts[0].folder)
		RG_TRY(check_root(l));
	return run_pairs(l, load_change, list->count, rules);
}

static rg_error *compare_layouts(loader *l, rg_compare_rules *rules)
{
	rg_layout_pairs *pairs = &l->layouts;
	size_t kept = 0;

	RG_TRY(stage_sides(l));
	RG_TRY(try_artifacts(l, rg_layout_pairs_find(pairs, l->flow, &rules->sides, &l->old_staged,
						     &l->new_staged)));
	RG_TRY(rg_layout_pairs_keep_new(pairs, &rules->sides));
	for (size_t i = 0; i < pairs->count; i++) {
		const rg_layout_pair *pair = &pairs->items[i];
		if (rg_filter_takes_file(&rules->filter,
					 pair->fresh ? pair->fresh->target : pair->old->target,
					 &rules->columns))
			pairs->items[kept++] = *pair;
	}
	return run_pairs(l, load_layouts, kept, rules);
}

static rg_error *compare_outside(loader *l, rg_compare_rules *rules)
{
	rg_file_pairs *files = &l->files;
	bool artifacts;
	size_t kept = 0;

	if (rules->sides.old.kind == RG_SIDE_NOTHING) {
		RG_TRY(rg_file_pairs_alone(files, rules->sides.fresh.text));
		return run_pairs(l, load_files, files->count, rules);
	}
	RG_TRY(stage_sides(l));
	rg_file_side old = file_side(&rules->sides.old, &l->old_staged);
	rg_file_side fresh = file_side(&rules->sides.fresh, &l->new_staged);
	RG_TRY(rg_file_pairs_find(files, &old, &fresh,
				  rg_config_get(l->flow->config, "regild.files")));
	RG_TRY(rg_sides_are_artifacts(&artifacts, l->flow, files));
	if (artifacts) {
		rules->sides.kind = RG_SIDES_LAYOUTS;
		RG_TRY(rg_staged_side_release(&l->old_staged, NULL));
		RG_TRY(rg_staged_side_release(&l->new_staged, NULL));
		return compare_layouts(l, rules);
	}
	/* Who says what a golden is, says what is none. */
	if (files->guessed && !rg_config_is_default(l->flow->config, "regild.files"))
		return rg_error_new(RG_E_NOTFOUND,
				    "neither side has a golden that regild.files ('%s') names",
				    rg_config_get(l->flow->config, "regild.files"));
	/* That there is nothing to compare must not pass for goldens that are all well. */
	if (!files->count && !l->out->missing)
		return rg_error_new(RG_E_NOTFOUND,
				    "there is no golden in %s, nor in %s; regild.files says which "
				    "files are",
				    rules->sides.old.text, rules->sides.fresh.text);
	for (size_t i = 0; i < files->count; i++)
		if (rg_filter_takes_file(&rules->filter, files->items[i].name, &rules->columns))
			files->items[kept++] = files->items[i];
	return run_pairs(l, load_files, kept, rules);
}

rg_error *rg_pairs_compare(rg_compare_result *out, const rg_flow *flow,
			   const rg_compare_options *options, rg_compare_rules *rules)
{
	loader l = {.flow = flow, .options = options, .out = out, .rules = rules};
	rg_error *err = rules->sides.kind == RG_SIDES_PATHS    ? compare_outside(&l, rules)
			: rules->sides.kind == RG_SIDES_IN_GIT ? compare_repository(&l, rules)
							       : compare_layouts(&l, rules);

	rg_layout_pairs_release(&l.layouts);
	rg_change_list_release(&l.changes);
	rg_file_pairs_release(&l.files);
	if (l.new_staged.manifest.run_id) {
		out->manifest = l.new_staged.manifest;
		rg_manifest_init(&l.new_staged.manifest);
	}
	err = rg_staged_side_release(&l.old_staged, err);
	return rg_staged_side_release(&l.new_staged, err);
}
