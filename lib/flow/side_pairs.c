/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/side_pairs.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/order.h"
#include "base/path.h"
#include "base/pattern.h"
#include "flow/download.h"
#include "flow/run_folders.h"
#include "place/place.h"
#include "source/settings.h"
#include "store/scratch.h"
#include "update/safe_tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- archives --- */

/* An archive on its way. */
typedef struct {
	const rg_flow *flow;
	const char *name, *files; /* regild.files */
	rg_members *archive;
	rg_archive_kind kind;
	rg_settings settings;
	const char **
		patterns; /* regild.files as the selection has them: in any folder of the archive */
	bool missing;
} unpacking;

static void say_refusal(const rg_flow *flow, const char *archive, const rg_refusal *refusal)
{
	if (refusal->twice)
		rg_log_say(&flow->log, RG_LOG_MISSING, "%s: appears twice in %s", refusal->name,
			   archive);
	else
		rg_log_say(&flow->log, RG_LOG_MISSING, "%s: %s: %s", archive, refusal->name,
			   rg_error_message(refusal->err));
}

/* Of what was refused, only goldens are missing: a name that is unsafe may be anything's. With
 * `all`, what appears twice may be one, and no other file tells. */
static void say_refused(unpacking *u, const rg_selection *selection, bool all)
{
	for (size_t i = 0; i < selection->count; i++) {
		const rg_refusal *refusal = &selection->refusals[i];
		if (!(all && refusal->twice && refusal->wanted) &&
		    !rg_globs_take(u->files, refusal->name))
			continue;
		say_refusal(u->flow, u->name, refusal);
		u->missing = true;
	}
}

static void make_patterns(unpacking *u)
{
	rg_arena *arena = &u->settings.rules.arena;
	size_t count = u->settings.rules.pattern_count;
	u->patterns = rg_arena_alloc(arena, (count + 1) * sizeof(*u->patterns));
	for (size_t i = 0; i < count; i++)
		u->patterns[i] = rg_arena_textf(arena, "**/%s", u->settings.rules.patterns[i]);
}

/* What regild.files names; where that is nothing, all there is, and what looks like a golden is
 * compared. */
static rg_error *select_members(unpacking *u, rg_selection *selection)
{
	rg_members *archive = u->archive;
	const rg_reader *reader = &archive->file.reader;

	RG_TRY(rg_archive_kind_read(&u->kind, reader));
	if (u->kind == RG_ARCHIVE_NONE)
		return rg_error_new(RG_E_PARSE, "is neither a zip nor a tar");
	if (u->kind == RG_ARCHIVE_ZIP) /* what is read where it is takes no room */
		u->settings.limits.member_size = UINT64_MAX;
	make_patterns(u);
	RG_TRY(rg_members_select(archive, selection, reader, u->kind, u->patterns,
				 u->settings.rules.pattern_count, &u->settings.limits));
	say_refused(u, selection, false);
	if (archive->count || u->missing)
		return rg_members_sort(archive);
	rg_selection_release(selection);
	rg_selection_init(selection);
	RG_TRY(rg_members_select_all(archive, selection, u->kind, &u->settings.limits));
	say_refused(u, selection, true);
	return rg_members_sort(archive);
}

static rg_error *unpack(rg_staged_side *out, const rg_flow *flow, const char *path)
{
	unpacking u = {.flow = flow,
		       .name = path,
		       .archive = rg_calloc(1, sizeof(*u.archive)),
		       .files = rg_config_goldens(flow->config)};
	rg_members_init(u.archive);
	out->place.archive = u.archive;
	rg_error *err = rg_settings_load(&u.settings, flow->config);
	if (!err)
		err = rg_members_open(u.archive, path);
	if (!err)
		err = rg_error_wrap(select_members(&u, &out->refused), "%s", path);
	out->missing = u.missing;
	rg_settings_release(&u.settings);
	return err;
}

/* --- runs --- */

static rg_error *download(rg_staged_side *out, const rg_flow *flow, const rg_source_options *source)
{
	const rg_download_options options = {.source = *source,
					     .all = true,
					     .folder = out->place.folder,
					     .if_unfinished = "compare it once it has"};
	rg_download_result result;

	rg_download_result_init(&result);
	rg_error *err = rg_download(&result, flow, &options);
	out->is_staging = true;
	out->missing = result.missing;
	rg_manifest_release(&out->manifest);
	out->manifest = result.manifest;
	rg_manifest_init(&result.manifest);
	rg_download_result_release(&result);
	return err;
}

