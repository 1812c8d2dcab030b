#include "update/manifest.h"

#include "base/digest.h"
#include "base/file.h"
#include "update/guard.h"
#include "worktree/worktree.h"

#include <cJSON.h>
#include <stdlib.h>
#include <string.h>

enum { SCHEMA_VERSION = 1, ITEMS_MAX = 1000000 };
/* What a double holds exactly. */
#define NUMBER_MAX ((uint64_t)1 << 53)

static const char scope_failing[] = "only-failing", scope_all[] = "all";

/* Writing: the first failure sticks, and is asked for once at the end. */
typedef struct {
	rg_error *err;
} writer;

static void write_fails(writer *w, rg_error *err)
{
	w->err = rg_error_first(w->err, err);
}

/* A NULL text is written as null. */
static void put_text(writer *w, cJSON *object, const char *key, const char *text)
{
	if (!(text ? cJSON_AddStringToObject(object, key, text)
		   : cJSON_AddNullToObject(object, key)))
		write_fails(w, rg_error_nomem());
}

static void put_number(writer *w, cJSON *object, const char *key, uint64_t number)
{
	if (number > NUMBER_MAX)
		write_fails(w, rg_error_new(RG_E_LIMIT, "%s: %llu is over 2^53", key,
					    (unsigned long long)number));
	else if (!cJSON_AddNumberToObject(object, key, (double)number))
		write_fails(w, rg_error_nomem());
}

/* cJSON ignores NULL containers, so that what follows a failure is harmless. */
static cJSON *put_object(writer *w, cJSON *parent, const char *key)
{
	cJSON *object = cJSON_AddObjectToObject(parent, key);

	if (!object)
		write_fails(w, rg_error_nomem());
	return object;
}

static cJSON *put_array(writer *w, cJSON *parent, const char *key)
{
	cJSON *array = cJSON_AddArrayToObject(parent, key);

	if (!array)
		write_fails(w, rg_error_nomem());
	return array;
}

static cJSON *put_item(writer *w, cJSON *array)
{
	cJSON *item = cJSON_CreateObject();

	if (!item || !cJSON_AddItemToArray(array, item)) {
		cJSON_Delete(item);
		write_fails(w, rg_error_nomem());
		return NULL;
	}
	return item;
}

static void put_run(writer *w, cJSON *root, const rg_manifest *m)
{
	cJSON *run = put_object(w, root, "run");

	put_number(w, run, "id", m->run_id);
	put_number(w, run, "attempt", m->attempt);
	put_text(w, run, "head_commit", m->head_commit);
	put_text(w, run, "branch", m->branch);
	put_text(w, run, "event", m->event);
	put_text(w, run, "workflow", m->workflow);
	put_text(w, run, "status", m->status);
	put_text(w, run, "conclusion", m->conclusion);
	put_text(w, run, "created_at", m->created_at);
	put_text(w, run, "url", m->url);
}

static void put_job(writer *w, cJSON *array, const rg_manifest_job *job)
{
	cJSON *item = put_item(w, array);

	put_number(w, item, "id", job->id);
	put_text(w, item, "name", job->name);
	put_text(w, item, "stage", job->stage);
	put_text(w, item, "test", job->test);
	put_text(w, item, "tag", job->tag);
	put_text(w, item, "conclusion", job->conclusion);
	put_text(w, item, "outcome", rg_outcome_text(job->outcome));
	put_text(w, item, "why", job->why);
}

static void put_artifact(writer *w, cJSON *array, const rg_manifest_artifact *artifact)
{
	cJSON *item = put_item(w, array);

	put_number(w, item, "id", artifact->id);
	put_text(w, item, "name", artifact->name);
	put_number(w, item, "size", artifact->size);
	put_text(w, item, "digest", artifact->digest);
	put_text(w, item, "created_at", artifact->created_at);
	put_number(w, item, "job_id", artifact->job_id);
	put_text(w, item, "outcome", rg_outcome_text(artifact->outcome));
	put_text(w, item, "why", artifact->why);
	put_text(w, item, "check", artifact->check);
}

