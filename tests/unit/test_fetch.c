/* SPDX-License-Identifier: Apache-2.0 */
/* Several artifacts in turn: what one of them does to the others, and what it leaves. */
#include "unit/unit.h"

#include "base/memory.h"
#include "base/digest.h"
#include "base/file.h"
#include "source/fetch.h"
#include "source/remote_artifact.h"
#include "unit/one_rule.h"
#include "unit/scripted_server.h"

#include <stdlib.h>

/* Lives as long as the test. */
static rg_arena arena;

enum { ARTIFACTS = 3 };

/* A source that gives out the server's address, or the error that a test wants. */
typedef struct {
	rg_source source;
	scripted_server server;
	rg_error_code refusal; /* 0: none */
	uint64_t refused_id;
	rg_http *http;
	rg_name_pattern *target;
	one_rule rules;
	rg_run run;
	rg_manifest manifest;
	rg_fetch_options options;
	char folder[64];
	uint64_t done, moved;
} fixture;

static rg_error *locate(void *context, char **url)
{
	const fixture *f = context;

	*url = rg_textf("%s/blob?sig=x", f->server.url);
	return NULL;
}

static rg_error *take(rg_source *source, const rg_artifact *artifact,
		      const rg_take_request *request, rg_selection *selection, const char **check)
{
	fixture *f = (fixture *)source;
	const rg_remote_artifact from = {
		.http = f->http, .artifact = artifact, .locate = locate, .context = f};

	*check = NULL;
	if (f->refusal && artifact->id == f->refused_id)
		return rg_error_new(f->refusal, "said the source");
	return rg_remote_artifact_take(&from, request, selection, check);
}

static void on_progress(void *context, const rg_progress_state *state)
{
	fixture *f = context;

	f->done = state->done;
	f->moved = state->bytes_moved;
}

static void add_artifact(fixture *f, size_t i)
{
	rg_manifest *m = &f->manifest;

	f->run.artifacts[i] = (rg_artifact){.id = 11 + i, .name = "a", .size = 50};
	m->jobs[i] = (rg_manifest_job){.id = 1 + i,
				       .name = "j",
				       .stage = "g",
				       .test = i == 0   ? "t0"
					       : i == 1 ? "t1"
							: "t2",
				       .outcome = RG_OUTCOME_TAKEN};
	m->artifacts[i] = (rg_manifest_artifact){.id = 11 + i,
						 .name = "a",
						 .size = 50,
						 .job_id = 1 + i,
						 .rules = 1,
						 .outcome = RG_OUTCOME_TAKEN};
}

static void start(fixture *f, const scripted_answer *answers, size_t count)
{
	static const char *patterns[] = {"golden*.json"};
	static rg_progress progress;
	rg_http_options options = rg_http_options_default();
	size_t i;

	memset(f, 0, sizeof(*f));
	f->source.take = take;
	f->source.address = "https://api.example";
	assert_true(script_start(&f->server, answers, count));
	options.api_url = "https://api.example";
	options.retries = 1;
	options.retry_base = 0.002;
	assert_success(rg_http_new(&f->http, &options));
	assert_success(rg_name_pattern_new(
		&f->target, &arena, "{stage}/{test}/{file}",
		1u << RG_FIELD_STAGE | 1u << RG_FIELD_TEST | 1u << RG_FIELD_FILE, "jobs.target"));
	snprintf(f->folder, sizeof(f->folder), "/tmp/regild-fetch-XXXXXX");
	assert_non_null(mkdtemp(f->folder));
	rg_run_init(&f->run);
	rg_manifest_init(&f->manifest);
	rg_grow(&f->run.artifacts, &f->run.artifact_capacity, ARTIFACTS, sizeof(*f->run.artifacts));
	rg_grow(&f->manifest.jobs, &f->manifest.job_capacity, ARTIFACTS, sizeof(*f->manifest.jobs));
	rg_grow(&f->manifest.artifacts, &f->manifest.artifact_capacity, ARTIFACTS,
		sizeof(*f->manifest.artifacts));
	for (i = 0; i < ARTIFACTS; i++)
		add_artifact(f, i);
	f->run.artifact_count = f->manifest.job_count = f->manifest.artifact_count = ARTIFACTS;
	progress = (rg_progress){.update = on_progress, .context = f};
	one_rule_init(&f->rules, NULL, NULL, f->target);
	one_rule_files(&f->rules, patterns, 1, patterns[0]);
	f->options = (rg_fetch_options){.source = &f->source,
					.rules = &f->rules.rules,
					.root = "root",
					.limits = rg_zip_limits_default(),
					.artifact_max = 1000,
					.whole = true,
					.workers = 1,
					.progress = &progress};
}

