/* SPDX-License-Identifier: Apache-2.0 */
#include "base/order.h"
#include "source/manifest.h"

#include "base/fields.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/path.h"
#include "golden/table_round.h"

#include <stdlib.h>
#include <string.h>

/* A run of thousands of jobs needs a few MiB. */
enum { MANIFEST_MAX = 64 << 20 };

static const char schema[] = "regild-manifest";

/* --- the keys --- */

static const char *const scopes[] = {"all", "only-failing"};

#define OF rg_manifest
static const rg_json_field run_fields[] = {
	RG_KEY_OF("id", RG_JSON_WHOLE, run_id, RG_JSON_ALWAYS, "Its number."),
	RG_KEY_OR_NULL(head_commit, "The commit it ran on."),
	RG_KEY_OR_NULL(head_repository,
		       "Whose commit that is: OWNER/NAME. null: not known, or deleted."),
	RG_KEY_OR_NULL(branch, "The branch."),
	RG_KEY_OR_NULL(event, "What started it."),
	RG_KEY_OR_NULL(workflow, "The workflow's name."),
	RG_KEY_OR_NULL(status, "As the source has it."),
	RG_KEY_OR_NULL(conclusion, "As the source has it."),
	RG_KEY_OR_NULL(created_at, "When it began."),
	RG_KEY_OR_NULL(url, "Its page."),
	RG_KEY(fork, "Is its commit another repository's than the run?"),
	RG_KEY(attempt, "Which attempt of it."),
	{0}};
static const rg_json_field among_fields[] = {
	RG_KEY(take, "How it was chosen: 'median-run' or 'first'."),
	RG_KEY_TEXTS("runs", among.items, among.count, ALWAYS,
		     "The ids of those that were fetched, in the order in which they were named."),
	RG_KEY_TEXTS("missing", missed.items, missed.count, ALWAYS,
		     "What is wrong with each that could not be fetched."),
	{0}};
#undef OF

#define OF rg_manifest_job
static const rg_json_field job_fields[] = {
	RG_KEY_OF("id", RG_JSON_WHOLE, id, RG_JSON_ALWAYS, "Its number."),
	RG_KEY(name, "Its name."),
	RG_KEY_OR_NULL(stage, "The stage in the name."),
	RG_KEY_OR_NULL(test, "The test in the name."),
	RG_KEY_OR_NULL(tag, "The tag in the name."),
	RG_KEY_OR_NULL(conclusion, "As the source has it."),
	RG_KEY_OR_NULL(why, "Why it has this outcome."),
	RG_KEY_WORD("outcome", outcome, rg_outcome_texts, "What became of it."),
	{0}};
#undef OF

#define OF rg_manifest_artifact
static const rg_json_field artifact_fields[] = {
	RG_KEY_OF("id", RG_JSON_WHOLE, id, RG_JSON_ALWAYS, "Its number."),
	RG_KEY(name, "Its name."),
	RG_KEY_OF("size", RG_JSON_WHOLE, size, RG_JSON_ALWAYS, "Bytes of the zip."),
	RG_KEY_OR_NULL(digest, "Its digest."),
	RG_KEY_OR_NULL(created_at, "When it was made."),
	RG_KEY_OF("job_id", RG_JSON_WHOLE, job_id, RG_JSON_ALWAYS,
		  "The job that made it; 0: not known."),
	RG_KEY_OR_NULL(why, "Why it has this outcome."),
	RG_KEY_OR_NULL(check, "How its bytes were checked: 'sha256', 'crc32' or 'cache'."),
	RG_KEY_WORD("outcome", outcome, rg_outcome_texts, "What became of it."),
	{0}};
#undef OF

static void put_rewrite(rg_json_out *json, const void *from, const void *context);

#define OF rg_manifest_golden
static const rg_json_field rewrite_fields[] = {
	RG_KEY_AS("round", digits, "The significant digits of its numbers; 0: all."), {0}};
