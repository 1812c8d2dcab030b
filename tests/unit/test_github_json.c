/* SPDX-License-Identifier: Apache-2.0 */
/* The API's documents, whole and broken, and the times in them. */
#include "unit/unit.h"

#include "source/github_json.h"

#include <string.h>

static rg_error *read_run(rg_run *run, const char *text)
{
	return rg_github_read_run(run, text, strlen(text));
}

TEST(reads_a_run)
{
	rg_run run;

	rg_run_init(&run);
	assert_success(read_run(&run,
				"{\"id\": 16048530291, \"head_sha\": \"abc\", \"status\": "
				"\"completed\", \"conclusion\": \"failure\", \"run_attempt\": "
				"3, \"head_branch\": null, \"name\": \"CI\"}"));
	assert_true(run.id == 16048530291);
	assert_int_equal(run.latest_attempt, 3);
	assert_string_equal(run.head_commit, "abc");
	assert_null(run.branch);
	assert_string_equal(run.workflow, "CI");
	assert_true(rg_run_is_finished(&run));
	rg_run_release(&run);
}

/* Whose commit it is: a renamed repository's answer has its name of today twice. */
TEST(tells_a_forks_run)
{
#define OF(repositories) "{\"id\": 5, \"head_sha\": \"a\", \"status\": \"b\"" repositories "}"
#define OWN              ", \"repository\": {\"full_name\": \"NVIDIA/Megatron-LM\"}"
	static const struct {
		const char *text, *head;
		bool fork;
	} cases[] = {
		{OF(""), NULL, false},
		{OF(OWN), NULL, false},
		{OF(OWN ", \"head_repository\": null"), NULL, true},
		{OF(OWN ", \"head_repository\": {\"full_name\": \"a/Megatron-LM\"}"),
		 "a/Megatron-LM", true},
		{OF(OWN ", \"head_repository\": {\"full_name\": \"nvidia/megatron-lm\"}"),
		 "nvidia/megatron-lm", false},
	};
	static const char *const broken[][2] = {
		{OF(", \"head_repository\": {\"full_name\": \"a/b\"}"), "'repository' is missing"},
		{OF(OWN ", \"head_repository\": 5"), "'head_repository' is not an object"},
		{OF(OWN ", \"head_repository\": {}"), "'head_repository.full_name' is missing"},
	};
	rg_run run;
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		rg_run_init(&run);
		assert_success(read_run(&run, cases[i].text));
		assert_int_equal(run.fork, cases[i].fork);
		if (cases[i].head)
			assert_string_equal(run.head_repository, cases[i].head);
		else
			assert_null(run.head_repository);
		rg_run_release(&run);
	}
	for (i = 0; i < sizeof(broken) / sizeof(*broken); i++) {
		rg_run_init(&run);
		assert_error(read_run(&run, broken[i][0]), RG_E_PARSE, broken[i][1]);
		rg_run_release(&run);
	}
}

TEST(refuses_broken_runs)
{
#define NOT_JSON "the answer is not that of GitHub's API; check its address: not JSON: "
#define WHOLE    " is not a whole number"
	static const struct {
		const char *text, *message;
	} cases[] = {
		{"<html>", NOT_JSON "line 1, at '<html>'"},
		{"", NOT_JSON "it ends too early, in line 1"},
		{"{\"id\": 5} {}", NOT_JSON "line 1, at ' {}'"},
		{"{\"id\": 5}\n<html>", NOT_JSON "line 1, at '\n<html>'"},
		{"[1]", "the answer is JSON, but not an object"},
		{"{}", "'id' is missing"},
		{"{\"id\": \"x\"}", "'id'" WHOLE},
		{"{\"id\": 0, \"head_sha\": \"a\", \"status\": \"b\"}", "'id' is 0"},
		{"{\"id\": -1}", "'id'" WHOLE},
		{"{\"id\": 1.5}", "'id'" WHOLE},
		{"{\"id\": 1e300}", "'id'" WHOLE},
		{"{\"id\": 5, \"head_sha\": 7}", "'head_sha' is not a text"},
		{"{\"id\": 5, \"head_sha\": null}", "'head_sha' is missing"},
		{"{\"id\": 5, \"head_sha\": \"a\"}", "'status' is missing"},
		{"{\"id\": 5, \"head_sha\": \"a\", \"status\": \"b\", \"run_attempt\": 1000000001}",
		 "'run_attempt' is not a whole number from 0 to 1000000000"},
	};
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		rg_run run;

		rg_run_init(&run);
		assert_error(read_run(&run, cases[i].text), RG_E_PARSE, cases[i].message);
		rg_run_release(&run);
	}
}

TEST(reads_jobs)
{
	static const char page[] =
		"{\"total_count\": 7, \"jobs\": ["
		"{\"id\": 9, \"name\": \"gpt/a\", \"status\": \"completed\", \"conclusion\": "
		"\"failure\", \"started_at\": \"2026-03-04T05:10:00Z\", \"completed_at\": "
		"\"2026-03-04T06:10:00+01:00\", \"steps\": ["
		"{\"name\": \"main\", \"started_at\": \"2026-03-04T05:10:00Z\", \"completed_at\": "
		"\"2026-03-04T05:50:00Z\"},"
		"{\"name\": \"Upload artifacts\", \"started_at\": \"2026-03-04T05:05:00.123Z\", "
		"\"completed_at\": \"2026-03-04T05:06:00Z\"},"
		"{\"name\": \"upload again\", \"started_at\": \"2026-03-04T05:07:00Z\", "
		"\"completed_at\": \"2026-03-04T05:08:00Z\"}]},"
		"{\"id\": 3, \"name\": \"b\", \"status\": \"queued\", \"conclusion\": null, "
		"\"started_at\": null}]}";
	uint64_t total;
	rg_run run;

	rg_run_init(&run);
	assert_success(rg_github_read_jobs(&run, page, strlen(page), &total));
	assert_success(rg_run_sort(&run));
	assert_int_equal(total, 7);
	assert_int_equal(run.job_count, 2);
	assert_int_equal(run.jobs[0].id, 3);
	assert_null(run.jobs[0].conclusion);
	assert_true(run.jobs[0].started == RG_TIME_NONE);
	assert_true(run.jobs[0].upload_started == RG_TIME_NONE);
	assert_int_equal(run.jobs[1].completed, run.jobs[1].started);
	assert_int_equal(run.jobs[1].upload_started, run.jobs[1].started - 300);
	assert_int_equal(run.jobs[1].upload_completed, run.jobs[1].started - 120);
	rg_run_release(&run);
}