static rg_error *download_latest(rg_staged_side *out, const rg_flow *flow, const char *branch,
				 const rg_stage_options *options)
{
	rg_source_options source = {.repository_name = options->repository,
				    .source = options->source,
				    .no_cache = true};
	const rg_run_choice choice = {.latest = true,
				      .branch = branch,
				      .workflow = options->workflow,
				      .cannot_wait = true};
	rg_open_source open;
	char run[32];
	uint64_t id = 0;
	rg_error *err = rg_flow_open_source(&open, flow, &source);

	if (!err)
		err = rg_flow_choose_run(&id, flow, open.source, &choice, NULL, NULL);
	snprintf(run, sizeof(run), "%llu", (unsigned long long)id);
	source.run = run;
	source.repository = &open.repository;
	source.no_cache = false;
	if (!err)
		out->label = rg_arena_textf(&out->place.arena, "run %s of %s", run, branch);
	if (!err)
		err = download(out, flow, &source);
	rg_flow_close_source(&open);
	return err;
}

/* --- any side --- */

void rg_staged_side_init(rg_staged_side *side)
{
	*side = (rg_staged_side){0};
	rg_place_init(&side->place);
	rg_manifest_init(&side->manifest);
	rg_selection_init(&side->refused);
}

static rg_error *stage_path(rg_staged_side *out, const char *folder)
{
	rg_place_open_folder(&out->place, folder);
	out->is_staging = rg_manifest_is_in(folder);
	return out->is_staging ? rg_manifest_load(&out->manifest, folder) : NULL;
}

rg_error *rg_side_stage(rg_staged_side *out, const rg_flow *flow, const rg_side_name *name,
			const rg_stage_options *options)
{
	bool path = name->kind == RG_SIDE_PATH, archive = name->kind == RG_SIDE_ARCHIVE;
	const char *from[] = {name->text};
	rg_source_options source = {.repository_name = options->repository,
				    .source = options->source};

	if (path && !options->artifacts)
		return stage_path(out, name->text);
	if (archive && !options->artifacts)
		return unpack(out, flow, name->text);
	RG_TRY(rg_scratch_make_default(&out->scratch));
	rg_place_open_folder(&out->place, out->scratch);
	if (name->kind == RG_SIDE_LATEST)
		return download_latest(out, flow, name->text, options);
	if (path || archive)
		source.from = (rg_texts){.items = from, .count = 1};
	else
		source.run = name->text;
	return download(out, flow, &source);
}

rg_error *rg_staged_side_release(rg_staged_side *side, rg_error *err)
{
	if (side->scratch)
		err = rg_error_first(err, rg_remove_tree(side->scratch));
	rg_place_close(&side->place);
	free(side->scratch);
	rg_manifest_release(&side->manifest);
	rg_selection_release(&side->refused);
	rg_staged_side_init(side);
	return err;
}

typedef struct {
	rg_side_pairs *out;
	const rg_flow *flow;
	const rg_compare_options *options;
	rg_compare_rules *rules;
	rg_compare_result *result;
	const char *root, *files; /* regild.root, "" for the top; regild.files */
} finder;

RG_ORDER(compare_refusals, rg_refusal, RG_BY_TEXT(name));

/* The member that an archive has for that key, and that could not be taken; NULL: none. */
static const rg_refusal *find_refusal(const finder *f, const rg_staged_side *side, const char *key)
{
	const rg_selection *refused = &side->refused;
	for (; refused->count; key += strlen(f->root) + 1) {
		const rg_refusal wanted = {.name = key};
		const rg_refusal *found = bsearch(&wanted, refused->refusals, refused->count,
						  sizeof(wanted), compare_refusals);
		if (found || f->rules->sides.kind == RG_SIDES_PATHS || !*f->root ||
		    !rg_path_is_below(f->root, key))
			return found;
	}
	return NULL;
}

