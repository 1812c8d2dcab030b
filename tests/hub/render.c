/* SPDX-License-Identifier: Apache-2.0 */
#include "hub/render.h"

#include <stdarg.h>
#include <string.h>

/* A field that is an address: PREFIX + OWNER/NAME or login + suffix. */
typedef struct {
	const char *key, *suffix;
} link_row;

static const link_row user_links[] = {
	{"url", ""},
	{"followers_url", "/followers"},
	{"following_url", "/following{/other_user}"},
	{"gists_url", "/gists{/gist_id}"},
	{"starred_url", "/starred{/owner}{/repo}"},
	{"subscriptions_url", "/subscriptions"},
	{"organizations_url", "/orgs"},
	{"repos_url", "/repos"},
	{"events_url", "/events{/privacy}"},
	{"received_events_url", "/received_events"},
	{NULL, NULL},
};

static const link_row repository_links[] = {
	{"url", ""},
	{"archive_url", "/{archive_format}{/ref}"},
	{"assignees_url", "/assignees{/user}"},
	{"blobs_url", "/git/blobs{/sha}"},
	{"branches_url", "/branches{/branch}"},
	{"collaborators_url", "/collaborators{/collaborator}"},
	{"comments_url", "/comments{/number}"},
	{"commits_url", "/commits{/sha}"},
	{"compare_url", "/compare/{base}...{head}"},
	{"contents_url", "/contents/{+path}"},
	{"contributors_url", "/contributors"},
	{"deployments_url", "/deployments"},
	{"downloads_url", "/downloads"},
	{"events_url", "/events"},
	{"forks_url", "/forks"},
	{"git_commits_url", "/git/commits{/sha}"},
	{"git_refs_url", "/git/refs{/sha}"},
	{"git_tags_url", "/git/tags{/sha}"},
	{"hooks_url", "/hooks"},
	{"issue_comment_url", "/issues/comments{/number}"},
	{"issue_events_url", "/issues/events{/number}"},
	{"issues_url", "/issues{/number}"},
	{"keys_url", "/keys{/key_id}"},
	{"labels_url", "/labels{/name}"},
	{"languages_url", "/languages"},
	{"merges_url", "/merges"},
	{"milestones_url", "/milestones{/number}"},
	{"notifications_url", "/notifications{?since,all,participating}"},
	{"pulls_url", "/pulls{/number}"},
	{"releases_url", "/releases{/id}"},
	{"stargazers_url", "/stargazers"},
	{"statuses_url", "/statuses/{sha}"},
	{"subscribers_url", "/subscribers"},
	{"subscription_url", "/subscription"},
	{"tags_url", "/tags"},
	{"teams_url", "/teams"},
	{"trees_url", "/git/trees{/sha}"},
	{NULL, NULL},
};

static void add_text(cJSON *json, const char *key, const char *format, ...) RG_PRINTF(3, 4);

static void add_text(cJSON *json, const char *key, const char *format, ...)
{
	char text[1024];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	cJSON_AddStringToObject(json, key, text);
}

static void add_text_or_null(cJSON *json, const char *key, const char *text)
{
	if (text)
		cJSON_AddStringToObject(json, key, text);
	else
		cJSON_AddNullToObject(json, key);
}

static void add_number(cJSON *json, const char *key, uint64_t number)
{
	cJSON_AddNumberToObject(json, key, (double)number);
}

static void add_links(cJSON *json, const link_row *rows, const char *base, const char *kind,
		      const char *name)
{
	for (; rows->key; rows++)
		add_text(json, rows->key, "%s/%s/%s%s", base, kind, name, rows->suffix);
}

