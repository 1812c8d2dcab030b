/* SPDX-License-Identifier: Apache-2.0 */
#include "update/plan_make.h"

#include "base/cancel.h"
#include "base/counts.h"
#include "base/memory.h"
#include "base/name_pattern.h"
#include "base/path.h"
#include "base/pattern.h"
#include "compare/align.h"
#include "compare/formatting.h"
#include "compare/nonfinite.h"
#include "base/lfs.h"
#include "source/rule.h"
#include "update/plan.h"
#include "update/plan_variant.h"
#include "update/rejected.h"
#include "update/safe_tree.h"
#include "update/update_log.h"
#include "worktree/index.h"

#include <math.h>
#include <string.h>
#include <strings.h>

/* Looks at an item's bytes and surroundings: its rows, metrics, findings. Part of making a plan. */
typedef struct {
	rg_plan *plan;
	rg_journal *journal;
	rg_index *index;
	rg_change_list uncommitted;
	rg_update_log update_log;
	rg_rejections rejected;
} inspect_state;

static void inspect_state_release(inspect_state *in)
{
	rg_rejections_release(&in->rejected);
	rg_update_log_release(&in->update_log);
	rg_change_list_release(&in->uncommitted);
	rg_index_free(in->index);
}

/* Adds a finding of what somebody would miss. */
static rg_error *look_for_work(const inspect_state *in, rg_plan_item *item)
{
	rg_arena *arena = &in->plan->arena;
	rg_worktree *worktree = in->plan->options->worktree;
	const char *target = item->golden->target;
	bool dirty = item->old.exists && rg_change_list_has(&in->uncommitted, target), hidden;

	if (item->old.exists && !dirty)
		RG_TRY(rg_index_overlooks_work(in->index, worktree, target, &dirty));
	item->committed = item->old.exists && !dirty;
	if (dirty && !rg_update_log_wrote(&in->update_log, target, item->old.sha256)) {
		rg_findings_add(&item->findings, arena, RG_GUARD_DIRTY, NULL, "%s",
				rg_worktree_is_in_conflict(worktree, target)
					? RG_UNMERGED
					: "has uncommitted changes that regild did not "
					  "write");
		return NULL;
	}
	RG_TRY(rg_update_log_hides_work(&in->update_log, in->index, worktree, target, &hidden));
	if (hidden)
		rg_findings_add(&item->findings, arena, RG_GUARD_DIRTY, NULL,
				"what is staged is neither HEAD's nor the working tree's");
	return NULL;
}

/* A fork's branch is its owner's, and so is all that a run of it leaves. */
static void look_at_run(const inspect_state *in, rg_plan_item *item)
{
	const rg_manifest *manifest = in->plan->manifest;
	const char *head = manifest->head_repository;
	const char *own = manifest->repository ? manifest->repository : "the repository";

	if (!manifest->fork)
		return;
	rg_findings_add(&item->findings, &in->plan->arena, RG_GUARD_FORK, NULL,
			"the run's commit is of %s%sa fork of %s: its owner decides what "
			"the run leaves",
			head ? head : "", head ? ", " : "", own);
}

/* Looks for the bytes that the run has, or that would be written. */
static void look_for_rejection(const inspect_state *in, rg_plan_item *item)
{
	const char *target = item->golden->target;
	const rg_rejection *found =
		rg_rejections_find(&in->rejected, target, item->new_side.sha256);
	if (!found)
		found = rg_rejections_find(&in->rejected, target, item->staged.sha256);
	if (found)
		rg_findings_add(&item->findings, &in->plan->arena, RG_GUARD_REJECTED, NULL, "%s",
				found->why);
}

static rg_error *look_around(const inspect_state *in, rg_plan_item *item)
{
	rg_arena *arena = &in->plan->arena;
	const rg_manifest *manifest = in->plan->manifest;
	const char *target = item->golden->target;
	size_t inner = rg_index_inner_repository(in->index, in->plan->options->worktree, target);

	if (inner) {
		rg_findings_add(&item->findings, arena, RG_GUARD_REPOSITORY, NULL,
				"is in '%.*s', which is a repository of its own", (int)inner,
				target);
		return NULL;
	}
	const char *outside = rg_index_why_outside(in->index, target);
	if (outside)
		rg_findings_add(&item->findings, arena, RG_GUARD_SPARSE, NULL, "%s", outside);
	const char *twin = rg_index_twin(in->index, target);
	/* Another target may be the same file for the file system. */
	for (size_t i = 0; !twin && rg_index_ignores_case(in->index) && i < manifest->golden_count;
	     i++)
		if (!strcasecmp(manifest->goldens[i].target, target) &&
		    strcmp(manifest->goldens[i].target, target) != 0)
			twin = manifest->goldens[i].target;
	if (twin)
		rg_findings_add(&item->findings, arena, RG_GUARD_TWIN, NULL,
				"differs from '%s' in case only, which this file system "
				"takes for the same file",
				twin);
	return look_for_work(in, item);
}

