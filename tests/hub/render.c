/* SPDX-License-Identifier: Apache-2.0 */
#include "hub/render.h"

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

static void add_links(cJSON *json, const link_row *rows, const char *base, const char *kind,
		      const char *name)
{
	for (; rows->key; rows++)
		json_add_text(json, rows->key, "%s/%s/%s%s", base, kind, name, rows->suffix);
}

static void add_user(cJSON *parent, const char *key, const hub *state, const char *login,
		     const char *type, uint64_t id)
{
	cJSON *user = cJSON_AddObjectToObject(parent, key);

	json_add_text(user, "login", "%s", login);
	json_add_number(user, "id", id);
	json_add_text(user, "node_id", "U_%llu", (unsigned long long)id);
	json_add_text(user, "avatar_url", "https://avatars.githubusercontent.com/u/%llu?v=4",
		      (unsigned long long)id);
	json_add_text(user, "gravatar_id", "%s", "");
	json_add_text(user, "html_url", "https://github.com/%s", login);
	json_add_text(user, "type", "%s", type);
	cJSON_AddBoolToObject(user, "site_admin", false);
	add_links(user, user_links, state->api, "users", login);
}

/* `name` "OWNER/NAME"; the caller owns the object. */
static cJSON *make_repository(const hub *state, const char *name, uint64_t id, bool is_private,
			      bool is_fork)
{
	cJSON *repository = cJSON_CreateObject();
	const char *slash = strchr(name, '/');
	char owner[256];

	snprintf(owner, sizeof(owner), "%.*s", (int)(slash ? slash - name : 0), name);
	json_add_number(repository, "id", id);
	json_add_text(repository, "node_id", "R_%llu", (unsigned long long)id);
	json_add_text(repository, "name", "%s", slash ? slash + 1 : name);
	json_add_text(repository, "full_name", "%s", name);
	cJSON_AddBoolToObject(repository, "private", is_private);
	add_user(repository, "owner", state, owner, is_fork ? "User" : "Organization", 1728152);
	json_add_text(repository, "html_url", "https://github.com/%s", name);
	cJSON_AddNullToObject(repository, "description");
	cJSON_AddBoolToObject(repository, "fork", is_fork);
	add_links(repository, repository_links, state->api, "repos", name);
	return repository;
}

/* The repository of the run's or pull request's head: a fork, or the run's own; null where the fork
 * was deleted. */
static cJSON *make_head_repository(const hub *state, const fixture_run *run, const cJSON *head)
{
	const cJSON *name = cJSON_GetObjectItemCaseSensitive(head, "head_repository");

	if (cJSON_IsNull(name))
		return cJSON_CreateNull();
	if (!cJSON_IsString(name))
		return make_repository(state, run->repository, run->repository_id, run->is_private,
				       false);
	return make_repository(state, name->valuestring,
			       json_count(head, "head_repository_id", run->repository_id + 1),
			       run->is_private, true);
}

cJSON *render_repository(const hub *state, const fixture_run *run)
{
	cJSON *json =
		make_repository(state, run->repository, run->repository_id, run->is_private, false);

	json_add_text(json, "default_branch", "%s",
		      json_text(run->document, "default_branch", "main"));
	json_add_text(json, "visibility", "%s", run->is_private ? "private" : "public");
	cJSON_AddBoolToObject(json, "archived", false);
	return json;
}

