/* SPDX-License-Identifier: Apache-2.0 */
#include "source/github.h"

#include "base/memory.h"
#include "net/url.h"

#include "source/github_json.h"
#include "source/github_runs.h"
#include "source/remote_artifact.h"
#include "source/remote_log.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Enterprise Servers know the versions of their time. */
static const char *const headers[] = {"Accept: application/vnd.github+json",
				      "X-GitHub-Api-Version: 2026-03-10", NULL};
static const char *const older_headers[] = {"Accept: application/vnd.github+json",
					    "X-GitHub-Api-Version: 2022-11-28", NULL};
const rg_http_service rg_github_service = {"GitHub", "Authorization: Bearer ", headers,
					   older_headers, NULL};

/* Of the API's answers: bytes a page, and pages (of 100) a list. */
#define PAGE_BYTES_MAX ((size_t)32 << 20)
enum { PAGES_MAX = 200 };

typedef struct {
	rg_source source; /* first: a github is its source */
	rg_http *http;
	rg_cache *cache;
	const rg_log *log;
	rg_repository repository;
	char *base; /* "https://api.github.com/repos/OWNER/NAME/actions" */
} github;

/* An answer's body and where its list continues. */
typedef struct {
	rg_buf body;
	char *link; /* or NULL */
} page;

static void page_init(page *p)
{
	rg_buf_init(&p->body, PAGE_BYTES_MAX);
	p->link = NULL;
}

static void page_release(page *p)
{
	rg_buf_release(&p->body);
	free(p->link);
	p->link = NULL;
}

/* A folder that cannot be written costs time, not correctness. */
static void keep_answer(github *hub, const char *url, const rg_http_response *response,
			const rg_buf *body)
{
	if (!hub->cache || !response->etag)
		return;
	rg_error *err = rg_cache_put_answer(hub->cache, url, response->etag, response->link,
					    body->data, body->length);
	if (err)
		rg_log_say(hub->log, RG_LOG_DETAIL, "the cache is not written: %s",
			   rg_error_message(err));
	rg_error_free(err);
}

/* Sends the request; a 304 brings back what is kept. */
static rg_error *fetch_page(github *hub, const char *url, const char *what, page *out)
{
	rg_http_request request = {.url = url, .what = what};
	rg_cache_answer kept;
	rg_http_response response;
	bool found = false;
	rg_http_response_init(&response);

	if (hub->cache)
		RG_TRY(rg_cache_get_answer(hub->cache, url, &kept, &found));
	if (found)
		request.if_none_match = kept.etag;
	rg_error *err = rg_http_get(hub->http, &request, &out->body, &response);
	if (!err && response.status == 304 && found) {
		rg_buf_clear(&out->body);
		rg_buf_add(&out->body, kept.body->bytes, kept.body->size);
		err = rg_buf_check(&out->body, what);
		if (!err && kept.link)
			out->link = rg_strdup(kept.link);
	} else if (!err && response.status == 200) {
		keep_answer(hub, url, &response, &out->body);
		out->link = response.link;
		response.link = NULL;
	} else if (!err) {
		err = rg_http_status_error(&request, &response);
	}
	if (found)
		rg_cache_entry_release(&kept.entry);
	rg_http_response_release(&response);
	return err;
}

typedef rg_error *read_page_fn(rg_run *run, const char *text, size_t length, uint64_t *total);

/* What one page says: its items into the run, the next page's URL into *url. */
static rg_error *read_page(const page *p, rg_run *run, read_page_fn *read, const size_t *count,
			   uint64_t *total, char **url)
{
	size_t before = *count;
	RG_TRY(read(run, p->body.data, p->body.length, total));
	RG_TRY(rg_link_follow(url, p->link));
	if (*url && *count == before)
		return rg_error_new(RG_E_PARSE, "an empty page that has a next one");
	if (*url && *count > *total)
		return rg_error_new(RG_E_PARSE,
				    "its pages go on after the %llu items that it counts",
				    (unsigned long long)*total);
	if (!*url && *count != *total && rg_run_is_finished(run))
		return rg_error_new(RG_E_PARSE, "it counts %llu items, but its pages hold %zu",
				    (unsigned long long)*total, *count);
	return NULL;
}

