/* SPDX-License-Identifier: Apache-2.0 */
#include "source/url_source.h"

#include "base/memory.h"
#include "source/plain_url.h"
#include "source/remote_artifact.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
	rg_source source;
	rg_url_source_options options;
	unsigned fields;
	rg_url_values values; /* of the run that is loaded */
	rg_source *zips;      /* without {job_id}; else NULL */
	char *filled;
	const char *path[1];
} url_source;

static rg_error *list(rg_source *source, const rg_run_query *query, rg_run_list *out)
{
	rg_source *run = ((url_source *)source)->options.run;
	return run->list(run, query, out);
}

static rg_error *read_log(rg_source *source, const rg_job *job, const rg_take_request *request,
			  rg_zip_sink *sink, void *context)
{
	rg_source *run = ((url_source *)source)->options.run;
	return run->read_log(run, job, request, sink, context);
}

static bool is_test(const url_source *u, const rg_job *job)
{
	const rg_rule *jobs = rg_rules_jobs(&u->options.zips.settings->rules);
	rg_name_fields fields;

	return !job->unread && job->conclusion && strlen(job->name) <= 1024 &&
	       (!jobs || rg_name_match(jobs->job, job->name, NULL, &fields));
}

/* Adds a zip for each job of a test. */
static void append_zips(const url_source *u, rg_run *run)
{
	for (size_t i = 0; i < run->job_count; i++) {
		const rg_job *job = &run->jobs[i];
		if (!is_test(u, job))
			continue;
		*RG_PUSH(run->artifacts, run->artifact_count, run->artifact_capacity) =
			(rg_artifact){
				.id = job->id,
				.name = job->name,
				.job_id = job->id,
				.created = RG_TIME_NONE,
			};
	}
}

/* Adds what is in the one zip. Whose it is, the run's own jobs tell. */
static rg_error *append_parts(url_source *u, rg_run *run)
{
	rg_arena *arena = &run->artifact_arena;
	RG_AUTO(rg_run) found = {0};

	u->filled = rg_plain_url_fill(u->options.url, &u->values);
	u->path[0] = u->filled;
	u->options.zips.paths = u->path;
	u->options.zips.path_count = 1;
	u->options.zips.jobs_known = true;
	u->zips = rg_local_new(&u->options.zips);
	RG_TRY(u->zips->load(u->zips, 0, 0, &found));
	for (size_t i = 0; i < found.artifact_count; i++) {
		rg_artifact *made =
			RG_PUSH(run->artifacts, run->artifact_count, run->artifact_capacity);
		*made = found.artifacts[i];
		made->job_id = 0;
		made->name = rg_arena_text(arena, made->name);
		made->fault = rg_text_copy(arena, made->fault);
		made->test = rg_text_copy(arena, made->test);
	}
	return NULL;
}

static rg_error *load(rg_source *source, uint64_t id, unsigned attempt, rg_run *out)
{
	url_source *u = (url_source *)source;
	RG_TRY(u->options.run->load(u->options.run, id, attempt, out));
	u->values = (rg_url_values){.run = out->id, .attempt = out->attempt};
	out->artifact_count = 0;
	RG_AUTO_FREE char *shown = rg_plain_url_shown(u->options.url);
	*RG_PUSH(out->paths, out->path_count, out->path_capacity) =
		rg_arena_text(&out->arena, shown);
	if (!(u->fields & RG_URL_JOB))
		return append_parts(u, out);
	append_zips(u, out);
	return NULL;
}

/* The zip of a job. */
typedef struct {
	const url_source *u;
	rg_url_values values;
} job_zip;

static rg_error *locate(void *context, char **url)
{
	const job_zip *zip = context;
	RG_AUTO_FREE char *filled = rg_plain_url_fill(zip->u->options.url, &zip->values);
	return rg_plain_url_locate(url, zip->u->options.zips.http, filled);
}

static rg_error *take(rg_source *source, const rg_artifact *artifact,
		      const rg_take_request *request, rg_selection *selection, const char **check)
{
	const url_source *u = (url_source *)source;
	job_zip zip = {u, u->values};
	const rg_remote_artifact from = {.http = u->options.zips.http,
					 .artifact = artifact,
					 .locate = locate,
					 .context = &zip};

	zip.values.job_id = artifact->job_id;
	*check = NULL;
	return u->zips ? u->zips->take(u->zips, artifact, request, selection, check)
		       : rg_remote_artifact_take(&from, request, selection, check);
}

static void free_source(rg_source *source)
{
	url_source *u = (url_source *)source;
	if (u->zips)
		u->zips->free(u->zips);
	u->options.run->free(u->options.run);
	free(u->filled);
	free(u);
}

rg_error *rg_url_source_new(rg_source **out, const rg_url_source_options *options)
{
	RG_AUTO_FREE url_source *u = rg_calloc(1, sizeof(*u));
	*out = NULL;

	rg_error *err = rg_plain_url_check(options->url, &u->fields);
	if (err) {
		options->run->free(options->run);
		return err;
	}
	u->options = *options;
	u->source = (rg_source){
		.list = options->run->list ? list : NULL,
		.load = load,
		.take = take,
		.read_log = options->run->read_log ? read_log : NULL,
		.free = free_source,
	};
	*out = &RG_TAKE(u)->source;
	return NULL;
}
