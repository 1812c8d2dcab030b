/* SPDX-License-Identifier: Apache-2.0 */
#include "source/gitlab.h"

#include "base/memory.h"
#include "source/gitlab_files.h"
#include "source/gitlab_load.h"
#include "source/gitlab_runs.h"
#include "source/remote_artifact.h"
#include "source/remote_log.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

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
	return rg_gitlab_list_runs(out, &lab->api, query);
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
		RG_TRY(rg_gitlab_take_files(&lab->api, artifact, request, selection, &listed,
					    &taken));
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
	const rg_remote_log from = {lab->api.http, locate, refuse, &where};

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
