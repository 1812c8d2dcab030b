/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/artifact_files.h"

#include "base/file.h"
#include "place/program_map.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct rg_artifact_member {
	const char *name; /* the zip's */
	size_t index;     /* in the zip */
	uint64_t size;
	bool refused;
};

/* --- folder --- */

static rg_error *map_program(void *context, size_t index, rg_bytes *out)
{
	rg_artifact_source *source = context;
	char *path;

	rg_map_release(&source->program);
	RG_TRY(rg_path_join(&path, source->folder, source->files.names[index]));
	rg_error *err = rg_map_open(&source->program, path);
	free(path);
	*out = (rg_bytes){source->program.data, source->program.size};
	return err;
}

static rg_error *size_in_folder(void *context, size_t index, uint64_t *out)
{
	rg_artifact_source *source = context;
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

rg_error *rg_artifact_open_folder(rg_artifact_source *source, const char *folder)
{
	*source = (rg_artifact_source){.folder = folder};
	rg_arena_init(&source->arena);
	RG_TRY(rg_tree_list(&source->tree, folder));
	source->links = source->tree.links;
	source->files = (rg_artifact_files){.names = source->tree.paths,
					    .count = source->tree.count,
					    .read_program = map_program,
					    .size = size_in_folder,
					    .context = source};
	return NULL;
}

/* --- zip --- */

static rg_error *unpack_program(void *context, size_t index, rg_bytes *out)
{
	rg_artifact_source *source = context;
	rg_zip_packed packed;

	rg_map_release(&source->program);
	RG_TRY(rg_zip_locate(source->zip, source->members[index].index, &packed));
	RG_TRY(rg_program_map(&source->program, &packed));
	*out = (rg_bytes){source->program.data, source->program.size};
	return NULL;
}

static rg_error *size_in_zip(void *context, size_t index, uint64_t *out)
{
	rg_artifact_source *source = context;
	*out = source->members[index].size;
	return NULL;
}

/* The name is that inside the innermost zip, so that the check does not miss the member. */
static rg_error *add_refusal(rg_artifact_source *source, const char *name, const char *reason)
{
	const char *inside = source->wrapper ? strstr(name, ".zip!") : NULL;
	size_t at = source->files.refused_count;
	char *text;

	RG_TRY(rg_grow(&source->refusals, &source->refusal_capacity, at + 1,
		       sizeof(*source->refusals)));
	RG_TRY(rg_grow(&source->refused, &source->refused_capacity, at + 1,
		       sizeof(*source->refused)));
	RG_TRY(rg_arena_text(&source->arena, inside ? inside + 5 : name, &source->refused[at]));
	RG_TRY(rg_textf(&text, "%s: %s", name, reason));
	rg_error *err = rg_arena_text(&source->arena, text, &source->refusals[at]);
	free(text);
	source->files.refused_count += err ? 0 : 1;
	return err;
}

static rg_error *refuse(rg_artifact_source *source, const char *name, const char *reason)
{
	char *full;
	if (!source->wrapper)
		return add_refusal(source, name, reason);
	RG_TRY(rg_textf(&full, "%s!%s", rg_zip_reader(source->zip)->name, name));
	rg_error *err = add_refusal(source, full, reason);
	free(full);
	return err;
}

static rg_error *list_member(rg_artifact_source *source, size_t index)
{
	const rg_zip_member *member = rg_zip_at(source->zip, index);
	if (member->refused)
		return refuse(source, member->name, member->why);
	if (member->folder)
		return NULL;
	/* git would take it for its own, hooks and settings that run programs included. */
	if (rg_path_has_git(member->name))
		return refuse(source, member->name, "its name has a '.git' part");
	RG_TRY(rg_grow(&source->members, &source->member_capacity, source->files.count + 1,
		       sizeof(*source->members)));
	source->members[source->files.count++] = (struct rg_artifact_member){
		.name = member->name, .index = index, .size = member->size};
	return NULL;
}

static rg_error *list_members(rg_artifact_source *source)
{
	source->files.count = 0;
	for (size_t i = 0; i < rg_zip_count(source->zip); i++)
		RG_TRY(list_member(source, i));
	return NULL;
}

static bool is_wrapper(const rg_artifact_source *source)
{
	return source->files.count == 1 && rg_ends_with(source->members[0].name, ".zip");
}

static rg_error *open_inner(rg_artifact_source *source, const rg_zip_limits *limits)
{
	RG_TRY(rg_member_reader_open(&source->inner, source->zip, source->members[0].index));
	source->wrapper = source->zip;
	return rg_zip_open(&source->zip, source->inner.reader, limits, &source->bytes_unpacked);
}

static rg_error *unwrap(rg_artifact_source *source, const rg_zip_limits *limits)
{
	const char *name = source->members[0].name;
	rg_error *err = open_inner(source, limits), *failed;

	if (!err)
		return list_members(source);
	if (!rg_zip_is_of_member(err))
		return err;
	source->files.count = 0;
	failed = add_refusal(source, name, rg_error_message(err));
	rg_error_free(err);
	return failed;
}

static int compare_members(const void *a, const void *b)
{
	const struct rg_artifact_member *left = a, *right = b;
	return strcmp(left->name, right->name);
}

static rg_error *index_names(rg_artifact_source *source)
{
	size_t count = source->files.count;
	if (count)
		qsort(source->members, count, sizeof(*source->members), compare_members);
	RG_TRY(rg_grow(&source->names, &source->name_capacity, count + 1, sizeof(*source->names)));
	for (size_t i = 0; i < count; i++)
		source->names[i] = source->members[i].name;
	source->files.names = source->names;
	rg_artifact_drop_refused(source);
	return NULL;
}

/* A file where others need a folder cannot be unpacked. In the order of paths it comes right before
 * what would lie in it. */
static rg_error *check_folders(const rg_artifact_source *source)
{
	size_t count = source->files.count;
	const char **sorted = calloc(count + 1, sizeof(*sorted));
	rg_error *err = NULL;

	if (!sorted)
		return rg_error_nomem();
	memcpy(sorted, source->names, count * sizeof(*sorted));
	count = rg_path_sort_unique(sorted, count);
	for (size_t i = 1; !err && i < count; i++)
		if (rg_path_is_below(sorted[i - 1], sorted[i]))
			err = rg_error_new(RG_E_CONFLICT,
					   "'%s' is a file, and the folder of '%s' too",
					   sorted[i - 1], sorted[i]);
	free(sorted);
	return err;
}

static rg_error *open_zip(rg_artifact_source *source, const char *path, const rg_zip_limits *limits)
{
	RG_TRY(rg_reader_file_open(&source->file, path));
	RG_TRY(rg_error_wrap(
		rg_zip_open(&source->zip, &source->file.reader, limits, &source->bytes_unpacked),
		"%s", path));
	RG_TRY(list_members(source));
	if (is_wrapper(source))
		RG_TRY(unwrap(source, limits));
	RG_TRY(index_names(source));
	return rg_error_wrap(check_folders(source), "%s", path);
}

rg_error *rg_artifact_open_zip(rg_artifact_source *source, const char *path,
			       const rg_zip_limits *limits)
{
	*source = (rg_artifact_source){0};
	rg_arena_init(&source->arena);
	source->files = (rg_artifact_files){
		.read_program = unpack_program, .size = size_in_zip, .context = source};
	return open_zip(source, path, limits);
}

rg_error *rg_artifact_extract(rg_artifact_source *source, size_t index, rg_zip_sink *sink,
			      void *context, bool *refused)
{
	struct rg_artifact_member *member = &source->members[index];
	rg_error *err = rg_zip_extract(source->zip, member->index, sink, context), *failed;

	*refused = err && rg_zip_is_of_member(err);
	if (!*refused)
		return err;
	member->refused = true;
	failed = refuse(source, member->name, rg_error_message(err));
	rg_error_free(err);
	return failed;
}

void rg_artifact_drop_refused(rg_artifact_source *source)
{
	size_t kept = 0;
	for (size_t i = 0; i < source->files.count; i++) {
		if (source->members[i].refused)
			continue;
		source->members[kept] = source->members[i];
		source->names[kept++] = source->members[i].name;
	}
	source->files.count = kept;
	if (source->files.refused_count)
		qsort(source->refused, source->files.refused_count, sizeof(*source->refused),
		      rg_compare_texts);
	source->files.refused = source->refused;
}

rg_error *rg_artifact_limits(rg_zip_limits *out, const rg_config *config)
{
	*out = rg_zip_limits_default();
	out->member_size = UINT64_MAX;
	RG_TRY(rg_config_size(config, "regild.maxMembers", out->members, &out->members));
	RG_TRY(rg_config_size(config, "regild.maxTotal", out->total_size, &out->total_size));
	return NULL;
}

void rg_artifact_source_release(rg_artifact_source *source)
{
	rg_map_release(&source->program);
	rg_zip_free(source->zip);
	rg_zip_free(source->wrapper);
	rg_member_reader_release(&source->inner);
	rg_reader_file_release(&source->file);
	free(source->members);
	free(source->names);
	free(source->refused);
	free(source->refusals);
	rg_arena_release(&source->arena);
	rg_tree_release(&source->tree);
}
