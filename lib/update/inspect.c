#include "update/inspect.h"

#include "base/file.h"
#include "update/tree.h"
#include "update/undo.h"
#include "worktree/stage.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct rg_inspector {
	rg_plan *plan;
	rg_journal *journal;
	rg_index *index;
	rg_change_list uncommitted;
	rg_history history;
	const char **folded; /* all targets by their names without case; NULL: case counts */
};

static int by_folded_name(const void *a, const void *b)
{
	return strcasecmp(*(const char *const *)a, *(const char *const *)b);
}

static rg_error *fold_targets(rg_inspector *inspector)
{
	const rg_manifest *manifest = inspector->plan->manifest;
	size_t i;

	if (!rg_index_ignores_case(inspector->index) || !manifest->golden_count)
		return NULL;
	inspector->folded = calloc(manifest->golden_count, sizeof(*inspector->folded));
	if (!inspector->folded)
		return rg_error_nomem();
	for (i = 0; i < manifest->golden_count; i++)
		inspector->folded[i] = manifest->goldens[i].target;
	qsort(inspector->folded, manifest->golden_count, sizeof(*inspector->folded),
	      by_folded_name);
	return NULL;
}

rg_error *rg_inspector_new(rg_inspector **out, rg_plan *plan, rg_journal *journal)
{
	rg_change_query query = {.no_renames = true, .root = plan->options->root};
	rg_inspector *inspector = calloc(1, sizeof(*inspector));
	rg_error *err;

	*out = NULL;
	if (!inspector)
		return rg_error_nomem();
	inspector->plan = plan;
	inspector->journal = journal;
	err = rg_index_open(&inspector->index, plan->options->worktree);
	if (!err)
		err = rg_worktree_changes(plan->options->worktree, &query, &inspector->uncommitted);
	if (!err)
		err = rg_history_read(&inspector->history, journal);
	if (!err)
		err = fold_targets(inspector);
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
	rg_history_release(&inspector->history);
	free(inspector->folded);
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
	if (dirty && !rg_history_wrote(&inspector->history, target, item->old.sha256))
		return rg_findings_add(&item->findings, arena, RG_GUARD_DIRTY, NULL, "%s",
				       rg_worktree_is_in_conflict(worktree, target)
					       ? RG_UNMERGED
					       : "has uncommitted changes that regild did not "
						 "write");
	RG_TRY(rg_history_hides_work(&inspector->history, inspector->index, worktree, target,
				     &hidden));
	if (!hidden)
		return NULL;
	return rg_findings_add(&item->findings, arena, RG_GUARD_DIRTY, NULL,
			       "what is staged is neither HEAD's nor the working tree's");
}

/* Another target that the file system takes for the same file; NULL where there is none. */
static const char *staged_twin(const rg_inspector *inspector, const char *target)
{
	size_t count = inspector->plan->manifest->golden_count;
	const char *const *first, *const *last, *const *end = inspector->folded + count;
	const char *const *hit;

	if (!inspector->folded)
		return NULL;
	hit = bsearch(&target, inspector->folded, count, sizeof(*hit), by_folded_name);
	for (first = hit; hit && first > (const char *const *)inspector->folded &&
			  !strcasecmp(first[-1], target);)
		first--;
	for (last = first; hit && last < end && !strcasecmp(*last, target); last++)
		if (strcmp(*last, target) != 0)
			return *last;
	return NULL;
}

static rg_error *look_around(const rg_inspector *inspector, rg_plan_item *item)
{
	rg_arena *arena = &inspector->plan->arena;
	const char *target = item->golden->target, *outside, *twin;
	size_t inner = rg_index_inner_repository(inspector->index,
						 inspector->plan->options->worktree, target);

	if (inner)
		return rg_findings_add(&item->findings, arena, RG_GUARD_REPOSITORY, NULL,
				       "is in '%.*s', which is a repository of its own", (int)inner,
				       target);
	outside = rg_index_why_outside(inspector->index, target);
	if (outside)
		RG_TRY(rg_findings_add(&item->findings, arena, RG_GUARD_SPARSE, NULL, "%s",
				       outside));
	twin = rg_index_twin(inspector->index, target);
	if (!twin)
		twin = staged_twin(inspector, target);
	if (twin)
		RG_TRY(rg_findings_add(&item->findings, arena, RG_GUARD_TWIN, NULL,
				       "differs from '%s' in case alone, which this file system "
				       "takes for the same file",
				       twin));
	return look_for_work(inspector, item);
}

static rg_error *add_metric(rg_inspector *inspector, rg_plan_item *item, const char *name,
			    bool changed)
{
	const char *copy = rg_arena_copy(&inspector->plan->arena, name, strlen(name));

	if (!copy)
		return rg_error_nomem();
	RG_TRY(rg_grow(&item->metrics, &item->metric_capacity, item->metric_count + 1,
		       sizeof(*item->metrics)));
	item->metrics[item->metric_count++] = (rg_plan_metric){copy, changed};
	return NULL;
}

static rg_error *note_metrics(rg_inspector *inspector, rg_plan_item *item, const rg_golden *golden,
			      bool changed)
{
	size_t i;

	for (i = 0; i < golden->count; i++)
		RG_TRY(add_metric(inspector, item, golden->metrics[i].name, changed));
	return NULL;
}

/* Metrics and `worst` off the item's rows and gaps. */
static rg_error *note_rows(rg_inspector *inspector, rg_plan_item *item)
{
	const rg_comparison *comparison = &inspector->plan->comparison;
	const rg_file_outcome *file = &comparison->files[item->file_index];
	size_t i;

	for (i = 0; i < file->row_count; i++) {
		const rg_row *row = &comparison->rows[file->first_row + i];

		RG_TRY(add_metric(inspector, item, row->metric, !row->identical));
		item->worst = fmax(item->worst, rg_plan_row_weight(row));
	}
	for (i = 0; i < file->gap_count; i++) {
		const rg_gap *gap = &comparison->gaps[file->first_gap + i];

		RG_TRY(add_metric(inspector, item, gap->metric, !gap->identical));
	}
	return NULL;
}