static void append_metric(inspect_state *in, rg_plan_item *item, const char *name, bool changed)
{
	*RG_PUSH(item->metrics, item->metric_count, item->metric_capacity) =
		(rg_plan_metric){rg_arena_text(&in->plan->arena, name), changed};
}

/* Metrics and `worst` off the item's rows and gaps. */
static void note_rows(inspect_state *in, rg_plan_item *item)
{
	const rg_comparison *comparison = &in->plan->comparison;
	const rg_file_outcome *file = &comparison->files[item->file_index];
	/* Each column has a value less, or one more. */
	const bool records = file->lost.count || file->gained.count;

	for (size_t i = 0; i < file->row_count; i++) {
		const rg_row *row = &comparison->rows[file->first_row + i];
		append_metric(in, item, row->metric, records || !row->identical);
		item->worst = fmax(item->worst, rg_plan_row_weight(row));
	}
	for (size_t i = 0; i < file->gap_count; i++) {
		const rg_row *gap = &comparison->gaps[file->first_gap + i];
		append_metric(in, item, gap->metric, !gap->identical);
	}
}

static rg_error *compare(inspect_state *in, rg_plan_item *item, const rg_golden *old,
			 const rg_golden *fresh)
{
	rg_plan *plan = in->plan;
	rg_file_name name = {item->golden->target, NULL};

	RG_TRY(rg_guard_goldens(&item->findings, &plan->arena, old, fresh, plan->options->policy,
				name.file));
	item->file_index = plan->comparison.file_count;
	RG_TRY(rg_compare_goldens(&plan->comparison, &name, old, fresh, plan->options->policy));
	note_rows(in, item);
	return NULL;
}

/* *old and *fresh are the caller's, whatever comes back; NULL where they were not read. */
static rg_error *look_inside(inspect_state *in, rg_plan_item *item, const rg_buf *old_bytes,
			     const rg_buf *new_bytes, rg_golden **old, rg_golden **fresh)
{
	rg_arena *arena = &in->plan->arena;
	RG_AUTO_PTR(rg_error) why = rg_plan_golden(fresh, in->plan, item, new_bytes, true);

	if (item->change == RG_PLAN_CHANGED)
		rg_error_free(rg_plan_golden(old, in->plan, item, old_bytes, false));
	/* An interrupted reading says nothing about the golden. */
	RG_TRY(rg_cancel_check());
	if (!*fresh && *old && strspn(new_bytes->data, " \t\r\n") == new_bytes->length) {
		rg_findings_add(&item->findings, arena, RG_GUARD_EMPTY, NULL,
				new_bytes->length ? "is blank" : "has no bytes");
	} else if (!*fresh) {
		rg_findings_add(&item->findings, arena, RG_GUARD_UNREADABLE, NULL,
				"is not a golden: %s", why ? rg_error_message(why) : "");
	} else if (*old) {
		RG_TRY(rg_goldens_align(*old, *fresh));
		return compare(in, item, *old, *fresh);
	} else {
		item->opaque = rg_golden_is_opaque(*fresh);
		item->has_nonfinite = rg_golden_has_nonfinite(*fresh);
		for (size_t i = 0; i < (*fresh)->count; i++)
			append_metric(in, item, (*fresh)->metrics[i].name,
				      item->change != RG_PLAN_UNCHANGED);
		if (item->change == RG_PLAN_NEW)
			return rg_guard_new(&item->findings, arena, *fresh,
					    in->plan->options->policy, item->golden->target);
	}
	return NULL;
}

/* Fills in what the item's `old`, `new_side` and `change` do not say. */
static rg_error *inspect(inspect_state *in, rg_plan_item *item, const rg_buf *old_bytes,
			 const rg_buf *new_bytes)
{
	const rg_plan_options *options = in->plan->options;
	bool changes = item->change != RG_PLAN_UNCHANGED;
	/* Only patterns want to know what is in an unchanged one. */
	bool look = changes ? !item->findings.count : options->only.count || options->except.count;
	RG_AUTO_PTR(rg_golden) old = NULL;
	RG_AUTO_PTR(rg_golden) fresh = NULL;

	if (changes) {
		look_for_rejection(in, item);
		look_at_run(in, item);
	}
	if (look)
		RG_TRY(look_inside(in, item, old_bytes, new_bytes, &old, &fresh));
	if (changes) {
		if (!item->is_link)
			RG_TRY(look_around(in, item));
		unsigned guards = 0, allowed = options->allowed & RG_GUARD_ALLOWABLE;
		for (size_t i = 0; i < item->findings.count; i++)
			guards |= item->findings.items[i].guard;
		if (guards & RG_GUARD_NONFINITE)
			item->worst = INFINITY;
		item->held = guards & ~allowed;
		item->allowed = guards & allowed;
	}
	item->handed_on = options->compared && item->committed && !item->held && old && fresh &&
			  !item->has_variants;
	if (!item->handed_on) /* an unchanged one is not */
		return NULL;
	rg_comparison *c = &in->plan->comparison;
	rg_file_outcome *file = &c->files[c->file_count - 1];
	if (file->identical && !rg_comparison_dropped(c, file))
		file->layout = rg_layout_compare(
			&(rg_span){old_bytes->data, old_bytes->length, NULL},
			&(rg_span){new_bytes->data, new_bytes->length, NULL}, fresh->format);
	return options->compared(options->compared_context, c, old, fresh);
}

