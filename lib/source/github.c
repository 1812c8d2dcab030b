/* SPDX-License-Identifier: Apache-2.0 */
#include "source/github.h"

#include "base/cancel.h"
#include "base/fields.h"
#include "base/memory.h"
#include "net/url.h"
#include "source/api_json.h"
#include "source/github_json.h"
#include "source/manifest.h"
#include "source/remote_artifact.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Windows of 1,000 runs each: a million runs are more than anybody audits. */
enum { WINDOWS_MAX = 1000, WINDOW_PAGES_MAX = 20, WINDOW_RUNS = 1000 };
#define LIST_BYTES_MAX ((size_t)64 << 20)

typedef struct {
	rg_run_list *out;
	rg_http *http;
	const rg_run_query *query;
	char *what;     /* "workflow 'FILE' of OWNER/NAME", "runs of OWNER/NAME" */
	char *base;     /* …/workflows/FILE/runs?per_page=100&status=completed … */
	char *since;    /* the oldest, as GitHub is asked for it; NULL: however old */
	char *upto;     /* the newest time that counts, NULL: now */
	uint64_t total; /* of the window under way: as many or more */
	size_t seen;    /* runs in its pages, known ones too */
	size_t taken;   /* of `out`, those that are wanted */
} list_state;

static void list_state_release(list_state *l)
{
	free(l->base);
	free(l->upto);
	free(l->since);
	free(l->what);
}

/* ---- one page ---- */

static const rg_json_field run_fields[] = {
	RG_JSON_FIELD(rg_listed_run, id),
	RG_JSON_FIELD_TEXT(rg_listed_run, created_at),
	RG_JSON_FIELD_AS("head_branch", rg_listed_run, branch),
	RG_JSON_FIELD_AS("head_sha", rg_listed_run, commit),
	RG_JSON_FIELD(rg_listed_run, event),
	RG_JSON_FIELD_AS("path", rg_listed_run, workflow),
	RG_JSON_FIELD_AS("display_title", rg_listed_run, title),
	RG_JSON_FIELD(rg_listed_run, status),
	RG_JSON_FIELD(rg_listed_run, conclusion),
	{0},
};

static const char *or_empty(const char *text)
{
	return text ? text : "";
}

static rg_error *read_listed_run(rg_run_list *list, const rg_json_in *in, const cJSON *item)
{
	const char *head;
	uint64_t attempt;
	int64_t when;

	/* Counted once it is whole. */
	rg_grow(&list->items, &list->capacity, list->count + 1, sizeof(*list->items));
	rg_listed_run *run = &list->items[list->count];
	RG_TRY(rg_json_get_fields(in, item, run_fields, run));
	RG_TRY(rg_json_get_count(in, item, "run_attempt", RG_ATTEMPT_MAX, &attempt));
	run->attempt = (unsigned)attempt;
	run->branch = or_empty(run->branch);
	run->commit = or_empty(run->commit);
	run->event = or_empty(run->event);
	run->workflow = or_empty(run->workflow);
	run->title = or_empty(run->title);
	RG_TRY(rg_github_get_head(in, item, &head, &run->fork));
	if (!rg_time_parse(run->created_at, &when))
		return rg_json_wrong(in, item, "created_at", "is not a time");
	list->count++;
	return NULL;
}

/* Is the last run on the list already? Windows meet in a second, and pages shift while runs come
 * and go. */
static bool is_known(const rg_run_list *list)
{
	size_t last = list->count - 1;
	for (size_t i = last; i && last - i < 2 * WINDOW_RUNS; i--)
		if (list->items[i - 1].id == list->items[last].id)
			return true;
	return false;
}

static bool is_wanted(const rg_run_query *query, const rg_listed_run *run)
{
	return !query->own || !run->fork;
}

