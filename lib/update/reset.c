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

/* Looks what HEAD has at the path, as a checkout would write it. */
static rg_error *look_at_head(rg_worktree *worktree, const char *path, mode_t mode_now,
			      rg_side *out)
{
	RG_AUTO(rg_buf) bytes = rg_buf_of(RG_TREE_FILE_MAX);
	bool executable = false;

	RG_TRY(rg_worktree_checkout_bytes(worktree, path, &bytes, &executable));
	*out = (rg_side){.exists = true, .size = bytes.length};
	out->mode = executable ? 0777 : 0666;
	if (mode_now && !(mode_now & 0100) == !executable)
		out->mode = mode_now;
	return rg_sha256_hex(bytes.data, bytes.length, out->sha256);
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

/* Adds the goldens of a list that are not among the `known` (NULL: none is). One is left alone for
 * a reason that need not stop everything. */
static rg_error *append_items(rg_reset *reset, rg_journal *journal, const rg_reset_options *options,
			      const rg_change_list *list, const rg_change_list *known)
{
	for (size_t i = 0; i < list->count; i++) {
		const rg_change *change = &list->items[i];

		if (!rg_globs_take(options->files, change->path) ||
		    (options->pattern &&
		     !rg_names_golden(options->pattern, options->root, options->target,
				      options->names, change->path)))
			continue;
		if (known && rg_change_list_has(known, change->path))
			continue;
		rg_reset_item *item = RG_PUSH(reset->items, reset->count, reset->capacity);
		*item = (rg_reset_item){.path = rg_arena_text(&reset->arena, change->path)};
		RG_AUTO_PTR(rg_error) err = look(reset, journal, options, change, item);
		rg_error_code code = err ? rg_error_get_code(err) : 0;
		if (code == RG_E_UNSAFE || code == RG_E_GIT || code == RG_E_LIMIT) {
			err = rg_error_drop_subject(err, item->path);
			item->why = rg_arena_text(&reset->arena, rg_error_message(err));
			reset->left_alone++;
		} else if (err) {
			return RG_TAKE(err);
		}
	}
	return NULL;
}

RG_ORDER(by_path, rg_reset_item, RG_BY_PATH(path));

rg_error *rg_reset_plan(rg_reset *out, rg_worktree *worktree, rg_journal *journal,
			const rg_reset_options *options)
{
	rg_change_query query = {
		.no_renames = true, .modes = true, .fetch = true, .root = options->root};
	RG_AUTO(rg_change_list) changed = {0};
	/* Only the index differs in these: staged work, a conflict. */
	RG_AUTO(rg_change_list) staged = {0};

	*out = (rg_reset){.worktree = worktree};
	RG_TRY(rg_index_open(&out->index, worktree));
	RG_TRY(rg_update_log_read(&out->update_log, journal));
	RG_TRY(rg_worktree_changes(worktree, &query, &changed));
	query.staged = true;
	RG_TRY(rg_worktree_changes(worktree, &query, &staged));
	RG_TRY(append_items(out, journal, options, &changed, NULL));
	RG_TRY(append_items(out, journal, options, &staged, &changed));
	if (out->count)
		qsort(out->items, out->count, sizeof(*out->items), by_path);
	if (options->pattern && !out->count)
		return rg_error_new(RG_E_USAGE,
				    "'%s' matches no golden under %s that differs from HEAD",
				    options->pattern, *options->root ? options->root : ".");
	return NULL;
}

/* Which item each of a record's entries is. */
typedef struct {
	const rg_reset *reset;
	const size_t *items;
} apply_state;

static rg_error *give_head(void *context, size_t index, rg_buf *out)
{
	const apply_state *a = context;
	bool executable;

	return rg_worktree_checkout_bytes(a->reset->worktree, a->reset->items[a->items[index]].path,
					  out, &executable);
}

rg_error *rg_reset_apply(rg_reset *reset, rg_journal *journal, rg_record *done)
{
	RG_AUTO_FREE size_t *items = rg_calloc(reset->count + 1, sizeof(*items));

	done->kind = RG_RECORD_RESET;
	for (size_t i = 0; i < reset->count; i++) {
		const rg_reset_item *item = &reset->items[i];
		if (item->why)
			continue;
		items[done->count] = i;
		rg_entry *entry = rg_record_add(done, item->path);
		entry->old = item->old;
		entry->new_side = item->new_side;
	}
	return done->count
		       ? rg_journal_apply(journal, done, give_head, &(apply_state){reset, items})
		       : NULL;
}

rg_error *rg_reset_index(rg_worktree *worktree, const rg_record *done)
{
	RG_AUTO_FREE const char **paths = rg_calloc(done->count + 1, sizeof(*paths));
	for (size_t i = 0; i < done->count; i++)
		paths[i] = done->entries[i].path;
	if (!done->count)
		return NULL;
	return rg_error_wrap(
		rg_worktree_unstage(worktree, paths, done->count),
		"the goldens are reset, but not the index; use 'git restore --staged'");
}