/* A golden that one side has, but not so that it can be read, is neither new nor removed. */
static void hold_back(const finder *f)
{
	rg_side_pairs *out = f->out;
	rg_staged_side *sides[] = {&out->old, &out->fresh};
	size_t kept = 0;
	for (size_t i = 0; i < 2; i++)
		if (sides[i]->refused.count)
			qsort(sides[i]->refused.refusals, sides[i]->refused.count,
			      sizeof(rg_refusal), compare_refusals);
	for (size_t i = 0; i < out->pairs.count; i++) {
		const rg_place_pair *pair = &out->pairs.items[i];
		const bool fresh = pair->old.path != NULL;
		const rg_refusal *refusal = NULL;
		if (!pair->old.path || !pair->fresh.path)
			refusal = find_refusal(f, sides[fresh], pair->name);
		if (!refusal)
			out->pairs.items[kept++] = *pair;
		else if (!refusal->twice && !rg_globs_take(f->files, refusal->name))
			say_refusal(f->flow,
				    fresh ? f->rules->sides.fresh.text : f->rules->sides.old.text,
				    refusal);
		f->result->missing |= refusal != NULL;
	}
	out->pairs.count = kept;
}

static void filter(const finder *f)
{
	rg_place_pairs *pairs = &f->out->pairs;
	size_t kept = 0;
	hold_back(f);
	for (size_t i = 0; i < pairs->count; i++)
		if (rg_filter_takes_file(&f->rules->filter, pairs->items[i].name,
					 &f->rules->columns))
			pairs->items[kept++] = pairs->items[i];
	pairs->count = kept;
}

/* --- in git --- */

/* Has either side such a folder? */
static bool was_folder(const rg_flow *flow, const rg_change_list *list, const char *path)
{
	return rg_worktree_has_folder(flow->worktree, list->base_id, path) ||
	       (*list->to_id && rg_worktree_has_folder(flow->worktree, list->to_id, path));
}

/* Finds the named files. What is none on either side and was a folder is one of `folders`, an array
 * of the parts' paths, of which *count are there. */
static rg_error *find_files(rg_change_list *out, const rg_flow *flow, const rg_sides *sides,
			    const rg_change_query *query, const char **folders, size_t *count)
{
	const char **paths = rg_arena_alloc(flow->arena, (sides->part_count + 1) * sizeof(*paths));
	size_t files = 0, kept = 0;
	for (size_t i = 0; i < sides->part_count; i++)
		if (sides->parts[i].folder)
			folders[(*count)++] = sides->parts[i].path;
		else
			paths[files++] = sides->parts[i].path;
	RG_TRY(rg_worktree_named(flow->worktree, query, paths, files, out));
	for (size_t i = 0; i < out->count; i++)
		if (out->items[i].kind == RG_CHANGE_NONE &&
		    was_folder(flow, out, out->items[i].path))
			folders[(*count)++] = out->items[i].path;
		else
			out->items[kept++] = out->items[i];
	out->count = kept;
	return NULL;
}

static bool is_in_any(const char *path, const char *const *folders, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!*folders[i] || rg_path_is_below(folders[i], path))
			return true;
	return false;
}

RG_ORDER(compare_changes, rg_change, RG_BY_PATH(path));

/* Adds what differs in the folders to the files that are listed; a file that is named as well is
 * there already. */
static void add_folders(rg_change_list *list, const rg_change_list *changes,
			const char *const *folders, size_t count)
{
	size_t named = list->count;
	for (size_t i = 0; i < changes->count; i++) {
		const rg_change *change = &changes->items[i];
		if (is_in_any(change->path, folders, count) &&
		    !(named &&
		      bsearch(change, list->items, named, sizeof(*change), compare_changes)))
			rg_change_list_add(list, change);
	}
	if (list->count > named)
		qsort(list->items, list->count, sizeof(*list->items), compare_changes);
}

static rg_error *find_parts(rg_change_list *out, const rg_flow *flow, const rg_sides *sides,
			    const rg_change_query *query, const char **folders)
{
	rg_change_list changes = {0};
	size_t count = 0;

	RG_TRY(find_files(out, flow, sides, query, folders, &count));
	if (!count)
		return NULL;
	rg_error *err = rg_worktree_changes(flow->worktree, query, &changes);
	if (!err)
		add_folders(out, &changes, folders, count);
	rg_change_list_release(&changes);
	return err;
}

/* The goldens that differ. Where parts are named: of folders, the goldens in them that differ;
 * files, whether they differ or not. */
