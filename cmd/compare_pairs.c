#include "compare_pairs.h"

#include "base/file.h"
#include "base/tree.h"
#include "compare/parallel.h"
#include "curves.h"
#include "golden/lfs.h"
#include "golden_side.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

typedef struct {
	rg_worktree *worktree; /* a handle is for one thread; the first worker is the caller */
	golden_side old, new;
} worker_state;

typedef struct {
	rg_worktree *worktree; /* the caller's; NULL with --old and --new */
	const char *root;      /* its root */
	const rg_change_list *list;
	const compare_source *source;
	const char *old_label, *new_label;
	char *pair_name; /* --old/--new: "OLDNAME vs NEWNAME" */
	/* --old/--new with folders: these, ending in '/', and the files of either. */
	char *old_folder, *new_folder;
	const char **paths;
	bool *in_old, *in_new;
	worker_state *workers;
	size_t worker_count;
	rg_pair_load_fn *load;
	format_reports *reports;
} loader;

static rg_file_status status_of(rg_change_kind kind)
{
	return kind == RG_CHANGE_NEW       ? RG_FILE_NEW
	       : kind == RG_CHANGE_REMOVED ? RG_FILE_REMOVED
					   : RG_FILE_COMPARED;
}

/* Has the side such a file, and is it a golden by its bytes? */
static bool is_golden(const rg_input *side)
{
	return side->name && rg_golden_recognised(side);
}

/* Only the file's time had changed, or its line ends, or git has a pointer to it (Git LFS)? */
static rg_error *is_unchanged(const worker_state *w, const rg_change *change, const rg_pair *pair,
			      bool *out)
{
	const rg_input *old = &pair->old_side, *new = &pair->new_side;

	*out = rg_change_is_none(w->worktree, change, old->data, old->size, new->data, new->size);
	if (*out || !change->unsure || change->kind != RG_CHANGE_MODIFIED)
		return NULL;
	return rg_lfs_points_to(old->data, old->size, new->data, new->size, out);
}

static rg_error *load_change(void *context, size_t worker, size_t index, rg_pair *pair)
{
	loader *l = context;
	worker_state *w = &l->workers[worker];
	const rg_change *change = &l->list->items[index];
	/* A file that a sparse checkout leaves out is the index's. */
	const char *new_tree = *change->new_id && !*l->list->to_id ? ":" : l->list->to_id;
	bool doubtful;

	pair->name = (rg_file_name){change->path, change->old_path};
	pair->status = status_of(change->kind);
	pair->old_label = l->old_label;
	pair->new_label = l->new_label;
	if (change->kind == RG_CHANGE_NONE)
		return rg_error_new(RG_E_NOTFOUND, "is neither in %s nor in %s", l->old_label,
				    l->new_label);
	if (change->unmerged && l->source->staged)
		return rg_error_new(RG_E_CONFLICT, "%s: " RG_UNMERGED, l->new_label);
	if (change->unmerged) /* for the case that it cannot be read */
		pair->new_label = "the working tree: " RG_UNMERGED;
	if (!w->worktree)
		RG_TRY(rg_worktree_open_again(&w->worktree, l->worktree));
	w->old.folder = w->new.folder = l->root;
	/* Who names a file means it. */
	doubtful = !l->source->files.count && !rg_golden_recognises_name(change->path);
	if (pair->status == RG_FILE_COMPARED || (doubtful && pair->status == RG_FILE_REMOVED))
		RG_TRY(rg_error_wrap(golden_side_read(&w->old, change->old_path, l->list->base_id,
						      change->old_id, &pair->old_side),
				     "%s", l->old_label));
	if (pair->status != RG_FILE_REMOVED)
		RG_TRY(rg_error_wrap(golden_side_read(&w->new, change->path, new_tree,
						      change->new_id, &pair->new_side),
				     "%s", l->new_label));
	RG_TRY(is_unchanged(w, change, pair, &pair->leave_out));
	pair->leave_out |= doubtful && !is_golden(&pair->old_side) && !is_golden(&pair->new_side);
	if (pair->leave_out)
		return NULL;
	RG_TRY(rg_error_wrap(golden_side_refuse_pointer(&pair->old_side, change->old_id), "%s",
			     l->old_label));
	return rg_error_wrap(golden_side_refuse_pointer(&pair->new_side, change->new_id), "%s",
			     l->new_label);
}

