/* SPDX-License-Identifier: Apache-2.0 */
#include "source/manifest.h"

#include "base/file.h"

#include <stdlib.h>
#include <string.h>

/* A run of thousands of jobs needs a few MiB. */
enum { MANIFEST_MAX = 64 << 20 };

const char *const rg_outcome_texts[RG_OUTCOMES] = {
	[RG_OUTCOME_TAKEN] = "taken",
	[RG_OUTCOME_UNCHANGED] = "unchanged",
	[RG_OUTCOME_SKIPPED_PASSING] = "skipped: passing",
	[RG_OUTCOME_SKIPPED_OTHER_JOB] = "skipped: another job",
	[RG_OUTCOME_SKIPPED_NOT_A_TEST] = "skipped: not a test",
	[RG_OUTCOME_SKIPPED_NO_GOLDENS] = "skipped: no goldens",
	[RG_OUTCOME_SKIPPED_UNFINISHED] = "skipped: unfinished",
	[RG_OUTCOME_SUPERSEDED] = "superseded",
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
	return outcome == RG_OUTCOME_EXPIRED || outcome == RG_OUTCOME_AMBIGUOUS ||
	       outcome == RG_OUTCOME_CONFLICT || outcome == RG_OUTCOME_FAILED;
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

rg_error *rg_manifest_add_text(rg_manifest *manifest, rg_texts *list, const char *text)
{
	RG_TRY(rg_grow(&list->items, &list->capacity, list->count + 1, sizeof(*list->items)));
	RG_TRY(rg_arena_text(&manifest->arena, text, &list->items[list->count]));
	list->count++;
	return NULL;
}

/* Jobs and artifacts both begin with their id. */
static int compare_ids(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;
	return (*x > *y) - (*x < *y);
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
	return manifest->job_count ? bsearch(&id, manifest->jobs, manifest->job_count,
					     sizeof(*manifest->jobs), compare_ids)
				   : NULL;
}

const rg_manifest_artifact *rg_manifest_find_artifact(const rg_manifest *manifest, uint64_t id)
{
	return manifest->artifact_count
		       ? bsearch(&id, manifest->artifacts, manifest->artifact_count,
				 sizeof(*manifest->artifacts), compare_ids)
		       : NULL;
}

rg_error *rg_manifest_from(rg_manifest *m, const char **out)
{
	char *text;
	*out = NULL;
	if (m->run_id || !m->paths.count)
		return NULL;
	if (m->paths.count == 1)
		return rg_arena_text(&m->arena, m->paths.items[0], out);
	RG_TRY(rg_textf(&text, "%s and %zu more", m->paths.items[0], m->paths.count - 1));
	rg_error *err = rg_arena_text(&m->arena, text, out);
	free(text);
	return err;
}

static int compare_tests(const void *a, const void *b)
{
	const rg_manifest_golden *const *left = a, *const *right = b;
	int order = strcmp((*left)->stage, (*right)->stage);

	return order ? order : strcmp((*left)->test, (*right)->test);
}

rg_error *rg_manifest_tests(const rg_manifest *manifest, size_t *out)
{
	const rg_manifest_golden **sorted;
	*out = 0;
	if (!manifest->golden_count)
		return NULL;
	sorted = calloc(manifest->golden_count, sizeof(*sorted));
	if (!sorted)
		return rg_error_nomem();
	for (size_t i = 0; i < manifest->golden_count; i++)
		sorted[i] = &manifest->goldens[i];
	qsort(sorted, manifest->golden_count, sizeof(*sorted), compare_tests);
	for (size_t i = 0; i < manifest->golden_count; i++)
		if (!i || compare_tests(&sorted[i - 1], &sorted[i]))
			++*out;
	free(sorted);
	return NULL;
}

rg_error *rg_manifest_staged_path(const rg_manifest_golden *golden, char **out)
{
	return rg_textf(out, "files/%s/%s/%s", golden->stage, golden->test, golden->file);
}

rg_error *rg_manifest_save(const rg_manifest *manifest, const char *dir)
{
	char *path;
	rg_buf text;

	RG_TRY(rg_path_join(&path, dir, "manifest.json"));
	rg_buf_init(&text, MANIFEST_MAX);
	rg_error *err = rg_manifest_write(manifest, &text);
	if (!err)
		err = rg_file_replace(path, text.data, text.length, 0666);
	rg_buf_release(&text);
	free(path);
	return err;
}

rg_error *rg_manifest_load(rg_manifest *out, const char *dir)
{
	char *path;
	rg_buf text;

	RG_TRY(rg_path_join(&path, dir, "manifest.json"));
	rg_buf_init(&text, MANIFEST_MAX);
	rg_error *err = rg_file_read_regular(&text, path);
	if (!err)
		err = rg_error_wrap(rg_manifest_parse(out, text.data, text.length), "%s", path);
	rg_buf_release(&text);
	free(path);
	return err;
}