static rg_error *list_changes(const finder *f)
{
	const rg_sides *sides = &f->rules->sides;
	rg_change_list *out = &f->out->changes;
	rg_change_query query = rg_side_query(&sides->fresh, f->flow->config);

	query.base = sides->old.text;
	query.merge_base = sides->merge_base;
	query.no_renames = f->options->sides.no_renames;
	query.unsure = true;
	if (!sides->part_count) {
		RG_TRY(rg_worktree_changes(f->flow->worktree, &query, out));
		return *out->to_id ? NULL
				   : rg_run_folders_leave_out(out, f->flow, f->options->from);
	}
	return find_parts(
		out, f->flow, sides, &query,
		rg_arena_alloc(f->flow->arena, (sides->part_count + 1) * sizeof(const char *)));
}

static rg_error *check_root(const finder *f)
{
	rg_error *err = rg_flow_check_root(f->flow, &f->out->changes);
	if (!err || !f->options->refreshed)
		return err;
	rg_log_say(&f->flow->log, RG_LOG_WARNING, "%s", rg_error_message(err));
	rg_error_free(err);
	return NULL;
}

static rg_error *say_in_neither(const char *path, const char *old, const char *fresh)
{
	if (!strcmp(old, fresh))
		return rg_error_new(RG_E_USAGE, "'%s' is not in %s", path, old);
	return rg_error_new(RG_E_USAGE, "'%s' is neither in %s nor in %s", path, old, fresh);
}

static rg_error *find_in_git(finder *f)
{
	const rg_sides *sides = &f->rules->sides;
	const rg_change_list *list = &f->out->changes;

	RG_TRY(rg_flow_need_worktree(f->flow));
	RG_TRY(list_changes(f));
	for (size_t i = 0; i < list->count; i++)
		if (list->items[i].kind == RG_CHANGE_NONE)
			return say_in_neither(list->items[i].path, f->result->old_side,
					      f->result->new_side);
	f->out->old.place.folder = f->out->fresh.place.folder = rg_worktree_root(f->flow->worktree);
	rg_place_pairs_of_changes(&f->out->pairs, list);
	filter(f);
	return !sides->part_count || sides->parts[0].folder ? check_root(f) : NULL;
}

/* --- sides on this machine --- */

/* Of a folder that is compared as it is: of one that a download has made, its goldens. */
static void open_path(rg_place *place, const char *path)
{
	bool staging = rg_manifest_is_in(path);
	if (staging)
		path = rg_arena_path(&place->arena, path, "files/");
	rg_place_open_folder(place, path);
}

/* A side's files, if it is not in git. */
static rg_error *stage(finder *f, const rg_side_name *name, bool artifacts, rg_staged_side *out,
		       const char **label)
{
	const rg_stage_options options = {f->options->repository, f->options->source,
					  f->options->workflow, artifacts};

	if (rg_side_is_in_git(name))
		return NULL;
	if (f->rules->sides.kind == RG_SIDES_PATHS && name->kind == RG_SIDE_PATH) {
		open_path(&out->place, name->text);
		return NULL;
	}
	RG_TRY(rg_side_stage(out, f->flow, name, &options));
	f->result->missing |= out->missing;
	if (out->label)
		*label = rg_arena_text(&f->rules->sides.arena, out->label);
	return NULL;
}

static rg_error *stage_both(finder *f)
{
	const rg_sides *sides = &f->rules->sides;
	RG_TRY(stage(f, &sides->old, false, &f->out->old, &f->result->old_side));
	RG_TRY(stage(f, &sides->fresh, false, &f->out->fresh, &f->result->new_side));
	if (!f->result->run_id)
		f->result->run_id = f->out->fresh.manifest.run_id;
	return NULL;
}

/* --- by where goldens belong in the repository --- */

/* Keeps what regild.files names, and is in what is compared, of files below the root. */
static void settle_keys(const finder *f, rg_place *place)
{
	size_t kept = 0;
	for (size_t i = 0; i < place->count; i++) {
		rg_place_file file = place->items[i];
		if (!rg_globs_take(f->files, file.key))
			continue;
		file.key = rg_arena_path(&place->arena, f->root, file.key);
		if (rg_sides_take(&f->rules->sides, file.key))
			place->items[kept++] = file;
	}
	place->count = kept;
}

