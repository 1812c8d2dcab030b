/* SPDX-License-Identifier: Apache-2.0 */
/* Jobs and artifacts: which belongs to which, and what becomes of each. */
#include "unit/unit.h"

#include "base/memory.h"
#include "unit/one_rule.h"
#include "unit/run_made.h"

#include "source/match.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

/* Lives as long as the test. */
static rg_arena patterns;

enum { RUN = 42, MANY = 20000 };

typedef struct {
	rg_run run;
	rg_manifest plan;
	rg_match_options options;
	rg_name_pattern *job, *artifact;
	one_rule rules;
} fixture;

static fixture all;
static fixture *const f = &all;

FIXTURE(start)
{
	const unsigned names = 1u << RG_FIELD_STAGE | 1u << RG_FIELD_TEST | 1u << RG_FIELD_TAG;

	rg_run_init(&f->run);
	rg_manifest_init(&f->plan);
	assert_success(rg_name_pattern_new(&f->job, &patterns, "{stage}/{test} - {tag}", names,
					   "jobs.name"));
	assert_success(rg_name_pattern_new(
		&f->artifact, &patterns, "logs-{test}-{run}-{unique}",
		1u << RG_FIELD_TEST | 1u << RG_FIELD_RUN | 1u << RG_FIELD_UNIQUE, "jobs.artifact"));
	one_rule_init(&f->rules, f->job, f->artifact, NULL);
	f->options = (rg_match_options){.rules = &f->rules.rules};
	f->run.id = RUN;
	f->run.status = "completed";
	f->run.head_commit = "abc";
	f->run.source = "github";
	return 0;
}

FIXTURE(stop)
{
	rg_manifest_release(&f->plan);
	rg_run_release(&f->run);
	all = (fixture){0};
	return 0;
}

static rg_job *add_job(uint64_t id, const char *name, const char *conclusion, int64_t started,
		       int64_t completed)
{
	return run_add_job(&f->run, id, name, conclusion, started, completed);
}

static rg_artifact *add_artifact(uint64_t id, const char *name, int64_t created)
{
	return run_add_artifact(&f->run, id, name, created);
}

static void match(void)
{
	rg_match(&f->run, &f->options, &f->plan);
}

static void job_is(size_t i, rg_outcome outcome)
{
	if (f->plan.jobs[i].outcome != outcome)
		fail_msg("job %llu is %s, not %s", (unsigned long long)f->plan.jobs[i].id,
			 rg_outcome_text(f->plan.jobs[i].outcome), rg_outcome_text(outcome));
}

typedef struct {
	rg_outcome outcome;
	uint64_t job;
	const char *why; /* NULL: does not matter */
} wanted;

/* What becomes of all artifacts, or of the first ones. */
#define ARTIFACTS_ARE(...)                           \
	artifacts_are((const wanted[]){__VA_ARGS__}, \
		      sizeof((const wanted[]){__VA_ARGS__}) / sizeof(wanted))

static void artifact_is(size_t i, rg_outcome outcome, uint64_t job)
{
	const rg_manifest_artifact *artifact = &f->plan.artifacts[i];

	if (artifact->outcome != outcome)
		fail_msg("artifact %llu is %s, not %s", (unsigned long long)artifact->id,
			 rg_outcome_text(artifact->outcome), rg_outcome_text(outcome));
	assert_int_equal(artifact->job_id, job);
}

static void artifacts_are(const wanted *list, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		artifact_is(i, list[i].outcome, list[i].job);
		if (list[i].why)
			assert_string_equal(f->plan.artifacts[i].why, list[i].why);
	}
}

TEST_EACH(start, stop);

