/* SPDX-License-Identifier: Apache-2.0 */
/* For syncfs, where there is one. */
#define _GNU_SOURCE

#include "flow/executorch/artifact.h"

#include "archive/zip_writer.h"
#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/temporary.h"
#include "golden/executorch/pte.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- folder --- */

static rg_error *map_program(void *context, size_t index, rg_bytes *out)
{
	rg_artifact_source *source = context;
	rg_map_release(&source->program);
	RG_AUTO_FREE char *path = rg_path_join(source->folder, source->files.names[index]);
	RG_TRY(rg_map_open(&source->program, path));
	*out = (rg_bytes){source->program.data, source->program.size};
	return NULL;
}

static rg_error *size_in_folder(void *context, size_t index, uint64_t *out)
{
	rg_artifact_source *source = context;
	struct stat st;
	RG_AUTO_FREE char *path = rg_path_join(source->folder, source->files.names[index]);

	if (stat(path, &st))
		return rg_error_io(errno, "%s", path);
	*out = (uint64_t)st.st_size;
	return NULL;
}

/* --- zip --- */

static rg_error *unpack_program(void *context, size_t index, rg_bytes *out)
{
	rg_artifact_source *source = context;
	rg_map_release(&source->program);
	RG_TRY(rg_member_map_head(&source->members.items[index], rg_program_head_size,
				  &source->program));
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

	rg_arena_grow(&source->arena, &source->refusals, &source->refusal_capacity, at + 1,
		      sizeof(*source->refusals));
	rg_arena_grow(&source->arena, &source->refused, &source->refused_capacity, at + 1,
		      sizeof(*source->refused));
	source->refused[at] = rg_arena_text(&source->arena, inside ? inside + 5 : name);
	source->refusals[at] = rg_arena_textf(&source->arena, "%s: %s", name, reason);
	source->files.refused_count += 1;
}

static void refuse_member(rg_artifact_source *source, rg_member *member, const char *reason)
{
	refuse(source,
	       rg_arena_textf(&source->arena, "%s%s%s", member->via, *member->via ? "!" : "",
			      member->path),
	       reason);
	member->path = NULL;
}

/* Takes what was refused out of the files; the places of the others change. */
static void drop_refused(rg_artifact_source *source)
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

static rg_error *list_members(rg_artifact_source *source)
{
	RG_AUTO(rg_selection) selection = {0};

	rg_selection_init(&selection);
	RG_TRY(rg_members_select_all(&source->members, &selection, RG_ARCHIVE_ZIP,
				     &source->limits));
	source->bytes_unpacked = selection.unpacked;
	for (size_t i = 0; i < selection.count; i++)
		refuse(source, selection.refusals[i].name,
		       rg_error_message(selection.refusals[i].err));
	/* git would take it for its own, hooks and settings that run programs included. */
	for (size_t i = 0; i < source->members.count; i++)
		if (rg_path_has_git(source->members.items[i].path))
			refuse_member(source, &source->members.items[i],
				      "its name has a '.git' part");
	drop_refused(source);
	return rg_members_sort(&source->members);
}

/* A file where others need a folder cannot be unpacked. In the order of paths it comes right before
 * what would lie in it. */
static rg_error *check_folders(const rg_artifact_source *source)
{
	size_t count = source->files.count;
	RG_AUTO_FREE const char **sorted = rg_calloc(count + 1, sizeof(*sorted));
	memcpy(sorted, source->names, count * sizeof(*sorted));
	count = rg_path_sort_unique(sorted, count);
	for (size_t i = 1; i < count; i++)
		if (rg_path_is_below(sorted[i - 1], sorted[i]))
			return rg_error_new(RG_E_CONFLICT,
					    "'%s' is a file, and the folder of '%s' too",
					    sorted[i - 1], sorted[i]);
	return NULL;
}

/* Released whatever comes back, and with its refusals also after an error. A zip that holds nothing
 * but one other zip is that other zip; members that its directory shows to be bad are refused. */
static rg_error *artifact_open_zip(rg_artifact_source *source, const char *path,
				   const rg_zip_limits *limits)
{
	*source = (rg_artifact_source){.limits = *limits};
	rg_arena_init(&source->arena);
	rg_members_init(&source->members);
	source->files = (rg_artifact_files){
		.read_program = unpack_program, .size = size_in_zip, .context = source};
	RG_TRY(rg_members_open(&source->members, path));
	RG_TRY(rg_error_wrap(list_members(source), "%s", path));
	source->names = rg_arena_alloc(&source->arena,
				       (source->members.count + 1) * sizeof(*source->names));
	source->files.names = source->names;
	drop_refused(source);
	return rg_error_wrap(check_folders(source), "%s", path);
}

/* Hands the bytes of a zip's file to `sink` and checks them. *refused: they are not what they
 * should be, which is among the refusals now; the file goes with drop_refused. */
