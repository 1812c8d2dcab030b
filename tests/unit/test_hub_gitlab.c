/* SPDX-License-Identifier: Apache-2.0 */
/* The hub as GitLab: the fields of its answers, its pages and filters, who may read what, and what
 * its faults do. */
#include "unit.h"

#include "unit/hub_client.h"

#include "support/schema.h"

#define PROJECT "/api/v4/projects/19378"
#define CHILD   PROJECT "/pipelines/31416"
#define JOB     PROJECT "/jobs/510002"
#define FOLDER  "results/iteration=1/1/assets/basic/gpt3-mcore-te-tp2-pp2-resume-dev-dgx-h100/"
#define MEMBER  "PRIVATE-TOKEN: test-token"

static void get_path(answer *out, const hub_state *hub, const char *path, const char *headers)
{
	char url[1024];

	snprintf(url, sizeof(url), "%s%s", hub->url, path);
	get(out, url, headers, NULL);
}

static cJSON *fetch(const hub_state *hub, const char *path)
{
	answer got;

	get_path(&got, hub, path, MEMBER);
	if (got.status != 200)
		fail_msg("%s: %ld", path, got.status);
	return take_json(&got);
}

/* One header of the answer, and its value: "x-total: 3". */
static void assert_header(const answer *got, const char *line)
{
	char with_end[256];

	snprintf(with_end, sizeof(with_end), "%s\r\n", line);
	if (!strstr(got->headers, with_end))
		fail_msg("no '%s' in:\n%s", line, got->headers);
}

/* The ids of a list, in its order: "3 2 1". */
static void ids_of(const cJSON *list, char *out, size_t size)
{
	const cJSON *item;
	size_t used = 0;

	assert_true(cJSON_IsArray(list));
	out[0] = '\0';
	cJSON_ArrayForEach(item, list)
	{
		const cJSON *id = cJSON_GetObjectItemCaseSensitive(item, "id");

		used += (size_t)snprintf(out + used, size - used, "%s%.0f", used ? " " : "",
					 cJSON_GetNumberValue(id));
	}
}

static int start(void **state)
{
	const char *const options[] = {NULL};

	return start_hub(state, "tests/hub/gitlab-api.json", "fixtures/pipeline", options);
}

TEST_GROUP(start, stop_hub);

/* ---- answers ---- */

TEST(answers_have_their_fields)
{
	static const struct {
		const char *schema, *path;
	} rows[] = {
		{"project", PROJECT},
		{"project", "/api/v4/projects/adlr%2Ftools%2Fcheckpoints"},
		{"pipeline", PROJECT "/pipelines/31415"},
		{"pipelines", PROJECT "/pipelines"},
		{"pipelines", PROJECT "/merge_requests/7/pipelines"},
		{"merge_request", PROJECT "/merge_requests/7"},
		{"job", JOB},
		{"job", CHILD "/jobs?include_retried=true"},
		{"bridges", PROJECT "/pipelines/31415/bridges"},
		{"tree", JOB "/artifacts/tree"},
		{"tree", JOB "/artifacts/tree?recursive=true"},
	};
	const hub_state *hub = *state;

	assert_non_null(hub->description);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const cJSON *schema =
			cJSON_GetObjectItemCaseSensitive(hub->description, rows[i].schema);
		bool each = strcmp(rows[i].schema, "job") == 0;
		cJSON *json = fetch(hub, rows[i].path);
		const cJSON *item = json && each && cJSON_IsArray(json) ? json->child : json;
		rg_buf message;

		assert_non_null(schema);
		assert_non_null(item);
		for (; item; item = item->next) {
			rg_buf_init(&message, RG_BUF_TEXT);
			if (!schema_fits(schema, item, &message))
				fail_msg("%s%s", rows[i].path, message.data);
			rg_buf_release(&message);
		}
		cJSON_Delete(json);
	}
}

