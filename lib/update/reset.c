#include "update/reset.h"

#include "update/names.h"
#include "update/tree.h"
#include "worktree/stage.h"

#include <stdlib.h>
#include <string.h>

void rg_reset_release(rg_reset *reset)
{
	free(reset->items);
	rg_index_free(reset->index);
	rg_arena_release(&reset->arena);
	*reset = (rg_reset){0};
}

/* What HEAD has at the path, as a checkout would write it. */
static rg_error *look_at_head(rg_worktree *worktree, const char *path, mode_t mode_now,
			      rg_side *out)
{
	bool executable = false;
	rg_error *err;
	rg_buf bytes;

	rg_buf_init(&bytes, RG_TREE_FILE_MAX);
	err = rg_worktree_checkout_bytes(worktree, path, &bytes, &executable);
	if (!err) {
		*out = (rg_side){.exists = true, .size = bytes.length};
		out->mode = executable ? 0777 : 0666;
		if (mode_now && !(mode_now & 0100) == !executable)
			out->mode = mode_now;
		err = rg_sha256_hex(bytes.data, bytes.length, out->sha256);
	}
	rg_buf_release(&bytes);
	return err;
}

static rg_error *look(rg_reset *reset, rg_journal *journal, const rg_reset_options *options,
		      const rg_change *change, rg_reset_item *item)
{
	bool hidden;

	RG_TRY(rg_tree_check(rg_journal_tree(journal), options->root, change->path));
	RG_TRY(rg_index_hides_work(reset->index, reset->worktree, change->path, &hidden));
	if (hidden)
		return rg_error_new(RG_E_GIT, "what is staged is neither HEAD's nor the working "
					      "tree's; 'git restore --staged' it first");
	RG_TRY(rg_journal_look(journal, change->path, &item->old));
	if (change->kind == RG_CHANGE_NEW)
		return NULL;
	return look_at_head(reset->worktree, change->path, item->old.mode, &item->new);
}

/* Leaves the item alone for the error's reason, unless the reason must stop everything. */
static rg_error *leave_alone(rg_reset *reset, rg_reset_item *item, rg_error *err)
{
	const char *why = rg_error_message(err);
	rg_error_code code = rg_error_get_code(err);

	if (code != RG_E_UNSAFE && code != RG_E_GIT)
		return err;
	item->why = rg_arena_copy(&reset->arena, why, strlen(why));
	rg_error_free(err);
	reset->left_alone++;
	return item->why ? NULL : rg_error_nomem();
}

static rg_error *add_item(rg_reset *reset, rg_journal *journal, const rg_reset_options *options,
			  const rg_change *change)
{
	rg_reset_item *item;
	rg_error *err;

	RG_TRY(rg_grow(&reset->items, &reset->capacity, reset->count + 1, sizeof(*reset->items)));
	item = &reset->items[reset->count];
	*item = (rg_reset_item){0};
	item->path = rg_arena_copy(&reset->arena, change->path, strlen(change->path));
	if (!item->path)
		return rg_error_nomem();
	reset->count++;
	err = look(reset, journal, options, change, item);
	return err ? leave_alone(reset, item, err) : NULL;
}

rg_error *rg_reset_plan(rg_reset *out, rg_worktree *worktree, rg_journal *journal,
			const rg_reset_options *options)
{
	rg_change_query query = {.no_renames = true, .root = options->root};
	rg_change_list changes = {0};
	rg_error *err;
	size_t i;

	*out = (rg_reset){.worktree = worktree};
	rg_arena_init(&out->arena);
	RG_TRY(rg_index_open(&out->index, worktree));
	RG_TRY(rg_worktree_changes(worktree, &query, &changes));
	err = NULL;
	for (i = 0; i < changes.count && !err; i++) {
		const char *path = changes.items[i].path;

		if (rg_is_golden_name(options->files, path) &&
		    (!options->pattern || rg_names_golden(options->pattern, options->root, path)))
			err = add_item(out, journal, options, &changes.items[i]);
	}
	rg_change_list_release(&changes);
	if (!err && options->pattern && !out->count)
		err = rg_error_new(RG_E_USAGE,
				   "'%s' matches no golden under %s that differs from HEAD",
				   options->pattern, options->root);
	return err;
}

/* Which item each of a record's entries is. */
typedef struct {
	const rg_reset *reset;
	size_t *items;
	const char **paths;
} applied;

static rg_error *give_head(void *context, size_t index, rg_buf *out)
{
	const applied *a = context;
	bool executable;

	return rg_worktree_checkout_bytes(a->reset->worktree, a->reset->items[a->items[index]].path,
					  out, &executable);
}

static rg_error *fill_record(const rg_reset *reset, applied *a, rg_record *done)
{
	size_t i;

	done->kind = RG_RECORD_RESET;
	for (i = 0; i < reset->count; i++) {
		const rg_reset_item *item = &reset->items[i];
		rg_entry *entry;

		if (item->why)
			continue;
		a->items[done->count] = i;
		a->paths[done->count] = item->path;
		RG_TRY(rg_record_add(done, item->path, &entry));
		entry->old = item->old;
		entry->new = item->new;
	}
	return NULL;
}

rg_error *rg_reset_apply(rg_reset *reset, rg_journal *journal, rg_record *done)
{
	applied a = {reset, calloc(reset->count + 1, sizeof(*a.items)),
		     calloc(reset->count + 1, sizeof(*a.paths))};
	rg_error *err = a.items && a.paths ? fill_record(reset, &a, done) : rg_error_nomem();

	if (!err && done->count)
		err = rg_journal_apply(journal, done, give_head, &a);
	if (!err && done->count)
		err = rg_error_wrap(rg_worktree_unstage(reset->worktree, a.paths, done->count),
				    "the goldens are reset, the index is not");
	free(a.paths);
	free(a.items);
	return err;
}