static rg_error *read_listed(list_state *l, const rg_buf *body)
{
	const cJSON *runs, *item;
	RG_AUTO_PTR(cJSON) root = NULL;
	size_t count;

	RG_TRY(rg_api_parse_object(&root, "GitHub", body->data, body->length));
	rg_json_in in = (rg_json_in){root, &l->out->arena};
	RG_TRY(rg_json_get_objects(&in, root, "workflow_runs", &runs, &count));
	RG_TRY(rg_json_get_count(&in, root, "total_count", RG_JSON_EXACT_MAX, &l->total));
	cJSON_ArrayForEach(item, runs)
	{
		if (l->taken >= l->query->last)
			break;
		l->seen++;
		RG_TRY(read_listed_run(l->out, &in, item));
		if (is_known(l->out))
			l->out->count--;
		else
			l->taken += is_wanted(l->query, &l->out->items[l->out->count - 1]);
	}
	return NULL;
}

/* ---- a window ---- */

static rg_error *fetch_listed(list_state *l, char **url)
{
	const rg_http_request request = {.url = *url, .what = l->what};
	RG_AUTO(rg_buf) body = rg_buf_of(LIST_BYTES_MAX);
	RG_AUTO(rg_http_response) response = {0};

	rg_http_response_init(&response);
	RG_TRY(rg_http_get(l->http, &request, &body, &response));
	if (response.status != 200)
		return rg_http_status_error(l->http, &request, &response);
	RG_TRY(rg_error_wrap(read_listed(l, &body), "%s", request.what));
	return rg_error_wrap(rg_link_follow(url, response.link), "%s", request.what);
}

/* "created=SINCE..UPTO" and its open forms. */
static rg_error *window_url(const list_state *l, char **out)
{
	const char *since = l->since;
	RG_AUTO_FREE char *escaped = NULL;

	if (!since && !l->upto) {
		*out = rg_strdup(l->base);
		return NULL;
	}
	RG_AUTO_FREE char *range =
		since && l->upto ? rg_textf("%s..%s", since, l->upto)
				 : rg_textf(since ? ">=%s" : "<=%s", since ? since : l->upto);
	RG_TRY(rg_url_escape(&escaped, range));
	*out = rg_textf("%s&created=%s", l->base, escaped);
	return NULL;
}

static rg_error *read_window(list_state *l)
{
	RG_AUTO_FREE char *url = NULL;
	int pages = 0;

	l->seen = 0;
	l->total = 0;
	RG_TRY(window_url(l, &url));
	while (url && l->taken < l->query->last) {
		size_t before = l->seen;
		if (pages++ == WINDOW_PAGES_MAX)
			return rg_error_new(RG_E_PARSE, "%s: more than %d pages", l->what,
					    WINDOW_PAGES_MAX);
		RG_TRY(rg_cancel_check());
		RG_TRY(fetch_listed(l, &url));
		if (l->seen == before)
			break;
	}
	return NULL;
}

/* Up to the oldest run that was seen. The total may be less than there is: a window that is full
 * does not hold all, whatever it says. */
static rg_error *next_window(list_state *l, bool *more)
{
	const rg_run_list *list = l->out;
	*more = list->count && l->taken < l->query->last &&
		(l->seen < l->total || l->seen >= WINDOW_RUNS);
	if (!*more)
		return NULL;
	const char *oldest = list->items[list->count - 1].created_at;
	if (l->upto && !strcmp(l->upto, oldest))
		return rg_error_new(
			RG_E_LIMIT,
			"%s: GitHub counts %llu runs up to %s and gives out %zu of them; narrow "
			"it with --branch or --event",
			l->what, (unsigned long long)l->total, oldest, l->seen);
	free(l->upto);
	l->upto = rg_strdup(oldest);
	return NULL;
}

/* ---- the whole ---- */

