/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/side_pairs.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/order.h"
#include "base/path.h"
#include "base/pattern.h"
#include "flow/download.h"
#include "flow/run_folders.h"
#include "place/side_files.h"
#include "source/settings.h"
#include "store/scratch.h"
#include "update/safe_tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static rg_error *label_run(const char **label, rg_arena *arena, const char *text)
{
	RG_AUTO(rg_run_name) run = {0};
	RG_TRY(rg_run_name_parse(&run, text));
	*label = rg_arena_textf(arena, run.job ? "job %llu" : "run %llu",
				(unsigned long long)(run.job ? run.job : run.id));
	return NULL;
}

rg_error *rg_flow_find_sides(rg_sides *out, const rg_flow *flow, const rg_side_options *options)
{
	const rg_side_context context = {flow->config, flow->worktree, flow->no_worktree, label_run,
					 rg_manifest_is_in};
	return rg_sides_find(out, &context, options);
}

/* --- archives --- */

static void log_refusal(const rg_flow *flow, const char *archive, const rg_refusal *refusal)
{
	if (refusal->twice)
		rg_log_say(&flow->log, RG_LOG_MISSING, "%s: appears twice in %s", refusal->name,
			   archive);
	else
		rg_log_say(&flow->log, RG_LOG_MISSING, "%s: %s: %s", archive, refusal->name,
			   rg_error_message(refusal->err));
}

/* Only goldens among the refused members are missing: a name that is unsafe may be anything's. With
 * `all`, what appears twice may be one, and no other file tells. */
static void log_refused(rg_staged_side *out, const rg_flow *flow, const char *archive, bool all)
{
	for (size_t i = 0; i < out->refused.count; i++) {
		const rg_refusal *refusal = &out->refused.refusals[i];
		if (!(all && refusal->twice && refusal->wanted) &&
		    !rg_globs_take(rg_config_goldens(flow->config), refusal->name))
			continue;
		log_refusal(flow, archive, refusal);
		out->missing = true;
	}
}

/* Takes what regild.files names, in any folder of the archive; if that is nothing, all there is,
 * and what looks like a golden is compared. */
static rg_error *select_members(rg_staged_side *out, const rg_flow *flow, const char *path,
				rg_settings *settings)
{
	rg_members *archive = out->place.archive;
	const rg_reader *reader = &archive->file.reader;
	const size_t count = settings->rules.pattern_count;
	const char **patterns =
		rg_arena_alloc(&settings->rules.arena, (count + 1) * sizeof(*patterns));
	rg_archive_kind kind;

	RG_TRY(rg_archive_kind_read(&kind, reader));
	if (kind == RG_ARCHIVE_NONE)
		return rg_error_new(RG_E_PARSE, "is neither a zip nor a tar");
	if (kind == RG_ARCHIVE_ZIP) /* what is read where it is takes no room */
		settings->limits.member_size = UINT64_MAX;
	for (size_t i = 0; i < count; i++)
		patterns[i] = rg_arena_textf(&settings->rules.arena, "**/%s",
					     settings->rules.patterns[i]);
	RG_TRY(rg_members_select(archive, &out->refused, reader, kind, patterns, count,
				 &settings->limits));
	log_refused(out, flow, path, false);
	if (archive->count || out->missing)
		return rg_members_sort(archive);
	rg_selection_release(&out->refused);
	rg_selection_init(&out->refused);
	RG_TRY(rg_members_select_all(archive, &out->refused, kind, &settings->limits));
	log_refused(out, flow, path, true);
	return rg_members_sort(archive);
}

/* --- runs --- */

static rg_error *download(rg_staged_side *out, const rg_flow *flow, const rg_source_options *source)
{
	const rg_download_options options = {.source = *source,
					     .all = true,
					     .folder = out->place.folder,
					     .if_unfinished = "compare it once it has"};
	RG_AUTO(rg_download_result) result;
	rg_download_result_init(&result);
	rg_error *err = rg_download(&result, flow, &options);

	out->is_staging = true;
	out->missing |= result.missing;
	rg_manifest_release(&out->manifest);
	out->manifest = result.manifest;
	rg_manifest_init(&result.manifest);
	return err;
}