static void add_user(cJSON *parent, const char *key, const hub *state, const char *login,
		     const char *type, uint64_t id)
{
	cJSON *user = cJSON_AddObjectToObject(parent, key);

	add_text(user, "login", "%s", login);
	add_number(user, "id", id);
	add_text(user, "node_id", "U_%llu", (unsigned long long)id);
	add_text(user, "avatar_url", "https://avatars.githubusercontent.com/u/%llu?v=4",
		 (unsigned long long)id);
	add_text(user, "gravatar_id", "%s", "");
	add_text(user, "html_url", "https://github.com/%s", login);
	add_text(user, "type", "%s", type);
	cJSON_AddBoolToObject(user, "site_admin", false);
	add_links(user, user_links, state->api, "users", login);
}

static void add_repository(cJSON *parent, const char *key, const hub *state, const fixture_run *run)
{
	cJSON *repository = cJSON_AddObjectToObject(parent, key);
	const char *slash = strchr(run->repository, '/');
	char owner[256];

	snprintf(owner, sizeof(owner), "%.*s", (int)(slash - run->repository), run->repository);
	add_number(repository, "id", run->repository_id);
	add_text(repository, "node_id", "R_%llu", (unsigned long long)run->repository_id);
	add_text(repository, "name", "%s", slash + 1);
	add_text(repository, "full_name", "%s", run->repository);
	cJSON_AddBoolToObject(repository, "private", run->is_private);
	add_user(repository, "owner", state, owner, "Organization", 1728152);
	add_text(repository, "html_url", "https://github.com/%s", run->repository);
	cJSON_AddNullToObject(repository, "description");
	cJSON_AddBoolToObject(repository, "fork", false);
	add_links(repository, repository_links, state->api, "repos", run->repository);
}

static void add_commit(cJSON *parent, const fixture_run *run)
{
	static const char *const people[] = {"author", "committer"};
	cJSON *commit = cJSON_AddObjectToObject(parent, "head_commit");

	add_text(commit, "id", "%s", run_text(run, "head_sha"));
	add_text(commit, "tree_id", "%s", "4b825dc642cb6eb9a060e54bf8d69288fbee4904");
	add_text(commit, "message", "%s", run_text(run, "display_title"));
	add_text(commit, "timestamp", "%s", json_text(run->json, "created_at", ""));
	for (size_t i = 0; i < 2; i++) {
		cJSON *person = cJSON_AddObjectToObject(commit, people[i]);

		add_text(person, "name", "%s", "Octo Cat");
		add_text(person, "email", "%s", "octocat@example.com");
	}
}

const char *run_status(const fixture_run *run)
{
	return json_text(run->json, "status", "completed");
}

const char *run_conclusion(const fixture_run *run)
{
	if (strcmp(run_status(run), "completed") != 0)
		return NULL;
	return json_text(run->json, "conclusion", "failure");
}

const char *run_text(const fixture_run *run, const char *key)
{
	static const struct {
		const char *key, *fallback;
	} defaults[] = {
		{"name", "CICD Megatron-LM"},
		{"head_branch", "main"},
		{"head_sha", "0a1b2c3d4e5f60718293a4b5c6d7e8f901234567"},
		{"path", ".github/workflows/cicd-main.yml"},
		{"event", "schedule"},
		{"display_title", "Nightly"},
	};

	for (size_t i = 0; i < sizeof(defaults) / sizeof(*defaults); i++)
		if (strcmp(defaults[i].key, key) == 0)
			return json_text(run->json, key, defaults[i].fallback);
	return "";
}

uint64_t run_workflow(const fixture_run *run)
{
	return json_count(run->json, "workflow_id", 159038);
}

