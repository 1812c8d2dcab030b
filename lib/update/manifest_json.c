#include "update/manifest.h"

#include "base/file.h"
#include "update/guard.h"
#include "update/document.h"
#include "worktree/worktree.h"

#include <stdlib.h>
#include <string.h>

enum { SCHEMA_VERSION = 1 };

static const char scope_failing[] = "only-failing", scope_all[] = "all";

static void put_run(rg_document_writer *w, cJSON *root, const rg_manifest *m)
{
	cJSON *run = rg_document_put_object(w, root, "run");

	rg_document_put_number(w, run, "id", m->run_id);
	rg_document_put_number(w, run, "attempt", m->attempt);
	rg_document_put_text(w, run, "head_commit", m->head_commit);
	rg_document_put_text(w, run, "branch", m->branch);
	rg_document_put_text(w, run, "event", m->event);
	rg_document_put_text(w, run, "workflow", m->workflow);
	rg_document_put_text(w, run, "status", m->status);
	rg_document_put_text(w, run, "conclusion", m->conclusion);
	rg_document_put_text(w, run, "created_at", m->created_at);
	rg_document_put_text(w, run, "url", m->url);
}

static void put_job(rg_document_writer *w, cJSON *array, const rg_manifest_job *job)
{
	cJSON *item = rg_document_put_item(w, array);

	rg_document_put_number(w, item, "id", job->id);
	rg_document_put_text(w, item, "name", job->name);
	rg_document_put_text(w, item, "stage", job->stage);
	rg_document_put_text(w, item, "test", job->test);
	rg_document_put_text(w, item, "tag", job->tag);
	rg_document_put_text(w, item, "conclusion", job->conclusion);
	rg_document_put_text(w, item, "outcome", rg_outcome_text(job->outcome));
	rg_document_put_text(w, item, "why", job->why);
}

static void put_artifact(rg_document_writer *w, cJSON *array, const rg_manifest_artifact *artifact)
{
	cJSON *item = rg_document_put_item(w, array);

	rg_document_put_number(w, item, "id", artifact->id);
	rg_document_put_text(w, item, "name", artifact->name);
	rg_document_put_number(w, item, "size", artifact->size);
	rg_document_put_text(w, item, "digest", artifact->digest);
	rg_document_put_text(w, item, "created_at", artifact->created_at);
	rg_document_put_number(w, item, "job_id", artifact->job_id);
	rg_document_put_text(w, item, "outcome", rg_outcome_text(artifact->outcome));
	rg_document_put_text(w, item, "why", artifact->why);
	rg_document_put_text(w, item, "check", artifact->check);
}

static void put_allowed(rg_document_writer *w, cJSON *item, unsigned allowed)
{
	cJSON *array = rg_document_put_array(w, item, "allowed");
	unsigned guard;

	for (guard = 1; guard & RG_GUARD_ALLOWABLE; guard <<= 1) {
		cJSON *name = allowed & guard ? cJSON_CreateString(rg_guard_name(guard)) : NULL;

		if (allowed & guard && !(name && cJSON_AddItemToArray(array, name))) {
			cJSON_Delete(name);
			rg_document_fail(w, rg_error_nomem());
		}
	}
}

static void put_golden(rg_document_writer *w, cJSON *array, const rg_manifest_golden *golden)
{
	cJSON *item = rg_document_put_item(w, array);

	rg_document_put_text(w, item, "stage", golden->stage);
	rg_document_put_text(w, item, "test", golden->test);
	rg_document_put_text(w, item, "file", golden->file);
	rg_document_put_text(w, item, "target", golden->target);
	rg_document_put_number(w, item, "size", golden->size);
	rg_document_put_text(w, item, "sha256", golden->sha256);
	rg_document_put_number(w, item, "artifact_id", golden->artifact_id);
	rg_document_put_text(w, item, "digest", golden->digest);
	if (golden->allowed)
		put_allowed(w, item, golden->allowed);
}