static rg_error *artifact_extract(rg_artifact_source *source, size_t index, rg_zip_sink *sink,
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

/* What unpack and verify take, and pack therefore makes: regild.maxMembers (100,000), and
 * regild.maxTotal bytes (32 GiB). */
static rg_error *artifact_limits(rg_zip_limits *out, const rg_config *config)
{
	*out = rg_zip_limits_default();
	out->member_size = UINT64_MAX;
	RG_TRY(rg_config_size(config, "regild.maxMembers", out->members, &out->members));
	RG_TRY(rg_config_size(config, "regild.maxTotal", out->total_size, &out->total_size));
	return NULL;
}

/*
 * A folder that is there as a whole or not at all: it is filled beside its place and moved there in
 * the end.
 *
 *	new_folder_begin, files into `path`, new_folder_finish; new_folder_release always
 */
typedef struct {
	char *path;         /* where to put the files */
	const char *target; /* borrowed */
	int lock;           /* the folder, open and locked while its process lives; -1: none */
} new_folder;

/* Released whatever comes back. What killed processes have left beside `target` is removed first.
 */
static rg_error *new_folder_begin(new_folder *folder, const char *target)
{
	*folder = (new_folder){.target = target, .lock = -1};
	rg_temporary_sweep(target);
	return rg_temporary_make_folder(&folder->lock, &folder->path, target);
}

/* Of tens of thousands of files, one fsync each would take minutes. */
static int sync_files(int folder)
{
#if defined(__linux__)
	return syncfs(folder);
#else
	(void)folder;
	sync();
	return 0;
#endif
}

/* Syncs all files of the folder at once and gives it its name. *made: it has that, also where the
 * error says that it could not be made sure of on the disk. */
static rg_error *new_folder_finish(new_folder *folder, bool *made)
{
	*made = false;
	if (sync_files(folder->lock) || rename(folder->path, folder->target))
		return rg_error_io(errno, "%s", folder->target);
	*made = true;
	free(folder->path);
	folder->path = NULL;
	return rg_sync_parent_dir(folder->target);
}

/* Removes what was not finished. */
static void new_folder_release(new_folder *folder)
{
	if (folder->path)
		rg_error_free(rg_remove_tree(folder->path));
	free(folder->path);
	if (folder->lock >= 0)
		close(folder->lock);
	*folder = (new_folder){.lock = -1};
}

/* --- pack --- */

static rg_error *fill_zip(rg_artifact_result *out, int fd, const char *path)
{
	const rg_artifact_source *source = &out->source;
	RG_AUTO_PTR(rg_zip_writer) writer = rg_zip_writer_new(fd, path);

	for (size_t i = 0; i < source->files.count; i++) {
		if (!out->check.part[i])
			continue;
		RG_AUTO_FREE char *file = rg_path_join(source->folder, source->files.names[i]);
		RG_AUTO(rg_reader_file) member = {0};
		RG_TRY(rg_reader_file_open(&member, file));
		RG_TRY(rg_zip_writer_add(writer, source->files.names[i], &member.reader));
	}
	return rg_zip_writer_finish(writer, &out->size);
}

/* A pipe or a device gets the zip when that is whole: there is no going back in it. */
static rg_error *fill_pipe(rg_artifact_result *out, rg_output *pipe)
{
	rg_reader_file file;
	int fd;

	RG_TRY(rg_file_unnamed(&fd, rg_temporary_folder()));
	rg_error *err = fill_zip(out, fd, rg_temporary_folder());
	rg_reader_file_init(&file, fd, rg_temporary_folder(), out->size);
	if (!err)
		err = rg_reader_pass(&file.reader, rg_output_write, pipe);
	rg_reader_file_release(&file);
	return err;
}

rg_error *rg_artifact_pack(rg_artifact_result *out, const rg_flow *flow, const char *folder,
			   const char *zip, bool skip_incomplete)
{
	rg_zip_limits limits;
	*out = (rg_artifact_result){0};
	out->source = (rg_artifact_source){.folder = folder};
	rg_arena_init(&out->source.arena);
	RG_TRY(rg_tree_list(&out->source.tree, folder));
	out->source.links = out->source.tree.links;
	out->source.files = (rg_artifact_files){.names = out->source.tree.paths,
						.count = out->source.tree.count,
						.read_program = map_program,
						.size = size_in_folder,
						.context = &out->source};
	out->source.files.skip_incomplete = skip_incomplete;
	RG_TRY(artifact_limits(&limits, flow->config));
	/* A zip that unpack and verify would refuse is not worth keeping. */
	uint64_t members = 0, total = 0, size;
	for (size_t i = 0; i < out->source.files.count; i++) {
		if (!rg_artifact_is_part(out->source.files.names[i]))
			continue;
		RG_TRY(out->source.files.size(out->source.files.context, i, &size));
		members++;
		total += size;
		if (members > limits.members || total > limits.total_size)
			return rg_error_new(RG_E_LIMIT,
					    "%s: with it, a zip would be beyond the limits of "
					    "%" PRIu64 " members (regild.maxMembers) and %" PRIu64
					    " bytes unpacked (regild.maxTotal)",
					    out->source.files.names[i], limits.members,
					    limits.total_size);
	}
	RG_TRY(rg_artifact_check_files(&out->check, &out->source.files));
	if (out->check.problem_count && !(skip_incomplete && out->check.models))
		return rg_error_new(RG_E_PARSE, "%s: %zu problem%s; nothing was packed", folder,
				    out->check.problem_count, rg_plural(out->check.problem_count));
	rg_output output;
	RG_TRY(rg_output_open(&output, zip));
	rg_error *err = output.temporary ? fill_zip(out, output.fd, zip) : fill_pipe(out, &output);
	err = rg_output_close(&output, err);
	out->changed = !err;
	return err;
}

/* --- unpack --- */

static rg_error *write_member(rg_artifact_source *source, size_t index, const char *folder)
{
	rg_output file;
	bool refused = false;

	/* The archive refused such names already; this one is going to be a path. */
	RG_TRY(rg_path_check(source->files.names[index]));
	RG_AUTO_FREE char *path = rg_path_join(folder, source->files.names[index]);
	RG_TRY(rg_make_parent_dirs(path, 0777));
	RG_TRY(rg_file_make(&file.fd, path));
	file.path = path;
	rg_error *err = artifact_extract(source, index, rg_output_write, &file, &refused);
	if (close(file.fd) && !err)
		err = rg_error_io(errno, "%s", path);
	if (refused) {
		/* Its file goes, and the folders that were made for it alone. */
		char *slash;
		unlink(path);
		while ((slash = strrchr(path, '/')) != NULL &&
		       (size_t)(slash - path) > strlen(folder)) {
			*slash = '\0';
			if (rmdir(path))
				break;
		}
	}
	return err;
}

rg_error *rg_artifact_unpack(rg_artifact_result *out, const rg_flow *flow, const char *zip,
			     const char *target)
{
	RG_AUTO(new_folder) folder = {.lock = -1};
	rg_zip_limits limits;
	rg_error *err = NULL;

	*out = (rg_artifact_result){0};
	RG_TRY(artifact_limits(&limits, flow->config));
	RG_TRY(artifact_open_zip(&out->source, zip, &limits));
	RG_TRY(new_folder_begin(&folder, target));
	for (size_t i = 0; !err && i < out->source.files.count; i++)
		err = write_member(&out->source, i, folder.path);
	drop_refused(&out->source);
	RG_TRY(err);
	if (!out->source.files.count)
		return rg_error_new(RG_E_NOTFOUND, "%s: nothing to unpack", zip);
	return new_folder_finish(&folder, &out->changed);
}

/* --- verify --- */

rg_error *rg_artifact_verify(rg_artifact_result *out, const rg_flow *flow, const char *zip)
{
	rg_zip_limits limits;
	bool refused;

	*out = (rg_artifact_result){0};
	RG_TRY(artifact_limits(&limits, flow->config));
	RG_TRY(artifact_open_zip(&out->source, zip, &limits));
	for (size_t i = 0; i < out->source.files.count; i++)
		RG_TRY(artifact_extract(&out->source, i, rg_zip_pass_over, NULL, &refused));
	drop_refused(&out->source);
	return rg_artifact_check_files(&out->check, &out->source.files);
}

void rg_artifact_result_release(rg_artifact_result *result)
{
	rg_artifact_check_release(&result->check);
	rg_map_release(&result->source.program);
	rg_members_release(&result->source.members);
	rg_arena_release(&result->source.arena);
	rg_tree_release(&result->source.tree);
}

#define OF rg_executorch_facts
const rg_json_field rg_executorch_fields[] = {
	RG_KEY(file, "The zip, or the bundled program."),
	RG_KEY_OR_NULL(folder, "What was packed, or where its files are now; null: verify."),
	RG_KEY_OPTIONAL(files, "How many files were written into the folder."),
	RG_KEY_OPTIONAL(flows, "How many flows the zip has."),
	RG_KEY_OPTIONAL(models, "How many models."),
	RG_KEY_OPTIONAL(inputs, "How many inputs."),
	RG_KEY_OPTIONAL(outputs, "How many expected outputs."),
	RG_KEY_OPTIONAL(left_out, "How many models were left out, as they are not whole."),
	RG_KEY_OPTIONAL(others, "How many files of the zip are no part of a golden."),
	RG_KEY_OPTIONAL(cases, "How many cases the bundled program has."),
	RG_KEY(whole, "Is nothing refused, missing or wrong?"),
	RG_KEY_TEXTS("refused", refused, refused_count, ALWAYS,
		     "Members that could not be had, and why."),
	RG_KEY_TEXTS("problems", problems, problem_count, ALWAYS, "What is missing or wrong."),
	{0}};
#undef OF