static void add_run_links(cJSON *json, const hub *state, const fixture_run *run, unsigned attempt)
{
	static const link_row rows[] = {
		{"url", ""},
		{"jobs_url", "/jobs"},
		{"logs_url", "/logs"},
		{"artifacts_url", "/artifacts"},
		{"cancel_url", "/cancel"},
		{"rerun_url", "/rerun"},
	};
	char base[512];

	snprintf(base, sizeof(base), "%s/repos/%s/actions/runs/%llu", state->api, run->repository,
		 (unsigned long long)run->id);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		add_text(json, rows[i].key, "%s%s", base, rows[i].suffix);
	if (attempt > 1)
		add_text(json, "previous_attempt_url", "%s/attempts/%u", base, attempt - 1);
	else
		cJSON_AddNullToObject(json, "previous_attempt_url");
	add_text(json, "workflow_url", "%s/repos/%s/actions/workflows/%llu", state->api,
		 run->repository, (unsigned long long)run_workflow(run));
	add_text(json, "check_suite_url", "%s/repos/%s/check-suites/%llu", state->api,
		 run->repository, (unsigned long long)run->id + 7);
	add_text(json, "html_url", "https://github.com/%s/actions/runs/%llu", run->repository,
		 (unsigned long long)run->id);
}

cJSON *render_run(const hub *state, const fixture_run *run, unsigned attempt)
{
	static const char *const texts[] = {"name", "head_branch", "head_sha",
					    "path", "event",       "display_title"};
	cJSON *json = cJSON_CreateObject();
	const char *created = json_text(run->json, "created_at", "");

	if (!attempt)
		attempt = run->attempts;
	add_number(json, "id", run->id);
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		add_text(json, texts[i], "%s", run_text(run, texts[i]));
	add_text(json, "node_id", "WFR_%llu", (unsigned long long)run->id);
	add_number(json, "check_suite_id", run->id + 7);
	add_text(json, "check_suite_node_id", "CS_%llu", (unsigned long long)run->id + 7);
	add_number(json, "run_number", json_count(run->json, "run_number", 562));
	add_number(json, "run_attempt", attempt);
	cJSON_AddArrayToObject(json, "referenced_workflows");
	add_text(json, "status", "%s", run_status(run));
	add_text_or_null(json, "conclusion", run_conclusion(run));
	add_number(json, "workflow_id", run_workflow(run));
	cJSON_AddArrayToObject(json, "pull_requests");
	add_text(json, "created_at", "%s", created);
	add_text(json, "updated_at", "%s", json_text(run->json, "updated_at", created));
	add_text(json, "run_started_at", "%s", json_text(run->json, "run_started_at", created));
	add_user(json, "actor", state, "octocat", "User", 583231);
	add_user(json, "triggering_actor", state, "octocat", "User", 583231);
	add_run_links(json, state, run, attempt);
	add_commit(json, run);
	add_repository(json, "repository", state, run);
	add_repository(json, "head_repository", state, run);
	return json;
}

static void add_steps(cJSON *job, const cJSON *steps)
{
	cJSON *list = cJSON_AddArrayToObject(job, "steps");
	const cJSON *step;
	unsigned number = 0;

	cJSON_ArrayForEach(step, steps)
	{
		cJSON *json = cJSON_CreateObject();

		cJSON_AddItemToArray(list, json);
		add_text(json, "name", "%s", json_text(step, "name", "step"));
		add_text(json, "status", "%s", json_text(step, "status", "completed"));
		add_text_or_null(json, "conclusion", json_text(step, "conclusion", "success"));
		add_number(json, "number", ++number);
		add_text_or_null(json, "started_at", json_text(step, "started_at", NULL));
		add_text_or_null(json, "completed_at", json_text(step, "completed_at", NULL));
	}
}

