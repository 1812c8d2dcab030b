/* SPDX-License-Identifier: Apache-2.0 */
/* Logs beside the artifacts of a run: which there are, and what becomes of their jobs. */
#include "unit/unit.h"

#include "base/memory.h"
#include "unit/one_rule.h"

#include "base/file.h"
#include "source/fetch.h"
#include "source/log_artifact.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

/* Lives as long as the test. */
static rg_arena patterns;

/* A source whose logs are texts, repeated. */
typedef struct {
	rg_source source;
	const char *logs[4]; /* of the jobs 1 to 4; NULL: expired */
	size_t repeats;
	unsigned reads;
	rg_run run;
	rg_job jobs[4];
	rg_log_rule rules[2];
	rg_log_rules all;
	rg_line_pattern *match;
	rg_name_pattern *job, *target, *own;
	rg_manifest manifest;
	char folder[64];
} fixture;

static rg_error *read_log(rg_source *source, const rg_job *job, const rg_take_request *request,
			  rg_zip_sink *sink, void *context)
{
	fixture *f = (fixture *)source;
	const char *log = f->logs[job->id - 1];
	size_t i;

	f->reads++;
	if (!log)
		return rg_error_new(RG_E_GONE, "its log is gone");
	request->begin(request->context);
	for (i = 0; i <= f->repeats; i++) {
		RG_TRY(sink(context, log, strlen(log)));
		request->moved(request->context, strlen(log));
	}
	return NULL;
}

static void start(fixture *f)
{
	static const char *const names[] = {"g/t1", "g/t2 - x", "other", "g/t4"};
	static const char *const ends[] = {"failure", "success", "failure", "skipped"};
	const unsigned stage = 1u << RG_FIELD_STAGE, test = 1u << RG_FIELD_TEST;
	const unsigned tag = 1u << RG_FIELD_TAG, file = 1u << RG_FIELD_FILE;
	size_t i;

	*f = (fixture){.source = {.read_log = read_log}};
	snprintf(f->folder, sizeof(f->folder), "/tmp/regild-logs-XXXXXX");
	assert_non_null(mkdtemp(f->folder));
	rg_run_init(&f->run);
	rg_manifest_init(&f->manifest);
	rg_grow(&f->run.jobs, &f->run.job_capacity, 4, sizeof(*f->run.jobs));
	for (i = 0; i < 4; i++)
		f->run.jobs[i] = (rg_job){.id = i + 1,
					  .name = names[i],
					  .status = "completed",
					  .conclusion = ends[i]};
	f->run.job_count = 4;
	f->run.id = 9;
	assert_success(rg_name_pattern_new(&f->job, &patterns, "{stage}/{test} - {tag}",
					   stage | test | tag, "j"));
	assert_success(rg_name_pattern_new(&f->target, &patterns, "{stage}/{test}/{file}",
					   stage | test | file, "t"));
	assert_success(
		rg_name_pattern_new(&f->own, &patterns, "all/x.json", stage | test | file, "t"));
	assert_success(rg_line_pattern_new(&f->match, &patterns, "step {step} {value}"));
	f->rules[0] = (rg_log_rule){.name = "a",
				    .glob = "*",
				    .file = "a.json",
				    .text = "a",
				    .format = {.match = f->match, .metric = "m"}};
	f->rules[1] = (rg_log_rule){.name = "b",
				    .glob = "g/*",
				    .file = "b.txt",
				    .text = "b",
				    .format = {.begin = "begin", .end = "end"}};
	f->all = (rg_log_rules){.items = f->rules, .count = 2};
}

static void stop(fixture *f)
{
	rg_manifest_release(&f->manifest);
	rg_run_release(&f->run);
	assert_success(rg_remove_tree(f->folder));
}

static rg_error *fetch(fixture *f, bool only_failing, rg_cache *cache)
{
	rg_name_pattern *artifact;
	one_rule rules;
	const rg_match_options match = {.rules = &rules.rules, .only_failing = only_failing};
	const rg_fetch_options options = {.source = &f->source,
					  .cache = cache,
					  .logs = &f->all,
					  .rules = &rules.rules,
					  .root = "root",
					  .limits = rg_zip_limits_default(),
					  .artifact_max = 1000,
					  .workers = 1};

	assert_success(
		rg_name_pattern_new(&artifact, &patterns, "{test}", 1u << RG_FIELD_TEST, "a"));
	one_rule_init(&rules, f->job, artifact, f->target);
	rg_match(&f->run, &match, &f->manifest);
	rg_log_artifacts_add(&f->run, &f->all, &match, &f->manifest);
	return rg_fetch(&f->run, &options, f->folder, &f->manifest);
}

static void expect_job(const fixture *f, size_t i, rg_outcome outcome)
{
	if (f->manifest.jobs[i].outcome != outcome)
		fail_msg("job %zu is %s", i, rg_outcome_text(f->manifest.jobs[i].outcome));
}