static void stop(fixture *f)
{
	rg_manifest_release(&f->manifest);
	rg_run_release(&f->run);
	rg_http_free(f->http);
	script_stop(&f->server);
	assert_success(rg_remove_tree(f->folder));
}

static void check(const fixture *f, size_t i, rg_outcome outcome, const char *why)
{
	const rg_manifest_artifact *artifact = &f->manifest.artifacts[i];

	if (artifact->outcome != outcome)
		fail_msg("artifact %zu is %s (%s)", i, rg_outcome_text(artifact->outcome),
			 artifact->why ? artifact->why : "");
	if (why)
		assert_string_equal(artifact->why, why);
	else
		assert_null(artifact->why);
	assert_int_equal(f->manifest.jobs[i].outcome, outcome);
}

static rg_error *fetch(fixture *f)
{
	return rg_fetch(&f->run, &f->options, f->folder, &f->manifest);
}

#define FILE_NAMED(name, length)                                                                   \
	"HTTP/1.1 200 x\r\nConnection: close\r\nContent-Disposition: attachment; filename=\"" name \
	"\"\r\nContent-Length: " #length "\r\n\r\n"
#define NO_DIGEST "sha256:0000000000000000000000000000000000000000000000000000000000000000"
#define GOLDEN    FILE_NAMED("golden_x.json", 10) "{\"a\": NaN}"

TEST(good_ones_beside_bad_ones)
{
	const scripted_answer answers[] = {{GOLDEN, false, NULL},
					   {FILE_NAMED("golden_x.json", 4) "{\"a\"", false, NULL},
					   {FILE_NAMED("notes.txt", 5) "hello", false, NULL}};
	char path[128];
	rg_buf bytes;
	fixture f;

	start(&f, answers, 3);
	assert_success(fetch(&f));
	check(&f, 0, RG_OUTCOME_TAKEN, NULL);
	check(&f, 1, RG_OUTCOME_TAKEN, NULL); /* update reads what is in it */
	check(&f, 2, RG_OUTCOME_FAILED,
	      "is not a zip but one file, 'notes.txt', which regild.files does not ask for");
	assert_int_equal(f.manifest.golden_count, 2);
	assert_string_equal(f.manifest.goldens[0].target, "root/g/t0/golden_x.json");
	assert_int_equal(f.manifest.bytes_moved, 19);
	assert_int_equal(f.manifest.bytes_total, 150);
	assert_int_equal(f.done, 3);
	assert_int_equal(f.moved, 19);
	snprintf(path, sizeof(path), "%s/files/g/t0/golden_x.json", f.folder);
	rg_buf_init(&bytes, 100);
	assert_success(rg_file_read(&bytes, path));
	assert_string_equal(bytes.data, "{\"a\": NaN}");
	rg_buf_release(&bytes);
	stop(&f);
}

#define PART_NAMED(name)                                                                       \
	"HTTP/1.1 206 x\r\nConnection: close\r\nContent-Range: bytes 0-49/50\r\n"              \
	"Content-Disposition: attachment; filename=\"" name "\"\r\nContent-Length: 50\r\n\r\n" \
	"01234567890123456789012345678901234567890123456789"

