/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/open_source.h"

#include "base/memory.h"
#include "source/github.h"
#include "source/gitlab.h"
#include "source/local.h"
#include "source/token.h"

#include <stdlib.h>

/* As whom the API is asked. */
static rg_error *find_token(const rg_repository *repository, const rg_http_service **service,
			    char **token, rg_gitlab_access *access)
{
	*service = &rg_github_service;
	*access = RG_GITLAB_NOBODY;
	if (repository->kind != RG_SOURCE_GITLAB)
		return rg_token_find(token, repository);
	RG_TRY(rg_gitlab_token_find(token, access, repository));
	*service = *access == RG_GITLAB_JOB ? &rg_gitlab_job_service : &rg_gitlab_service;
	return NULL;
}

static rg_error *open_http(rg_open_source *out, const rg_flow *flow, const rg_source_options *given,
			   rg_gitlab_access *access)
{
	rg_http_options options = rg_http_options_default();
	char *api = NULL, *token = NULL;
	rg_error *err;

	rg_settings_timing(&options);
	options.log = &flow->log;
	options.waiting = flow->progress.waiting;
	options.waiting_context = flow->progress.context;
	options.limiter = given->limiter;
	options.max_wait_name = "--max-wait";
	if (given->max_wait.given)
		options.max_wait = (double)given->max_wait.value;
	err = rg_settings_api_url(&api, &out->repository);
	if (!err)
		err = find_token(&out->repository, &options.service, &token, access);
	options.api_url = api;
	options.token = token;
	if (!err)
		err = rg_http_new(&out->http, &options);
	rg_token_free(token);
	free(api);
	return err;
}

static rg_error *open_cache(rg_open_source *out, const rg_flow *flow, bool no_cache)
{
	rg_error *err;

	if (no_cache || !out->settings.cache_max)
		return NULL;
	err = rg_cache_open(&out->cache, NULL, out->settings.cache_max, &flow->log);
	if (!err || rg_error_get_code(err) == RG_E_NOMEM)
		return err;
	rg_log_say(&flow->log, RG_LOG_DETAIL, "without a cache: %s", rg_error_message(err));
	rg_error_free(err);
	return NULL;
}

/* Which run, and whose. */
static rg_error *name_run(rg_open_source *out, const rg_flow *flow, const rg_source_options *given)
{
	if (given->run)
		RG_TRY(rg_error_wrap(rg_run_name_parse(&out->name, given->run), "--run"));
	if (given->repository)
		return rg_repository_copy(&out->repository, given->repository);
	return rg_settings_repository(&out->repository, given->repository_name,
				      rg_source_kind_parse(given->source), &out->name, flow->config,
				      flow->worktree);
}

/* What is on this machine needs neither network, token nor cache. */
static rg_error *open_local(rg_open_source *out, const rg_flow *flow,
			    const rg_source_options *given)
{
	const char *root = rg_config_get(flow->config, "regild.root");
	const rg_local_options options = {.paths = given->from.items,
					  .path_count = given->from.count,
					  .settings = &out->settings,
					  .root = root ? root : "",
					  .files = rg_config_get(flow->config, "regild.files"),
					  .worktree = flow->worktree,
					  .log = &flow->log};

	return rg_local_new(&out->source, &options);
}

rg_error *rg_flow_open_source(rg_open_source *out, const rg_flow *flow,
			      const rg_source_options *options)
{
	rg_gitlab_access access;

	*out = (rg_open_source){0};
	RG_TRY(rg_settings_load(&out->settings, flow->config));
	if (options->from.count)
		return open_local(out, flow, options);
	RG_TRY(name_run(out, flow, options));
	RG_TRY(open_cache(out, flow, options->no_cache));
	RG_TRY(open_http(out, flow, options, &access));
	if (out->repository.kind == RG_SOURCE_GITLAB)
		return rg_gitlab_new(&out->source, out->http, &out->repository, access, &flow->log);
	return rg_github_new(&out->source, out->http, &out->repository, out->cache, &flow->log);
}

void rg_flow_close_source(rg_open_source *source)
{
	if (source->source)
		source->source->free(source->source);
	rg_http_free(source->http);
	rg_cache_free(source->cache);
	rg_settings_release(&source->settings);
	rg_repository_release(&source->repository);
	rg_run_name_release(&source->name);
}
