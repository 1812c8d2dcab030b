/* SPDX-License-Identifier: Apache-2.0 */
/* A staging folder changes as a whole or not at all, and layout puts goldens where they belong. */
#include "unit/unit.h"

#include "base/memory.h"
#include "unit/one_rule.h"

#include "base/digest.h"
#include "base/file.h"
#include "source/staging.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Lives as long as the test. */
static rg_arena patterns;

typedef struct {
	char top[64];
	char dir[96];
} fixture;

static void start(fixture *f)
{
	snprintf(f->top, sizeof(f->top), "/tmp/regild-staging-XXXXXX");
	assert_non_null(mkdtemp(f->top));
	snprintf(f->dir, sizeof(f->dir), "%s/a/b", f->top);
}

static void stop(const fixture *f)
{
	assert_success(rg_remove_tree(f->top));
}

static bool exists(const char *folder, const char *name)
{
	char path[512];
	struct stat st;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return !lstat(path, &st);
}

static void put(const char *folder, const char *name, const char *text)
{
	char path[512];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	assert_success(rg_make_parent_dirs(path, 0777));
	assert_success(rg_file_replace(path, text, strlen(text), 0666));
}

static void fill_manifest(rg_manifest *manifest)
{
	rg_manifest_init(manifest);
	manifest->source = "github";
	manifest->repository = "o/n";
	manifest->host = "github.com";
	manifest->run_id = 42;
	manifest->attempt = 1;
	manifest->root = "root";
}

TEST(replaces_as_a_whole)
{
	rg_manifest manifest;
	rg_staging *staging;
	fixture f;
	int round;

	start(&f);
	fill_manifest(&manifest);
	for (round = 0; round < 2; round++) {
		assert_success(rg_staging_begin(&staging, f.dir));
		put(rg_staging_folder(staging), round ? "files/g/t/new" : "files/g/t/old", "x");
		assert_success(rg_staging_commit(staging, &manifest));
		rg_staging_free(staging);
	}
	assert_true(exists(f.dir, "files/g/t/new"));
	assert_false(exists(f.dir, "files/g/t/old"));
	assert_true(exists(f.dir, "manifest.json"));
	assert_false(exists(f.dir, ".download"));
	rg_manifest_release(&manifest);
	stop(&f);
}

TEST(leaves_no_trace)
{
	rg_staging *staging;
	fixture f;

	start(&f);
	assert_success(rg_staging_begin(&staging, f.dir));
	put(rg_staging_folder(staging), "files/g/t/new", "x");
	rg_staging_free(staging);
	assert_false(exists(f.top, "a"));
	/* Folders that were there stay. */
	assert_success(rg_make_dirs(f.dir, 0777));
	assert_success(rg_staging_begin(&staging, f.dir));
	rg_staging_free(staging);
	assert_true(exists(f.top, "a/b"));
	assert_false(exists(f.dir, ".download"));
	stop(&f);
}

/* What cannot be put in place leaves what was there. */
TEST(changes_nothing_where_it_fails)
{
	rg_manifest manifest;
	rg_staging *staging;
	fixture f;
	int round;

	start(&f);
	fill_manifest(&manifest);
	put(f.dir, "manifest.json/x", "a folder in the manifest's place");
	for (round = 0; round < 2; round++) {
		rg_error *err;

		assert_success(rg_staging_begin(&staging, f.dir));
		put(rg_staging_folder(staging), "files/g/t/new", "x");
		err = rg_staging_commit(staging, &manifest);
		assert_int_equal(rg_error_get_code(err), RG_E_IO);
		rg_error_free(err);
		rg_staging_free(staging);
		assert_false(exists(f.dir, "files/g/t/new"));
		assert_int_equal(exists(f.dir, "files/g/t/old"), round);
		put(f.dir, "files/g/t/old", "x");
	}
	rg_manifest_release(&manifest);
	stop(&f);
}

/* A kill between the last two steps leaves files without a manifest. */
TEST(begins_after_a_kill)
{
	rg_manifest manifest;
	rg_staging *staging;
	fixture f;

	start(&f);
	fill_manifest(&manifest);
	put(f.dir, "files/g/t/x", "x");
	put(f.dir, ".download/manifest.json", "{}");
	assert_success(rg_staging_begin(&staging, f.dir));
	assert_success(rg_staging_commit(staging, &manifest));
	rg_staging_free(staging);
	assert_true(exists(f.dir, "manifest.json"));
	assert_false(exists(f.dir, "files/g"));
	rg_manifest_release(&manifest);
	stop(&f);
}

