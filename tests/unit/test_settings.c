/* SPDX-License-Identifier: Apache-2.0 */
/* Where the repository, the API, the token and the timing come from. */
#include "unit/unit.h"

#include "base/memory.h"
#include "base/cancel.h"
#include "base/clock.h"
#include "source/settings.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static rg_config *config;

FIXTURE(load_defaults)
{
	rg_error *err = rg_config_load(&config, NULL);

	rg_error_free(err);
	return err != NULL;
}

FIXTURE(release)
{
	rg_config_free(config);
	return 0;
}

TEST_GROUP(load_defaults, release);

TEST(reads_the_defaults)
{
	rg_settings settings;

	assert_success(rg_settings_load(&settings, config));
	assert_int_equal(settings.rules.pattern_count, 3);
	assert_string_equal(settings.rules.patterns[0], "golden_values*.json");
	assert_string_equal(settings.rules.patterns[1],
			    "results/iteration=*/*/assets/basic/*/golden_values*.json");
	assert_true(settings.limits.member_size == 1u << 30);
	assert_true(rg_name_pattern_has(settings.rules.items[0].artifact, RG_FIELD_RUN));
	rg_settings_release(&settings);
}

static void check_repository(const char *flag, const char *run, const char *path, bool named)
{
	rg_repository repository;
	rg_run_name name;

	assert_success(rg_run_name_parse(&name, run));
	assert_success(
		rg_settings_repository(&repository, flag, RG_SOURCE_ANY, &name, config, NULL));
	assert_string_equal(repository.path, path);
	assert_int_equal(repository.named, named);
	rg_repository_release(&repository);
	rg_run_name_release(&name);
}

TEST(finds_the_repository)
{
	rg_repository repository;
	rg_run_name run;

	setenv("GITHUB_REPOSITORY", "from-env/n", 1);
	check_repository(NULL, "5", "from-env/n", false);
	check_repository("flag/n", "5", "flag/n", true);
	check_repository(NULL, "https://github.com/url/n/actions/runs/5", "url/n", true);
	check_repository("URL/n", "https://github.com/url/n/actions/runs/5", "URL/n", true);
	assert_success(rg_run_name_parse(&run, "https://github.com/url/n/actions/runs/5"));
	assert_error(
		rg_settings_repository(&repository, "flag/n", RG_SOURCE_ANY, &run, config, NULL),
		RG_E_USAGE,
		"--run names github.com/url/n, but --repo github.com/flag/n: leave one out");
	rg_run_name_release(&run);
	unsetenv("GITHUB_REPOSITORY");
	assert_success(rg_run_name_parse(&run, "5"));
	assert_error(rg_settings_repository(&repository, NULL, RG_SOURCE_ANY, &run, config, NULL),
		     RG_E_USAGE,
		     "missing repository: name it with --repo OWNER/NAME, as regild.repository in "
		     ".regild, or as the remote 'origin'");
}

TEST(finds_the_api)
{
	rg_repository repository;
	char *url;

	assert_success(rg_repository_parse(&repository, "ghe.example/o/n", RG_SOURCE_ANY));
	unsetenv("GITHUB_API_URL");
	assert_success(rg_settings_api_url(&url, &repository));
	assert_string_equal(url, "https://ghe.example/api/v3");
	free(url);
	setenv("GITHUB_API_URL", "http://127.0.0.1:5", 1);
	assert_success(rg_settings_api_url(&url, &repository));
	assert_string_equal(url, "http://127.0.0.1:5");
	free(url);
	setenv("GITHUB_API_URL", "http://ghe.example", 1);
	assert_error(rg_settings_api_url(&url, &repository), RG_E_UNSAFE,
		     "GITHUB_API_URL: http://ghe.example: refused; only https is used, and http to "
		     "this machine alone");
	setenv("GITHUB_API_URL", "https://ghe.example/api/v3?x", 1);
	assert_error(rg_settings_api_url(&url, &repository), RG_E_USAGE,
		     "GITHUB_API_URL: has a query or a fragment");
	unsetenv("GITHUB_API_URL");
	rg_repository_release(&repository);
}