TEST(matches_by_name)
{
	add_job(1, "gpt/Gpt_TP1 - latest", "failure", 0, 9);
	add_job(2, "moe/a*b/c", "cancelled", 0, 9);
	add_job(3, "Build container", "success", 0, 9);
	add_job(4, "t5/alone - latest", "timed_out", 0, 9);
	add_artifact(11, "logs-gpt_tp1-42-aa", 5);
	add_artifact(12, "LOGS-A-B-C-42-bb", 5);
	add_artifact(13, "coverage", 5);
	add_artifact(14, "logs-unknown-42-cc", 5);
	add_artifact(15, "logs-gpt_tp1-43-aa", 5);
	match();
	job_is(0, RG_OUTCOME_TAKEN);
	job_is(1, RG_OUTCOME_TAKEN);
	job_is(2, RG_OUTCOME_SKIPPED_NOT_A_TEST);
	job_is(3, RG_OUTCOME_SKIPPED_NO_GOLDENS);
	assert_string_equal(f->plan.jobs[3].why, "no artifact");
	ARTIFACTS_ARE({RG_OUTCOME_TAKEN, 1, NULL}, {RG_OUTCOME_TAKEN, 2, NULL},
		      {RG_OUTCOME_SKIPPED_NOT_A_TEST, 0, "its name does not fit jobs.artifact"},
		      {RG_OUTCOME_SKIPPED_NOT_A_TEST, 0, "no job of this run has its test"},
		      {RG_OUTCOME_SKIPPED_NOT_A_TEST, 0, NULL});
	assert_string_equal(f->plan.jobs[0].stage, "gpt");
	assert_string_equal(f->plan.jobs[0].test, "Gpt_TP1");
	assert_string_equal(f->plan.jobs[0].tag, "latest");
	assert_null(f->plan.jobs[1].tag);
}

TEST(leaves_out_what_passed)
{
	f->options.only_failing = true;
	add_job(1, "gpt/a", "success", 0, 9);
	add_job(2, "gpt/b", "failure", 0, 9);
	add_job(3, "gpt/c", NULL, 0, RG_TIME_NONE);
	add_job(4, "gpt/d", "success", 0, 9);
	add_job(5, "gpt/e", "cancelled", 0, 9);
	add_artifact(11, "logs-a-42-x", 5);
	add_artifact(12, "logs-b-42-x", 5);
	add_artifact(13, "logs-c-42-x", 5);
	add_artifact(15, "logs-e-42-x", 5)->expired = true;
	f->run.artifacts[3].expires_at = "2026-03-11T00:00:00Z";
	match();
	ARTIFACTS_ARE({RG_OUTCOME_SKIPPED_PASSING, 1, NULL}, {RG_OUTCOME_TAKEN, 2, NULL},
		      {RG_OUTCOME_SKIPPED_UNFINISHED, 3, NULL},
		      {RG_OUTCOME_EXPIRED, 5, "on 2026-03-11; re-run the job to make it again"});
	job_is(0, RG_OUTCOME_SKIPPED_PASSING);
	job_is(2, RG_OUTCOME_SKIPPED_UNFINISHED);
	job_is(3, RG_OUTCOME_SKIPPED_PASSING);
	job_is(4, RG_OUTCOME_EXPIRED);
}

TEST(newest_counts)
{
	add_job(1, "gpt/a", "failure", 100, 200);
	add_artifact(11, "logs-a-42-x", 150);
	add_artifact(12, "logs-a-42-x-retry", 160);
	add_artifact(13, "logs-a-42-y", 50);
	add_artifact(14, "logs-a-42-z", 150);
	/* Made in the same second: the later id. */
	add_job(2, "gpt/b", "failure", 100, 200);
	add_artifact(21, "logs-b-42-x", 150);
	add_artifact(23, "logs-b-42-y", 150);
	add_artifact(22, "logs-b-42-z", 150);
	match();
	ARTIFACTS_ARE({RG_OUTCOME_SUPERSEDED, 1, NULL}, {RG_OUTCOME_TAKEN, 1, NULL},
		      {RG_OUTCOME_SUPERSEDED, 1, NULL}, {RG_OUTCOME_SUPERSEDED, 1, NULL},
		      {RG_OUTCOME_SUPERSEDED, 2, NULL}, {RG_OUTCOME_TAKEN, 2, NULL},
		      {RG_OUTCOME_SUPERSEDED, 2, NULL});
	job_is(0, RG_OUTCOME_TAKEN);
}