/* A staging folder may have come with a clone: no link leads out of it. */
static rg_error *add_golden(rg_place *place, int tree, const rg_manifest *manifest, size_t index)
{
	rg_place_file file = {.key = manifest->goldens[index].target, .staged = index + 1};
	char *path = rg_manifest_staged_path(&manifest->goldens[index]);
	rg_error *err = rg_tree_check(tree, "", path);
	if (!err)
		file.path = rg_arena_text(&place->arena, path);
	free(path);
	if (err)
		return err;
	rg_place_add(place, &file);
	return NULL;
}

static rg_error *list_staged(const finder *f, rg_place *place, const rg_manifest *manifest)
{
	rg_error *err = NULL;
	int tree;

	RG_TRY(rg_tree_open(&tree, place->folder));
	for (size_t i = 0; !err && i < manifest->golden_count; i++)
		if (rg_sides_take(&f->rules->sides, manifest->goldens[i].target))
			err = add_golden(place, tree, manifest, i);
	close(tree);
	rg_place_sort(place);
	return err;
}

/* A checkout has the root as a folder; else the folder is taken for the root itself. */
static rg_error *list_on_disk(const finder *f, rg_staged_side *side)
{
	if (side->is_staging)
		return list_staged(f, &side->place, &side->manifest);
	RG_TRY(rg_place_list(&side->place, f->root));
	settle_keys(f, &side->place);
	return NULL;
}

/* `other`: where it is not whole, only what it has counts. */
static rg_error *list_in_git(const finder *f, rg_place *place, const rg_side_name *name,
			     const rg_place *other)
{
	const rg_change_query query = rg_side_query(name, f->flow->config);
	const char **paths = NULL;
	size_t kept = 0;

	place->whole = other->whole;
	if (!place->whole) {
		paths = rg_arena_alloc(&place->arena, (other->count + 1) * sizeof(*paths));
		for (size_t i = 0; i < other->count; i++)
			paths[i] = other->items[i].key;
	}
	rg_error *err = rg_place_list_git(place, f->flow->worktree, &query, paths, other->count);
	for (size_t i = 0; i < place->count; i++)
		if (rg_sides_take(&f->rules->sides, place->items[i].key))
			place->items[kept++] = place->items[i];
	place->count = kept;
	return err;
}

static rg_error *list_both(const finder *f)
{
	const rg_sides *s = &f->rules->sides;
	rg_place *old = &f->out->old.place, *fresh = &f->out->fresh.place;
	bool old_in_git = rg_side_is_in_git(&s->old), new_in_git = rg_side_is_in_git(&s->fresh);

	/* Two sides in git have all there is. */
	old->whole = old_in_git;
	fresh->whole = new_in_git;
	if (!old_in_git)
		RG_TRY(rg_error_wrap(list_on_disk(f, &f->out->old), "%s", s->old_label));
	if (!new_in_git)
		RG_TRY(rg_error_wrap(list_on_disk(f, &f->out->fresh), "%s", s->new_label));
	if (old_in_git)
		RG_TRY(list_in_git(f, old, &s->old, fresh));
	return new_in_git ? list_in_git(f, fresh, &s->fresh, old) : NULL;
}

/* That there is nothing to compare must not pass for goldens that are all well. */
static rg_error *check_found(const finder *f)
{
	const rg_sides *s = &f->rules->sides;
	bool old_empty = !f->out->old.place.count && !rg_side_is_in_git(&s->old);
	bool new_empty = !f->out->fresh.place.count && !rg_side_is_in_git(&s->fresh);

	if (f->out->pairs.count && !old_empty && !new_empty)
		return NULL;
	return rg_error_new(RG_E_NOTFOUND, "%s: has no golden%s that regild.files ('%s') names",
			    old_empty ? s->old_label : s->new_label,
			    s->part_count ? " in what is named" : "",
			    rg_config_get(f->flow->config, "regild.files"));
}

static rg_error *pair_by_layout(const finder *f)
{
	RG_TRY(list_both(f));
	rg_place_pairs_make(&f->out->pairs, &f->out->old.place, &f->out->fresh.place);
	return check_found(f);
}

/* A path or archive whose goldens are where nobody else has any. */
static bool may_be_artifacts(const rg_side_name *name, const rg_staged_side *side)
{
	return rg_side_is_on_disk(name) && !side->is_staging && !side->place.whole;
}

