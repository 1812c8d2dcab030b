/* SPDX-License-Identifier: Apache-2.0 */
/* What --run, --repo and a remote may name. */
#include "unit/unit.h"

#include "source/run_url.h"

#include <stdlib.h>

static void check_run(const char *text, uint64_t id, unsigned attempt, const char *host,
		      const char *path)
{
	rg_run_name run;

	assert_success(rg_run_name_parse(&run, text));
	assert_int_equal(run.id, id);
	assert_int_equal(run.attempt, attempt);
	assert_int_equal(run.has_repository, host != NULL);
	if (host) {
		assert_string_equal(run.repository.host, host);
		assert_string_equal(run.repository.path, path);
	}
	rg_run_name_release(&run);
}

static void reads_runs(void **state)
{
	(void)state;
	check_run("16048530291", 16048530291, 0, NULL, NULL);
	check_run("https://github.com/o/n.x/actions/runs/5", 5, 0, "github.com", "o/n.x");
	check_run("https://GHE.example:8443/o/n/actions/runs/5/", 5, 0, "ghe.example:8443", "o/n");
	check_run("https://github.com/o/n/actions/runs/5/attempts/3", 5, 3, "github.com", "o/n");
	check_run("https://github.com/o/n/actions/runs/5/attempts/3?pr=1", 5, 3, "github.com",
		  "o/n");
	check_run("https://github.com/o/n/actions/runs/5/job/99#step:1:2", 5, 0, "github.com",
		  "o/n");
	check_run("https://github.com/o/n/actions/runs/5?check_suite_focus=true", 5, 0,
		  "github.com", "o/n");
	check_run("HTTPS://www.GitHub.com/o/n/actions/runs/5", 5, 0, "github.com", "o/n");
}

static void refuses_what_is_no_run(void **state)
{
	static const char *const bad[] = {
		"",
		"0",
		"-1",
		"12x",
		"99999999999999999999",
		"https://github.com/o/n/actions/runs/",
		"https://github.com/o/n/actions/runs/0",
		"https://github.com/o/n/actions/runs/5x",
		"https://github.com/o/n/actions/runs/5/attempts/",
		"https://github.com/o/n/actions/runs/5/attempts/1000000001",
		"https://github.com/o/n/actions/runs/5/elsewhere",
		"https://github.com/o/actions/runs/5",
		"https://github.com/../n/actions/runs/5",
		"https://u@github.com/o/n/actions/runs/5",
		"https:///o/n/actions/runs/5",
		"https://github.com/o/n/pull/5",
		"ftp://github.com/o/n/actions/runs/5",
		"see https://github.com/o/n/actions/runs/5",
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		rg_run_name run;
		rg_error *err = rg_run_name_parse(&run, bad[i]);

		if (!err)
			fail_msg("'%s' was taken", bad[i]);
		assert_int_equal(rg_error_get_code(err), RG_E_USAGE);
		rg_error_free(err);
	}
}

static void check_remote(const char *url, const char *host, const char *path)
{
	rg_repository repository;
	bool known;

	assert_success(rg_repository_from_remote(&repository, url, RG_SOURCE_ANY, &known));
	if (known != (host != NULL))
		fail_msg("%s: %s", url, known ? "taken" : "not taken");
	if (host) {
		assert_string_equal(repository.host, host);
		assert_string_equal(repository.path, path);
	}
	rg_repository_release(&repository);
}

static void reads_remotes(void **state)
{
	(void)state;
	check_remote("https://github.com/o/n.git", "github.com", "o/n");
	check_remote("https://token@github.com/o/n", "github.com", "o/n");
	check_remote("https://ghe.example:8443/o/n/", "ghe.example:8443", "o/n");
	check_remote("git@github.com:o/n.git", "github.com", "o/n");
	check_remote("github.com:o/n", "github.com", "o/n");
	check_remote("ssh://git@GitHub.com:2222/o/n.git", "github.com", "o/n");
	check_remote("git://github.com/o/n", "github.com", "o/n");
	check_remote("ssh://git@ssh.github.com:443/o/n.git", "github.com", "o/n");
	check_remote("https://notgithub.com/o/n", "notgithub.com", "o/n");
	check_remote("/srv/git/o/n.git", NULL, NULL);
	check_remote("../o/n", NULL, NULL);
	check_remote("file:///srv/o/n", NULL, NULL);
	check_remote("git@github.com:n.git", NULL, NULL);
	check_remote("https://github.com/a/b/c", NULL, NULL);
	check_remote("", NULL, NULL);
}

static void check_api(const char *text, const char *api)
{
	rg_repository repository;
	char *url;

	assert_success(rg_repository_parse(&repository, text, RG_SOURCE_ANY));
	assert_success(rg_repository_api_url(&url, &repository));
	assert_string_equal(url, api);
	free(url);
	rg_repository_release(&repository);
}

static void reads_repositories(void **state)
{
	rg_repository a, b;

	(void)state;
	check_api("NVIDIA/Megatron-LM", "https://api.github.com");
	check_api("github.com/NVIDIA/Megatron-LM", "https://api.github.com");
	check_api("www.github.com/o/n", "https://api.github.com");
	check_api("GHE.example/o/n", "https://ghe.example/api/v3");
	check_api("team.ghe.com/o/n", "https://api.team.ghe.com");
	check_api("evilghe.com/o/n", "https://evilghe.com/api/v3");
	/* As a clone's URL, which gh takes too. */
	check_api("https://github.com/NVIDIA/Megatron-LM", "https://api.github.com");
	check_api("https://ghe.example:8443/o/n.git/", "https://ghe.example:8443/api/v3");
	check_api("git@ghe.example:o/n.git", "https://ghe.example/api/v3");
	assert_success(rg_repository_parse(&a, "NVIDIA/Megatron-LM", RG_SOURCE_ANY));
	assert_success(rg_repository_parse(&b, "GitHub.com/nvidia/megatron-lm", RG_SOURCE_ANY));
	assert_true(rg_repository_equal(&a, &b));
	rg_repository_release(&a);
	rg_repository_release(&b);
	assert_error(rg_repository_parse(&a, "just-a-name", RG_SOURCE_ANY), RG_E_USAGE,
		     "'just-a-name' is not a repository: [HOST/]OWNER/NAME");
	assert_error(rg_repository_parse(&a, "o/n?x", RG_SOURCE_ANY), RG_E_USAGE,
		     "'o/n?x' is not a repository: [HOST/]OWNER/NAME");
	assert_error(rg_repository_parse(&a, "h/o/n/m", RG_SOURCE_ANY), RG_E_USAGE,
		     "'h/o/n/m' is not a repository: [HOST/]OWNER/NAME");
	assert_error(rg_repository_parse(&a, "https://github.com/o/n/pulls", RG_SOURCE_ANY),
		     RG_E_USAGE,
		     "'https://github.com/o/n/pulls' is not a repository: [HOST/]OWNER/NAME");
	assert_error(rg_repository_parse(&a, "o/..", RG_SOURCE_ANY), RG_E_USAGE,
		     "'o/..' is not a repository: [HOST/]OWNER/NAME");
	assert_error(rg_repository_parse(&a, "../o/n", RG_SOURCE_ANY), RG_E_USAGE,
		     "'../o/n' is not a repository: [HOST/]OWNER/NAME");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_runs),
		cmocka_unit_test(refuses_what_is_no_run),
		cmocka_unit_test(reads_remotes),
		cmocka_unit_test(reads_repositories),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
