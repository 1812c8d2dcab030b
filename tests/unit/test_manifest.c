/* SPDX-License-Identifier: Apache-2.0 */

#include "unit.h"

#include "base/file.h"
#include "base/memory.h"
#include "source/manifest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char sha[] = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

static void add_golden(rg_manifest *m, const char *stage, const char *test, const char *target)
{
	rg_manifest_golden *golden;

	rg_grow(&m->goldens, &m->golden_capacity, m->golden_count + 1, sizeof(*m->goldens));
	golden = &m->goldens[m->golden_count++];
	*golden = (rg_manifest_golden){.stage = stage,
				       .test = test,
				       .file = "g.json",
				       .target = target,
				       .size = 7,
				       .artifact_id = 12345678901,
				       .digest = "sha256:00"};
	memcpy(golden->sha256, sha, sizeof(golden->sha256));
}

static void fill(rg_manifest *m)
{
	rg_manifest_init(m);
	m->source = "github";
	m->host = "github.com";
	m->repository = "OWNER/NAME";
	m->run_id = 18446744073;
	m->attempt = 2;
	m->branch = "main \"x\"\n";
	m->only_failing = true;
	m->root = "tests/cases";
	add_golden(m, "s", "b", "tests/cases/s/b/g.json");
	add_golden(m, "s", "a", "tests/cases/s/a/g.json");
	add_golden(m, "s", "a", "tests/cases/s/a/h.json");
	m->goldens[0].allowed = "shrink, dirty";
	m->goldens[1].rewrite = true;
	m->goldens[1].digits = 6;
	rg_grow(&m->jobs, &m->job_capacity, 1, sizeof(*m->jobs));
	m->jobs[m->job_count++] = (rg_manifest_job){.id = 3,
						    .name = "s/a - latest",
						    .stage = "s",
						    .test = "a",
						    .tag = "latest",
						    .outcome = RG_OUTCOME_SKIPPED_NO_GOLDENS,
						    .why = "no artifact"};
	rg_grow(&m->artifacts, &m->artifact_capacity, 1, sizeof(*m->artifacts));
	m->artifacts[m->artifact_count++] = (rg_manifest_artifact){
		.id = 4, .name = "logs-a", .size = 9, .job_id = 3, .check = "sha256"};
}

static char *written(void)
{
	rg_manifest m;
	rg_buf text;
	char *copy;

	fill(&m);
	rg_buf_init(&text, RG_BUF_TEXT);
	assert_null(rg_manifest_write(&m, &text));
	copy = rg_buf_detach(&text);
	rg_manifest_release(&m);
	return copy;
}

/* Where goldens of no run came from. */
TEST(paths)
{
	const char *from;
	rg_manifest m;

	fill(&m);
	m.run_id = 0;
	rg_manifest_from(&m, &from);
	assert_null(from);
	rg_manifest_add_text(&m, &m.paths, "dl \"x\"");
	rg_manifest_from(&m, &from);
	assert_string_equal(from, "dl \"x\"");
	rg_manifest_add_text(&m, &m.paths, "b.zip");
	rg_manifest_add_text(&m, &m.paths, "c.zip");
	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_TEXT);
	assert_null(rg_manifest_write(&m, &text));
	rg_manifest_release(&m);
	assert_null(rg_manifest_parse(&m, text.data, text.length));
	assert_int_equal(m.paths.count, 3);
	rg_manifest_from(&m, &from);
	assert_string_equal(from, "dl \"x\" and 2 more");
	m.run_id = 7;
	rg_manifest_from(&m, &from);
	assert_null(from);
	rg_manifest_release(&m);
}

/* How the run was chosen among several. */
TEST(among)
{
	static const char *const takes[] = {"median-run", "first"};
	rg_manifest m;

	fill(&m);
	m.take = takes[1];
	rg_manifest_add_text(&m, &m.among, "7");
	rg_manifest_add_text(&m, &m.among, "8");
	rg_manifest_add_text(&m, &m.missed, "run 9: \"gone\"");
	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_TEXT);
	assert_null(rg_manifest_write(&m, &text));
	rg_manifest_release(&m);
	assert_null(rg_manifest_parse(&m, text.data, text.length));
	assert_string_equal(m.take, takes[1]);
	assert_int_equal(m.among.count, 2);
	assert_string_equal(m.among.items[1], "8");
	assert_int_equal(m.missed.count, 1);
	assert_string_equal(m.missed.items[0], "run 9: \"gone\"");
	rg_manifest_release(&m);
}