static bool has_both(const rg_place_pair *pair)
{
	return pair->old.path && pair->fresh.path;
}

static bool has_two_sides(const rg_place_pairs *pairs)
{
	size_t i = 0;
	while (i < pairs->count && !has_both(&pairs->items[i]))
		i++;
	return i < pairs->count;
}

static rg_error *start_again(finder *f, const rg_side_name *name, bool artifacts,
			     rg_staged_side *side, const char **label)
{
	if (artifacts) {
		RG_TRY(rg_staged_side_release(side, NULL));
		return stage(f, name, true, side, label);
	}
	side->place.count = 0;
	rg_change_list_release(&side->place.changes);
	rg_tree_release(&side->place.tree);
	return NULL;
}

/* Takes `err`, of the pairs as they are in folders and archives. Where none has two sides, these
 * hold what jobs left, and where that belongs has to be found out. */
static rg_error *try_artifacts(finder *f, rg_error *err)
{
	const rg_sides *s = &f->rules->sides;
	bool old = may_be_artifacts(&s->old, &f->out->old);
	bool fresh = may_be_artifacts(&s->fresh, &f->out->fresh);
	bool found = err ? rg_error_get_code(err) != RG_E_NOTFOUND : has_two_sides(&f->out->pairs);

	if (found || !(old || fresh))
		return err;
	rg_error_free(err);
	rg_place_pairs_release(&f->out->pairs);
	RG_TRY(start_again(f, &s->old, old, &f->out->old, &f->result->old_side));
	RG_TRY(start_again(f, &s->fresh, fresh, &f->out->fresh, &f->result->new_side));
	return pair_by_layout(f);
}

/* Keeps in the sides which goldens a new side has that is not whole. */
static void keep_new(const finder *f)
{
	const rg_place *fresh = &f->out->fresh.place;
	rg_sides *sides = &f->rules->sides;

	sides->new_is_part = !fresh->whole;
	if (fresh->whole || !fresh->count)
		return;
	sides->new_has = rg_arena_alloc(&sides->arena, fresh->count * sizeof(*sides->new_has));
	for (size_t i = 0; i < fresh->count; i++)
		sides->new_has[i] = rg_arena_text(&sides->arena, fresh->items[i].key);
	sides->new_has_count = fresh->count;
}

static rg_error *find_by_layout(finder *f)
{
	RG_TRY(stage_both(f));
	RG_TRY(try_artifacts(f, pair_by_layout(f)));
	keep_new(f);
	filter(f);
	return NULL;
}

/* --- by their paths in two folders or archives --- */

/* Keeps the goldens among all files. *named: they are called so; else what begins like one is one,
 * tables too, as whoever names two folders means what is in them. */
static void choose_goldens(const finder *f, bool *named)
{
	const char *variants = rg_config_variants(f->flow->config);
	rg_place_pairs *pairs = &f->out->pairs;
	size_t kept = 0;

	*named = false;
	for (size_t i = 0; !*named && i < pairs->count; i++)
		*named = rg_globs_take(f->files, pairs->items[i].name);
	for (size_t i = 0; i < pairs->count; i++) {
		const rg_place_pair *pair = &pairs->items[i];
		const rg_place *place = pair->fresh.path ? &f->out->fresh.place
							 : &f->out->old.place;

		if (*named ? rg_globs_take(f->files, pair->name)
			   : !strstr(rg_path_name(pair->name), variants) &&
				     rg_place_begins_like_golden(place, pair->name))
			pairs->items[kept++] = *pair;
	}
	pairs->count = kept;
}

static bool is_in_artifact(const rg_settings *settings, const char *path)
{
	const char *slash;
	bool found = false;
	for (; !found && (slash = strchr(path, '/')) != NULL; path = slash + 1) {
		char *name = rg_strndup(path, (size_t)(slash - path));
		found = rg_rules_of(&settings->rules, name, NULL) != 0;
		free(name);
	}
	return found;
}

/* Are two folders what two runs left, as `gh run download` lays it out? All goldens are in folders
 * that are called as artifacts are, and none is in both. */
