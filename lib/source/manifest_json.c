/* SPDX-License-Identifier: Apache-2.0 */
#include "source/manifest.h"

#include "base/memory.h"
#include "base/file.h"
#include "base/json.h"
#include "base/path.h"
#include "golden/table_round.h"

#include <stdlib.h>
#include <string.h>

/* A run of thousands of jobs needs a few MiB. */
enum { MANIFEST_MAX = 64 << 20 };

static const char schema[] = "regild-manifest";
static const char *const scopes[] = {"all", "only-failing"};

static const rg_json_field head_fields[] = {RG_JSON_FIELD(rg_manifest, source),
					    RG_JSON_FIELD(rg_manifest, host),
					    RG_JSON_FIELD(rg_manifest, repository),
					    {0}};
static const rg_json_field run_fields[] = {
	RG_JSON_FIELD_AS("id", rg_manifest, run_id),
	RG_JSON_FIELD(rg_manifest, head_commit),
	RG_JSON_FIELD(rg_manifest, head_repository),
	RG_JSON_FIELD(rg_manifest, branch),
	RG_JSON_FIELD(rg_manifest, event),
	RG_JSON_FIELD(rg_manifest, workflow),
	RG_JSON_FIELD(rg_manifest, status),
	RG_JSON_FIELD(rg_manifest, conclusion),
	RG_JSON_FIELD(rg_manifest, created_at),
	RG_JSON_FIELD(rg_manifest, url),
	{0},
};
static const rg_json_field size_fields[] = {
	RG_JSON_FIELD(rg_manifest, bytes_moved), RG_JSON_FIELD(rg_manifest, bytes_total), {0}};
static const rg_json_field job_fields[] = {
	RG_JSON_FIELD(rg_manifest_job, id),    RG_JSON_FIELD_TEXT(rg_manifest_job, name),
	RG_JSON_FIELD(rg_manifest_job, stage), RG_JSON_FIELD(rg_manifest_job, test),
	RG_JSON_FIELD(rg_manifest_job, tag),   RG_JSON_FIELD(rg_manifest_job, conclusion),
	RG_JSON_FIELD(rg_manifest_job, why),   {0},
};
static const rg_json_field artifact_fields[] = {
	RG_JSON_FIELD(rg_manifest_artifact, id),
	RG_JSON_FIELD_TEXT(rg_manifest_artifact, name),
	RG_JSON_FIELD(rg_manifest_artifact, size),
	RG_JSON_FIELD(rg_manifest_artifact, digest),
	RG_JSON_FIELD(rg_manifest_artifact, created_at),
	RG_JSON_FIELD(rg_manifest_artifact, job_id),
	RG_JSON_FIELD(rg_manifest_artifact, why),
	RG_JSON_FIELD(rg_manifest_artifact, check),
	{0},
};
static const rg_json_field golden_fields[] = {
	RG_JSON_FIELD_PATH(rg_manifest_golden, stage),
	RG_JSON_FIELD_PATH(rg_manifest_golden, test),
	RG_JSON_FIELD_PATH(rg_manifest_golden, file),
	RG_JSON_FIELD_PATH(rg_manifest_golden, target),
	RG_JSON_FIELD(rg_manifest_golden, size),
	RG_JSON_FIELD(rg_manifest_golden, sha256),
	RG_JSON_FIELD(rg_manifest_golden, artifact_id),
	RG_JSON_FIELD(rg_manifest_golden, digest),
	RG_JSON_FIELD(rg_manifest_golden, allowed),
	{0},
};

/* --- writing --- */

