/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/side_stage.h"

#include "archive/zip.h"
#include "base/file.h"
#include "base/pattern.h"
#include "flow/download.h"
#include "flow/file_pairs.h"
#include "source/settings.h"
#include "store/scratch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- archives --- */

/* An archive that is unpacked. */
typedef struct {
	const rg_flow *flow;
	const char *name, *folder;
	const char *files; /* regild.files */
	rg_zip *zip;
	int fd; /* of the file that is written */
	size_t taken;
	bool missing;
} unpacking;

static rg_error *write_part(void *context, const void *bytes, size_t length)
{
	const unpacking *u = context;

	return rg_write_all(u->fd, bytes, length, u->folder);
}

static rg_error *write_member(unpacking *u, size_t index)
{
	rg_error *err;
	char *path;

	RG_TRY(rg_path_join(&path, u->folder, rg_zip_at(u->zip, index)->name));
	err = rg_make_parent_dirs(path, 0700);
	if (!err)
		err = rg_file_make(&u->fd, path);
	if (!err) {
		err = rg_zip_extract(u->zip, index, write_part, u);
		close(u->fd);
		if (err)
			unlink(path);
	}
	free(path);
	return err;
}

static rg_error *take_member(unpacking *u, size_t index)
{
	const rg_zip_member *member = rg_zip_at(u->zip, index);
	rg_error *err;

	if (member->refused)
		err = rg_error_new(RG_E_UNSAFE, "%s", member->why);
	else if (rg_path_has_git(member->name))
		err = rg_error_new(RG_E_UNSAFE, "its name has a '.git' part");
	else
		err = write_member(u, index);
	if (err && rg_zip_is_of_member(err)) {
		rg_log_say(&u->flow->log, RG_LOG_MISSING, "%s: %s: %s", u->name, member->name,
			   rg_error_message(err));
		rg_error_free(err);
		u->missing = true;
		return NULL;
	}
	u->taken += err ? 0 : 1;
	return err;
}

/* What regild.files names; where that is nothing, all there is, and what looks like a golden is
 * compared. */
static rg_error *take_members(unpacking *u, bool named)
{
	size_t i;

	for (i = 0; i < rg_zip_count(u->zip); i++) {
		const rg_zip_member *member = rg_zip_at(u->zip, i);

		if (!member->folder && (!named || rg_globs_take(u->files, member->name)))
			RG_TRY(take_member(u, i));
	}
	return NULL;
}

static rg_error *unpack(rg_staged_side *out, const rg_flow *flow, const char *path)
{
	unpacking u = {flow, path, out->folder, rg_config_get(flow->config, "regild.files"),
		       NULL, -1,   0,           false};
	rg_reader_file file;
	rg_settings settings;
	rg_error *err = rg_settings_load(&settings, flow->config);

	if (!err)
		err = rg_reader_file_open(&file, path);
	else
		file = (rg_reader_file){0};
	if (!err)
		err = rg_error_wrap(rg_zip_open(&u.zip, &file.reader, &settings.limits, NULL), "%s",
				    path);
	if (!err)
		err = take_members(&u, true);
	if (!err && !u.taken && !u.missing)
		err = take_members(&u, false);
	out->missing = u.missing;
	rg_zip_free(u.zip);
	rg_reader_file_release(&file);
	rg_settings_release(&settings);
	return err;
}

/* --- runs --- */

static rg_error *download(rg_staged_side *out, const rg_flow *flow, const rg_source_options *source)
{
	const rg_download_options options = {.source = *source,
					     .all = true,
					     .folder = out->folder,
					     .if_unfinished = "compare it once it has"};
	rg_download_result result;
	rg_error *err;

	rg_download_result_init(&result);
	err = rg_download(&result, flow, &options);
	out->is_staging = true;
	out->missing = result.missing;
	rg_manifest_release(&out->manifest);
	out->manifest = result.manifest;
	rg_manifest_init(&result.manifest);
	rg_download_result_release(&result);
	return err;
}

/* A fork's branch may have any name, and is nobody's latest. */
static rg_error *find_latest(const rg_flow *flow, rg_source *source, const char *branch,
			     uint64_t *id)
{
	const rg_run_query query = {.workflow = rg_config_get(flow->config, "regild.workflow"),
				    .last = 1,
				    .branch = branch,
				    .own = true};
	rg_run_list list;

	rg_flow_waits_for(flow, "the list of runs");
	RG_TRY(source->list(source, &query, &list));
	*id = list.count ? list.items[0].id : 0;
	rg_run_list_release(&list);
	return *id ? NULL
		   : rg_error_new(RG_E_NOTFOUND, "latest:%s: the branch has no finished run",
				  branch);
}

static rg_error *download_latest(rg_staged_side *out, const rg_flow *flow, const char *branch,
				 const rg_stage_options *options)
{
	rg_source_options source = {.repository_name = options->repository, .no_cache = true};
	rg_open_source open;
	char run[32];
	uint64_t id = 0;
	rg_error *err = rg_flow_open_source(&open, flow, &source);

	if (!err)
		err = find_latest(flow, open.source, branch, &id);
	snprintf(run, sizeof(run), "%llu", (unsigned long long)id);
	source.run = run;
	source.repository = &open.repository;
	source.no_cache = false;
	if (!err)
		err = rg_textf(&out->label, "run %s of %s", run, branch);
	if (!err)
		err = download(out, flow, &source);
	rg_flow_close_source(&open);
	return err;
}

/* --- any side --- */

static rg_error *use_folder(rg_staged_side *out, const char *folder)
{
	size_t length = strlen(folder);
	bool ends = length && folder[length - 1] == '/';

	free(out->folder);
	out->folder = NULL;
	return rg_textf(&out->folder, "%s%s", folder, ends ? "" : "/");
}

static rg_error *stage_path(rg_staged_side *out, const char *folder)
{
	RG_TRY(use_folder(out, folder));
	RG_TRY(rg_is_staging(folder, &out->is_staging));
	return out->is_staging ? rg_manifest_load(&out->manifest, folder) : NULL;
}

rg_error *rg_side_stage(rg_staged_side *out, const rg_flow *flow, const rg_side_name *name,
			const rg_stage_options *options)
{
	*out = (rg_staged_side){0};
	rg_manifest_init(&out->manifest);
	if (name->kind == RG_SIDE_PATH)
		return stage_path(out, name->text);
	RG_TRY(rg_scratch_make_default(&out->scratch));
	RG_TRY(use_folder(out, out->scratch));
	if (name->kind == RG_SIDE_ARCHIVE)
		return unpack(out, flow, name->text);
	if (name->kind == RG_SIDE_LATEST)
		return download_latest(out, flow, name->text, options);
	return download(
		out, flow,
		&(rg_source_options){.run = name->text, .repository_name = options->repository});
}

rg_error *rg_staged_side_release(rg_staged_side *side, rg_error *err)
{
	if (side->scratch)
		err = rg_error_first(err, rg_remove_tree(side->scratch));
	free(side->scratch);
	free(side->label);
	free(side->folder);
	rg_manifest_release(&side->manifest);
	*side = (rg_staged_side){0};
	return err;
}
