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
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Past these the zip's directory, which says the same in one request, is the better list; and a
 * range of the zip the better way to many files, or to one that does not fit into memory easily. */
enum { TREE_PAGES_MAX = 5, FILES_MAX = 24 };
#define FILE_SIZE_MAX ((uint64_t)64 << 20)

/* A job's files, as artifacts/tree lists them. */
typedef struct {
	const rg_gitlab_api *api;
	const rg_artifact *artifact;
	const rg_take_request *request;
	rg_listed *items;
	size_t count, capacity;
	rg_arena arena;
	bool begun;
} file_list;

static void file_list_release(file_list *f)
{
	free(f->items);
	rg_arena_release(&f->arena);
}

/* ---- the list ---- */

static rg_error *append_file(void *context, const rg_json_in *in, const cJSON *object)
{
	static const char *const types[] = {"file", "directory"};
	file_list *f = context;
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
static rg_error *read_tree(file_list *f, bool *listed, bool *whole)
{
	static const char what[] = "its list of files";
	RG_AUTO_FREE char *url =
		rg_gitlab_url(f->api, f->artifact->project,
			      "/jobs/%llu/artifacts/tree?recursive=true&per_page=100",
			      (unsigned long long)f->artifact->job_id);
	RG_AUTO(rg_buf) body = rg_buf_of(RG_GITLAB_PAGE_MAX);
	RG_AUTO_PTR(rg_error) err = NULL;
	int pages = 0;

	for (; !err && url && pages < TREE_PAGES_MAX; pages++) {
		rg_buf_clear(&body);
		err = rg_cancel_check();
		if (!err)
			err = rg_gitlab_get(f->api, &url, what, &body);
		if (!err)
			err = rg_error_wrap(rg_gitlab_read_list("tree", body.data, body.length,
								&f->arena, append_file, f),
					    "%s", what);
	}
	*listed = !err;
	*whole = !err && !url;
	if (err && (rg_error_get_code(err) != RG_E_NOTFOUND || pages > 1))
		return RG_TAKE(err);
	return NULL;
}

/* Few files, none of them large? */
static bool is_little(const file_list *f)
{
	const rg_take_request *request = f->request;
	size_t count = 0;
	bool wanted;

	for (size_t i = 0; i < f->count; i++) {
		if (f->items[i].folder)
			continue;
		rg_select_wants(&wanted, f->items[i].name, request->patterns,
				request->pattern_count);
		/* A file over the limit is refused, and not asked for. */
		if (!wanted || f->items[i].size > request->limits.member_size)
			continue;
		if (++count > FILES_MAX || f->items[i].size > FILE_SIZE_MAX)
			return false;
	}
	return true;
}

/* ---- the files ---- */

/* "…/artifacts/a%20b/c.json" */
static rg_error *file_url(const file_list *f, const char *path, char **out)
{
	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_ANY);

	for (const char *slash; path; path = slash ? slash + 1 : NULL) {
		slash = strchr(path, '/');
		RG_AUTO_FREE char *part =
			rg_strndup(path, slash ? (size_t)(slash - path) : strlen(path));
		RG_AUTO_FREE char *escaped = NULL;
		RG_TRY(rg_url_escape(&escaped, part));
		rg_buf_printf(&text, "/%s", escaped);
	}
	*out = rg_gitlab_url(f->api, f->artifact->project, "/jobs/%llu/artifacts%s",
			     (unsigned long long)f->artifact->job_id, text.data);
	return NULL;
}

/* The name is safe, and the size is within the limits. */
static rg_error *read_file(void *source, size_t index, rg_zip_sink *sink, void *context)
{
	file_list *f = source;
	const rg_listed *file = &f->items[index];
	/* A byte more than there should be is enough to see that there are more. */
	RG_AUTO(rg_buf) body = rg_buf_of(rg_buf_most(file->size) + 1);
	RG_AUTO_FREE char *url = NULL;

	RG_TRY(file_url(f, file->name, &url));
	if (!f->begun)
		f->request->begin(f->request->context);
	f->begun = true;
	rg_error *err = rg_gitlab_get(f->api, &url, "the file", &body);
	f->request->moved(f->request->context, body.length);
	RG_TRY(err);
	return body.length ? sink(context, body.data, body.length) : NULL;
}

/*
 * A job's artifacts without their zip: the list that `artifacts/tree` gives, and of it each file
 * that is wanted by a request of its own. As rg_source.take; *taken is false, and nothing has come,
 * where the zip is the better way: there is no such list (*listed is false: the instance may be too
 * old for it, or the artifacts are gone), it is long, or what is wanted is many files or large
 * ones.
 */
static rg_error *take_files(const rg_gitlab_api *api, const rg_artifact *artifact,
			    const rg_take_request *request, rg_selection *selection, bool *listed,
			    bool *taken)
{
	RG_AUTO(file_list) f = {.api = api, .artifact = artifact, .request = request};
	*taken = false;
	RG_TRY(read_tree(&f, listed, taken));
	*taken = *taken && is_little(&f);
	if (!*taken)
		return NULL;
	return rg_select_list(selection, f.items, f.count, read_file, &f, request->patterns,
			      request->pattern_count, &request->limits, request->take,
			      request->context);
}