/* git's mode for a file that appears; the umask takes its part away. */
enum { NEW_FILE_MODE = 0666 };

static rg_error *check_targets(const rg_plan *plan, const char *root)
{
	const rg_manifest_golden *goldens = plan->manifest->goldens;
	for (size_t i = 0; i < plan->manifest->golden_count; i++) {
		const char *target = goldens[i].target;
		RG_AUTO_PTR(rg_error) err = rg_tree_check(plan->tree, root, target);
		/* A golden that is a link is held back alone; any other unsafe target stops
		 * everything. */
		if (err && (rg_error_get_code(err) != RG_E_UNSAFE ||
			    !rg_tree_meets_link(plan->tree, target)))
			return RG_TAKE(err);
		if (!rg_globs_take(plan->options->files, target))
			return rg_error_new(RG_E_UNSAFE,
					    "unsafe target '%s': regild.files names no such golden",
					    target);
		/* In path-component order nothing comes between a folder and what is in it. */
		if (i && rg_path_is_below(goldens[i - 1].target, target))
			return rg_error_new(RG_E_UNSAFE,
					    "unsafe target '%s': it is a folder of '%s', too",
					    goldens[i - 1].target, target);
	}
	return NULL;
}

static rg_error *classify(const rg_plan *plan, rg_plan_item *item, const rg_buf *old,
			  const rg_buf *bytes)
{
	item->new_side = item->staged;
	item->new_side.size = bytes->length;
	item->new_side.mode = item->old.exists ? item->old.mode : NEW_FILE_MODE;
	if (rg_plan_item_is_made(plan, item)) {
		rg_count_up(RG_COUNT_HASHED);
		RG_TRY(rg_sha256_hex(bytes->data, bytes->length, item->new_side.sha256));
	}
	item->change = RG_PLAN_UNCHANGED;
	if (!item->old.exists)
		item->change = RG_PLAN_NEW;
	else if (strcmp(item->old.sha256, item->new_side.sha256) != 0 &&
		 !rg_worktree_converts_alike(plan->options->worktree, item->golden->target, old,
					     bytes))
		item->change = RG_PLAN_CHANGED;
	/* Parts of a golden need a golden to go into. */
	item->left_out = plan->options->metrics.count && !item->old.exists;
	return NULL;
}

/* Makes the bytes that are planned for; a golden that cannot be made of both is held back, alone.
 */
static rg_error *plan_bytes(rg_plan *plan, rg_plan_item *item, const rg_buf *old, rg_buf *fresh,
			    size_t *taken)
{
	RG_TRY(rg_plan_staged(plan, item, fresh));
	if (item->findings.count)
		return NULL;
	RG_AUTO_PTR(rg_error) why = rg_plan_make_bytes(plan, item, old, fresh, taken);
	if (!why || rg_error_get_code(why) != RG_E_PARSE)
		return RG_TAKE(why);
	why = rg_error_drop_subject(why, item->golden->target);
	rg_findings_add(&item->findings, &plan->arena, RG_GUARD_UNREADABLE, NULL,
			"the new file or the one in the tree: %s", rg_error_message(why));
	return NULL;
}

static rg_error *make_item(rg_plan *plan, inspect_state *in, rg_plan_item *item, size_t *taken)
{
	RG_AUTO(rg_buf) old = rg_buf_of(RG_TREE_FILE_MAX);
	RG_AUTO(rg_buf) fresh = rg_buf_of(RG_TREE_FILE_MAX);

	item->file_index = SIZE_MAX;
	RG_TRY(rg_cancel_check());
	item->is_link = rg_tree_meets_link(plan->tree, item->golden->target);
	if (item->is_link)
		rg_findings_add(&item->findings, &plan->arena, RG_GUARD_LINK, NULL,
				"is a symbolic link, or beyond one, and nothing is written through "
				"links");
	else
		RG_TRY(rg_tree_read(plan->tree, item->golden->target, &old, &item->old));
	if (rg_lfs_is_pointer(old.data, old.length))
		/* Nothing can be spliced into it or compared with it. */
		rg_findings_add(&item->findings, &plan->arena, RG_GUARD_LFS, NULL,
				"is a Git LFS pointer in the tree; fetch it with 'git lfs "
				"pull' first");
	RG_TRY(plan_bytes(plan, item, &old, &fresh, taken));
	RG_TRY(classify(plan, item, &old, &fresh));
	if (item->change == RG_PLAN_CHANGED && !item->findings.count)
		RG_TRY(rg_plan_find_variant(plan, item, &old, &fresh));
	return inspect(in, item, &old, &fresh);
}