static rg_error *load_two_files(void *context, size_t worker, size_t index, rg_pair *pair)
{
	loader *l = context;
	worker_state *w = &l->workers[worker];

	(void)index;
	pair->name.file = l->pair_name;
	pair->old_label = compare_old_side(l->source);
	pair->new_label = compare_new_side(l->source);
	w->old.folder = w->new.folder = "";
	RG_TRY(rg_error_wrap(
		golden_side_read(&w->old, l->source->old_file, "", NULL, &pair->old_side), "%s",
		pair->old_label));
	return rg_error_wrap(
		golden_side_read(&w->new, l->source->new_file, "", NULL, &pair->new_side), "%s",
		pair->new_label);
}

static rg_error *load_from_folders(void *context, size_t worker, size_t index, rg_pair *pair)
{
	loader *l = context;
	worker_state *w = &l->workers[worker];
	const char *path = l->paths[index];

	pair->name.file = path;
	pair->status = !l->in_old[index]   ? RG_FILE_NEW
		       : !l->in_new[index] ? RG_FILE_REMOVED
					   : RG_FILE_COMPARED;
	pair->old_label = l->source->old_file;
	pair->new_label = l->source->new_file;
	w->old.folder = l->old_folder;
	w->new.folder = l->new_folder;
	if (l->in_old[index])
		RG_TRY(rg_error_wrap(golden_side_read(&w->old, path, "", NULL, &pair->old_side),
				     "%s", pair->old_label));
	if (l->in_new[index])
		RG_TRY(rg_error_wrap(golden_side_read(&w->new, path, "", NULL, &pair->new_side),
				     "%s", pair->new_label));
	return NULL;
}

static rg_error *load_and_collect(void *context, size_t worker, size_t index, rg_pair *pair)
{
	loader *l = context;

	RG_TRY(l->load(context, worker, index, pair));
	return format_reports_collect(l->reports, index, pair);
}

/* How the comparison calls the pair's file. */
static const char *pair_name(void *context, size_t index)
{
	const loader *l = context;

	return l->list ? l->list->items[index].path : l->paths ? l->paths[index] : l->pair_name;
}

static rg_error *read_curves(loader *l, size_t count, const compare_rules *rules,
			     const rg_comparison *comparison)
{
	const curve_source source = {.count = count,
				     .load = l->load,
				     .name = pair_name,
				     .context = l,
				     .old_options = rules->old_options,
				     .new_options = rules->new_options};

	return rules->curves ? curves_read(rules->curves, comparison, &source) : NULL;
}

/* Goldens come and go by megabytes: what one gave back the next one takes, and the kernel need not
 * take the pages away and clear them anew in between. */
static void keep_freed_memory(void)
{
#ifdef __GLIBC__
	mallopt(M_MMAP_THRESHOLD, 8 << 20);
	mallopt(M_TRIM_THRESHOLD, 32 << 20);
#endif
}

static rg_error *run_pairs(environment *env, loader *l, rg_pair_load_fn *load, size_t count,
			   const compare_rules *rules, rg_comparison *out)
{
	rg_pair_source pairs = {.count = count,
				.load = load_and_collect,
				.context = l,
				.policy = rules->policy,
				.options = rules->old_options,
				.new_options = rules->new_options,
				.judge = rules->judge ? rg_noise_judge_rows : NULL,
				.judge_context = rules->judge};
	uint64_t max;
	rg_error *err;
	size_t i;

	RG_TRY(rg_config_golden_max(env->config, &max));
	keep_freed_memory();
	l->load = load;
	l->reports = rules->reports;
	RG_TRY(format_reports_begin(l->reports, count));
	pairs.workers = l->worker_count = rg_compare_workers(count);
	l->workers = calloc(l->worker_count, sizeof(*l->workers));
	if (!l->workers)
		return rg_error_nomem();
	for (i = 0; i < l->worker_count; i++) {
		golden_side_init(&l->workers[i].old, &l->workers[i].worktree, max);
		golden_side_init(&l->workers[i].new, &l->workers[i].worktree, max);
	}
	l->workers[0].worktree = l->worktree;
	err = rg_compare_pairs(out, &pairs);
	if (!err) {
		rg_filter_metrics(rules->filter, out);
		err = read_curves(l, count, rules, out);
	}
	for (i = 0; i < l->worker_count; i++) {
		golden_side_release(&l->workers[i].new);
		golden_side_release(&l->workers[i].old);
		if (i)
			rg_worktree_free(l->workers[i].worktree);
	}
	free(l->workers);
	return err;
}

/* --- two folders --- */

/* Does a file begin like a golden of any format? One that cannot be read is left to the comparison,
 * which says why. */