static rg_error *compare(rg_inspector *inspector, rg_plan_item *item, const rg_golden *old,
			 const rg_golden *new)
{
	rg_plan *plan = inspector->plan;
	rg_file_name name = {item->golden->target, NULL};

	RG_TRY(rg_guard_goldens(&item->findings, &plan->arena, old, new, plan->options->policy));
	item->file_index = plan->comparison.file_count;
	RG_TRY(rg_compare_goldens(&plan->comparison, &name, old, new, plan->options->policy));
	return note_rows(inspector, item);
}

/* Where the files beside a golden are looked for: on the new side among the staged ones first. */
typedef struct {
	const rg_plan *plan;
	const char *target;
	bool staged;
	rg_buf bytes;
} beside;

static int compare_target(const void *key, const void *golden)
{
	return rg_path_compare(key, ((const rg_manifest_golden *)golden)->target);
}

static rg_error *read_beside(void *context, const char *name, rg_bytes *out)
{
	beside *b = context;
	const rg_manifest *manifest = b->plan->manifest;
	const rg_manifest_golden *golden = NULL;
	rg_tree_file file;
	rg_error *err;
	char *path;

	*out = (rg_bytes){0};
	RG_TRY(rg_path_sibling(&path, b->target, name));
	if (b->staged && manifest->golden_count)
		golden = bsearch(path, manifest->goldens, manifest->golden_count,
				 sizeof(*manifest->goldens), compare_target);
	if (golden) {
		free(path);
		RG_TRY(rg_manifest_staged_path(golden, &path));
	}
	err = rg_tree_read(golden ? b->plan->staging : b->plan->tree, path, &b->bytes, &file);
	free(path);
	if (!err && file.exists)
		*out = (rg_bytes){b->bytes.data, b->bytes.length};
	return err;
}

rg_error *rg_plan_golden(rg_golden **out, const rg_plan *plan, const rg_plan_item *item,
			 const rg_buf *bytes, bool staged)
{
	beside b = {plan, item->golden->target, staged, {0}};
	const rg_input in = {.name = item->golden->target,
			     .data = bytes->data,
			     .size = bytes->length,
			     .sibling = read_beside,
			     .sibling_context = &b};
	rg_error *err;

	/* What stands beside it says what it is, and is not needed any more once it was read. */
	rg_buf_init(&b.bytes, RG_TREE_FILE_MAX);
	err = rg_golden_read(out, &in, plan->options->formats);
	rg_buf_release(&b.bytes);
	return err;
}

/* Turns a failure to read into NULL and its message, but for what must stop the whole. */
static rg_error *forgive(rg_error *err, char **why)
{
	if (!err || rg_error_get_code(err) == RG_E_NOMEM)
		return err;
	if (why && rg_textf(why, "%s", rg_error_message(err))) {
		rg_error_free(err);
		return rg_error_nomem();
	}
	rg_error_free(err);
	return NULL;
}

/* No bytes, or as good as none. */
static bool is_blank(const rg_buf *bytes)
{
	return !bytes->length || strspn(bytes->data, " \t\r\n") == bytes->length;
}

static rg_error *look_inside(rg_inspector *inspector, rg_plan_item *item, const rg_buf *old_bytes,
			     const rg_buf *new_bytes)
{
	rg_arena *arena = &inspector->plan->arena;
	rg_golden *old = NULL, *new = NULL;
	char *why = NULL;
	rg_error *err;

	err = forgive(rg_plan_golden(&new, inspector->plan, item, new_bytes, true), &why);
	if (!err && item->change == RG_PLAN_CHANGED)
		err = forgive(rg_plan_golden(&old, inspector->plan, item, old_bytes, false), NULL);
	if (!err && !new &&old && is_blank(new_bytes))
		err = rg_findings_add(&item->findings, arena, RG_GUARD_EMPTY, NULL,
				      new_bytes->length ? "is blank" : "has no bytes");
	else if (!err && !new)
		err = rg_findings_add(&item->findings, arena, RG_GUARD_UNREADABLE, NULL,
				      "is no golden: %s", why ? why : "");
	else if (!err && old)
		err = compare(inspector, item, old, new);
	else if (!err)
		err = note_metrics(inspector, item, new, item->change != RG_PLAN_UNCHANGED);
	rg_golden_free(old);
	rg_golden_free(new);
	free(why);
	return err;
}

rg_error *rg_inspect(rg_inspector *inspector, rg_plan_item *item, const rg_buf *old,
		     const rg_buf *new)
{
	const rg_plan_options *options = inspector->plan->options;
	bool patterns = options->only.count || options->except.count;
	unsigned found = 0;
	size_t i;

	if (item->change == RG_PLAN_UNCHANGED)
		/* Only patterns want to know what is in it. */
		return patterns ? look_inside(inspector, item, old, new) : NULL;
	if (!item->findings.count)
		RG_TRY(look_inside(inspector, item, old, new));
	RG_TRY(look_around(inspector, item));
	for (i = 0; i < item->findings.count; i++)
		found |= item->findings.items[i].guard;
	if (found & RG_GUARD_NONFINITE)
		item->worst = INFINITY;
	item->held = found & ~(options->allowed & RG_GUARD_ALLOWABLE);
	item->allowed = found & options->allowed & RG_GUARD_ALLOWABLE;
	return NULL;
}
