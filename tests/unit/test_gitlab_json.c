/* SPDX-License-Identifier: Apache-2.0 */
/* GitLab's documents, whole and broken. */
#include "unit/unit.h"

#include "source/gitlab_json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NOT_JSON "the answer is not that of GitLab's API; check its address: not JSON: "
#define WHOLE    " is not a whole number"

static rg_error *read_pipeline(rg_run *run, uint64_t *out, const char *text)
{
	return rg_gitlab_read_pipeline(run, out, text, strlen(text));
}

TEST(reads_a_pipeline)
{
	uint64_t project;
	rg_run run;

	rg_run_init(&run);
	assert_success(read_pipeline(
		&run, &project,
		"{\"id\": 31415, \"project_id\": 19378, \"sha\": \"abc\", \"ref\": \"main\", "
		"\"status\": \"canceled\", \"source\": \"schedule\", \"name\": null, "
		"\"created_at\": \"2026-03-04T05:10:00.123Z\", \"web_url\": \"https://h/-/p\"}"));
	assert_int_equal(run.id, 31415);
	assert_int_equal(project, 19378);
	assert_string_equal(run.head_commit, "abc");
	assert_string_equal(run.branch, "main");
	assert_string_equal(run.event, "schedule");
	assert_string_equal(run.conclusion, "cancelled");
	assert_string_equal(run.url, "https://h/-/p");
	assert_null(run.workflow);
	assert_true(rg_run_is_finished(&run));
	rg_run_release(&run);
	rg_run_init(&run);
	assert_success(read_pipeline(&run, &project,
				     "{\"id\": 1, \"sha\": \"a\", \"status\": \"manual\"}"));
	assert_string_equal(run.status, "manual");
	assert_null(run.conclusion);
	assert_false(rg_run_is_finished(&run));
	assert_int_equal(project, 0);
	rg_run_release(&run);
}

TEST(refuses_broken_pipelines)
{
	static const char *const cases[][2] = {
		{"<html>", NOT_JSON "line 1, at '<html>'"},
		{"[1]", "the answer is JSON, but not an object"},
		{"{}", "'id' is missing"},
		{"{\"id\": 0, \"sha\": \"a\", \"status\": \"b\"}", "'id' is 0"},
		{"{\"id\": 1.5}", "'id'" WHOLE},
		{"{\"id\": 5}", "'sha' is missing"},
		{"{\"id\": 5, \"sha\": 7}", "'sha' is not a text"},
		{"{\"id\": 5, \"sha\": \"a\"}", "'status' is missing"},
		{"{\"id\": 5, \"sha\": \"a\", \"status\": \"b\", \"ref\": []}",
		 "'ref' is not a text"},
		{"{\"id\": 5, \"sha\": \"a\", \"status\": \"b\", \"project_id\": \"x\"}",
		 "'project_id' is not a whole number from 0 to 9007199254740992"},
	};
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		uint64_t project;
		rg_run run;

		rg_run_init(&run);
		assert_error(read_pipeline(&run, &project, cases[i][0]), RG_E_PARSE, cases[i][1]);
		rg_run_release(&run);
	}
}

static rg_error *read_jobs(rg_run *run, const rg_gitlab_jobs_of *of, const char *text)
{
	return rg_gitlab_read_jobs(run, of, text, strlen(text));
}

#define JOB(id, name, status, more)                                                          \
	"{\"id\": " id ", \"name\": \"" name "\", \"stage\": \"gpt\", \"status\": \"" status \
	"\"" more "}"
#define ARCHIVE ", \"artifacts_file\": {\"filename\": \"artifacts.zip\", \"size\": 12}"