/* "-retry" may be what the test is called: then it is no other test's second upload. */
TEST(a_test_may_be_called_retry)
{
	assert_success(rg_name_pattern_new(&f->artifact, &patterns, "logs-{test}",
					   1u << RG_FIELD_TEST, "jobs.artifact"));
	one_rule_init(&f->rules, f->job, f->artifact, NULL);
	f->options.rules = &f->rules.rules;
	add_job(1, "gpt/a", "failure", 100, 200);
	add_job(2, "gpt/A-Retry", "failure", 100, 200);
	add_job(3, "gpt/b", "failure", 100, 200);
	add_artifact(11, "logs-a", 150);
	add_artifact(12, "logs-a-retry", 160);
	add_artifact(13, "logs-b", 150);
	add_artifact(14, "logs-b-retry", 160);
	add_artifact(15, "logs-a-retry-retry", 170);
	match();
	ARTIFACTS_ARE({RG_OUTCOME_TAKEN, 1, NULL}, {RG_OUTCOME_SUPERSEDED, 2, NULL},
		      {RG_OUTCOME_SUPERSEDED, 3, NULL}, {RG_OUTCOME_TAKEN, 3, NULL},
		      {RG_OUTCOME_TAKEN, 2, NULL});
}

/* Where artifacts name the stage too, it and the test are not one word. */
TEST(stage_and_test_stay_apart)
{
	assert_success(rg_name_pattern_new(&f->artifact, &patterns, "{stage}_{test}",
					   1u << RG_FIELD_STAGE | 1u << RG_FIELD_TEST,
					   "jobs.artifact"));
	one_rule_init(&f->rules, f->job, f->artifact, NULL);
	f->options.rules = &f->rules.rules;
	add_job(1, "ab/c", "failure", 100, 200);
	add_job(2, "a/bc", "failure", 100, 200);
	add_artifact(11, "a_bc", 150);
	add_artifact(12, "ab_c", 150);
	match();
	ARTIFACTS_ARE({RG_OUTCOME_TAKEN, 2, NULL}, {RG_OUTCOME_TAKEN, 1, NULL});
}

TEST(time_tells_twins_apart)
{
	rg_job *job;

	add_job(1, "gpt/a - latest", "failure", 100, 200);
	add_job(2, "gpt/a - latest", "failure", 300, 400);
	job = add_job(3, "gpt/b - h", "failure", 100, 200);
	job->upload_started = 150;
	job->upload_completed = 160;
	job = add_job(4, "moe/b - g", "failure", 100, 200);
	job->upload_started = 180;
	job->upload_completed = 190;
	add_job(5, "gpt/c", "failure", 100, 200);
	add_job(6, "gpt/c", "failure", 100, 200);
	add_artifact(11, "logs-a-42-x", 150);
	add_artifact(12, "logs-a-42-y", 350);
	add_artifact(13, "logs-b-42-x", 185);
	add_artifact(14, "logs-b-42-y", 155);
	add_artifact(15, "logs-c-42-x", 155);
	add_artifact(16, "logs-a-42-z", 250);
	match();
	ARTIFACTS_ARE(
		{RG_OUTCOME_TAKEN, 1, NULL}, {RG_OUTCOME_TAKEN, 2, NULL},
		{RG_OUTCOME_TAKEN, 4, NULL}, {RG_OUTCOME_TAKEN, 3, NULL},
		{RG_OUTCOME_AMBIGUOUS, 0, "it may be of any of these jobs: 5 (gpt/c), 6 (gpt/c)"},
		{RG_OUTCOME_AMBIGUOUS, 0, NULL});
	job_is(4, RG_OUTCOME_AMBIGUOUS);
	job_is(5, RG_OUTCOME_AMBIGUOUS);
}

/* First and last second of a job are its own; one that still runs has no last one, and an upload
 * that did not end says nothing. */
