/* SPDX-License-Identifier: Apache-2.0 */
#include "source/gitlab.h"

#include "base/cancel.h"
#include "base/fields.h"
#include "base/json.h"
#include "base/memory.h"
#include "net/url.h"
#include "source/api_json.h"
#include "source/gitlab_api.h"
#include "source/gitlab_json.h"
#include "source/gitlab_load.h"
#include "source/remote_artifact.h"
#include "source/source.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Past these the zip's directory, which says the same in one request, is the better list; and a
 * range of the zip the better way to many files, or to one that does not fit into memory easily. */
enum { TREE_PAGES_MAX = 5, FILES_MAX = 24 };
#define FILE_SIZE_MAX ((uint64_t)64 << 20)

typedef struct {
	const rg_gitlab_api *api;
	const rg_artifact *artifact;
	const rg_take_request *request;
	rg_listed *items;
	size_t count, capacity;
	rg_arena arena;
	bool begun;
} files;

/* ---- the list ---- */

static rg_error *add_file(void *context, const rg_json_in *in, const cJSON *object)
{
	static const char *const types[] = {"file", "directory"};
	files *f = context;
	size_t type;

	rg_listed *file = RG_PUSH(f->items, f->count, f->capacity);
	*file = (rg_listed){0};
	RG_TRY(rg_json_get_text(in, object, "path", &file->name));
	RG_TRY(rg_json_get_word(in, object, "type", types, 2, &type));
	file->folder = type == 1;
	return file->folder ? NULL
			    : rg_json_get_count(in, object, "size", RG_JSON_EXACT_MAX, &file->size);
}

/* *listed: the instance has such a list; *whole: it is not longer than it may be. */
static rg_error *read_tree(files *f, bool *listed, bool *whole)
{
	rg_error *err;
	rg_buf body;
	int pages;

	*listed = *whole = false;
	char *url = rg_gitlab_url(f->api, f->artifact->project,
				  "/jobs/%llu/artifacts/tree?recursive=true&per_page=100",
				  (unsigned long long)f->artifact->job_id);
	rg_buf_init(&body, RG_GITLAB_PAGE_MAX);
	for (pages = 0, err = NULL; !err && url && pages < TREE_PAGES_MAX; pages++) {
		rg_buf_clear(&body);
		err = rg_cancel_check();
		if (!err)
			err = rg_gitlab_get(f->api, &url, "its list of files", &body);
		if (!err)
			err = rg_error_wrap(rg_gitlab_read_list("tree", body.data, body.length,
								&f->arena, add_file, f),
					    "its list of files");
	}
	*listed = !err;
	*whole = !err && !url;
	free(url);
	rg_buf_release(&body);
	if (!err || rg_error_get_code(err) != RG_E_NOTFOUND || pages > 1)
		return err;
	rg_error_free(err);
	return NULL;
}

/* Few files, none of them large? */
static bool is_little(const files *f)
{
	const rg_take_request *request = f->request;
	size_t count = 0;
	bool wanted;

	bool found = true;
	for (size_t i = 0; found && i < f->count; i++) {
		if (f->items[i].folder)
			continue;
		rg_select_wants(&wanted, f->items[i].name, request->patterns,
				request->pattern_count);
		/* What is over the limit is refused, and not asked for. */
		if (!wanted || f->items[i].size > request->limits.member_size)
			continue;
		found = ++count <= FILES_MAX && f->items[i].size <= FILE_SIZE_MAX;
	}
	return found;
}

/* ---- the files ---- */

/* "…/artifacts/a%20b/c.json" */
static rg_error *file_url(const files *f, const char *path, char **out)
{
	rg_buf text;
	*out = NULL;

	rg_buf_init(&text, RG_BUF_ANY);
	rg_error *err = NULL;
	while (!err && path) {
		const char *slash = strchr(path, '/');
		char *escaped;

		char *part = rg_strndup(path, slash ? (size_t)(slash - path) : strlen(path));
		if (err)
			break;
		err = rg_url_escape(&escaped, part);
		free(part);
		if (err)
			break;
		rg_buf_char(&text, '/');
		rg_buf_str(&text, escaped);
		free(escaped);
		path = slash ? slash + 1 : NULL;
	}
	if (!err)
		*out = rg_gitlab_url(f->api, f->artifact->project, "/jobs/%llu/artifacts%s",
				     (unsigned long long)f->artifact->job_id, text.data);
	rg_buf_release(&text);
	return err;
}