TEST(reads_jobs_and_what_they_left)
{
	static const char page[] = "[" JOB(
		"9", "a/b 1/2", "failed",
		", \"started_at\": \"2026-03-04T05:10:00.000Z\", "
		"\"finished_at\": "
		"\"2026-03-04T05:11:00.000Z\", \"artifacts_expire_at\": "
		"\"2026-03-11T05:11:00.000Z\", \"web_url\": "
		"\"u\"" ARCHIVE) "," JOB("8", "kept", "success",
					 ", "
					 "\"artifacts\":"
					 " [{\"file_"
					 "type\": "
					 "\"trace\", "
					 "\"size\": 1}, "
					 "{\"file_"
					 "type\": "
					 "\"archive\", "
					 "\"size\": "
					 "13}], "
					 "\"artifacts_"
					 "file\": null, "
					 "\"artifacts_"
					 "expire_at\": "
					 "\"2001-01-"
					 "01T00:00:"
					 "00Z\"") "," JOB("7", "expired", "success",
							  ", "
							  "\"artifacts_"
							  "expire_at\": "
							  "\"2001-01-"
							  "01T00:00:"
							  "00Z\"") "," JOB("6", "erased", "success",
									   ", \"erased_at\": "
									   "\"2026-03-05T00:00:"
									   "00Z\", "
									   "\"artifacts_expire_"
									   "at\": null") "," JOB("5",
												 "n"
												 "o"
												 "n"
												 "e",
												 "s"
												 "u"
												 "c"
												 "c"
												 "e"
												 "s"
												 "s",
												 ","
												 " "
												 "\"artifacts_expire_at\": \"2999-01-01T00:00:00Z\"") "]";
	const rg_gitlab_jobs_of of = {42, "to > there", true};
	rg_run run;

	rg_run_init(&run);
	assert_success(read_jobs(&run, &of, page));
	assert_int_equal(run.job_count, 5);
	assert_string_equal(run.jobs[0].name, "gpt/a/b 1/2");
	assert_string_equal(run.jobs[0].conclusion, "failure");
	assert_string_equal(run.jobs[0].via, "to > there");
	assert_string_equal(run.jobs[0].url, "u");
	assert_int_equal(run.jobs[0].project, 42);
	assert_true(run.jobs[0].completed - run.jobs[0].started == 60);
	assert_int_equal(run.artifact_count, 4);
	assert_int_equal(run.artifacts[0].id, 9);
	assert_int_equal(run.artifacts[0].job_id, 9);
	assert_int_equal(run.artifacts[0].size, 12);
	assert_int_equal(run.artifacts[0].project, 42);
	assert_string_equal(run.artifacts[0].name, "gpt/a/b 1/2");
	assert_false(run.artifacts[0].expired);
	/* Of a branch's newest pipeline they stay, past their time. */
	assert_false(run.artifacts[1].expired);
	assert_int_equal(run.artifacts[1].size, 13);
	assert_true(run.artifacts[2].expired);
	assert_null(run.artifacts[2].erased_at);
	assert_true(run.artifacts[3].expired);
	assert_string_equal(run.artifacts[3].erased_at, "2026-03-05T00:00:00Z");
	rg_run_release(&run);
}

TEST(tells_what_did_not_start)
{
	static const struct {
		const char *status;
		bool finished;
		const char *conclusion; /* NULL: there is more to come */
	} cases[] = {
		{"success", false, "success"},    {"failed", false, "failure"},
		{"canceled", false, "cancelled"}, {"skipped", false, "skipped"},
		{"manual", true, "skipped"},      {"created", true, "skipped"},
		{"scheduled", true, "skipped"},   {"manual", false, NULL},
		{"running", true, NULL},          {"pending", false, NULL},
		{"canceling", true, NULL},
	};
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const rg_gitlab_jobs_of of = {0, NULL, cases[i].finished};
		char page[200];
		rg_run run;

		rg_run_init(&run);
		snprintf(page, sizeof(page), "[" JOB("1", "a", "%s", "") "]", cases[i].status);
		assert_success(read_jobs(&run, &of, page));
		if (cases[i].conclusion)
			assert_string_equal(run.jobs[0].conclusion, cases[i].conclusion);
		else
			assert_null(run.jobs[0].conclusion);
		assert_string_equal(run.jobs[0].status,
				    cases[i].conclusion ? "completed" : cases[i].status);
		rg_run_release(&run);
	}
}

TEST(refuses_broken_jobs)
{
	static const char *const cases[][2] = {
		{"{}", "'jobs' is not a list"},
		{"[5]", "'jobs' is not a list of objects"},
		{"[{}]", "'jobs[0].id' is missing"},
		{"[{\"id\": 1}]", "'jobs[0].name' is missing"},
		{"[{\"id\": 1, \"name\": \"a\"}]", "'jobs[0].status' is missing"},
		{"[{\"id\": 1, \"name\": \"a\", \"status\": \"b\"}]", "'jobs[0].stage' is missing"},
		{"[{\"id\": 0, \"name\": \"a\", \"status\": \"b\"}]", "'jobs[0].id' is 0"},
		{"[" JOB("1", "a", "b", "") "," JOB("2", "a", "b", ", \"started_at\": 5") "]",
		 "'jobs[1].started_at' is not a time"},
		{"[" JOB("1", "a", "b", ", \"finished_at\": \"soon\"") "]",
		 "'jobs[0].finished_at' is not a time"},
		{"[" JOB("1", "a", "b", ", \"web_url\": 1") "]", "'jobs[0].web_url' is not a text"},
		{"[" JOB("1", "a", "b", ", \"artifacts_file\": \"x\"") "]",
		 "'jobs[0].artifacts_file' is not an object"},
		{"[" JOB("1", "a", "b", ", \"artifacts_file\": {\"size\": -1}") "]",
		 "'jobs[0].artifacts_file.size' is not a whole number from 0 to 9007199254740992"},
		{"[" JOB("1", "a", "b", ", \"artifacts\": 3") "]",
		 "'jobs[0].artifacts' is not a list"},
		{"[" JOB("1", "a", "b", ", \"artifacts_expire_at\": 3") "]",
		 "'jobs[0].artifacts_expire_at' is not a text"},
		{"[" JOB("1", "a", "b", ", \"erased_at\": {}") "]",
		 "'jobs[0].erased_at' is not a text"},
	};
	const rg_gitlab_jobs_of of = {0};
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		rg_run run;

		rg_run_init(&run);
		assert_error(read_jobs(&run, &of, cases[i][0]), RG_E_PARSE, cases[i][1]);
		rg_run_release(&run);
	}
}