/* Makes the list's URL, but for the window. */
static rg_error *make_base(list_state *l, const rg_repository *repository, const char *commit)
{
	const char *named = l->query->workflow;
	RG_AUTO_FREE char *workflow = NULL;
	RG_AUTO(rg_buf) url = rg_buf_of(RG_BUF_TEXT);

	if (named)
		RG_TRY(rg_url_escape(&workflow, named));
	rg_buf_printf(&url, "%s/repos/%s/actions%s%s/runs?per_page=100", rg_http_api_url(l->http),
		      repository->path, named ? "/workflows/" : "", named ? workflow : "");
	if (!l->query->unfinished)
		rg_buf_str(&url, "&status=completed");
	RG_TRY(rg_url_add_parameter(&url, "branch", l->query->branch));
	RG_TRY(rg_url_add_parameter(&url, "event", l->query->event));
	RG_TRY(rg_url_add_parameter(&url, "head_sha", commit));
	RG_TRY(rg_buf_check(&url, "URL"));
	l->base = rg_buf_detach(&url);
	return NULL;
}

/* Finds the commit that the pull request has now. */
static rg_error *find_head(list_state *l, const rg_repository *repository, const char **out)
{
	unsigned long long pull = l->query->pull;
	RG_AUTO_FREE char *what = rg_textf("pull request %llu of %s", pull, repository->path);
	RG_AUTO_FREE char *url = rg_textf("%s/repos/%s/pulls/%llu", rg_http_api_url(l->http),
					  repository->path, pull);
	const rg_http_request request = {.url = url, .what = what};
	RG_AUTO(rg_buf) body = rg_buf_of(LIST_BYTES_MAX);
	RG_AUTO(rg_http_response) response = {0};
	RG_AUTO_PTR(cJSON) root = NULL;
	const cJSON *head;

	rg_http_response_init(&response);
	RG_TRY(rg_http_get(l->http, &request, &body, &response));
	if (response.status != 200)
		return rg_http_status_error(l->http, &request, &response);
	RG_TRY(rg_error_wrap(rg_api_parse_object(&root, "GitHub", body.data, body.length), "%s",
			     what));
	const rg_json_in in = {root, &l->out->arena};
	RG_TRY(rg_error_wrap(rg_json_get_object(&in, root, "head", &head), "%s", what));
	return rg_error_wrap(rg_json_get_text(&in, head, "sha", out), "%s", what);
}

/* "2026-04-01" stays, a time comes out in UTC: GitHub knows that one of ISO 8601's many forms for
 * sure. */
static rg_error *read_since(list_state *l)
{
	const char *text = l->query->since;
	bool is_day = strlen(text) == 10;
	char written[40];
	struct tm utc;
	int64_t when;

	RG_TRY(rg_since_parse(text, &when));
	time_t seconds = (time_t)when;
	if (is_day || !gmtime_r(&seconds, &utc) ||
	    !strftime(written, sizeof(written), "%Y-%m-%dT%H:%M:%SZ", &utc))
		snprintf(written, sizeof(written), "%.10s", text);
	l->since = rg_strdup(written);
	return NULL;
}

static rg_error *begin(list_state *l, const rg_repository *repository)
{
	const rg_run_query *query = l->query;
	const char *commit = query->commit;

	if (query->since)
		RG_TRY(read_since(l));
	if (query->workflow)
		l->what = rg_textf("workflow '%s' of %s", query->workflow, repository->path);
	else
		l->what = rg_textf("runs of %s", repository->path);
	if (query->pull)
		RG_TRY(find_head(l, repository, &commit));
	return make_base(l, repository, commit);
}

static rg_error *read_all(list_state *l)
{
	unsigned most = l->query->lists_max ? l->query->lists_max : WINDOWS_MAX;
	bool more = true;

	for (unsigned windows = 0; more; windows++) {
		if (windows == most)
			return rg_error_new(RG_E_LIMIT,
					    "%s: more than %u lists of runs; narrow it with "
					    "--since",
					    l->what, most);
		RG_TRY(read_window(l));
		RG_TRY(next_window(l, &more));
	}
	return NULL;
}

