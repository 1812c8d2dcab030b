/* SPDX-License-Identifier: Apache-2.0 */
#include "hub/gitlab_render.h"

#include <string.h>

/* GitLab's times have milliseconds. NULL gives null. */
static void add_time(cJSON *json, const char *key, const char *time)
{
	if (!time)
		cJSON_AddNullToObject(json, key);
	else if (strchr(time, 'Z'))
		json_add_text(json, key, "%.*s.000Z", (int)strcspn(time, "Z"), time);
	else
		json_add_text(json, key, "%sT00:00:00.000Z", time);
}

/* The seconds from one to the other; null where either is not known. */
static void add_duration(cJSON *json, const char *key, const char *from, const char *to)
{
	int64_t first, last;

	if (from && to && time_parse(from, &first) && time_parse(to, &last))
		cJSON_AddNumberToObject(json, key, (double)(last - first));
	else
		cJSON_AddNullToObject(json, key);
}

static void add_user(cJSON *parent, const char *key, const hub *state)
{
	cJSON *user = cJSON_AddObjectToObject(parent, key);

	json_add_number(user, "id", 1);
	json_add_text(user, "username", "%s", "root");
	json_add_text(user, "name", "%s", "Administrator");
	json_add_text(user, "state", "%s", "active");
	cJSON_AddBoolToObject(user, "locked", false);
	cJSON_AddNullToObject(user, "avatar_url");
	json_add_text(user, "web_url", "%s/root", state->api);
}

static void add_commit(cJSON *parent, const fixture_pipeline *pipeline)
{
	cJSON *commit = cJSON_AddObjectToObject(parent, "commit");
	const char *sha = pipeline_text(pipeline, "sha");
	const char *created = json_text(pipeline->json, "created_at", "");

	json_add_text(commit, "id", "%s", sha);
	json_add_text(commit, "short_id", "%.8s", sha);
	json_add_text(commit, "title", "%s", "Change the loss");
	json_add_text(commit, "message", "%s", "Change the loss\n");
	json_add_text(commit, "author_name", "%s", "Octo Cat");
	json_add_text(commit, "author_email", "%s", "octocat@example.com");
	add_time(commit, "created_at", created);
}

const char *pipeline_text(const fixture_pipeline *pipeline, const char *key)
{
	static const struct {
		const char *key, *fallback;
	} defaults[] = {
		{"status", "success"},
		{"ref", "main"},
		{"sha", "0a1b2c3d4e5f60718293a4b5c6d7e8f901234567"},
		{"source", "push"},
	};

	for (size_t i = 0; i < sizeof(defaults) / sizeof(*defaults); i++)
		if (strcmp(defaults[i].key, key) == 0)
			return json_text(pipeline->json, key, defaults[i].fallback);
	return "";
}

const char *pipeline_updated(const fixture_pipeline *pipeline)
{
	return json_text(pipeline->json, "updated_at", json_text(pipeline->json, "created_at", ""));
}

const char *step_status(const fixture_step *step)
{
	return json_text(step->json, "status", "success");
}

static bool is_one_of(const char *text, const char *const *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(list[i], text) == 0)
			return true;
	return false;
}

static bool has_finished(const char *status)
{
	static const char *const over[] = {"success", "failed", "canceled"};

	return is_one_of(status, over, sizeof(over) / sizeof(*over));
}

static bool has_started(const char *status)
{
	static const char *const under_way[] = {"running", "canceling"};

	return has_finished(status) ||
	       is_one_of(status, under_way, sizeof(under_way) / sizeof(*under_way));
}

