/* SPDX-License-Identifier: Apache-2.0 */
#include "source/github_runs.h"

#include "base/cancel.h"
#include "net/url.h"
#include "source/github_json.h"
#include "source/manifest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Windows of 1,000 runs each: a million runs are more than anybody audits. */
enum { WINDOWS_MAX = 1000, WINDOW_PAGES_MAX = 20 };
#define PAGE_BYTES_MAX ((size_t)64 << 20)

typedef struct {
	rg_run_list *out;
	rg_http *http;
	const rg_run_query *query;
	char *what;     /* "workflow 'FILE' of OWNER/NAME" */
	char *base;     /* …/workflows/FILE/runs?status=completed&per_page=100 … */
	char *since;    /* the oldest, as GitHub is asked for it; NULL: however old */
	char *upto;     /* the newest time that counts, NULL: now */
	uint64_t total; /* of the window under way */
	size_t seen;    /* runs in its pages, known ones too */
} listing;

/* ---- one page ---- */

static const rg_json_field run_fields[] = {
	RG_JSON_FIELD(rg_listed_run, id),
	RG_JSON_FIELD_TEXT(rg_listed_run, created_at),
	RG_JSON_FIELD_AS("head_branch", rg_listed_run, branch),
	RG_JSON_FIELD_AS("head_sha", rg_listed_run, commit),
	RG_JSON_FIELD(rg_listed_run, event),
	{0},
};

static const char *or_empty(const char *text)
{
	return text ? text : "";
}

static rg_error *read_run(rg_run_list *list, const rg_json_in *in, const cJSON *item)
{
	rg_listed_run *run;
	uint64_t attempt;
	int64_t when;

	RG_TRY(rg_grow(&list->items, &list->capacity, list->count + 1, sizeof(*list->items)));
	run = &list->items[list->count];
	RG_TRY(rg_json_get_fields(in, item, run_fields, run));
	RG_TRY(rg_json_get_count(in, item, "run_attempt", RG_ATTEMPT_MAX, &attempt));
	run->attempt = (unsigned)attempt;
	run->branch = or_empty(run->branch);
	run->commit = or_empty(run->commit);
	run->event = or_empty(run->event);
	if (!rg_time_parse(run->created_at, &when))
		return rg_json_wrong(in, item, "created_at", "is not a time");
	list->count++;
	return NULL;
}

/* Takes the last run off the list again where it is on it already: windows meet in a second, and
 * pages shift while runs come and go. A window is 1,000 runs. */
static void drop_known(rg_run_list *list)
{
	size_t last = list->count - 1, i;

	for (i = last; i && last - i < 2000; i--)
		if (list->items[i - 1].id == list->items[last].id) {
			list->count--;
			return;
		}
}

static rg_error *read_page(listing *l, const rg_buf *body)
{
	const cJSON *runs, *item;
	rg_json_in in;
	rg_error *err;
	cJSON *root;
	size_t count;

	RG_TRY(rg_github_parse(&root, body->data, body->length));
	in = (rg_json_in){root, &l->out->arena};
	err = rg_json_get_objects(&in, root, "workflow_runs", &runs, &count);
	if (!err)
		err = rg_json_get_count(&in, root, "total_count", RG_JSON_EXACT_MAX, &l->total);
	cJSON_ArrayForEach(item, runs)
	{
		if (err || l->out->count >= l->query->last)
			break;
		err = read_run(l->out, &in, item);
		l->seen++;
		if (!err)
			drop_known(l->out);
	}
	cJSON_Delete(root);
	return err;
}

/* ---- a window ---- */

