/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/side_stage.h"

#include "base/memory.h"
#include "base/file.h"
#include "base/pattern.h"
#include "flow/download.h"
#include "source/settings.h"
#include "store/scratch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- archives --- */

/* An archive on its way. */
typedef struct {
	const rg_flow *flow;
	const char *name, *files; /* regild.files */
	rg_members *archive;
	rg_archive_kind kind;
	rg_settings settings;
	char **patterns; /* regild.files as the selection has them: in any folder of the archive */
	bool missing;
} unpacking;

/* Of what was refused, only goldens are missing: a name that is unsafe may be anything's. */
static void say_refused(unpacking *u, const rg_selection *selection)
{
	for (size_t i = 0; i < selection->count; i++) {
		const rg_refusal *refusal = &selection->refusals[i];
		if (!rg_globs_take(u->files, refusal->name))
			continue;
		rg_log_say(&u->flow->log, RG_LOG_MISSING, "%s: %s: %s", u->name, refusal->name,
			   refusal->reason);
		u->missing = true;
	}
}

static void make_patterns(unpacking *u)
{
	u->patterns = rg_calloc(u->settings.rules.pattern_count + 1, sizeof(*u->patterns));
	for (size_t i = 0; i < u->settings.rules.pattern_count; i++)
		u->patterns[i] = rg_textf("**/%s", u->settings.rules.patterns[i]);
}

/* What regild.files names; where that is nothing, all there is, and what looks like a golden is
 * compared. */
static rg_error *select_members(unpacking *u, rg_selection *selection)
{
	rg_members *archive = u->archive;
	const rg_reader *reader = &archive->file.reader;

	RG_TRY(rg_archive_kind_read(&u->kind, reader));
	if (u->kind == RG_ARCHIVE_NONE)
		return rg_error_new(RG_E_PARSE, "is neither a zip nor a tar");
	if (u->kind == RG_ARCHIVE_ZIP) /* what is read where it is takes no room */
		u->settings.limits.member_size = UINT64_MAX;
	make_patterns(u);
	RG_TRY(rg_members_select(archive, selection, reader, u->kind,
				 (const char *const *)u->patterns, u->settings.rules.pattern_count,
				 &u->settings.limits));
	say_refused(u, selection);
	if (archive->count || u->missing)
		return rg_members_sort(archive);
	rg_selection_release(selection);
	rg_selection_init(selection);
	RG_TRY(rg_members_select_all(archive, selection, u->kind, &u->settings.limits));
	say_refused(u, selection);
	return rg_members_sort(archive);
}

static rg_error *unpack_open(unpacking *u)
{
	rg_selection selection;
	rg_selection_init(&selection);
	rg_error *err = select_members(u, &selection);
	rg_selection_release(&selection);
	return err;
}

static rg_error *unpack(rg_staged_side *out, const rg_flow *flow, const char *path)
{
	unpacking u = {.flow = flow,
		       .name = path,
		       .archive = rg_calloc(1, sizeof(*u.archive)),
		       .files = rg_config_get(flow->config, "regild.files")};
	rg_members_init(u.archive);
	out->place.archive = u.archive;
	rg_error *err = rg_settings_load(&u.settings, flow->config);
	if (!err)
		err = rg_members_open(u.archive, path);
	if (!err)
		err = rg_error_wrap(unpack_open(&u), "%s", path);
	out->missing = u.missing;
	for (size_t i = 0; u.patterns && i < u.settings.rules.pattern_count; i++)
		free(u.patterns[i]);
	free(u.patterns);
	rg_settings_release(&u.settings);
	return err;
}

/* --- runs --- */

static rg_error *download(rg_staged_side *out, const rg_flow *flow, const rg_source_options *source)
{
	const rg_download_options options = {.source = *source,
					     .all = true,
					     .folder = out->place.folder,
					     .if_unfinished = "compare it once it has"};
	rg_download_result result;

	rg_download_result_init(&result);
	rg_error *err = rg_download(&result, flow, &options);
	out->is_staging = true;
	out->missing = result.missing;
	rg_manifest_release(&out->manifest);
	out->manifest = result.manifest;
	rg_manifest_init(&result.manifest);
	rg_download_result_release(&result);
	return err;
}

static rg_error *download_latest(rg_staged_side *out, const rg_flow *flow, const char *branch,
				 const rg_stage_options *options)
{
	rg_source_options source = {.repository_name = options->repository,
				    .source = options->source,
				    .no_cache = true};
	const rg_run_choice choice = {.latest = true,
				      .branch = branch,
				      .workflow = options->workflow,
				      .cannot_wait = true};
	rg_open_source open;
	char run[32];
	uint64_t id = 0;
	rg_error *err = rg_flow_open_source(&open, flow, &source);

	if (!err)
		err = rg_flow_choose_run(&id, flow, open.source, &choice, NULL, NULL);
	snprintf(run, sizeof(run), "%llu", (unsigned long long)id);
	source.run = run;
	source.repository = &open.repository;
	source.no_cache = false;
	if (!err)
		out->label = rg_textf("run %s of %s", run, branch);
	if (!err)
		err = download(out, flow, &source);
	rg_flow_close_source(&open);
	return err;
}

/* --- any side --- */

void rg_staged_side_init(rg_staged_side *side)
{
	*side = (rg_staged_side){0};
	rg_place_init(&side->place);
	rg_manifest_init(&side->manifest);
}

static rg_error *stage_path(rg_staged_side *out, const char *folder)
{
	rg_place_open_folder(&out->place, folder);
	out->is_staging = rg_manifest_is_in(folder);
	return out->is_staging ? rg_manifest_load(&out->manifest, folder) : NULL;
}

rg_error *rg_side_stage(rg_staged_side *out, const rg_flow *flow, const rg_side_name *name,
			const rg_stage_options *options)
{
	bool path = name->kind == RG_SIDE_PATH, archive = name->kind == RG_SIDE_ARCHIVE;
	const char *from[] = {name->text};
	rg_source_options source = {.repository_name = options->repository,
				    .source = options->source};

	if (path && !options->artifacts)
		return stage_path(out, name->text);
	if (archive && !options->artifacts)
		return unpack(out, flow, name->text);
	RG_TRY(rg_scratch_make_default(&out->scratch));
	rg_place_open_folder(&out->place, out->scratch);
	if (name->kind == RG_SIDE_LATEST)
		return download_latest(out, flow, name->text, options);
	if (path || archive)
		source.from = (rg_texts){.items = from, .count = 1};
	else
		source.run = name->text;
	return download(out, flow, &source);
}

rg_error *rg_staged_side_release(rg_staged_side *side, rg_error *err)
{
	if (side->scratch)
		err = rg_error_first(err, rg_remove_tree(side->scratch));
	rg_place_close(&side->place);
	free(side->scratch);
	free(side->label);
	rg_manifest_release(&side->manifest);
	rg_staged_side_init(side);
	return err;
}
