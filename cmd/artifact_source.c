#include "artifact_source.h"

#include "archive/select.h"
#include "base/file.h"
#include "terminal.h"
#include "worktree/worktree.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define FILE_MAX ((size_t)2 << 30)

struct artifact_member {
	char *name;
	void *bytes;
	size_t size;
};

/* --- folder --- */

static rg_error *read_from_folder(void *context, size_t index, rg_bytes *out)
{
	artifact_source *source = context;
	rg_error *err;
	char *path;

	RG_TRY(rg_path_join(&path, source->folder, source->files.names[index]));
	rg_buf_clear(&source->bytes);
	err = rg_file_read(&source->bytes, path);
	free(path);
	*out = (rg_bytes){source->bytes.data, source->bytes.length};
	return err;
}

static rg_error *size_in_folder(void *context, size_t index, uint64_t *out)
{
	artifact_source *source = context;
	rg_error *err = NULL;
	struct stat st;
	char *path;

	RG_TRY(rg_path_join(&path, source->folder, source->files.names[index]));
	if (stat(path, &st))
		err = rg_error_io(errno, "%s", path);
	else
		*out = (uint64_t)st.st_size;
	free(path);
	return err;
}

rg_error *artifact_open_folder(artifact_source *source, const char *folder)
{
	*source = (artifact_source){.folder = folder};
	rg_buf_init(&source->bytes, FILE_MAX);
	rg_arena_init(&source->arena);
	RG_TRY(rg_tree_list(&source->tree, folder));
	source->links = source->tree.links;
	source->files = (rg_artifact_files){.names = source->tree.paths,
					    .count = source->tree.count,
					    .read = read_from_folder,
					    .size = size_in_folder,
					    .context = source};
	return NULL;
}

/* --- zip --- */

static rg_error *read_from_memory(void *context, size_t index, rg_bytes *out)
{
	artifact_source *source = context;

	*out = (rg_bytes){source->members[index].bytes, source->members[index].size};
	return NULL;
}

static rg_error *size_in_memory(void *context, size_t index, uint64_t *out)
{
	artifact_source *source = context;

	*out = source->members[index].size;
	return NULL;
}

static rg_error *keep_member(void *context, const rg_selected *selected)
{
	artifact_source *source = context;
	struct artifact_member *member;

	/* git would take it for its own, hooks and settings that run programs included. */
	if (rg_path_has_git(selected->path)) {
		terminal_say("%s: its name has a '.git' part", selected->path);
		source->refused++;
		return NULL;
	}
	RG_TRY(rg_grow(&source->members, &source->capacity, source->files.count + 1,
		       sizeof(*source->members)));
	member = &source->members[source->files.count];
	member->bytes = malloc(selected->size + 1);
	if (!member->bytes)
		return rg_error_nomem();
	source->files.count++;
	member->name = NULL;
	if (selected->size)
		memcpy(member->bytes, selected->bytes, selected->size);
	member->size = selected->size;
	return rg_strdup(&member->name, selected->path);
}

static int compare_members(const void *a, const void *b)
{
	const struct artifact_member *left = a, *right = b;

	return strcmp(left->name, right->name);
}

static void drop_members(artifact_source *source)
{
	size_t i;

	for (i = 0; i < source->files.count; i++) {
		free(source->members[i].bytes);
		free(source->members[i].name);
	}
	source->files.count = 0;
	source->refused = 0;
}

/* Says them, and keeps the names inside the innermost zip, so that nobody misses the members. */
static rg_error *say_refusals(artifact_source *source, const rg_selection *selection, bool wrapped)
{
	const char *name, *inside;
	size_t i;

	source->refused += selection->count;
	source->refused_names = rg_arena_alloc(
		&source->arena, (selection->count + 1) * sizeof(*source->refused_names));
	if (!source->refused_names)
		return rg_error_nomem();
	for (i = 0; i < selection->count; i++) {
		name = selection->refusals[i].name;
		terminal_say("%s: %s", name, selection->refusals[i].reason);
		inside = wrapped ? strstr(name, ".zip!") : NULL;
		name = inside ? inside + 5 : name;
		RG_TRY(rg_arena_text(&source->arena, name, &source->refused_names[i]));
	}
	qsort(source->refused_names, selection->count, sizeof(*source->refused_names),
	      rg_compare_texts);
	source->files.refused = source->refused_names;
	source->files.refused_count = selection->count;
	return NULL;
}