TEST(refuses_broken_lists)
{
	static const struct {
		const char *text, *message;
	} cases[] = {
		{"{\"jobs\": []}", "'total_count' is missing"},
		{"{\"total_count\": 1}", "'jobs' is missing"},
		{"{\"total_count\": 1, \"jobs\": {}}", "'jobs' is not a list"},
		{"{\"total_count\": 1, \"jobs\": [5]}", "'jobs' is not a list of objects"},
		{"{\"total_count\": 1, \"jobs\": [{\"id\": 1, \"name\": null}]}",
		 "'jobs[0].name' is missing"},
		{"{\"total_count\": 1, \"jobs\": [{\"id\": 1, \"name\": \"a\", \"status\": \"x\", "
		 "\"started_at\": \"yesterday\"}]}",
		 "'jobs[0].started_at' is not a time"},
		{"{\"total_count\": 1, \"jobs\": [{\"id\": 1, \"name\": \"a\", \"status\": \"x\", "
		 "\"steps\": 3}]}",
		 "'jobs[0].steps' is not a list"},
		{"{\"total_count\": 1, \"jobs\": [{\"id\": 1, \"name\": \"a\", \"status\": \"x\", "
		 "\"steps\": [7]}]}",
		 "'jobs[0].steps' is not a list of objects"},
	};
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		uint64_t total;
		rg_run run;

		rg_run_init(&run);
		assert_error(
			rg_github_read_jobs(&run, cases[i].text, strlen(cases[i].text), &total),
			RG_E_PARSE, cases[i].message);
		rg_run_release(&run);
	}
}

TEST(reads_artifacts)
{
	static const char page[] = "{\"total_count\": 2, \"artifacts\": ["
				   "{\"id\": 7, \"name\": \"logs-a\", \"size_in_bytes\": "
				   "12345678901, \"digest\": null, "
				   "\"created_at\": \"1970-01-01T00:01:00Z\", \"expires_at\": "
				   "\"1970-03-01T00:00:00Z\", "
				   "\"expired\": true},"
				   "{\"id\": 7, \"name\": \"logs-b\", \"size_in_bytes\": 0, "
				   "\"digest\": \"sha256:00\", "
				   "\"created_at\": null, \"expired\": false}]}";
	static const char no_expired[] =
		"{\"total_count\": 1, \"artifacts\": [{\"id\": 7, \"name\": "
		"\"a\", \"size_in_bytes\": 1}]}";
	uint64_t total;
	rg_run run;

	rg_run_init(&run);
	assert_success(rg_github_read_artifacts(&run, page, strlen(page), &total));
	assert_true(run.artifacts[0].size == 12345678901);
	assert_null(run.artifacts[0].digest);
	assert_int_equal(run.artifacts[0].created, 60);
	assert_true(run.artifacts[0].expired);
	assert_true(run.artifacts[1].created == RG_TIME_NONE);
	assert_error(rg_run_sort(&run), RG_E_PARSE, "the list has artifact 7 twice");
	assert_error(rg_github_read_artifacts(&run, no_expired, strlen(no_expired), &total),
		     RG_E_PARSE, "'artifacts[0].expired' is missing");
	rg_run_release(&run);
}

TEST(reads_times)
{
	static const char *const bad[] = {
		"",
		"2026",
		"2026-13-01T00:00:00Z",
		"2026-02-29T00:00:00Z",
		"2026-04-31T00:00:00Z",
		"2026-01-01",
		"2026-01-01T00:00:00",
		"2026-01-01T25:00:00Z",
		"2026-01-01T00:00:00Zx",
		"2026-01-01T00:00:00+1",
		"2026-01-01T00:00:00+01:",
		"2026-01-01T00:00:00+01:60",
		"2026-01-01T00:00:00+1500",
		"2026-01-01T00:00:00+01000",
		"x026-01-01T00:00:00Z",
	};
	int64_t time;
	size_t i;

	assert_true(rg_time_parse("1970-01-02T00:00:00Z", &time));
	assert_int_equal(time, 86400);
	assert_true(rg_time_parse("2000-02-29T00:00:00Z", &time));
	assert_true(rg_time_parse("2020-01-20T09:42:40.000-08:00", &time));
	assert_int_equal(time, 1579542160);
	assert_true(rg_time_parse("2020-01-20T17:42:40+0000", &time));
	assert_int_equal(time, 1579542160);
	assert_true(rg_time_parse("2020-01-20T18:42:40+01", &time));
	assert_int_equal(time, 1579542160);
	assert_true(rg_time_parse("2020-01-20 23:12:40 +05:30", &time));
	assert_int_equal(time, 1579542160);
	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		assert_false(rg_time_parse(bad[i], &time));
}
