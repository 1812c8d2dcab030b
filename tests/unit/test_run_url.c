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

TEST(reads_runs)
{
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

TEST(reads_pipelines)
{
	rg_run_name run;

	check_run("https://gitlab.com/g/p/-/pipelines/5", 5, 0, "gitlab.com", "g/p");
	check_run("https://lab.example:8443/g/a.b/c_d/p/-/pipelines/5/builds?x#y", 5, 0,
		  "lab.example:8443", "g/a.b/c_d/p");
	check_run("https://lab.example/g/p/-/pipelines/5/", 5, 0, "lab.example", "g/p");
	/* https, but to this machine. */
	assert_success(rg_run_name_parse(&run, "http://lab.example/g/p/-/pipelines/5"));
	assert_int_equal(run.repository.kind, RG_SOURCE_GITLAB);
	assert_false(run.repository.http);
	assert_true(run.repository.in_call);
	rg_run_name_release(&run);
	assert_success(rg_run_name_parse(&run, "http://127.0.0.1:8/g/p/-/pipelines/5"));
	assert_true(run.repository.http);
	rg_run_name_release(&run);
}

static void check_job(const char *text, uint64_t id, uint64_t job)
{
	rg_run_name run;

	assert_success(rg_run_name_parse(&run, text));
	assert_int_equal(run.id, id);
	assert_int_equal(run.job, job);
	rg_run_name_release(&run);
	assert_int_equal(rg_run_name_is_job(text), job != 0);
}

TEST(reads_jobs)
{
	rg_run_name run;

	check_job("5", 5, 0);
	check_job("https://github.com/o/n/actions/runs/5", 5, 0);
	check_job("https://github.com/o/n/actions/runs/5/job/99", 5, 99);
	check_job("https://github.com/o/n/actions/runs/5/job/99?pr=7", 5, 99);
	check_job("https://github.com/o/n/actions/runs/5/job/99?pr=7#step:1:2", 5, 99);
	check_job("https://github.com/o/n/actions/runs/5/attempts/2/job/99#step:1:2", 5, 99);
	check_job("https://gitlab.com/g/p/-/jobs/99", 0, 99);
	check_job("https://gitlab.com/g/p/-/jobs/99/artifacts/browse", 0, 99);
	check_job("https://gitlab.com/g/p/-/jobs/99#L10", 0, 99);
	assert_false(rg_run_name_is_job("x"));
	assert_error(rg_run_name_parse_whole(&run, "https://gitlab.com/g/p/-/jobs/99"), RG_E_USAGE,
		     "'https://gitlab.com/g/p/-/jobs/99' is one job's URL; name its run");
}

TEST(refuses_what_is_no_run)
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
		"https://gitlab.com/o/n/actions/runs/5",
		"https://github.com/g/p/-/pipelines/5",
		"https://github.com/o/actions/runs/5",
		"https://github.com/../n/actions/runs/5",
		"https://u@github.com/o/n/actions/runs/5",
		"https:///o/n/actions/runs/5",
		"https://github.com/o/n/pull/5",
		"ftp://github.com/o/n/actions/runs/5",
		"see https://github.com/o/n/actions/runs/5",
		"https://gitlab.com/p/-/pipelines/5",
		"https://gitlab.com/g/p/-/pipelines/5x",
		"https://gitlab.com/g/p/-/pipelines/5/attempts/2",
		"https://gitlab.com/g/p/-/jobs/",
		"https://gitlab.com/g/p/-/jobs/5x",
		"https://github.com/o/n/actions/runs/5/job/",
		"https://github.com/o/n/actions/runs/5/job/x",
		"https://github.com/o/n/actions/runs/5/job/7/x",
		"https://gitlab.com/g/../-/pipelines/5",
		"https://gitlab.com/g//p/-/pipelines/5",
		"https://gitlab.com/-/pipelines/5",
		"https://u@gitlab.com/g/p/-/pipelines/5",
	};
	size_t i;

	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		rg_run_name run;
		rg_error *err = rg_run_name_parse(&run, bad[i]);

		if (!err)
			fail_msg("'%s' was taken", bad[i]);
		assert_int_equal(rg_error_get_code(err), RG_E_USAGE);
		rg_error_free(err);
	}
}

/* Whoever has put a token into a URL does not want to see it in a log. */
TEST(names_no_password)
{
	rg_run_name run;

	assert_error(rg_run_name_parse(&run, "https://me:secret@gitlab.com/g/p/-/pipelines/5"),
		     RG_E_USAGE, "a run's URL has no user name or password; leave them out");
}

