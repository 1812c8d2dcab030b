#include "update/plan.h"

#include "base/cancel.h"
#include "base/file.h"
#include "base/pattern.h"
#include "golden/lfs.h"
#include "update/inspect.h"
#include "update/splice.h"
#include "update/tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* git's mode for a file that appears; the umask takes its part away. */
enum { NEW_FILE_MODE = 0666 };

void rg_plan_init(rg_plan *plan)
{
	*plan = (rg_plan){.tree = -1, .staging = -1};
	rg_comparison_init(&plan->comparison);
	rg_arena_init(&plan->arena);
}

void rg_plan_release(rg_plan *plan)
{
	size_t i;

	for (i = 0; i < plan->count; i++) {
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

static rg_error *check_targets(const rg_plan *plan, const char *root)
{
	const rg_manifest_golden *goldens = plan->manifest->goldens;
	size_t i;

	for (i = 0; i < plan->manifest->golden_count; i++) {
		RG_TRY(rg_tree_check(plan->tree, root, goldens[i].target));
		/* In path-component order nothing stands between a folder and what is in it. */
		if (i && rg_path_is_below(goldens[i - 1].target, goldens[i].target))
			return rg_error_new(RG_E_UNSAFE,
					    "unsafe target '%s': it is a folder of '%s', too",
					    goldens[i - 1].target, goldens[i].target);
	}
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

/* `bytes` becomes the old file with the wanted metrics of `bytes`; `taken` counts them by name. */
static rg_error *splice_metrics(const rg_plan *plan, const rg_buf *old, rg_buf *bytes,
				size_t *taken)
{
	const rg_plan_names *metrics = &plan->options->metrics;
	rg_buf base, next;
	rg_error *err;
	size_t i;
	bool found;

	rg_buf_init(&base, RG_TREE_FILE_MAX);
	rg_buf_init(&next, RG_TREE_FILE_MAX);
	rg_buf_add(&base, old->data, old->length);
	err = rg_buf_check(&base, "golden");
	for (i = 0; i < metrics->count && !err; i++) {
		rg_buf_clear(&next);
		err = rg_splice(&next, &base, bytes, metrics->items[i], &found);
		if (err || !found)
			continue;
		if (taken)
			taken[i]++;
		rg_buf_clear(&base);
		rg_buf_add(&base, next.data, next.length);
		err = rg_buf_check(&base, "golden");
	}
	if (!err) {
		rg_buf_clear(bytes);
		rg_buf_add(bytes, base.data, base.length);
		err = rg_buf_check(bytes, "golden");
	}
	rg_buf_release(&next);
	rg_buf_release(&base);
	return err;
}

/* What the item would write; `old` are the bytes in the tree. */
static rg_error *make_bytes(const rg_plan *plan, const rg_plan_item *item, const rg_buf *old,
			    rg_buf *out, size_t *taken)
{
	RG_TRY(read_staged(plan, item->golden, out));
	if (!plan->options->metrics.count || !item->old.exists)
		return NULL;
	return rg_error_wrap(splice_metrics(plan, old, out, taken), "%s", item->golden->target);
}

static rg_error *read_old(const rg_plan *plan, const rg_plan_item *item, rg_buf *out, rg_side *side)
{
	rg_tree_file file;

	RG_TRY(rg_tree_read(plan->tree, item->golden->target, out, &file));
	*side = (rg_side){.exists = file.exists, .mode = file.mode, .size = file.size};
	memcpy(side->sha256, file.sha256, sizeof(side->sha256));
	return NULL;
}

static rg_error *classify(rg_plan_item *item, const rg_buf *bytes, bool metrics_only)
{
	item->new = (rg_side){.exists = true, .size = bytes->length};
	item->new.mode = item->old.exists ? item->old.mode : NEW_FILE_MODE;
	RG_TRY(rg_sha256_hex(bytes->data, bytes->length, item->new.sha256));
	item->change = RG_PLAN_UNCHANGED;
	if (!item->old.exists)
		item->change = RG_PLAN_NEW;
	else if (strcmp(item->old.sha256, item->new.sha256) != 0)
		item->change = RG_PLAN_CHANGED;
	/* Parts of a golden need a golden to go into. */
	item->left_out = metrics_only && !item->old.exists;
	return NULL;
}

/* The bytes that are planned for; a golden that --metric cannot work on is held back, alone. */
static rg_error *plan_bytes(rg_plan *plan, rg_plan_item *item, const rg_buf *old, rg_buf *new,
			    size_t *taken)
{
	rg_error *err = NULL, *why;

	if (!item->findings.count) {
		why = make_bytes(plan, item, old, new, taken);
		if (!why || rg_error_get_code(why) != RG_E_PARSE)
			return why;
		why = rg_error_drop_subject(why, item->golden->target);
		err = rg_findings_add(&item->findings, &plan->arena, RG_GUARD_UNREADABLE, NULL,
				      "the new file or the one in the tree is %s",
				      rg_error_message(why));
		rg_error_free(why);
	}
	rg_buf_clear(new);
	return err ? err : read_staged(plan, item->golden, new);
}

static rg_error *make_item(rg_plan *plan, rg_inspector *inspector, rg_plan_item *item,
			   size_t *taken)
{
	rg_buf old, new;
	rg_error *err;

	rg_buf_init(&old, RG_TREE_FILE_MAX);
	rg_buf_init(&new, RG_TREE_FILE_MAX);
	item->file_index = SIZE_MAX;
	err = rg_cancel_check();
	if (!err)
		err = read_old(plan, item, &old, &item->old);
	if (!err && rg_lfs_is_pointer(old.data, old.length))
		/* Nothing can be spliced into it or compared with it. */
		err = rg_findings_add(&item->findings, &plan->arena, RG_GUARD_LFS, NULL,
				      "is a Git LFS pointer in the tree; fetch it with 'git lfs "
				      "pull' first");
	if (!err)
		err = plan_bytes(plan, item, &old, &new, taken);
	if (!err)
		err = classify(item, &new, plan->options->metrics.count > 0);
	if (!err)
		err = rg_inspect(inspector, item, &old, &new);
	rg_buf_release(&new);
	rg_buf_release(&old);
	return err;
}

/* "STAGE/TEST", which patterns and people name. */
static rg_error *name_test(rg_plan *plan, rg_plan_item *item)
{
	const rg_manifest_golden *golden = item->golden;
	size_t stage = strlen(golden->stage), test = strlen(golden->test);
	char *name = rg_arena_alloc(&plan->arena, stage + test + 2);

	if (!name)
		return rg_error_nomem();
	memcpy(name, golden->stage, stage);
	name[stage] = '/';
	memcpy(name + stage + 1, golden->test, test + 1);
	item->test = name;
	return NULL;
}

static rg_error *make_items(rg_plan *plan, rg_inspector *inspector)
{
	const rg_plan_names *metrics = &plan->options->metrics;
	size_t *taken = calloc(metrics->count + 1, sizeof(*taken));
	rg_error *err = taken ? NULL : rg_error_nomem();
	bool unknown = false;
	size_t i;

	for (i = 0; i < plan->count && !err; i++) {
		plan->items[i].golden = &plan->manifest->goldens[i];
		err = name_test(plan, &plan->items[i]);
		if (!err)
			err = make_item(plan, inspector, &plan->items[i], taken);
		/* Which metrics it has is not known. */
		unknown = unknown || plan->items[i].held & RG_GUARD_UNREADABLE;
	}
	for (i = 0; i < metrics->count && !err && !unknown; i++)
		if (!taken[i])
			err = rg_error_new(RG_E_USAGE,
					   "--metric '%s': no staged golden that replaces one has "
					   "this metric",
					   metrics->items[i]);
	free(taken);
	return err;
}

/* The whole path, or what stands behind its last '/'. */
static bool path_matches(const char *pattern, const char *path)
{
	const char *name = strrchr(path, '/');

	return rg_glob_match(pattern, path, 0) || (name && rg_glob_match(pattern, name + 1, 0));
}

bool rg_plan_item_matches(const rg_plan_item *item, const char *pattern, bool changed_only)
{
	const rg_manifest_golden *golden = item->golden;
	size_t i;

	if (path_matches(pattern, golden->target) || rg_glob_match(pattern, golden->test, 0) ||
	    rg_glob_match(pattern, item->test, 0))
		return true;
	for (i = 0; i < item->metric_count; i++)
		if ((!changed_only || item->metrics[i].changed) &&
		    rg_glob_match(pattern, item->metrics[i].name, RG_GLOB_ANY_SLASH))
			return true;
	return false;
}

/* Marks in `hits` the items that a pattern names; RG_E_USAGE where it names none at all. */
static rg_error *find_matches(const rg_plan *plan, const rg_plan_names *patterns, const char *flag,
			      bool *hits)
{
	size_t i, j;

	for (j = 0; j < patterns->count; j++) {
		bool any = false;

		for (i = 0; i < plan->count; i++) {
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
	bool *only = calloc(plan->count + 1, sizeof(*only));
	bool *except = calloc(plan->count + 1, sizeof(*except));
	rg_error *err = only && except ? NULL : rg_error_nomem();
	size_t i;

	if (!err)
		err = find_matches(plan, &options->only, "--only", only);
	if (!err)
		err = find_matches(plan, &options->except, "--except", except);
	for (i = 0; i < plan->count && !err; i++)
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
	rg_error *err;

	plan->manifest = manifest;
	plan->options = options;
	plan->tree = rg_journal_tree(journal);
	RG_TRY(check_targets(plan, options->root));
	RG_TRY(rg_tree_open(&plan->staging, staging_dir));
	plan->items = calloc(manifest->golden_count + 1, sizeof(*plan->items));
	if (!plan->items)
		return rg_error_nomem();
	plan->count = manifest->golden_count;
	RG_TRY(rg_inspector_new(&inspector, plan, journal));
	err = make_items(plan, inspector);
	rg_inspector_free(inspector);
	return err ? err : select_items(plan);
}

rg_error *rg_plan_bytes(const rg_plan *plan, size_t index, rg_buf *out)
{
	const rg_plan_item *item = &plan->items[index];
	char sha256[RG_SHA256_HEX];
	rg_error *err;
	rg_side side;
	rg_buf old;

	rg_buf_init(&old, RG_TREE_FILE_MAX);
	err = read_old(plan, item, &old, &side);
	if (!err)
		err = make_bytes(plan, item, &old, out, NULL);
	rg_buf_release(&old);
	if (!err)
		err = rg_sha256_hex(out->data, out->length, sha256);
	if (!err && strcmp(sha256, item->new.sha256) != 0)
		err = rg_error_new(RG_E_MISMATCH, "%s: changed since it was reviewed; try again",
				   item->golden->target);
	return err;
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

double rg_plan_row_weight(const rg_row *row)
{
	if (row->identical)
		return 0;
	return row->kind == RG_ROW_EXACT ? INFINITY : fabs(row->avg_rel_diff);
}

static int worst_first(const void *a, const void *b)
{
	const rg_row *left = *(const rg_row *const *)a, *right = *(const rg_row *const *)b;
	double x = rg_plan_row_weight(left), y = rg_plan_row_weight(right);

	if (x != y)
		return x > y ? -1 : 1;
	return left < right ? -1 : left > right;
}

rg_error *rg_plan_worst_rows(const rg_plan *plan, const rg_plan_item *item, size_t top,
			     const rg_row ***out, size_t *count)
{
	const rg_file_outcome *file;
	const rg_row **rows;
	size_t i;

	*out = NULL;
	*count = 0;
	if (item->file_index == SIZE_MAX)
		return NULL;
	file = &plan->comparison.files[item->file_index];
	rows = calloc(file->row_count + 1, sizeof(*rows));
	if (!rows)
		return rg_error_nomem();
	for (i = 0; i < file->row_count; i++) {
		const rg_row *row = &plan->comparison.rows[file->first_row + i];

		if (!row->identical)
			rows[(*count)++] = row;
	}
	if (*count)
		qsort(rows, *count, sizeof(*rows), worst_first);
	if (top && *count > top)
		*count = top;
	*out = rows;
	return NULL;
}