static void put_lists(rg_json_out *json, const rg_manifest *m)
{
	rg_json_key_open(json, "jobs", '[');
	for (size_t i = 0; i < m->job_count; i++) {
		rg_json_open_flat(json, '{');
		rg_json_key_fields(json, job_fields, &m->jobs[i]);
		rg_json_key_text(json, "outcome", rg_outcome_text(m->jobs[i].outcome));
		rg_json_close(json, '}');
	}
	rg_json_close(json, ']');
	rg_json_key_open(json, "artifacts", '[');
	for (size_t i = 0; i < m->artifact_count; i++) {
		rg_json_open_flat(json, '{');
		rg_json_key_fields(json, artifact_fields, &m->artifacts[i]);
		rg_json_key_text(json, "outcome", rg_outcome_text(m->artifacts[i].outcome));
		rg_json_close(json, '}');
	}
	rg_json_close(json, ']');
	rg_json_key_open(json, "goldens", '[');
	for (size_t i = 0; i < m->golden_count; i++) {
		rg_json_open_flat(json, '{');
		rg_json_key_fields(json, golden_fields, &m->goldens[i]);
		if (m->goldens[i].rewrite) {
			rg_json_key_open(json, "rewrite", '{');
			rg_json_key_count(json, "round", m->goldens[i].digits);
			rg_json_close(json, '}');
		}
		rg_json_close(json, '}');
	}
	rg_json_close(json, ']');
}

static void put_among(rg_json_out *json, const rg_manifest *m)
{
	if (!m->take)
		return;
	rg_json_key_open(json, "among", '{');
	rg_json_key_text(json, "take", m->take);
	rg_json_key_texts(json, "runs", m->among.items, m->among.count);
	rg_json_key_texts(json, "missing", m->missed.items, m->missed.count);
	rg_json_close(json, '}');
}

rg_error *rg_manifest_write(const rg_manifest *m, rg_buf *out)
{
	rg_json_out json;
	size_t tests;

	rg_manifest_tests(m, &tests);
	rg_json_document(&json, out, schema);
	rg_json_key_fields(&json, head_fields, m);
	rg_json_key_open(&json, "run", '{');
	rg_json_key_fields(&json, run_fields, m);
	rg_json_key_truth(&json, "fork", m->fork);
	rg_json_key_count(&json, "attempt", m->attempt);
	rg_json_close(&json, '}');
	if (m->paths.count)
		rg_json_key_texts(&json, "paths", m->paths.items, m->paths.count);
	put_among(&json, m);
	rg_json_key_text(&json, "scope", scopes[m->only_failing]);
	if (m->job)
		rg_json_key_text(&json, "job", m->job);
	rg_json_key_text(&json, "root", m->root);
	rg_json_key_fields(&json, size_fields, m);
	put_lists(&json, m);
	rg_json_key_open_flat(&json, "counts", '{');
	rg_json_key_count(&json, "tests with goldens", tests);
	rg_json_key_count(&json, "goldens", m->golden_count);
	rg_json_close(&json, '}');
	rg_json_close(&json, '}');
	return rg_buf_check(out, "manifest");
}

/* --- reading --- */

static rg_error *get_outcome(const rg_json_in *in, const cJSON *object, rg_outcome *out)
{
	const char *text = cJSON_GetStringValue(rg_json_member(object, "outcome"));
	return text && rg_outcome_parse(text, out)
		       ? NULL
		       : rg_json_wrong(in, object, "outcome", "is not an outcome");
}

static rg_error *get_jobs(rg_manifest *m, const rg_json_in *in)
{
	const cJSON *list, *item;
	size_t count;

	RG_TRY(rg_json_get_objects(in, in->root, "jobs", &list, &count));
	rg_grow(&m->jobs, &m->job_capacity, count, sizeof(*m->jobs));
	cJSON_ArrayForEach(item, list)
	{
		rg_manifest_job *job = &m->jobs[m->job_count++];
		RG_TRY(rg_json_get_fields(in, item, job_fields, job));
		RG_TRY(get_outcome(in, item, &job->outcome));
	}
	return NULL;
}

static rg_error *get_artifacts(rg_manifest *m, const rg_json_in *in)
{
	const cJSON *list, *item;
	size_t count;

	RG_TRY(rg_json_get_objects(in, in->root, "artifacts", &list, &count));
	rg_grow(&m->artifacts, &m->artifact_capacity, count, sizeof(*m->artifacts));
	cJSON_ArrayForEach(item, list)
	{
		rg_manifest_artifact *artifact = &m->artifacts[m->artifact_count++];
		RG_TRY(rg_json_get_fields(in, item, artifact_fields, artifact));
		RG_TRY(get_outcome(in, item, &artifact->outcome));
	}
	return NULL;
}