/* What a download writes an update reads, up to the last attempt and the last id, to the unit. */
TEST(large_numbers)
{
	rg_manifest m;

	fill(&m);
	m.attempt = RG_ATTEMPT_MAX;
	m.run_id = UINT64_MAX;
	m.jobs[0].id = 1234567890123457;
	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_TEXT);
	assert_null(rg_manifest_write(&m, &text));
	rg_manifest_release(&m);
	assert_null(rg_manifest_parse(&m, text.data, text.length));
	assert_int_equal(m.attempt, RG_ATTEMPT_MAX);
	assert_true(m.run_id == UINT64_MAX);
	assert_true(m.jobs[0].id == 1234567890123457);
	rg_manifest_release(&m);
}

/* A refused member's name may be anything; the manifest is JSON, and safe to print anyway.
 */
TEST(hostile_texts)
{
	rg_manifest m;

	fill(&m);
	m.artifacts[0].why = "\xe9t\xc3\xa9 \x1b[2J\x7f\xc2\x9b\xe2\x80\xae";
	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_TEXT);
	assert_null(rg_manifest_write(&m, &text));
	assert_non_null(strstr(text.data, "\"\xef\xbf\xbdt\xc3\xa9 "
					  "\\u001b[2J\\u007f\\u009b\\u202e\""));
	rg_manifest_release(&m);
	assert_null(rg_manifest_parse(&m, text.data, text.length));
	assert_string_equal(m.artifacts[0].why,
			    "\xef\xbf\xbdt\xc3\xa9 \x1b[2J\x7f\xc2\x9b\xe2\x80\xae");
	rg_manifest_release(&m);
}

TEST(round_trip)
{
	char *text = written(), *again;
	rg_manifest m;
	rg_buf out;

	rg_manifest_init(&m);
	assert_null(rg_manifest_parse(&m, text, strlen(text)));
	assert_int_equal(m.run_id, 18446744073);
	assert_int_equal(m.attempt, 2);
	assert_string_equal(m.branch, "main \"x\"\n");
	assert_null(m.workflow);
	assert_true(m.only_failing);
	assert_int_equal(m.golden_count, 3);
	assert_string_equal(m.goldens[0].target, "tests/cases/s/a/g.json");
	assert_string_equal(m.goldens[2].allowed, "shrink, dirty");
	assert_true(m.goldens[0].rewrite);
	assert_int_equal(m.goldens[0].digits, 6);
	assert_false(m.goldens[1].rewrite);
	assert_int_equal(m.goldens[0].artifact_id, 12345678901);
	assert_int_equal(m.jobs[0].outcome, RG_OUTCOME_SKIPPED_NO_GOLDENS);
	assert_string_equal(m.artifacts[0].check, "sha256");
	/* Written again, only the order of the goldens may differ; parsed once more, nothing. */
	rg_buf_init(&out, RG_BUF_TEXT);
	assert_null(rg_manifest_write(&m, &out));
	again = rg_buf_detach(&out);
	assert_int_equal(strlen(again), strlen(text));
	free(again);
	free(text);
	rg_manifest_release(&m);
}

TEST(ends_with_counts)
{
	char *text = written(), *end;

	end = strstr(text, "\"counts\"");
	assert_non_null(end);
	assert_non_null(strstr(end, "\"tests with goldens\": 2"));
	assert_non_null(strstr(end, "\"goldens\": 3"));
	assert_string_equal(strrchr(end, ':'), ": 3}\n}\n");
	free(text);
}

/* The document with one text in it replaced. */
static char *with(const char *old, const char *fresh)
{
	char *text = written(), *at = strstr(text, old), *out;
	size_t size = strlen(text) + strlen(fresh) + 1;

	assert_non_null(at);
	out = malloc(size);
	assert_non_null(out);
	snprintf(out, size, "%.*s%s%s", (int)(at - text), text, fresh, at + strlen(old));
	free(text);
	return out;
}