TEST(logs_are_artifacts)
{
	rg_manifest read;
	rg_buf text;
	fixture f;

	start(&f);
	f.logs[0] = "step 1 2\nbegin\nx\nend\n";
	f.logs[1] = "nothing\n";
	f.logs[2] = "step 3 4.50\n";
	assert_success(fetch(&f, false, NULL));
	/* Two rules for the first two jobs, one for the third; the last never ran. */
	assert_int_equal(f.manifest.artifact_count, 5);
	assert_int_equal(f.reads, 3);
	assert_string_equal(f.manifest.artifacts[0].name, "log of g/t1 (a)");
	assert_int_equal(f.manifest.artifacts[0].job_id, 1);
	assert_null(f.manifest.artifacts[0].check);
	expect_job(&f, 0, RG_OUTCOME_TAKEN);
	expect_job(&f, 1, RG_OUTCOME_SKIPPED_NO_GOLDENS);
	assert_string_equal(f.manifest.jobs[1].why, "no line of the log matches");
	/* Its name fits no pattern: it is a test by its log. */
	expect_job(&f, 2, RG_OUTCOME_TAKEN);
	assert_string_equal(f.manifest.jobs[2].test, "other");
	expect_job(&f, 3, RG_OUTCOME_SKIPPED_NO_GOLDENS);
	assert_int_equal(f.manifest.golden_count, 3);
	assert_string_equal(f.manifest.goldens[0].target, "root/g/t1/a.json");
	assert_string_equal(f.manifest.goldens[0].file, "log/a.json");
	assert_string_equal(f.manifest.goldens[1].target, "root/g/t1/b.txt");
	assert_int_equal(f.manifest.goldens[1].size, 2);
	assert_string_equal(f.manifest.goldens[2].target, "root/jobs/other/a.json");
	assert_string_equal(f.manifest.goldens[2].test, "other");
	/* And the manifest is one like any other. */
	rg_buf_init(&text, RG_BUF_TEXT);
	rg_manifest_init(&read);
	f.manifest.source = "github";
	f.manifest.repository = "o/n";
	f.manifest.host = "github.com";
	f.manifest.head_commit = "a";
	f.manifest.status = "completed";
	f.manifest.root = "root";
	f.manifest.attempt = 1;
	assert_success(rg_manifest_write(&f.manifest, &text));
	assert_success(rg_manifest_parse(&read, text.data, text.length));
	rg_manifest_release(&read);
	rg_buf_release(&text);
	stop(&f);
}

TEST(only_logs_of_failing_jobs)
{
	fixture f;

	start(&f);
	f.logs[0] = "step 1 2\n";
	f.logs[1] = "step 1 3\n";
	f.run.jobs[2].conclusion = NULL;
	assert_success(fetch(&f, true, NULL));
	assert_int_equal(f.reads, 1);
	expect_job(&f, 0, RG_OUTCOME_TAKEN);
	expect_job(&f, 1, RG_OUTCOME_SKIPPED_PASSING);
	expect_job(&f, 2, RG_OUTCOME_SKIPPED_UNFINISHED);
	assert_int_equal(f.manifest.golden_count, 1);
	stop(&f);
}

TEST(logs_expire_and_fail_alone)
{
	fixture f;

	start(&f);
	f.all.count = 1;
	f.logs[0] = "step 1 ***\n";
	f.logs[2] = "step 1 2\n";
	assert_success(fetch(&f, false, NULL));
	expect_job(&f, 0, RG_OUTCOME_FAILED);
	assert_string_equal(f.manifest.artifacts[0].why,
			    "line 1: the step or the value is masked, as a secret; print it in "
			    "another form");
	expect_job(&f, 1, RG_OUTCOME_EXPIRED);
	assert_string_equal(f.manifest.artifacts[1].why, "its log is gone");
	expect_job(&f, 2, RG_OUTCOME_TAKEN);
	stop(&f);
}

/* A job that passed is in a later attempt under another id, which may have no log. */
TEST(jobs_that_are_carried_over)
{
	fixture f;

	start(&f);
	f.all.count = 1;
	f.logs[0] = f.logs[3] = "step 1 2\n";
	f.logs[2] = "step 1 3\n";
	f.run.jobs[1].started = f.run.jobs[3].started = 100;
	f.run.jobs[1].completed = f.run.jobs[3].completed = 200;
	rg_grow(&f.run.earlier, &f.run.earlier_capacity, 1, sizeof(rg_job));
	f.run.earlier[0] = f.run.jobs[3];
	f.run.earlier[0].name = f.run.jobs[1].name;
	f.run.earlier_count = 1;
	assert_success(fetch(&f, false, NULL));
	expect_job(&f, 1, RG_OUTCOME_TAKEN);
	assert_int_equal(f.reads, 4);
	assert_int_equal(f.manifest.golden_count, 3);
	stop(&f);
}