rg_zip_limits artifact_limits(void)
{
	rg_zip_limits limits = rg_zip_limits_default();

	limits.member_size = limits.total_size;
	limits.ratio = 0;
	return limits;
}

/* All members that the pattern names; nothing is said of those that cannot be had yet. */
static rg_error *select_members(artifact_source *source, const rg_reader *reader,
				const char *pattern, rg_selection *selection)
{
	const rg_zip_limits limits = artifact_limits();

	drop_members(source);
	return rg_select_zip(selection, reader, &pattern, 1, &limits, keep_member, source);
}

static bool is_wrapper(const artifact_source *source)
{
	return source->files.count == 1 && rg_ends_with(source->members[0].name, ".zip");
}

static rg_error *index_names(artifact_source *source)
{
	size_t i, count = source->files.count;

	if (count)
		qsort(source->members, count, sizeof(*source->members), compare_members);
	RG_TRY(rg_grow(&source->names, &source->name_capacity, count + 1, sizeof(*source->names)));
	for (i = 0; i < count; i++)
		source->names[i] = source->members[i].name;
	source->files.names = source->names;
	return NULL;
}

/* A file where others need a folder cannot be unpacked. Part by part, it stands right before what
 * would lie in it. */
static rg_error *check_folders(const artifact_source *source)
{
	size_t i, count = source->files.count;
	const char **sorted = calloc(count + 1, sizeof(*sorted));
	rg_error *err = NULL;

	if (!sorted)
		return rg_error_nomem();
	for (i = 0; i < count; i++)
		sorted[i] = source->names[i];
	count = rg_path_sort_unique(sorted, count);
	for (i = 1; !err && i < count; i++) {
		if (rg_path_is_below(sorted[i - 1], sorted[i]))
			err = rg_error_new(RG_E_CONFLICT,
					   "'%s' is a file, and the folder of '%s' too",
					   sorted[i - 1], sorted[i]);
	}
	free(sorted);
	return err;
}

rg_error *artifact_open_zip(artifact_source *source, const char *path)
{
	rg_selection selection;
	bool wrapped = false;
	rg_reader reader;
	rg_error *err;

	*source = (artifact_source){.files = {.read = read_from_memory, .size = size_in_memory}};
	rg_buf_init(&source->bytes, 0);
	rg_arena_init(&source->arena);
	source->files.context = source;
	RG_TRY(rg_reader_file_open(&reader, path));
	rg_selection_init(&selection);
	err = select_members(source, &reader, "**", &selection);
	if (!err && is_wrapper(source)) {
		rg_selection_release(&selection);
		rg_selection_init(&selection);
		wrapped = true;
		err = select_members(source, &reader, "**/*.zip!**", &selection);
	}
	if (err)
		rg_error_free(say_refusals(source, &selection, wrapped));
	else
		err = say_refusals(source, &selection, wrapped);
	if (!err)
		err = index_names(source);
	if (!err)
		err = check_folders(source);
	rg_selection_release(&selection);
	rg_reader_file_release(&reader);
	return rg_error_wrap(err, "%s", path);
}

void artifact_release(artifact_source *source)
{
	if (!source->folder)
		drop_members(source);
	free(source->members);
	free(source->names);
	rg_arena_release(&source->arena);
	rg_tree_release(&source->tree);
	rg_buf_release(&source->bytes);
}

rg_error *artifact_read(artifact_source *source, size_t index, rg_bytes *out)
{
	return source->files.read(source, index, out);
}

rg_error *artifact_check(artifact_source *source, rg_artifact_check *check)
{
	size_t i;

	RG_TRY(rg_artifact_check_files(check, &source->files));
	for (i = 0; i < check->problem_count; i++)
		terminal_say("%s", check->problems[i]);
	return NULL;
}

static void print_count(FILE *out, size_t count, const char *what, const char *behind)
{
	fprintf(out, "%zu %s%s%s", count, what, count == 1 ? "" : "s", behind);
}

void artifact_print_counts(const rg_artifact_check *check, FILE *out)
{
	print_count(out, check->flows, "flow", ", ");
	print_count(out, check->models, "model", ", ");
	print_count(out, check->inputs, "input", ", ");
	print_count(out, check->outputs, "output", "");
}
