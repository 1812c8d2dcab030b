/* SPDX-License-Identifier: Apache-2.0 */
/* Runs out of folders, staging folders and files. */
#include "unit/unit.h"

#include "base/memory.h"
#include "base/digest.h"
#include "base/file.h"
#include "flow/audit_paths.h"
#include "source/manifest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char top[] = "build/paths-XXXXXX";
static rg_path_runs *runs;
static rg_audit_source source;

FIXTURE(set_up)
{
	memcpy(top + strlen(top) - 6, "XXXXXX", 6);
	runs = NULL;
	return mkdtemp(top) ? 0 : -1;
}

FIXTURE(tear_down)
{
	rg_path_runs_free(runs);
	assert_success(rg_remove_tree(top));
	return 0;
}

static void put(const char *name, const char *text)
{
	char path[1024];

	snprintf(path, sizeof(path), "%s/%s", top, name);
	assert_success(rg_make_parent_dirs(path, 0777));
	assert_success(rg_file_replace(path, text, strlen(text), 0666));
}

#define GOLDEN(value) "{\"m\": {\"values\": {\"1\": " #value "}}}"

/* Opens paths below the test's folder. */
static rg_error *open_runs(const char *const *names, size_t count, const char *pattern)
{
	char paths[8][256];
	const char *list[8];
	rg_error *err;
	size_t i;

	for (i = 0; i < count; i++) {
		snprintf(paths[i], sizeof(paths[i]), "%s/%s", top, names[i]);
		list[i] = paths[i];
	}
	rg_path_runs_free(runs);
	err = rg_path_runs_open(&runs, list, count, pattern, true, NULL);
	memset(paths, 'x', sizeof(paths)); /* they are copied */
	if (!err)
		source = rg_path_runs_source(runs, RG_BUF_TEXT);
	return err;
}

/* "FILE: VALUE VALUE …; …": of each run the first value, "-" where it has none. */
static void assert_values(const char *wanted)
{
	size_t run, file;
	double value;

	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_TEXT);
	RG_AUTO(rg_buf) bytes = rg_buf_of(RG_BUF_TEXT);
	for (file = 0; file < source.file_count; file++) {
		rg_buf_printf(&text, "%s:", source.files[file]);
		for (run = 0; run < source.run_count; run++) {
			rg_golden *golden = NULL;

			rg_buf_clear(&bytes);
			assert_success(source.read(source.context, run, file, &bytes, &golden));
			if (golden)
				assert_success(rg_metric_read(&golden->metrics[0], 0, 1, &value));
			if (golden)
				rg_buf_printf(&text, " %g", value);
			else
				rg_buf_str(&text, " -");
			rg_golden_free(golden);
		}
		rg_buf_str(&text, "; ");
	}
	assert_success(rg_buf_check(&text, "values"));
	assert_string_equal(text.length ? text.data : "", wanted);
}

/* "ID ID …" */
static void assert_ids(const char *wanted)
{
	char text[512] = "";
	size_t i, length = 0;

	for (i = 0; i < source.run_count; i++)
		length += (size_t)snprintf(text + length, sizeof(text) - length, "%s%s",
					   i ? " " : "", source.runs[i].id);
	assert_string_equal(text, wanted);
}

TEST_EACH(set_up, tear_down);

TEST(folders_are_runs_of_what_the_pattern_takes)
{
	static const char *const names[] = {"runs/2", "runs/1", "runs/none"};
	static const char *const inner[] = {"runs/", "runs/2"};
	char path[256];

	put("runs/2/a/x.json", GOLDEN(2));
	put("runs/2/a-b/x.json", GOLDEN(3));
	put("runs/2/notes.txt", "x");
	put("runs/2/.hidden/x.json", GOLDEN(9));
	put("runs/1/a/x.json", GOLDEN(1));
	put("runs/1/deep/er/x.json", GOLDEN(4));
	put("runs/none/README", "x");
	snprintf(path, sizeof(path), "%s/runs/1/link.json", top);
	assert_int_equal(symlink("a/x.json", path), 0);
	snprintf(path, sizeof(path), "%s/runs/1/loop", top);
	assert_int_equal(symlink(".", path), 0);
	assert_success(open_runs(names, 3, "*.json"));
	assert_values("a/x.json: 2 1 -; a-b/x.json: 3 - -; deep/er/x.json: - 4 -; ");
	assert_ids("2 1 none");
	/* A run that is a folder of another one has no name without the whole. */
	snprintf(path, sizeof(path), "%s/runs/ %s/runs/2", top, top);
	assert_success(open_runs(inner, 2, "*.json"));
	assert_ids(path);
	assert_string_equal(source.runs[0].when, "");
	assert_string_equal(source.runs[0].commit, "");
}