static void add_commit(cJSON *parent, const fixture_run *run)
{
	static const char *const people[] = {"author", "committer"};
	cJSON *commit = cJSON_AddObjectToObject(parent, "head_commit");

	json_add_text(commit, "id", "%s", run_text(run, "head_sha"));
	json_add_text(commit, "tree_id", "%s", "4b825dc642cb6eb9a060e54bf8d69288fbee4904");
	json_add_text(commit, "message", "%s", run_text(run, "display_title"));
	json_add_text(commit, "timestamp", "%s", json_text(run->json, "created_at", ""));
	for (size_t i = 0; i < 2; i++) {
		cJSON *person = cJSON_AddObjectToObject(commit, people[i]);

		json_add_text(person, "name", "%s", "Octo Cat");
		json_add_text(person, "email", "%s", "octocat@example.com");
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
		json_add_text(json, rows[i].key, "%s%s", base, rows[i].suffix);
	if (attempt > 1)
		json_add_text(json, "previous_attempt_url", "%s/attempts/%u", base, attempt - 1);
	else
		cJSON_AddNullToObject(json, "previous_attempt_url");
	json_add_text(json, "workflow_url", "%s/repos/%s/actions/workflows/%llu", state->api,
		      run->repository, (unsigned long long)run_workflow(run));
	json_add_text(json, "check_suite_url", "%s/repos/%s/check-suites/%llu", state->api,
		      run->repository, (unsigned long long)run->id + 7);
	json_add_text(json, "html_url", "https://github.com/%s/actions/runs/%llu", run->repository,
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
	json_add_number(json, "id", run->id);
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		json_add_text(json, texts[i], "%s", run_text(run, texts[i]));
	json_add_text(json, "node_id", "WFR_%llu", (unsigned long long)run->id);
	json_add_number(json, "check_suite_id", run->id + 7);
	json_add_text(json, "check_suite_node_id", "CS_%llu", (unsigned long long)run->id + 7);
	json_add_number(json, "run_number", json_count(run->json, "run_number", 562));
	json_add_number(json, "run_attempt", attempt);
	cJSON_AddArrayToObject(json, "referenced_workflows");
	json_add_text(json, "status", "%s", run_status(run));
	json_add_text_or_null(json, "conclusion", run_conclusion(run));
	json_add_number(json, "workflow_id", run_workflow(run));
	cJSON_AddArrayToObject(json, "pull_requests");
	json_add_text(json, "created_at", "%s", created);
	json_add_text(json, "updated_at", "%s", json_text(run->json, "updated_at", created));
	json_add_text(json, "run_started_at", "%s",
		      json_text(run->json, "run_started_at", created));
	add_user(json, "actor", state, "octocat", "User", 583231);
	add_user(json, "triggering_actor", state, "octocat", "User", 583231);
	add_run_links(json, state, run, attempt);
	add_commit(json, run);
	cJSON_AddItemToObject(json, "repository",
			      make_repository(state, run->repository, run->repository_id,
					      run->is_private, false));
	cJSON_AddItemToObject(json, "head_repository", make_head_repository(state, run, run->json));
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
		json_add_text(json, "name", "%s", json_text(step, "name", "step"));
		json_add_text(json, "status", "%s", json_text(step, "status", "completed"));
		json_add_text_or_null(json, "conclusion", json_text(step, "conclusion", "success"));
		json_add_number(json, "number", ++number);
		json_add_text_or_null(json, "started_at", json_text(step, "started_at", NULL));
		json_add_text_or_null(json, "completed_at", json_text(step, "completed_at", NULL));
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
	json_add_number(json, "id", job->id);
	json_add_number(json, "run_id", run->id);
	json_add_text(json, "workflow_name", "%s", run_text(run, "name"));
	json_add_text(json, "head_branch", "%s", run_text(run, "head_branch"));
	json_add_text(json, "run_url", "%s/repos/%s/actions/runs/%llu", state->api, run->repository,
		      run_id);
	json_add_number(json, "run_attempt", job->attempt);
	json_add_text(json, "node_id", "CR_%llu", id);
	json_add_text(json, "head_sha", "%s", run_text(run, "head_sha"));
	json_add_text(json, "url", "%s/repos/%s/actions/jobs/%llu", state->api, run->repository,
		      id);
	json_add_text(json, "html_url", "https://github.com/%s/actions/runs/%llu/job/%llu",
		      run->repository, run_id, id);
	json_add_text(json, "status", "%s", status);
	json_add_text_or_null(json, "conclusion",
			      completed ? json_text(job->json, "conclusion", "success") : NULL);
	json_add_text(json, "created_at", "%s", json_text(job->json, "created_at", started));
	json_add_text(json, "started_at", "%s", started);
	json_add_text_or_null(json, "completed_at",
			      !completed ? NULL
					 : json_text(job->json, "completed_at",
						     json_text(run->json, "updated_at", started)));
	json_add_text(json, "name", "%s", json_text(job->json, "name", ""));
	add_steps(json, cJSON_GetObjectItemCaseSensitive(job->json, "steps"));
	json_add_text(json, "check_run_url", "%s/repos/%s/check-runs/%llu", state->api,
		      run->repository, id);
	cJSON_AddItemToArray(cJSON_AddArrayToObject(json, "labels"),
			     cJSON_CreateString(json_text(job->json, "label", "self-hosted")));
	json_add_number(json, "runner_id", 21);
	json_add_text(json, "runner_name", "%s", json_text(job->json, "runner", "runner-21"));
	json_add_number(json, "runner_group_id", 2);
	json_add_text(json, "runner_group_name", "%s", "default");
	return json;
}

static void add_head_repository_id(cJSON *json, const fixture_run *run)
{
	const cJSON *name = cJSON_GetObjectItemCaseSensitive(run->json, "head_repository");

	if (cJSON_IsNull(name))
		cJSON_AddNullToObject(json, "head_repository_id");
	else
		json_add_number(json, "head_repository_id",
				!cJSON_IsString(name) ? run->repository_id
						      : json_count(run->json, "head_repository_id",
								   run->repository_id + 1));
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
	json_add_number(json, "id", artifact->id);
	json_add_text(json, "node_id", "A_%llu", (unsigned long long)artifact->id);
	json_add_text(json, "name", "%s", artifact->name);
	json_add_number(json, "size_in_bytes", json_count(artifact->json, "size", body->length));
	json_add_text(json, "url", "%s/repos/%s/actions/artifacts/%llu", state->api,
		      run->repository, (unsigned long long)artifact->id);
	json_add_text(json, "archive_download_url", "%s/repos/%s/actions/artifacts/%llu/zip",
		      state->api, run->repository, (unsigned long long)artifact->id);
	cJSON_AddBoolToObject(json, "expired", artifact->expired);
	if (!cJSON_IsNull(digest))
		json_add_text(json, "digest", "%s",
			      json_text(artifact->json, "digest", body->digest));
	else
		cJSON_AddNullToObject(json, "digest");
	json_add_text(json, "created_at", "%s", artifact->created_at);
	json_add_text(json, "updated_at", "%s", artifact->created_at);
	json_add_text(json, "expires_at", "%s", expires ? expires : later);
	of = cJSON_AddObjectToObject(json, "workflow_run");
	json_add_number(of, "id", run->id);
	json_add_number(of, "repository_id", run->repository_id);
	add_head_repository_id(of, run);
	json_add_text(of, "head_branch", "%s", run_text(run, "head_branch"));
	json_add_text(of, "head_sha", "%s", run_text(run, "head_sha"));
	return json;
}

cJSON *render_workflow(const hub *state, const fixture_run *run)
{
	cJSON *json = cJSON_CreateObject();
	unsigned long long id = run_workflow(run);
	const char *path = run_text(run, "path"), *slash = strrchr(path, '/');

	json_add_number(json, "id", id);
	json_add_text(json, "node_id", "W_%llu", id);
	json_add_text(json, "name", "%s", run_text(run, "name"));
	json_add_text(json, "path", "%s", path);
	json_add_text(json, "state", "%s", "active");
	json_add_text(json, "created_at", "%s", "2020-01-08T23:48:37Z");
	json_add_text(json, "updated_at", "%s", "2020-01-08T23:50:21Z");
	json_add_text(json, "url", "%s/repos/%s/actions/workflows/%llu", state->api,
		      run->repository, id);
	json_add_text(json, "html_url", "https://github.com/%s/blob/main/%s", run->repository,
		      path);
	json_add_text(json, "badge_url", "https://github.com/%s/workflows/%s/badge.svg",
		      run->repository, slash ? slash + 1 : path);
	return json;
}

static void add_pull_end(cJSON *json, const char *key, const char *owner, const char *ref,
			 const char *sha, cJSON *repository)
{
	cJSON *end = cJSON_AddObjectToObject(json, key);

	json_add_text(end, "label", "%.*s:%s", (int)strcspn(owner, "/"), owner, ref);
	json_add_text(end, "ref", "%s", ref);
	json_add_text(end, "sha", "%s", sha);
	cJSON_AddItemToObject(end, "repo", repository);
}

cJSON *render_pull(const hub *state, const fixture_run *run, const cJSON *pull)
{
	cJSON *json = cJSON_CreateObject();
	unsigned long long number = json_count(pull, "number", 0);
	const char *default_branch = json_text(run->document, "default_branch", "main");

	json_add_number(json, "id", 1000000 + number);
	json_add_number(json, "number", number);
	json_add_text(json, "state", "%s", json_text(pull, "state", "open"));
	json_add_text(json, "title", "%s", json_text(pull, "title", "Change the loss"));
	json_add_text(json, "url", "%s/repos/%s/pulls/%llu", state->api, run->repository, number);
	json_add_text(json, "html_url", "https://github.com/%s/pull/%llu", run->repository, number);
	add_user(json, "user", state, "octocat", "User", 583231);
	add_pull_end(json, "head", json_text(pull, "head_repository", run->repository),
		     json_text(pull, "head_ref", "change"),
		     json_text(pull, "head_sha", run_text(run, "head_sha")),
		     make_head_repository(state, run, pull));
	add_pull_end(json, "base", run->repository, json_text(pull, "base_ref", default_branch),
		     json_text(pull, "base_sha", "6dcb09b5b57875f334f61aebed695e2e4193db5e"),
		     render_repository(state, run));
	return json;
}
