/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/open_source.h"

#include "flow/check_rules.h"
#include "source/github.h"
#include "source/gitlab.h"
#include "source/plain_url.h"
#include "source/settings.h"
#include "source/url_source.h"

#include <stdlib.h>

static rg_http_options http_options(const rg_flow *flow)
{
	rg_http_options options = rg_http_options_default();

	rg_settings_timing(&options);
	options.log = &flow->log;
	options.waiting = flow->progress.waiting;
	options.waiting_context = flow->progress.context;
	options.max_wait_name = "--max-wait";
	return options;
}

static rg_error *open_http(rg_open_source *out, const rg_flow *flow, const rg_source_options *given,
			   rg_gitlab_access *access)
{
	rg_http_options options = http_options(flow);
	const bool gitlab = out->repository.kind == RG_SOURCE_GITLAB;
	RG_AUTO_FREE char *api = NULL;
	char *token = NULL;

	options.limiter = given->limiter;
	if (given->max_wait.given)
		options.max_wait = (double)given->max_wait.value;
	RG_TRY(rg_settings_api_url(&api, &out->repository));
	*access = RG_GITLAB_NOBODY;
	rg_error *err = gitlab ? NULL : rg_token_find(&token, &out->repository);
	if (gitlab)
		rg_gitlab_token_find(&token, access, &out->repository);
	options.service = !gitlab                    ? &rg_github_service
			  : *access == RG_GITLAB_JOB ? &rg_gitlab_job_service
						     : &rg_gitlab_service;
	options.api_url = api;
	options.token = token;
	if (!err)
		err = rg_http_new(&out->http, &options);
	rg_token_free(token);
	return err;
}

/* Settles the run and its repository. */
static rg_error *name_run(rg_open_source *out, const rg_flow *flow, const rg_source_options *given)
{
	if (given->run)
		RG_TRY(rg_error_wrap(rg_run_name_parse(&out->name, given->run), "--run"));
	if (given->repository) {
		rg_repository_copy(&out->repository, given->repository);
		return NULL;
	}
	return rg_settings_repository(&out->repository, given->repository_name,
				      rg_source_kind_parse(given->source), &out->name, flow->config,
				      flow->worktree);
}

/* An address is asked without a token, whosever it is. */
static rg_error *open_store(rg_open_source *out, const rg_flow *flow, const rg_texts *from,
			    const char *name)
{
	rg_http_options options = http_options(flow);
	RG_AUTO_FREE char *url = NULL;
	unsigned fields;

	for (size_t i = 0; i < from->count && !url; i++)
		if (rg_is_plain_url(from->items[i])) {
			RG_TRY(rg_error_wrap(rg_plain_url_check(from->items[i], &fields), "%s",
					     name));
			url = rg_plain_url_fill(from->items[i], &(rg_url_values){0});
		}
	if (!url)
		return NULL;
	options.api_url = url;
	return rg_http_new(&out->store, &options);
}

static rg_local_options local_options(const rg_open_source *out, const rg_flow *flow)
{
	const char *root = rg_config_get(flow->config, "regild.root");
	return (rg_local_options){.settings = &out->settings,
				  .root = root ? root : "",
				  .files = rg_config_get(flow->config, "regild.files"),
				  .settings_files = out->beside,
				  .worktree = flow->worktree,
				  .http = out->store,
				  .log = &flow->log};
}

/* The source of a run's artifacts; where a job alone is named, it is asked for its run. */
static rg_error *open_api(rg_open_source *out, const rg_flow *flow,
			  const rg_source_options *options)
{
	rg_gitlab_access access;

	RG_TRY(name_run(out, flow, options));
	/* Without a cache everything is fetched again: no reason to stop. */
	if (!options->no_cache && out->settings.cache_max) {
		RG_AUTO_PTR(rg_error)
		err = rg_cache_open(&out->cache, NULL, out->settings.cache_max, &flow->log);
		if (err)
			rg_log_say(&flow->log, RG_LOG_DETAIL, "without a cache: %s",
				   rg_error_message(err));
	}
	RG_TRY(open_http(out, flow, options, &access));
	if (out->repository.kind == RG_SOURCE_GITLAB)
		RG_TRY(rg_gitlab_new(&out->source, out->http, &out->repository, access,
				     &flow->log));
	else
		out->source = rg_github_new(out->http, &out->repository, out->cache, &flow->log);
	return out->name.job && !out->name.id
		       ? out->source->find(out->source, out->name.job, &out->name.id)
		       : NULL;
}

/* A source of what a run left at an address. The API is asked only for what the address or the
 * scope needs. */
static rg_error *open_url(rg_open_source *out, const rg_flow *flow,
			  const rg_source_options *options, const char *url)
{
	rg_local_options local = local_options(out, flow);
	rg_url_values values = {0};
	unsigned fields;

	RG_TRY(rg_plain_url_check(url, &fields));
	RG_TRY(rg_error_wrap(rg_run_name_parse(&out->name, options->run), "--run"));
	values.run = out->name.id;
	values.attempt = options->attempt ? options->attempt : out->name.attempt;
	if (options->with_jobs || out->name.job || fields & RG_URL_JOB ||
	    (fields & RG_URL_ATTEMPT && !values.attempt)) {
		rg_run_name_release(&out->name);
		RG_TRY(open_api(out, flow, options));
		return rg_url_source_new(&out->source,
					 &(rg_url_source_options){url, out->source, local});
	}
	out->filled = rg_plain_url_fill(url, &values);
	out->path[0] = out->filled;
	local.paths = out->path;
	local.path_count = 1;
	local.run_id = values.run;
	local.attempt = values.attempt;
	out->source = rg_local_new(&local);
	return NULL;
}

rg_error *rg_flow_open_source(rg_open_source *out, const rg_flow *flow,
			      const rg_source_options *options)
{
	/* Only git's own configuration can set it (lib/config/config.c). */
	const char *url = rg_config_get(flow->config, "source.url");
	rg_texts from = options->from;

	*out = (rg_open_source){0};
	if (!from.count && url && *url && options->run)
		from = (rg_texts){&url, 1, 1};
	RG_TRY(rg_settings_load(&out->settings, flow->config));
	if (from.count)
		RG_TRY(rg_checks_files(&out->beside, flow->config));
	RG_TRY(open_store(out, flow, &from, options->from.count ? "--from" : "regild.source.url"));
	if (from.count && options->run)
		return open_url(out, flow, options, from.items[0]);
	if (from.count) {
		rg_local_options local = local_options(out, flow);
		local.paths = from.items;
		local.path_count = from.count;
		out->source = rg_local_new(&local);
		return NULL;
	}
	return open_api(out, flow, options);
}

void rg_open_source_release(rg_open_source *source)
{
	if (source->source)
		source->source->free(source->source);
	rg_http_free(source->http);
	rg_http_free(source->store);
	free(source->filled);
	free(source->beside);
	rg_cache_free(source->cache);
	rg_settings_release(&source->settings);
	rg_repository_release(&source->repository);
	rg_run_name_release(&source->name);
}