static rg_error *get_rewrite(const rg_json_in *in, const cJSON *object, rg_manifest_golden *golden)
{
	const cJSON *rewrite;
	if (!rg_json_member(object, "rewrite"))
		return NULL;
	golden->rewrite = true;
	RG_TRY(rg_json_get_object(in, object, "rewrite", &rewrite));
	return rg_json_get_count(in, rewrite, "round", RG_TABLE_DIGITS_MAX, &golden->digits);
}

static int compare_targets(const void *a, const void *b)
{
	const rg_manifest_golden *left = a, *right = b;
	return rg_path_compare(left->target, right->target);
}

static rg_error *get_goldens(rg_manifest *m, const rg_json_in *in)
{
	const cJSON *list, *item;
	size_t count;

	RG_TRY(rg_json_get_objects(in, in->root, "goldens", &list, &count));
	rg_grow(&m->goldens, &m->golden_capacity, count, sizeof(*m->goldens));
	cJSON_ArrayForEach(item, list)
	{
		rg_manifest_golden *golden = &m->goldens[m->golden_count++];
		RG_TRY(rg_json_get_fields(in, item, golden_fields, golden));
		RG_TRY(get_rewrite(in, item, golden));
	}
	if (m->golden_count)
		qsort(m->goldens, m->golden_count, sizeof(*m->goldens), compare_targets);
	for (size_t i = 1; i < m->golden_count; i++)
		if (!strcmp(m->goldens[i - 1].target, m->goldens[i].target))
			return rg_error_new(RG_E_PARSE, "two goldens have the target '%s'",
					    m->goldens[i].target);
	return NULL;
}

static rg_error *get_run(rg_manifest *m, const rg_json_in *in)
{
	const cJSON *run;
	uint64_t attempt;

	RG_TRY(rg_json_get_object(in, in->root, "run", &run));
	RG_TRY(rg_json_get_fields(in, run, run_fields, m));
	RG_TRY(rg_json_get_count(in, run, "attempt", RG_ATTEMPT_MAX, &attempt));
	m->attempt = (unsigned)attempt;
	/* What was downloaded before forks were told does not say it. */
	return rg_json_member(run, "fork") ? rg_json_get_truth(in, run, "fork", &m->fork) : NULL;
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

/* "" is the repository's top. */
static rg_error *get_root(rg_manifest *m, const rg_json_in *in)
{
	RG_TRY(rg_json_get_text(in, in->root, "root", &m->root));
	return *m->root ? rg_json_get_path(in, in->root, "root", &m->root) : NULL;
}

static rg_error *get_document(rg_manifest *m, const cJSON *root)
{
	const rg_json_in in = {root, &m->arena};
	size_t scope;

	RG_TRY(rg_json_get_head(&in, schema));
	RG_TRY(rg_json_get_fields(&in, root, head_fields, m));
	RG_TRY(get_run(m, &in));
	RG_TRY(get_texts(m, root, "paths", &m->paths));
	RG_TRY(get_among(m, &in));
	RG_TRY(rg_json_get_word(&in, root, "scope", scopes, 2, &scope));
	m->only_failing = scope == 1;
	RG_TRY(rg_json_get_optional(&in, root, "job", &m->job));
	RG_TRY(get_root(m, &in));
	RG_TRY(rg_json_get_fields(&in, root, size_fields, m));
	RG_TRY(get_jobs(m, &in));
	RG_TRY(get_artifacts(m, &in));
	return get_goldens(m, &in);
}

rg_error *rg_manifest_parse(rg_manifest *out, const char *text, size_t length)
{
	cJSON *root;
	RG_TRY(rg_json_parse_document(&root, text, length, schema));
	rg_error *err = get_document(out, root);
	cJSON_Delete(root);
	return err;
}

rg_error *rg_manifest_save(const rg_manifest *manifest, const char *dir)
{
	char *path;
	rg_buf text;

	rg_path_join(&path, dir, "manifest.json");
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

	rg_path_join(&path, dir, "manifest.json");
	rg_buf_init(&text, MANIFEST_MAX);
	rg_error *err = rg_file_read_regular(&text, path);
	if (!err)
		err = rg_error_wrap(rg_manifest_parse(out, text.data, text.length), "%s", path);
	rg_buf_release(&text);
	free(path);
	return err;
}