/* The name came with the tail: the rest of what nobody asks for stays where it is. */
TEST(other_files_are_not_fetched)
{
	const scripted_answer answers[] = {
		{PART_NAMED("notes.txt"), false, NULL},
		{PART_NAMED("logs.zip"), false, NULL},
		{FILE_NAMED("golden_x.json", 10) "{\"a\": NaN}", false, NULL}};
	fixture f;

	start(&f, answers, 3);
	f.options.whole = false;
	assert_success(fetch(&f));
	check(&f, 0, RG_OUTCOME_FAILED,
	      "is not a zip but one file, 'notes.txt', which regild.files does not ask for");
	assert_null(f.manifest.artifacts[0].check);
	check(&f, 1, RG_OUTCOME_FAILED, "is not a zip, though it is named 'logs.zip'");
	check(&f, 2, RG_OUTCOME_TAKEN, NULL);
	assert_int_equal(f.server.served, 3);
	stop(&f);
}

/* What begins like a zip is one that is damaged, and not called anything else. */
TEST(damaged_zips_are_zips)
{
	const scripted_answer answers[] = {{FILE_NAMED("logs.zip", 8) "PK\3\4 cut", false, NULL},
					   {FILE_NAMED("notes.txt", 8) "PK\3\4 cut", false, NULL},
					   {FILE_NAMED("logs.zip", 3) "PK\3", false, NULL}};
	fixture f;

	start(&f, answers, 3);
	assert_success(fetch(&f));
	check(&f, 0, RG_OUTCOME_FAILED, "not a readable zip: 8 bytes are too few for a zip");
	check(&f, 1, RG_OUTCOME_FAILED, "not a readable zip: 8 bytes are too few for a zip");
	check(&f, 2, RG_OUTCOME_FAILED, "is not a zip, though it is named 'logs.zip'");
	stop(&f);
}

TEST(digests_are_held_against)
{
	const scripted_answer answers[] = {
		{GOLDEN, false, NULL}, {GOLDEN, false, NULL}, {GOLDEN, false, NULL}};
	char digest[7 + RG_SHA256_HEX] = "sha256:";
	fixture f;

	start(&f, answers, 3);
	assert_success(rg_sha256_hex("{\"a\": NaN}", 10, digest + 7));
	f.run.artifacts[0].digest = digest;
	f.run.artifacts[1].digest = NO_DIGEST;
	assert_success(fetch(&f));
	check(&f, 0, RG_OUTCOME_TAKEN, NULL);
	assert_string_equal(f.manifest.artifacts[0].check, "sha256");
	assert_int_equal(f.manifest.artifacts[1].outcome, RG_OUTCOME_FAILED);
	assert_non_null(strstr(f.manifest.artifacts[1].why, NO_DIGEST));
	assert_non_null(strstr(f.manifest.artifacts[1].why, digest + 7));
	assert_non_null(strstr(f.manifest.artifacts[1].why, "10 bytes"));
	assert_null(f.manifest.artifacts[1].check);
	/* Without a digest a plain file is not checked at all, and nothing says that it was. */
	check(&f, 2, RG_OUTCOME_TAKEN, NULL);
	assert_null(f.manifest.artifacts[2].check);
	stop(&f);
}

/* An update would refuse all of what is staged beside it. */
TEST(what_git_keeps_is_no_target)
{
	const scripted_answer answers[] = {
		{GOLDEN, false, NULL}, {GOLDEN, false, NULL}, {GOLDEN, false, NULL}};
	fixture f;

	start(&f, answers, 3);
	f.manifest.jobs[1].stage = ".Git";
	f.manifest.jobs[1].test = "hooks";
	assert_success(fetch(&f));
	check(&f, 0, RG_OUTCOME_TAKEN, NULL);
	check(&f, 1, RG_OUTCOME_FAILED,
	      "unsafe target 'root/.Git/hooks/golden_x.json': it has a '.git' part");
	check(&f, 2, RG_OUTCOME_TAKEN, NULL);
	assert_int_equal(f.manifest.golden_count, 2);
	stop(&f);
}

