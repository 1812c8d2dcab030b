/* SPDX-License-Identifier: Apache-2.0 */
#include "source/github_runs.h"

#include "base/memory.h"
#include "base/fields.h"
#include "base/cancel.h"
#include "net/url.h"
#include "source/github_json.h"
#include "source/manifest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Windows of 1,000 runs each: a million runs are more than anybody audits. */
enum { WINDOWS_MAX = 1000, WINDOW_PAGES_MAX = 20, WINDOW_RUNS = 1000 };
#define PAGE_BYTES_MAX ((size_t)64 << 20)

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
} listing;

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

static rg_error *read_run(rg_run_list *list, const rg_json_in *in, const cJSON *item)
{
	const char *head;
	uint64_t attempt;
	int64_t when;

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

static rg_error *read_page(listing *l, const rg_buf *body)
{
	const cJSON *runs, *item;
	cJSON *root;
	size_t count;

	RG_TRY(rg_github_parse(&root, body->data, body->length));
	rg_json_in in = (rg_json_in){root, &l->out->arena};
	rg_error *err = rg_json_get_objects(&in, root, "workflow_runs", &runs, &count);
	if (!err)
		err = rg_json_get_count(&in, root, "total_count", RG_JSON_EXACT_MAX, &l->total);
	cJSON_ArrayForEach(item, runs)
	{
		if (err || l->taken >= l->query->last)
			break;
		err = read_run(l->out, &in, item);
		l->seen++;
		if (!err && is_known(l->out))
			l->out->count--;
		else if (!err)
			l->taken += is_wanted(l->query, &l->out->items[l->out->count - 1]);
	}
	cJSON_Delete(root);
	return err;
}

/* ---- a window ---- */

static rg_error *fetch_page(listing *l, char **url)
{
	const rg_http_request request = {.url = *url, .what = l->what};
	rg_http_response response;
	rg_buf body;

	rg_buf_init(&body, PAGE_BYTES_MAX);
	rg_http_response_init(&response);
	rg_error *err = rg_http_get(l->http, &request, &body, &response);
	if (!err && response.status != 200)
		err = rg_http_status_error(&request, &response);
	if (!err)
		err = rg_error_wrap(read_page(l, &body), "%s", request.what);
	if (!err)
		err = rg_error_wrap(rg_link_follow(url, response.link), "%s", request.what);
	rg_http_response_release(&response);
	rg_buf_release(&body);
	return err;
}

/* "created=SINCE..UPTO" and its open forms. */
static rg_error *window_url(const listing *l, char **out)
{
	const char *since = l->since;
	char *escaped = NULL;

	if (!since && !l->upto) {
		*out = rg_strdup(l->base);
		return NULL;
	}
	char *range = since && l->upto ? rg_textf("%s..%s", since, l->upto)
				       : rg_textf(since ? ">=%s" : "<=%s", since ? since : l->upto);
	rg_error *err = rg_url_escape(&escaped, range);
	if (!err)
		*out = rg_textf("%s&created=%s", l->base, escaped);
	free(escaped);
	free(range);
	return err;
}

static rg_error *read_window(listing *l)
{
	rg_error *err;
	int pages = 0;
	char *url;

	l->seen = 0;
	l->total = 0;
	RG_TRY(window_url(l, &url));
	for (err = NULL; !err && url && l->taken < l->query->last;) {
		size_t before = l->seen;
		if (pages++ == WINDOW_PAGES_MAX)
			err = rg_error_new(RG_E_PARSE, "%s: more than %d pages", l->what,
					   WINDOW_PAGES_MAX);
		if (!err)
			err = rg_cancel_check();
		if (!err)
			err = fetch_page(l, &url);
		if (!err && l->seen == before)
			break;
	}
	free(url);
	return err;
}

/* Up to the oldest run that was seen. The total may be less than there is: a window that is full
 * does not hold all, whatever it says. */
static rg_error *next_window(listing *l, bool *more)
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

/* "https://api.github.com/repos/OWNER/NAME" */
static void add_repository(rg_buf *url, const rg_http *http, const rg_repository *repository)
{
	const char *api = rg_http_api_url(http);
	size_t length = strlen(api);

	while (length && api[length - 1] == '/')
		length--;
	rg_buf_printf(url, "%.*s/repos/%s", (int)length, api, repository->path);
}

static rg_error *add_filters(rg_buf *url, const rg_run_query *query, const char *commit)
{
	rg_buf_str(url, "/runs?per_page=100");
	if (!query->unfinished)
		rg_buf_str(url, "&status=completed");
	RG_TRY(rg_url_add_parameter(url, "branch", query->branch));
	RG_TRY(rg_url_add_parameter(url, "event", query->event));
	RG_TRY(rg_url_add_parameter(url, "head_sha", commit));
	return rg_buf_check(url, "URL");
}

static rg_error *base_url(listing *l, const rg_repository *repository, const char *commit)
{
	const char *named = l->query->workflow;
	char *workflow = NULL;
	rg_buf url;

	if (named)
		RG_TRY(rg_url_escape(&workflow, named));
	rg_buf_init(&url, RG_BUF_TEXT);
	add_repository(&url, l->http, repository);
	rg_buf_printf(&url, "/actions%s%s", named ? "/workflows/" : "", named ? workflow : "");
	free(workflow);
	rg_error *err = add_filters(&url, l->query, commit);
	if (!err) {
		l->base = rg_buf_detach(&url);
	}
	rg_buf_release(&url);
	return err;
}

/* ---- a pull request ---- */

static rg_error *read_head(listing *l, const rg_buf *body, const char **out)
{
	const cJSON *head;
	cJSON *root;

	RG_TRY(rg_github_parse(&root, body->data, body->length));
	rg_json_in in = (rg_json_in){root, &l->out->arena};
	rg_error *err = rg_json_get_object(&in, root, "head", &head);
	if (!err)
		err = rg_json_get_text(&in, head, "sha", out);
	cJSON_Delete(root);
	return err;
}

/* The commit that the pull request has now. */
static rg_error *find_head(listing *l, const rg_repository *repository, const char **out)
{
	rg_http_request request = {0};
	rg_http_response response;
	rg_buf url, body;
	char *what = rg_textf("pull request %llu of %s", (unsigned long long)l->query->pull,
			      repository->path);
	rg_buf_init(&url, RG_BUF_TEXT);
	add_repository(&url, l->http, repository);
	rg_buf_printf(&url, "/pulls/%llu", (unsigned long long)l->query->pull);
	rg_buf_init(&body, PAGE_BYTES_MAX);
	rg_http_response_init(&response);
	rg_error *err = rg_buf_check(&url, "URL");
	request.url = url.data;
	request.what = what;
	if (!err)
		err = rg_http_get(l->http, &request, &body, &response);
	if (!err && response.status != 200)
		err = rg_http_status_error(&request, &response);
	if (!err)
		err = rg_error_wrap(read_head(l, &body, out), "%s", what);
	rg_http_response_release(&response);
	rg_buf_release(&body);
	rg_buf_release(&url);
	free(what);
	return err;
}

/* "2026-04-01" as it is, a time in UTC: of ISO 8601's many forms GitHub knows that one for sure. */
static rg_error *read_since(listing *l)
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

static rg_error *begin(listing *l, const rg_repository *repository)
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
	return base_url(l, repository, commit);
}

static rg_error *read_all(listing *l)
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

static void drop_unwanted(rg_run_list *list, const rg_run_query *query)
{
	size_t kept = 0;
	for (size_t i = 0; i < list->count; i++)
		if (is_wanted(query, &list->items[i]))
			list->items[kept++] = list->items[i];
	list->forks = list->count - kept;
	list->count = kept;
}

rg_error *rg_github_list_runs(rg_run_list *out, rg_http *http, const rg_repository *repository,
			      const rg_run_query *query)
{
	listing l = {.out = out, .http = http, .query = query};
	*out = (rg_run_list){0};
	rg_arena_init(&out->arena);
	rg_error *err = begin(&l, repository);
	if (!err)
		err = read_all(&l);
	drop_unwanted(out, query);
	free(l.base);
	free(l.upto);
	free(l.since);
	free(l.what);
	if (err)
		rg_run_list_release(out);
	return err;
}