TEST(edges_of_a_time)
{
	rg_job *job;

	add_job(1, "gpt/a", "failure", 100, 200);
	add_job(2, "gpt/a", "failure", 300, 400);
	add_job(3, "gpt/b", "failure", 100, 200);
	add_job(4, "gpt/b", NULL, 300, RG_TIME_NONE)->status = "in_progress";
	job = add_job(5, "gpt/c", "failure", 100, 200);
	job->upload_started = 150;
	add_job(6, "gpt/c", "failure", 100, 200);
	job = add_job(7, "gpt/d", "failure", 100, 200);
	job->upload_started = 150;
	job->upload_completed = 160;
	add_job(8, "gpt/d", "failure", 100, 200);
	add_job(9, "gpt/c", "failure", 300, 400);
	add_artifact(11, "logs-a-42-x", 200);
	add_artifact(12, "logs-a-42-y", 300);
	add_artifact(13, "logs-b-42-x", 350);
	add_artifact(14, "logs-c-42-x", 155);
	add_artifact(15, "logs-d-42-x", 160);
	match();
	ARTIFACTS_ARE({RG_OUTCOME_TAKEN, 1, NULL}, {RG_OUTCOME_TAKEN, 2, NULL},
		      {RG_OUTCOME_SKIPPED_UNFINISHED, 4, NULL}, {RG_OUTCOME_AMBIGUOUS, 0, NULL},
		      {RG_OUTCOME_TAKEN, 7, NULL});
	job_is(4, RG_OUTCOME_AMBIGUOUS);
	job_is(5, RG_OUTCOME_AMBIGUOUS);
	job_is(8, RG_OUTCOME_SKIPPED_NO_GOLDENS);
}

TEST(says_which_run_it_is_of)
{
	f->run.repository = "o/n";
	f->run.host = "github.example";
	f->run.branch = "dev";
	f->run.event = "push";
	f->run.workflow = "CI";
	f->run.conclusion = "failure";
	f->run.created_at = "2026-01-02T03:04:05Z";
	f->run.url = "https://github.example/o/n/actions/runs/42";
	f->run.attempt = 3;
	match();
	assert_string_equal(f->plan.source, "github");
	assert_string_equal(f->plan.repository, "o/n");
	assert_string_equal(f->plan.host, "github.example");
	assert_string_equal(f->plan.head_commit, "abc");
	assert_string_equal(f->plan.branch, "dev");
	assert_string_equal(f->plan.event, "push");
	assert_string_equal(f->plan.workflow, "CI");
	assert_string_equal(f->plan.status, "completed");
	assert_string_equal(f->plan.conclusion, "failure");
	assert_string_equal(f->plan.created_at, "2026-01-02T03:04:05Z");
	assert_string_equal(f->plan.url, "https://github.example/o/n/actions/runs/42");
	assert_int_equal(f->plan.run_id, RUN);
	assert_int_equal(f->plan.attempt, 3);
	assert_false(f->plan.only_failing);
	rg_manifest_release(&f->plan);
	rg_manifest_init(&f->plan);
	f->options.only_failing = true;
	match();
	assert_true(f->plan.only_failing);
}

TEST(takes_ambiguous_ones_to_one_folder_only)
{
	f->options.take_ambiguous = true;
	add_job(1, "gpt/a", "failure", 100, 200);
	add_job(2, "gpt/a", "failure", 100, 200);
	add_job(3, "gpt/b", "failure", 100, 200);
	add_job(4, "moe/b", "failure", 100, 200);
	add_artifact(11, "logs-a-42-x", 150);
	add_artifact(12, "logs-b-42-x", 150);
	match();
	ARTIFACTS_ARE({RG_OUTCOME_TAKEN, 1, NULL}, {RG_OUTCOME_AMBIGUOUS, 0, NULL});
}

/* What a job of the same name did at another time does not matter. */
TEST(only_candidates_count)
{
	int round;

	for (round = 0; round < 2; round++) {
		const char *twins = round ? "success" : "failure";

		f->options.take_ambiguous = !round;
		f->options.only_failing = round;
		add_job(1, "gpt/a", twins, 100, 200);
		add_job(2, "gpt/a", twins, 100, 200);
		add_job(3, "moe/a", "failure", 300, 400);
		add_artifact(11, "logs-a-42-x", 150);
		add_artifact(12, "logs-a-42-y", 350);
		match();
		artifact_is(0, round ? RG_OUTCOME_SKIPPED_PASSING : RG_OUTCOME_TAKEN,
			    round ? 0 : 1);
		artifact_is(1, RG_OUTCOME_TAKEN, 3);
		stop(NULL);
		start(NULL);
	}
}

