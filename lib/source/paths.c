#include "source/paths.h"

#include "base/file.h"
#include "base/pattern.h"
#include "base/tree.h"
#include "update/manifest.h"
#include "worktree/config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILES_MAX = 1000000, PROBE_BYTES = 4096 };

/* Where a run's goldens are read from: BASE/KEY, less `strip` in front of the key. */
typedef struct {
	const char *base;
	const char *strip; /* NULL: nothing */
	const char *only;  /* the one golden of a run that is a file, at `base`; else NULL */
} run_place;

typedef struct {
	const char **items;
	size_t count, capacity;
} key_list;

struct rg_path_runs {
	rg_audit_run *runs;
	run_place *places;
	size_t count;
	key_list files; /* in path-component order, each once */
	key_list fresh; /* what is to go into `files`, in no order */
	rg_golden_options options;
	rg_arena arena;
};

static int compare_keys(const void *a, const void *b)
{
	return rg_path_compare(*(const char *const *)a, *(const char *const *)b);
}

/* One golden that a run has; `key` is copied. */
static rg_error *add_key(rg_path_runs *runs, const char *key)
{
	key_list *fresh = &runs->fresh;
	const char *copy;

	if (runs->files.count && bsearch(&key, runs->files.items, runs->files.count,
					 sizeof(*runs->files.items), compare_keys))
		return NULL;
	RG_TRY(rg_arena_text(&runs->arena, key, &copy));
	RG_TRY(rg_grow(&fresh->items, &fresh->capacity, fresh->count + 1, sizeof(*fresh->items)));
	fresh->items[fresh->count++] = copy;
	return NULL;
}

/* Takes what is fresh into the list of all. */
static rg_error *merge_keys(rg_path_runs *runs)
{
	key_list *all = &runs->files, *fresh = &runs->fresh, merged = {NULL, 0, 0};
	size_t i = 0, j = 0;

	RG_TRY(rg_grow(&merged.items, &merged.capacity, all->count + fresh->count + 1,
		       sizeof(*merged.items)));
	if (fresh->count)
		qsort(fresh->items, fresh->count, sizeof(*fresh->items), compare_keys);
	while (i < all->count || j < fresh->count) {
		bool old = j == fresh->count ||
			   (i < all->count && rg_path_compare(all->items[i], fresh->items[j]) <= 0);
		const char *key = old ? all->items[i++] : fresh->items[j++];

		if (!merged.count || strcmp(merged.items[merged.count - 1], key) != 0)
			merged.items[merged.count++] = key;
	}
	free(all->items);
	*all = merged;
	fresh->count = 0;
	return all->count > FILES_MAX ? rg_error_new(RG_E_LIMIT, "more than %d files", FILES_MAX)
				      : NULL;
}

/* After each run: as often as there is more to take than there was, so that runs without a file in
 * common cost no more than others. */
static rg_error *merge_some(rg_path_runs *runs)
{
	return runs->fresh.count > runs->files.count ? merge_keys(runs) : NULL;
}

static rg_error *looks_like_golden(const char *folder, const char *key, bool *out)
{
	char bytes[PROBE_BYTES], *path;
	rg_input input = {.name = key, .data = bytes};
	rg_error *err = NULL;
	ssize_t got;
	int fd;

	RG_TRY(rg_path_join(&path, folder, key));
	fd = open(path, O_RDONLY | O_CLOEXEC);
	got = fd < 0 ? -1 : read(fd, bytes, sizeof(bytes));
	if (got < 0)
		err = rg_error_io(errno, "%s", path);
	if (fd >= 0)
		close(fd);
	free(path);
	if (err)
		return err;
	input.size = (size_t)got;
	*out = rg_golden_recognised(&input);
	return NULL;
}