TEST(hostile)
{
	static const struct {
		const char *old, *fresh;
		rg_error_code code;
		const char *message;
	} cases[] = {
		{"\"version\": 1", "\"version\": 2", RG_E_PARSE, "'version' is 2"},
		{"tests/cases/s/b/g.json", "../x", RG_E_UNSAFE, "'goldens[0].target'"},
		{"tests/cases/s/b/g.json", "/etc/passwd", RG_E_UNSAFE, "absolute"},
		{"tests/cases/s/b/g.json", "tests/cases/s/a/g.json", RG_E_PARSE, "two goldens"},
		{"\"file\": \"g.json\"", "\"file\": \"a//b\"", RG_E_UNSAFE, "'goldens[0].file'"},
		{"\"stage\": \"s\", \"test\": \"b\"", "\"stage\": \"..\", \"test\": \"b\"",
		 RG_E_UNSAFE, "'goldens[0].stage'"},
		{"e3b0c442", "E3b0c442", RG_E_PARSE, ".sha256'"},
		{"e3b0c442", "b0c442", RG_E_PARSE, ".sha256'"},
		{"\"size\": 7", "\"size\": -7", RG_E_PARSE, ".size'"},
		{"\"size\": 7", "\"size\": 7.5", RG_E_PARSE, ".size'"},
		{"\"size\": 7", "\"size\": 1e300", RG_E_PARSE, ".size'"},
		{"\"size\": 7", "\"size\": \"7x\"", RG_E_PARSE, ".size'"},
		{"\"attempt\": 2", "\"attempt\": 1000000001", RG_E_PARSE, "'run.attempt'"},
		{"only-failing", "some", RG_E_PARSE, "'scope'"},
		{"skipped: no goldens", "eaten", RG_E_PARSE, "'jobs[0].outcome'"},
		{"\"root\": \"tests/cases\"", "\"root\": \"../x\"", RG_E_UNSAFE, "'root'"},
		{"\"run\":", "\"walk\":", RG_E_PARSE, "'run'"},
		{"\"jobs\": [", "\"jobs\": [1, ", RG_E_PARSE, "'jobs'"},
		{"\"jobs\": [", "\"walks\": [", RG_E_PARSE, "'jobs' is missing"},
		{"\"allowed\":", "\"allowed\": 1, \"x\":", RG_E_PARSE, ".allowed' is not a text"},
		{"\"round\": 6", "\"round\": 18", RG_E_PARSE, "goldens[1].rewrite.round'"},
		{"\"rewrite\":", "\"rewrite\": true, \"x\":", RG_E_PARSE, "goldens[1].rewrite'"},
		{"\"stage\": \"s\"", "\"stage\": 7", RG_E_PARSE, "'jobs[0].stage' is not a text"},
		{"\"stage\": \"s\", \"test\": \"b\"", "\"test\": \"b\"", RG_E_PARSE,
		 "'goldens[0].stage' is missing"},
		{"\"jobs\": [", "\"jobs\": [,", RG_E_PARSE, "not JSON"},
		{"{", "[", RG_E_PARSE, "is not a download's manifest; 'regild download -o DIR'"},
	};
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		char *text = with(cases[i].old, cases[i].fresh);
		rg_manifest m;
		rg_error *err;

		rg_manifest_init(&m);
		err = rg_manifest_parse(&m, text, strlen(text));
		if (!err || rg_error_get_code(err) != cases[i].code ||
		    !strstr(rg_error_message(err), cases[i].message))
			fail_msg("case %zu: %s", i, err ? rg_error_message(err) : "taken");
		rg_error_free(err);
		rg_manifest_release(&m);
		free(text);
	}
}

TEST(truncated)
{
	char *text = written();
	size_t length = strlen(text) - 2, cut; /* "}\n" */

	for (cut = 0; cut <= length; cut++) {
		rg_manifest m;
		rg_error *err;

		rg_manifest_init(&m);
		err = rg_manifest_parse(&m, text, cut);
		assert_non_null(err);
		rg_error_free(err);
		rg_manifest_release(&m);
	}
	free(text);
}

TEST(trailing_bytes)
{
	char *text = written(), *longer = malloc(strlen(text) + 3);
	rg_manifest m;
	rg_error *err;

	assert_non_null(longer);
	memcpy(longer, text, strlen(text));
	memcpy(longer + strlen(text), "{}", 3);
	rg_manifest_init(&m);
	err = rg_manifest_parse(&m, longer, strlen(longer));
	assert_non_null(err);
	rg_error_free(err);
	rg_manifest_release(&m);
	free(longer);
	free(text);
}

TEST(save_and_load)
{
	char dir[] = "build/manifest-XXXXXX";
	rg_manifest m, back;
	rg_error *err;

	assert_non_null(mkdtemp(dir));
	fill(&m);
	rg_manifest_init(&back);
	err = rg_manifest_load(&back, dir);
	assert_non_null(err);
	assert_int_equal(rg_error_get_code(err), RG_E_IO);
	rg_error_free(err);
	assert_null(rg_manifest_save(&m, dir));
	assert_null(rg_manifest_load(&back, dir));
	assert_int_equal(back.golden_count, 3);
	rg_manifest_release(&back);
	rg_manifest_release(&m);
	assert_null(rg_remove_tree(dir));
}

TEST(outcomes)
{
	assert_true(rg_outcome_is_missing(RG_OUTCOME_EXPIRED));
	assert_false(rg_outcome_is_missing(RG_OUTCOME_SKIPPED_PASSING));
}