static void put_allowed(writer *w, cJSON *item, unsigned allowed)
{
	cJSON *array = put_array(w, item, "allowed");
	unsigned guard;

	for (guard = 1; guard & RG_GUARD_ALLOWABLE; guard <<= 1) {
		cJSON *name = allowed & guard ? cJSON_CreateString(rg_guard_name(guard)) : NULL;

		if (allowed & guard && !(name && cJSON_AddItemToArray(array, name))) {
			cJSON_Delete(name);
			write_fails(w, rg_error_nomem());
		}
	}
}

static void put_golden(writer *w, cJSON *array, const rg_manifest_golden *golden)
{
	cJSON *item = put_item(w, array);

	put_text(w, item, "stage", golden->stage);
	put_text(w, item, "test", golden->test);
	put_text(w, item, "file", golden->file);
	put_text(w, item, "target", golden->target);
	put_number(w, item, "size", golden->size);
	put_text(w, item, "sha256", golden->sha256);
	put_number(w, item, "artifact_id", golden->artifact_id);
	put_text(w, item, "digest", golden->digest);
	if (golden->allowed)
		put_allowed(w, item, golden->allowed);
}

static void put_lists(writer *w, cJSON *root, const rg_manifest *m)
{
	cJSON *array;
	size_t i;

	array = put_array(w, root, "jobs");
	for (i = 0; i < m->job_count && !w->err; i++)
		put_job(w, array, &m->jobs[i]);
	array = put_array(w, root, "artifacts");
	for (i = 0; i < m->artifact_count && !w->err; i++)
		put_artifact(w, array, &m->artifacts[i]);
	array = put_array(w, root, "goldens");
	for (i = 0; i < m->golden_count && !w->err; i++)
		put_golden(w, array, &m->goldens[i]);
}

rg_error *rg_manifest_write(const rg_manifest *m, rg_buf *out)
{
	writer w = {NULL};
	cJSON *root = cJSON_CreateObject(), *counts;
	char *text = NULL;
	size_t tests;

	put_number(&w, root, "version", SCHEMA_VERSION);
	put_text(&w, root, "source", m->source);
	put_text(&w, root, "host", m->host);
	put_text(&w, root, "repository", m->repository);
	put_run(&w, root, m);
	put_text(&w, root, "scope", m->only_failing ? scope_failing : scope_all);
	put_text(&w, root, "root", m->root);
	put_number(&w, root, "bytes_moved", m->bytes_moved);
	put_number(&w, root, "bytes_total", m->bytes_total);
	put_lists(&w, root, m);
	write_fails(&w, rg_manifest_tests(m, &tests));
	counts = put_object(&w, root, "counts");
	put_number(&w, counts, "tests with goldens", tests);
	put_number(&w, counts, "goldens", m->golden_count);
	if (!w.err && !(text = cJSON_Print(root)))
		write_fails(&w, rg_error_nomem());
	if (!w.err) {
		rg_buf_str(out, text);
		rg_buf_char(out, '\n');
		write_fails(&w, rg_buf_check(out, "manifest"));
	}
	cJSON_free(text);
	cJSON_Delete(root);
	return w.err;
}

/* Reading. */

static rg_error *wrong(const char *key, const char *what)
{
	return rg_error_new(RG_E_PARSE, "'%s' %s", key, what);
}

/* A string into the arena; null and a missing key are NULL unless `required`. */
static rg_error *get_text(rg_manifest *m, const cJSON *object, const char *key, bool required,
			  const char **out)
{
	const cJSON *value = cJSON_GetObjectItemCaseSensitive(object, key);
	const char *text = cJSON_GetStringValue(value);

	*out = NULL;
	if (!text && (required || (value && !cJSON_IsNull(value))))
		return wrong(key, value ? "is not a string" : "is missing");
	if (!text)
		return NULL;
	*out = rg_arena_copy(&m->arena, text, strlen(text));
	return *out ? NULL : rg_error_nomem();
}

static rg_error *get_number(const cJSON *object, const char *key, uint64_t max, uint64_t *out)
{
	const cJSON *value = cJSON_GetObjectItemCaseSensitive(object, key);
	double number = value && cJSON_IsNumber(value) ? value->valuedouble : -1;

	if (!value)
		return wrong(key, "is missing");
	if (!(number >= 0 && number <= (double)max) || number != (double)(uint64_t)number)
		return wrong(key, "is no whole number in its range");
	*out = (uint64_t)number;
	return NULL;
}