/* The name is safe, and the size is within the limits. */
static rg_error *read_file(void *source, size_t index, rg_zip_sink *sink, void *context)
{
	files *f = source;
	const rg_listed *file = &f->items[index];
	rg_buf body;
	char *url;

	RG_TRY(file_url(f, file->name, &url));
	if (!f->begun)
		f->request->begin(f->request->context);
	f->begun = true;
	/* A byte more than there should be is enough to see that there are more. */
	rg_buf_init(&body, rg_buf_most(file->size) + 1);
	rg_error *err = rg_gitlab_get(f->api, &url, "the file", &body);
	f->request->moved(f->request->context, body.length);
	if (!err && body.length)
		err = sink(context, body.data, body.length);
	rg_buf_release(&body);
	free(url);
	return err;
}

/*
 * A job's artifacts without their zip: the list that `artifacts/tree` gives, and of it each file
 * that is wanted by a request of its own. As rg_source.take; *taken is false, and nothing has come,
 * where the zip is the better way: there is no such list (*listed is false: the instance may be too
 * old for it, or the artifacts are gone), it is long, or what is wanted is many files or large
 * ones.
 */
static rg_error *gitlab_take_files(const rg_gitlab_api *api, const rg_artifact *artifact,
				   const rg_take_request *request, rg_selection *selection,
				   bool *listed, bool *taken)
{
	files f = {.api = api, .artifact = artifact, .request = request};
	*taken = false;
	rg_arena_init(&f.arena);
	rg_error *err = read_tree(&f, listed, taken);
	if (!err && *taken)
		*taken = is_little(&f);
	if (!err && *taken)
		err = rg_select_list(selection, f.items, f.count, read_file, &f, request->patterns,
				     request->pattern_count, &request->limits, request->take,
				     request->context);
	free(f.items);
	rg_arena_release(&f.arena);
	return err;
}

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
	rg_buf_init(&filters, RG_BUF_ANY);
	rg_error *err = rg_url_add_parameter(&filters, "ref", query->branch);
	if (!err)
		err = rg_url_add_parameter(&filters, "source", query->event);
	if (!err)
		err = rg_url_add_parameter(&filters, "sha", query->commit);
	if (!err)
		err = add_since(l, &filters);
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

/* A project's pipelines, but for those that hang off others; `workflow` is not asked for. Errors as
 * rg_run_query has them. */
static rg_error *gitlab_list_runs(rg_run_list *out, const rg_gitlab_api *api,
				  const rg_run_query *query)
{
	listing l = {.out = out, .api = api, .query = query, .since = RG_TIME_NONE};
	*out = (rg_run_list){0};
	rg_arena_init(&out->arena);
	rg_error *err = list_runs(&l);
	if (err)
		rg_run_list_release(out);
	return err;
}

typedef struct {
	rg_source source; /* first: a gitlab is its source */
	rg_gitlab_api api;
	const rg_log *log;
	atomic_bool lists_files; /* the instance has artifacts/tree */
	atomic_bool has_no_list; /* it has answered that there is no such thing */
} gitlab;

static rg_error *load(rg_source *source, uint64_t id, unsigned attempt, rg_run *out)
{
	const gitlab *lab = (const gitlab *)source;
	if (attempt > 1)
		return rg_error_new(RG_E_NOTFOUND,
				    "pipeline %llu: it has no attempt %u; GitLab's pipelines have "
				    "one, with the newest run of each job",
				    (unsigned long long)id, attempt);
	return rg_gitlab_load(&lab->api, id, out);
}

static rg_error *find(rg_source *source, uint64_t job, uint64_t *run)
{
	const gitlab *lab = (const gitlab *)source;
	return rg_gitlab_find_pipeline(&lab->api, job, run);
}