static void check_remote(const char *url, const char *host, const char *path)
{
	rg_repository repository;
	bool known;

	rg_repository_from_remote(&repository, url, RG_SOURCE_ANY, &known);
	if (known != (host != NULL))
		fail_msg("%s: %s", url, known ? "taken" : "not taken");
	if (host) {
		assert_string_equal(repository.host, host);
		assert_string_equal(repository.path, path);
	}
	rg_repository_release(&repository);
}

TEST(reads_remotes)
{
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
	url = rg_repository_api_url(&repository);
	assert_string_equal(url, api);
	free(url);
	rg_repository_release(&repository);
}

TEST(reads_repositories)
{
	rg_repository a, b;

	check_api("NVIDIA/Megatron-LM", "https://api.github.com");
	check_api("github.com/NVIDIA/Megatron-LM", "https://api.github.com");
	check_api("www.github.com/o/n", "https://api.github.com");
	check_api("NVIDIA/Megatron-LM.git", "https://api.github.com");
	check_api("ghe.example/o/n.git", "https://ghe.example/api/v3");
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

static void check_gitlab(const char *text, rg_source_kind kind, const char *api, const char *path,
			 bool in_call)
{
	rg_repository repository;
	char *url;

	assert_success(rg_repository_parse(&repository, text, kind));
	assert_int_equal(repository.kind, RG_SOURCE_GITLAB);
	assert_string_equal(repository.path, path);
	assert_int_equal(repository.in_call, in_call);
	url = rg_repository_api_url(&repository);
	assert_string_equal(url, api);
	free(url);
	rg_repository_release(&repository);
}

TEST(reads_projects)
{
	const rg_source_kind any = RG_SOURCE_ANY, lab = RG_SOURCE_GITLAB;
	rg_repository a;

	check_gitlab("gitlab.com/g/p", any, "https://gitlab.com/api/v4", "g/p", true);
	check_gitlab("gitlab.corp.example/g/s/p", any, "https://gitlab.corp.example/api/v4",
		     "g/s/p", true);
	check_gitlab("https://gitlab.com/g/s/p.git", any, "https://gitlab.com/api/v4", "g/s/p",
		     true);
	check_gitlab("git@gitlab.com:g/s/p.git", any, "https://gitlab.com/api/v4", "g/s/p", true);
	check_gitlab("gitlab.com/278964", any, "https://gitlab.com/api/v4", "278964", true);
	check_gitlab("g/p", lab, "https://gitlab.com/api/v4", "g/p", false);
	check_gitlab("g/s/p", lab, "https://gitlab.com/api/v4", "g/s/p", false);
	check_gitlab("278964", lab, "https://gitlab.com/api/v4", "278964", false);
	check_gitlab("g/s/p.git", lab, "https://gitlab.com/api/v4", "g/s/p", false);
	check_gitlab("lab.example/g/s/p", lab, "https://lab.example/api/v4", "g/s/p", true);
	check_gitlab("lab.example:8443/7", lab, "https://lab.example:8443/api/v4", "7", true);
	check_gitlab("http://127.0.0.1:8/g/p", lab, "http://127.0.0.1:8/api/v4", "g/p", true);
	check_gitlab("http://lab.example/g/p", lab, "https://lab.example/api/v4", "g/p", true);
	setenv("GITLAB_HOST", "https://lab.example", 1);
	check_gitlab("g/p", lab, "https://lab.example/api/v4", "g/p", false);
	check_gitlab("lab.example/g/p", any, "https://lab.example/api/v4", "g/p", true);
	unsetenv("GITLAB_HOST");
	assert_error(rg_repository_parse(&a, "g", lab), RG_E_USAGE,
		     "'g' is not a repository: [HOST/]GROUP/PROJECT");
	assert_error(rg_repository_parse(&a, "g/p?x", lab), RG_E_USAGE,
		     "'g/p?x' is not a repository: [HOST/]GROUP/PROJECT");
	assert_error(rg_repository_parse(&a, "g//p", lab), RG_E_USAGE,
		     "'g//p' is not a repository: [HOST/]GROUP/PROJECT");
	assert_error(rg_repository_parse(&a, "github.com/o/n", lab), RG_E_USAGE,
		     "'github.com/o/n' is not on GitLab");
	assert_error(rg_repository_parse(&a, "gitlab.com/o/n", RG_SOURCE_GITHUB), RG_E_USAGE,
		     "'gitlab.com/o/n' is not on GitHub");
	assert_error(rg_repository_parse(&a, "https://github.com/o/n", lab), RG_E_USAGE,
		     "'https://github.com/o/n' is not a repository: [HOST/]GROUP/PROJECT");
	assert_error(rg_repository_parse(&a, "0", lab), RG_E_USAGE,
		     "'0' is not a repository: [HOST/]GROUP/PROJECT");
}