/*
 * All pages of a list, from `url` on, which is freed. A Link that goes in circles brings no new
 * items or more of them than are counted; both end here.
 */
static rg_error *read_list(github *hub, char *url, const char *what, rg_run *run,
			   read_page_fn *read, const size_t *count)
{
	rg_error *err = NULL;
	uint64_t total = 0;
	int pages = 0;

	while (!err && url) {
		page p;
		page_init(&p);
		if (pages++ >= PAGES_MAX)
			err = rg_error_new(RG_E_LIMIT, "%s: more than %d pages", what, PAGES_MAX);
		if (!err)
			err = fetch_page(hub, url, what, &p);
		if (!err)
			err = rg_error_wrap(read_page(&p, run, read, count, &total, &url), "%s",
					    what);
		page_release(&p);
	}
	free(url);
	return err;
}

static rg_error *read_run(github *hub, uint64_t id, const char *what, rg_run *out)
{
	page p;
	char *url = rg_textf("%s/runs/%llu", hub->base, (unsigned long long)id);
	page_init(&p);
	rg_error *err = fetch_page(hub, url, what, &p);
	if (!err)
		err = rg_error_wrap(rg_github_read_run(out, p.body.data, p.body.length), "%s",
				    what);
	if (!err && out->id != id)
		err = rg_error_new(RG_E_PARSE, "%s: the answer is about run %llu", what,
				   (unsigned long long)out->id);
	page_release(&p);
	free(url);
	return err;
}

static rg_error *read_jobs(github *hub, unsigned attempt, rg_run *out)
{
	char *url, what[64];
	if (attempt && attempt > out->latest_attempt)
		return rg_error_new(RG_E_NOTFOUND, "run %llu: it has no attempt %u, only %u",
				    (unsigned long long)out->id, attempt, out->latest_attempt);
	out->attempt = attempt ? attempt : out->latest_attempt;
	snprintf(what, sizeof(what), "jobs of run %llu", (unsigned long long)out->id);
	if (attempt && attempt < out->latest_attempt)
		url = rg_textf("%s/runs/%llu/attempts/%u/jobs?per_page=100", hub->base,
			       (unsigned long long)out->id, attempt);
	else
		url = rg_textf("%s/runs/%llu/jobs?filter=latest&per_page=100", hub->base,
			       (unsigned long long)out->id);
	return read_list(hub, url, what, out, rg_github_read_jobs, &out->job_count);
}

/* The executions of all attempts, which tell whose an older artifact is. */
static rg_error *read_earlier(github *hub, rg_run *out)
{
	char what[64];
	if (out->latest_attempt < 2 || out->attempt != out->latest_attempt)
		return NULL;
	snprintf(what, sizeof(what), "earlier jobs of run %llu", (unsigned long long)out->id);
	char *url = rg_textf("%s/runs/%llu/jobs?filter=all&per_page=100", hub->base,
			     (unsigned long long)out->id);
	return read_list(hub, url, what, out, rg_github_read_earlier, &out->earlier_count);
}

static rg_error *read_artifacts(github *hub, rg_run *out)
{
	char what[64];
	snprintf(what, sizeof(what), "artifacts of run %llu", (unsigned long long)out->id);
	char *url = rg_textf("%s/runs/%llu/artifacts?per_page=100", hub->base,
			     (unsigned long long)out->id);
	return read_list(hub, url, what, out, rg_github_read_artifacts, &out->artifact_count);
}

/* The artifacts' list, read beside the jobs'. */
typedef struct {
	github *hub;
	rg_run *out; /* its artifacts and their arena alone */
	rg_error *err;
} artifact_list;

static void *read_artifact_list(void *context)
{
	artifact_list *list = context;
	list->err = read_artifacts(list->hub, list->out);
	return NULL;
}

