/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/unit.h"

#include "base/file.h"
#include "config/config.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char scratch[] = "/tmp/regild-config-XXXXXX";

static void put(const char *name, const char *text)
{
	char *path;

	path = rg_path_join(scratch, name);
	assert_success(rg_file_replace(path, text, strlen(text), 0644));
	free(path);
}

/* A repository made by hand: what git itself needs of one. */
FIXTURE(set_up)
{
	char *path;

	assert_non_null(mkdtemp(scratch));
	setenv("HOME", scratch, 1);
	unsetenv("XDG_CONFIG_HOME");
	unsetenv("GIT_DIR");
	path = rg_path_join(scratch, ".git/objects");
	assert_success(rg_make_dirs(path, 0755));
	free(path);
	path = rg_path_join(scratch, ".git/refs/heads");
	assert_success(rg_make_dirs(path, 0755));
	free(path);
	put(".git/HEAD", "ref: refs/heads/main\n");
	put(".git/config", "[core]\n\trepositoryformatversion = 0\n\tbare = false\n");
	return 0;
}

FIXTURE(tear_down)
{
	rg_error_free(rg_remove_tree(scratch));
	return 0;
}

static rg_error *load(rg_config **out)
{
	rg_worktree *worktree;
	rg_error *err;

	assert_success(rg_worktree_open(&worktree, scratch));
	err = rg_config_load(out, worktree);
	rg_worktree_free(worktree);
	return err;
}

enum { METRIC_DEFAULTS = 1 };

TEST_GROUP(set_up, tear_down);

TEST(defaults)
{
	rg_config *config;
	const char *name;

	assert_success(load(&config));
	assert_string_equal(rg_config_get(config, "regild.root"),
			    "tests/functional_tests/test_cases");
	assert_string_equal(rg_config_get(config, "regild.files"), "golden_values*.json");
	assert_string_equal(rg_config_get(config, "jobs.name"), "{stage}/{test} - {tag}");
	assert_string_equal(rg_config_get(config, "jobs.artifact"), "logs-{test}-{run}-{unique}");
	assert_string_equal(rg_config_get(config, "jobs.target"), "{stage}/{test}/{file}");
	assert_null(rg_config_get(config, "regild.repository"));
	assert_true(rg_config_subsection(config, "metric", 0, &name));
	assert_string_equal(name, "*");
	assert_string_equal(rg_config_subsection_get(config, "metric", name, "flag"), "1e-3");
	assert_true(rg_config_subsection_is_default(config, "metric", name, "flag"));
	assert_false(rg_config_subsection_is_default(config, "metric", name, "noise"));
	assert_false(rg_config_subsection(config, "metric", METRIC_DEFAULTS, &name));
	/* Nobody has chosen the layout: its metrics are those of goldens with its name. */
	assert_true(rg_config_subsection(config, "golden", 0, &name));
	assert_string_equal(name, "golden_values*.json:lm loss");
	assert_true(rg_config_subsection_is_default(config, "golden", name, "flag"));
	assert_false(rg_config_subsection(config, "tensor", 0, &name));
	assert_null(rg_config_warnings(config)[0]);
	rg_config_free(config);
}

/* Does the configuration have the section, and what Megatron-LM's metrics are? */
static void expect_levels(const char *regild, bool of_metric, bool of_golden)
{
	rg_config *config;
	const char *name;

	put(".regild", regild);
	assert_success(load(&config));
	assert_true(rg_config_subsection(config, "metric", 1, &name) == of_metric);
	assert_true(rg_config_subsection(config, "golden", 0, &name) == of_golden);
	rg_config_free(config);
}

/* Names of metrics mean something in the layout of the project that has them, and nowhere else. */
TEST(levels_by_layout)
{
	expect_levels("[regild]\n\trepository = o/n\n", false, true);
	expect_levels("[regild]\n\tlayout = megatron\n\troot = goldens\n", true, false);
	expect_levels("[regild]\n\troot = goldens\n", false, false);
	expect_levels("[regild]\n\tfiles = *.json\n", false, false);
	expect_levels("[regild]\n\tlayout = plain\n", false, false);
	expect_levels("[source \"x\"]\n\tartifact = y\n", false, false);
	unlink(".regild");
}