/* `pattern` NULL: whatever looks like a golden. */
static rg_error *read_folder(rg_path_runs *runs, size_t run, const char *pattern, size_t *found)
{
	const char *folder = runs->places[run].base;
	rg_tree tree;
	rg_error *err = rg_tree_list(&tree, folder);
	size_t i;

	for (i = 0; !err && i < tree.count; i++) {
		bool wanted = pattern && rg_glob_takes_name(pattern, tree.paths[i]);

		if (!pattern)
			err = looks_like_golden(folder, tree.paths[i], &wanted);
		if (err || !wanted)
			continue;
		++*found;
		err = add_key(runs, tree.paths[i]);
	}
	rg_tree_release(&tree);
	return err ? err : merge_some(runs);
}

static const char *keep(rg_path_runs *runs, const char *text, rg_error **err)
{
	const char *copy = text ? rg_arena_copy(&runs->arena, text, strlen(text)) : "";

	if (!copy && !*err)
		*err = rg_error_nomem();
	return copy ? copy : "";
}

/* A staging folder: what its manifest says. */
static rg_error *use_manifest(rg_path_runs *runs, size_t run, const rg_manifest *manifest)
{
	rg_audit_run *out = &runs->runs[run];
	run_place *place = &runs->places[run];
	rg_error *err = NULL;
	char *text;
	size_t i;

	RG_TRY(rg_textf(&text, "%llu", (unsigned long long)manifest->run_id));
	out->id = keep(runs, text, &err);
	free(text);
	RG_TRY(rg_textf(&text, "%s/files", place->base));
	place->base = keep(runs, text, &err);
	free(text);
	out->when = keep(runs, manifest->created_at, &err);
	out->branch = keep(runs, manifest->branch, &err);
	out->commit = keep(runs, manifest->head_commit, &err);
	place->strip = keep(runs, manifest->root, &err);
	for (i = 0; !err && i < manifest->golden_count; i++)
		err = add_key(runs, manifest->goldens[i].target);
	return err ? err : merge_some(runs);
}

static rg_error *try_manifest(rg_path_runs *runs, size_t run, bool *is_staging)
{
	rg_manifest manifest;
	rg_error *err;
	char *path;
	bool there;

	RG_TRY(rg_path_join(&path, runs->places[run].base, "manifest.json"));
	there = !access(path, F_OK);
	free(path);
	if (!there)
		return NULL;
	*is_staging = true;
	rg_manifest_init(&manifest);
	err = rg_manifest_load(&manifest, runs->places[run].base);
	if (!err)
		err = use_manifest(runs, run, &manifest);
	rg_manifest_release(&manifest);
	return err;
}