static rg_error *are_artifacts(const finder *f, bool *out)
{
	const rg_place_pairs *pairs = &f->out->pairs;
	rg_settings settings;
	size_t i;

	*out = false;
	RG_TRY(rg_settings_load(&settings, f->flow->config));
	for (i = 0; i < pairs->count; i++) {
		if (has_both(&pairs->items[i]))
			break;
		*out = is_in_artifact(&settings, pairs->items[i].name);
		if (!*out)
			break;
	}
	*out = i && i == pairs->count;
	rg_settings_release(&settings);
	return NULL;
}

static rg_error *check_goldens(const finder *f, bool named)
{
	const rg_sides *s = &f->rules->sides;
	/* Who says what a golden is, says what is none. */
	if (!named && !rg_config_is_default(f->flow->config, "regild.files"))
		return rg_error_new(RG_E_NOTFOUND,
				    "neither side has a golden that regild.files ('%s') names",
				    rg_config_get(f->flow->config, "regild.files"));
	/* That there is nothing to compare must not pass for goldens that are all well. */
	if (!f->out->pairs.count && !f->result->missing)
		return rg_error_new(RG_E_NOTFOUND,
				    "there is no golden in %s, nor in %s; regild.files says which "
				    "files are",
				    s->old.text, s->fresh.text);
	return NULL;
}

static rg_error *find_in_folders(finder *f)
{
	rg_side_pairs *out = f->out;
	bool artifacts, named;

	RG_TRY(stage_both(f));
	RG_TRY(rg_place_list(&out->old.place, ""));
	RG_TRY(rg_place_list(&out->fresh.place, ""));
	rg_place_pairs_make(&out->pairs, &out->old.place, &out->fresh.place);
	choose_goldens(f, &named);
	RG_TRY(are_artifacts(f, &artifacts));
	if (!artifacts) {
		RG_TRY(check_goldens(f, named));
		filter(f);
		return NULL;
	}
	f->rules->sides.kind = RG_SIDES_LAYOUTS;
	rg_place_pairs_release(&out->pairs);
	RG_TRY(rg_staged_side_release(&out->old, NULL));
	RG_TRY(rg_staged_side_release(&out->fresh, NULL));
	return find_by_layout(f);
}

static rg_error *find_by_paths(finder *f)
{
	const rg_side_name *old = &f->rules->sides.old, *fresh = &f->rules->sides.fresh;
	rg_side_pairs *out = f->out;
	const char *old_path = old->kind == RG_SIDE_NOTHING ? NULL : old->text;

	if (old->kind == RG_SIDE_ARCHIVE || fresh->kind == RG_SIDE_ARCHIVE ||
	    (old_path && (rg_is_folder(old_path) || rg_is_folder(fresh->text))))
		return find_in_folders(f);
	out->name = rg_textf("%s%s%s", old_path ? rg_path_name(old_path) : "",
			     old_path ? " vs " : "", rg_path_name(fresh->text));
	if (old_path)
		rg_place_add(&out->old.place, &(rg_place_file){.key = out->name, .path = old_path});
	rg_place_add(&out->fresh.place, &(rg_place_file){.key = out->name, .path = fresh->text});
	rg_place_pairs_make(&out->pairs, &out->old.place, &out->fresh.place);
	if (old_path)
		filter(f);
	return NULL;
}

rg_error *rg_side_pairs_find(rg_side_pairs *out, const rg_flow *flow,
			     const rg_compare_options *options, rg_compare_rules *rules,
			     rg_compare_result *result)
{
	finder f = {.out = out,
		    .flow = flow,
		    .options = options,
		    .rules = rules,
		    .result = result,
		    .root = rg_config_get(flow->config, "regild.root"),
		    .files = rg_config_goldens(flow->config)};

	*out = (rg_side_pairs){0};
	rg_staged_side_init(&out->old);
	rg_staged_side_init(&out->fresh);
	return rules->sides.kind == RG_SIDES_PATHS    ? find_by_paths(&f)
	       : rules->sides.kind == RG_SIDES_IN_GIT ? find_in_git(&f)
						      : find_by_layout(&f);
}

rg_error *rg_side_pairs_release(rg_side_pairs *pairs, rg_error *err)
{
	rg_place_pairs_release(&pairs->pairs);
	rg_change_list_release(&pairs->changes);
	free(pairs->name);
	err = rg_staged_side_release(&pairs->old, err);
	return rg_staged_side_release(&pairs->fresh, err);
}
