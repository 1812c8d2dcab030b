/* SPDX-License-Identifier: Apache-2.0 */
#include "hub/fixture.h"

#include "base/memory.h"
#include "base/buf.h"
#include "base/digest.h"
#include "base/file.h"
#include "hub/contents.h"
#include "hub/fixture_parts.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

bool time_parse(const char *text, int64_t *out)
{
	struct tm when = {0}, zone = {0};
	const char *end = strptime(text, "%Y-%m-%dT%H:%M:%S", &when);

	if (end) {
		end = strptime(end, "%z", &zone);
	} else {
		memset(&when, 0, sizeof(when));
		end = strptime(text, "%Y-%m-%d", &when);
	}
	if (!end || *end)
		return false;
	*out = timegm(&when) - zone.tm_gmtoff;
	return true;
}

void time_text(int64_t seconds, char out[static TIME_TEXT])
{
	time_t when = (time_t)seconds;
	struct tm parts;

	gmtime_r(&when, &parts);
	strftime(out, TIME_TEXT, "%Y-%m-%dT%H:%M:%SZ", &parts);
}

rg_error *fixture_check_times(const cJSON *json, const char *what)
{
	static const char *const keys[] = {"created_at",  "started_at", "completed_at",
					   "updated_at",  "expires_at", "run_started_at",
					   "finished_at", "erased_at"};

	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		const char *text = json_text(json, keys[i], NULL);
		int64_t seconds;

		if (text &&
		    (!time_parse(text, &seconds) || (strchr(text, 'T') && !strchr(text, 'Z'))))
			return rg_error_new(RG_E_PARSE, "%s: %s: '%s' is no UTC time", what,
					    keys[i], text);
	}
	return NULL;
}

rg_error *fixture_find_body(fixture *data, const char *folder, const cJSON *artifact, size_t *index)
{
	fixture_body *body;
	char *key = NULL;

	RG_TRY(contents_key(&key, artifact));
	for (size_t i = 0; i < data->body_count; i++)
		if (strcmp(data->bodies[i].key, key) == 0) {
			free(key);
			*index = i;
			return NULL;
		}
	rg_grow(&data->bodies, &data->body_capacity, data->body_count + 1, sizeof(*data->bodies));
	body = &data->bodies[data->body_count];
	*index = data->body_count++;
	body->key = key;
	RG_TRY(contents_make(&body->bytes, &body->length, &body->name, &body->kept, folder,
			     artifact));
	memcpy(body->digest, "sha256:", 7);
	if (body->kept) {
		memcpy(body->digest + 7, body->bytes - (RG_SHA256_HEX - 1), RG_SHA256_HEX - 1);
		return NULL;
	}
	return rg_sha256_hex(body->bytes, body->length, body->digest + 7);
}

static rg_error *add_artifact(fixture *data, fixture_run *run, const char *folder,
			      const cJSON *json)
{
	fixture_artifact *artifact;

	rg_grow(&run->artifacts, &run->artifact_capacity, run->artifact_count + 1,
		sizeof(*run->artifacts));
	artifact = &run->artifacts[run->artifact_count];
	artifact->json = json;
	artifact->name = json_text(json, "name", NULL);
	if (!artifact->name)
		return rg_error_new(RG_E_PARSE, "artifact %zu has no name", run->artifact_count);
	artifact->id = json_count(json, "id", run->id * 1000 + 500 + run->artifact_count);
	artifact->created_at =
		json_text(json, "created_at", json_text(run->json, "updated_at", NULL));
	if (!artifact->created_at)
		artifact->created_at = json_text(run->json, "created_at", NULL);
	artifact->expired = json_flag(json, "expired", false);
	run->artifact_count++;
	RG_TRY(rg_error_wrap(fixture_check_times(json, "artifact"), "%s", artifact->name));
	return rg_error_wrap(fixture_find_body(data, folder, json, &artifact->body),
			     "artifact '%s'", artifact->name);
}

