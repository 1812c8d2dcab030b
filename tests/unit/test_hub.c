/* SPDX-License-Identifier: Apache-2.0 */
/* The hub: its answers against GitHub's own OpenAPI description, where that lies beside the
 * checkout, and its store against what is known of Azure's. */
#include "unit.h"

#include "unit/hub_client.h"

#include "support/schema.h"

#include <math.h>

#define DESCRIPTION "../shared/github/openapi-actions.json"
#define RUNS        "/repos/{owner}/{repo}/actions/runs"
#define REPOSITORY  "/repos/NVIDIA/Megatron-LM/actions"
#define RUN         REPOSITORY "/runs/22651183945"

static int start(void **state)
{
	const char *const options[] = {NULL};

	return start_hub(state, DESCRIPTION, "fixtures/demo", options);
}

static void get_api(answer *out, const hub_state *hub, const char *path)
{
	char url[1024];

	snprintf(url, sizeof(url), "%s%s", hub->url, path);
	get(out, url, "Authorization: Bearer test-token", NULL);
}

/* The parsed body, or NULL; *status, and *next_page where Link names one. */
static cJSON *fetch(const hub_state *hub, const char *path, long *status, bool *next_page)
{
	answer got;
	cJSON *json;

	get_api(&got, hub, path);
	*status = got.status;
	if (next_page)
		*next_page = strstr(got.link, "rel=\"next\"") != NULL;
	json = cJSON_ParseWithLength(got.body.data, got.body.length);
	rg_buf_release(&got.body);
	return json;
}

static const cJSON *schema_of(const hub_state *hub, const char *path)
{
	static const char *const steps[] = {"get",     "responses",        "200",
					    "content", "application/json", "schema"};
	const cJSON *at = cJSON_GetObjectItemCaseSensitive(hub->description, "paths");

	at = cJSON_GetObjectItemCaseSensitive(at, path);
	for (size_t i = 0; i < sizeof(steps) / sizeof(*steps); i++)
		at = cJSON_GetObjectItemCaseSensitive(at, steps[i]);
	assert_non_null(at);
	return at;
}

/* ---- the tests ---- */

static const struct {
	const char *description, *path;
	const char *list;      /* the answer's list, or NULL */
	int pages, last_count; /* following Link; items on the last page */
} answers[] = {
	{RUNS "/{run_id}", RUN, NULL, 1, 0},
	{RUNS, REPOSITORY "/runs", "workflow_runs", 1, 1},
	{"/repos/{owner}/{repo}/actions/workflows/{workflow_id}/runs",
	 REPOSITORY "/workflows/cicd-main.yml/runs?status=failure", "workflow_runs", 1, 1},
	{RUNS "/{run_id}/jobs", RUN "/jobs?filter=latest", "jobs", 1, 15},
	{RUNS "/{run_id}/jobs", RUN "/jobs?filter=all&per_page=4", "jobs", 4, 3},
	{RUNS "/{run_id}/attempts/{attempt_number}/jobs", RUN "/attempts/1/jobs?per_page=15",
	 "jobs", 1, 15},
	{RUNS "/{run_id}/artifacts", RUN "/artifacts?per_page=5", "artifacts", 3, 4},
	{RUNS "/{run_id}/artifacts", RUN "/artifacts?name=coverage-report", "artifacts", 1, 1},
};

TEST_GROUP(start, stop_hub);

TEST(answers_fit)
{
	const hub_state *hub = *state;

	if (!hub->description)
		skip();
	for (size_t i = 0; i < sizeof(answers) / sizeof(*answers); i++) {
		bool more = true;
		int page = 0;

		for (; more; page++) {
			char path[512];
			long status = 0;
			cJSON *json;

			snprintf(path, sizeof(path), "%s%cpage=%d", answers[i].path,
				 strchr(answers[i].path, '?') ? '&' : '?', page + 1);
			json = fetch(hub, path, &status, &more);
			assert_int_equal(status, 200);
			assert_true(
				schema_fits(schema_of(hub, answers[i].description), json, NULL));
			if (!more && answers[i].list)
				assert_int_equal(
					cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(
						json, answers[i].list)),
					answers[i].last_count);
			cJSON_Delete(json);
		}
		assert_int_equal(page, answers[i].pages);
	}
}

