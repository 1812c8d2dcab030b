/* SPDX-License-Identifier: Apache-2.0 */
#include "update/reset.h"

#include "base/memory.h"
#include "base/name_pattern.h"
#include "base/order.h"
#include "base/path.h"
#include "base/pattern.h"
#include "update/safe_tree.h"
#include "worktree/index.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_SIZE = 4097 };

/* The first `length` bytes of the path, as a folder that the pattern may name. */
static bool names_folder(const char *pattern, const char *path, size_t length)
{
	char folder[TEXT_SIZE];
	if (!length || length >= sizeof(folder))
		return false;
	memcpy(folder, path, length);
	folder[length] = '\0';
	return rg_glob_match_end(pattern, folder);
}

/* How much of the path, which is below the root, is the test's folder; 0: it has none. */
static size_t test_folder(const char *target, const char *path)
{
	const char *test = strstr(target, "{test}"), *end = path;
	if (!test)
		return 0;
	for (; target < test; target++)
		if (*target == '/') {
			end = strchr(end, '/');
			if (!end)
				return 0;
			end++;
		}
	end = strchr(end, '/');
	return end ? (size_t)(end - path) : 0;
}

/* "TEST" or "STAGE/TEST" by names.test. */
static bool names_test(const char *pattern, const char *names, const char *path)
{
	rg_name_fields fields;
	char text[TEXT_SIZE];

	if (!rg_path_names_match(names, path, &fields))
		return false;
	rg_field_value stage = fields.fields[RG_FIELD_STAGE];
	rg_field_value test = fields.fields[RG_FIELD_TEST];
	if (stage.length + test.length + 2 > sizeof(text))
		return false;
	snprintf(text, sizeof(text), "%.*s/%.*s", (int)stage.length, stage.start ? stage.start : "",
		 (int)test.length, test.start);
	return rg_glob_match(pattern, text + (stage.start ? 0 : 1), 0) ||
	       rg_glob_match(pattern, text + stage.length + 1, 0);
}

bool rg_names_golden(const char *pattern, const char *root, const char *target, const char *names,
		     const char *path)
{
	size_t length = strlen(root);
	const char *inside = path;

	if (!strncmp(path, root, length) && path[length] == '/')
		inside = path + length + 1;
	const char *slash = strrchr(inside, '/');
	if (rg_glob_match(pattern, path, 0) || rg_glob_match(pattern, inside, 0) ||
	    (slash && rg_glob_match(pattern, slash + 1, 0)))
		return true;
	if (names && names_test(pattern, names, inside))
		return true;
	return slash && (names_folder(pattern, inside, (size_t)(slash - inside)) ||
			 (!names && names_folder(pattern, inside, test_folder(target, inside))));
}

void rg_reset_release(rg_reset *reset)
{
	free(reset->items);
	rg_update_log_release(&reset->update_log);
	rg_index_free(reset->index);
	rg_arena_release(&reset->arena);
	*reset = (rg_reset){0};
}

/* What HEAD has at the path, as a checkout would write it. */
static rg_error *look_at_head(rg_worktree *worktree, const char *path, mode_t mode_now,
			      rg_side *out)
{
	bool executable = false;
	rg_buf bytes;

	rg_buf_init(&bytes, RG_TREE_FILE_MAX);
	rg_error *err = rg_worktree_checkout_bytes(worktree, path, &bytes, &executable);
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
	const char *outside = rg_index_why_outside(reset->index, change->path);
	size_t inner = rg_index_inner_repository(reset->index, reset->worktree, change->path);
	bool hidden;

	if (inner)
		return rg_error_new(RG_E_GIT, "is in '%.*s', which is a repository of its own",
				    (int)inner, change->path);
	RG_TRY(rg_tree_check(rg_journal_tree(journal), options->root, change->path));
	if (outside && change->kind != RG_CHANGE_NEW)
		return rg_error_new(RG_E_GIT, "%s", outside);
	RG_TRY(rg_update_log_hides_work(&reset->update_log, reset->index, reset->worktree,
					change->path, &hidden));
	if (hidden)
		return rg_error_new(RG_E_GIT,
				    "the staged version is neither HEAD's nor the working "
				    "tree's; 'git restore --staged' it first");
	RG_TRY(rg_journal_look(journal, change->path, &item->old));
	if (change->kind == RG_CHANGE_NEW)
		return NULL;
	return look_at_head(reset->worktree, change->path, item->old.mode, &item->new_side);
}

/* Leaves the item alone for the error's reason, unless the reason must stop everything. */
static rg_error *leave_alone(rg_reset *reset, rg_reset_item *item, rg_error *err)
{
	rg_error_code code = rg_error_get_code(err);
	if (code != RG_E_UNSAFE && code != RG_E_GIT && code != RG_E_LIMIT)
		return err;
	err = rg_error_drop_subject(err, item->path);
	const char *why = rg_error_message(err);
	item->why = rg_arena_copy(&reset->arena, why, strlen(why));
	rg_error_free(err);
	reset->left_alone++;
	return NULL;
}