static rg_error *download_latest(rg_staged_side *out, const rg_flow *flow, const char *branch,
				 const char *workflow, rg_source_options source)
{
	const rg_run_choice choice = {
		.latest = true, .branch = branch, .workflow = workflow, .cannot_wait = true};
	RG_AUTO(rg_open_source) open = {0};
	char run[32];
	uint64_t id = 0;

	source.no_cache = true;
	RG_TRY(rg_flow_open_source(&open, flow, &source));
	RG_TRY(rg_flow_choose_run(&id, flow, open.source, &choice, NULL, NULL));
	snprintf(run, sizeof(run), "%llu", (unsigned long long)id);
	source.run = run;
	source.repository = &open.repository;
	source.no_cache = false;
	out->label = rg_arena_textf(&out->place.arena, "run %s of %s", run, branch);
	return download(out, flow, &source);
}

/* --- any side --- */

void rg_staged_side_init(rg_staged_side *side)
{
	*side = (rg_staged_side){0};
	rg_place_init(&side->place);
	rg_manifest_init(&side->manifest);
	rg_selection_init(&side->refused);
}

rg_error *rg_side_stage(rg_staged_side *out, const rg_flow *flow, const rg_side_name *name,
			const rg_compare_options *options, bool artifacts)
{
	const char *from[] = {name->text};
	rg_source_options source = {.repository_name = options->repository,
				    .source = options->source};

	if (name->kind == RG_SIDE_PATH && !artifacts) {
		rg_place_open_folder(&out->place, name->text);
		out->is_staging = rg_manifest_is_in(name->text);
		return out->is_staging ? rg_manifest_load(&out->manifest, name->text) : NULL;
	}
	if (name->kind == RG_SIDE_ARCHIVE && !artifacts) {
		RG_AUTO(rg_settings) settings = {0};
		out->place.archive = rg_calloc(1, sizeof(*out->place.archive));
		rg_members_init(out->place.archive);
		RG_TRY(rg_settings_load(&settings, flow->config));
		RG_TRY(rg_members_open(out->place.archive, name->text));
		return rg_error_wrap(select_members(out, flow, name->text, &settings), "%s",
				     name->text);
	}
	RG_TRY(rg_scratch_make_default(&out->scratch));
	rg_place_open_folder(&out->place, out->scratch);
	if (name->kind == RG_SIDE_LATEST)
		return download_latest(out, flow, name->text, options->workflow, source);
	if (artifacts)
		source.from = (rg_texts){.items = from, .count = 1};
	else
		source.run = name->text;
	return download(out, flow, &source);
}

rg_error *rg_staged_side_release(rg_staged_side *side, rg_error *err)
{
	if (side->scratch)
		err = rg_error_first(err, rg_remove_tree(side->scratch));
	rg_place_release(&side->place);
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
	rg_sides *sides; /* the rules' */
	rg_compare_result *result;
	const char *root, *files; /* regild.root, "" for the top; regild.files */
} find_state;

/* --- what the filter leaves out --- */

RG_ORDER(compare_refusals, rg_refusal, RG_BY_TEXT(name));

/* The member that an archive has for that key, and that could not be taken; NULL: none. */
static const rg_refusal *find_refusal(const find_state *f, const rg_staged_side *side,
				      const char *key)
{
	const rg_selection *refused = &side->refused;
	for (; refused->count; key += strlen(f->root) + 1) {
		const rg_refusal wanted = {.name = key};
		const rg_refusal *found = bsearch(&wanted, refused->refusals, refused->count,
						  sizeof(wanted), compare_refusals);
		if (found || f->sides->kind == RG_SIDES_PATHS || !*f->root ||
		    !rg_path_is_below(f->root, key))
			return found;
	}
	return NULL;
}

/* A golden that one side has, but not so that it can be read, is neither new nor removed. */
static bool is_held_back(const find_state *f, const rg_place_pair *pair)
{
	const bool fresh = pair->old.path != NULL;
	const rg_refusal *refusal = NULL;

	if (!pair->old.path || !pair->fresh.path)
		refusal = find_refusal(f, fresh ? &f->out->fresh : &f->out->old, pair->name);
	if (refusal && !refusal->twice && !rg_globs_take(f->files, refusal->name))
		log_refusal(f->flow, fresh ? f->sides->fresh.text : f->sides->old.text, refusal);
	f->result->missing |= refusal != NULL;
	return refusal != NULL;
}

