/* SPDX-License-Identifier: Apache-2.0 */
#include "source/gitlab_runs.h"

#include "base/memory.h"
#include "base/fields.h"
#include "base/cancel.h"
#include "net/url.h"
#include "source/api_json.h"
#include "source/gitlab_json.h"
#include "source/source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Of 100 pipelines each. */
enum { PAGES_MAX = 10000 };

static const char merge_requests[] = "refs/merge-requests/";

typedef struct {
	rg_run_list *out;
	const rg_gitlab_api *api;
	const rg_run_query *query;
	int64_t since;                   /* RG_TIME_NONE: however old */
	rg_gitlab_merge_request request; /* with query->pull */
	size_t taken;                    /* of `last`: those that `own` leaves out count, too */
	size_t seen;                     /* on this page */
	bool over;                       /* what comes is older */
} listing;

static const rg_json_field run_fields[] = {
	RG_JSON_FIELD(rg_listed_run, id),
	RG_JSON_FIELD_TEXT(rg_listed_run, created_at),
	RG_JSON_FIELD_TEXT_AS("ref", rg_listed_run, branch),
	RG_JSON_FIELD_TEXT_AS("sha", rg_listed_run, commit),
	RG_JSON_FIELD_AS("source", rg_listed_run, event),
	RG_JSON_FIELD_AS("name", rg_listed_run, title),
	RG_JSON_FIELD_TEXT(rg_listed_run, status),
	{0},
};

static rg_error *fill(listing *l, rg_listed_run *run, const rg_json_in *in, const cJSON *item,
		      int64_t *created)
{
	uint64_t project = 0;
	*run = (rg_listed_run){.attempt = 1, .workflow = ""};
	RG_TRY(rg_json_get_fields(in, item, run_fields, run));
	RG_TRY(rg_api_check_id(in, item, run->id));
	RG_TRY(rg_api_get_time(in, item, "created_at", created));
	if (rg_json_member(item, "project_id"))
		RG_TRY(rg_json_get_count(in, item, "project_id", RG_JSON_EXACT_MAX, &project));
	run->event = run->event ? run->event : "";
	run->title = run->title ? run->title : "";
	run->conclusion = rg_gitlab_conclusion(run->status);
	if (run->conclusion)
		run->status = "completed";
	/* The pipelines of a merge request from a fork are the fork's own, or not: it is all that
	 * this list says of them. */
	run->fork = l->query->pull ? l->request.fork || project != l->request.project
				   : !strncmp(run->branch, merge_requests, strlen(merge_requests));
	return NULL;
}

/* Does it run the request's newest commit, merged into its target or not? */
static bool is_head(const listing *l, const rg_listed_run *run)
{
	return !strcmp(run->commit, l->request.sha) ||
	       (l->request.pipeline_sha && !strcmp(run->commit, l->request.pipeline_sha));
}

static bool is_asked_for(const listing *l, const rg_listed_run *run)
{
	const rg_run_query *query = l->query;
	return (query->unfinished || run->conclusion) && (!query->pull || is_head(l, run)) &&
	       (!query->branch || !strcmp(run->branch, query->branch) || query->pull) &&
	       (!query->event || !strcmp(run->event, query->event)) &&
	       (!query->commit || !strcmp(run->commit, query->commit));
}

static rg_error *add_run(void *context, const rg_json_in *in, const cJSON *item)
{
	listing *l = context;
	rg_run_list *out = l->out;
	int64_t created;

	l->seen++;
	rg_grow(&out->items, &out->capacity, out->count + 1, sizeof(*out->items));
	rg_listed_run *run = &out->items[out->count];
	RG_TRY(fill(l, run, in, item, &created));
	if (l->since != RG_TIME_NONE && created < l->since) {
		l->over = true;
		return NULL;
	}
	if (l->taken >= l->query->last || !is_asked_for(l, run))
		return NULL;
	/* Pages shift while pipelines come. */
	for (size_t i = out->count; i && out->count - i < 200; i--)
		if (out->items[i - 1].id == run->id)
			return NULL;
	l->taken++;
	out->forks += l->query->own && run->fork;
	out->count += !(l->query->own && run->fork);
	return NULL;
}