cJSON *gitlab_render_project(const hub *state, const fixture_pipeline *project)
{
	cJSON *json = cJSON_CreateObject(), *space;
	const char *path = project->project, *slash = strrchr(path, '/');
	int group = (int)(slash - path);

	json_add_number(json, "id", project->project_id);
	cJSON_AddNullToObject(json, "description");
	json_add_text(json, "name", "%s", slash + 1);
	json_add_text(json, "name_with_namespace", "%.*s / %s", group, path, slash + 1);
	json_add_text(json, "path", "%s", slash + 1);
	json_add_text(json, "path_with_namespace", "%s", path);
	add_time(json, "created_at", "2019-03-20T18:26:19Z");
	json_add_text(json, "default_branch", "%s",
		      json_text(project->document, "default_branch", "main"));
	json_add_text(json, "ssh_url_to_repo", "git@gitlab.example.com:%s.git", path);
	json_add_text(json, "http_url_to_repo", "%s/%s.git", state->api, path);
	json_add_text(json, "web_url", "%s/%s", state->api, path);
	json_add_text(json, "visibility", "%s", project->is_private ? "private" : "public");
	space = cJSON_AddObjectToObject(json, "namespace");
	json_add_number(space, "id", 3);
	json_add_text(space, "kind", "%s", "group");
	json_add_text(space, "full_path", "%.*s", group, path);
	return json;
}

static void add_pipeline_fields(cJSON *json, const hub *state, const fixture_pipeline *pipeline)
{
	static const char *const texts[] = {"sha", "ref", "status", "source"};

	json_add_number(json, "id", pipeline->id);
	json_add_number(json, "iid", json_count(pipeline->json, "iid", pipeline->id % 1000 + 1));
	json_add_number(json, "project_id", pipeline->project_id);
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		json_add_text(json, texts[i], "%s", pipeline_text(pipeline, texts[i]));
	add_time(json, "created_at", json_text(pipeline->json, "created_at", NULL));
	add_time(json, "updated_at", pipeline_updated(pipeline));
	json_add_text(json, "web_url", "%s/%s/-/pipelines/%llu", state->api, pipeline->project,
		      (unsigned long long)pipeline->id);
}

cJSON *gitlab_render_pipeline(const hub *state, const fixture_pipeline *pipeline)
{
	cJSON *json = cJSON_CreateObject();

	add_pipeline_fields(json, state, pipeline);
	json_add_text_or_null(json, "name", json_text(pipeline->json, "name", NULL));
	return json;
}

cJSON *gitlab_render_full_pipeline(const hub *state, const fixture_pipeline *pipeline)
{
	cJSON *json = gitlab_render_pipeline(state, pipeline), *detail;
	const char *status = pipeline_text(pipeline, "status");
	const char *created = json_text(pipeline->json, "created_at", "");
	const char *started = has_started(status) ? json_text(pipeline->json, "started_at", created)
						  : NULL;
	const char *finished = has_finished(status) ? json_text(pipeline->json, "finished_at",
								pipeline_updated(pipeline))
						    : NULL;

	json_add_text(json, "before_sha", "%s", "0000000000000000000000000000000000000000");
	cJSON_AddBoolToObject(json, "tag", json_flag(pipeline->json, "tag", false));
	cJSON_AddNullToObject(json, "yaml_errors");
	add_user(json, "user", state);
	add_time(json, "started_at", started);
	add_time(json, "finished_at", finished);
	cJSON_AddNullToObject(json, "committed_at");
	add_duration(json, "duration", started, finished);
	add_duration(json, "queued_duration", started ? created : NULL, started);
	cJSON_AddNullToObject(json, "coverage");
	detail = cJSON_AddObjectToObject(json, "detailed_status");
	json_add_text(detail, "icon", "status_%s", status);
	json_add_text(detail, "text", "%s", status);
	json_add_text(detail, "label", "%s", status);
	json_add_text(detail, "group", "%s", status);
	json_add_text(detail, "tooltip", "%s", status);
	cJSON_AddBoolToObject(detail, "has_details", false);
	json_add_text(detail, "details_path", "/%s/-/pipelines/%llu", pipeline->project,
		      (unsigned long long)pipeline->id);
	return json;
}

static const char *finish_of(const fixture_pipeline *pipeline, const fixture_step *step)
{
	return has_finished(step_status(step))
		       ? json_text(step->json, "finished_at", pipeline_updated(pipeline))
		       : NULL;
}

