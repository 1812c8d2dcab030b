/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/artifact.h"

#include "archive/zip_writer.h"
#include "base/file.h"
#include "base/new_folder.h"
#include "base/temporary.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- pack --- */

/* A zip that unpack and verify would refuse is not worth keeping. */
static rg_error *check_limits(const rg_artifact_files *files, const rg_zip_limits *limits)
{
	uint64_t members = 0, total = 0, size;
	for (size_t i = 0; i < files->count; i++) {
		if (!rg_artifact_is_part(files->names[i]))
			continue;
		RG_TRY(files->size(files->context, i, &size));
		members++;
		total += size;
		if (members > limits->members || total > limits->total_size)
			return rg_error_new(RG_E_LIMIT,
					    "%s: with it, a zip would be beyond the limits of "
					    "%" PRIu64 " members (regild.maxMembers) and %" PRIu64
					    " bytes unpacked (regild.maxTotal)",
					    files->names[i], limits->members, limits->total_size);
	}
	return NULL;
}

static rg_error *add_file(rg_zip_writer *writer, const char *folder, const char *name)
{
	rg_reader_file file;
	char *path = rg_path_join(folder, name);
	rg_error *err = rg_reader_file_open(&file, path);
	if (!err)
		err = rg_zip_writer_add(writer, name, &file.reader);
	rg_reader_file_release(&file);
	free(path);
	return err;
}

static rg_error *fill_zip(rg_artifact_result *out, int fd, const char *path)
{
	const rg_artifact_source *source = &out->source;
	rg_zip_writer *writer = rg_zip_writer_new(fd, path);

	rg_error *err = NULL;
	for (size_t i = 0; !err && i < source->files.count; i++)
		if (out->check.part[i])
			err = add_file(writer, source->folder, source->files.names[i]);
	if (!err)
		err = rg_zip_writer_finish(writer, &out->size);
	rg_zip_writer_free(writer);
	return err;
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

static rg_error *write_zip(rg_artifact_result *out, const char *path)
{
	rg_output output;
	RG_TRY(rg_output_open(&output, path));
	rg_error *err = output.temporary ? fill_zip(out, output.fd, path) : fill_pipe(out, &output);
	err = rg_output_close(&output, err);
	out->changed = !err;
	return err;
}

rg_error *rg_artifact_pack(rg_artifact_result *out, const rg_flow *flow, const char *folder,
			   const char *zip, bool skip_incomplete)
{
	rg_zip_limits limits;
	*out = (rg_artifact_result){0};
	RG_TRY(rg_artifact_open_folder(&out->source, folder));
	out->source.files.skip_incomplete = skip_incomplete;
	RG_TRY(rg_artifact_limits(&limits, flow->config));
	RG_TRY(check_limits(&out->source.files, &limits));
	RG_TRY(rg_artifact_check_files(&out->check, &out->source.files));
	if (out->check.problem_count && !(skip_incomplete && out->check.models))
		return rg_error_new(RG_E_PARSE, "%s: %zu problem%s; nothing was packed", folder,
				    out->check.problem_count,
				    out->check.problem_count == 1 ? "" : "s");
	return write_zip(out, zip);
}

/* --- unpack --- */

/* Removes a refused member's file, and the folders that were made for it alone. */
static void take_back(char *path, size_t folder_length)
{
	char *slash;
	unlink(path);
	while ((slash = strrchr(path, '/')) != NULL && (size_t)(slash - path) > folder_length) {
		*slash = '\0';
		if (rmdir(path))
			break;
	}
}

static rg_error *write_member(rg_artifact_source *source, size_t index, const char *folder)
{
	rg_output file;
	bool refused = false;

	/* The archive refused such names already; this one is going to be a path. */
	RG_TRY(rg_path_check(source->files.names[index]));
	char *path = rg_path_join(folder, source->files.names[index]);
	rg_error *err = rg_make_parent_dirs(path, 0777);
	if (!err)
		err = rg_file_make(&file.fd, path);
	if (!err) {
		file.path = path;
		err = rg_artifact_extract(source, index, rg_output_write, &file, &refused);
		if (close(file.fd) && !err)
			err = rg_error_io(errno, "%s", path);
	}
	if (refused)
		take_back(path, strlen(folder));
	free(path);
	return err;
}

static rg_error *write_members(rg_artifact_source *source, const char *folder)
{
	rg_error *err = NULL;
	for (size_t i = 0; !err && i < source->files.count; i++)
		err = write_member(source, i, folder);
	rg_artifact_drop_refused(source);
	return err;
}

rg_error *rg_artifact_unpack(rg_artifact_result *out, const rg_flow *flow, const char *zip,
			     const char *target)
{
	rg_new_folder folder;
	rg_zip_limits limits;

	*out = (rg_artifact_result){0};
	RG_TRY(rg_artifact_limits(&limits, flow->config));
	RG_TRY(rg_artifact_open_zip(&out->source, zip, &limits));
	rg_error *err = rg_new_folder_begin(&folder, target);
	if (!err)
		err = write_members(&out->source, folder.path);
	if (!err && !out->source.files.count)
		err = rg_error_new(RG_E_NOTFOUND, "%s: nothing to unpack", zip);
	if (!err)
		err = rg_new_folder_finish(&folder, &out->changed);
	rg_new_folder_release(&folder);
	return err;
}

/* --- verify --- */

rg_error *rg_artifact_verify(rg_artifact_result *out, const rg_flow *flow, const char *zip)
{
	rg_zip_limits limits;
	bool refused;

	*out = (rg_artifact_result){0};
	RG_TRY(rg_artifact_limits(&limits, flow->config));
	RG_TRY(rg_artifact_open_zip(&out->source, zip, &limits));
	for (size_t i = 0; i < out->source.files.count; i++)
		RG_TRY(rg_artifact_extract(&out->source, i, rg_zip_pass_over, NULL, &refused));
	rg_artifact_drop_refused(&out->source);
	return rg_artifact_check_files(&out->check, &out->source.files);
}

void rg_artifact_result_release(rg_artifact_result *result)
{
	rg_artifact_check_release(&result->check);
	rg_artifact_source_release(&result->source);
}
