/* SPDX-License-Identifier: Apache-2.0 */
#include "source/local_parts.h"

#include "archive/select_list.h"
#include "base/tree.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- files that were listed --- */

typedef struct {
	const rg_local_artifact *artifact;
	int folder;
	rg_reader_file file; /* the one that is open */
} listed_source;

static rg_error *check_sha256(const rg_reader *reader, const char *wanted)
{
	char found[RG_SHA256_HEX];
	RG_TRY(rg_reader_sha256(reader, found));
	return strcmp(found, wanted) != 0
		       ? rg_error_new(RG_E_MISMATCH, "it is not what manifest.json says")
		       : NULL;
}

static rg_error *open_listed(void *context, size_t index, const rg_reader **out)
{
	listed_source *source = context;
	const rg_local_file *file = &source->artifact->files[index];
	uint64_t size;
	int fd;

	*out = NULL;
	rg_reader_file_release(&source->file);
	RG_TRY(rg_tree_open_file(&fd, &size, source->folder, file->path));
	rg_reader_file_init(&source->file, fd, file->path, size);
	if (size != file->size)
		return rg_error_new(RG_E_MISMATCH, "it has %llu bytes, not %llu",
				    (unsigned long long)size, (unsigned long long)file->size);
	if (file->sha256)
		RG_TRY(check_sha256(&source->file.reader, file->sha256));
	*out = &source->file.reader;
	return NULL;
}

/* Of a folder, what is asked for; else all that is listed. */
static rg_error *take_listed(const rg_local_artifact *artifact, const rg_take_request *request,
			     rg_selection *selection)
{
	static const char *const all[] = {"**"};
	const bool folder = artifact->kind == RG_LOCAL_FOLDER;
	rg_selecting run = {.out = selection,
			    .limits = &request->limits,
			    .take = request->take,
			    .context = request->context};
	listed_source source = {.artifact = artifact};
	const rg_listed_source from = {.open = open_listed, .source = &source};
	rg_listed *members;
	rg_error *err;

	source.folder = open(artifact->place, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (source.folder < 0)
		return rg_error_io(errno, "%s", artifact->place);
	members = calloc(artifact->count + 1, sizeof(*members));
	for (size_t i = 0; members && i < artifact->count; i++) {
		const rg_local_file *file = &artifact->files[i];
		members[i] = (rg_listed){.name = file->name, .size = file->size};
		if (folder && file->is_other) {
			members[i].refused = RG_REFUSED_LINK;
			members[i].why = "it is a symbolic link, device, pipe or socket";
		}
	}
	err = members ? rg_select_listed(&run, members, artifact->count, &from,
					 folder ? request->patterns : all,
					 folder ? request->pattern_count : 1)
		      : rg_error_nomem();
	rg_reader_file_release(&source.file);
	free(members);
	close(source.folder);
	return err;
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
		const rg_refusal *refusal = &artifact->refusals[i];
		RG_TRY(rg_selecting_refuse(selection, "", refusal->name, refusal->reason,
					   refusal->code, refusal->wanted));
	}
	return NULL;
}

rg_error *rg_local_take(rg_local *local, const rg_local_artifact *artifact,
			const rg_take_request *request, rg_selection *selection, const char **check)
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
