/* The hub's answers against GitHub's own OpenAPI description, where it lies beside the checkout. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/buf.h"
#include "base/file.h"

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

/* ---- the checker: as much of JSON Schema as the description uses ---- */

static bool check(const cJSON *schema, const cJSON *value, rg_buf *path);

static bool misfit(rg_buf *path, const char *what, const char *name)
{
	rg_buf_printf(path, ": %s%s", what, name);
	return false;
}

static bool is_date_time(const char *text)
{
	struct tm when;
	const char *end = strptime(text, "%Y-%m-%dT%H:%M:%S", &when);

	return end && (strcmp(end, "Z") == 0 || *end == '+' || *end == '-' || *end == '.');
}

static bool format_fits(const char *format, const cJSON *value)
{
	if (!cJSON_IsString(value))
		return true;
	if (strcmp(format, "date-time") == 0)
		return is_date_time(value->valuestring);
	if (strcmp(format, "uri") == 0)
		return strstr(value->valuestring, "://") != NULL;
	if (strcmp(format, "email") == 0)
		return strchr(value->valuestring, '@') != NULL;
	return true;
}

static bool type_fits(const char *type, const cJSON *value)
{
	if (strcmp(type, "object") == 0)
		return cJSON_IsObject(value);
	if (strcmp(type, "array") == 0)
		return cJSON_IsArray(value);
	if (strcmp(type, "string") == 0)
		return cJSON_IsString(value);
	if (strcmp(type, "boolean") == 0)
		return cJSON_IsBool(value);
	if (strcmp(type, "integer") == 0)
		return cJSON_IsNumber(value) && value->valuedouble == floor(value->valuedouble);
	return strcmp(type, "number") == 0 && cJSON_IsNumber(value);
}

static bool enum_fits(const cJSON *list, const cJSON *value)
{
	const cJSON *item;

	cJSON_ArrayForEach(item, list) if (cJSON_Compare(item, value, true)) return true;
	return false;
}

static bool check_object(const cJSON *schema, const cJSON *value, rg_buf *path)
{
	const cJSON *properties = cJSON_GetObjectItemCaseSensitive(schema, "properties");
	const cJSON *more = cJSON_GetObjectItemCaseSensitive(schema, "additionalProperties");
	const cJSON *item;

	cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(schema, "required")) if (
		!cJSON_HasObjectItem(value, item->valuestring)) return misfit(path, "it lacks ",
									      item->valuestring);
	cJSON_ArrayForEach(item, value)
	{
		const cJSON *known = cJSON_GetObjectItemCaseSensitive(properties, item->string);
		size_t length = path->length;

		if (!known && cJSON_IsObject(more))
			known = more;
		if (!known && cJSON_IsFalse(more))
			return misfit(path, "unknown property ", item->string);
		rg_buf_printf(path, "/%s", item->string);
		if (known && !check(known, item, path))
			return false;
		rg_buf_truncate(path, length);
	}
	return true;
}

static bool check_array(const cJSON *schema, const cJSON *value, rg_buf *path)
{
	const cJSON *items = cJSON_GetObjectItemCaseSensitive(schema, "items"), *item;
	int index = 0;

	cJSON_ArrayForEach(item, value)
	{
		size_t length = path->length;

		rg_buf_printf(path, "/%d", index++);
		if (items && !check(items, item, path))
			return false;
		rg_buf_truncate(path, length);
	}
	return true;
}

/* A keyword that this checker does not know is a failure: nothing of the description may be passed
 * over in silence. */
static bool keyword_is_known(const char *keyword)
{
	static const char *const known[] = {
		"type",    "nullable", "required", "properties", "additionalProperties",
		"items",   "enum",     "format",   "title",      "description",
		"example", "examples", "default",  "deprecated"};

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (strcmp(known[i], keyword) == 0)
			return true;
	return false;
}