static rg_error *fetch_page(listing *l, char **url)
{
	const rg_http_request request = {.url = *url, .what = l->what};
	rg_http_response response;
	rg_error *err;
	rg_buf body;

	rg_buf_init(&body, PAGE_BYTES_MAX);
	rg_http_response_init(&response);
	err = rg_http_get(l->http, &request, &body, &response);
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
	char *range = NULL, *escaped = NULL;
	rg_error *err;

	if (!since && !l->upto)
		return rg_strdup(out, l->base);
	if (since && l->upto)
		err = rg_textf(&range, "%s..%s", since, l->upto);
	else
		err = rg_textf(&range, since ? ">=%s" : "<=%s", since ? since : l->upto);
	if (!err)
		err = rg_url_escape(&escaped, range);
	if (!err)
		err = rg_textf(out, "%s&created=%s", l->base, escaped);
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
	for (err = NULL; !err && url && l->out->count < l->query->last;) {
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

/* Up to the oldest run that was seen. */
static rg_error *next_window(listing *l, bool *more)
{
	const rg_run_list *list = l->out;
	const char *oldest;

	*more = list->count && list->count < l->query->last && l->seen < l->total;
	if (!*more)
		return NULL;
	oldest = list->items[list->count - 1].created_at;
	if (l->upto && !strcmp(l->upto, oldest))
		return rg_error_new(
			RG_E_LIMIT,
			"%s: GitHub counts %llu runs up to %s and gives out %zu of them; narrow "
			"it with --branch or --event",
			l->what, (unsigned long long)l->total, oldest, l->seen);
	free(l->upto);
	return rg_strdup(&l->upto, oldest);
}

/* ---- the whole ---- */

static rg_error *add_filter(rg_buf *url, const char *key, const char *value)
{
	char *escaped;

	if (!value)
		return NULL;
	RG_TRY(rg_url_escape(&escaped, value));
	rg_buf_printf(url, "&%s=%s", key, escaped);
	free(escaped);
	return NULL;
}

static rg_error *base_url(listing *l, const rg_repository *repository)
{
	const char *api = rg_http_api_url(l->http);
	size_t length = strlen(api);
	char *workflow;
	rg_error *err;
	rg_buf url;

	while (length && api[length - 1] == '/')
		length--;
	RG_TRY(rg_url_escape(&workflow, l->query->workflow));
	rg_buf_init(&url, RG_BUF_TEXT);
	rg_buf_printf(&url,
		      "%.*s/repos/%s/%s/actions/workflows/%s/runs?status=completed&per_page=100",
		      (int)length, api, repository->owner, repository->name, workflow);
	free(workflow);
	err = add_filter(&url, "branch", l->query->branch);
	if (!err)
		err = add_filter(&url, "event", l->query->event);
	if (!err)
		err = rg_buf_check(&url, "URL");
	if (!err) {
		l->base = rg_buf_detach(&url);
		err = l->base ? NULL : rg_error_nomem();
	}
	rg_buf_release(&url);
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
	time_t seconds;

	snprintf(written, sizeof(written), "%.10sT00:00:00Z", text);
	if (!rg_time_parse(is_day ? written : text, &when))
		return rg_error_new(RG_E_USAGE,
				    "'%s' is neither a date such as 2026-04-01 nor a time such as "
				    "2026-04-01T06:00:00Z",
				    text);
	seconds = (time_t)when;
	if (is_day || !gmtime_r(&seconds, &utc) ||
	    !strftime(written, sizeof(written), "%Y-%m-%dT%H:%M:%SZ", &utc))
		snprintf(written, sizeof(written), "%.10s", text);
	return rg_strdup(&l->since, written);
}

rg_error *rg_github_list_runs(rg_run_list *out, rg_http *http, const rg_repository *repository,
			      const rg_run_query *query)
{
	listing l = {.out = out, .http = http, .query = query};
	rg_error *err = NULL;
	unsigned windows, most = query->lists_max ? query->lists_max : WINDOWS_MAX;
	bool more = true;

	*out = (rg_run_list){0};
	rg_arena_init(&out->arena);
	if (query->since)
		RG_TRY(read_since(&l));
	err = rg_textf(&l.what, "workflow '%s' of %s/%s", query->workflow, repository->owner,
		       repository->name);
	if (!err)
		err = base_url(&l, repository);
	for (windows = 0; !err && more; windows++) {
		if (windows == most)
			err = rg_error_new(RG_E_LIMIT,
					   "%s: more than %u lists of runs; narrow it with --since",
					   l.what, most);
		if (!err)
			err = read_window(&l);
		if (!err)
			err = next_window(&l, &more);
	}
	free(l.base);
	free(l.upto);
	free(l.since);
	free(l.what);
	if (err)
		rg_run_list_release(out);
	return err;
}