static bool begins_like_golden(const char *folder, const char *path)
{
	char bytes[4096], *full;
	rg_input in = {.name = path, .data = bytes};
	FILE *file;

	if (rg_path_join(&full, folder, path))
		return true;
	file = fopen(full, "rb");
	free(full);
	if (!file)
		return true;
	in.size = fread(bytes, 1, sizeof(bytes), file);
	fclose(file);
	return rg_golden_recognised(&in);
}

static void add_path(loader *l, const compare_rules *rules, const char *path, bool in_old,
		     bool in_new, size_t *count)
{
	if (!rg_filter_takes_file(rules->filter, path, rules->context) ||
	    !begins_like_golden(in_new ? l->new_folder : l->old_folder, path))
		return;
	l->paths[*count] = path;
	l->in_old[*count] = in_old;
	l->in_new[*count] = in_new;
	++*count;
}

/* A tree comes in strcmp's order, rows go by path components. */
static rg_error *list_tree(rg_tree *out, const char *folder)
{
	RG_TRY(rg_tree_list(out, folder));
	out->count = rg_path_sort_unique(out->paths, out->count);
	return NULL;
}

/* The goldens of either tree that the filters take, each once. */
static rg_error *merge_trees(loader *l, const compare_rules *rules, const rg_tree *old,
			     const rg_tree *new, size_t *count)
{
	size_t total = old->count + new->count + 1, i = 0, k = 0;

	l->paths = calloc(total, sizeof(*l->paths));
	l->in_old = calloc(total, sizeof(*l->in_old));
	l->in_new = calloc(total, sizeof(*l->in_new));
	if (!l->paths || !l->in_old || !l->in_new)
		return rg_error_nomem();
	while (i < old->count || k < new->count) {
		int order = i == old->count   ? 1
			    : k == new->count ? -1
					      : rg_path_compare(old->paths[i], new->paths[k]);

		add_path(l, rules, order > 0 ? new->paths[k] : old->paths[i], order <= 0,
			 order >= 0, count);
		i += order <= 0;
		k += order >= 0;
	}
	return NULL;
}

static rg_error *compare_two_folders(environment *env, const compare_source *source,
				     const compare_rules *rules, rg_comparison *out)
{
	loader l = {.source = source};
	rg_tree old = {0}, new = {0};
	size_t count = 0;
	rg_error *err;

	err = rg_textf(&l.old_folder, "%s/", source->old_file);
	if (!err)
		err = rg_textf(&l.new_folder, "%s/", source->new_file);
	if (!err)
		err = list_tree(&old, source->old_file);
	if (!err)
		err = list_tree(&new, source->new_file);
	if (!err)
		err = merge_trees(&l, rules, &old, &new, &count);
	if (!err)
		err = run_pairs(env, &l, load_from_folders, count, rules, out);
	free(l.in_new);
	free(l.in_old);
	free(l.paths);
	rg_tree_release(&new);
	rg_tree_release(&old);
	free(l.new_folder);
	free(l.old_folder);
	return err;
}

static rg_error *compare_two_files(environment *env, const compare_source *source,
				   const compare_rules *rules, rg_comparison *out)
{
	loader l = {.source = source};
	rg_error *err;
	bool taken;

	RG_TRY(rg_textf(&l.pair_name, "%s vs %s", rg_path_name(source->old_file),
			rg_path_name(source->new_file)));
	taken = rg_filter_takes_file(rules->filter, l.pair_name, rules->context);
	err = run_pairs(env, &l, load_two_files, taken, rules, out);
	free(l.pair_name);
	return err;
}

/* --- which files of the repository --- */

/* The place of a path that the user named, from the repository's root; *out is the caller's to
 * free. The file and folders above it need not exist. */
static rg_error *path_in_repository(const environment *env, const char *path, char **out)
{
	const char *root = rg_worktree_root(env->worktree);
	char full[PATH_MAX] = "", real[PATH_MAX];
	size_t inside = strlen(root) - 1; /* without the '/' at its end */
	size_t cut;

	RG_TRY(rg_error_wrap(golden_side_check_name(path), "--file"));
	if (path[0] != '/' && !getcwd(full, sizeof(full)))
		return rg_error_io(errno, "current folder");
	if (strlen(full) + strlen(path) + 2 > sizeof(full))
		return rg_error_new(RG_E_USAGE, "--file: '%s' is too long", path);
	cut = strlen(full);
	snprintf(full + cut, sizeof(full) - cut, "/%s", path);
	/* Up to the last folder that exists, which is taken without links on its way. */
	for (cut = strlen(full);; full[cut] = '/') {
		while (full[--cut] != '/')
			;
		full[cut] = '\0';
		if (realpath(cut ? full : "/", real) || !cut)
			break;
	}
	if (strncmp(real, root, inside) != 0 || (real[inside] && real[inside] != '/'))
		return rg_error_new(RG_E_USAGE, "--file: '%s' is outside of the repository at %s",
				    path, root);
	return real[inside] ? rg_textf(out, "%s/%s", real + inside + 1, full + cut + 1)
			    : rg_strdup(out, full + cut + 1);
}

