/* SPDX-License-Identifier: Apache-2.0 */
#include "update/inspect.h"

#include "base/memory.h"
#include "compare/align.h"
#include "update/safe_tree.h"
#include "update/update_log.h"
#include "worktree/index.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct rg_inspector {
	rg_plan *plan;
	rg_journal *journal;
	rg_index *index;
	rg_change_list uncommitted;
	rg_update_log update_log;
};

rg_error *rg_inspector_new(rg_inspector **out, rg_plan *plan, rg_journal *journal)
{
	rg_change_query query = {.no_renames = true, .root = plan->options->root};
	rg_inspector *inspector = rg_calloc(1, sizeof(*inspector));

	*out = NULL;
	inspector->plan = plan;
	inspector->journal = journal;
	rg_error *err = rg_index_open(&inspector->index, plan->options->worktree);
	if (!err)
		err = rg_worktree_changes(plan->options->worktree, &query, &inspector->uncommitted);
	if (!err)
		err = rg_update_log_read(&inspector->update_log, journal);
	if (err) {
		rg_inspector_free(inspector);
		return err;
	}
	*out = inspector;
	return NULL;
}

void rg_inspector_free(rg_inspector *inspector)
{
	if (!inspector)
		return;
	rg_update_log_release(&inspector->update_log);
	rg_change_list_release(&inspector->uncommitted);
	rg_index_free(inspector->index);
	free(inspector);
}

static rg_error *is_uncommitted(const rg_inspector *inspector, const rg_plan_item *item, bool *out)
{
	const char *target = item->golden->target;
	*out = item->old.exists && rg_change_list_has(&inspector->uncommitted, target);
	if (!item->old.exists || *out)
		return NULL;
	return rg_index_overlooks_work(inspector->index, inspector->plan->options->worktree, target,
				       out);
}

/* Adds a finding of what somebody would miss. */
static rg_error *look_for_work(const rg_inspector *inspector, rg_plan_item *item)
{
	rg_arena *arena = &inspector->plan->arena;
	rg_worktree *worktree = inspector->plan->options->worktree;
	const char *target = item->golden->target;
	bool dirty, hidden;

	RG_TRY(is_uncommitted(inspector, item, &dirty));
	item->committed = item->old.exists && !dirty;
	if (dirty && !rg_update_log_wrote(&inspector->update_log, target, item->old.sha256)) {
		rg_findings_add(&item->findings, arena, RG_GUARD_DIRTY, NULL, "%s",
				rg_worktree_is_in_conflict(worktree, target)
					? RG_UNMERGED
					: "has uncommitted changes that regild did not "
					  "write");
		return NULL;
	}
	RG_TRY(rg_update_log_hides_work(&inspector->update_log, inspector->index, worktree, target,
					&hidden));
	if (!hidden)
		return NULL;
	rg_findings_add(&item->findings, arena, RG_GUARD_DIRTY, NULL,
			"what is staged is neither HEAD's nor the working tree's");
	return NULL;
}

/* A fork's branch is its owner's, and so is all that a run of it leaves. */
static void look_at_run(const rg_inspector *inspector, rg_plan_item *item)
{
	const rg_manifest *manifest = inspector->plan->manifest;
	const char *head = manifest->head_repository;
	const char *own = manifest->repository ? manifest->repository : "the repository";

	if (!manifest->fork)
		return;
	rg_findings_add(&item->findings, &inspector->plan->arena, RG_GUARD_FORK, NULL,
			"the run's commit is of %s%sa fork of %s: its owner decides what "
			"the run leaves",
			head ? head : "", head ? ", " : "", own);
}

/* Another target that the file system takes for the same file; NULL where there is none. */
static const char *staged_twin(const rg_inspector *inspector, const char *target)
{
	const rg_manifest *manifest = inspector->plan->manifest;
	size_t count = rg_index_ignores_case(inspector->index) ? manifest->golden_count : 0;

	for (size_t i = 0; i < count; i++)
		if (!strcasecmp(manifest->goldens[i].target, target) &&
		    strcmp(manifest->goldens[i].target, target) != 0)
			return manifest->goldens[i].target;
	return NULL;
}

static rg_error *look_around(const rg_inspector *inspector, rg_plan_item *item)
{
	rg_arena *arena = &inspector->plan->arena;
	const char *target = item->golden->target;
	size_t inner = rg_index_inner_repository(inspector->index,
						 inspector->plan->options->worktree, target);

	if (inner) {
		rg_findings_add(&item->findings, arena, RG_GUARD_REPOSITORY, NULL,
				"is in '%.*s', which is a repository of its own", (int)inner,
				target);
		return NULL;
	}
	const char *outside = rg_index_why_outside(inspector->index, target);
	if (outside)
		rg_findings_add(&item->findings, arena, RG_GUARD_SPARSE, NULL, "%s", outside);
	const char *twin = rg_index_twin(inspector->index, target);
	if (!twin)
		twin = staged_twin(inspector, target);
	if (twin)
		rg_findings_add(&item->findings, arena, RG_GUARD_TWIN, NULL,
				"differs from '%s' in case only, which this file system "
				"takes for the same file",
				twin);
	return look_for_work(inspector, item);
}

static void add_metric(rg_inspector *inspector, rg_plan_item *item, const char *name, bool changed)
{
	const char *copy = rg_arena_copy(&inspector->plan->arena, name, strlen(name));
	rg_grow(&item->metrics, &item->metric_capacity, item->metric_count + 1,
		sizeof(*item->metrics));
	item->metrics[item->metric_count++] = (rg_plan_metric){copy, changed};
}

