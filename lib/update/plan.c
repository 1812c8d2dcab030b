/* SPDX-License-Identifier: Apache-2.0 */
#include "update/plan.h"

#include "base/memory.h"
#include "base/path.h"
#include "base/pattern.h"
#include "golden/sibling_reader.h"
#include "source/staging_tables.h"
#include "update/splice.h"
#include "update/safe_tree.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void rg_plan_init(rg_plan *plan)
{
	*plan = (rg_plan){.tree = -1, .staging = -1};
	rg_comparison_init(&plan->comparison);
	rg_arena_init(&plan->arena);
}

void rg_plan_release(rg_plan *plan)
{
	for (size_t i = 0; i < plan->count; i++) {
		free(plan->items[i].metrics);
		rg_findings_release(&plan->items[i].findings);
	}
	if (plan->staging >= 0)
		close(plan->staging);
	free(plan->items);
	rg_comparison_release(&plan->comparison);
	rg_arena_release(&plan->arena);
	rg_plan_init(plan);
}

bool rg_plan_item_is_taken(const rg_plan_item *item)
{
	return item->change != RG_PLAN_UNCHANGED && !item->left_out && !item->held;
}

static int compare_item(const void *path, const void *item)
{
	return rg_path_compare(path, ((const rg_plan_item *)item)->golden->target);
}

const rg_plan_item *rg_plan_find(const rg_plan *plan, const char *target)
{
	return plan->count ? bsearch(target, plan->items, plan->count, sizeof(*plan->items),
				     compare_item)
			   : NULL;
}

/* Reads a staged file for the first time. It is as the download has left it, or it is hashed. */
static rg_error *read_staged(int folder, const char *path, const rg_manifest_golden *golden,
			     rg_buf *out, rg_side *staged)
{
	rg_side left = {.exists = true, .size = golden->size, .identity = golden->written};
	if (!golden->written.st_ino)
		return rg_tree_read(folder, path, out, staged);
	RG_AUTO_PTR(rg_error) err = rg_tree_read_again(folder, path, out, &left);
	if (err && rg_error_get_code(err) == RG_E_CONFLICT)
		return rg_tree_read(folder, path, out, staged);
	*staged = left;
	memcpy(staged->sha256, golden->sha256, sizeof(staged->sha256));
	return RG_TAKE(err);
}

rg_error *rg_plan_staged(const rg_plan *plan, rg_plan_item *item, rg_buf *out)
{
	const rg_manifest_golden *golden = item->golden;
	rg_side *staged = &item->staged;

	RG_AUTO_FREE char *path = rg_manifest_staged_path(golden);
	RG_TRY(staged->exists ? rg_tree_read_again(plan->staging, path, out, staged)
			      : read_staged(plan->staging, path, golden, out, staged));
	if (!staged->exists)
		return rg_error_new(RG_E_MISMATCH, "staged file '%s' is missing; download it again",
				    path);
	if (staged->size != golden->size || strcmp(staged->sha256, golden->sha256) != 0)
		return rg_error_new(RG_E_MISMATCH,
				    "staged file '%s' is not what manifest.json says; download it "
				    "again",
				    path);
	return NULL;
}

static void swap_bufs(rg_buf *a, rg_buf *b)
{
	const rg_buf kept = *a;
	*a = *b;
	*b = kept;
}

/* `bytes` becomes the old file with the wanted metrics (in tables, columns) of `bytes`; `taken`
 * counts them by name. */
static rg_error *splice_metrics(const rg_plan *plan, const rg_table_manner *manner,
				const rg_buf *old, rg_buf *bytes, size_t *taken)
{
	const rg_plan_names *metrics = &plan->options->metrics;
	RG_AUTO(rg_buf) base = rg_buf_of(RG_TREE_FILE_MAX);
	RG_AUTO(rg_buf) next = rg_buf_of(RG_TREE_FILE_MAX);
	bool found;

	rg_buf_add(&base, old->data, old->length);
	RG_TRY(rg_buf_check(&base, "golden"));
	for (size_t i = 0; i < metrics->count; i++) {
		const rg_bytes from = {base.data, base.length}, to = {bytes->data, bytes->length};
		const char *metric = metrics->items[i];

		rg_buf_clear(&next);
		RG_TRY(rg_table_is_named(manner, from)
			       ? rg_table_splice(&next, from, to, manner, metric, &found)
			       : rg_splice(&next, &base, bytes, metric, &found));
		if (!found)
			continue;
		if (taken)
			taken[i]++;
		swap_bufs(&base, &next);
	}
	swap_bufs(&base, bytes);
	return NULL;
}

bool rg_plan_item_is_made(const rg_plan *plan, const rg_plan_item *item)
{
	return item->old.exists && (item->golden->rewrite || plan->options->metrics.count);
}