TEST(lists_are_filtered_and_sorted)
{
	static const struct {
		const char *path, *ids;
	} rows[] = {
		/* Child pipelines are there for those who ask. */
		{PROJECT "/pipelines", "31415 31300"},
		{PROJECT "/pipelines?source=parent_pipeline", "31418 31417 31416"},
		{PROJECT "/pipelines?source=schedule", "31415"},
		{PROJECT "/pipelines?ref=main", "31415"},
		{PROJECT "/pipelines?ref=refs%2Fmerge-requests%2F7%2Fhead", "31300"},
		{PROJECT "/pipelines?status=success", "31300"},
		{PROJECT "/pipelines?scope=finished&sort=asc", "31300 31415"},
		{PROJECT "/pipelines?sha=77aa0c3d5e6f708192a3b4c5d6e7f8091a2b3c4d", "31300"},
		{PROJECT "/pipelines?updated_after=2026-03-04T00:00:00.000Z", "31415"},
		{PROJECT "/pipelines?updated_before=2026-03-04T00:00:00Z", "31300"},
		{PROJECT "/pipelines?order_by=updated_at&sort=asc", "31300 31415"},
		{PROJECT "/merge_requests/7/pipelines", "31300"},
		{PROJECT "/pipelines/31415/jobs", "500002 500001"},
		{PROJECT "/pipelines/31415/bridges", "500013 500012 500011 500010"},
		{PROJECT "/pipelines/31415/bridges?scope[]=skipped", "500012"},
		{CHILD "/jobs?scope[]=canceled", "510009"},
		{CHILD "/jobs?scope%5B%5D=failed&scope%5B%5D=canceled",
		 "510010 510009 510008 510006 510005 510002"},
		{CHILD "/jobs?scope[]=failed&include_retried=true&per_page=5&page=2", "510001"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		cJSON *json = fetch(*state, rows[i].path);
		char ids[512];

		ids_of(json, ids, sizeof(ids));
		assert_string_equal(ids, rows[i].ids);
		cJSON_Delete(json);
	}
}

TEST(pages_say_what_follows)
{
	answer got;

	get_path(&got, *state, CHILD "/jobs?per_page=4&page=2", MEMBER);
	assert_header(&got, "Content-Type: application/json");
	assert_header(&got, "x-page: 2");
	assert_header(&got, "x-per-page: 4");
	assert_header(&got, "x-next-page: 3");
	assert_header(&got, "x-prev-page: 1");
	assert_header(&got, "x-total: 9");
	assert_header(&got, "x-total-pages: 3");
	assert_non_null(strstr(got.link, CHILD "/jobs?per_page=4&page=3>; rel=\"next\""));
	rg_buf_release(&got.body);
	get_path(&got, *state, "/api/v4/projects/adlr%2fmegatron-lm/pipelines/31416/jobs", MEMBER);
	assert_header(&got, "x-per-page: 20");
	assert_header(&got, "x-next-page:  ");
	assert_string_equal(got.link, "");
	rg_buf_release(&got.body);
}

/* What a job's artifacts_file, its list of files and its download say of what is there. */
TEST(artifacts_come_and_go)
{
	static const struct {
		const char *path;
		bool named, listed, erased;
		long status;
	} rows[] = {
		{PROJECT "/jobs/510002", true, true, false, 302},
		{PROJECT "/jobs/510005", false, false, false, 404}, /* expired */
		{PROJECT "/jobs/510006", false, false, true, 404},
		{PROJECT "/jobs/510007", false, true, false, 302}, /* kept past its time */
		{PROJECT "/jobs/510008", false, false, false, 404},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		cJSON *json = fetch(*state, rows[i].path);
		answer got;
		char path[256];

		assert_int_equal(cJSON_HasObjectItem(json, "artifacts_file"), rows[i].named);
		assert_int_equal(
			cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(json, "artifacts")),
			rows[i].listed ? 2 : 0);
		assert_int_equal(!cJSON_IsNull(cJSON_GetObjectItemCaseSensitive(json, "erased_at")),
				 rows[i].erased);
		snprintf(path, sizeof(path), "%s/artifacts", rows[i].path);
		get_path(&got, *state, path, MEMBER);
		assert_int_equal(got.status, rows[i].status);
		rg_buf_release(&got.body);
		cJSON_Delete(json);
	}
}

TEST(bridges_lead_downstream)
{
	cJSON *json = fetch(*state, PROJECT "/pipelines/31415/bridges");
	const cJSON *first = cJSON_GetArrayItem(json, 0), *skipped = cJSON_GetArrayItem(json, 1);

	first = cJSON_GetObjectItemCaseSensitive(first, "downstream_pipeline");
	assert_int_equal(cJSON_GetNumberValue(cJSON_GetObjectItem(first, "id")), 27182);
	assert_int_equal(cJSON_GetNumberValue(cJSON_GetObjectItem(first, "project_id")), 20001);
	assert_true(cJSON_IsNull(cJSON_GetObjectItemCaseSensitive(skipped, "downstream_pipeline")));
	cJSON_Delete(json);
}