rg_error *rg_github_list_runs(rg_run_list *out, rg_http *http, const rg_repository *repository,
			      const rg_run_query *query)
{
	RG_AUTO(list_state) l = {.out = out, .http = http, .query = query};
	size_t kept = 0;

	*out = (rg_run_list){0};
	rg_error *err = begin(&l, repository);
	if (!err)
		err = read_all(&l);
	for (size_t i = 0; i < out->count; i++)
		if (is_wanted(query, &out->items[i]))
			out->items[kept++] = out->items[i];
	out->forks = out->count - kept;
	out->count = kept;
	if (err)
		rg_run_list_release(out);
	return err;
}

/* Enterprise Servers know the versions of their time. */
static const char *const headers[] = {"Accept: application/vnd.github+json",
				      "X-GitHub-Api-Version: 2026-03-10", NULL};
static const char *const older_headers[] = {"Accept: application/vnd.github+json",
					    "X-GitHub-Api-Version: 2022-11-28", NULL};
static const char *meaning_of(long status)
{
	switch (status) {
	case 401:
		return "the token was refused; check GITHUB_TOKEN, GH_TOKEN or "
		       "GH_ENTERPRISE_TOKEN, or run 'gh auth login'";
	case 403:
		return "the token may not read this; it needs the scope 'repo', or the permission "
		       "'Actions: read', and the organisation's SSO where it has one";
	case 404:
		return "not found; check the id and the repository, and that the token may read it";
	case 410:
		return "expired; re-run the job to make it again";
	default:
		return NULL;
	}
}

const rg_http_service rg_github_service = {
	"GitHub", "Authorization: Bearer ", headers, older_headers, NULL, meaning_of};

/* The most of the API's answers: bytes a page, and pages (of 100) a list. */
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

static void page_release(page *p)
{
	rg_buf_release(&p->body);
	free(p->link);
}

/* A folder that cannot be written costs time, not correctness. */
static void keep_answer(github *hub, const char *url, const rg_http_response *response,
			const rg_buf *body)
{
	if (!hub->cache || !response->etag)
		return;
	RG_AUTO_PTR(rg_error)
	err = rg_cache_put_answer(hub->cache, url, response->etag, response->link, body->data,
				  body->length);
	if (err)
		rg_log_say(hub->log, RG_LOG_DETAIL, "the cache is not written: %s",
			   rg_error_message(err));
}

/* Sends the request; a 304 brings back what is kept. */
static rg_error *fetch_page(github *hub, const char *url, const char *what, page *out)
{
	rg_http_request request = {.url = url, .what = what};
	rg_cache_answer kept;
	RG_AUTO(rg_http_response) response = {0};
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
		err = rg_http_status_error(hub->http, &request, &response);
	}
	if (found)
		rg_cache_entry_release(&kept.entry);
	return err;
}

typedef rg_error *read_page_fn(rg_run *run, const char *text, size_t length, uint64_t *total);

/* Reads what one page says: its items into the run, the next page's URL into *url. */
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
	RG_AUTO_FREE char *next = url;
	uint64_t total = 0;

	for (int pages = 0; next; pages++) {
		RG_AUTO(page) p = {.body = rg_buf_of(PAGE_BYTES_MAX)};
		if (pages >= PAGES_MAX)
			return rg_error_new(RG_E_LIMIT, "%s: more than %d pages", what, PAGES_MAX);
		RG_TRY(fetch_page(hub, next, what, &p));
		RG_TRY(rg_error_wrap(read_page(&p, run, read, count, &total, &next), "%s", what));
	}
	return NULL;
}

