/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/artifact_files.h"

#include "base/memory.h"
#include "base/file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* --- folder --- */

static rg_error *map_program(void *context, size_t index, rg_bytes *out)
{
	rg_artifact_source *source = context;
	rg_map_release(&source->program);
	char *path = rg_path_join(source->folder, source->files.names[index]);
	rg_error *err = rg_map_open(&source->program, path);
	free(path);
	*out = (rg_bytes){source->program.data, source->program.size};
	return err;
}

static rg_error *size_in_folder(void *context, size_t index, uint64_t *out)
{
	rg_artifact_source *source = context;
	struct stat st;
	char *path = rg_path_join(source->folder, source->files.names[index]);

	rg_error *err = NULL;
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
	rg_map_release(&source->program);
	RG_TRY(rg_member_map_program(&source->members.items[index], &source->program));
	*out = (rg_bytes){source->program.data, source->program.size};
	return NULL;
}

static rg_error *size_in_zip(void *context, size_t index, uint64_t *out)
{
	rg_artifact_source *source = context;
	*out = source->members.items[index].packed.size;
	return NULL;
}

/* `name` may begin with the zip that it is in; without that, the check does not miss it. */
static void refuse(rg_artifact_source *source, const char *name, const char *reason)
{
	const char *inside = strstr(name, ".zip!");
	size_t at = source->files.refused_count;

	rg_grow(&source->refusals, &source->refusal_capacity, at + 1, sizeof(*source->refusals));
	rg_grow(&source->refused, &source->refused_capacity, at + 1, sizeof(*source->refused));
	source->refused[at] = rg_arena_text(&source->arena, inside ? inside + 5 : name);
	char *text = rg_textf("%s: %s", name, reason);
	source->refusals[at] = rg_arena_text(&source->arena, text);
	free(text);
	source->files.refused_count += 1;
}

static void refuse_member(rg_artifact_source *source, rg_member *member, const char *reason)
{
	char *name = rg_textf("%s%s%s", member->via, *member->via ? "!" : "", member->path);
	refuse(source, name, reason);
	free(name);
	member->path = NULL;
}

static rg_error *select_members(rg_artifact_source *source, rg_selection *selection)
{
	RG_TRY(rg_members_select_all(&source->members, selection, RG_ARCHIVE_ZIP, &source->limits));
	source->bytes_unpacked = selection->unpacked;
	for (size_t i = 0; i < selection->count; i++)
		refuse(source, selection->refusals[i].name, selection->refusals[i].reason);
	/* git would take it for its own, hooks and settings that run programs included. */
	for (size_t i = 0; i < source->members.count; i++)
		if (rg_path_has_git(source->members.items[i].path))
			refuse_member(source, &source->members.items[i],
				      "its name has a '.git' part");
	rg_artifact_drop_refused(source);
	return NULL;
}

static rg_error *list_members(rg_artifact_source *source)
{
	rg_selection selection;
	rg_selection_init(&selection);
	rg_error *err = select_members(source, &selection);
	rg_selection_release(&selection);
	return err ? err : rg_members_sort(&source->members);
}

static void index_names(rg_artifact_source *source)
{
	rg_grow(&source->names, &source->name_capacity, source->members.count + 1,
		sizeof(*source->names));
	source->files.names = source->names;
	rg_artifact_drop_refused(source);
}

/* A file where others need a folder cannot be unpacked. In the order of paths it comes right before
 * what would lie in it. */
static rg_error *check_folders(const rg_artifact_source *source)
{
	size_t count = source->files.count;
	const char **sorted = rg_calloc(count + 1, sizeof(*sorted));
	memcpy(sorted, source->names, count * sizeof(*sorted));
	count = rg_path_sort_unique(sorted, count);
	rg_error *err = NULL;
	for (size_t i = 1; !err && i < count; i++)
		if (rg_path_is_below(sorted[i - 1], sorted[i]))
			err = rg_error_new(RG_E_CONFLICT,
					   "'%s' is a file, and the folder of '%s' too",
					   sorted[i - 1], sorted[i]);
	free(sorted);
	return err;
}

static rg_error *open_zip(rg_artifact_source *source, const char *path)
{
	RG_TRY(rg_members_open(&source->members, path));
	RG_TRY(rg_error_wrap(list_members(source), "%s", path));
	index_names(source);
	return rg_error_wrap(check_folders(source), "%s", path);
}

rg_error *rg_artifact_open_zip(rg_artifact_source *source, const char *path,
			       const rg_zip_limits *limits)
{
	*source = (rg_artifact_source){.limits = *limits};
	rg_arena_init(&source->arena);
	rg_members_init(&source->members);
	source->files = (rg_artifact_files){
		.read_program = unpack_program, .size = size_in_zip, .context = source};
	return open_zip(source, path);
}

rg_error *rg_artifact_extract(rg_artifact_source *source, size_t index, rg_zip_sink *sink,
			      void *context, bool *refused)
{
	rg_member *member = &source->members.items[index];
	const rg_zip_packed *packed = &member->packed;
	rg_error *err = rg_member_check_room(packed->size, source->bytes_unpacked, &source->limits);

	if (!err)
		err = rg_zip_unpack(packed, &source->bytes_unpacked, sink, context);
	*refused = err && rg_zip_is_of_member(err);
	if (!*refused)
		return err;
	refuse_member(source, member, rg_error_message(err));
	rg_error_free(err);
	return NULL;
}

void rg_artifact_drop_refused(rg_artifact_source *source)
{
	rg_members *members = &source->members;
	size_t kept = 0;
	for (size_t i = 0; i < members->count; i++)
		if (members->items[i].path)
			members->items[kept++] = members->items[i];
	members->count = kept;
	for (size_t i = 0; source->names && i < kept; i++)
		source->names[i] = members->items[i].path;
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
	rg_members_release(&source->members);
	free(source->names);
	free(source->refused);
	free(source->refusals);
	rg_arena_release(&source->arena);
	rg_tree_release(&source->tree);
}