TEST(layers)
{
	rg_config *config;
	const char *name;
	uint64_t size;
	size_t max;

	put(".regild", "; a comment\n[regild]\n\troot = goldens # and one more\n\tmaxfile = 4k\n"
		       "\tfiles = \"a#b;c\"\n"
		       "[jobs]\n\tname = from file\n"
		       "[metric \"A.b=c \\\"x\\\"\"]\n\tFlag = 1e-2\n"
		       "[metric \"a.b\"]\n\tflag = 2\n[metric \"lm loss\"]\n\tflag = 5e-3\n");
	put(".git/config", "[core]\n\trepositoryformatversion = 0\n"
			   "[regild]\n\troot = from git\n[regild \"jobs\"]\n\tname = {test}\n"
			   "[regild \"metric.lm loss\"]\n\tnoise = 7\n[other]\n\tkey = 1\n");
	assert_success(load(&config));
	assert_string_equal(rg_config_get(config, "regild.root"), "from git");
	assert_string_equal(rg_config_get(config, "regild.files"), "a#b;c");
	assert_string_equal(rg_config_get(config, "jobs.name"), "{test}");
	assert_string_equal(rg_config_subsection_get(config, "metric", "lm loss", "noise"), "7");
	assert_string_equal(rg_config_subsection_get(config, "metric", "lm loss", "flag"), "5e-3");
	assert_false(rg_config_subsection_is_default(config, "metric", "lm loss", "flag"));
	assert_true(rg_config_subsection(config, "metric", METRIC_DEFAULTS, &name));
	assert_string_equal(name, "A.b=c \"x\"");
	assert_string_equal(rg_config_subsection_get(config, "metric", name, "flag"), "1e-2");
	assert_string_equal(rg_config_subsection_get(config, "metric", "a.b", "flag"), "2");
	assert_null(rg_config_get(config, "other.key"));
	assert_success(rg_config_size(config, "regild.maxFile", 1, &size));
	assert_int_equal(size, 4096);
	assert_success(rg_config_golden_max(config, &max));
	assert_int_equal(max, 4096);
	assert_success(rg_config_size(config, "regild.nothing", 1, &size));
	assert_int_equal(size, 1);
	assert_error(rg_config_size(config, "regild.root", 1, &size), RG_E_USAGE,
		     "git's configuration: regild.root: 'from git' is not a size such as 64k or "
		     "256M");
	rg_config_free(config);
	put(".git/config", "[core]\n\trepositoryformatversion = 0\n");
}

TEST(warnings)
{
	rg_config *config;

	put(".regild", "; see [include] of git\n[regild]\n\trooot = x\n[jobs]\n\tartefact = y\n"
		       "[metirc \"lm loss\"]\n\tfail = 1\n[metric]\n\tfail = 1\n");
	assert_success(load(&config));
	assert_string_equal(rg_config_get(config, "regild.root"),
			    "tests/functional_tests/test_cases");
	assert_string_equal(rg_config_warnings(config)[0],
			    ".regild: 'regild.rooot' is not a setting that regild knows");
	assert_string_equal(rg_config_warnings(config)[1],
			    ".regild: 'jobs.artefact' is not a setting that regild knows");
	assert_string_equal(rg_config_warnings(config)[2],
			    ".regild: 'metirc.lm loss.fail' is not a setting that regild knows");
	assert_string_equal(rg_config_warnings(config)[3],
			    ".regild: 'metric.fail' is not a setting that regild knows");
	assert_null(rg_config_warnings(config)[4]);
	rg_config_free(config);
}

/* Whatever is included, be it git's own configuration with a token in it, or a pipe: it is not
 * opened, and no message says what it holds. */
