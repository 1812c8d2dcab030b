/* SPDX-License-Identifier: Apache-2.0 */
/* The hub: its answers against GitHub's own OpenAPI description, where that lies beside the
 * checkout, and its store against what is known of Azure's. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/buf.h"
#include "base/file.h"
#include "support/schema.h"

#include <cJSON.h>
#include <curl/curl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define DESCRIPTION "../shared/github/openapi-actions.json"
#define RUNS        "/repos/{owner}/{repo}/actions/runs"
#define REPOSITORY  "/repos/NVIDIA/Megatron-LM/actions"
#define RUN         REPOSITORY "/runs/22651183945"

static char program_folder[4096]; /* build/VARIANT, where the hub is */

/* ---- the hub ---- */

typedef struct {
	pid_t pid;
	char folder[64], ready[80], url[128];
	cJSON *description;
} hub_state;

static cJSON *read_json(const char *path)
{
	rg_buf text;
	rg_error *err;
	cJSON *json;

	rg_buf_init(&text, RG_BUF_TEXT);
	err = rg_file_read(&text, path);
	rg_error_free(err);
	json = err ? NULL : cJSON_ParseWithLength(text.data, text.length);
	rg_buf_release(&text);
	return json;
}

static bool wait_for_address(hub_state *hub)
{
	const struct timespec moment = {.tv_nsec = 20000000};

	for (int i = 0; i < 3000; i++) {
		FILE *file = fopen(hub->ready, "r");

		if (file) {
			bool got = fgets(hub->url, sizeof(hub->url), file) != NULL;

			fclose(file);
			hub->url[strcspn(hub->url, "\n")] = '\0';
			return got;
		}
		nanosleep(&moment, NULL);
	}
	return false;
}

static int start(void **state)
{
	hub_state *hub = calloc(1, sizeof(*hub));
	char program[4200];

	if (!hub)
		return -1;
	*state = hub;
	hub->description = read_json(DESCRIPTION);
	snprintf(program, sizeof(program), "%s/hub", program_folder);
	snprintf(hub->folder, sizeof(hub->folder), "/tmp/regild-openapi-XXXXXX");
	if (!mkdtemp(hub->folder))
		return -1;
	snprintf(hub->ready, sizeof(hub->ready), "%s/ready", hub->folder);
	hub->pid = fork();
	if (hub->pid == 0) {
		execl(program, "hub", "--ready", hub->ready, "fixtures/demo", (char *)NULL);
		_exit(127);
	}
	return hub->pid > 0 && wait_for_address(hub) ? 0 : -1;
}

static int stop(void **state)
{
	hub_state *hub = *state;
	int status = 0;

	if (hub->pid > 0) {
		kill(hub->pid, SIGTERM);
		waitpid(hub->pid, &status, 0);
		unlink(hub->ready);
		rmdir(hub->folder);
	}
	cJSON_Delete(hub->description);
	free(hub);
	return status;
}

static size_t take(char *bytes, size_t size, size_t count, void *context)
{
	rg_buf_add(context, bytes, size * count);
	return count;
}

/* An answer; `link`, `location` and `range` are "" where the header is missing. */
typedef struct {
	long status;
	rg_buf body;
	char link[2048], location[1024], range[128];
} answer;

static void copy_header(CURL *curl, const char *name, char *out, size_t size)
{
	struct curl_header *header = NULL;

	out[0] = '\0';
	if (curl_easy_header(curl, name, 0, CURLH_HEADER, -1, &header) == CURLHE_OK)
		snprintf(out, size, "%s", header->value);
}

/* `authorization` and `range` may be NULL. The body is released by the caller. */
static void get(answer *out, const char *url, const char *authorization, const char *range)
{
	CURL *curl = curl_easy_init();
	struct curl_slist *headers = curl_slist_append(NULL, "User-Agent: regild-test");

	assert_non_null(curl);
	rg_buf_init(&out->body, (size_t)64 << 20);
	if (authorization)
		headers = curl_slist_append(headers, authorization);
	curl_easy_setopt(curl, CURLOPT_URL, url);
	curl_easy_setopt(curl, CURLOPT_NOPROXY, "*");
	curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
	curl_easy_setopt(curl, CURLOPT_RANGE, range);
	curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, take);
	curl_easy_setopt(curl, CURLOPT_WRITEDATA, &out->body);
	assert_int_equal(curl_easy_perform(curl), CURLE_OK);
	curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &out->status);
	copy_header(curl, "Link", out->link, sizeof(out->link));
	copy_header(curl, "Location", out->location, sizeof(out->location));
	copy_header(curl, "Content-Range", out->range, sizeof(out->range));
	curl_slist_free_all(headers);
	curl_easy_cleanup(curl);
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

static void answers_fit(void **state)
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
static void runs_are_found_by_time(void **state)
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

static void refusals_have_their_status(void **state)
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

static void every_mutation_is_seen(void **state)
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
static void wrong_values_are_seen(void **state)
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

static void the_store_serves_single_ranges(void **state)
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

static void the_store_refuses_tokens_and_bad_signatures(void **state)
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

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(answers_fit),
		cmocka_unit_test(runs_are_found_by_time),
		cmocka_unit_test(refusals_have_their_status),
		cmocka_unit_test(every_mutation_is_seen),
		cmocka_unit_test(wrong_values_are_seen),
		cmocka_unit_test(the_store_serves_single_ranges),
		cmocka_unit_test(the_store_refuses_tokens_and_bad_signatures),
	};
	const char *unit = argc > 0 ? strstr(argv[0], "/unit/") : NULL;

	if (!unit)
		return 2;
	snprintf(program_folder, sizeof(program_folder), "%.*s", (int)(unit - argv[0]), argv[0]);
	return cmocka_run_group_tests(tests, start, stop);
}