/* ---- what is in an archive ---- */

TEST(the_tree_is_as_the_instance_has_it)
{
	static const struct {
		const char *path, *first;
		int count;
		const char *last;
	} rows[] = {
		{JOB "/artifacts/tree", "results/", 1, "results/"},
		{JOB "/artifacts/tree?path=results", "results/iteration=0/", 3,
		 "results/summary.txt"},
		{JOB "/artifacts/tree?path=results/iteration%3D1/&recursive=true",
		 "results/iteration=1/0/", 10, FOLDER "golden_values_dev_dgx_h100.json"},
		{JOB "/artifacts/tree?recursive=true&per_page=2&page=2", "results/iteration=0/0/",
		 2, "results/iteration=0/0/assets/"},
	};
	answer got;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		cJSON *json = fetch(*state, rows[i].path);
		int count = cJSON_GetArraySize(json);

		assert_int_equal(count, rows[i].count);
		assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItem(
					    cJSON_GetArrayItem(json, 0), "path")),
				    rows[i].first);
		assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItem(
					    cJSON_GetArrayItem(json, count - 1), "path")),
				    rows[i].last);
		cJSON_Delete(json);
	}
	get_path(&got, *state, JOB "/artifacts/tree?path=nowhere", MEMBER);
	assert_int_equal(got.status, 404);
	rg_buf_release(&got.body);
}

TEST(single_files_are_served)
{
	answer got;

	get_path(&got, *state, JOB "/artifacts/results/summary.txt", MEMBER);
	assert_int_equal(got.status, 200);
	assert_string_equal(got.body.data, "done\n");
	rg_buf_release(&got.body);
	get_path(&got, *state, JOB "/artifacts/" FOLDER "golden_values_dev_dgx_h100.json", MEMBER);
	assert_int_equal(got.status, 200);
	assert_non_null(strstr(got.body.data, "\"1\":11.6"));
	rg_buf_release(&got.body);
	get_path(&got, *state, JOB "/artifacts/results", MEMBER);
	assert_int_equal(got.status, 404);
	rg_buf_release(&got.body);
	get_path(&got, *state, PROJECT "/jobs/510010/trace", MEMBER);
	assert_int_equal(got.status, 200);
	assert_non_null(strstr(got.body.data, "iteration 1 | lm loss: 9.5\n"));
	rg_buf_release(&got.body);
}

/* The store gives ranges to whoever has the address, and nothing to who sends it a token. */
TEST(the_store_wants_no_token)
{
	static const char *const tokens[] = {MEMBER, "JOB-TOKEN: job-token",
					     "Authorization: Bearer test-token"};
	char url[1024];
	answer got;

	get_path(&got, *state, JOB "/artifacts", MEMBER);
	assert_int_equal(got.status, 302);
	snprintf(url, sizeof(url), "%s", got.location);
	rg_buf_release(&got.body);
	get(&got, url, NULL, "0-3");
	assert_int_equal(got.status, 206);
	assert_memory_equal(got.body.data, "PK\3\4", 4);
	rg_buf_release(&got.body);
	for (size_t i = 0; i < sizeof(tokens) / sizeof(*tokens); i++) {
		get(&got, url, tokens[i], NULL);
		assert_int_equal(got.status, 400);
		rg_buf_release(&got.body);
	}
}

/* ---- who may read what ---- */

TEST(tokens_open_what_they_should)
{
	static const struct {
		const char *headers, *path;
		long status;
	} rows[] = {
		{MEMBER, PROJECT, 200},
		{"Authorization: Bearer test-token", PROJECT, 200},
		{"PRIVATE-TOKEN: wrong", PROJECT, 401},
		{"JOB-TOKEN: wrong", CHILD "/jobs", 401},
		{NULL, PROJECT, 404}, /* strangers are not told that it is there */
		{NULL, CHILD "/jobs", 404},
		{NULL, JOB, 401},
		{NULL, JOB "/trace", 401},
		{"JOB-TOKEN: job-token", CHILD "/jobs", 200},
		{"JOB-TOKEN: job-token", JOB "/artifacts", 302},
		{"JOB-TOKEN: job-token", JOB "/artifacts/tree", 200},
		{"JOB-TOKEN: job-token", JOB "/artifacts/results/summary.txt", 200},
		{"JOB-TOKEN: job-token", CHILD "/bridges", 404},
		{"JOB-TOKEN: job-token", CHILD, 404},
		{"JOB-TOKEN: job-token", JOB, 401},
		{MEMBER, PROJECT "/pipelines/27182", 404}, /* of another project */
		{MEMBER, PROJECT "/pipelines/1", 404},
		{MEMBER, "/api/v4/projects/1", 404},
		{MEMBER, "/api/v4/projects/adlr/megatron-lm", 404},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		answer got;

		get_path(&got, *state, rows[i].path, rows[i].headers);
		if (got.status != rows[i].status)
			fail_msg("%s with %s: %ld", rows[i].path,
				 rows[i].headers ? rows[i].headers : "nothing", got.status);
		rg_buf_release(&got.body);
	}
}