/* One folder alone is called as it was given. */
TEST(what_looks_like_a_golden_is_one_where_no_name_fits)
{
	static const char *const names[] = {"one"}, *const both[] = {"one", "two"};
	char message[256], path[256];

	put("one/values.txt.json", GOLDEN(5));
	put("one/notes.txt", "hello");
	assert_success(open_runs(names, 1, "golden*.json"));
	assert_values("values.txt.json: 5; ");
	snprintf(path, sizeof(path), "%s/one", top);
	assert_ids(path);
	put("two/notes.txt", "hello");
	snprintf(message, sizeof(message), "%s/two: holds no golden", top);
	assert_error(open_runs(both, 2, "golden*.json"), RG_E_NOTFOUND, message);
	assert_null(runs);
	/* Once a name fits anywhere, nothing else counts. */
	put("two/golden.json", GOLDEN(6));
	assert_success(open_runs(both, 2, "golden*.json"));
	assert_values("golden.json: - 6; ");
}

TEST(files_are_versions_of_one_golden)
{
	static const char *const same[] = {"a/g.json", "b/g.json"};
	static const char *const versions[] = {"v/1.json", "v/2.json"};
	static const char *const mixed[] = {"a/g.json", "v/1.json"};
	static const char *const taken[] = {"v/golden_1.json", "v/2.json"};
	static const char *const beside[] = {"dir", "v/1.json"};

	put("a/g.json", GOLDEN(1));
	put("b/g.json", GOLDEN(2));
	put("v/1.json", GOLDEN(3));
	put("v/2.json", GOLDEN(4));
	put("v/golden_1.json", GOLDEN(5));
	put("dir/golden_1.json", GOLDEN(6));
	assert_success(open_runs(same, 2, "golden*.json"));
	assert_values("g.json: 1 2; ");
	assert_ids("a/g.json b/g.json");
	assert_success(open_runs(versions, 2, "golden*.json"));
	assert_values("v: 3 4; ");
	assert_success(open_runs(mixed, 2, "golden*.json"));
	assert_values("golden: 1 3; ");
	assert_success(open_runs(taken, 2, "golden*.json"));
	assert_values("golden_1.json: 5 -; v: - 4; ");
	assert_success(open_runs(beside, 2, "golden*.json"));
	assert_values("1.json: - 3; golden_1.json: 6 -; ");
}

/* A staging folder of a run, with one golden. */
static void stage(const char *name, uint64_t id, const char *value)
{
	rg_manifest manifest;
	char path[256];

	rg_manifest_init(&manifest);
	manifest.source = "github";
	manifest.repository = "o/n";
	manifest.host = "github.com";
	manifest.run_id = id;
	manifest.attempt = 1;
	manifest.head_commit = "0123456789012345678901234567890123456789";
	manifest.branch = "main";
	manifest.event = manifest.workflow = manifest.status = manifest.conclusion = "x";
	manifest.created_at = "2026-04-02T10:00:00Z";
	manifest.url = "https://github.com/o/n/actions/runs/1";
	manifest.root = "tests/cases";
	rg_grow(&manifest.goldens, &manifest.golden_capacity, 1, sizeof(*manifest.goldens));
	manifest.goldens[0] = (rg_manifest_golden){.stage = "s",
						   .test = "t",
						   .file = "x.json",
						   .target = "tests/cases/s/t/x.json",
						   .size = strlen(value)};
	manifest.golden_count = 1;
	assert_success(rg_sha256_hex(value, strlen(value), manifest.goldens[0].sha256));
	snprintf(path, sizeof(path), "%s/files/s/t/x.json", name);
	put(path, value);
	snprintf(path, sizeof(path), "%s/%s", top, name);
	assert_success(rg_manifest_save(&manifest, path));
	rg_manifest_release(&manifest);
}