rg_error *fixture_find_log(fixture *data, const char *folder, const cJSON *job, size_t *index)
{
	*index = NO_BODY;
	if (!contents_has_log(job))
		return NULL;
	return rg_error_wrap(fixture_find_body(data, folder, job, index), "log of '%s'",
			     json_text(job, "name", ""));
}

static rg_error *add_job(fixture *data, fixture_run *run, const char *folder, const cJSON *json)
{
	fixture_job *job;

	rg_grow(&run->jobs, &run->job_capacity, run->job_count + 1, sizeof(*run->jobs));
	job = &run->jobs[run->job_count];
	job->json = json;
	if (!json_text(json, "name", NULL))
		return rg_error_new(RG_E_PARSE, "job %zu has no name", run->job_count);
	job->id = json_count(json, "id", run->id * 1000 + run->job_count + 1);
	job->replaces = json_count(json, "replaces", 0);
	job->attempt = (unsigned)json_count(json, "attempt", 1);
	if (run->attempts < job->attempt)
		run->attempts = job->attempt;
	run->job_count++;
	RG_TRY(fixture_find_log(data, folder, json, &job->log));
	return fixture_check_times(json, json_text(json, "name", ""));
}

static int by_falling_artifact_id(const void *a, const void *b)
{
	uint64_t x = ((const fixture_artifact *)a)->id, y = ((const fixture_artifact *)b)->id;

	return (x < y) - (x > y);
}

static int by_job_id(const void *a, const void *b)
{
	uint64_t x = ((const fixture_job *)a)->id, y = ((const fixture_job *)b)->id;

	return (x > y) - (x < y);
}

static int by_falling_run_id(const void *a, const void *b)
{
	uint64_t x = ((const fixture_run *)a)->id, y = ((const fixture_run *)b)->id;

	return (x < y) - (x > y);
}

static rg_error *read_header(fixture_run *run)
{
	const cJSON *json = run->document;

	run->json = cJSON_GetObjectItemCaseSensitive(json, "run");
	run->repository = json_text(json, "repository", NULL);
	run->repository_id = json_count(json, "repository_id", 1296269);
	run->is_private = json_flag(json, "private", true);
	run->id = json_count(run->json, "id", 0);
	run->attempts = (unsigned)json_count(run->json, "attempt", 1);
	if (!run->repository || !strchr(run->repository, '/'))
		return rg_error_new(RG_E_PARSE, "\"repository\" must be \"OWNER/NAME\"");
	if (!run->id || !json_text(run->json, "created_at", NULL))
		return rg_error_new(RG_E_PARSE, "\"run\" must have an id and created_at");
	return fixture_check_times(run->json, "run");
}

static rg_error *load_run(fixture *data, const char *folder, cJSON *document)
{
	rg_grow(&data->runs, &data->run_capacity, data->run_count + 1, sizeof(*data->runs));
	fixture_run *run;
	const cJSON *item;
	rg_error *err = NULL;

	if (err) {
		cJSON_Delete(document);
		return err;
	}
	run = &data->runs[data->run_count++];
	run->document = document;
	err = read_header(run);
	cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(document, "jobs")) if (!err)
		err = add_job(data, run, folder, item);
	cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(document, "artifacts")) if (!err)
		err = add_artifact(data, run, folder, item);
	if (run->job_count)
		qsort(run->jobs, run->job_count, sizeof(*run->jobs), by_job_id);
	if (run->artifact_count)
		qsort(run->artifacts, run->artifact_count, sizeof(*run->artifacts),
		      by_falling_artifact_id);
	return err;
}

typedef rg_error *load_function(fixture *data, const char *folder, cJSON *document);