static rg_error *list_named(environment *env, const compare_source *source,
			    const rg_change_query *query, rg_change_list *out)
{
	char **paths = calloc(source->files.count, sizeof(*paths));
	rg_error *err = paths ? NULL : rg_error_nomem();
	size_t i;

	for (i = 0; !err && i < source->files.count; i++) {
		err = path_in_repository(env, source->files.items[i], &paths[i]);
		if (!err)
			err = rg_error_wrap(rg_path_check(paths[i]), "--file");
	}
	if (!err)
		err = rg_worktree_named(env->worktree, query, (const char *const *)paths,
					source->files.count, out);
	for (i = 0; paths && i < source->files.count; i++)
		free(paths[i]);
	free(paths);
	return err;
}

static rg_error *list_changes(environment *env, const compare_source *source,
			      const rg_filter *filter, const rg_column_context *context,
			      rg_change_list *out)
{
	rg_change_query query = {.base = source->base,
				 .to = source->to,
				 .staged = source->staged,
				 .merge_base = source->merge_base,
				 .no_renames = source->no_renames,
				 .root = context->root,
				 .wants = rg_golden_may_be_called,
				 .as_in_index = true,
				 .unsure = true};
	size_t i, kept = 0;

	if (source->files.count)
		RG_TRY(list_named(env, source, &query, out));
	else
		RG_TRY(rg_worktree_changes(env->worktree, &query, out));
	for (i = 0; i < out->count; i++)
		if (rg_filter_takes_file(filter, out->items[i].path, context))
			out->items[kept++] = out->items[i];
	out->count = kept;
	return NULL;
}

const char *compare_old_side(const compare_source *source)
{
	return source->old_file     ? source->old_file
	       : source->merge_base ? "the merge base"
	       : source->base       ? source->base
				    : "HEAD";
}

const char *compare_new_side(const compare_source *source)
{
	return source->new_file ? source->new_file
	       : source->to     ? source->to
	       : source->staged ? "the index"
				: "the working tree";
}

static rg_error *compare_repository(environment *env, const compare_source *source,
				    const compare_rules *rules, rg_comparison *out)
{
	rg_change_list list = {0};
	loader l = {.source = source,
		    .list = &list,
		    .old_label = compare_old_side(source),
		    .new_label = compare_new_side(source)};
	rg_error *err;

	RG_TRY(environment_need_worktree(env));
	l.worktree = env->worktree;
	l.root = rg_worktree_root(env->worktree);
	RG_TRY(list_changes(env, source, rules->filter, rules->context, &list));
	err = environment_warn_root(env, list.count > 0);
	if (!err)
		err = run_pairs(env, &l, load_change, list.count, rules, out);
	rg_change_list_release(&list);
	return err;
}

static rg_error *check_source(const compare_source *source)
{
	bool two_files = source->old_file || source->new_file;

	if (two_files && !(source->old_file && source->new_file))
		return usage_error("--old and --new go together");
	if (two_files && (source->base || source->to || source->staged || source->merge_base ||
			  source->no_renames || source->files.count))
		return usage_error("--old and --new take no --base, --to, --staged, --merge-base, "
				   "--no-renames or --file");
	if (two_files && is_folder(source->old_file) != is_folder(source->new_file) &&
	    !access(source->old_file, F_OK) && !access(source->new_file, F_OK))
		return usage_error("--old and --new are two files or two folders, not one of each");
	/* HEAD and itself parted nowhere; who leaves REV out means another branch. */
	if (source->merge_base && !source->base && !source->to)
		return usage_error("--merge-base of HEAD and what? name a revision with --base");
	if (source->to && source->staged)
		return usage_error("--to and --staged exclude each other");
	return NULL;
}

rg_error *compare_pairs(environment *env, const compare_source *source, const compare_rules *rules,
			rg_comparison *out)
{
	RG_TRY(check_source(source));
	if (!source->old_file)
		return compare_repository(env, source, rules, out);
	if (is_folder(source->old_file) || is_folder(source->new_file))
		return compare_two_folders(env, source, rules, out);
	return compare_two_files(env, source, rules, out);
}