/* What jobs and bridges have in common. */
static cJSON *make_step(const hub *state, const fixture_pipeline *pipeline,
			const fixture_step *step)
{
	cJSON *json = cJSON_CreateObject(), *of;
	const char *status = step_status(step);
	const char *created = json_text(pipeline->json, "created_at", "");
	const char *started = has_started(status) ? json_text(step->json, "started_at", created)
						  : NULL;

	json_add_number(json, "id", step->id);
	json_add_text(json, "status", "%s", status);
	json_add_text(json, "stage", "%s", json_text(step->json, "stage", "test"));
	json_add_text(json, "name", "%s", step->name);
	json_add_text(json, "ref", "%s", pipeline_text(pipeline, "ref"));
	cJSON_AddBoolToObject(json, "tag", json_flag(pipeline->json, "tag", false));
	cJSON_AddNullToObject(json, "coverage");
	cJSON_AddBoolToObject(json, "allow_failure", json_flag(step->json, "allow_failure", false));
	add_time(json, "created_at", json_text(step->json, "created_at", created));
	add_time(json, "started_at", started);
	add_time(json, "finished_at", finish_of(pipeline, step));
	add_time(json, "erased_at", json_text(step->json, "erased_at", NULL));
	add_duration(json, "duration", started, finish_of(pipeline, step));
	add_duration(json, "queued_duration", started ? created : NULL, started);
	add_user(json, "user", state);
	add_commit(json, pipeline);
	of = cJSON_AddObjectToObject(json, "pipeline");
	add_pipeline_fields(of, state, pipeline);
	if (strcmp(status, "failed") == 0)
		json_add_text(json, "failure_reason", "%s",
			      json_text(step->json, "failure_reason", "script_failure"));
	json_add_text(json, "web_url", "%s/%s/-/jobs/%llu", state->api, pipeline->project,
		      (unsigned long long)step->id);
	of = cJSON_AddObjectToObject(json, "project");
	cJSON_AddBoolToObject(of, "ci_job_token_scope_enabled", false);
	return json;
}

static void add_file(cJSON *list, const char *type, uint64_t size, const char *name,
		     const char *format)
{
	cJSON *file = cJSON_CreateObject();

	cJSON_AddItemToArray(list, file);
	json_add_text(file, "file_type", "%s", type);
	json_add_number(file, "size", size);
	json_add_text(file, "filename", "%s", name);
	json_add_text(file, "file_format", "%s", format);
}

/* Artifacts that GitLab keeps past their time have no artifacts_file any more, and are there. */
static void add_artifacts(cJSON *json, const hub *state, const fixture_step *job)
{
	const fixture_body *bodies = state->data.bodies;
	cJSON *list, *file;
	uint64_t size = 0;

	if (job->archive != NO_BODY) {
		size = json_count(job->artifacts, "size", bodies[job->archive].length);
		if (!json_flag(job->artifacts, "kept", false)) {
			file = cJSON_AddObjectToObject(json, "artifacts_file");
			json_add_text(file, "filename", "%s", "artifacts.zip");
			json_add_number(file, "size", size);
		}
	}
	list = cJSON_AddArrayToObject(json, "artifacts");
	if (job->archive != NO_BODY) {
		add_file(list, "archive", size, "artifacts.zip", "zip");
		add_file(list, "metadata", 186, "metadata.gz", "gzip");
	}
	if (job->log != NO_BODY && !json_text(job->json, "erased_at", NULL))
		add_file(list, "trace", bodies[job->log].length, "job.log", "raw");
}

static void add_expiry(cJSON *json, const fixture_pipeline *pipeline, const fixture_step *job)
{
	const cJSON *given = cJSON_GetObjectItemCaseSensitive(job->artifacts, "expires_at");
	const char *finished = finish_of(pipeline, job);
	bool over = json_flag(job->artifacts, "expired", false) ||
		    json_flag(job->artifacts, "kept", false);
	char later[TIME_TEXT];
	int64_t when;

	if (cJSON_IsString(given)) {
		add_time(json, "artifacts_expire_at", given->valuestring);
	} else if (given || !job->artifacts || !finished || !time_parse(finished, &when)) {
		cJSON_AddNullToObject(json, "artifacts_expire_at");
	} else {
		time_text(when + (over ? 7 : 90 * 365) * 24 * 3600LL, later);
		add_time(json, "artifacts_expire_at", later);
	}
}