/* ---- an older instance, with faults ---- */

static int start_old(void **state)
{
	const char *const options[] = {"--no-tree",
				       "--stream",
				       "--job-token-status",
				       "403",
				       "--rate-limit",
				       "10",
				       "--fault",
				       "api:link-loop,match=/jobs",
				       "--fault",
				       "api:total,match=/jobs",
				       "--fault",
				       "api:missing,match=/bridges,field=name",
				       "--fault",
				       "api:type,match=/bridges,field=downstream_pipeline.id",
				       "--fault",
				       "api:primary,match=/31417",
				       "--fault",
				       "api:secondary,match=/31418,seconds=3",
				       NULL};

	return start_hub(state, "tests/hub/gitlab-api.json", "fixtures/pipeline", options);
}

TEST_GROUP(start_old, stop_hub);

TEST(an_old_instance_knows_less)
{
	answer got;

	get_path(&got, *state, JOB "/artifacts/tree", MEMBER);
	assert_int_equal(got.status, 404);
	rg_buf_release(&got.body);
	get_path(&got, *state, CHILD "/bridges", "JOB-TOKEN: job-token");
	assert_int_equal(got.status, 403);
	rg_buf_release(&got.body);
}

TEST(it_streams_whole_archives)
{
	char url[1024];
	answer got;

	snprintf(url, sizeof(url), "%s" JOB "/artifacts", ((const hub_state *)*state)->url);
	get(&got, url, MEMBER, "0-3");
	assert_int_equal(got.status, 200);
	assert_true(got.body.length > 1048576);
	assert_memory_equal(got.body.data, "PK\3\4", 4);
	rg_buf_release(&got.body);
}

TEST(faults_strike_its_lists)
{
	answer got;
	cJSON *json;

	get_path(&got, *state, PROJECT "/pipelines/31415/jobs?per_page=1&page=2", MEMBER);
	assert_header(&got, "x-next-page: 2");
	assert_non_null(strstr(got.link, "/jobs?per_page=1&page=2>; rel=\"next\""));
	assert_header(&got, "x-total: 1000000");
	rg_buf_release(&got.body);
	json = fetch(*state, PROJECT "/pipelines/31415/bridges");
	assert_true(cJSON_IsString(cJSON_GetObjectItem(
		cJSON_GetObjectItem(cJSON_GetArrayItem(json, 0), "downstream_pipeline"), "id")));
	assert_true(cJSON_IsNumber(cJSON_GetObjectItem(cJSON_GetArrayItem(json, 0), "id")));
	assert_null(cJSON_GetObjectItem(cJSON_GetArrayItem(json, 0), "name"));
	cJSON_Delete(json);
}

TEST(limits_are_gitlabs)
{
	answer got;

	get_path(&got, *state, PROJECT "/pipelines/31417", MEMBER);
	assert_int_equal(got.status, 429);
	assert_header(&got, "RateLimit-Remaining: 0");
	rg_buf_release(&got.body);
	get_path(&got, *state, PROJECT "/pipelines/31418", MEMBER);
	assert_int_equal(got.status, 429);
	assert_header(&got, "Retry-After: 3");
	rg_buf_release(&got.body);
	for (int i = 0; i < 8; i++) {
		get_path(&got, *state, PROJECT, MEMBER);
		rg_buf_release(&got.body);
	}
	get_path(&got, *state, PROJECT, MEMBER);
	assert_int_equal(got.status, 429);
	assert_header(&got, "RateLimit-Limit: 10");
	assert_header(&got, "RateLimit-Remaining: 0");
	assert_non_null(strstr(got.headers, "Retry-After: "));
	rg_buf_release(&got.body);
}

int main(int argc, char **argv)
{
	return run_hub_tests(argc > 0 ? argv[0] : NULL, unit_run);
}
