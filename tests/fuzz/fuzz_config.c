/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any text as a repository's `.regild`: what is read of it is a setting, a section that can be
 * asked for, or refused.
 */
#include "require.h"

#include "flow/policy_text.h"
#include "base/file.h"
#include "compare/policy.h"
#include "source/settings.h"
#include "config/config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char scratch[] = "/tmp/regild-fuzz-XXXXXX";

static void put(const char *name, const void *bytes, size_t size)
{
	FILE *file;
	char *path;

	path = rg_path_join(scratch, name);
	require(!rg_make_parent_dirs(path, 0700), "no folder");
	file = fopen(path, "w");
	require(file && fwrite(bytes, 1, size, file) == size && !fclose(file), "no file");
	free(path);
}

static void remove_scratch(void)
{
	rg_error_free(rg_remove_tree(scratch));
}

/* A repository made by hand: what git itself needs of one. */
static void make_repository(void)
{
	static const char head[] = "ref: refs/heads/main\n", nothing[] = "";
	static const char config[] = "[core]\n\trepositoryformatversion = 0\n\tbare = false\n";

	require(mkdtemp(scratch) && !atexit(remove_scratch), "no folder");
	setenv("HOME", scratch, 1);
	unsetenv("XDG_CONFIG_HOME");
	unsetenv("GIT_DIR");
	put(".git/objects/x", nothing, 0);
	put(".git/refs/heads/x", nothing, 0);
	put(".git/HEAD", head, strlen(head));
	put(".git/config", config, strlen(config));
}

typedef rg_error *set_fn(rg_policy *policy, const char *name, const char *key, const char *value);

static void set_sections(rg_policy *policy, const rg_config *config, const char *section,
			 set_fn *set)
{
	const char *name, *key;
	size_t i, k;

	for (i = 0; rg_config_subsection(config, section, i, &name); i++)
		for (k = 0; rg_config_subsection_key(config, section, name, k, &key); k++) {
			const char *value = rg_config_subsection_get(config, section, name, key);

			require(value != NULL, "a key without a value");
			rg_error_free(set(policy, name, key, value));
		}
}

static void check_policy(const rg_config *config)
{
	rg_metric_policy resolved;
	rg_policy *policy;

	policy = rg_policy_new();
	set_sections(policy, config, "metric", rg_policy_set);
	set_sections(policy, config, "golden", rg_policy_set_of_golden);
	rg_policy_resolve(policy, "a/golden_values_dev.json", "lm loss", &resolved);
	require(!(resolved.noise < 0) && !(resolved.flag < 0) && !(resolved.fail < 0) &&
			!(resolved.floor < 0) && resolved.rtol >= 0 && resolved.atol >= 0 &&
			isfinite(resolved.rtol) && resolved.first_step <= resolved.last_step,
		"a level");
	rg_policy_free(policy);
}

static void check_config(const rg_config *config)
{
	const char *root = rg_config_get(config, "regild.root");
	const rg_run_name run = {.id = 1};
	rg_repository repository;
	rg_settings settings;
	rg_error *err;

	require(root && (!*root || !rg_path_fault(root)), "a root that leaves the repository");
	err = rg_settings_load(&settings, config);
	if (!err) {
		size_t i;

		for (i = 0; i < settings.rules.count; i++)
			require(settings.rules.items[i].target &&
					settings.rules.items[i].pattern_count,
				"no patterns");
		rg_settings_release(&settings);
	}
	rg_error_free(err);
	err = rg_settings_repository(&repository, NULL, RG_SOURCE_ANY, &run, config, NULL);
	if (!err)
		rg_repository_release(&repository);
	rg_error_free(err);
	check_policy(config);
}

/* Three runs of one step: 10, 11 and 12. */
static rg_error *read_run(void *context, size_t run, size_t file, rg_buf *bytes, rg_golden **out)
{
	static const double values[] = {10, 11, 12};
	static rg_metric metrics[3];

	(void)context;
	(void)file;
	(void)bytes;
	metrics[run] = (rg_metric){.name = "lm loss", .count = 1, .values = &values[run]};
	*out = calloc(1, sizeof(**out));
	require(*out != NULL, "there is memory");
	**out = (rg_golden){.format = "json", .metrics = &metrics[run], .count = 1};
	rg_arena_init(&(*out)->arena);
	return NULL;
}

static void make_audit(rg_audit *out)
{
	static const rg_audit_run runs[] = {
		{"1", "", "", ""}, {"2", "", "", ""}, {"3", "", "", ""}};
	static const char *const files[] = {"golden.json"};
	static const rg_audit_source source = {
		.runs = runs, .run_count = 3, .files = files, .file_count = 1, .read = read_run};
	const rg_audit_options options = {
		.tolerance = {1.5, 0, 0}, .error_rate = 0.05, .workers = 1};

	require(!rg_audit_make(out, &source, &options), "there is an audit");
}

/* Is what comes after the text read as it is? For libgit2 a NUL may be a file's end, and a
 * line that continues does so past comments and blank lines. Nor are half line ends told apart. */
static bool is_whole(const uint8_t *data, size_t size)
{
	size_t i;

	for (i = 0; i < size; i++) {
		bool last = i + 1 == size;

		if (!data[i] || (data[i] == '\\' && (last || strchr("\r\n", data[i + 1]))) ||
		    (data[i] == '\r' && (last || data[i + 1] != '\n')))
			return false;
	}
	return true;
}

/* The file with tolerances put in: read, and twice the same. */
static void check_written(rg_worktree *worktree, const rg_audit *audit, const void *data,
			  size_t size)
{
	rg_policy_written written;
	rg_config *config;
	const char *value;
	rg_error *err;

	RG_AUTO(rg_buf) once = rg_buf_of(RG_BUF_TEXT);
	RG_AUTO(rg_buf) again = rg_buf_of(RG_BUF_TEXT);
	err = rg_policy_write(&once, &written, data, size, audit, 0, "2026-04-02");
	if (!err) {
		put(".regild", once.data, once.length);
		require(!rg_config_load(&config, worktree), "it is still read");
		value = rg_config_subsection_get(config, "metric", "lm loss", "rtol");
		require(value && !strcmp(value, "0.1364"), "the tolerance holds");
		rg_config_free(config);
		require(!rg_policy_write(&again, &written, once.data, once.length, audit, 0,
					 "2026-04-02") &&
				once.length == again.length &&
				!memcmp(once.data, again.data, once.length),
			"it is written twice");
	}
	rg_error_free(err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static rg_worktree *worktree;
	static rg_audit audit;
	rg_config *config;
	rg_error *err;

	if (!worktree) {
		make_repository();
		require(!rg_worktree_open(&worktree, scratch), "no repository");
		make_audit(&audit);
	}
	put(".regild", data, size);
	err = rg_config_load(&config, worktree);
	if (!err) {
		check_config(config);
		rg_config_free(config);
		if (is_whole(data, size))
			check_written(worktree, &audit, data, size);
	}
	rg_error_free(err);
	return 0;
}