static rg_error *read_jobs(github *hub, unsigned attempt, rg_run *out)
{
	const unsigned long long id = out->id;
	char *url, what[64];
	if (attempt && attempt > out->latest_attempt)
		return rg_error_new(RG_E_NOTFOUND, "run %llu: it has no attempt %u, only %u", id,
				    attempt, out->latest_attempt);
	out->attempt = attempt ? attempt : out->latest_attempt;
	snprintf(what, sizeof(what), "jobs of run %llu", id);
	if (attempt && attempt < out->latest_attempt)
		url = rg_textf("%s/runs/%llu/attempts/%u/jobs?per_page=100", hub->base, id,
			       attempt);
	else
		url = rg_textf("%s/runs/%llu/jobs?filter=latest&per_page=100", hub->base, id);
	return read_list(hub, url, what, out, rg_github_read_jobs, &out->job_count);
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
	const unsigned long long id = list->out->id;
	char what[64];

	snprintf(what, sizeof(what), "artifacts of run %llu", id);
	char *url = rg_textf("%s/runs/%llu/artifacts?per_page=100", list->hub->base, id);
	list->err = read_list(list->hub, url, what, list->out, rg_github_read_artifacts,
			      &list->out->artifact_count);
	return NULL;
}

static rg_error *read_lists(github *hub, unsigned attempt, rg_run *out)
{
	artifact_list list = {hub, out, NULL};
	pthread_t thread;
	bool beside = !pthread_create(&thread, NULL, read_artifact_list, &list);
	rg_error *err = read_jobs(hub, attempt, out);
	char what[64];

	/* The executions of all attempts tell whose an older artifact is. */
	if (!err && out->latest_attempt > 1 && out->attempt == out->latest_attempt) {
		snprintf(what, sizeof(what), "earlier jobs of run %llu",
			 (unsigned long long)out->id);
		err = read_list(hub,
				rg_textf("%s/runs/%llu/jobs?filter=all&per_page=100", hub->base,
					 (unsigned long long)out->id),
				what, out, rg_github_read_earlier, &out->earlier_count);
	}
	if (beside)
		pthread_join(thread, NULL);
	else if (!err)
		read_artifact_list(&list);
	return rg_error_first(err, list.err);
}

static rg_error *load(rg_source *source, uint64_t id, unsigned attempt, rg_run *out)
{
	github *hub = (github *)source;
	RG_AUTO_FREE char *what =
		rg_textf("run %llu of %s", (unsigned long long)id, hub->repository.path);
	RG_AUTO_FREE char *url = rg_textf("%s/runs/%llu", hub->base, (unsigned long long)id);
	RG_AUTO(page) p = {.body = rg_buf_of(PAGE_BYTES_MAX)};

	RG_TRY(fetch_page(hub, url, what, &p));
	RG_TRY(rg_error_wrap(rg_github_read_run(out, p.body.data, p.body.length), "%s", what));
	if (out->id != id)
		return rg_error_new(RG_E_PARSE, "%s: the answer is about run %llu", what,
				    (unsigned long long)out->id);
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
	RG_AUTO(rg_http_response) response = {0};

	*url = NULL;
	RG_AUTO_FREE char *asked = rg_textf("%s/%s/%llu/%s", l->hub->base, l->kind,
					    (unsigned long long)l->id, l->what);
	const rg_http_request request = {
		.url = asked, .what = "its address", .found_is_final = true};
	rg_http_response_init(&response);
	RG_TRY(rg_http_get(l->hub->http, &request, NULL, &response));
	if (response.status == 302 && response.location)
		return rg_error_wrap(rg_url_resolve(url, asked, response.location), "%s",
				     request.what);
	if (response.status == 410 && l->expires_at)
		return rg_error_new(RG_E_GONE, "on %.10s; re-run the job to make it again",
				    l->expires_at);
	return rg_http_status_error(l->hub->http, &request, &response);
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
	const rg_remote_artifact from = {.http = hub->http, .locate = locate, .context = &where};

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
	rg_repository_copy(&hub->repository, repository);
	hub->base = rg_textf("%s/repos/%s/actions", api, hub->repository.path);
	return &hub->source;
}