static void filter(const find_state *f)
{
	rg_selection *refused[] = {&f->out->old.refused, &f->out->fresh.refused};
	rg_place_pairs *pairs = &f->out->pairs;
	size_t kept = 0;

	for (size_t i = 0; i < 2; i++)
		if (refused[i]->count)
			qsort(refused[i]->refusals, refused[i]->count, sizeof(rg_refusal),
			      compare_refusals);
	for (size_t i = 0; i < pairs->count; i++)
		if (!is_held_back(f, &pairs->items[i]) &&
		    rg_filter_takes_file(&f->rules->filter, pairs->items[i].name,
					 &f->rules->columns))
			pairs->items[kept++] = pairs->items[i];
	pairs->count = kept;
}

/* --- in git --- */

static rg_error *find_in_git(const find_state *f)
{
	const rg_sides *sides = f->sides;
	rg_change_list *list = &f->out->changes;

	RG_TRY(rg_flow_need_worktree(f->flow));
	RG_TRY(rg_sides_list_changes(list, sides, f->flow->worktree, f->flow->config,
				     f->options->sides.no_renames));
	if (!sides->part_count && !*list->to_id)
		RG_TRY(rg_run_folders_leave_out(list, f->flow, f->options->from));
	for (size_t i = 0; i < list->count; i++) {
		const char *old = f->result->old_side, *fresh = f->result->new_side;
		if (list->items[i].kind != RG_CHANGE_NONE)
			continue;
		return strcmp(old, fresh) != 0
			       ? rg_error_new(RG_E_USAGE, "'%s' is neither in %s nor in %s",
					      list->items[i].path, old, fresh)
			       : rg_error_new(RG_E_USAGE, "'%s' is not in %s", list->items[i].path,
					      old);
	}
	f->out->old.place.folder = f->out->fresh.place.folder = rg_worktree_root(f->flow->worktree);
	rg_place_pairs_of_changes(&f->out->pairs, list);
	filter(f);
	if (sides->part_count && !sides->parts[0].folder)
		return NULL;
	rg_error *err = rg_flow_check_root(f->flow, list);
	if (!err || !f->options->refreshed)
		return err;
	rg_log_say(&f->flow->log, RG_LOG_WARNING, "%s", rg_error_message(err));
	rg_error_free(err);
	return NULL;
}

/* --- by where goldens belong in the repository --- */

/* A staging folder may have come with a clone: no link leads out of it. */
static rg_error *list_staged(const find_state *f, rg_place *place, const rg_manifest *manifest)
{
	rg_error *err = NULL;
	int tree;

	RG_TRY(rg_tree_open(&tree, place->folder));
	for (size_t i = 0; !err && i < manifest->golden_count; i++) {
		if (!rg_sides_take(f->sides, manifest->goldens[i].target))
			continue;
		char *path = rg_manifest_staged_path(&manifest->goldens[i]);
		err = rg_tree_check(tree, "", path);
		rg_place_add(place, &(rg_place_file){.key = manifest->goldens[i].target,
						     .path = path,
						     .staged = i + 1});
		rg_arena_adopt(&place->arena, path);
	}
	close(tree);
	rg_place_sort(place);
	return err;
}

static bool are_paths(const find_state *f)
{
	return f->sides->kind == RG_SIDES_PATHS;
}

/* Opens and lists a side, if it is not in git, or opens it again as one of artifacts. By layout: a
 * checkout has the root as a folder; else the folder is taken for the root itself. By paths: of a
 * folder that a download has made, its goldens. */
static rg_error *open_side(const find_state *f, bool fresh, bool artifacts)
{
	const rg_side_name *name = fresh ? &f->sides->fresh : &f->sides->old;
	rg_staged_side *side = fresh ? &f->out->fresh : &f->out->old;
	rg_place *place = &side->place;

	if (rg_side_is_in_git(name))
		return NULL;
	if (artifacts)
		RG_TRY(rg_staged_side_release(side, NULL));
	if (are_paths(f) && name->kind == RG_SIDE_PATH)
		rg_place_open_folder(place,
				     rg_manifest_is_in(name->text)
					     ? rg_arena_path(&place->arena, name->text, "files/")
					     : name->text);
	else
		RG_TRY(rg_side_stage(side, f->flow, name, f->options,
				     artifacts && !rg_manifest_is_in(name->text)));
	f->result->missing |= side->missing;
	if (side->label)
		*(fresh ? &f->result->new_side : &f->result->old_side) =
			rg_arena_text(&f->sides->arena, side->label);
	if (are_paths(f))
		return rg_place_list(place, "");
	if (side->is_staging)
		return rg_error_wrap(list_staged(f, place, &side->manifest), "%s", name->label);
	RG_TRY(rg_error_wrap(rg_place_list(place, f->root), "%s", name->label));
	rg_sides_keep_parts(f->sides, place, f->flow->config);
	return NULL;
}