static rg_error *add_item(rg_reset *reset, rg_journal *journal, const rg_reset_options *options,
			  const rg_change *change)
{
	rg_grow(&reset->items, &reset->capacity, reset->count + 1, sizeof(*reset->items));
	rg_reset_item *item = &reset->items[reset->count];
	*item = (rg_reset_item){0};
	item->path = rg_arena_text(&reset->arena, change->path);
	reset->count++;
	rg_error *err = look(reset, journal, options, change, item);
	return err ? leave_alone(reset, item, err) : NULL;
}

/* Adds the goldens among lists[which] that are not in a list before it. */
static rg_error *add_items(rg_reset *reset, rg_journal *journal, const rg_reset_options *options,
			   const rg_change_list *lists, size_t which)
{
	for (size_t i = 0; i < lists[which].count; i++) {
		const rg_change *change = &lists[which].items[i];
		bool known = false;

		if (!rg_globs_take(options->files, change->path) ||
		    (options->pattern &&
		     !rg_names_golden(options->pattern, options->root, options->target,
				      options->names, change->path)))
			continue;
		for (size_t j = 0; j < which && !known; j++)
			known = rg_change_list_has(&lists[j], change->path);
		if (!known)
			RG_TRY(add_item(reset, journal, options, change));
	}
	return NULL;
}

RG_ORDER(by_path, rg_reset_item, RG_BY_PATH(path));

rg_error *rg_reset_plan(rg_reset *out, rg_worktree *worktree, rg_journal *journal,
			const rg_reset_options *options)
{
	rg_change_query query = {
		.no_renames = true, .modes = true, .fetch = true, .root = options->root};
	/* In the files; what the index alone has otherwise: staged work, a conflict. */
	rg_change_list lists[2] = {{0}, {0}};
	rg_error *err;

	*out = (rg_reset){.worktree = worktree};
	rg_arena_init(&out->arena);
	RG_TRY(rg_index_open(&out->index, worktree));
	err = rg_update_log_read(&out->update_log, journal);
	if (!err)
		err = rg_worktree_changes(worktree, &query, &lists[0]);
	query.staged = true;
	if (!err)
		err = rg_worktree_changes(worktree, &query, &lists[1]);
	for (size_t i = 0; i < 2 && !err; i++)
		err = add_items(out, journal, options, lists, i);
	for (size_t i = 0; i < 2; i++)
		rg_change_list_release(&lists[i]);
	if (!err && out->count)
		qsort(out->items, out->count, sizeof(*out->items), by_path);
	if (!err && options->pattern && !out->count)
		err = rg_error_new(RG_E_USAGE,
				   "'%s' matches no golden under %s that differs from HEAD",
				   options->pattern, *options->root ? options->root : ".");
	return err;
}

/* Which item each of a record's entries is. */
typedef struct {
	const rg_reset *reset;
	size_t *items;
} applied;

static rg_error *give_head(void *context, size_t index, rg_buf *out)
{
	const applied *a = context;
	bool executable;

	return rg_worktree_checkout_bytes(a->reset->worktree, a->reset->items[a->items[index]].path,
					  out, &executable);
}

static void fill_record(const rg_reset *reset, applied *a, rg_record *done)
{
	done->kind = RG_RECORD_RESET;
	for (size_t i = 0; i < reset->count; i++) {
		const rg_reset_item *item = &reset->items[i];
		if (item->why)
			continue;
		a->items[done->count] = i;
		rg_entry *entry = rg_record_add(done, item->path);
		entry->old = item->old;
		entry->new_side = item->new_side;
	}
}

rg_error *rg_reset_apply(rg_reset *reset, rg_journal *journal, rg_record *done)
{
	applied a = {reset, rg_calloc(reset->count + 1, sizeof(*a.items))};
	fill_record(reset, &a, done);
	rg_error *err = NULL;

	if (done->count)
		err = rg_journal_apply(journal, done, give_head, &a);
	free(a.items);
	return err;
}

rg_error *rg_reset_index(rg_worktree *worktree, const rg_record *done)
{
	const char **paths = rg_calloc(done->count + 1, sizeof(*paths));
	rg_error *err = NULL;
	for (size_t i = 0; i < done->count; i++)
		paths[i] = done->entries[i].path;
	if (done->count)
		err = rg_error_wrap(
			rg_worktree_unstage(worktree, paths, done->count),
			"the goldens are reset, but not the index; use 'git restore --staged'");
	free(paths);
	return err;
}