/* Not only those that are named. */
TEST(all_candidates_are_ambiguous)
{
	size_t i;

	for (i = 0; i < 6; i++)
		add_job(i + 1, "gpt/a", "failure", 100, 200);
	add_artifact(11, "logs-a-42-x", 150);
	match();
	ARTIFACTS_ARE({RG_OUTCOME_AMBIGUOUS, 0,
		       "it may be of any of these jobs: 1 (gpt/a), 2 (gpt/a), 3 (gpt/a), "
		       "4 (gpt/a) and 2 more"});
	for (i = 0; i < 6; i++)
		job_is(i, RG_OUTCOME_AMBIGUOUS);
}

TEST(passing_twins_are_not_ambiguous)
{
	f->options.only_failing = true;
	add_job(1, "gpt/a", "success", 100, 200);
	add_job(2, "gpt/a", "success", 100, 200);
	add_artifact(11, "logs-a-42-x", 150);
	match();
	ARTIFACTS_ARE({RG_OUTCOME_SKIPPED_PASSING, 0, NULL});
}

TEST(earlier_attempts_have_their_time)
{
	f->options.earlier_attempt = true;
	add_job(1, "gpt/a", "failure", 100, 200);
	add_artifact(11, "logs-a-42-x", 150);
	add_artifact(12, "logs-a-42-y", 350);
	match();
	ARTIFACTS_ARE({RG_OUTCOME_TAKEN, 1, NULL}, {RG_OUTCOME_SUPERSEDED, 0, NULL});
}

static void add_earlier(uint64_t id, const char *name, int64_t started, int64_t completed)
{
	rg_run *run = &f->run;

	*RG_PUSH(run->earlier, run->earlier_count, run->earlier_capacity) =
		(rg_job){.id = id,
			 .name = name,
			 .status = "completed",
			 .conclusion = "failure",
			 .started = started,
			 .completed = completed,
			 .upload_started = completed - 10,
			 .upload_completed = completed};
}

/* Twins, one of which was run again: what it made at first is not its twin's. */
TEST(replaced_executions_count)
{
	rg_job *carried;

	carried = add_job(1, "gpt/a", "success", 100, 200);
	carried->upload_started = 170;
	carried->upload_completed = 180;
	add_job(2, "gpt/a", "failure", 300, 400);
	add_earlier(3, "gpt/a", 100, 205);
	add_earlier(4, "gpt/a", 100, 200); /* job 1, as it was */
	add_earlier(5, "moe/other", 100, 500);
	add_earlier(6, "gpt/0", 100, 500);
	add_artifact(11, "logs-a-42-x", 175);
	add_artifact(12, "logs-a-42-y", 198);
	add_artifact(13, "logs-a-42-z", 390);
	add_artifact(14, "logs-a-42-v", 204);
	add_artifact(15, "logs-a-42-w", 150);
	match();
	ARTIFACTS_ARE({RG_OUTCOME_TAKEN, 1, NULL},
		      {RG_OUTCOME_SUPERSEDED, 0, "it is of another attempt"},
		      {RG_OUTCOME_TAKEN, 2, NULL}, {RG_OUTCOME_SUPERSEDED, 0, NULL},
		      {RG_OUTCOME_AMBIGUOUS, 0,
		       "it may be of any of these jobs: 1 (gpt/a), or of "
		       "an earlier attempt"});
	assert_int_equal(f->plan.job_count, 2);
}

/* A large matrix in no more than a moment. */
TEST(many_are_quick)
{
	static char jobs[MANY][32], artifacts[MANY][32];
	size_t i;

	for (i = 0; i < MANY; i++) {
		snprintf(jobs[i], sizeof(jobs[i]), "gpt/t%zu - latest", i);
		snprintf(artifacts[i], sizeof(artifacts[i]), "logs-t%zu-42-x", i);
		add_job(i + 1, jobs[i], "failure", 100, 200);
		add_artifact(i + 1, artifacts[i], 150);
	}
	match();
	for (i = 0; i < MANY; i++)
		artifact_is(i, RG_OUTCOME_TAKEN, i + 1);
}