static void put_lists(rg_document_writer *w, cJSON *root, const rg_manifest *m)
{
	cJSON *array;
	size_t i;

	array = rg_document_put_array(w, root, "jobs");
	for (i = 0; i < m->job_count && !w->err; i++)
		put_job(w, array, &m->jobs[i]);
	array = rg_document_put_array(w, root, "artifacts");
	for (i = 0; i < m->artifact_count && !w->err; i++)
		put_artifact(w, array, &m->artifacts[i]);
	array = rg_document_put_array(w, root, "goldens");
	for (i = 0; i < m->golden_count && !w->err; i++)
		put_golden(w, array, &m->goldens[i]);
}

rg_error *rg_manifest_write(const rg_manifest *m, rg_buf *out)
{
	rg_document_writer w = {NULL};
	cJSON *root = cJSON_CreateObject(), *counts;
	size_t tests;

	rg_document_put_number(&w, root, "version", SCHEMA_VERSION);
	rg_document_put_text(&w, root, "source", m->source);
	rg_document_put_text(&w, root, "host", m->host);
	rg_document_put_text(&w, root, "repository", m->repository);
	put_run(&w, root, m);
	rg_document_put_text(&w, root, "scope", m->only_failing ? scope_failing : scope_all);
	rg_document_put_text(&w, root, "root", m->root);
	rg_document_put_number(&w, root, "bytes_moved", m->bytes_moved);
	rg_document_put_number(&w, root, "bytes_total", m->bytes_total);
	put_lists(&w, root, m);
	rg_document_fail(&w, rg_manifest_tests(m, &tests));
	counts = rg_document_put_object(&w, root, "counts");
	rg_document_put_number(&w, counts, "tests with goldens", tests);
	rg_document_put_number(&w, counts, "goldens", m->golden_count);
	return rg_document_finish(&w, root, out, "manifest");
}

static rg_error *get_outcome(const cJSON *object, rg_outcome *out)
{
	const char *text =
		cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, "outcome"));

	return text && rg_outcome_parse(text, out)
		       ? NULL
		       : rg_document_wrong("outcome", "is not a known one");
}

static rg_error *get_job(rg_manifest *m, const cJSON *item, rg_manifest_job *job)
{
	RG_TRY(rg_document_get_number(item, "id", RG_DOCUMENT_NUMBER_MAX, &job->id));
	RG_TRY(rg_document_get_text(&m->arena, item, "name", true, &job->name));
	RG_TRY(rg_document_get_text(&m->arena, item, "stage", false, &job->stage));
	RG_TRY(rg_document_get_text(&m->arena, item, "test", false, &job->test));
	RG_TRY(rg_document_get_text(&m->arena, item, "tag", false, &job->tag));
	RG_TRY(rg_document_get_text(&m->arena, item, "conclusion", false, &job->conclusion));
	RG_TRY(get_outcome(item, &job->outcome));
	return rg_document_get_text(&m->arena, item, "why", false, &job->why);
}

static rg_error *get_artifact(rg_manifest *m, const cJSON *item, rg_manifest_artifact *artifact)
{
	RG_TRY(rg_document_get_number(item, "id", RG_DOCUMENT_NUMBER_MAX, &artifact->id));
	RG_TRY(rg_document_get_text(&m->arena, item, "name", true, &artifact->name));
	RG_TRY(rg_document_get_number(item, "size", RG_DOCUMENT_NUMBER_MAX, &artifact->size));
	RG_TRY(rg_document_get_text(&m->arena, item, "digest", false, &artifact->digest));
	RG_TRY(rg_document_get_text(&m->arena, item, "created_at", false, &artifact->created_at));
	RG_TRY(rg_document_get_number(item, "job_id", RG_DOCUMENT_NUMBER_MAX, &artifact->job_id));
	RG_TRY(get_outcome(item, &artifact->outcome));
	RG_TRY(rg_document_get_text(&m->arena, item, "why", false, &artifact->why));
	return rg_document_get_text(&m->arena, item, "check", false, &artifact->check);
}