/* By their names: that a job was retried is in no field. */
TEST(splits_retried_jobs)
{
	const rg_gitlab_jobs_of of = {0};
	rg_run run;

	rg_run_init(&run);
	assert_success(read_jobs(&run, &of, "[" JOB("1", "a", "failed", "") "]"));
	assert_success(read_jobs(
		&run, &of,
		"[" JOB("4", "a", "failed", ARCHIVE) "," JOB("9", "a", "success", "") "," JOB(
			"5", "a", "failed", "") "," JOB("6", "b", "success", "") "]"));
	rg_gitlab_split_retried(&run, 1);
	assert_success(rg_run_sort(&run));
	assert_int_equal(run.job_count, 3);
	assert_int_equal(run.jobs[0].id, 1); /* another pipeline's */
	assert_int_equal(run.jobs[1].id, 6);
	assert_int_equal(run.jobs[2].id, 9);
	assert_int_equal(run.earlier_count, 2);
	assert_int_equal(run.earlier[0].id, 4);
	assert_int_equal(run.earlier[1].id, 5);
	rg_run_release(&run);
}

static rg_error *read_bridges(rg_gitlab_bridges *out, rg_arena *arena, const char *text)
{
	return rg_gitlab_read_bridges(out, arena, text, strlen(text));
}

#define DOWN(text) ", \"downstream_pipeline\": {" text "}"

TEST(reads_bridges)
{
	static const char *const broken[][2] = {
		{"5", "'bridges' is not a list"},
		{"[{\"id\": 1}]", "'bridges[0].name' is missing"},
		{"[" JOB("0", "a", "b", "") "]", "'bridges[0].id' is 0"},
		{"[" JOB("1", "a", "b", ", \"downstream_pipeline\": 3") "]",
		 "'bridges[0].downstream_pipeline' is not an object"},
		{"[" JOB("1", "a", "b", DOWN("")) "]",
		 "'bridges[0].downstream_pipeline.id' is missing"},
		{"[" JOB("1", "a", "b", DOWN("\"id\": 5")) "]",
		 "'bridges[0].downstream_pipeline.project_id' is missing"},
		{"[" JOB("1", "a", "b", DOWN("\"id\": 5, \"project_id\": 6")) "]",
		 "'bridges[0].downstream_pipeline.status' is missing"},
		{"[" JOB("1", "a", "b",
			 DOWN("\"id\": 5, \"project_id\": 0, \"status\": \"x\"")) "]",
		 "'bridges[0].downstream_pipeline.id' is 0"},
	};
	rg_gitlab_bridges bridges = {0};
	rg_arena arena;
	size_t i;

	rg_arena_init(&arena);
	assert_success(read_bridges(&bridges, &arena,
				    "[" JOB("1", "a", "success",
					    DOWN("\"id\": 5, \"project_id\": 6, \"status\": "
						 "\"x\"")) "," JOB("2", "b", "manual",
								   ", \"downstream_pipeline\": "
								   "null") "]"));
	assert_int_equal(bridges.count, 2);
	assert_int_equal(bridges.items[0].pipeline, 5);
	assert_int_equal(bridges.items[0].project, 6);
	assert_string_equal(bridges.items[0].stage, "gpt");
	assert_int_equal(bridges.items[1].pipeline, 0);
	for (i = 0; i < sizeof(broken) / sizeof(*broken); i++)
		assert_error(read_bridges(&bridges, &arena, broken[i][0]), RG_E_PARSE,
			     broken[i][1]);
	free(bridges.items);
	rg_arena_release(&arena);
}

TEST(reads_merge_requests)
{
#define REQUEST(more) "{\"source_branch\": \"b\", \"sha\": \"s\", \"target_project_id\": 7" more "}"
	static const struct {
		const char *text;
		bool fork;
	} cases[] = {
		{REQUEST(", \"source_project_id\": 7"), false},
		{REQUEST(", \"source_project_id\": 8"), true},
		{REQUEST(", \"source_project_id\": null"), true},
	};
	static const char *const broken[][2] = {
		{"[]", "the answer is JSON, but not an object"},
		{"{}", "'source_branch' is missing"},
		{"{\"source_branch\": \"b\"}", "'sha' is missing"},
		{"{\"source_branch\": \"b\", \"sha\": \"s\"}", "'target_project_id' is missing"},
		{REQUEST(", \"head_pipeline\": {}"), "'head_pipeline.sha' is missing"},
	};
	rg_gitlab_merge_request request;
	rg_arena arena;
	size_t i;

	rg_arena_init(&arena);
	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		assert_success(rg_gitlab_read_merge_request(&request, &arena, cases[i].text,
							    strlen(cases[i].text)));
		assert_int_equal(request.fork, cases[i].fork);
		assert_int_equal(request.project, 7);
		assert_null(request.pipeline_sha);
	}
	for (i = 0; i < sizeof(broken) / sizeof(*broken); i++)
		assert_error(rg_gitlab_read_merge_request(&request, &arena, broken[i][0],
							  strlen(broken[i][0])),
			     RG_E_PARSE, broken[i][1]);
	rg_arena_release(&arena);
}