TEST(refuses_foreign_folders)
{
	rg_staging *staging, *second;
	char message[256];
	fixture f;

	start(&f);
	put(f.dir, "thesis.tex", "x");
	snprintf(message, sizeof(message),
		 "%s: is neither empty nor a staging folder; name another", f.dir);
	assert_error(rg_staging_begin(&staging, f.dir), RG_E_USAGE, message);
	assert_true(exists(f.dir, "thesis.tex"));
	/* Somebody's folder called 'files' is as foreign. */
	assert_success(rg_remove_tree(f.dir));
	put(f.dir, "files/thesis.tex", "x");
	assert_error(rg_staging_begin(&staging, f.dir), RG_E_USAGE, message);
	put(f.dir, "manifest.json", "{}");
	/* What a killed download left goes. */
	put(f.dir, ".download/files/g/t/x", "x");
	assert_success(rg_staging_begin(&staging, f.dir));
	assert_false(exists(f.dir, ".download/files"));
	snprintf(message, sizeof(message), "%s: another download is writing to it", f.dir);
	assert_error(rg_staging_begin(&second, f.dir), RG_E_CONFLICT, message);
	assert_true(exists(f.dir, ".download"));
	rg_staging_free(staging);
	stop(&f);
}

/* One job an artifact, all of the same test in stage "g". */
typedef struct {
	rg_manifest manifest;
	rg_taken taken[4];
	size_t indices[4], count;
	rg_name_pattern *target;
	one_rule rules;
	rg_fetch_options options;
	char parts[128];
} laid;

static void begin_layout(laid *l, const fixture *f)
{
	memset(l, 0, sizeof(*l));
	fill_manifest(&l->manifest);
	assert_success(rg_name_pattern_new(
		&l->target, &patterns, "{stage}/{test}/{file}",
		1u << RG_FIELD_STAGE | 1u << RG_FIELD_TEST | 1u << RG_FIELD_FILE, "jobs.target"));
	one_rule_init(&l->rules, NULL, NULL, l->target);
	l->options =
		(rg_fetch_options){.rules = &l->rules.rules, .root = "root", .worktree = f->top};
	snprintf(l->parts, sizeof(l->parts), "%s/parts", f->top);
	assert_success(rg_make_dirs(l->parts, 0777));
}

static void end_layout(laid *l)
{
	size_t i;

	for (i = 0; i < l->count; i++)
		rg_taken_release(&l->taken[i]);
	rg_manifest_release(&l->manifest);
}

/* An artifact of a job of its own, with one file. */
static void add(laid *l, const char *test, const char *path, const char *bytes)
{
	char full[256];
	rg_manifest *m = &l->manifest;
	size_t i = l->count;
	rg_taken *taken = &l->taken[i];
	char part[16];

	rg_grow(&m->jobs, &m->job_capacity, i + 1, sizeof(*m->jobs));
	rg_grow(&m->artifacts, &m->artifact_capacity, i + 1, sizeof(*m->artifacts));
	m->jobs[m->job_count++] = (rg_manifest_job){
		.id = i + 1, .name = "j", .stage = "g", .test = test, .outcome = RG_OUTCOME_TAKEN};
	m->artifacts[m->artifact_count++] = (rg_manifest_artifact){
		.id = i + 11, .name = "a", .job_id = i + 1, .outcome = RG_OUTCOME_TAKEN};
	rg_taken_init(taken);
	taken->outcome = RG_OUTCOME_TAKEN;
	taken->check = "crc32";
	rg_grow(&taken->files, &taken->capacity, taken->count + 1, sizeof(*taken->files));
	snprintf(part, sizeof(part), "%zu", i);
	put(l->parts, part, bytes);
	taken->files[0].path = path;
	taken->files[0].rule = &l->rules.rule;
	snprintf(full, sizeof(full), "%s/%s", l->parts, part);
	taken->files[0].part = rg_arena_text(&taken->arena, full);
	taken->files[0].size = strlen(bytes);
	assert_success(rg_sha256_hex(bytes, strlen(bytes), taken->files[0].sha256));
	taken->count = 1;
	l->indices[i] = i;
	l->count++;
}

static void lay_out(laid *l, const fixture *f)
{
	assert_success(
		rg_lay_out(&l->manifest, &l->options, f->top, l->taken, l->indices, l->count));
}

