/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/audit_paths.h"

#include "base/memory.h"
#include "base/file.h"
#include "base/path.h"
#include "base/pattern.h"
#include "base/tree.h"
#include "golden/sibling_reader.h"
#include "source/manifest.h"
#include "config/config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct {
	/* The run's goldens are read from BASE/KEY, less `strip` in front of the key. */
	const char *base;
	const char *strip; /* NULL: nothing */
	const char *only;  /* the one golden of a run that is a file, at `base`; else NULL */
	bool is_file, is_staging;
	dev_t device;
	ino_t inode;
} run_place;

struct rg_path_runs {
	rg_audit_run *runs;
	run_place *places;
	size_t count;
	/* Up to `sorted` in path-component order, each once. */
	const char **files;
	size_t file_count, file_capacity, sorted;
	rg_golden_options options;
	rg_arena arena;
};

static int compare_keys(const void *a, const void *b)
{
	return rg_path_compare(*(const char *const *)a, *(const char *const *)b);
}

/* Adds a golden that a run has; `key` is copied. */
static void append_key(rg_path_runs *runs, const char *key)
{
	if (runs->sorted &&
	    bsearch(&key, runs->files, runs->sorted, sizeof(*runs->files), compare_keys))
		return;
	*RG_PUSH(runs->files, runs->file_count, runs->file_capacity) =
		rg_arena_text(&runs->arena, key);
}

static void sort_keys(rg_path_runs *runs)
{
	runs->file_count = runs->sorted = rg_path_sort_unique(runs->files, runs->file_count);
}

/* Sorts after each run that adds as many as there were, so that runs without a file in common cost
 * no more than others. */
static void sort_some(rg_path_runs *runs)
{
	if (runs->file_count > 2 * runs->sorted)
		sort_keys(runs);
}

/* Adds the goldens of a folder; `pattern` NULL: whatever looks like one. */
static rg_error *read_folder(rg_path_runs *runs, size_t run, const char *pattern, size_t *found)
{
	const char *folder = runs->places[run].base;
	RG_AUTO(rg_tree) tree = {0};

	RG_TRY(rg_tree_list(&tree, folder));
	for (size_t i = 0; i < tree.count; i++) {
		bool wanted = pattern && rg_globs_take(pattern, tree.paths[i]);
		if (!pattern)
			RG_TRY(rg_golden_recognised_file(&wanted, folder, tree.paths[i], false));
		if (!wanted)
			continue;
		++*found;
		append_key(runs, tree.paths[i]);
	}
	sort_some(runs);
	return NULL;
}

static const char *keep(rg_path_runs *runs, const char *text)
{
	return text ? rg_arena_text(&runs->arena, text) : "";
}

/* The manifest of a staging folder says which goldens there are. */
static rg_error *try_manifest(rg_path_runs *runs, size_t run)
{
	rg_audit_run *out = &runs->runs[run];
	run_place *place = &runs->places[run];
	RG_AUTO_FREE char *path = rg_path_join(place->base, "manifest.json");

	if (access(path, F_OK))
		return NULL;
	place->is_staging = true;
	RG_AUTO(rg_manifest) manifest = {0};
	rg_manifest_init(&manifest);
	RG_TRY(rg_manifest_load(&manifest, place->base));
	out->id = rg_arena_textf(&runs->arena, "%llu", (unsigned long long)manifest.run_id);
	place->base = rg_arena_textf(&runs->arena, "%s/files", place->base);
	out->when = keep(runs, manifest.created_at);
	out->branch = keep(runs, manifest.branch);
	out->commit = keep(runs, manifest.head_commit);
	place->strip = keep(runs, manifest.root);
	for (size_t i = 0; i < manifest.golden_count; i++)
		append_key(runs, manifest.goldens[i].target);
	sort_some(runs);
	return NULL;
}

/* The name that files have in common that are runs themselves. */
static const char *common_name(rg_path_runs *runs, const char *const *paths)
{
	const char *name = NULL, *folder = NULL;
	size_t folder_length = 0;
	bool one_name = true, one_folder = true;

	for (size_t i = 0; i < runs->count; i++) {
		const char *last = rg_path_name(paths[i]);
		size_t length = (size_t)(last - paths[i]);

		if (!runs->places[i].is_file)
			continue;
		if (!name) {
			name = last;
			folder = paths[i];
			folder_length = length;
		}
		one_name &= !strcmp(last, name);
		one_folder &= length == folder_length && !strncmp(paths[i], folder, length);
	}
	if (name && one_name)
		return name;
	if (name && one_folder && folder_length > 1) {
		const char *start = folder + folder_length - 1;
		while (start > folder && start[-1] != '/')
			start--;
		if (*start != '.' && *start != '/')
			return rg_arena_copy(&runs->arena, start,
					     (size_t)(folder + folder_length - 1 - start));
	}
	return "golden";
}

static void name_files(rg_path_runs *runs, const char *const *paths, const char *pattern)
{
	const char *common = common_name(runs, paths);
	for (size_t i = 0; i < runs->count; i++) {
		const char *last = rg_path_name(paths[i]);
		if (!runs->places[i].is_file)
			continue;
		const char *key = keep(runs, rg_globs_take(pattern, paths[i]) ? last : common);
		runs->places[i].only = key;
		append_key(runs, key);
	}
}