rg_error *rg_plan_make_bytes(const rg_plan *plan, const rg_plan_item *item, const rg_buf *old,
			     rg_buf *bytes, size_t *taken)
{
	const rg_table_manner manner = rg_golden_manner(item->golden, plan->options->formats);
	if (!rg_plan_item_is_made(plan, item))
		return NULL;
	rg_error *err = plan->options->metrics.count
				? splice_metrics(plan, &manner, old, bytes, taken)
				: rg_golden_rewrite(&manner, RG_TREE_FILE_MAX, old, bytes);
	return rg_error_wrap(err, "%s", item->golden->target);
}

rg_error *rg_plan_bytes(const rg_plan *plan, size_t index, rg_buf *out)
{
	rg_plan_item *item = &plan->items[index];
	RG_AUTO(rg_buf) old = rg_buf_of(RG_TREE_FILE_MAX);

	RG_TRY(rg_plan_staged(plan, item, out));
	if (!rg_plan_item_is_made(plan, item))
		return NULL;
	RG_TRY(rg_tree_read_again(plan->tree, item->golden->target, &old, &item->old));
	return rg_plan_make_bytes(plan, item, &old, out, NULL);
}

/* The files beside a golden are looked for here: on the new side among the staged ones first. */
typedef struct {
	const rg_plan *plan;
	bool staged;
} place;

static rg_error *read_at(void *context, const char *path, rg_buf *out)
{
	const place *at = context;
	const rg_plan_item *item = at->staged ? rg_plan_find(at->plan, path) : NULL;
	rg_side file;

	if (item) {
		RG_AUTO_FREE char *staged = rg_manifest_staged_path(item->golden);
		RG_TRY(rg_tree_read(at->plan->staging, staged, out, &file));
	} else {
		RG_TRY(rg_tree_read(at->plan->tree, path, out, &file));
	}
	return file.exists ? NULL : rg_error_io(ENOENT, "%s", path);
}

rg_error *rg_plan_golden(rg_golden **out, const rg_plan *plan, const rg_plan_item *item,
			 const rg_buf *bytes, bool staged)
{
	place at = {plan, staged};
	const char *target = item->golden->target;

	return rg_golden_read_with_siblings(out, target, target, bytes, read_at, &at,
					    plan->options->formats);
}

/* The whole path, or what follows its last '/'. */
static bool path_matches(const char *pattern, const char *path)
{
	const char *name = strrchr(path, '/');
	return rg_glob_match(pattern, path, 0) || (name && rg_glob_match(pattern, name + 1, 0));
}

bool rg_plan_item_matches(const rg_plan_item *item, const char *pattern, bool changed_only)
{
	const rg_manifest_golden *golden = item->golden;
	if (path_matches(pattern, golden->target) ||
	    rg_glob_match(pattern, strchr(item->test, '/') + 1, 0) ||
	    rg_glob_match(pattern, item->test, 0))
		return true;
	for (size_t i = 0; i < item->metric_count; i++)
		if ((!changed_only || item->metrics[i].changed) &&
		    rg_glob_match(pattern, item->metrics[i].name, RG_GLOB_ANY_SLASH))
			return true;
	return false;
}

/* Which plan item each of a record's entries is. */
typedef struct {
	const rg_plan *plan;
	const size_t *items;
} apply_state;

static rg_error *give_bytes(void *context, size_t index, rg_buf *out)
{
	const apply_state *a = context;
	return rg_plan_bytes(a->plan, a->items[index], out);
}

rg_error *rg_plan_apply(rg_plan *plan, rg_journal *journal, rg_record *done)
{
	RG_AUTO_FREE size_t *items = rg_calloc(plan->count + 1, sizeof(*items));
	RG_AUTO_PTR(rg_index) index = NULL;

	if (plan->options->stage)
		RG_TRY(rg_index_open(&index, plan->options->worktree));
	done->kind = RG_RECORD_UPDATE;
	for (size_t i = 0; i < plan->count; i++) {
		const rg_plan_item *item = &plan->items[i];
		if (!rg_plan_item_is_taken(item))
			continue;
		items[done->count] = i;
		rg_entry *entry = rg_record_add(done, item->golden->target);
		entry->old = item->old;
		entry->new_side = item->new_side;
		if (index)
			entry->index = rg_index_look(index, entry->path);
	}
	return done->count
		       ? rg_journal_apply(journal, done, give_bytes, &(apply_state){plan, items})
		       : NULL;
}

double rg_plan_row_weight(const rg_row *row)
{
	if (row->identical)
		return 0;
	return row->kind == RG_ROW_EXACT || isnan(row->moved) ? INFINITY : row->moved;
}