/* The others take what is theirs from a log that one rule refuses. */
TEST(rules_fail_alone)
{
	fixture f;

	start(&f);
	f.run.job_count = 1;
	f.logs[0] = "step 1 ***\nbegin\nx\nend\nstep 2 1\n";
	assert_success(fetch(&f, false, NULL));
	assert_int_equal(f.reads, 1);
	assert_int_equal(f.manifest.artifacts[0].outcome, RG_OUTCOME_FAILED);
	assert_int_equal(f.manifest.artifacts[1].outcome, RG_OUTCOME_TAKEN);
	assert_int_equal(f.manifest.golden_count, 1);
	stop(&f);
}

/* Each rule's artifact says why a log could not be read. */
TEST(all_rules_fail_with_the_log)
{
	fixture f;

	start(&f);
	f.run.job_count = 1;
	assert_success(fetch(&f, false, NULL));
	assert_int_equal(f.reads, 1);
	assert_int_equal(f.manifest.artifact_count, 2);
	assert_int_equal(f.manifest.artifacts[1].outcome, RG_OUTCOME_EXPIRED);
	assert_string_equal(f.manifest.artifacts[0].why, "its log is gone");
	assert_string_equal(f.manifest.artifacts[1].why, "its log is gone");
	stop(&f);
}

/* Different values for one place are a conflict, as artifacts' are. */
TEST(targets_meet)
{
	fixture f;

	start(&f);
	f.all.count = 1;
	f.rules[0].target = f.own;
	f.logs[0] = "step 1 2\n";
	f.logs[1] = "step 1 3\n";
	f.logs[2] = "step 1 2\n";
	assert_success(fetch(&f, false, NULL));
	expect_job(&f, 0, RG_OUTCOME_CONFLICT);
	expect_job(&f, 1, RG_OUTCOME_CONFLICT);
	assert_int_equal(f.manifest.golden_count, 0);
	stop(&f);
}

/* Names of jobs are hostile. */
TEST(unsafe_names_are_refused)
{
	fixture f;

	start(&f);
	f.all.count = 1;
	f.run.jobs[0].name = "../../etc";
	f.run.jobs[1].name = "a/.git/b";
	f.run.jobs[2].name = "x\\y";
	f.logs[0] = f.logs[1] = f.logs[2] = "step 1 2\n";
	assert_success(fetch(&f, false, NULL));
	expect_job(&f, 0, RG_OUTCOME_FAILED);
	expect_job(&f, 1, RG_OUTCOME_FAILED);
	expect_job(&f, 2, RG_OUTCOME_FAILED);
	assert_int_equal(f.manifest.golden_count, 0);
	stop(&f);
}

/* By the job's id and the rule's text. */
TEST(the_cache_has_them)
{
	char folder[] = "/tmp/regild-logs-cache-XXXXXX";
	rg_cache *cache;
	fixture f;
	int round;

	assert_non_null(mkdtemp(folder));
	assert_success(rg_cache_open(&cache, folder, 0, NULL));
	for (round = 0; round < 3; round++) {
		start(&f);
		f.all.count = 1;
		f.source.address = "https://api.example";
		f.run.host = "github.com";
		f.run.repository = "o/n";
		f.logs[0] = f.logs[1] = f.logs[2] = "step 1 2\n";
		f.rules[0].text = round == 2 ? "another" : "a";
		assert_success(fetch(&f, false, cache));
		assert_int_equal(f.manifest.golden_count, 3);
		assert_int_equal(f.reads, round == 1 ? 0 : 3);
		stop(&f);
	}
	rg_cache_free(cache);
	assert_success(rg_remove_tree(folder));
}

/* In kilobytes. */
static long most_memory(void)
{
	struct rusage usage;

	assert_int_equal(getrusage(RUSAGE_SELF, &usage), 0);
	return usage.ru_maxrss;
}

/* What is kept of a log of 256 MB, which two rules read, is the golden. */
TEST(long_logs_take_no_memory)
{
	enum { LINE = 100, LINES = 10 << 10 };
	char *log = malloc(LINE * LINES + 1);
	long before = most_memory();
	fixture f;
	size_t i;

	assert_non_null(log);
	for (i = 0; i < LINES; i++)
		snprintf(log + i * LINE, LINE + 1, "%-99s\n", i % 100 ? "text" : "step 1 2.5");
	start(&f);
	f.run.job_count = 1;
	f.logs[0] = log;
	f.repeats = 255;
	assert_success(fetch(&f, false, NULL));
	assert_int_equal(f.reads, 1);
	expect_job(&f, 0, RG_OUTCOME_TAKEN);
	assert_true(f.manifest.bytes_moved == (uint64_t)LINE * LINES * 256);
	assert_true(most_memory() - before < 64 << 10);
	stop(&f);
	free(log);
}