TEST(staging_folders_are_what_their_manifests_say)
{
	static const char *const names[] = {"d1", "d2"}, *const other[] = {"d1", "plain"};
	static const char *const broken[] = {"bad"};

	stage("d1", 41, GOLDEN(1));
	stage("d2", 42, GOLDEN(2));
	put("d2/files/s/t/unlisted.json", GOLDEN(9));
	assert_success(open_runs(names, 2, "*.json"));
	assert_values("tests/cases/s/t/x.json: 1 2; ");
	assert_ids("41 42");
	assert_string_equal(source.runs[0].when, "2026-04-02T10:00:00Z");
	assert_string_equal(source.runs[0].branch, "main");
	assert_string_equal(source.runs[0].commit, "0123456789012345678901234567890123456789");
	/* What is elsewhere is not a golden of the run. */
	put("plain/other/s/t/x.json", GOLDEN(3));
	assert_success(open_runs(other, 2, "*.json"));
	assert_values("other/s/t/x.json: - 3; tests/cases/s/t/x.json: 1 -; ");
	put("bad/manifest.json", "{}");
	assert_fails_with(open_runs(broken, 1, "*.json"), RG_E_PARSE);
}

TEST(what_cannot_be_read_is_named)
{
	static const char *const missing[] = {"none"}, *const bad[] = {"bad.json"};
	rg_golden *golden = NULL;
	char message[512], deep[256] = "r/";
	static const char *const deep_names[] = {"r"};
	rg_error *err;
	rg_buf bytes;
	size_t i;

	snprintf(message, sizeof(message), "%s/none: No such file or directory", top);
	assert_error(open_runs(missing, 1, "*"), RG_E_IO, message);
	put("bad.json", "{");
	assert_success(open_runs(bad, 1, "*.json"));
	rg_buf_init(&bytes, RG_BUF_TEXT);
	err = source.read(source.context, 0, 0, &bytes, &golden);
	assert_true(rg_audit_is_of_one_golden(err));
	snprintf(message, sizeof(message), "%s/bad.json: not JSON", top);
	assert_memory_equal(rg_error_message(err), message, strlen(message));
	rg_error_free(err);
	/* What went away meanwhile is not there. */
	snprintf(message, sizeof(message), "%s/bad.json", top);
	assert_int_equal(unlink(message), 0);
	rg_buf_clear(&bytes);
	assert_success(source.read(source.context, 0, 0, &bytes, &golden));
	assert_null(golden);
	rg_buf_release(&bytes);
	for (i = 0; i < 65; i++)
		memcpy(deep + 2 + 2 * i, "d/x", 4);
	put(deep, GOLDEN(1));
	snprintf(message, sizeof(message), "%s/r: nested deeper than 64", top);
	assert_error(open_runs(deep_names, 1, "x"), RG_E_LIMIT, message);
}

/* The program that gives a tensor's type is beside it. */
TEST(what_lies_beside_is_read)
{
	static const char *const names[] = {"p"};
	rg_golden *golden = NULL;
	rg_error *err;
	char path[256];

	put("p/add_expected_output_0.bin", "12345678");
	assert_success(open_runs(names, 1, "*.bin"));
	RG_AUTO(rg_buf) bytes = rg_buf_of(RG_BUF_TEXT);
	err = source.read(source.context, 0, 0, &bytes, &golden);
	assert_non_null(err);
	assert_non_null(strstr(rg_error_message(err), "no program (.pte) beside it"));
	rg_error_free(err);
	rg_buf_clear(&bytes);
	assert_success(rg_file_read(&bytes, "tests/formats/model.pte"));
	snprintf(path, sizeof(path), "%s/p/add.pte", top);
	assert_success(rg_file_replace(path, bytes.data, bytes.length, 0666));
	rg_buf_clear(&bytes);
	assert_success(source.read(source.context, 0, 0, &bytes, &golden));
	assert_int_equal(golden->metrics[0].count, 4);
	rg_golden_free(golden);
}
