/* SPDX-License-Identifier: Apache-2.0 */
#include "source/local.h"

#include "base/memory.h"
#include "archive/select_listed.h"
#include "base/tree.h"
#include "source/local_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char nothing[] = "no golden is in it";

/* A path without goldens is missing where others have some. */
static rg_error *find(rg_local *local, const char *path)
{
	size_t i = local->count;

	RG_TRY(rg_local_find(local, path));
	while (i < local->count && local->artifacts[i].empty)
		i++;
	if (i == local->count && local->options.path_count > 1)
		rg_local_add(local, RG_LOCAL_BROKEN, path, path)->fault = nothing;
	return NULL;
}

static rg_error *load(rg_source *source, uint64_t id, unsigned attempt, rg_run *out)
{
	static const char *const depths[RG_LOCAL_DEPTH + 1] = {"", "*/", "*/*/"};
	rg_local *local = (rg_local *)source;
	const rg_local_options *o = &local->options;
	const rg_rules *rules = &o->settings->rules;
	const bool several = o->path_count > 1;
	size_t found = 0;

	(void)id;
	(void)attempt;
	/* An artifact's members, and those of artifacts that are a folder each. */
	local->patterns = rg_calloc((RG_LOCAL_DEPTH + 1) * rules->pattern_count + 1,
				    sizeof(*local->patterns));
	for (size_t i = 0; i < rules->pattern_count; i++)
		for (size_t k = 0; k <= RG_LOCAL_DEPTH; k++)
			local->patterns[local->pattern_count++] =
				rg_textf("%s%s", depths[k], rules->patterns[i]);
	for (size_t i = 0; i < o->path_count; i++)
		RG_TRY(find(local, o->paths[i]));
	for (size_t i = 0; i < local->count; i++)
		found += !local->artifacts[i].empty && local->artifacts[i].fault != nothing;
	if (!found)
		return rg_error_new(RG_E_NOTFOUND,
				    "%s%s: no golden is in %s; regild.files names them ('%s'), and "
				    "'man regild-download' says where they are looked for",
				    o->paths[0], several ? " and the others" : "",
				    several ? "them" : "it", o->files);
	return rg_local_fill_run(local, out);
}

/* --- files that were listed --- */

typedef struct {
	const rg_local_artifact *artifact;
	int folder;
	rg_reader_file file; /* the one that is open */
} listed_source;

static void listed_source_release(listed_source *source)
{
	rg_reader_file_release(&source->file);
	if (source->folder >= 0)
		close(source->folder);
}

static rg_error *open_listed(void *context, size_t index, const rg_reader **out)
{
	listed_source *source = context;
	const rg_local_file *file = &source->artifact->files[index];
	char found[RG_SHA256_HEX];
	uint64_t size;
	int fd;

	*out = NULL;
	rg_reader_file_release(&source->file);
	RG_TRY(rg_tree_open_file(&fd, &size, source->folder, file->path));
	rg_reader_file_init(&source->file, fd, file->path, size);
	if (size != file->size)
		return rg_error_new(RG_E_MISMATCH, "it has %llu bytes, not %llu",
				    (unsigned long long)size, (unsigned long long)file->size);
	if (file->sha256) {
		RG_TRY(rg_reader_sha256(&source->file.reader, found));
		if (strcmp(found, file->sha256) != 0)
			return rg_error_new(RG_E_MISMATCH, "it is not what manifest.json says");
	}
	*out = &source->file.reader;
	return NULL;
}

