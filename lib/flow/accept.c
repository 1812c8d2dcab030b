/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/accept.h"

#include "base/lfs.h"
#include "base/memory.h"
#include "base/path.h"
#include "base/variant.h"
#include "flow/undo.h"
#include "update/safe_tree.h"
#include "worktree/index.h"

#include <string.h>

#define OF rg_accept_result
const rg_json_field rg_accept_fields[] = {
	RG_KEY(golden, "Its path from the repository's root."),
	RG_KEY(variant, "The variant's name."),
	RG_KEY(file, "The variant's path."),
	RG_KEY(sha256, "Of the bytes that are accepted."),
	RG_KEY(replaced, "Was there a variant of that name before?"),
	{0}};
#undef OF

/* The bytes that each side of the record gets. */
typedef struct {
	const rg_flow *flow;
	const char *golden;
	rg_buf head, fresh;
	rg_side golden_now, variant_now;
	bool executable;
	const char *first; /* the path that comes first in the record */
} accept_state;

static void accept_state_release(accept_state *a)
{
	rg_buf_release(&a->fresh);
	rg_buf_release(&a->head);
}

static rg_error *look(accept_state *a, const rg_accept_result *out, rg_journal *journal)
{
	const int tree = rg_journal_tree(journal);
	const char *root = rg_config_get(a->flow->config, "regild.root");

	RG_TRY(rg_tree_check(tree, root, a->golden));
	RG_TRY(rg_tree_check(tree, root, out->file));
	RG_TRY(rg_tree_read(tree, a->golden, &a->fresh, &a->golden_now));
	if (!a->golden_now.exists)
		return rg_error_new(RG_E_NOTFOUND, "%s: there is no such file", a->golden);
	RG_TRY(rg_error_wrap(
		rg_worktree_checkout_bytes(a->flow->worktree, a->golden, &a->head, &a->executable),
		"a variant is beside the value that HEAD has"));
	if (a->head.length == a->fresh.length &&
	    !memcmp(a->head.data, a->fresh.data, a->head.length))
		return rg_error_new(RG_E_USAGE,
				    "%s: has the bytes that HEAD has; refresh it first (a variant "
				    "is another value)",
				    a->golden);
	if (rg_lfs_is_pointer(a->fresh.data, a->fresh.length))
		return rg_error_new(RG_E_USAGE,
				    "%s: is a Git LFS pointer; fetch it with 'git lfs pull' first",
				    a->golden);
	rg_worktree *worktree = a->flow->worktree;
	RG_AUTO(rg_update_log) log = {0};
	RG_AUTO_PTR(rg_index) index = NULL;
	bool hidden = false;

	RG_TRY(rg_index_open(&index, worktree));
	RG_TRY(rg_update_log_read(&log, journal));
	RG_TRY(rg_update_log_hides_work(&log, index, worktree, a->golden, &hidden));
	if (hidden)
		return rg_error_new(
			RG_E_CONFLICT,
			"%s: the staged version is neither HEAD's nor the working tree's; "
			"'git restore --staged' it first",
			a->golden);
	return rg_journal_look(journal, out->file, &a->variant_now);
}

static rg_error *give_bytes(void *context, size_t index, rg_buf *out)
{
	const accept_state *a = context;
	const bool golden = (index == 0) == (a->first == a->golden);
	const rg_buf *bytes = golden ? &a->head : &a->fresh;

	rg_buf_add(out, bytes->data, bytes->length);
	return NULL;
}

static rg_error *append_entries(accept_state *a, const rg_accept_result *out, rg_record *record)
{
	const char *paths[2] = {a->golden, out->file};
	const bool swap = rg_path_compare(a->golden, out->file) > 0;

	a->first = paths[swap];
	for (size_t i = 0; i < 2; i++) {
		const bool golden = (i == 1) == swap;
		rg_entry *entry = rg_record_add(record, golden ? a->golden : out->file);
		entry->old = golden ? a->golden_now : a->variant_now;
		entry->new_side = (rg_side){.exists = true, .mode = 0666};
		if (entry->old.exists)
			entry->new_side.mode = entry->old.mode;
		if (golden && !(entry->old.mode & 0100) == a->executable)
			entry->new_side.mode = a->executable ? 0777 : 0666;
		const rg_buf *bytes = golden ? &a->head : &a->fresh;
		entry->new_side.size = bytes->length;
		RG_TRY(rg_sha256_hex(bytes->data, bytes->length, entry->new_side.sha256));
	}
	return NULL;
}

rg_error *rg_accept(rg_accept_result *out, const rg_flow *flow, const char *golden,
		    const char *variant)
{
	RG_AUTO(accept_state) a = {.flow = flow};

	*out = (rg_accept_result){.variant = variant};
	RG_TRY(rg_variant_name_check(variant));
	RG_TRY(rg_flow_golden_path(&out->golden, flow, golden));
	out->file = rg_variant_path(flow->arena, rg_config_variants(flow->config), out->golden,
				    variant);
	RG_TRY(rg_path_check(out->file));
	a.golden = out->golden;
	rg_buf_init(&a.head, RG_TREE_FILE_MAX);
	rg_buf_init(&a.fresh, RG_TREE_FILE_MAX);
	RG_AUTO_PTR(rg_journal) journal = NULL;

	RG_TRY(rg_flow_open_journal(&journal, a.flow, true));
	RG_TRY(look(&a, out, journal));
	out->replaced = a.variant_now.exists;
	memcpy(out->sha256, a.golden_now.sha256, sizeof(out->sha256));
	RG_AUTO(rg_record) record = {0};
	rg_record_init(&record);
	record.kind = RG_RECORD_UPDATE;
	record.about = rg_arena_textf(&record.arena, "variant %s of %s", out->variant, a.golden);
	rg_error *err = append_entries(&a, out, &record);
	if (!err)
		err = rg_journal_apply(journal, &record, give_bytes, &a);
	out->id = record.id;
	if (!err)
		out->missed = rg_error_wrap(
			rg_worktree_unstage(a.flow->worktree, &a.golden, 1),
			"the golden is reset, but not the index; use 'git restore --staged'");
	return err;
}