/* All of one name, run twice; most passed and were carried over. Returns the processor time. */
static clock_t match_twins(size_t twins)
{
	clock_t begin;

	stop(NULL);
	start(NULL);
	for (uint64_t i = 0; i < twins; i++) {
		const int64_t begun = 1000 * (int64_t)i;
		rg_run *run = &f->run;

		add_job(i + 1, "gpt/a - latest", "failure", begun, begun + 999);
		add_artifact(i + 1, "logs-a-42-x", begun + 500);
		rg_job *earlier = RG_PUSH(run->earlier, run->earlier_count, run->earlier_capacity);

		*earlier = run->jobs[run->job_count - 1];
		earlier->id = i + 1 + twins;
	}
	/* As wide as all of them: each artifact is in it too, and it counts for none. */
	for (size_t i = 0; i < twins; i++)
		f->run.jobs[i].started = f->run.earlier[i].started = 0;
	begin = clock();
	match();
	begin = clock() - begin;
	artifact_is(twins - 1, RG_OUTCOME_TAKEN, twins);
	ARTIFACTS_ARE({RG_OUTCOME_AMBIGUOUS, 0, NULL});
	return begin;
}

/* Each artifact is compared with each job once: eight times as many take 64 times as long, not 512.
 */
TEST(many_of_one_name_are_quick)
{
	assert_in_range(match_twins(1600), 0, 160 * (match_twins(200) + CLOCKS_PER_SEC / 1000));
}

/* A folder of artifacts: the repository's tests stand for jobs, and those without an artifact are
 * not spoken of. */
TEST(takes_the_repositorys_tests_for_jobs)
{
	f->run.id = 0;
	f->run.assumed = true;
	add_job(1, "gpt/a", NULL, RG_TIME_NONE, RG_TIME_NONE);
	add_job(2, "gpt/b", NULL, RG_TIME_NONE, RG_TIME_NONE);
	add_job(3, "any name", NULL, RG_TIME_NONE, RG_TIME_NONE)->test = "c-8";
	add_job(4, "moe/unused", NULL, RG_TIME_NONE, RG_TIME_NONE);
	f->run.jobs[2].stage = "t5";
	add_artifact(1, "logs-a-77-8", RG_TIME_NONE);
	add_artifact(2, "logs-b-77-x", RG_TIME_NONE);
	add_artifact(3, "logs-b-77-x-retry", RG_TIME_NONE);
	add_artifact(4, "logs-b-77-y", RG_TIME_NONE);
	add_artifact(5, "logs-c-8-77-z", RG_TIME_NONE);
	add_artifact(6, "logs-new-77-z", RG_TIME_NONE);
	add_artifact(7, "coverage", RG_TIME_NONE)->empty = true;
	add_artifact(8, "broken", RG_TIME_NONE)->fault = "not a readable zip";
	add_artifact(9, "artifacts", RG_TIME_NONE)->test = "a";
	match();
	assert_int_equal(f->plan.job_count, 3);
	assert_string_equal(f->plan.jobs[2].stage, "t5");
	ARTIFACTS_ARE({RG_OUTCOME_TAKEN, 1, NULL}, {RG_OUTCOME_SUPERSEDED, 2, NULL},
		      {RG_OUTCOME_TAKEN, 2, NULL}, {RG_OUTCOME_TAKEN, 2, NULL},
		      {RG_OUTCOME_TAKEN, 3, NULL},
		      {RG_OUTCOME_FAILED, 0,
		       "its stage is not known: the tree has neither a golden nor a settings file "
		       "of test 'new'; name a folder that has it at regild.root/STAGE/new/FILE"},
		      {RG_OUTCOME_SKIPPED_NO_GOLDENS, 0, NULL},
		      {RG_OUTCOME_FAILED, 0, "not a readable zip"}, {RG_OUTCOME_TAKEN, 1, NULL});
}