static void note_metrics(rg_inspector *inspector, rg_plan_item *item, const rg_golden *golden,
			 bool changed)
{
	for (size_t i = 0; i < golden->count; i++)
		add_metric(inspector, item, golden->metrics[i].name, changed);
}

/* Metrics and `worst` off the item's rows and gaps. */
static void note_rows(rg_inspector *inspector, rg_plan_item *item)
{
	const rg_comparison *comparison = &inspector->plan->comparison;
	const rg_file_outcome *file = &comparison->files[item->file_index];

	for (size_t i = 0; i < file->row_count; i++) {
		const rg_row *row = &comparison->rows[file->first_row + i];
		add_metric(inspector, item, row->metric, !row->identical);
		item->worst = fmax(item->worst, rg_plan_row_weight(row));
	}
	for (size_t i = 0; i < file->gap_count; i++) {
		const rg_row *gap = &comparison->gaps[file->first_gap + i];
		add_metric(inspector, item, gap->metric, !gap->identical);
	}
}

static rg_error *compare(rg_inspector *inspector, rg_plan_item *item, const rg_golden *old,
			 const rg_golden *fresh)
{
	rg_plan *plan = inspector->plan;
	rg_file_name name = {item->golden->target, NULL};

	RG_TRY(rg_guard_goldens(&item->findings, &plan->arena, old, fresh, plan->options->policy,
				name.file));
	item->file_index = plan->comparison.file_count;
	RG_TRY(rg_compare_goldens(&plan->comparison, &name, old, fresh, plan->options->policy));
	note_rows(inspector, item);
	return NULL;
}

/* Turns a failure to read into NULL and its message, but for what must stop the whole. */
static rg_error *forgive(rg_error *err, char **why)
{
	if (!err)
		return err;
	if (why)
		*why = rg_textf("%s", rg_error_message(err));
	rg_error_free(err);
	return NULL;
}

/* No bytes, or as good as none. */
static bool is_blank(const rg_buf *bytes)
{
	return !bytes->length || strspn(bytes->data, " \t\r\n") == bytes->length;
}

/* *old and *fresh are the caller's, whatever comes back; NULL where they were not read. */
static rg_error *look_inside(rg_inspector *inspector, rg_plan_item *item, const rg_buf *old_bytes,
			     const rg_buf *new_bytes, rg_golden **old, rg_golden **fresh)
{
	rg_arena *arena = &inspector->plan->arena;
	char *why = NULL;

	rg_error *err =
		forgive(rg_plan_golden(fresh, inspector->plan, item, new_bytes, true), &why);
	if (!err && item->change == RG_PLAN_CHANGED)
		err = forgive(rg_plan_golden(old, inspector->plan, item, old_bytes, false), NULL);
	if (!err && !*fresh && *old && is_blank(new_bytes))
		rg_findings_add(&item->findings, arena, RG_GUARD_EMPTY, NULL,
				new_bytes->length ? "is blank" : "has no bytes");
	else if (!err && !*fresh)
		rg_findings_add(&item->findings, arena, RG_GUARD_UNREADABLE, NULL,
				"is not a golden: %s", why ? why : "");
	else if (!err && *old) {
		err = rg_goldens_align(*old, *fresh);
		if (!err)
			err = compare(inspector, item, *old, *fresh);
	} else if (!err) {
		item->opaque = rg_golden_is_opaque(*fresh);
		note_metrics(inspector, item, *fresh, item->change != RG_PLAN_UNCHANGED);
		if (!err && item->change == RG_PLAN_NEW)
			err = rg_guard_new(&item->findings, arena, *fresh,
					   inspector->plan->options->policy, item->golden->target);
	}
	free(why);
	return err;
}

static void settle(rg_plan_item *item, unsigned allowed)
{
	unsigned found = 0;
	for (size_t i = 0; i < item->findings.count; i++)
		found |= item->findings.items[i].guard;
	if (found & RG_GUARD_NONFINITE)
		item->worst = INFINITY;
	item->held = found & ~(allowed & RG_GUARD_ALLOWABLE);
	item->allowed = found & allowed & RG_GUARD_ALLOWABLE;
}

rg_error *rg_inspect(rg_inspector *inspector, rg_plan_item *item, const rg_buf *old_bytes,
		     const rg_buf *new_bytes)
{
	const rg_plan_options *options = inspector->plan->options;
	bool changes = item->change != RG_PLAN_UNCHANGED;
	/* Of an unchanged one only patterns want to know what is in it. */
	bool look = changes ? !item->findings.count : options->only.count || options->except.count;
	rg_golden *old = NULL, *fresh = NULL;
	rg_error *err = NULL;

	if (changes)
		look_at_run(inspector, item);
	if (look)
		err = look_inside(inspector, item, old_bytes, new_bytes, &old, &fresh);
	if (!err && changes) {
		err = look_around(inspector, item);
		settle(item, options->allowed);
	}
	item->handed_on = !err && options->compared && item->committed && !item->held && old &&
			  fresh;
	if (item->handed_on) { /* an unchanged one is not */
		rg_comparison *c = &inspector->plan->comparison;
		rg_file_outcome *file = &c->files[c->file_count - 1];
		file->layout = file->identical && !rg_comparison_dropped(c, file);
	}
	if (item->handed_on)
		err = options->compared(options->compared_context, &inspector->plan->comparison,
					old, fresh);
	rg_golden_free(old);
	rg_golden_free(fresh);
	return err;
}