static rg_error *pair_sides(const find_state *f)
{
	const rg_sides *s = f->sides;
	rg_worktree *worktree = f->flow->worktree;
	rg_place *old = &f->out->old.place, *fresh = &f->out->fresh.place;
	const bool old_in_git = rg_side_is_in_git(&s->old);
	const bool new_in_git = rg_side_is_in_git(&s->fresh);

	if (old_in_git && new_in_git) /* they have all there is */
		fresh->whole = true;
	if (old_in_git)
		RG_TRY(rg_sides_list_git(s, &s->old, old, worktree, f->flow->config, fresh));
	if (new_in_git)
		RG_TRY(rg_sides_list_git(s, &s->fresh, fresh, worktree, f->flow->config, old));
	rg_place_pairs_make(&f->out->pairs, old, fresh);
	return NULL;
}

/* That there is nothing to compare must not pass for goldens that are all well. */
static rg_error *check_found_by_layout(const find_state *f)
{
	const rg_sides *s = f->sides;
	bool old_empty = !f->out->old.place.count && !rg_side_is_in_git(&s->old);
	bool new_empty = !f->out->fresh.place.count && !rg_side_is_in_git(&s->fresh);

	if (f->out->pairs.count && !old_empty && !new_empty)
		return NULL;
	return rg_error_new(RG_E_NOTFOUND, "%s: has no golden%s that regild.files ('%s') names",
			    old_empty ? s->old.label : s->fresh.label,
			    s->part_count ? " in what is named" : "",
			    rg_config_get(f->flow->config, "regild.files"));
}

/* --- by their paths in two folders or archives --- */

/* Keeps the goldens among all files, and says whether they are called so; else what begins like one
 * is one, tables too, as a user who names two folders means what is in them. */
static bool keep_goldens(const find_state *f)
{
	const char *variants = rg_config_variants(f->flow->config);
	rg_place_pairs *pairs = &f->out->pairs;
	size_t kept = 0;
	bool named = false;

	for (size_t i = 0; !named && i < pairs->count; i++)
		named = rg_globs_take(f->files, pairs->items[i].name);
	for (size_t i = 0; i < pairs->count; i++) {
		const rg_place_pair *pair = &pairs->items[i];
		const rg_place *place = pair->fresh.path ? &f->out->fresh.place
							 : &f->out->old.place;

		if (named ? rg_globs_take(f->files, pair->name)
			  : !strstr(rg_path_name(pair->name), variants) &&
				    rg_place_begins_like_golden(place, pair->name))
			pairs->items[kept++] = *pair;
	}
	pairs->count = kept;
	return named;
}

static rg_error *check_found_by_paths(const find_state *f, bool named)
{
	/* A project that says which files are goldens has no others. */
	if (!named && !rg_config_is_default(f->flow->config, "regild.files"))
		return rg_error_new(RG_E_NOTFOUND,
				    "neither side has a golden that regild.files ('%s') names",
				    rg_config_get(f->flow->config, "regild.files"));
	if (!f->out->pairs.count && !f->result->missing)
		return rg_error_new(RG_E_NOTFOUND,
				    "there is no golden in %s, nor in %s; set regild.files to the "
				    "goldens' names (now '%s'), or name two files",
				    f->sides->old.text, f->sides->fresh.text,
				    rg_config_get(f->flow->config, "regild.files"));
	return NULL;
}

/* --- artifacts --- */

static bool is_in_artifact(const rg_settings *settings, const char *path)
{
	const char *slash;
	for (; (slash = strchr(path, '/')) != NULL; path = slash + 1) {
		RG_AUTO_FREE char *name = rg_strndup(path, (size_t)(slash - path));
		if (rg_rules_of(&settings->rules, name, NULL))
			return true;
	}
	return false;
}

/* Do sides on disk hold what jobs of a run left? No golden is on both sides then. Two folders, as
 * `gh run download` lays them out, have them all in folders that are called as artifacts are. */