static rg_error *open_folders(rg_path_runs *runs, const char *pattern, bool guess)
{
	size_t found = 0, plain = 0;
	for (size_t i = 0; i < runs->count; i++) {
		if (runs->places[i].is_file)
			continue;
		RG_TRY(try_manifest(runs, i));
		if (runs->places[i].is_staging)
			continue;
		plain++;
		RG_TRY(read_folder(runs, i, pattern, &found));
	}
	if (plain && !found && !guess)
		return rg_error_new(RG_E_NOTFOUND, "no run has a golden that regild.files names");
	/* Nothing is called like a golden: take what looks like one. */
	for (size_t i = 0; plain && !found && i < runs->count; i++) {
		size_t here = 0;
		if (runs->places[i].is_file || runs->places[i].is_staging)
			continue;
		RG_TRY(read_folder(runs, i, NULL, &here));
		if (!here)
			return rg_error_new(RG_E_NOTFOUND, "%s: holds no golden",
					    runs->places[i].base);
	}
	return NULL;
}

/* The length of the folders that all paths have in common: runs are named by the rest. */
static size_t common_folders(const char *const *paths, size_t count)
{
	size_t length = 0, j;
	for (size_t i = 0; count > 1 && paths[0][i]; i++) {
		for (j = 1; j < count && paths[j][i] == paths[0][i];)
			j++;
		if (j < count)
			break;
		if (paths[0][i] == '/')
			length = i + 1;
	}
	for (j = 0; j < count; j++)
		if (!paths[j][length])
			return 0;
	return length;
}

rg_error *rg_path_runs_open(rg_path_runs **out, const char *const *paths, size_t count,
			    const char *pattern, bool guess, const rg_golden_options *options)
{
	RG_AUTO_PTR(rg_path_runs) runs = rg_calloc(1, sizeof(*runs));
	const size_t common = common_folders(paths, count);

	*out = NULL;
	rg_arena_init(&runs->arena);
	runs->options = options ? *options : (rg_golden_options){.run_index = -1};
	runs->runs = rg_arena_alloc(&runs->arena, (count + 1) * sizeof(*runs->runs));
	runs->places = rg_arena_alloc(&runs->arena, (count + 1) * sizeof(*runs->places));
	runs->count = count;
	for (size_t i = 0; i < count; i++) {
		run_place *place = &runs->places[i];
		struct stat st;

		place->base = rg_arena_text(&runs->arena, paths[i]);
		runs->runs[i] = (rg_audit_run){place->base + common, "", "", ""};
		if (stat(paths[i], &st))
			return rg_error_io(errno, "%s", paths[i]);
		place->is_file = !S_ISDIR(st.st_mode);
		place->device = st.st_dev;
		place->inode = st.st_ino;
	}
	/* One run that counts twice would make the others look more alike than they are. */
	for (size_t i = 0; i < runs->count; i++)
		for (size_t j = 0; j < i; j++)
			if (runs->places[i].inode == runs->places[j].inode &&
			    runs->places[i].device == runs->places[j].device)
				return rg_error_new(RG_E_USAGE,
						    "'%s' and '%s' are one and the same run",
						    runs->places[j].base, runs->places[i].base);
	RG_TRY(open_folders(runs, pattern, guess));
	name_files(runs, paths, pattern);
	sort_keys(runs);
	*out = RG_TAKE(runs);
	return NULL;
}

void rg_path_runs_free(rg_path_runs *runs)
{
	if (!runs)
		return;
	free(runs->files);
	rg_arena_release(&runs->arena);
	free(runs);
}

/* The path of the run's golden, the caller's to free; NULL: it has none of that key. */
static char *place_of(const run_place *place, const char *key)
{
	const size_t strip = place->strip ? strlen(place->strip) : 0;
	if (place->only)
		return strcmp(place->only, key) != 0 ? NULL : rg_strdup(place->base);
	if (strip && (strncmp(key, place->strip, strip) != 0 || key[strip] != '/'))
		return NULL;
	return rg_path_join(place->base, strip ? key + strip + 1 : key);
}

static rg_error *read_file(void *context, const char *path, rg_buf *out)
{
	(void)context;
	return rg_config_name_golden_max(rg_file_read(out, path));
}

rg_error *rg_path_golden_read(rg_golden **out, const char *name, const char *path,
			      const rg_buf *bytes, const rg_golden_options *options)
{
	return rg_error_wrap(
		rg_golden_read_with_siblings(out, name, path, bytes, read_file, NULL, options),
		"%s", path);
}

static rg_error *read_one(void *context, size_t run, size_t file, rg_buf *bytes, rg_golden **out)
{
	rg_path_runs *runs = context;
	const char *key = runs->files[file];
	RG_AUTO_FREE char *path = place_of(&runs->places[run], key);
	struct stat st;

	/* The walk leaves links and pipes out; that another run has the name changes nothing. */
	if (!path || (!runs->places[run].only && !lstat(path, &st) && !S_ISREG(st.st_mode)))
		return NULL;
	rg_error *err = rg_config_name_golden_max(rg_file_read(bytes, path));
	if (!err)
		return rg_path_golden_read(out, key, path, bytes, &runs->options);
	if (rg_error_errno(err) != ENOENT && rg_error_errno(err) != ENOTDIR)
		return err;
	rg_error_free(err);
	return NULL;
}

rg_audit_source rg_path_runs_source(rg_path_runs *runs, size_t golden_max)
{
	return (rg_audit_source){.runs = runs->runs,
				 .run_count = runs->count,
				 .files = runs->files,
				 .file_count = runs->file_count,
				 .golden_max = golden_max,
				 .read = read_one,
				 .context = runs};
}