static rg_error *read_lists(github *hub, unsigned attempt, rg_run *out)
{
	artifact_list list = {hub, out, NULL};
	pthread_t thread;
	bool beside = !pthread_create(&thread, NULL, read_artifact_list, &list);
	rg_error *err = read_jobs(hub, attempt, out);

	if (!err)
		err = read_earlier(hub, out);
	if (beside)
		pthread_join(thread, NULL);
	else if (!err)
		read_artifact_list(&list);
	return rg_error_first(err, list.err);
}

static rg_error *load(rg_source *source, uint64_t id, unsigned attempt, rg_run *out)
{
	github *hub = (github *)source;
	char *what = rg_textf("run %llu of %s", (unsigned long long)id, hub->repository.path);
	rg_error *err = read_run(hub, id, what, out);
	free(what);
	RG_TRY(err);
	out->source = "github";
	out->host = rg_arena_text(&out->arena, hub->repository.host);
	out->repository = rg_arena_text(&out->arena, hub->repository.path);
	RG_TRY(read_lists(hub, attempt, out));
	return rg_error_wrap(rg_run_sort(out), "run %llu", (unsigned long long)id);
}

/* Something that is kept in the store, whose address the API has. */
typedef struct {
	github *hub;
	const char *kind, *what; /* "artifacts/…/zip", "jobs/…/logs" */
	uint64_t id;
	const char *expires_at; /* or NULL */
} location;

static rg_error *locate(void *context, char **url)
{
	const location *l = context;
	rg_http_response response;

	*url = NULL;
	char *asked = rg_textf("%s/%s/%llu/%s", l->hub->base, l->kind, (unsigned long long)l->id,
			       l->what);
	rg_http_request request =
		(rg_http_request){.url = asked, .what = "its address", .found_is_final = true};
	rg_http_response_init(&response);
	rg_error *err = rg_http_get(l->hub->http, &request, NULL, &response);
	if (!err && response.status == 302 && response.location)
		err = rg_error_wrap(rg_url_resolve(url, asked, response.location), "%s",
				    request.what);
	else if (!err && response.status == 410 && l->expires_at)
		err = rg_error_new(RG_E_GONE, "on %.10s; re-run the job to make it again",
				   l->expires_at);
	else if (!err)
		err = rg_http_status_error(&request, &response);
	rg_http_response_release(&response);
	free(asked);
	return err;
}

static rg_error *take(rg_source *source, const rg_artifact *artifact,
		      const rg_take_request *request, rg_selection *selection, const char **check)
{
	github *hub = (github *)source;
	location where = {hub, "artifacts", "zip", artifact->id, artifact->expires_at};
	const rg_remote_artifact from = {
		.http = hub->http, .artifact = artifact, .locate = locate, .context = &where};

	return rg_remote_artifact_take(&from, request, selection, check);
}

static rg_error *read_log(rg_source *source, const rg_job *job, const rg_take_request *request,
			  rg_zip_sink *sink, void *context)
{
	github *hub = (github *)source;
	location where = {hub, "jobs", "logs", job->id, NULL};
	const rg_remote_log from = {hub->http, locate, NULL, &where};

	return rg_remote_log_read(&from, request, sink, context);
}

static rg_error *list(rg_source *source, const rg_run_query *query, rg_run_list *out)
{
	github *hub = (github *)source;
	return rg_github_list_runs(out, hub->http, &hub->repository, query);
}

static void free_github(rg_source *source)
{
	github *hub = (github *)source;
	if (!hub)
		return;
	free(hub->base);
	rg_repository_release(&hub->repository);
	free(hub);
}

rg_source *rg_github_new(rg_http *http, const rg_repository *repository, rg_cache *cache,
			 const rg_log *log)
{
	const char *api = rg_http_api_url(http);
	size_t length = strlen(api);
	github *hub = rg_calloc(1, sizeof(*hub));

	hub->source = (rg_source){.address = api,
				  .list = list,
				  .load = load,
				  .take = take,
				  .read_log = read_log,
				  .free = free_github};
	hub->http = http;
	hub->cache = cache;
	hub->log = log;
	while (length && api[length - 1] == '/')
		length--;
	rg_repository_copy(&hub->repository, repository);
	hub->base = rg_textf("%.*s/repos/%s/actions", (int)length, api, hub->repository.path);
	return &hub->source;
}