/* Each page has 100 pipelines. */

/* Each page has 100 pipelines. */
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
} list_state;

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

static rg_error *fill(list_state *l, rg_listed_run *run, const rg_json_in *in, const cJSON *item,
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
static bool is_head(const list_state *l, const rg_listed_run *run)
{
	return !strcmp(run->commit, l->request.sha) ||
	       (l->request.pipeline_sha && !strcmp(run->commit, l->request.pipeline_sha));
}

static bool is_asked_for(const list_state *l, const rg_listed_run *run)
{
	const rg_run_query *query = l->query;
	return (query->unfinished || run->conclusion) && (!query->pull || is_head(l, run)) &&
	       (!query->branch || !strcmp(run->branch, query->branch) || query->pull) &&
	       (!query->event || !strcmp(run->event, query->event)) &&
	       (!query->commit || !strcmp(run->commit, query->commit));
}

static rg_error *append_run(void *context, const rg_json_in *in, const cJSON *item)
{
	list_state *l = context;
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

static rg_error *list_url(const list_state *l, char **out)
{
	const rg_run_query *query = l->query;
	RG_AUTO(rg_buf) filters = rg_buf_of(RG_BUF_ANY);
	time_t seconds = (time_t)l->since;
	char written[40];
	struct tm utc;

	if (query->pull) {
		*out = rg_gitlab_url(l->api, 0, "/merge_requests/%llu/pipelines?per_page=100",
				     (unsigned long long)query->pull);
		return NULL;
	}
	RG_TRY(rg_url_add_parameter(&filters, "ref", query->branch));
	RG_TRY(rg_url_add_parameter(&filters, "source", query->event));
	RG_TRY(rg_url_add_parameter(&filters, "sha", query->commit));
	/* A pipeline was updated when it was created, or later: the server need not give out older
	 * ones. */
	if (l->since != RG_TIME_NONE && gmtime_r(&seconds, &utc) &&
	    strftime(written, sizeof(written), "%Y-%m-%dT%H:%M:%SZ", &utc))
		RG_TRY(rg_url_add_parameter(&filters, "updated_after", written));
	*out = rg_gitlab_url(l->api, 0, "/pipelines?order_by=id&sort=desc&per_page=100%s%s",
			     query->unfinished ? "" : "&scope=finished", filters.data);
	return NULL;
}

static rg_error *list_runs(list_state *l)
{
	RG_AUTO_FREE char *what = rg_textf("pipelines of %s", l->api->repository.path);
	RG_AUTO_FREE char *url = NULL;
	RG_AUTO(rg_buf) body = rg_buf_of(RG_GITLAB_PAGE_MAX);

	if (l->query->since)
		RG_TRY(rg_since_parse(l->query->since, &l->since));
	if (l->query->pull)
		RG_TRY(rg_gitlab_get_merge_request(&l->request, &l->out->arena, l->api,
						   l->query->pull));
	RG_TRY(list_url(l, &url));
	for (int pages = 0; url && !l->over && l->taken < l->query->last; pages++) {
		if (pages == PAGES_MAX)
			return rg_error_new(RG_E_LIMIT, "%s: more than %d pages", what, PAGES_MAX);
		rg_buf_clear(&body);
		l->seen = 0;
		RG_TRY(rg_cancel_check());
		RG_TRY(rg_gitlab_get(l->api, &url, what, &body));
		RG_TRY(rg_error_wrap(rg_gitlab_read_list("pipelines", body.data, body.length,
							 &l->out->arena, append_run, l),
				     "%s", what));
		if (!l->seen)
			break;
	}
	return NULL;
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

/* Lists a project's pipelines, but for those that hang off others; `workflow` is not asked for. */
static rg_error *list(rg_source *source, const rg_run_query *query, rg_run_list *out)
{
	const gitlab *lab = (const gitlab *)source;
	list_state l = {.out = out, .api = &lab->api, .query = query, .since = RG_TIME_NONE};
	*out = (rg_run_list){0};
	rg_error *err = list_runs(&l);
	if (err)
		rg_run_list_release(out);
	return err;
}

/* ---- what a job left ---- */

/* Something that a job has left. */
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
	location where = {lab, artifact->project, artifact->job_id, "artifacts"};
	const rg_remote_artifact from = {.http = lab->api.http,
					 .artifact = artifact,
					 .locate = locate,
					 .refuse = refuse,
					 .context = &where,
					 .says_way = true};
	bool listed = true, taken = false;

	*check = NULL;
	if (may_list(lab, artifact, request))
		RG_TRY(take_files(&lab->api, artifact, request, selection, &listed, &taken));
	if (taken) {
		lab->lists_files = true;
		rg_log_say(request->log, RG_LOG_DETAIL, "artifact '%s': its files were listed",
			   artifact->name);
		return NULL;
	}
	RG_TRY(rg_remote_artifact_take(&from, request, selection, check));
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