TEST(what_expired_is_its_outcome)
{
	const scripted_answer answers[] = {{GOLDEN, false, NULL}, {GOLDEN, false, NULL}};
	fixture f;

	start(&f, answers, 2);
	f.refusal = RG_E_GONE;
	f.refused_id = 12;
	assert_success(fetch(&f));
	check(&f, 0, RG_OUTCOME_TAKEN, NULL);
	check(&f, 1, RG_OUTCOME_EXPIRED, "said the source");
	check(&f, 2, RG_OUTCOME_TAKEN, NULL);
	stop(&f);
}

TEST(a_refused_token_ends_all)
{
	const scripted_answer answers[] = {
		{GOLDEN, false, NULL}, {GOLDEN, false, NULL}, {GOLDEN, false, NULL}};
	fixture f;

	start(&f, answers, 3);
	f.refusal = RG_E_AUTH;
	f.refused_id = 12;
	assert_error(fetch(&f), RG_E_AUTH, "artifact 'a': said the source");
	assert_int_equal(f.server.served, 1);
	stop(&f);
}

TEST(a_full_disk_ends_all)
{
	const scripted_answer answers[] = {
		{GOLDEN, false, NULL}, {GOLDEN, false, NULL}, {GOLDEN, false, NULL}};
	rg_error *err;
	fixture f;

	start(&f, answers, 3);
	/* Where `parts` would be made is a file. */
	snprintf(f.folder + strlen(f.folder), 2, "x");
	assert_success(rg_file_replace(f.folder, "", 0, 0666));
	err = fetch(&f);
	assert_non_null(err);
	assert_int_equal(rg_error_get_code(err), RG_E_IO);
	rg_error_free(err);
	assert_int_equal(f.server.served, 0);
	assert_success(rg_remove_tree(f.folder));
	f.folder[strlen(f.folder) - 1] = '\0';
	stop(&f);
}

static void use_cache(fixture *f, rg_cache *cache, const char *repository)
{
	static const char *patterns[] = {"golden*.json", "golden*.bin"};

	f->options.cache = cache;
	one_rule_files(&f->rules, patterns, 2, "golden*.json golden*.bin");
	f->run.host = "github.com";
	f->run.repository = repository;
}

/* What was taken once is not asked for again; what was refused is. */
TEST(what_the_cache_has_is_not_asked_for)
{
	const scripted_answer first[] = {{GOLDEN, false, NULL},
					 {FILE_NAMED("golden_e.bin", 0) "", false, NULL},
					 {FILE_NAMED("notes.txt", 5) "hello", false, NULL}};
	char folder[] = "build/fetch-cache-XXXXXX", path[160];
	rg_cache *cache;
	fixture f;
	rg_buf bytes;

	assert_non_null(mkdtemp(folder));
	assert_success(rg_cache_open(&cache, folder, 0, NULL));
	start(&f, first, 3);
	use_cache(&f, cache, "o/n");
	assert_success(fetch(&f));
	assert_int_equal(f.server.served, 3);
	assert_null(f.manifest.artifacts[0].check);
	stop(&f);

	start(&f, first + 2, 1);
	use_cache(&f, cache, "o/n");
	assert_success(fetch(&f));
	assert_int_equal(f.server.served, 1);
	check(&f, 0, RG_OUTCOME_TAKEN, NULL);
	check(&f, 1, RG_OUTCOME_TAKEN, NULL);
	assert_string_equal(f.manifest.artifacts[0].check, "cache");
	assert_int_equal(f.manifest.artifacts[2].outcome, RG_OUTCOME_FAILED);
	assert_int_equal(f.manifest.bytes_moved, 5);
	snprintf(path, sizeof(path), "%s/files/g/t0/golden_x.json", f.folder);
	rg_buf_init(&bytes, 100);
	assert_success(rg_file_read(&bytes, path));
	assert_string_equal(bytes.data, "{\"a\": NaN}");
	rg_buf_clear(&bytes);
	snprintf(path, sizeof(path), "%s/files/g/t1/golden_e.bin", f.folder);
	assert_success(rg_file_read(&bytes, path));
	assert_int_equal(bytes.length, 0);
	rg_buf_release(&bytes);
	stop(&f);

	/* Of another repository it is another artifact. */
	start(&f, first, 3);
	use_cache(&f, cache, "o/other");
	assert_success(fetch(&f));
	assert_int_equal(f.server.served, 3);
	stop(&f);
	rg_cache_free(cache);
	assert_success(rg_remove_tree(folder));
}