/* "STAGE/TEST", which patterns and people name: by names.test, where the path says so. */
static void name_test(rg_plan *plan, rg_plan_item *item)
{
	const rg_manifest_golden *golden = item->golden;
	const rg_plan_options *options = plan->options;
	rg_field_value stage = rg_field_of(golden->stage), test = rg_field_of(golden->test);
	size_t root = strlen(options->root);
	const char *path = golden->target;
	rg_name_fields fields;

	if (!strncmp(path, options->root, root) && path[root] == '/')
		path += root + 1;
	if (options->names && rg_path_names_match(options->names, path, &fields)) {
		stage = fields.fields[RG_FIELD_STAGE];
		test = fields.fields[RG_FIELD_TEST];
	}
	item->test = rg_arena_textf(&plan->arena, "%.*s/%.*s", (int)stage.length,
				    stage.start ? stage.start : "", (int)test.length, test.start);
}

static rg_error *make_items(rg_plan *plan, inspect_state *in)
{
	const rg_plan_names *metrics = &plan->options->metrics;
	RG_AUTO_FREE size_t *taken = rg_calloc(metrics->count + 1, sizeof(*taken));
	bool unknown = false;

	for (size_t i = 0; i < plan->count; i++) {
		name_test(plan, &plan->items[i]);
		RG_TRY(make_item(plan, in, &plan->items[i], taken));
		/* Which metrics it has is not known. */
		unknown = unknown || plan->items[i].held & RG_GUARD_UNREADABLE;
	}
	for (size_t i = 0; i < metrics->count && !unknown; i++)
		if (!taken[i])
			return rg_error_new(RG_E_USAGE,
					    "--metric '%s': no staged golden that replaces one has "
					    "this metric",
					    metrics->items[i]);
	return NULL;
}

/* Marks in `hits` the items that a pattern names; RG_E_USAGE where it names none at all. */
static rg_error *find_matches(const rg_plan *plan, const rg_plan_names *patterns, const char *flag,
			      bool *hits)
{
	for (size_t j = 0; j < patterns->count; j++) {
		bool any = false;
		for (size_t i = 0; i < plan->count; i++) {
			const rg_plan_item *item = &plan->items[i];
			any = any || rg_plan_item_matches(item, patterns->items[j], false);
			hits[i] = hits[i] || rg_plan_item_matches(item, patterns->items[j], true);
		}
		if (!any)
			return rg_error_new(RG_E_USAGE,
					    "%s '%s': matches no test, file or metric of what is "
					    "staged",
					    flag, patterns->items[j]);
	}
	return NULL;
}

rg_error *rg_plan_make(rg_plan *plan, const rg_manifest *manifest, const char *staging_dir,
		       rg_journal *journal, const rg_plan_options *options)
{
	RG_AUTO(inspect_state) in = {.plan = plan, .journal = journal};
	const rg_change_query query = {.no_renames = true, .root = options->root};
	RG_AUTO_FREE bool *only = rg_calloc(manifest->golden_count + 1, sizeof(*only));
	RG_AUTO_FREE bool *except = rg_calloc(manifest->golden_count + 1, sizeof(*except));

	plan->manifest = manifest;
	plan->options = options;
	plan->tree = rg_journal_tree(journal);
	RG_TRY(check_targets(plan, options->root));
	RG_TRY(rg_tree_open(&plan->staging, staging_dir));
	plan->items = rg_calloc(manifest->golden_count + 1, sizeof(*plan->items));
	plan->count = manifest->golden_count;
	for (size_t i = 0; i < plan->count; i++)
		plan->items[i].golden = &manifest->goldens[i];
	RG_TRY(rg_rejections_read(&in.rejected, plan->tree, NULL));
	RG_TRY(rg_index_open(&in.index, options->worktree));
	RG_TRY(rg_worktree_changes(options->worktree, &query, &in.uncommitted));
	RG_TRY(rg_update_log_read(&in.update_log, journal));
	RG_TRY(make_items(plan, &in));
	RG_TRY(find_matches(plan, &options->only, "--only", only));
	RG_TRY(find_matches(plan, &options->except, "--except", except));
	for (size_t i = 0; i < plan->count; i++)
		if ((options->only.count && !only[i]) || except[i])
			plan->items[i].left_out = true;
	return NULL;
}