static rg_error *get_path(rg_manifest *m, const cJSON *object, const char *key, const char **out)
{
	RG_TRY(get_text(m, object, key, true, out));
	return rg_error_wrap(rg_path_check(*out), "'%s'", key);
}

static rg_error *get_outcome(const cJSON *object, rg_outcome *out)
{
	const char *text =
		cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, "outcome"));

	return text && rg_outcome_parse(text, out) ? NULL : wrong("outcome", "is not a known one");
}

static rg_error *get_job(rg_manifest *m, const cJSON *item, rg_manifest_job *job)
{
	RG_TRY(get_number(item, "id", NUMBER_MAX, &job->id));
	RG_TRY(get_text(m, item, "name", true, &job->name));
	RG_TRY(get_text(m, item, "stage", false, &job->stage));
	RG_TRY(get_text(m, item, "test", false, &job->test));
	RG_TRY(get_text(m, item, "tag", false, &job->tag));
	RG_TRY(get_text(m, item, "conclusion", false, &job->conclusion));
	RG_TRY(get_outcome(item, &job->outcome));
	return get_text(m, item, "why", false, &job->why);
}

static rg_error *get_artifact(rg_manifest *m, const cJSON *item, rg_manifest_artifact *artifact)
{
	RG_TRY(get_number(item, "id", NUMBER_MAX, &artifact->id));
	RG_TRY(get_text(m, item, "name", true, &artifact->name));
	RG_TRY(get_number(item, "size", NUMBER_MAX, &artifact->size));
	RG_TRY(get_text(m, item, "digest", false, &artifact->digest));
	RG_TRY(get_text(m, item, "created_at", false, &artifact->created_at));
	RG_TRY(get_number(item, "job_id", NUMBER_MAX, &artifact->job_id));
	RG_TRY(get_outcome(item, &artifact->outcome));
	RG_TRY(get_text(m, item, "why", false, &artifact->why));
	return get_text(m, item, "check", false, &artifact->check);
}

static rg_error *get_sha256(const cJSON *object, const char *key, char out[static RG_SHA256_HEX])
{
	const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, key));

	if (!text || strlen(text) != RG_SHA256_HEX - 1 ||
	    strspn(text, "0123456789abcdef") != RG_SHA256_HEX - 1)
		return wrong(key, "is not 64 lower-case hexadecimal digits");
	memcpy(out, text, RG_SHA256_HEX);
	return NULL;
}

static rg_error *get_allowed(const cJSON *item, unsigned *out)
{
	const cJSON *array = cJSON_GetObjectItemCaseSensitive(item, "allowed"), *name;

	if (array && !cJSON_IsArray(array))
		return wrong("allowed", "is not a list");
	cJSON_ArrayForEach(name, array)
	{
		unsigned guard = cJSON_IsString(name) ? rg_guard_parse(name->valuestring) : 0;

		if (!guard)
			return wrong("allowed", "names an unknown guard");
		*out |= guard;
	}
	return NULL;
}

static rg_error *get_golden(rg_manifest *m, const cJSON *item, rg_manifest_golden *golden)
{
	RG_TRY(get_path(m, item, "stage", &golden->stage));
	RG_TRY(get_path(m, item, "test", &golden->test));
	RG_TRY(get_path(m, item, "file", &golden->file));
	RG_TRY(get_path(m, item, "target", &golden->target));
	RG_TRY(get_number(item, "size", NUMBER_MAX, &golden->size));
	RG_TRY(get_sha256(item, "sha256", golden->sha256));
	RG_TRY(get_number(item, "artifact_id", NUMBER_MAX, &golden->artifact_id));
	RG_TRY(get_text(m, item, "digest", false, &golden->digest));
	return get_allowed(item, &golden->allowed);
}

/* A list of objects; *count how many it has. */
static rg_error *get_array(const cJSON *root, const char *key, const cJSON **out, size_t *count)
{
	const cJSON *item;

	*count = 0;
	*out = cJSON_GetObjectItemCaseSensitive(root, key);
	if (!cJSON_IsArray(*out))
		return wrong(key, "is not a list");
	cJSON_ArrayForEach(item, *out)
	{
		if (!cJSON_IsObject(item))
			return wrong(key, "holds something that is no object");
		if (++*count > ITEMS_MAX)
			return wrong(key, "is too long");
	}
	return NULL;
}