/* Takes what is asked for out of a folder; else all that is listed. */
static rg_error *take_listed(const rg_local_artifact *artifact, const rg_take_request *request,
			     rg_selection *selection)
{
	static const char *const all[] = {"**"};
	const bool folder = artifact->kind == RG_LOCAL_FOLDER;
	rg_selecting run =
		rg_selecting_of(selection, &request->limits, request->take, request->context);
	RG_AUTO(listed_source) source = {.artifact = artifact};
	const rg_listed_source from = {.open = open_listed, .source = &source};

	source.folder = open(artifact->place, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (source.folder < 0)
		return rg_error_io(errno, "%s", artifact->place);
	RG_AUTO_FREE rg_listed *members = rg_calloc(artifact->count + 1, sizeof(*members));
	for (size_t i = 0; i < artifact->count; i++) {
		const rg_local_file *file = &artifact->files[i];
		members[i] = (rg_listed){.name = file->name, .size = file->size};
		if (folder && file->is_other) {
			members[i].refused = RG_REFUSED_LINK;
			members[i].why = "it is a symbolic link, device, pipe or socket";
		}
	}
	return rg_select_listed(&run, members, artifact->count, &from,
				folder ? request->patterns : all,
				folder ? request->pattern_count : 1);
}

/* --- members of archives --- */

static rg_error *read_member(void *source, rg_zip_sink *sink, void *context)
{
	const rg_member *member = source;
	uint64_t unpacked = 0;
	return rg_zip_unpack(&member->packed, &unpacked, sink, context);
}

/* The limits were held when they were selected. */
static rg_error *take_packed(const rg_local *local, const rg_local_artifact *artifact,
			     const rg_take_request *request, rg_selection *selection)
{
	for (size_t i = 0; i < artifact->count; i++) {
		const rg_local_file *file = &artifact->files[i];
		const rg_selected selected = {.path = file->name,
					      .via = file->via,
					      .size = file->size,
					      .read = read_member,
					      .source = &local->members.items[file->member]};

		RG_TRY(request->take(request->context, &selected));
		selection->taken++;
	}
	for (size_t i = 0; i < artifact->refusal_count; i++) {
		rg_refusal *refusal = &artifact->refusals[i];
		if (refusal->err)
			rg_selecting_refuse(selection, "", refusal->name, RG_TAKE(refusal->err),
					    true);
	}
	return NULL;
}

static rg_error *take_artifact(const rg_local *local, const rg_local_artifact *artifact,
			       const rg_take_request *request, rg_selection *selection,
			       const char **check)
{
	*check = artifact->check;
	switch (artifact->kind) {
	case RG_LOCAL_FOLDER:
	case RG_LOCAL_LISTED:
		return take_listed(artifact, request, selection);
	case RG_LOCAL_PACKED:
		return take_packed(local, artifact, request, selection);
	case RG_LOCAL_BROKEN:
		break;
	}
	return rg_error_new(RG_E_NOTFOUND, "%s", artifact->fault ? artifact->fault : "is empty");
}

/* --- the source --- */

static rg_error *take(rg_source *source, const rg_artifact *artifact,
		      const rg_take_request *request, rg_selection *selection, const char **check)
{
	rg_local *local = (rg_local *)source;
	*check = NULL;
	for (size_t i = 0; i < local->count; i++)
		if (local->artifacts[i].id == artifact->id) {
			/* These bytes came before anything was asked for. */
			if (!i && local->moved)
				request->moved(request->context, local->moved);
			return take_artifact(local, &local->artifacts[i], request, selection,
					     check);
		}
	return rg_error_new(RG_E_NOTFOUND, "is not there");
}

static void free_source(rg_source *source)
{
	rg_local *local = (rg_local *)source;
	for (size_t i = 0; i < local->count; i++) {
		for (size_t k = 0; k < local->artifacts[i].refusal_count; k++)
			rg_error_free(local->artifacts[i].refusals[k].err);
		free(local->artifacts[i].refusals);
		free(local->artifacts[i].files);
	}
	for (size_t i = 0; i < local->pattern_count; i++)
		free(local->patterns[i]);
	free(local->patterns);
	free(local->artifacts);
	rg_members_release(&local->members);
	rg_manifest_release(&local->staged);
	rg_arena_release(&local->arena);
	free(local);
}

rg_source *rg_local_new(const rg_local_options *options)
{
	rg_local *local = rg_calloc(1, sizeof(*local));
	local->source = (rg_source){.load = load, .take = take, .free = free_source};
	local->options = *options;
	rg_members_init(&local->members);
	rg_arena_init(&local->arena);
	rg_manifest_init(&local->staged);
	return &local->source;
}