/* As GitHub's search has it: days and times, the latter with any offset. */
TEST(runs_are_found_by_time)
{
	static const struct {
		const char *created; /* the run is of 2026-03-04T05:00:11Z */
		int found;
	} cases[] = {
		{"2026-03-04", 1},
		{"2026-03-05", 0},
		{"%3E2026-03-04T05:00:11Z", 0},
		{"%3E%3D2026-03-04T05:00:11Z", 1},
		{"%3E%3D2026-03-04T07:00:11%2B02:00", 1},
		{"%3E%3D2026-03-04T07:00:12%2B02:00", 0},
		{"%3C%3D2026-03-04T00:30:11-04:30", 1},
		{"%3C%3D2026-03-04T00:30:10-04:30", 0},
		{"2026-03-04T07:00:11%2B02:00..*", 1},
		{"*..2026-03-04T07:00:10%2B02:00", 0},
		{"%3E%3D2026-03-04T07:00:11%2B2", 0},
		{"%3E%3Dyesterday", 0},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		char path[512];
		long status = 0;
		cJSON *json;

		snprintf(path, sizeof(path), REPOSITORY "/runs?created=%s", cases[i].created);
		json = fetch(*state, path, &status, NULL);
		assert_int_equal(status, 200);
		assert_int_equal(
			cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(json, "workflow_runs")),
			cases[i].found);
		cJSON_Delete(json);
	}
}

TEST(refusals_have_their_status)
{
	static const struct {
		const char *path;
		long status;
	} rows[] = {
		{REPOSITORY "/runs/1", 404},
		{"/repos/nobody/nothing/actions/runs/22651183945", 404},
		{RUN "/attempts/2/jobs", 404},
		{REPOSITORY "/artifacts/5747311888/zip", 410}, /* the expired one */
		{REPOSITORY "/artifacts/5747310411/zip", 302},
	};
	const hub_state *hub = *state;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		long status = 0;

		cJSON_Delete(fetch(hub, rows[i].path, &status, NULL));
		assert_int_equal(status, rows[i].status);
	}
}

/* Takes away, and then spoils, each required property of the value and of what is in it, and looks
 * that `root` no longer fits. Returns how many. */
static int mutate(const cJSON *root_schema, const cJSON *root, const cJSON *schema, cJSON *value)
{
	const cJSON *properties = cJSON_GetObjectItemCaseSensitive(schema, "properties"), *name;
	int count = 0;

	if (cJSON_IsArray(value) && cJSON_GetArraySize(value) > 0)
		return mutate(root_schema, root, cJSON_GetObjectItemCaseSensitive(schema, "items"),
			      cJSON_GetArrayItem(value, 0));
	cJSON_ArrayForEach(name, cJSON_GetObjectItemCaseSensitive(schema, "required"))
	{
		const char *key = name->valuestring;
		cJSON *item = cJSON_DetachItemFromObjectCaseSensitive(value, key);
		bool list = cJSON_IsArray(item);

		assert_false(schema_fits(root_schema, root, NULL));
		cJSON_AddItemToObject(value, key, list ? cJSON_CreateTrue() : cJSON_CreateArray());
		/* Required but described nowhere: "description" of a repository. */
		if (cJSON_HasObjectItem(properties, key) && schema_fits(root_schema, root, NULL))
			fail_msg("%s may be of a wrong type", key);
		cJSON_DeleteItemFromObjectCaseSensitive(value, key);
		cJSON_AddItemToObject(value, key, item);
		count += 1 + mutate(root_schema, root,
				    cJSON_GetObjectItemCaseSensitive(properties, key), item);
	}
	return count;
}

TEST(every_mutation_is_seen)
{
	const hub_state *hub = *state;

	if (!hub->description)
		skip();
	for (size_t i = 0; i < sizeof(answers) / sizeof(*answers); i++) {
		const cJSON *schema = schema_of(hub, answers[i].description);
		long status = 0;
		cJSON *json = fetch(hub, answers[i].path, &status, NULL);

		assert_true(schema_fits(schema, json, NULL));
		assert_true(mutate(schema, json, schema, json) >= 10);
		assert_true(schema_fits(schema, json, NULL));
		cJSON_Delete(json);
	}
}

/* What the mutations above cannot reach: values of the right type that are wrong anyway. */
TEST(wrong_values_are_seen)
{
	static const struct {
		const char *key, *value;
	} rows[] = {
		{"started_at", "\"yesterday\""}, {"started_at", "null"},     {"id", "1.5"},
		{"conclusion", "\"failed\""},    {"status", "\"finished\""}, {"labels", "[1]"},
	};
	const hub_state *hub = *state;
	const cJSON *schema;
	cJSON *json, *job;
	long status = 0;

	if (!hub->description)
		skip();
	schema = schema_of(hub, RUNS "/{run_id}/jobs");
	json = fetch(hub, RUN "/jobs", &status, NULL);
	job = cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(json, "jobs"), 0);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		cJSON *right = cJSON_DetachItemFromObjectCaseSensitive(job, rows[i].key);

		cJSON_AddItemToObject(job, rows[i].key, cJSON_Parse(rows[i].value));
		if (schema_fits(schema, json, NULL))
			fail_msg("%s may be %s", rows[i].key, rows[i].value);
		cJSON_DeleteItemFromObjectCaseSensitive(job, rows[i].key);
		cJSON_AddItemToObject(job, rows[i].key, right);
	}
	assert_true(schema_fits(schema, json, NULL));
	cJSON_Delete(json);
}