TEST(includes)
{
	static const char *const hostile[] = {
		"[include]\n\tpath = .git/config\n",
		"[include]path=pipe\n",
		"[Include]\n\tPath = .git/config",
		"[regild]\n\troot = x\n \t[INCLUDE] path = pipe\n",
		"[jobs][include]path = pipe\n",
		"[metric \"]\"] [include]\npath = pipe\n",
		"[metric \"x\"]\nflag = \"1\\\n; [include] no\"\n[include]\npath = pipe\n",
		"\xef\xbb\xbf[include]\n\tpath = pipe\n",
		"\xef\xbb\xbf# [include]\r[include]\n\tpath = pipe\n",
		"\f\v\r[include]\r\n\tpath = pipe\r\n",
		"[includeIf \"gitdir:**\"]\n\tpath = pipe\n",
		"[includeif \"onbranch:main\"]\n\tpath = pipe\n",
		"[includeif.gitdir:**]\n\tpath = pipe\n",
		"[include \"x\"]\n\tpath = pipe\n",
	};
	rg_config *config;
	char *path;
	size_t i;

	path = rg_path_join(scratch, "pipe");
	assert_int_equal(mkfifo(path, 0600), 0);
	for (i = 0; i < sizeof(hostile) / sizeof(*hostile); i++) {
		rg_error *err;

		put(".regild", hostile[i]);
		err = load(&config);
		assert_non_null(err);
		assert_int_equal(rg_error_get_code(err), RG_E_USAGE);
		assert_non_null(strstr(rg_error_message(err), "nothing can be included here"));
		rg_error_free(err);
	}
	put(".regild", "[regild]\n\troot = x\n[include]\n");
	assert_error(load(&config), RG_E_USAGE,
		     ".regild: line 3: nothing can be included here; git's own configuration can "
		     "include files");
	/* The user's own may. */
	put(".regild", "");
	put("more", "[regild]\n\troot = from an include\n");
	put(".git/config", "[core]\n\trepositoryformatversion = 0\n[include]\n\tpath = ../more\n");
	assert_success(load(&config));
	assert_string_equal(rg_config_get(config, "regild.root"), "from an include");
	rg_config_free(config);
	put(".git/config", "[core]\n\trepositoryformatversion = 0\n");
	assert_int_equal(unlink(path), 0);
	free(path);
}

/* As git has it for what is not true or false; none of regild's settings is one. */
TEST(no_value)
{
	rg_config *config;

	put(".regild", "[metric \"a.b\"]\n\tkind = exact\n\tfail\n");
	assert_error(load(&config), RG_E_USAGE,
		     ".regild: 'metric.a.b.fail' has no value; add '=' and a value");
	put(".regild", "");
	put(".git/config", "[core]\n\trepositoryformatversion = 0\n[regild]\n\troot\n");
	assert_error(load(&config), RG_E_USAGE,
		     "git's configuration: 'regild.root' has no value; add '=' and a value");
	put(".git/config",
	    "[core]\n\trepositoryformatversion = 0\n[regild \"jobs\"]\n\tnaem = x\n");
	assert_success(load(&config));
	assert_string_equal(rg_config_warnings(config)[0],
			    "git's configuration: 'regild.jobs.naem' is not a setting that regild "
			    "knows");
	rg_config_free(config);
	put(".git/config", "[core]\n\trepositoryformatversion = 0\n");
}

TEST(broken)
{
	rg_config *config;
	rg_error *err;
	char *path;

	put(".regild", "[regild]\n\troot = x\n[jobs\n");
	err = load(&config);
	assert_non_null(err);
	assert_int_equal(rg_error_get_code(err), RG_E_USAGE);
	assert_non_null(strstr(rg_error_message(err), ".regild:3"));
	rg_error_free(err);
	assert_null(config);

	path = rg_path_join(scratch, ".regild");
	assert_int_equal(unlink(path), 0);
	assert_int_equal(mkdir(path, 0755), 0);
	err = load(&config);
	assert_non_null(err);
	assert_int_equal(rg_error_get_code(err), RG_E_USAGE);
	assert_non_null(strstr(rg_error_message(err), ".regild: is not a regular file"));
	rg_error_free(err);
	assert_int_equal(rmdir(path), 0);
	/* What git keeps there would be printed as settings that are not known. */
	assert_int_equal(symlink(".git/config", path), 0);
	err = load(&config);
	assert_non_null(err);
	assert_int_equal(rg_error_get_code(err), RG_E_USAGE);
	assert_non_null(
		strstr(rg_error_message(err), ".regild: is a link, which may lead anywhere"));
	rg_error_free(err);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(mkfifo(path, 0600), 0);
	err = load(&config);
	assert_non_null(err);
	assert_non_null(strstr(rg_error_message(err), ".regild: is not a regular file"));
	rg_error_free(err);
	assert_int_equal(unlink(path), 0);
	free(path);
}

TEST(without_repository)
{
	rg_config *config;

	put(".gitconfig", "[regild]\n\troot = global\n");
	assert_success(rg_config_load(&config, NULL));
	assert_string_equal(rg_config_get(config, "regild.root"), "global");
	rg_config_free(config);
}
