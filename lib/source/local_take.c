/* SPDX-License-Identifier: Apache-2.0 */
#include "source/local_parts.h"

#include "archive/select_list.h"
#include "base/cancel.h"
#include "base/digest.h"
#include "base/file.h"
#include "base/temporary.h"
#include "base/tree.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BLOCK = 64 << 10 };

/* --- files that were listed --- */

typedef struct {
	const rg_local_artifact *artifact;
	int folder;
	rg_reader_file file; /* the one that is open */
} listed_source;

static rg_error *check_sha256(const rg_reader *reader, const char *wanted)
{
	unsigned char block[BLOCK];
	char found[RG_SHA256_HEX];
	rg_sha256 *hash;
	rg_error *err;
	uint64_t at;
	size_t part;

	RG_TRY(rg_sha256_new(&hash));
	err = NULL;
	for (at = 0; !err && at < reader->size; at += part) {
		part = reader->size - at < BLOCK ? (size_t)(reader->size - at) : BLOCK;
		err = rg_reader_read(reader, at, block, part);
		if (!err)
			err = rg_sha256_add(hash, block, part);
	}
	if (!err)
		err = rg_sha256_finish(hash, found);
	rg_sha256_free(hash);
	if (!err && strcmp(found, wanted) != 0)
		err = rg_error_new(RG_E_MISMATCH, "it is not what manifest.json says");
	return err;
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

/* All that is listed is wanted. */
static rg_error *take_listed(const rg_local_artifact *artifact, const rg_take_request *request,
			     rg_selection *selection)
{
	static const char *const all[] = {"**"};
	rg_selecting run = {.out = selection,
			    .limits = &request->limits,
			    .take = request->take,
			    .context = request->context};
	listed_source source = {.artifact = artifact};
	const rg_listed_source from = {.open = open_listed, .source = &source};
	rg_listed *members;
	rg_error *err;
	size_t i;

	source.folder = open(artifact->place, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (source.folder < 0)
		return rg_error_io(errno, "%s", artifact->place);
	members = calloc(artifact->count + 1, sizeof(*members));
	for (i = 0; members && i < artifact->count; i++)
		members[i] = (rg_listed){.name = artifact->files[i].name,
					 .size = artifact->files[i].size};
	err = members ? rg_select_listed(&run, members, artifact->count, &from, all, 1)
		      : rg_error_nomem();
	rg_reader_file_release(&source.file);
	free(members);
	close(source.folder);
	return err;
}

/* --- what was unpacked --- */

typedef struct {
	int fd;
	uint64_t offset, size;
} spooled;

static rg_error *read_spooled(void *source, rg_zip_sink *sink, void *context)
{
	const spooled *from = source;
	unsigned char block[BLOCK];
	uint64_t at;
	size_t part;

	for (at = 0; at < from->size; at += part) {
		part = from->size - at < BLOCK ? (size_t)(from->size - at) : BLOCK;
		RG_TRY(rg_cancel_check());
		RG_TRY(rg_read_at(from->fd, from->offset + at, block, part, rg_temporary_folder()));
		RG_TRY(sink(context, block, part));
	}
	return NULL;
}

/* The limits were held when it was unpacked. */
static rg_error *take_spooled(const rg_local *local, const rg_local_artifact *artifact,
			      const rg_take_request *request, rg_selection *selection)
{
	size_t i;

	for (i = 0; i < artifact->count; i++) {
		const rg_local_file *file = &artifact->files[i];
		spooled source = {local->spool, file->offset, file->size};
		const rg_selected selected = {.path = file->name,
					      .via = file->via,
					      .size = file->size,
					      .read = read_spooled,
					      .source = &source};

		RG_TRY(request->take(request->context, &selected));
		selection->taken++;
	}
	for (i = 0; i < artifact->refusal_count; i++) {
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
		return rg_select_folder(selection, artifact->place, request->patterns,
					request->pattern_count, &request->limits, request->take,
					request->context);
	case RG_LOCAL_LISTED:
		return take_listed(artifact, request, selection);
	case RG_LOCAL_SPOOLED:
		return take_spooled(local, artifact, request, selection);
	case RG_LOCAL_BROKEN:
		break;
	}
	return rg_error_new(RG_E_NOTFOUND, "%s", artifact->fault ? artifact->fault : "is empty");
}
