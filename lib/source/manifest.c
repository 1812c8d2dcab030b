/* SPDX-License-Identifier: Apache-2.0 */
#include "source/manifest.h"

#include "base/folder.h"
#include "base/memory.h"
#include "base/order.h"
#include "base/path.h"
#include "source/source.h"

#include <stdlib.h>
#include <unistd.h>

const char *const rg_outcome_texts[RG_OUTCOMES] = {
	[RG_OUTCOME_TAKEN] = "taken",
	[RG_OUTCOME_UNCHANGED] = "unchanged",
	[RG_OUTCOME_SKIPPED_PASSING] = "skipped: passing",
	[RG_OUTCOME_SKIPPED_OTHER_JOB] = "skipped: another job",
	[RG_OUTCOME_SKIPPED_NOT_A_TEST] = "skipped: not a test",
	[RG_OUTCOME_SKIPPED_NO_GOLDENS] = "skipped: no goldens",
	[RG_OUTCOME_SKIPPED_UNFINISHED] = "skipped: unfinished",
	[RG_OUTCOME_SUPERSEDED] = "superseded",
	[RG_OUTCOME_NOT_REPLACED] = "superseded: not replaced",
	[RG_OUTCOME_EXPIRED] = "expired",
	[RG_OUTCOME_AMBIGUOUS] = "ambiguous",
	[RG_OUTCOME_CONFLICT] = "conflict",
	[RG_OUTCOME_FAILED] = "failed",
};
const char *rg_outcome_text(rg_outcome outcome)
{
	return rg_outcome_texts[outcome];
}

bool rg_outcome_is_missing(rg_outcome outcome)
{
	return outcome >= RG_OUTCOME_NOT_REPLACED;
}

const char *const rg_manifest_takes[RG_TAKES] = {"median-run", "first"};

void rg_manifest_init(rg_manifest *manifest)
{
	*manifest = (rg_manifest){0};
	rg_arena_init(&manifest->arena);
}

void rg_manifest_release(rg_manifest *manifest)
{
	free(manifest->jobs);
	free(manifest->artifacts);
	free(manifest->goldens);
	free(manifest->paths.items);
	free(manifest->among.items);
	free(manifest->missed.items);
	rg_arena_release(&manifest->arena);
	rg_manifest_init(manifest);
}

void rg_manifest_add_text(rg_manifest *manifest, rg_texts *list, const char *text)
{
	*RG_PUSH(list->items, list->count, list->capacity) = rg_arena_text(&manifest->arena, text);
}

bool rg_manifest_is_unread(const rg_manifest *manifest, const rg_manifest_job *job)
{
	for (size_t i = 0; i < manifest->artifact_count; i++)
		if (manifest->artifacts[i].job_id == job->id)
			return false;
	return job->outcome == RG_OUTCOME_FAILED;
}

rg_manifest_job *rg_manifest_find_job(rg_manifest *manifest, uint64_t id)
{
	return rg_find_by_id(manifest->jobs, manifest->job_count, sizeof(*manifest->jobs), id);
}

const rg_manifest_artifact *rg_manifest_find_artifact(const rg_manifest *manifest, uint64_t id)
{
	return rg_find_by_id(manifest->artifacts, manifest->artifact_count,
			     sizeof(*manifest->artifacts), id);
}

void rg_manifest_from(rg_manifest *m, const char **out)
{
	*out = NULL;
	if (m->run_id || !m->paths.count)
		return;
	if (m->paths.count == 1)
		*out = rg_arena_text(&m->arena, m->paths.items[0]);
	else
		*out = rg_arena_textf(&m->arena, "%s and %zu more", m->paths.items[0],
				      m->paths.count - 1);
}

RG_ORDER_OF_POINTERS(compare_tests, rg_manifest_golden, RG_BY_TEXT(stage) || RG_BY_TEXT(test));

size_t rg_manifest_tests(const rg_manifest *manifest)
{
	size_t found = 0;
	if (!manifest->golden_count)
		return found;
	RG_AUTO_FREE const rg_manifest_golden **sorted =
		rg_calloc(manifest->golden_count, sizeof(*sorted));
	for (size_t i = 0; i < manifest->golden_count; i++)
		sorted[i] = &manifest->goldens[i];
	qsort(sorted, manifest->golden_count, sizeof(*sorted), compare_tests);
	for (size_t i = 0; i < manifest->golden_count; i++)
		if (!i || compare_tests(&sorted[i - 1], &sorted[i]))
			++found;
	return found;
}

char *rg_manifest_staged_path(const rg_manifest_golden *golden)
{
	return rg_textf("files/%s/%s/%s", golden->stage, golden->test, golden->file);
}

bool rg_manifest_is_in(const char *folder)
{
	RG_AUTO_FREE char *manifest = rg_path_join(folder, "manifest.json");
	RG_AUTO_FREE char *files = rg_path_join(folder, "files");
	return !access(manifest, F_OK) && rg_is_folder(files);
}