/* What files that are runs are called together. */
static rg_error *common_name(rg_path_runs *runs, const char *const *paths, const bool *is_file,
			     char **out)
{
	const char *name = NULL, *folder = NULL;
	size_t i, folder_length = 0;
	bool one_name = true, one_folder = true;

	for (i = 0; i < runs->count; i++) {
		const char *last = rg_path_name(paths[i]);
		size_t length = (size_t)(last - paths[i]);

		if (!is_file[i])
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
		return rg_strdup(out, name);
	if (name && one_folder && folder_length > 1) {
		const char *start = folder + folder_length - 1;

		while (start > folder && start[-1] != '/')
			start--;
		if (*start != '.' && *start != '/')
			return rg_strndup(out, start, (size_t)(folder + folder_length - 1 - start));
	}
	return rg_strdup(out, "golden");
}

static rg_error *name_files(rg_path_runs *runs, const char *const *paths, const bool *is_file,
			    const char *pattern)
{
	char *common = NULL;
	rg_error *err = common_name(runs, paths, is_file, &common);
	size_t i;

	for (i = 0; !err && i < runs->count; i++) {
		const char *last = rg_path_name(paths[i]), *key;

		if (!is_file[i])
			continue;
		key = keep(runs, rg_glob_takes_name(pattern, last) ? last : common, &err);
		runs->places[i].only = key;
		if (!err)
			err = add_key(runs, key);
	}
	free(common);
	return err;
}

static rg_error *open_folders(rg_path_runs *runs, const bool *is_file, const char *pattern)
{
	bool *staging = calloc(runs->count + 1, sizeof(*staging));
	size_t found = 0, plain = 0, i;
	rg_error *err = staging ? NULL : rg_error_nomem();

	for (i = 0; !err && i < runs->count; i++) {
		if (is_file[i] || (err = try_manifest(runs, i, &staging[i])) != NULL || staging[i])
			continue;
		plain++;
		err = read_folder(runs, i, pattern, &found);
	}
	/* Nothing is called like a golden: take what looks like one. */
	for (i = 0; !err && plain && !found && i < runs->count; i++)
		if (!is_file[i] && !staging[i]) {
			size_t here = 0;

			err = read_folder(runs, i, NULL, &here);
			if (!err && !here)
				err = rg_error_new(RG_E_NOTFOUND, "%s: holds no golden",
						   runs->places[i].base);
		}
	free(staging);
	return err;
}

/* How much of all paths is the same folders: runs are called by what is behind it. */
static size_t common_folders(const char *const *paths, size_t count)
{
	size_t length = 0, i, j;

	for (i = 0; count > 1 && paths[0][i]; i++) {
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

/* A path's own identity: "runs/1" and "./runs/1/" are one. */
typedef struct {
	dev_t device;
	ino_t inode;
	const char *path;
} identity;

static int compare_identities(const void *a, const void *b)
{
	const identity *x = a, *y = b;

	if (x->device != y->device)
		return x->device > y->device ? 1 : -1;
	if (x->inode != y->inode)
		return x->inode > y->inode ? 1 : -1;
	return strcmp(x->path, y->path);
}

/* One run that counts twice would make the others look more alike than they are. */
static rg_error *refuse_twins(identity *identities, size_t count)
{
	size_t i;

	qsort(identities, count, sizeof(*identities), compare_identities);
	for (i = 1; i < count; i++)
		if (identities[i - 1].device == identities[i].device &&
		    identities[i - 1].inode == identities[i].inode)
			return rg_error_new(RG_E_USAGE, "'%s' and '%s' are one and the same run",
					    identities[i - 1].path, identities[i].path);
	return NULL;
}

static rg_error *open_all(rg_path_runs *runs, const char *const *paths, const char *pattern)
{
	bool *is_file = calloc(runs->count + 1, sizeof(*is_file));
	identity *identities = calloc(runs->count + 1, sizeof(*identities));
	size_t common = common_folders(paths, runs->count), i;
	rg_error *err = is_file && identities ? NULL : rg_error_nomem();

	for (i = 0; !err && i < runs->count; i++) {
		struct stat st;

		runs->places[i].base = keep(runs, paths[i], &err);
		if (err)
			break;
		runs->runs[i] = (rg_audit_run){runs->places[i].base + common, "", "", ""};
		if (stat(paths[i], &st)) {
			err = rg_error_io(errno, "%s", paths[i]);
			break;
		}
		is_file[i] = !S_ISDIR(st.st_mode);
		identities[i] = (identity){st.st_dev, st.st_ino, paths[i]};
	}
	if (!err)
		err = refuse_twins(identities, runs->count);
	if (!err)
		err = open_folders(runs, is_file, pattern);
	if (!err)
		err = name_files(runs, paths, is_file, pattern);
	if (!err)
		err = merge_keys(runs);
	free(identities);
	free(is_file);
	return err;
}

rg_error *rg_path_runs_open(rg_path_runs **out, const char *const *paths, size_t count,
			    const char *pattern, const rg_golden_options *options)
{
	rg_path_runs *runs = calloc(1, sizeof(*runs));
	rg_error *err = NULL;

	*out = NULL;
	if (!runs)
		return rg_error_nomem();
	rg_arena_init(&runs->arena);
	runs->options = options ? *options : (rg_golden_options){.run_index = -1};
	runs->runs = calloc(count + 1, sizeof(*runs->runs));
	runs->places = calloc(count + 1, sizeof(*runs->places));
	runs->count = count;
	if (!runs->runs || !runs->places)
		err = rg_error_nomem();
	if (!err)
		err = open_all(runs, paths, pattern);
	if (err) {
		rg_path_runs_free(runs);
		return err;
	}
	*out = runs;
	return NULL;
}

void rg_path_runs_free(rg_path_runs *runs)
{
	if (!runs)
		return;
	free(runs->runs);
	free(runs->places);
	free(runs->fresh.items);
	free(runs->files.items);
	rg_arena_release(&runs->arena);
	free(runs);
}

static rg_error *place_of(const run_place *place, const char *key, char **out)
{
	size_t strip = place->strip ? strlen(place->strip) : 0;

	*out = NULL;
	if (place->only)
		return strcmp(place->only, key) ? NULL : rg_strdup(out, place->base);
	if (strip) {
		if (strncmp(key, place->strip, strip) || key[strip] != '/')
			return NULL;
		key += strip + 1;
	}
	return rg_path_join(out, place->base, key);
}

/* What stands beside a golden (a program beside its tensors) says what it is. */
typedef struct {
	const char *path; /* the golden's own */
	rg_buf bytes;
} beside;

static rg_error *read_beside(void *context, const char *name, rg_bytes *out)
{
	beside *b = context;
	rg_error *err;
	char *path;

	*out = (rg_bytes){0};
	RG_TRY(rg_path_sibling(&path, b->path, name));
	err = rg_config_name_golden_max(rg_file_read(&b->bytes, path));
	free(path);
	if (!err)
		*out = (rg_bytes){b->bytes.data, b->bytes.length};
	else if (rg_error_errno(err) == ENOENT) {
		rg_error_free(err);
		err = NULL;
	}
	return err;
}

rg_error *rg_path_golden_read(rg_golden **out, const char *name, const char *path,
			      const rg_buf *bytes, const rg_golden_options *options)
{
	beside b = {.path = path};
	const rg_input input = {.name = name,
				.data = bytes->data,
				.size = bytes->length,
				.sibling = read_beside,
				.sibling_context = &b};
	rg_error *err;

	rg_buf_init(&b.bytes, bytes->max);
	err = rg_golden_read(out, &input, options);
	rg_buf_release(&b.bytes); /* not needed any more once the golden was read */
	return rg_error_wrap(err, "%s", path);
}

static rg_error *read_one(void *context, size_t run, size_t file, rg_buf *bytes, rg_golden **out)
{
	rg_path_runs *runs = context;
	const char *key = runs->files.items[file];
	struct stat st;
	rg_error *err;
	char *path;

	RG_TRY(place_of(&runs->places[run], key, &path));
	if (!path)
		return NULL;
	/* The walk leaves links and pipes out; that another run has the name changes nothing. */
	if (!runs->places[run].only && !lstat(path, &st) && !S_ISREG(st.st_mode)) {
		err = NULL;
		goto done;
	}
	err = rg_config_name_golden_max(rg_file_read(bytes, path));
	if (err && (rg_error_errno(err) == ENOENT || rg_error_errno(err) == ENOTDIR)) {
		rg_error_free(err);
		err = NULL;
		goto done;
	}
	if (!err)
		err = rg_path_golden_read(out, key, path, bytes, &runs->options);
done:
	free(path);
	return err;
}

rg_audit_source rg_path_runs_source(rg_path_runs *runs, size_t golden_max)
{
	return (rg_audit_source){.runs = runs->runs,
				 .run_count = runs->count,
				 .files = runs->files.items,
				 .file_count = runs->files.count,
				 .golden_max = golden_max,
				 .read = read_one,
				 .context = runs};
}