cJSON *render_job(const hub *state, const fixture_run *run, const fixture_job *job)
{
	cJSON *json = cJSON_CreateObject();
	const char *status = json_text(job->json, "status", "completed");
	const char *started = json_text(job->json, "started_at", NULL);
	bool completed = strcmp(status, "completed") == 0;
	unsigned long long id = job->id, run_id = run->id;

	if (!started)
		started = json_text(run->json, "created_at", "");
	add_number(json, "id", job->id);
	add_number(json, "run_id", run->id);
	add_text(json, "workflow_name", "%s", run_text(run, "name"));
	add_text(json, "head_branch", "%s", run_text(run, "head_branch"));
	add_text(json, "run_url", "%s/repos/%s/actions/runs/%llu", state->api, run->repository,
		 run_id);
	add_number(json, "run_attempt", job->attempt);
	add_text(json, "node_id", "CR_%llu", id);
	add_text(json, "head_sha", "%s", run_text(run, "head_sha"));
	add_text(json, "url", "%s/repos/%s/actions/jobs/%llu", state->api, run->repository, id);
	add_text(json, "html_url", "https://github.com/%s/actions/runs/%llu/job/%llu",
		 run->repository, run_id, id);
	add_text(json, "status", "%s", status);
	add_text_or_null(json, "conclusion",
			 completed ? json_text(job->json, "conclusion", "success") : NULL);
	add_text(json, "created_at", "%s", json_text(job->json, "created_at", started));
	add_text(json, "started_at", "%s", started);
	add_text_or_null(json, "completed_at",
			 !completed ? NULL
				    : json_text(job->json, "completed_at",
						json_text(run->json, "updated_at", started)));
	add_text(json, "name", "%s", json_text(job->json, "name", ""));
	add_steps(json, cJSON_GetObjectItemCaseSensitive(job->json, "steps"));
	add_text(json, "check_run_url", "%s/repos/%s/check-runs/%llu", state->api, run->repository,
		 id);
	cJSON_AddItemToArray(cJSON_AddArrayToObject(json, "labels"),
			     cJSON_CreateString(json_text(job->json, "label", "self-hosted")));
	add_number(json, "runner_id", 21);
	add_text(json, "runner_name", "%s", json_text(job->json, "runner", "runner-21"));
	add_number(json, "runner_group_id", 2);
	add_text(json, "runner_group_name", "%s", "default");
	return json;
}

cJSON *render_artifact(const hub *state, const fixture_run *run, const fixture_artifact *artifact)
{
	cJSON *json = cJSON_CreateObject(), *of;
	const fixture_body *body = &state->data.bodies[artifact->body];
	const cJSON *digest = cJSON_GetObjectItemCaseSensitive(artifact->json, "digest");
	const char *expires = json_text(artifact->json, "expires_at", NULL);
	int64_t created = 0;
	char later[TIME_TEXT];

	if (time_parse(artifact->created_at, &created))
		time_text(created + 90 * 24 * 3600, later);
	else
		later[0] = '\0';
	add_number(json, "id", artifact->id);
	add_text(json, "node_id", "A_%llu", (unsigned long long)artifact->id);
	add_text(json, "name", "%s", artifact->name);
	add_number(json, "size_in_bytes", json_count(artifact->json, "size", body->length));
	add_text(json, "url", "%s/repos/%s/actions/artifacts/%llu", state->api, run->repository,
		 (unsigned long long)artifact->id);
	add_text(json, "archive_download_url", "%s/repos/%s/actions/artifacts/%llu/zip", state->api,
		 run->repository, (unsigned long long)artifact->id);
	cJSON_AddBoolToObject(json, "expired", artifact->expired);
	if (!cJSON_IsNull(digest))
		add_text(json, "digest", "%s", json_text(artifact->json, "digest", body->digest));
	else
		cJSON_AddNullToObject(json, "digest");
	add_text(json, "created_at", "%s", artifact->created_at);
	add_text(json, "updated_at", "%s", artifact->created_at);
	add_text(json, "expires_at", "%s", expires ? expires : later);
	of = cJSON_AddObjectToObject(json, "workflow_run");
	add_number(of, "id", run->id);
	add_number(of, "repository_id", run->repository_id);
	add_number(of, "head_repository_id", run->repository_id);
	add_text(of, "head_branch", "%s", run_text(run, "head_branch"));
	add_text(of, "head_sha", "%s", run_text(run, "head_sha"));
	return json;
}