static rg_error *get_allowed(const cJSON *item, unsigned *out)
{
	const cJSON *array = cJSON_GetObjectItemCaseSensitive(item, "allowed"), *name;

	if (array && !cJSON_IsArray(array))
		return rg_document_wrong("allowed", "is not a list");
	cJSON_ArrayForEach(name, array)
	{
		unsigned guard = cJSON_IsString(name) ? rg_guard_parse(name->valuestring) : 0;

		if (!guard)
			return rg_document_wrong("allowed", "names an unknown guard");
		*out |= guard;
	}
	return NULL;
}

static rg_error *get_golden(rg_manifest *m, const cJSON *item, rg_manifest_golden *golden)
{
	RG_TRY(rg_document_get_path(&m->arena, item, "stage", &golden->stage));
	RG_TRY(rg_document_get_path(&m->arena, item, "test", &golden->test));
	RG_TRY(rg_document_get_path(&m->arena, item, "file", &golden->file));
	RG_TRY(rg_document_get_path(&m->arena, item, "target", &golden->target));
	RG_TRY(rg_document_get_number(item, "size", RG_DOCUMENT_NUMBER_MAX, &golden->size));
	RG_TRY(rg_document_get_sha256(item, "sha256", golden->sha256));
	RG_TRY(rg_document_get_number(item, "artifact_id", RG_DOCUMENT_NUMBER_MAX,
				      &golden->artifact_id));
	RG_TRY(rg_document_get_text(&m->arena, item, "digest", false, &golden->digest));
	return get_allowed(item, &golden->allowed);
}

static rg_error *get_jobs(rg_manifest *m, const cJSON *root)
{
	const cJSON *array, *item;
	size_t count;

	RG_TRY(rg_document_get_array(root, "jobs", &array, &count));
	RG_TRY(rg_grow(&m->jobs, &m->job_capacity, count, sizeof(*m->jobs)));
	cJSON_ArrayForEach(item, array)
	{
		RG_TRY(rg_error_wrap(get_job(m, item, &m->jobs[m->job_count]), "job %zu",
				     m->job_count));
		m->job_count++;
	}
	return NULL;
}

static rg_error *get_artifacts(rg_manifest *m, const cJSON *root)
{
	const cJSON *array, *item;
	size_t count;

	RG_TRY(rg_document_get_array(root, "artifacts", &array, &count));
	RG_TRY(rg_grow(&m->artifacts, &m->artifact_capacity, count, sizeof(*m->artifacts)));
	cJSON_ArrayForEach(item, array)
	{
		RG_TRY(rg_error_wrap(get_artifact(m, item, &m->artifacts[m->artifact_count]),
				     "artifact %zu", m->artifact_count));
		m->artifact_count++;
	}
	return NULL;
}

static int compare_targets(const void *a, const void *b)
{
	const rg_manifest_golden *left = a, *right = b;

	return rg_path_compare(left->target, right->target);
}

static rg_error *get_goldens(rg_manifest *m, const cJSON *root)
{
	const cJSON *array, *item;
	size_t count, i;

	RG_TRY(rg_document_get_array(root, "goldens", &array, &count));
	RG_TRY(rg_grow(&m->goldens, &m->golden_capacity, count, sizeof(*m->goldens)));
	cJSON_ArrayForEach(item, array)
	{
		RG_TRY(rg_error_wrap(get_golden(m, item, &m->goldens[m->golden_count]),
				     "golden %zu", m->golden_count));
		m->golden_count++;
	}
	if (m->golden_count)
		qsort(m->goldens, m->golden_count, sizeof(*m->goldens), compare_targets);
	for (i = 1; i < m->golden_count; i++)
		if (!strcmp(m->goldens[i - 1].target, m->goldens[i].target))
			return rg_error_new(RG_E_PARSE, "two goldens have the target '%s'",
					    m->goldens[i].target);
	return NULL;
}