static rg_error *get_jobs(rg_manifest *m, const cJSON *root)
{
	const cJSON *array, *item;
	size_t count;

	RG_TRY(get_array(root, "jobs", &array, &count));
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

	RG_TRY(get_array(root, "artifacts", &array, &count));
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

	RG_TRY(get_array(root, "goldens", &array, &count));
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
		return wrong("run", "is not an object");
	RG_TRY(get_number(run, "id", NUMBER_MAX, &m->run_id));
	RG_TRY(get_number(run, "attempt", 1000000, &attempt));
	m->attempt = (unsigned)attempt;
	RG_TRY(get_text(m, run, "head_commit", false, &m->head_commit));
	RG_TRY(get_text(m, run, "branch", false, &m->branch));
	RG_TRY(get_text(m, run, "event", false, &m->event));
	RG_TRY(get_text(m, run, "workflow", false, &m->workflow));
	RG_TRY(get_text(m, run, "status", false, &m->status));
	RG_TRY(get_text(m, run, "conclusion", false, &m->conclusion));
	RG_TRY(get_text(m, run, "created_at", false, &m->created_at));
	return get_text(m, run, "url", false, &m->url);
}

static rg_error *get_scope(rg_manifest *m, const cJSON *root)
{
	const char *scope;

	RG_TRY(get_text(m, root, "scope", true, &scope));
	m->only_failing = !strcmp(scope, scope_failing);
	if (!m->only_failing && strcmp(scope, scope_all))
		return wrong("scope", "is neither 'only-failing' nor 'all'");
	return NULL;
}

static rg_error *check_counts(const rg_manifest *m, const cJSON *root)
{
	const cJSON *counts = cJSON_GetObjectItemCaseSensitive(root, "counts");
	uint64_t tests, goldens;
	size_t real_tests;

	RG_TRY(get_number(counts, "tests with goldens", ITEMS_MAX, &tests));
	RG_TRY(get_number(counts, "goldens", ITEMS_MAX, &goldens));
	RG_TRY(rg_manifest_tests(m, &real_tests));
	if (tests != real_tests || goldens != m->golden_count)
		return wrong("counts", "does not fit the goldens that are listed");
	return NULL;
}

static rg_error *get_document(rg_manifest *m, const cJSON *root)
{
	uint64_t version;

	RG_TRY(get_number(root, "version", NUMBER_MAX, &version));
	if (version != SCHEMA_VERSION)
		return rg_error_new(RG_E_PARSE, "version %llu, but this regild reads version %d",
				    (unsigned long long)version, SCHEMA_VERSION);
	RG_TRY(get_text(m, root, "source", false, &m->source));
	RG_TRY(get_text(m, root, "host", false, &m->host));
	RG_TRY(get_text(m, root, "repository", false, &m->repository));
	RG_TRY(get_run(m, root));
	RG_TRY(get_scope(m, root));
	RG_TRY(get_path(m, root, "root", &m->root));
	RG_TRY(get_number(root, "bytes_moved", NUMBER_MAX, &m->bytes_moved));
	RG_TRY(get_number(root, "bytes_total", NUMBER_MAX, &m->bytes_total));
	RG_TRY(get_jobs(m, root));
	RG_TRY(get_artifacts(m, root));
	RG_TRY(get_goldens(m, root));
	return check_counts(m, root);
}

rg_error *rg_manifest_parse(rg_manifest *out, const char *text, size_t length)
{
	const char *end = text;
	cJSON *root = cJSON_ParseWithLengthOpts(text, length, &end, false);
	rg_error *err;
	size_t at = (size_t)(end - text);

	while (root && at < length && strchr(" \t\r\n", text[at]) && text[at])
		at++;
	if (!root || at < length)
		err = rg_error_new(RG_E_PARSE, "not JSON at byte %zu", at);
	else
		err = get_document(out, root);
	cJSON_Delete(root);
	return err;
}
