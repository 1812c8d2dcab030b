#include "update/plan.h"

#include "base/cancel.h"
#include "base/file.h"
#include "update/tree.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* git's mode for a file that appears; the umask takes its part away. */
enum { NEW_FILE_MODE = 0666 };

void rg_plan_init(rg_plan *plan)
{
	*plan = (rg_plan){.tree = -1, .staging = -1};
	rg_arena_init(&plan->arena);
}

void rg_plan_release(rg_plan *plan)
{
	if (plan->staging >= 0)
		close(plan->staging);
	free(plan->items);
	rg_arena_release(&plan->arena);
	rg_plan_init(plan);
}

bool rg_plan_item_is_taken(const rg_plan_item *item)
{
	return item->change != RG_PLAN_UNCHANGED && !item->left_out;
}

static rg_error *check_targets(const rg_plan *plan, const char *root)
{
	size_t i;

	for (i = 0; i < plan->manifest->golden_count; i++)
		RG_TRY(rg_tree_check(plan->tree, root, plan->manifest->goldens[i].target));
	return NULL;
}

/* The staged bytes, which must be what the manifest says. */
static rg_error *read_staged(const rg_plan *plan, const rg_manifest_golden *golden, rg_buf *out)
{
	rg_tree_file file;
	rg_error *err;
	char *path;

	RG_TRY(rg_manifest_staged_path(golden, &path));
	err = rg_tree_read(plan->staging, path, out, &file);
	if (!err && !file.exists)
		err = rg_error_new(RG_E_MISMATCH, "staged file '%s' is missing; download it again",
				   path);
	else if (!err && (file.size != golden->size || strcmp(file.sha256, golden->sha256) != 0))
		err = rg_error_new(RG_E_MISMATCH,
				   "staged file '%s' is not what manifest.json says; download it "
				   "again",
				   path);
	free(path);
	return err;
}

static rg_error *plan_item(rg_plan *plan, rg_plan_item *item, rg_journal *journal, rg_buf *bytes)
{
	const rg_manifest_golden *golden = item->golden;

	RG_TRY(rg_cancel_check());
	RG_TRY(read_staged(plan, golden, bytes));
	RG_TRY(rg_journal_look(journal, golden->target, &item->old));
	item->new = (rg_side){.exists = true, .size = bytes->length};
	item->new.mode = item->old.exists ? item->old.mode : NEW_FILE_MODE;
	memcpy(item->new.sha256, golden->sha256, sizeof(item->new.sha256));
	if (!item->old.exists)
		item->change = RG_PLAN_NEW;
	else if (strcmp(item->old.sha256, item->new.sha256) != 0)
		item->change = RG_PLAN_CHANGED;
	return NULL;
}

rg_error *rg_plan_make(rg_plan *plan, const rg_manifest *manifest, const char *staging_dir,
		       rg_journal *journal, const rg_plan_options *options)
{
	rg_error *err = NULL;
	rg_buf bytes;
	size_t i;

	plan->manifest = manifest;
	plan->tree = rg_journal_tree(journal);
	RG_TRY(check_targets(plan, options->root));
	RG_TRY(rg_tree_open(&plan->staging, staging_dir));
	plan->items = calloc(manifest->golden_count + 1, sizeof(*plan->items));
	if (!plan->items)
		return rg_error_nomem();
	plan->count = manifest->golden_count;
	rg_buf_init(&bytes, RG_TREE_FILE_MAX);
	for (i = 0; i < plan->count && !err; i++) {
		plan->items[i].golden = &manifest->goldens[i];
		err = plan_item(plan, &plan->items[i], journal, &bytes);
	}
	rg_buf_release(&bytes);
	return err;
}

rg_error *rg_plan_bytes(const rg_plan *plan, size_t index, rg_buf *out)
{
	return read_staged(plan, plan->items[index].golden, out);
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

rg_error *rg_plan_apply(rg_plan *plan, rg_journal *journal, rg_record *done)
{
	applied a = {plan, calloc(plan->count + 1, sizeof(*a.items))};
	rg_error *err = a.items ? NULL : rg_error_nomem();
	size_t i;

	done->kind = RG_RECORD_UPDATE;
	for (i = 0; i < plan->count && !err; i++) {
		const rg_plan_item *item = &plan->items[i];
		rg_entry *entry;

		if (!rg_plan_item_is_taken(item))
			continue;
		a.items[done->count] = i;
		err = rg_record_add(done, item->golden->target, &entry);
		if (!err) {
			entry->old = item->old;
			entry->new = item->new;
		}
	}
	if (!err && done->count)
		err = rg_journal_apply(journal, done, give_bytes, &a);
	free(a.items);
	return err;
}