static rg_error *get_run(rg_manifest *m, const cJSON *root)
{
	const cJSON *run = cJSON_GetObjectItemCaseSensitive(root, "run");
	uint64_t attempt;

	if (!cJSON_IsObject(run))
		return rg_document_wrong("run", "is not an object");
	RG_TRY(rg_document_get_number(run, "id", RG_DOCUMENT_NUMBER_MAX, &m->run_id));
	RG_TRY(rg_document_get_number(run, "attempt", RG_ATTEMPT_MAX, &attempt));
	m->attempt = (unsigned)attempt;
	RG_TRY(rg_document_get_text(&m->arena, run, "head_commit", false, &m->head_commit));
	RG_TRY(rg_document_get_text(&m->arena, run, "branch", false, &m->branch));
	RG_TRY(rg_document_get_text(&m->arena, run, "event", false, &m->event));
	RG_TRY(rg_document_get_text(&m->arena, run, "workflow", false, &m->workflow));
	RG_TRY(rg_document_get_text(&m->arena, run, "status", false, &m->status));
	RG_TRY(rg_document_get_text(&m->arena, run, "conclusion", false, &m->conclusion));
	RG_TRY(rg_document_get_text(&m->arena, run, "created_at", false, &m->created_at));
	return rg_document_get_text(&m->arena, run, "url", false, &m->url);
}

static rg_error *get_scope(rg_manifest *m, const cJSON *root)
{
	const char *scope;

	RG_TRY(rg_document_get_text(&m->arena, root, "scope", true, &scope));
	m->only_failing = !strcmp(scope, scope_failing);
	if (!m->only_failing && strcmp(scope, scope_all))
		return rg_document_wrong("scope", "is neither 'only-failing' nor 'all'");
	return NULL;
}

/* "" is the repository's top. */
static rg_error *get_root(rg_manifest *m, const cJSON *root)
{
	RG_TRY(rg_document_get_text(&m->arena, root, "root", true, &m->root));
	return *m->root ? rg_error_wrap(rg_path_check(m->root), "'root'") : NULL;
}

static rg_error *check_counts(const rg_manifest *m, const cJSON *root)
{
	const cJSON *counts = cJSON_GetObjectItemCaseSensitive(root, "counts");
	uint64_t tests, goldens;
	size_t real_tests;

	RG_TRY(rg_document_get_number(counts, "tests with goldens", RG_DOCUMENT_ITEMS_MAX, &tests));
	RG_TRY(rg_document_get_number(counts, "goldens", RG_DOCUMENT_ITEMS_MAX, &goldens));
	RG_TRY(rg_manifest_tests(m, &real_tests));
	if (tests != real_tests || goldens != m->golden_count)
		return rg_document_wrong("counts", "does not fit the goldens that are listed");
	return NULL;
}

static rg_error *get_document(rg_manifest *m, const cJSON *root)
{
	uint64_t version;

	RG_TRY(rg_document_get_number(root, "version", RG_DOCUMENT_NUMBER_MAX, &version));
	if (version != SCHEMA_VERSION)
		return rg_error_new(RG_E_PARSE, "version %llu, but this regild reads version %d",
				    (unsigned long long)version, SCHEMA_VERSION);
	RG_TRY(rg_document_get_text(&m->arena, root, "source", false, &m->source));
	RG_TRY(rg_document_get_text(&m->arena, root, "host", false, &m->host));
	RG_TRY(rg_document_get_text(&m->arena, root, "repository", false, &m->repository));
	RG_TRY(get_run(m, root));
	RG_TRY(get_scope(m, root));
	RG_TRY(get_root(m, root));
	RG_TRY(rg_document_get_number(root, "bytes_moved", RG_DOCUMENT_NUMBER_MAX,
				      &m->bytes_moved));
	RG_TRY(rg_document_get_number(root, "bytes_total", RG_DOCUMENT_NUMBER_MAX,
				      &m->bytes_total));
	RG_TRY(get_jobs(m, root));
	RG_TRY(get_artifacts(m, root));
	RG_TRY(get_goldens(m, root));
	return check_counts(m, root);
}

rg_error *rg_manifest_parse(rg_manifest *out, const char *text, size_t length)
{
	rg_error *err;
	cJSON *root;

	RG_TRY(rg_document_parse(&root, text, length));
	err = get_document(out, root);
	cJSON_Delete(root);
	return err;
}