/* ---- the question ---- */

/* A pipeline was updated when it was created, or later: the server need not give out older ones. */
static rg_error *add_since(const listing *l, rg_buf *url)
{
	time_t seconds = (time_t)l->since;
	char written[40];
	struct tm utc;

	if (l->since == RG_TIME_NONE || !gmtime_r(&seconds, &utc) ||
	    !strftime(written, sizeof(written), "%Y-%m-%dT%H:%M:%SZ", &utc))
		return NULL;
	return rg_url_add_parameter(url, "updated_after", written);
}

static rg_error *list_url(const listing *l, char **out)
{
	const rg_run_query *query = l->query;
	rg_buf filters;

	*out = NULL;
	if (query->pull) {
		*out = rg_gitlab_url(l->api, 0, "/merge_requests/%llu/pipelines?per_page=100",
				     (unsigned long long)query->pull);
		return NULL;
	}
	rg_buf_init(&filters, RG_BUF_TEXT);
	rg_error *err = rg_url_add_parameter(&filters, "ref", query->branch);
	if (!err)
		err = rg_url_add_parameter(&filters, "source", query->event);
	if (!err)
		err = rg_url_add_parameter(&filters, "sha", query->commit);
	if (!err)
		err = add_since(l, &filters);
	if (!err)
		err = rg_buf_check(&filters, "URL");
	if (!err)
		*out = rg_gitlab_url(l->api, 0, "/pipelines?order_by=id&sort=desc&per_page=100%s%s",
				     query->unfinished ? "" : "&scope=finished", filters.data);
	rg_buf_release(&filters);
	return err;
}

static rg_error *read_merge_request(listing *l)
{
	char what[64];
	rg_buf body;

	snprintf(what, sizeof(what), "merge request %llu", (unsigned long long)l->query->pull);
	char *url = rg_gitlab_url(l->api, 0, "/merge_requests/%llu",
				  (unsigned long long)l->query->pull);
	rg_buf_init(&body, RG_GITLAB_PAGE_MAX);
	rg_error *err = rg_gitlab_get(l->api, &url, what, &body);
	if (!err)
		err = rg_error_wrap(rg_gitlab_read_merge_request(&l->request, &l->out->arena,
								 body.data, body.length),
				    "%s", what);
	rg_buf_release(&body);
	free(url);
	return err;
}

static rg_error *read_pages(listing *l, char *url, const char *what)
{
	rg_error *err = NULL;
	rg_buf body;

	rg_buf_init(&body, RG_GITLAB_PAGE_MAX);
	for (int pages = 0; !err && url && !l->over && l->taken < l->query->last; pages++) {
		if (pages == PAGES_MAX)
			err = rg_error_new(RG_E_LIMIT, "%s: more than %d pages", what, PAGES_MAX);
		rg_buf_clear(&body);
		l->seen = 0;
		if (!err)
			err = rg_cancel_check();
		if (!err)
			err = rg_gitlab_get(l->api, &url, what, &body);
		if (!err)
			err = rg_error_wrap(rg_gitlab_read_list("pipelines", body.data, body.length,
								&l->out->arena, add_run, l),
					    "%s", what);
		if (!err && !l->seen)
			break;
	}
	rg_buf_release(&body);
	free(url);
	return err;
}

static rg_error *list_runs(listing *l)
{
	char *url;
	if (l->query->since)
		RG_TRY(rg_since_parse(l->query->since, &l->since));
	if (l->query->pull)
		RG_TRY(read_merge_request(l));
	RG_TRY(list_url(l, &url));
	char *what = rg_textf("pipelines of %s", l->api->repository.path);
	rg_error *err = NULL;
	if (err) {
		free(url);
		return err;
	}
	err = read_pages(l, url, what);
	free(what);
	return err;
}

rg_error *rg_gitlab_list_runs(rg_run_list *out, const rg_gitlab_api *api, const rg_run_query *query)
{
	listing l = {.out = out, .api = api, .query = query, .since = RG_TIME_NONE};
	*out = (rg_run_list){0};
	rg_arena_init(&out->arena);
	rg_error *err = list_runs(&l);
	if (err)
		rg_run_list_release(out);
	return err;
}