static rg_error *holds_artifacts(const find_state *f, bool *out)
{
	const rg_place_pairs *pairs = &f->out->pairs;
	RG_AUTO(rg_settings) settings = {0};

	*out = false;
	if (are_paths(f))
		RG_TRY(rg_settings_load(&settings, f->flow->config));
	for (size_t i = 0; i < pairs->count; i++)
		if ((pairs->items[i].old.path && pairs->items[i].fresh.path) ||
		    (are_paths(f) && !is_in_artifact(&settings, pairs->items[i].name)))
			return NULL;
	*out = !are_paths(f) || pairs->count;
	return NULL;
}

/* A side whose goldens are where nobody else has any, and which no manifest describes. */
static bool may_be_artifacts(const rg_side_name *name, const rg_staged_side *side)
{
	return rg_side_is_on_disk(name) && !side->is_staging && !side->place.whole;
}

static rg_error *find_in_places(const find_state *f)
{
	rg_sides *s = f->sides;
	rg_staged_side *old = &f->out->old, *fresh = &f->out->fresh;
	bool artifacts = false, named = false;

	RG_TRY(open_side(f, false, false));
	RG_TRY(open_side(f, true, false));
	RG_TRY(pair_sides(f));
	if (are_paths(f))
		named = keep_goldens(f);
	const bool old_may = may_be_artifacts(&s->old, old);
	const bool new_may = may_be_artifacts(&s->fresh, fresh);
	if (old_may || new_may)
		RG_TRY(holds_artifacts(f, &artifacts));
	if (artifacts) {
		s->kind = RG_SIDES_LAYOUTS;
		rg_place_pairs_release(&f->out->pairs);
		if (old_may)
			RG_TRY(open_side(f, false, true));
		if (new_may)
			RG_TRY(open_side(f, true, true));
		RG_TRY(pair_sides(f));
	}
	if (!f->result->run_id)
		f->result->run_id = fresh->manifest.run_id;
	RG_TRY(are_paths(f) ? check_found_by_paths(f, named) : check_found_by_layout(f));
	if (!are_paths(f)) {
		/* A new side that is not whole: which goldens it has. */
		const rg_place *has = &fresh->place;
		s->new_is_part = !has->whole;
		s->new_has_count = has->whole ? 0 : has->count;
		s->new_has = rg_arena_alloc(&s->arena, (has->count + 1) * sizeof(*s->new_has));
		for (size_t i = 0; i < s->new_has_count; i++)
			s->new_has[i] = rg_arena_text(&s->arena, has->items[i].key);
	}
	filter(f);
	return NULL;
}

rg_error *rg_side_pairs_find(rg_side_pairs *out, const rg_flow *flow,
			     const rg_compare_options *options, rg_compare_rules *rules,
			     rg_compare_result *result)
{
	rg_sides *sides = &rules->sides;
	const find_state f = {.out = out,
			      .flow = flow,
			      .options = options,
			      .rules = rules,
			      .sides = sides,
			      .result = result,
			      .root = rg_config_get(flow->config, "regild.root"),
			      .files = rg_config_goldens(flow->config)};

	*out = (rg_side_pairs){0};
	rg_staged_side_init(&out->old);
	rg_staged_side_init(&out->fresh);
	if (sides->kind == RG_SIDES_IN_GIT)
		return find_in_git(&f);
	if (sides->kind == RG_SIDES_LAYOUTS || rg_side_is_folder(&sides->fresh) ||
	    (sides->old.kind != RG_SIDE_NOTHING && rg_side_is_folder(&sides->old)))
		return find_in_places(&f);
	/* Two files, or one. */
	const char *old = sides->old.kind == RG_SIDE_NOTHING ? NULL : sides->old.text;
	const char *fresh = sides->fresh.text;

	out->name = rg_textf("%s%s%s", old ? rg_path_name(old) : "", old ? " vs " : "",
			     rg_path_name(fresh));
	if (old)
		rg_place_add(&out->old.place, &(rg_place_file){.key = out->name, .path = old});
	rg_place_add(&out->fresh.place, &(rg_place_file){.key = out->name, .path = fresh});
	rg_place_pairs_make(&out->pairs, &out->old.place, &out->fresh.place);
	if (old)
		filter(&f);
	return NULL;
}

rg_error *rg_side_pairs_release(rg_side_pairs *pairs, rg_error *err)
{
	rg_place_pairs_release(&pairs->pairs);
	rg_change_list_release(&pairs->changes);
	free(pairs->name);
	err = rg_staged_side_release(&pairs->old, err);
	return rg_staged_side_release(&pairs->fresh, err);
}