static const rg_json_field golden_fields[] = {
	RG_KEY_OF("stage", RG_JSON_PATH, stage, RG_JSON_ALWAYS, "The stage."),
	RG_KEY_OF("test", RG_JSON_PATH, test, RG_JSON_ALWAYS, "The test."),
	RG_KEY_OF("file", RG_JSON_PATH, file, RG_JSON_ALWAYS,
		  "The file in the staging folder, below files/STAGE/TEST."),
	RG_KEY_OF("target", RG_JSON_PATH, target, RG_JSON_ALWAYS,
		  "Its path from the repository's root."),
	RG_KEY_OF("size", RG_JSON_WHOLE, size, RG_JSON_ALWAYS, "Its bytes."),
	RG_KEY_OF("sha256", RG_JSON_SHA256, sha256, RG_JSON_ALWAYS,
		  "The SHA-256 of the staged bytes."),
	RG_KEY_OF("artifact_id", RG_JSON_WHOLE, artifact_id, RG_JSON_ALWAYS,
		  "The artifact it came from."),
	RG_KEY_OR_NULL(digest, "The artifact's digest."),
	RG_KEY_OR_NULL(allowed, "The guards that an update let it through: \"shrink, dirty\"."),
	RG_PUT("rewrite", OBJECT, OPTIONAL, rewrite_fields, put_rewrite,
	       "The staged file is a table that an update writes in the manner of the golden that "
	       "it replaces. Absent: it is copied."),
	{0}};
#undef OF

static void put_tests(rg_json_out *json, const void *from, const void *tests)
{
	(void)from;
	rg_json_count(json, *(const size_t *)tests);
}

#define OF rg_manifest
static const rg_json_field count_fields[] = {
	RG_PUT("tests with goldens", COUNT, ALWAYS, NULL, put_tests, "Tests that have a golden."),
	RG_KEY_AS("goldens", golden_count, "Goldens."),
	{0}};
const rg_json_field rg_manifest_fields[] = {
	RG_KEY_OR_NULL(source, "The kind of source: 'github', 'gitlab', 'folder', 'archive'."),
	RG_KEY_OR_NULL(host, "The host: 'github.com'."),
	RG_KEY_OR_NULL(repository,
		       "OWNER/NAME; on GitLab GROUP/SUBGROUP/PROJECT, or a project's number."),
	RG_KEY_PART("run", run_fields, ALWAYS, false, "The run."),
	RG_KEY_TEXTS("paths", paths.items, paths.count, OPTIONAL,
		     "Where goldens were found that are of no run, as they were named."),
	RG_KEY_PART("among", among_fields, OPTIONAL, false,
		    "Of several runs that were fetched, this one was chosen; else missing."),
	RG_KEY_WORD("scope", only_failing, scopes, "Which jobs counted."),
	RG_KEY_OPTIONAL(job, "The name of the one job that was asked for; without it, all were."),
	RG_KEY(root, "regild.root as it was; '' is the repository's top."),
	RG_KEY_OF("bytes_moved", RG_JSON_WHOLE, bytes_moved, RG_JSON_ALWAYS,
		  "Bytes that went over the wire."),
	RG_KEY_OF("bytes_total", RG_JSON_WHOLE, bytes_total, RG_JSON_ALWAYS,
		  "The size of the artifacts in the scope."),
	RG_KEY_LIST("jobs", jobs, job_count, job_fields, "The jobs, by number."),
	RG_KEY_LIST("artifacts", artifacts, artifact_count, artifact_fields,
		    "The artifacts, by number."),
	RG_KEY_LIST("goldens", goldens, golden_count, golden_fields,
		    "The staged goldens, in path order."),
	RG_KEY_PART("counts", count_fields, ALWAYS, true, "How much there is; always last."),
	{0}};
#undef OF

/* --- writing --- */

static void put_rewrite(rg_json_out *json, const void *from, const void *context)
{
	const rg_manifest_golden *golden = from;
	if (!golden->rewrite)
		return;
	rg_json_key_open(json, "rewrite", '{');
	rg_json_put_fields(json, rewrite_fields, golden, context);
	rg_json_close(json, '}');
}

rg_error *rg_manifest_write(const rg_manifest *m, rg_buf *out)
{
	size_t tests = rg_manifest_tests(m);
	return rg_json_write(out, schema, rg_manifest_fields, m, &tests);
}

/* --- reading --- */

/* Reads a list of objects into an array that is empty. */
static rg_error *get_list(const rg_json_in *in, const char *key, const rg_json_field *fields,
			  void *array, size_t *count, size_t *capacity, size_t size)
{
	const cJSON *list, *item;
	size_t all;

	RG_TRY(rg_json_get_objects(in, in->root, key, &list, &all));
	rg_grow(array, capacity, all, size);
	char *const *items = array;
	cJSON_ArrayForEach(item, list)
	{
		RG_TRY(rg_json_get_fields(in, item, fields, *items + (*count)++ * size));
	}
	return NULL;
}

RG_ORDER(compare_targets, rg_manifest_golden, RG_BY_PATH(target));