/* What has expired since is taken from the cache, and is gone only where that does not have it. */
TEST(the_cache_outlives_artifacts)
{
	const scripted_answer answers[] = {
		{GOLDEN, false, NULL}, {GOLDEN, false, NULL}, {GOLDEN, false, NULL}};
	char folder[] = "build/fetch-cache-XXXXXX";
	rg_cache *cache;
	fixture f;
	int round;
	size_t i;

	assert_non_null(mkdtemp(folder));
	assert_success(rg_cache_open(&cache, folder, 0, NULL));
	for (round = 0; round < 3; round++) {
		start(&f, answers, 3);
		use_cache(&f, cache, "o/n");
		for (i = 0; round && i < ARTIFACTS; i++) {
			f.run.artifacts[i].expired = true;
			f.manifest.artifacts[i].outcome = RG_OUTCOME_EXPIRED;
			f.manifest.artifacts[i].why = "on a day";
			f.manifest.jobs[i].outcome = RG_OUTCOME_EXPIRED;
			f.manifest.jobs[i].why = "on a day";
		}
		if (round == 2) {
			f.options.cache = NULL;
			f.refusal = RG_E_GONE;
		}
		f.run.artifacts[1].digest = round ? NO_DIGEST : NULL;
		assert_success(fetch(&f));
		assert_int_equal(f.server.served, round ? 0 : 3);
		check(&f, 0, round == 2 ? RG_OUTCOME_EXPIRED : RG_OUTCOME_TAKEN,
		      round == 2 ? "on a day" : NULL);
		check(&f, 1, round ? RG_OUTCOME_EXPIRED : RG_OUTCOME_TAKEN,
		      round ? "on a day" : NULL);
		assert_int_equal(f.manifest.golden_count, round == 0 ? 3 : round == 1 ? 2 : 0);
		stop(&f);
	}
	rg_cache_free(cache);
	assert_success(rg_remove_tree(folder));
}

/* A cache that cannot be written costs nothing but time. */
TEST(a_cache_that_fails_is_no_failure)
{
	const scripted_answer answers[] = {
		{GOLDEN, false, NULL}, {GOLDEN, false, NULL}, {GOLDEN, false, NULL}};
	char folder[] = "build/fetch-cache-XXXXXX", file[64];
	rg_cache *cache;
	fixture f;

	assert_non_null(mkdtemp(folder));
	snprintf(file, sizeof(file), "%s/file", folder);
	assert_success(rg_file_replace(file, "", 0, 0666));
	assert_success(rg_cache_open(&cache, file, 0, NULL));
	start(&f, answers, 3);
	use_cache(&f, cache, "o/n");
	assert_success(fetch(&f));
	check(&f, 0, RG_OUTCOME_TAKEN, NULL);
	check(&f, 2, RG_OUTCOME_TAKEN, NULL);
	stop(&f);
	rg_cache_free(cache);
	assert_success(rg_remove_tree(folder));
}

TEST(names_from_the_server_are_hostile)
{
	const scripted_answer answers[] = {
		{FILE_NAMED("golden_x.json", 0) "", false, NULL},
		{FILE_NAMED("a/../../golden_x.json", 10) "{\"a\": NaN}", false, NULL},
		{FILE_NAMED("golden.zip", 10) "not a zip.", false, NULL}};
	char path[128];
	fixture f;

	start(&f, answers, 3);
	assert_success(fetch(&f));
	check(&f, 0, RG_OUTCOME_TAKEN, NULL);
	/* Only its last part counts. */
	check(&f, 1, RG_OUTCOME_TAKEN, NULL);
	snprintf(path, sizeof(path), "%s/files/g/t1/golden_x.json", f.folder);
	assert_int_equal(access(path, R_OK), 0);
	check(&f, 2, RG_OUTCOME_FAILED, "is not a zip, though it is named 'golden.zip'");
	stop(&f);
}