cJSON *gitlab_render_job(const hub *state, const fixture_pipeline *pipeline,
			 const fixture_step *job)
{
	cJSON *json = make_step(state, pipeline, job);

	add_artifacts(json, state, job);
	cJSON_AddNullToObject(json, "runner");
	cJSON_AddNullToObject(json, "runner_manager");
	add_expiry(json, pipeline, job);
	cJSON_AddBoolToObject(json, "archived", false);
	cJSON_AddArrayToObject(json, "tag_list");
	return json;
}

cJSON *gitlab_render_bridge(const hub *state, const fixture_pipeline *pipeline,
			    const fixture_step *bridge)
{
	cJSON *json = make_step(state, pipeline, bridge), *of;
	const cJSON *to = cJSON_GetObjectItemCaseSensitive(bridge->json, "downstream");
	const fixture_pipeline *known;

	if (cJSON_IsObject(to)) {
		cJSON_AddItemToObject(json, "downstream_pipeline", cJSON_Duplicate(to, true));
	} else if (cJSON_IsNumber(to) &&
		   (known = fixture_find_pipeline(&state->data, (uint64_t)to->valuedouble))) {
		of = cJSON_AddObjectToObject(json, "downstream_pipeline");
		add_pipeline_fields(of, state, known);
	} else {
		cJSON_AddNullToObject(json, "downstream_pipeline");
	}
	return json;
}

static const cJSON *merge_request_of(const fixture_pipeline *pipeline)
{
	return cJSON_GetObjectItemCaseSensitive(pipeline->json, "merge_request");
}

uint64_t pipeline_merge_request(const fixture_pipeline *pipeline, uint64_t *project_id)
{
	const cJSON *of = merge_request_of(pipeline);

	*project_id = json_count(of, "project_id", pipeline->project_id);
	return cJSON_IsNumber(of) ? (uint64_t)of->valuedouble : json_count(of, "iid", 0);
}

cJSON *gitlab_render_merge_request(const hub *state, const fixture_pipeline *pipeline)
{
	cJSON *json = cJSON_CreateObject();
	const cJSON *of = merge_request_of(pipeline);
	uint64_t project_id;
	unsigned long long number = pipeline_merge_request(pipeline, &project_id);
	const char *created = json_text(pipeline->json, "created_at", "");

	json_add_number(json, "id", 1000000 + number);
	json_add_number(json, "iid", number);
	json_add_number(json, "project_id", project_id);
	json_add_text(json, "title", "%s", json_text(of, "title", "Change the loss"));
	cJSON_AddNullToObject(json, "description");
	json_add_text(json, "state", "%s", json_text(of, "state", "opened"));
	add_time(json, "created_at", created);
	add_time(json, "updated_at", created);
	json_add_text(json, "target_branch", "%s", json_text(of, "target_branch", "main"));
	json_add_text(json, "source_branch", "%s", json_text(of, "source_branch", "change"));
	json_add_number(json, "source_project_id",
			json_count(of, "source_project_id", pipeline->project_id));
	json_add_number(json, "target_project_id", project_id);
	cJSON_AddBoolToObject(json, "draft", false);
	json_add_text(json, "sha", "%s", json_text(of, "sha", pipeline_text(pipeline, "sha")));
	cJSON_AddNullToObject(json, "merge_commit_sha");
	json_add_text(json, "web_url", "%s/%s/-/merge_requests/%llu", state->api, pipeline->project,
		      number);
	add_user(json, "author", state);
	cJSON_AddItemToObject(json, "head_pipeline", gitlab_render_full_pipeline(state, pipeline));
	return json;
}