TEST(lays_out)
{
	fixture f;
	laid l;

	start(&f);
	begin_layout(&l, &f);
	put(f.top, "root/g/same/x.json", "{}");
	add(&l, "t", "x.json", "{}");
	add(&l, "same", "x.json", "{}");
	add(&l, "..", "x.json", "{}");
	lay_out(&l, &f);
	assert_true(exists(f.top, "files/g/t/x.json"));
	assert_int_equal(l.manifest.golden_count, 2);
	assert_string_equal(l.manifest.goldens[0].target, "root/g/same/x.json");
	assert_string_equal(l.manifest.goldens[1].target, "root/g/t/x.json");
	assert_int_equal(l.manifest.artifacts[0].outcome, RG_OUTCOME_TAKEN);
	assert_int_equal(l.manifest.artifacts[1].outcome, RG_OUTCOME_UNCHANGED);
	assert_int_equal(l.manifest.jobs[1].outcome, RG_OUTCOME_UNCHANGED);
	assert_int_equal(l.manifest.artifacts[2].outcome, RG_OUTCOME_FAILED);
	assert_int_equal(l.manifest.jobs[2].outcome, RG_OUTCOME_FAILED);
	end_layout(&l);
	stop(&f);
}

/* Each part is short enough, and so is the whole, but not behind the folder that it is put in. */
TEST(what_does_not_fit_fails_alone)
{
	char path[4090];
	fixture f;
	laid l;
	size_t i;

	start(&f);
	begin_layout(&l, &f);
	for (i = 0; i < sizeof(path) - 1; i++)
		path[i] = i % 200 == 199 ? '/' : 'p';
	path[sizeof(path) - 1] = '\0';
	l.options.root = "";
	add(&l, "t", path, "{}");
	add(&l, "u", "x.json", "{}");
	lay_out(&l, &f);
	assert_int_equal(l.manifest.artifacts[0].outcome, RG_OUTCOME_FAILED);
	assert_non_null(strstr(l.manifest.artifacts[0].why, "it is too long to be staged"));
	assert_int_equal(l.manifest.artifacts[1].outcome, RG_OUTCOME_TAKEN);
	assert_true(exists(f.top, "files/g/u/x.json"));
	end_layout(&l);
	stop(&f);
}

TEST(names_both_rivals)
{
	fixture f;
	laid l;

	start(&f);
	begin_layout(&l, &f);
	add(&l, "t", "x.json", "{}");
	add(&l, "t", "x.json", "[]");
	add(&l, "u", "x.json", "{}");
	add(&l, "u", "x.json", "{}");
	lay_out(&l, &f);
	assert_int_equal(l.manifest.artifacts[0].outcome, RG_OUTCOME_CONFLICT);
	assert_int_equal(l.manifest.artifacts[1].outcome, RG_OUTCOME_CONFLICT);
	assert_string_equal(l.manifest.artifacts[0].why,
			    "root/g/t/x.json also comes from artifact 12 'a' with other bytes");
	assert_string_equal(l.manifest.artifacts[1].why,
			    "root/g/t/x.json also comes from artifact 11 'a' with other bytes");
	assert_false(exists(f.top, "files/g/t/x.json"));
	/* The same bytes from two are one golden. */
	assert_int_equal(l.manifest.golden_count, 1);
	assert_int_equal(l.manifest.artifacts[2].outcome, RG_OUTCOME_TAKEN);
	assert_int_equal(l.manifest.artifacts[3].outcome, RG_OUTCOME_TAKEN);
	end_layout(&l);
	stop(&f);
}

TEST(a_third_rival_gets_no_place_either)
{
	fixture f;
	laid l;

	start(&f);
	begin_layout(&l, &f);
	add(&l, "t", "x.json", "{}");
	add(&l, "t", "x.json", "[]");
	add(&l, "t", "x.json", "{}");
	add(&l, "t", "x.json/y.json", "{}");
	lay_out(&l, &f);
	assert_int_equal(l.manifest.golden_count, 0);
	assert_int_equal(l.manifest.artifacts[2].outcome, RG_OUTCOME_CONFLICT);
	assert_int_equal(l.manifest.artifacts[3].outcome, RG_OUTCOME_CONFLICT);
	/* What needs a folder where a file lies is no matter of bytes. */
	assert_string_equal(l.manifest.artifacts[3].why,
			    "root/g/t/x.json/y.json cannot be beside root/g/t/x.json of artifact "
			    "11 'a'");
	end_layout(&l);
	stop(&f);
}