TEST(shortens_waits)
{
	rg_http_options options = rg_http_options_default();

	setenv("REGILD_RETRY_BASE_MS", "5", 1);
	setenv("REGILD_STALL_MS", "soon", 1);
	rg_settings_timing(&options);
	assert_true(options.retry_base == 0.005);
	assert_true(options.stall == 30);
	unsetenv("REGILD_RETRY_BASE_MS");
	unsetenv("REGILD_STALL_MS");
}

/* A gh of our own that prints its arguments, or fails. */
static void make_gh(const char *folder, const char *script)
{
	char path[128];
	FILE *file;

	snprintf(path, sizeof(path), "%s/gh", folder);
	file = fopen(path, "w");
	assert_non_null(file);
	fprintf(file, "#!/bin/sh\n%s\n", script);
	assert_int_equal(fclose(file), 0);
	assert_int_equal(chmod(path, 0755), 0);
}

/* As if the user had named the host, or only what came with a clone. */
static rg_error *find_token(char **out, const char *host, bool named)
{
	char path[] = "o/n", copy[64];
	const rg_repository repository = {
		.kind = RG_SOURCE_GITHUB, .host = copy, .path = path, .named = named};

	snprintf(copy, sizeof(copy), "%s", host);
	return rg_token_find(out, &repository);
}

TEST(finds_the_token)
{
	char folder[] = "/tmp/regild-gh-XXXXXX", path[128];
	char *before = strdup(getenv("PATH") ? getenv("PATH") : "/usr/bin:/bin");
	char *search, *token;

	assert_non_null(mkdtemp(folder));
	search = rg_textf("%s:%s", folder, before);
	setenv("PATH", search, 1);
	unsetenv("GITHUB_API_URL");
	unsetenv("GH_ENTERPRISE_TOKEN");
	unsetenv("GITHUB_ENTERPRISE_TOKEN");
	setenv("GITHUB_TOKEN", "one", 1);
	setenv("GH_TOKEN", "two", 1);
	make_gh(folder, "echo \"$1-$2-$3-$4\"; echo noise >&2");
	assert_success(find_token(&token, "github.com", true));
	assert_string_equal(token, "one");
	rg_token_free(token);
	setenv("GITHUB_TOKEN", "", 1);
	assert_success(find_token(&token, "team.ghe.com", true));
	assert_string_equal(token, "two");
	rg_token_free(token);
	/* github.com's token is not for every host that a URL may name. */
	assert_success(find_token(&token, "evilghe.com", true));
	assert_string_equal(token, "auth-token---hostname-evilghe.com");
	rg_token_free(token);
	setenv("GH_ENTERPRISE_TOKEN", "three", 1);
	assert_success(find_token(&token, "ghe.example", true));
	assert_string_equal(token, "three");
	rg_token_free(token);
	unsetenv("GH_ENTERPRISE_TOKEN");
	setenv("GITHUB_API_URL", "https://ghe.example/api/v3", 1);
	assert_success(find_token(&token, "ghe.example", true));
	assert_string_equal(token, "two");
	rg_token_free(token);
	unsetenv("GITHUB_API_URL");
	unsetenv("GITHUB_TOKEN");
	unsetenv("GH_TOKEN");
	assert_success(find_token(&token, "ghe.example", true));
	assert_string_equal(token, "auth-token---hostname-ghe.example");
	rg_token_free(token);
	make_gh(folder, "echo leftover; exit 1");
	assert_error(find_token(&token, "ghe.example", true), RG_E_AUTH,
		     "no token for ghe.example: set GH_ENTERPRISE_TOKEN or "
		     "GITHUB_ENTERPRISE_TOKEN, or run 'gh auth login'; if it is a GitLab, say "
		     "--source gitlab");
	snprintf(path, sizeof(path), "%s/gh", folder);
	assert_int_equal(unlink(path), 0);
	setenv("PATH", folder, 1);
	assert_error(find_token(&token, "github.com", true), RG_E_AUTH,
		     "no token for github.com: set GITHUB_TOKEN or GH_TOKEN, or run 'gh auth "
		     "login'");
	setenv("PATH", before, 1);
	free(search);
	free(before);
	assert_int_equal(rmdir(folder), 0);
}

