/* SPDX-License-Identifier: Apache-2.0 */
#include "update/plan_make.h"

#include "base/memory.h"
#include "base/cancel.h"
#include "base/counts.h"
#include "base/name_pattern.h"
#include "base/path.h"
#include "base/pattern.h"
#include "base/lfs.h"
#include "update/inspect.h"

#include <stdlib.h>
#include <string.h>

/* git's mode for a file that appears; the umask takes its part away. */
enum { NEW_FILE_MODE = 0666 };

static rg_error *check_targets(const rg_plan *plan, const char *root)
{
	const rg_manifest_golden *goldens = plan->manifest->goldens;
	for (size_t i = 0; i < plan->manifest->golden_count; i++) {
		RG_TRY(rg_tree_check(plan->tree, root, goldens[i].target));
		if (!rg_globs_take(plan->options->files, goldens[i].target))
			return rg_error_new(RG_E_UNSAFE,
					    "unsafe target '%s': regild.files names no such golden "
					    "('%s')",
					    goldens[i].target, plan->options->files);
		/* In path-component order nothing comes between a folder and what is in it. */
		if (i && rg_path_is_below(goldens[i - 1].target, goldens[i].target))
			return rg_error_new(RG_E_UNSAFE,
					    "unsafe target '%s': it is a folder of '%s', too",
					    goldens[i - 1].target, goldens[i].target);
	}
	return NULL;
}

static rg_error *classify(const rg_plan *plan, rg_plan_item *item, const rg_buf *bytes)
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
	else if (strcmp(item->old.sha256, item->new_side.sha256) != 0)
		item->change = RG_PLAN_CHANGED;
	/* Parts of a golden need a golden to go into. */
	item->left_out = plan->options->metrics.count && !item->old.exists;
	return NULL;
}

/* The bytes that are planned for; a golden that cannot be made of both is held back, alone. */
static rg_error *plan_bytes(rg_plan *plan, rg_plan_item *item, const rg_buf *old, rg_buf *fresh,
			    size_t *taken)
{
	RG_TRY(rg_plan_staged(plan, item, fresh));
	if (item->findings.count)
		return NULL;
	rg_error *why = rg_plan_make_bytes(plan, item, old, fresh, taken);
	if (!why || rg_error_get_code(why) != RG_E_PARSE)
		return why;
	why = rg_error_drop_subject(why, item->golden->target);
	rg_findings_add(&item->findings, &plan->arena, RG_GUARD_UNREADABLE, NULL,
			"the new file or the one in the tree: %s", rg_error_message(why));
	rg_error_free(why);
	return NULL;
}

static rg_error *make_item(rg_plan *plan, rg_inspector *inspector, rg_plan_item *item,
			   size_t *taken)
{
	rg_buf old, fresh;
	rg_buf_init(&old, RG_TREE_FILE_MAX);
	rg_buf_init(&fresh, RG_TREE_FILE_MAX);
	item->file_index = SIZE_MAX;
	rg_error *err = rg_cancel_check();
	if (!err)
		err = rg_tree_read(plan->tree, item->golden->target, &old, &item->old);
	if (!err && rg_lfs_is_pointer(old.data, old.length))
		/* Nothing can be spliced into it or compared with it. */
		rg_findings_add(&item->findings, &plan->arena, RG_GUARD_LFS, NULL,
				"is a Git LFS pointer in the tree; fetch it with 'git lfs "
				"pull' first");
	if (!err)
		err = plan_bytes(plan, item, &old, &fresh, taken);
	if (!err)
		err = classify(plan, item, &fresh);
	if (!err)
		err = rg_inspect(inspector, item, &old, &fresh);
	rg_buf_release(&fresh);
	rg_buf_release(&old);
	return err;
}

/* By names.test: in *stage and *test, where the path says so. */
static void names_of(const rg_plan_options *options, const char *path, rg_field_value *stage,
		     rg_field_value *test)
{
	size_t root = strlen(options->root);
	rg_name_fields fields;

	if (!options->names)
		return;
	if (!strncmp(path, options->root, root) && path[root] == '/')
		path += root + 1;
	if (!rg_path_names_match(options->names, path, &fields))
		return;
	*stage = fields.fields[RG_FIELD_STAGE];
	*test = fields.fields[RG_FIELD_TEST];
}

/* "STAGE/TEST", which patterns and people name. */
static void name_test(rg_plan *plan, rg_plan_item *item)
{
	const rg_manifest_golden *golden = item->golden;
	rg_field_value stage = {golden->stage, strlen(golden->stage)};
	rg_field_value test = {golden->test, strlen(golden->test)};

	names_of(plan->options, golden->target, &stage, &test);
	char *name = rg_textf("%.*s/%.*s", (int)stage.length, stage.start ? stage.start : "",
			      (int)test.length, test.start);
	item->test = rg_arena_text(&plan->arena, name);
	free(name);
}

static rg_error *make_items(rg_plan *plan, rg_inspector *inspector)
{
	const rg_plan_names *metrics = &plan->options->metrics;
	size_t *taken = rg_calloc(metrics->count + 1, sizeof(*taken));
	bool unknown = false;
	rg_error *err = NULL;

	for (size_t i = 0; i < plan->count && !err; i++) {
		name_test(plan, &plan->items[i]);
		if (!err)
			err = make_item(plan, inspector, &plan->items[i], taken);
		/* Which metrics it has is not known. */
		unknown = unknown || plan->items[i].held & RG_GUARD_UNREADABLE;
	}
	for (size_t i = 0; i < metrics->count && !err && !unknown; i++)
		if (!taken[i])
			err = rg_error_new(RG_E_USAGE,
					   "--metric '%s': no staged golden that replaces one has "
					   "this metric",
					   metrics->items[i]);
	free(taken);
	return err;
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

static rg_error *select_items(rg_plan *plan)
{
	const rg_plan_options *options = plan->options;
	bool *only = rg_calloc(plan->count + 1, sizeof(*only));
	bool *except = rg_calloc(plan->count + 1, sizeof(*except));
	rg_error *err = find_matches(plan, &options->only, "--only", only);
	if (!err)
		err = find_matches(plan, &options->except, "--except", except);
	for (size_t i = 0; i < plan->count && !err; i++)
		if ((options->only.count && !only[i]) || except[i])
			plan->items[i].left_out = true;
	free(except);
	free(only);
	return err;
}

rg_error *rg_plan_make(rg_plan *plan, const rg_manifest *manifest, const char *staging_dir,
		       rg_journal *journal, const rg_plan_options *options)
{
	rg_inspector *inspector;
	plan->manifest = manifest;
	plan->options = options;
	plan->tree = rg_journal_tree(journal);
	RG_TRY(check_targets(plan, options->root));
	RG_TRY(rg_tree_open(&plan->staging, staging_dir));
	plan->items = rg_calloc(manifest->golden_count + 1, sizeof(*plan->items));
	plan->count = manifest->golden_count;
	for (size_t i = 0; i < plan->count; i++)
		plan->items[i].golden = &manifest->goldens[i];
	RG_TRY(rg_inspector_new(&inspector, plan, journal));
	rg_error *err = make_items(plan, inspector);
	rg_inspector_free(inspector);
	return err ? err : select_items(plan);
}