static rg_error *load_file(fixture *data, const char *folder, const char *path, load_function *load)
{
	cJSON *document = NULL;
	rg_buf text;
	rg_error *err;

	rg_buf_init(&text, RG_BUF_TEXT);
	err = rg_file_read(&text, path);
	if (!err) {
		document = cJSON_ParseWithLength(text.data, text.length);
		err = document ? load(data, folder, document)
			       : rg_error_new(RG_E_PARSE, "it is not JSON");
	}
	rg_buf_release(&text);
	return rg_error_wrap(err, "%s", path);
}

/* Every .json file of the folder. */
static rg_error *load_files(fixture *data, const char *folder, const char *files, DIR *dir,
			    load_function *load)
{
	const struct dirent *entry;
	rg_error *err = NULL;

	while (!err && (entry = readdir(dir)) != NULL) {
		size_t length = strlen(entry->d_name);
		char *path = NULL;

		if (length < 6 || strcmp(entry->d_name + length - 5, ".json") != 0)
			continue;
		path = rg_path_join(files, entry->d_name);
		if (!err)
			err = load_file(data, folder, path, load);
		free(path);
	}
	return err;
}

/* FOLDER/ONE.json and FOLDER/ONEs, of which either may be missing. */
static rg_error *load_kind(fixture *data, const char *folder, const char *one, load_function *load)
{
	char *file = NULL, *files = NULL;
	struct stat status;
	DIR *dir = NULL;
	file = rg_textf("%s/%s.json", folder, one);
	files = rg_textf("%s/%ss", folder, one);

	rg_error *err = NULL;
	if (stat(file, &status) == 0)
		err = load_file(data, folder, file, load);
	if (!err)
		dir = opendir(files);
	if (dir) {
		err = load_files(data, folder, files, dir, load);
		closedir(dir);
	}
	free(file);
	free(files);
	return err;
}

rg_error *fixture_load(fixture *out, const char *folder)
{
	rg_error *err;

	memset(out, 0, sizeof(*out));
	err = load_kind(out, folder, "run", load_run);
	if (!err)
		err = load_kind(out, folder, "pipeline", fixture_load_pipeline);
	if (!err && out->run_count + out->pipeline_count == 0)
		err = rg_error_new(RG_E_NOTFOUND, "%s holds neither a run nor a pipeline", folder);
	if (err) {
		fixture_release(out);
		return err;
	}
	if (out->run_count)
		qsort(out->runs, out->run_count, sizeof(*out->runs), by_falling_run_id);
	fixture_sort_pipelines(out);
	return NULL;
}

void fixture_release(fixture *data)
{
	for (size_t i = 0; i < data->run_count; i++) {
		cJSON_Delete(data->runs[i].document);
		free(data->runs[i].jobs);
		free(data->runs[i].artifacts);
	}
	for (size_t i = 0; i < data->pipeline_count; i++) {
		cJSON_Delete(data->pipelines[i].document);
		free(data->pipelines[i].jobs);
		free(data->pipelines[i].bridges);
	}
	for (size_t i = 0; i < data->body_count; i++) {
		free(data->bodies[i].key);
		free(data->bodies[i].name);
		if (!data->bodies[i].kept)
			free(data->bodies[i].bytes);
	}
	free(data->runs);
	free(data->pipelines);
	free(data->bodies);
	memset(data, 0, sizeof(*data));
}

const fixture_artifact *fixture_find_artifact(const fixture *data, uint64_t id,
					      const fixture_run **run)
{
	for (size_t i = 0; i < data->run_count; i++)
		for (size_t j = 0; j < data->runs[i].artifact_count; j++)
			if (data->runs[i].artifacts[j].id == id) {
				*run = &data->runs[i];
				return &data->runs[i].artifacts[j];
			}
	return NULL;
}

const fixture_job *fixture_find_job(const fixture *data, uint64_t id, const fixture_run **run)
{
	for (size_t i = 0; i < data->run_count; i++)
		for (size_t j = 0; j < data->runs[i].job_count; j++)
			if (data->runs[i].jobs[j].id == id) {
				*run = &data->runs[i];
				return &data->runs[i].jobs[j];
			}
	return NULL;
}