/* Each way for a user to name a host, and what .regild and remotes may try. */
TEST(names_hosts)
{
	static const char *const hostile[] = {
		"evil.example",     "evil.ghe.com",    "github.com.evil", "github.com:444",
		"ghe.example.evil", "evilghe.example", "ghe.example:444", "he.example"};
	static const char *const variables[][2] = {{"GH_HOST", "GHE.example"},
						   {"GITHUB_SERVER_URL", "https://ghe.example"},
						   {"GITHUB_SERVER_URL", "https://ghe.example/"}};
	char *token;
	size_t i, k;

	setenv("GITHUB_TOKEN", "public", 1);
	setenv("GH_ENTERPRISE_TOKEN", "enterprise", 1);
	assert_error(find_token(&token, "ghe.example", false), RG_E_AUTH,
		     "no token is sent to ghe.example, which only .regild or a remote names; if "
		     "you trust it, give --repo ghe.example/o/n or set GH_HOST=ghe.example");
	assert_success(find_token(&token, "github.com", false));
	assert_string_equal(token, "public");
	rg_token_free(token);
	for (i = 0; i < sizeof(variables) / sizeof(*variables); i++) {
		setenv(variables[i][0], variables[i][1], 1);
		assert_success(find_token(&token, "ghe.example", false));
		assert_string_equal(token, "enterprise");
		rg_token_free(token);
		for (k = 0; k < sizeof(hostile) / sizeof(*hostile); k++) {
			rg_error *err = find_token(&token, hostile[k], false);

			assert_non_null(err);
			assert_null(token);
			assert_int_equal(rg_error_get_code(err), RG_E_AUTH);
			rg_error_free(err);
		}
		unsetenv(variables[i][0]);
	}
	/* Requests go to that API, whatever the host. */
	setenv("GITHUB_API_URL", "https://ghe.example/api/v3", 1);
	assert_success(find_token(&token, "evil.example", false));
	assert_string_equal(token, "public");
	rg_token_free(token);
	unsetenv("GITHUB_API_URL");
	unsetenv("GH_ENTERPRISE_TOKEN");
	unsetenv("GITHUB_TOKEN");
}

/* gh knows the tokens of several hosts; it is not asked for one that a clone names. */
TEST(asks_gh_for_named_hosts_alone)
{
	char folder[] = "/tmp/regild-gh-XXXXXX", path[128], *token, *search;
	char *before = strdup(getenv("PATH") ? getenv("PATH") : "/usr/bin:/bin");

	assert_non_null(mkdtemp(folder));
	make_gh(folder, "echo \"for-$4\"");
	search = rg_textf("%s:%s", folder, before);
	setenv("PATH", search, 1);
	setenv("GITHUB_API_URL", "https://ghe.example/api/v3", 1);
	assert_error(find_token(&token, "evil.example", false), RG_E_AUTH,
		     "no token for evil.example: set GITHUB_TOKEN or GH_TOKEN");
	assert_success(find_token(&token, "ghe.example", false));
	assert_string_equal(token, "for-ghe.example");
	rg_token_free(token);
	unsetenv("GITHUB_API_URL");
	setenv("PATH", before, 1);
	snprintf(path, sizeof(path), "%s/gh", folder);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(rmdir(folder), 0);
	free(search);
	free(before);
}

/* Ctrl-C just before it begins to wait for gh, which asks somebody. Last: it stays cancelled. */
TEST(does_not_wait_for_gh)
{
	char folder[] = "/tmp/regild-gh-XXXXXX", path[128], *token;
	char *before = strdup(getenv("PATH") ? getenv("PATH") : "/usr/bin:/bin"), *search;
	double begin;

	assert_non_null(mkdtemp(folder));
	make_gh(folder, "exec sleep 40");
	search = rg_textf("%s:%s", folder, before);
	setenv("PATH", search, 1);
	rg_cancel_install();
	assert_int_equal(raise(SIGINT), 0);
	begin = rg_clock_monotonic();
	assert_error(find_token(&token, "github.com", true), RG_E_CANCELLED, "interrupted");
	assert_true(rg_clock_monotonic() - begin < 30);
	setenv("PATH", before, 1);
	snprintf(path, sizeof(path), "%s/gh", folder);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(rmdir(folder), 0);
	free(search);
	free(before);
}

int main(void)
{
	setenv("HOME", "/nonexistent", 1); /* nobody's own git configuration */
	return unit_run();
}
