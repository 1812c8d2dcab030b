/* SPDX-License-Identifier: Apache-2.0 */
#include "source/run_url.h"

#include "base/number.h"
#include "source/manifest.h"

#include <string.h>
#include <strings.h>

/* Takes "WORD/NUMBER" off the front of *p, where the number ends at '/', '?', '#' or the end. */
static bool take_number(const char **p, const char *word, uint64_t *out)
{
	size_t length = strlen(word);
	if (strncmp(*p, word, length))
		return false;
	size_t digits = strcspn(*p + length, "/?#");
	if (!rg_uint64_parse(*p + length, digits, out) || !*out)
		return false;
	*p += length + digits;
	return true;
}

/* Parses what follows ".../OWNER/NAME". */
static bool parse_run_path(rg_run_name *out, const char *p)
{
	uint64_t attempt = 0;
	if (!take_number(&p, "/actions/runs/", &out->id))
		return false;
	if (!strncmp(p, "/attempts/", 10) &&
	    (!take_number(&p, "/attempts/", &attempt) || attempt > RG_ATTEMPT_MAX))
		return false;
	out->attempt = (unsigned)attempt;
	if (!strncmp(p, "/job/", 5) && !take_number(&p, "/job/", &out->job))
		return false;
	/* A place in the page, or nothing. */
	return !*p || *p == '?' || *p == '#' || !strcmp(p, "/") || !strcmp(p, "/artifacts") ||
	       !strcmp(p, "/usage") || !strcmp(p, "/workflow");
}

/* Parses what follows ".../GROUP/PROJECT": a pipeline's page, or one of its tabs. */
static bool parse_pipeline_path(rg_run_name *out, const char *p)
{
	static const char *const tabs[] = {"",         "/", "/builds", "/failures", "/test_report",
					   "/security"};

	if (!take_number(&p, "/-/pipelines/", &out->id))
		return false;
	size_t length = strcspn(p, "?#");
	for (size_t i = 0; i < sizeof(tabs) / sizeof(*tabs); i++)
		if (strlen(tabs[i]) == length && !strncmp(p, tabs[i], length))
			return true;
	return false;
}

/* The same of a job's page, which does not say the pipeline. */
static bool parse_job_path(rg_run_name *out, const char *p)
{
	return take_number(&p, "/-/jobs/", &out->job);
}

/* A kind of server, how the pages of its runs are called, and what a page's path may go on with. */
typedef struct {
	rg_source_kind kind;
	const char *page;
	bool (*parse)(rg_run_name *out, const char *p);
} run_page;

static const run_page pages[] = {
	{RG_SOURCE_GITHUB, "/actions/runs/", parse_run_path},
	{RG_SOURCE_GITLAB, "/-/pipelines/", parse_pipeline_path},
	{RG_SOURCE_GITLAB, "/-/jobs/", parse_job_path},
};

/* *known where `text` is the URL of such a page. */
static rg_error *parse_page(rg_run_name *out, const run_page *page, const char *text, bool *known)
{
	const char *path = strchr(strstr(text, "://") + 3, '/');
	*known = false;
	const char *end = path ? strstr(path, page->page) : NULL;
	if (!end || end == path || !page->parse(out, end))
		return NULL;
	RG_AUTO_PTR(rg_error)
	err = rg_repository_at(&out->repository, page->kind, text, path + 1,
			       (size_t)(end - path - 1));
	*known = !err;
	if (err && rg_error_get_code(err) != RG_E_USAGE)
		return RG_TAKE(err);
	out->has_repository = out->repository.in_call = *known;
	return NULL;
}

rg_error *rg_run_name_parse(rg_run_name *out, const char *text)
{
	bool url = !strncasecmp(text, "https://", 8) || !strncasecmp(text, "http://", 7), known;
	*out = (rg_run_name){0};
	if (!url && rg_uint64_parse(text, strlen(text), &out->id) && out->id)
		return NULL;
	for (size_t i = 0; url && i < sizeof(pages) / sizeof(*pages); i++) {
		*out = (rg_run_name){0};
		RG_TRY(parse_page(out, &pages[i], text, &known));
		if (known)
			return NULL;
	}
	*out = (rg_run_name){0};
	const char *host = url ? strstr(text, "://") + 3 : text;
	if (url && memchr(host, '@', strcspn(host, "/?#")))
		return rg_error_new(RG_E_USAGE, "a run's URL has no user name or password; leave "
						"them out");
	return rg_error_new(RG_E_USAGE,
			    "'%s' is %s (https://HOST/.../actions/runs/ID, "
			    "https://HOST/.../-/pipelines/ID)",
			    text, url ? "not a run's URL" : "neither a run's id nor its URL");
}

rg_error *rg_run_name_parse_whole(rg_run_name *out, const char *text)
{
	RG_TRY(rg_run_name_parse(out, text));
	if (!out->job)
		return NULL;
	rg_run_name_release(out);
	*out = (rg_run_name){0};
	return rg_error_new(RG_E_USAGE, "'%s' is one job's URL; name its run", text);
}

bool rg_run_name_is_job(const char *text)
{
	RG_AUTO(rg_run_name) name = {0};
	RG_AUTO_PTR(rg_error) err = rg_run_name_parse(&name, text);
	return !err && name.job;
}

void rg_run_name_release(rg_run_name *run)
{
	rg_repository_release(&run->repository);
}