static rg_error *list(rg_source *source, const rg_run_query *query, rg_run_list *out)
{
	const gitlab *lab = (const gitlab *)source;
	return gitlab_list_runs(out, &lab->api, query);
}

/* ---- what a job left ---- */

/* Of which job what is asked for. */
typedef struct {
	const gitlab *lab;
	uint64_t project, job_id;
	const char *what; /* "artifacts", "trace" */
} location;

/* The API's own address. It answers with a redirect to the store, or with the bytes, where the
 * instance has no store: the token, which goes to the API alone, goes with the ranges then. */
static rg_error *locate(void *context, char **url)
{
	const location *l = context;
	*url = rg_gitlab_url(&l->lab->api, l->project, "/jobs/%llu/%s",
			     (unsigned long long)l->job_id, l->what);
	return NULL;
}

/* Whoever listed the job may read it: what is not found was there once. */
static rg_error *refuse(void *context, const rg_http_request *request,
			const rg_http_response *response)
{
	const location *l = context;
	return response->status == 404
		       ? rg_error_new(RG_E_GONE, "or erased; re-run the job to make it again")
		       : rg_gitlab_refusal(&l->lab->api, request, response);
}

static rg_error *take_zip(gitlab *lab, const rg_artifact *artifact, const rg_take_request *request,
			  rg_selection *selection, const char **check)
{
	location where = {lab, artifact->project, artifact->job_id, "artifacts"};
	const rg_remote_artifact from = {.http = lab->api.http,
					 .artifact = artifact,
					 .locate = locate,
					 .refuse = refuse,
					 .context = &where,
					 .says_way = true};

	return rg_remote_artifact_take(&from, request, selection, check);
}

/* A small archive is had with two requests, whatever is in it. */
static bool may_list(const gitlab *lab, const rg_artifact *artifact, const rg_take_request *request)
{
	return !request->whole && !(artifact->size && artifact->size < request->whole_under) &&
	       !lab->has_no_list;
}

static rg_error *take(rg_source *source, const rg_artifact *artifact,
		      const rg_take_request *request, rg_selection *selection, const char **check)
{
	gitlab *lab = (gitlab *)source;
	bool listed = true, taken = false;

	*check = NULL;
	if (may_list(lab, artifact, request))
		RG_TRY(gitlab_take_files(&lab->api, artifact, request, selection, &listed, &taken));
	if (taken) {
		lab->lists_files = true;
		rg_log_say(request->log, RG_LOG_DETAIL, "artifact '%s': its files were listed",
			   artifact->name);
		return NULL;
	}
	RG_TRY(take_zip(lab, artifact, request, selection, check));
	/* It is not that they are gone: the zip is there. */
	if (!listed && !lab->lists_files)
		lab->has_no_list = true;
	return NULL;
}

static rg_error *read_log(rg_source *source, const rg_job *job, const rg_take_request *request,
			  rg_zip_sink *sink, void *context)
{
	const gitlab *lab = (const gitlab *)source;
	location where = {lab, job->project, job->id, "trace"};
	const rg_remote_artifact from = {
		.http = lab->api.http, .locate = locate, .refuse = refuse, .context = &where};

	return rg_remote_log_read(&from, request, sink, context);
}

static void free_gitlab(rg_source *source)
{
	gitlab *lab = (gitlab *)source;
	if (!lab)
		return;
	rg_gitlab_api_release(&lab->api);
	free(lab);
}

rg_error *rg_gitlab_new(rg_source **out, rg_http *http, const rg_repository *repository,
			rg_gitlab_access access, const rg_log *log)
{
	gitlab *lab = rg_calloc(1, sizeof(*lab));
	*out = NULL;
	lab->source = (rg_source){.address = rg_http_api_url(http),
				  .list = list,
				  .load = load,
				  .find = find,
				  .take = take,
				  .read_log = read_log,
				  .free = free_gitlab};
	lab->log = log;
	rg_error *err = rg_gitlab_api_init(&lab->api, http, repository, access);
	if (err)
		free(lab);
	else
		*out = &lab->source;
	return err;
}