/* False with a message behind the path in `path`, which is as it was otherwise. */
static bool check(const cJSON *schema, const cJSON *value, rg_buf *path)
{
	const cJSON *type = cJSON_GetObjectItemCaseSensitive(schema, "type");
	const cJSON *list = cJSON_GetObjectItemCaseSensitive(schema, "enum");
	const cJSON *format = cJSON_GetObjectItemCaseSensitive(schema, "format");
	const cJSON *keyword;

	cJSON_ArrayForEach(keyword, schema) if (!keyword_is_known(keyword->string)) return misfit(
		path, "the checker does not know ", keyword->string);
	if (cJSON_IsNull(value))
		return cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(schema, "nullable")) ||
		       misfit(path, "it is null", "");
	if (type && !type_fits(type->valuestring, value))
		return misfit(path, "it is no ", type->valuestring);
	if (list && !enum_fits(list, value))
		return misfit(path, "not one of its enum", "");
	if (format && !format_fits(format->valuestring, value))
		return misfit(path, "it is no ", format->valuestring);
	if (cJSON_IsObject(value))
		return check_object(schema, value, path);
	return !cJSON_IsArray(value) || check_array(schema, value, path);
}

static bool fits(const cJSON *schema, const cJSON *value, bool loud)
{
	rg_buf path;
	bool result;

	rg_buf_init(&path, RG_BUF_TEXT);
	result = check(schema, value, &path);
	if (!result && loud)
		print_error("%s\n", path.data);
	rg_buf_release(&path);
	return result;
}

/* ---- the hub ---- */

typedef struct {
	pid_t pid;
	char ready[64], url[128];
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

	for (int i = 0; i < 500; i++) {
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
	if (!hub->description)
		return 0;
	snprintf(program, sizeof(program), "%s/hub", program_folder);
	snprintf(hub->ready, sizeof(hub->ready), "/tmp/regild-openapi-%ld", (long)getpid());
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

/* The parsed body, or NULL; *status, and *next_page where Link names one. */
static cJSON *fetch(const hub_state *hub, const char *path, long *status, bool *next_page)
{
	CURL *curl = curl_easy_init();
	struct curl_slist *headers = curl_slist_append(NULL, "Authorization: Bearer test-token");
	struct curl_header *link = NULL;
	char url[1024];
	rg_buf body;
	cJSON *json;

	assert_non_null(curl);
	rg_buf_init(&body, RG_BUF_TEXT);
	snprintf(url, sizeof(url), "%s%s", hub->url, path);
	curl_easy_setopt(curl, CURLOPT_URL, url);
	curl_easy_setopt(curl, CURLOPT_NOPROXY, "*");
	curl_easy_setopt(curl, CURLOPT_USERAGENT, "regild-test");
	curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
	curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, take);
	curl_easy_setopt(curl, CURLOPT_WRITEDATA, &body);
	assert_int_equal(curl_easy_perform(curl), CURLE_OK);
	curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, status);
	if (next_page)
		*next_page = curl_easy_header(curl, "Link", 0, CURLH_HEADER, -1, &link) ==
				     CURLHE_OK &&
			     strstr(link->value, "rel=\"next\"") != NULL;
	json = cJSON_ParseWithLength(body.data, body.length);
	curl_slist_free_all(headers);
	curl_easy_cleanup(curl);
	rg_buf_release(&body);
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
			assert_true(fits(schema_of(hub, answers[i].description), json, true));
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

	if (!hub->description)
		skip();
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

		assert_false(fits(root_schema, root, false));
		cJSON_AddItemToObject(value, key, list ? cJSON_CreateTrue() : cJSON_CreateArray());
		/* Required but described nowhere: "description" of a repository. */
		if (cJSON_HasObjectItem(properties, key) && fits(root_schema, root, false))
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

		assert_true(fits(schema, json, true));
		assert_true(mutate(schema, json, schema, json) >= 10);
		assert_true(fits(schema, json, true));
		cJSON_Delete(json);
	}
}

/* What the mutations above cannot reach: values of the right type that are wrong all the same. */
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
		if (fits(schema, json, false))
			fail_msg("%s may be %s", rows[i].key, rows[i].value);
		cJSON_DeleteItemFromObjectCaseSensitive(job, rows[i].key);
		cJSON_AddItemToObject(job, rows[i].key, right);
	}
	assert_true(fits(schema, json, true));
	cJSON_Delete(json);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(answers_fit),
		cmocka_unit_test(refusals_have_their_status),
		cmocka_unit_test(every_mutation_is_seen),
		cmocka_unit_test(wrong_values_are_seen),
	};
	const char *unit = argc > 0 ? strstr(argv[0], "/unit/") : NULL;

	if (!unit)
		return 2;
	snprintf(program_folder, sizeof(program_folder), "%.*s", (int)(unit - argv[0]), argv[0]);
	return cmocka_run_group_tests(tests, start, stop);
}
