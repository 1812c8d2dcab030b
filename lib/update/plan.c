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
	rg_error *err = rg_tree_read_again(folder, path, out, &left);
	if (err && rg_error_get_code(err) == RG_E_CONFLICT) {
		rg_error_free(err);
		return rg_tree_read(folder, path, out, staged);
	}
	*staged = left;
	memcpy(staged->sha256, golden->sha256, sizeof(staged->sha256));
	return err;
}

rg_error *rg_plan_staged(const rg_plan *plan, rg_plan_item *item, rg_buf *out)
{
	const rg_manifest_golden *golden = item->golden;
	rg_side *staged = &item->staged;

	char *path = rg_manifest_staged_path(golden);
	rg_error *err = staged->exists ? rg_tree_read_again(plan->staging, path, out, staged)
				       : read_staged(plan->staging, path, golden, out, staged);
	if (!err && !staged->exists)
		err = rg_error_new(RG_E_MISMATCH, "staged file '%s' is missing; download it again",
				   path);
	else if (!err &&
		 (staged->size != golden->size || strcmp(staged->sha256, golden->sha256) != 0))
		err = rg_error_new(RG_E_MISMATCH,
				   "staged file '%s' is not what manifest.json says; download it "
				   "again",
				   path);
	free(path);
	return err;
}

/* One metric of `fresh` into `old`; in tables, a column. */
static rg_error *splice_metric(rg_buf *out, const rg_buf *old, const rg_buf *fresh,
			       const rg_table_manner *manner, const char *metric, bool *found)
{
	const rg_bytes from = {old->data, old->length}, to = {fresh->data, fresh->length};
	return rg_table_is_named(manner, from)
		       ? rg_table_splice(out, from, to, manner, metric, found)
		       : rg_splice(out, old, fresh, metric, found);
}

/* `bytes` becomes the old file with the wanted metrics of `bytes`; `taken` counts them by name. */
static rg_error *splice_metrics(const rg_plan *plan, const rg_table_manner *manner,
				const rg_buf *old, rg_buf *bytes, size_t *taken)
{
	const rg_plan_names *metrics = &plan->options->metrics;
	rg_buf base, next, spare;
	bool found;

	rg_buf_init(&base, RG_TREE_FILE_MAX);
	rg_buf_init(&next, RG_TREE_FILE_MAX);
	rg_buf_add(&base, old->data, old->length);
	rg_error *err = rg_buf_check(&base, "golden");
	for (size_t i = 0; i < metrics->count && !err; i++) {
		rg_buf_clear(&next);
		err = splice_metric(&next, &base, bytes, manner, metrics->items[i], &found);
		if (err || !found)
			continue;
		if (taken)
			taken[i]++;
		spare = base;
		base = next;
		next = spare;
	}
	if (!err) {
		spare = *bytes;
		*bytes = base;
		base = spare;
	}
	rg_buf_release(&next);
	rg_buf_release(&base);
	return err;
}

/* `bytes` becomes the whole table in the old one's manner. */
static rg_error *rewrite(const rg_table_manner *manner, const rg_buf *old, rg_buf *bytes)
{
	rg_buf out;
	rg_buf_init(&out, RG_TREE_FILE_MAX);
	rg_error *err = rg_table_rewrite(&out, (rg_bytes){old->data, old->length},
					 (rg_bytes){bytes->data, bytes->length}, manner);
	if (!err) {
		rg_buf_release(bytes);
		*bytes = out;
	} else {
		rg_buf_release(&out);
	}
	return err;
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
				: rewrite(&manner, old, bytes);
	return rg_error_wrap(err, "%s", item->golden->target);
}

rg_error *rg_plan_bytes(const rg_plan *plan, size_t index, rg_buf *out)
{
	rg_plan_item *item = &plan->items[index];
	rg_buf old;

	RG_TRY(rg_plan_staged(plan, item, out));
	if (!rg_plan_item_is_made(plan, item))
		return NULL;
	rg_buf_init(&old, RG_TREE_FILE_MAX);
	rg_error *err = rg_tree_read_again(plan->tree, item->golden->target, &old, &item->old);
	if (!err)
		err = rg_plan_make_bytes(plan, item, &old, out, NULL);
	rg_buf_release(&old);
	return err;
}

/* Where the files beside a golden are looked for: on the new side among the staged ones first. */
typedef struct {
	const rg_plan *plan;
	bool staged;
} place;

static rg_error *read_at(void *context, const char *path, rg_buf *out)
{
	const place *at = context;
	const rg_plan_item *item = at->staged ? rg_plan_find(at->plan, path) : NULL;
	rg_side file;
	rg_error *err;
	char *staged;

	if (item) {
		staged = rg_manifest_staged_path(item->golden);
		err = rg_tree_read(at->plan->staging, staged, out, &file);
		free(staged);
	} else {
		err = rg_tree_read(at->plan->tree, path, out, &file);
	}
	return err || file.exists ? err : rg_error_io(ENOENT, "%s", path);
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
	size_t *items;
} applied;

static rg_error *give_bytes(void *context, size_t index, rg_buf *out)
{
	const applied *a = context;
	return rg_plan_bytes(a->plan, a->items[index], out);
}

static void fill_record(const rg_plan *plan, const rg_index *index, applied *a, rg_record *done)
{
	done->kind = RG_RECORD_UPDATE;
	for (size_t i = 0; i < plan->count; i++) {
		const rg_plan_item *item = &plan->items[i];
		if (!rg_plan_item_is_taken(item))
			continue;
		a->items[done->count] = i;
		rg_entry *entry = rg_record_add(done, item->golden->target);
		entry->old = item->old;
		entry->new_side = item->new_side;
		if (index)
			entry->index = rg_index_look(index, entry->path);
	}
}

rg_error *rg_plan_apply(rg_plan *plan, rg_journal *journal, rg_record *done)
{
	applied a = {plan, rg_calloc(plan->count + 1, sizeof(*a.items))};
	rg_index *index = NULL;
	rg_error *err = NULL;

	if (plan->options->stage)
		err = rg_index_open(&index, plan->options->worktree);
	if (!err)
		fill_record(plan, index, &a, done);
	if (!err && done->count)
		err = rg_journal_apply(journal, done, give_bytes, &a);
	rg_index_free(index);
	free(a.items);
	return err;
}

double rg_plan_row_weight(const rg_row *row)
{
	if (row->identical)
		return 0;
	return row->kind == RG_ROW_EXACT || isnan(row->moved) ? INFINITY : row->moved;
}