static rg_error *get_goldens(rg_manifest *m, const rg_json_in *in)
{
	const cJSON *item, *rewrite;
	rg_manifest_golden *golden;

	RG_TRY(get_list(in, "goldens", golden_fields, &m->goldens, &m->golden_count,
			&m->golden_capacity, sizeof(*m->goldens)));
	golden = m->goldens;
	cJSON_ArrayForEach(item, rg_json_member(in->root, "goldens"))
	{
		if (rg_json_member(item, "rewrite")) {
			golden->rewrite = true;
			RG_TRY(rg_json_get_object(in, item, "rewrite", &rewrite));
			RG_TRY(rg_json_get_count(in, rewrite, "round", RG_TABLE_DIGITS_MAX,
						 &golden->digits));
		}
		golden++;
	}
	if (m->golden_count)
		qsort(m->goldens, m->golden_count, sizeof(*m->goldens), compare_targets);
	for (size_t i = 1; i < m->golden_count; i++)
		if (!strcmp(m->goldens[i - 1].target, m->goldens[i].target))
			return rg_error_new(RG_E_PARSE, "two goldens have the target '%s'",
					    m->goldens[i].target);
	return NULL;
}

static rg_error *get_texts(rg_manifest *m, const cJSON *object, const char *name, rg_texts *out)
{
	const cJSON *list = rg_json_member(object, name), *item;
	if (list && !cJSON_IsArray(list))
		return rg_error_new(RG_E_PARSE, "'%s' is not a list", name);
	cJSON_ArrayForEach(item, list)
	{
		const char *text = cJSON_GetStringValue(item);
		if (!text)
			return rg_error_new(RG_E_PARSE, "'%s' has what is not a text", name);
		rg_manifest_add_text(m, out, text);
	}
	return NULL;
}

static rg_error *get_among(rg_manifest *m, const rg_json_in *in)
{
	const cJSON *among;
	size_t take;

	if (!rg_json_member(in->root, "among"))
		return NULL;
	RG_TRY(rg_json_get_object(in, in->root, "among", &among));
	RG_TRY(rg_json_get_word(in, among, "take", rg_manifest_takes, RG_TAKES, &take));
	m->take = rg_manifest_takes[take];
	RG_TRY(get_texts(m, among, "runs", &m->among));
	return get_texts(m, among, "missing", &m->missed);
}

static rg_error *get_document(rg_manifest *m, const cJSON *root)
{
	const rg_json_in in = {root, &m->arena};
	const cJSON *run;

	RG_TRY(rg_json_get_head(&in, schema));
	RG_TRY(rg_json_get_fields(&in, root, rg_manifest_fields, m));
	RG_TRY(rg_json_get_object(&in, root, "run", &run));
	RG_TRY(rg_json_get_fields(&in, run, run_fields, m));
	if (m->attempt > RG_ATTEMPT_MAX)
		return rg_json_wrong(&in, run, "attempt", "is not an attempt");
	RG_TRY(get_texts(m, root, "paths", &m->paths));
	RG_TRY(get_among(m, &in));
	/* "" is the repository's top. */
	if (*m->root)
		RG_TRY(rg_json_get_path(&in, root, "root", &m->root));
	RG_TRY(get_list(&in, "jobs", job_fields, &m->jobs, &m->job_count, &m->job_capacity,
			sizeof(*m->jobs)));
	RG_TRY(get_list(&in, "artifacts", artifact_fields, &m->artifacts, &m->artifact_count,
			&m->artifact_capacity, sizeof(*m->artifacts)));
	return get_goldens(m, &in);
}

rg_error *rg_manifest_parse(rg_manifest *out, const char *text, size_t length)
{
	RG_AUTO_PTR(cJSON) root = NULL;
	RG_TRY(rg_json_parse_document(&root, text, length, schema));
	return get_document(out, root);
}

rg_error *rg_manifest_save(const rg_manifest *manifest, const char *dir)
{
	RG_AUTO_FREE char *path = rg_path_join(dir, "manifest.json");
	RG_AUTO(rg_buf) text = rg_buf_of(MANIFEST_MAX);
	RG_TRY(rg_manifest_write(manifest, &text));
	return rg_file_replace(path, text.data, text.length, 0666);
}

rg_error *rg_manifest_load(rg_manifest *out, const char *dir)
{
	RG_AUTO_FREE char *path = rg_path_join(dir, "manifest.json");
	RG_AUTO(rg_buf) text = rg_buf_of(MANIFEST_MAX);
	RG_TRY(rg_file_read_regular(&text, path));
	return rg_error_wrap(rg_manifest_parse(out, text.data, text.length), "%s", path);
}