/* An artifact's address at the store; "?" is where the query begins. */
static void signed_url(const hub_state *hub, char *out, size_t size)
{
	answer got;

	get_api(&got, hub, REPOSITORY "/artifacts/5747310411/zip");
	assert_int_equal(got.status, 302);
	snprintf(out, size, "%s", got.location);
	rg_buf_release(&got.body);
}

TEST(the_store_serves_single_ranges)
{
	static const struct {
		const char *range;
		long status;
		long long length; /* below 0: less than the whole by that much */
		const char *content_range;
	} rows[] = {
		{NULL, 200, 0, ""},
		{"0-3", 206, 4, "bytes 0-3/"},
		{"4-4", 206, 1, "bytes 4-4/"},
		{"1000-", 206, -1000, "bytes 1000-"},
		{"8388608-99999999", 206, -8388608, "bytes 8388608-"},
		{"-100", 200, 0, ""}, /* Azure knows no suffix ranges */
		{"0-3,8-9", 200, 0, ""},
		{"99999999-", 416, 165, "bytes */"},
	};
	char url[1024];
	long long whole = 0;

	signed_url(*state, url, sizeof(url));
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		answer got;

		get(&got, url, NULL, rows[i].range);
		assert_int_equal(got.status, rows[i].status);
		if (i == 0)
			whole = (long long)got.body.length;
		assert_int_equal(got.body.length,
				 rows[i].length > 0 ? rows[i].length : whole + rows[i].length);
		assert_memory_equal(got.range, rows[i].content_range,
				    strlen(rows[i].content_range));
		if (rows[i].range && rows[i].status == 206 && rows[i].range[0] == '0')
			assert_memory_equal(got.body.data, "PK\3\4", 4);
		rg_buf_release(&got.body);
	}
}

TEST(the_store_refuses_tokens_and_bad_signatures)
{
	char url[1024], *signature;
	answer got;

	signed_url(*state, url, sizeof(url));
	get(&got, url, "Authorization: Bearer test-token", NULL);
	assert_int_equal(got.status, 400);
	rg_buf_release(&got.body);
	signature = strstr(url, "sig=");
	assert_non_null(signature);
	signature[4] = signature[4] == 'A' ? 'B' : 'A';
	get(&got, url, NULL, NULL);
	assert_int_equal(got.status, 403);
	rg_buf_release(&got.body);
	*strchr(url, '?') = '\0';
	get(&got, url, NULL, NULL);
	assert_int_equal(got.status, 403);
	rg_buf_release(&got.body);
}

/* ---- what is beside a run: its log, its pull request, its fork ---- */

#define FORK "/repos/o/n"

static const char fork_run[] =
	"{\"repository\": \"o/n\", \"repository_id\": 5, \"default_branch\": \"trunk\","
	" \"run\": {\"id\": 7, \"created_at\": \"2026-03-01T04:00:00Z\", \"status\": "
	"\"in_progress\","
	"  \"head_sha\": \"00000000000000000000000000000000000000aa\", \"head_repository\": "
	"\"me/n\"},"
	" \"pulls\": [{\"number\": 12, \"head_sha\": \"00000000000000000000000000000000000000aa\","
	"  \"head_ref\": \"topic\", \"head_repository\": \"me/n\"},"
	"  {\"number\": 13, \"head_repository\": null}],"
	" \"jobs\": [{\"name\": \"a\", \"log\": \"2026-03-01T04:00:01.1234567Z loss: 1\\n\"},"
	"  {\"name\": \"b\"}],"
	" \"artifacts\": [{\"name\": \"x\", \"files\": {\"a\": \"b\"}}]}";

static char fork_fixture[] = "/tmp/regild-fork-XXXXXX";

static int start_fork(void **state)
{
	const char *const options[] = {"--api-version", "2022-11-28", NULL};
	char path[64];
	rg_error *err;

	if (!mkdtemp(fork_fixture))
		return -1;
	snprintf(path, sizeof(path), "%s/run.json", fork_fixture);
	err = rg_file_replace(path, fork_run, strlen(fork_run), 0644);
	if (err) {
		rg_error_free(err);
		return -1;
	}
	return start_hub(state, DESCRIPTION, fork_fixture, options);
}

static int stop_fork(void **state)
{
	rg_error_free(rg_remove_tree(fork_fixture));
	return stop_hub(state);
}

/* A field by the names on the way to it, "head.repo.full_name", as text; "" where there is none. */
static void field_of(const hub_state *hub, const char *path, const char *field, char *out,
		     size_t size)
{
	long status = 0;
	cJSON *json = fetch(hub, path, &status, NULL);
	const cJSON *at = json;
	char names[128], *save = NULL, *name, *text;

	assert_int_equal(status, 200);
	snprintf(names, sizeof(names), "%s", field);
	for (name = strtok_r(names, ".", &save); name; name = strtok_r(NULL, ".", &save))
		at = cJSON_IsArray(at) ? cJSON_GetArrayItem(at, *name - '0')
				       : cJSON_GetObjectItemCaseSensitive(at, name);
	text = at ? cJSON_PrintUnformatted(at) : NULL;
	snprintf(out, size, "%s", text ? text : "");
	cJSON_free(text);
	cJSON_Delete(json);
}

TEST_GROUP(start_fork, stop_fork);

TEST(forks_and_pull_requests_are_known)
{
	static const struct {
		const char *path, *field, *value;
	} rows[] = {
		{FORK, "full_name", "\"o/n\""},
		{FORK, "default_branch", "\"trunk\""},
		{FORK "/pulls/12", "head.sha", "\"00000000000000000000000000000000000000aa\""},
		{FORK "/pulls/12", "head.ref", "\"topic\""},
		{FORK "/pulls/12", "head.repo.full_name", "\"me/n\""},
		{FORK "/pulls/13", "head.repo", "null"},
		{FORK "/actions/runs/7", "head_repository.full_name", "\"me/n\""},
		{FORK "/actions/runs/7", "head_repository.id", "6"},
		{FORK "/actions/runs/7", "repository.id", "5"},
		{FORK "/actions/runs", "workflow_runs.0.status", "\"in_progress\""},
		{FORK "/actions/runs?head_sha=00000000000000000000000000000000000000aa",
		 "workflow_runs.0.id", "7"},
		{FORK "/actions/runs?head_sha=0", "total_count", "0"},
		{FORK "/actions/runs/7/artifacts", "artifacts.0.workflow_run.head_repository_id",
		 "6"},
		{FORK "/actions/workflows", "total_count", "1"},
		{FORK "/actions/workflows", "workflows.0.path",
		 "\".github/workflows/cicd-main.yml\""},
		{FORK "/actions/jobs/7001", "name", "\"a\""},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		char value[256];

		field_of(*state, rows[i].path, rows[i].field, value, sizeof(value));
		assert_string_equal(value, rows[i].value);
	}
}

TEST(logs_are_at_the_store)
{
	answer got;
	char url[1024];

	get_api(&got, *state, FORK "/actions/jobs/7001/logs");
	assert_int_equal(got.status, 302);
	snprintf(url, sizeof(url), "%s", got.location);
	rg_buf_release(&got.body);
	get(&got, url, NULL, NULL);
	assert_int_equal(got.status, 200);
	assert_string_equal(got.body.data, "2026-03-01T04:00:01.1234567Z loss: 1\n");
	rg_buf_release(&got.body);
	get_api(&got, *state, FORK "/actions/jobs/7002/logs");
	assert_int_equal(got.status, 404);
	rg_buf_release(&got.body);
}

TEST(newer_versions_are_refused)
{
	static const struct {
		const char *version;
		long status;
	} rows[] = {{"2022-11-28", 200}, {"2026-03-10", 400}};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		char url[256], headers[256];
		answer got;

		snprintf(url, sizeof(url), "%s%s", ((const hub_state *)*state)->url, FORK);
		snprintf(headers, sizeof(headers),
			 "Authorization: Bearer test-token\nX-GitHub-Api-Version: %s",
			 rows[i].version);
		get(&got, url, headers, NULL);
		assert_int_equal(got.status, rows[i].status);
		rg_buf_release(&got.body);
	}
}

TEST(it_answers_as_a_proxy)
{
	answer got;
	cJSON *json;

	get_through(&got, "http://api.github.localhost" FORK "/actions/runs/7?x=1",
		    "Authorization: token test-token", NULL, ((const hub_state *)*state)->url);
	assert_int_equal(got.status, 200);
	json = take_json(&got);
	assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItem(json, "jobs_url")),
			    "http://api.github.localhost" FORK "/actions/runs/7/jobs");
	cJSON_Delete(json);
}

int main(int argc, char **argv)
{
	return run_hub_tests(argc > 0 ? argv[0] : NULL, unit_run);
}
