#include "audit.h"
#include "audit_store.h"

#include "audit/history_store.h"
#include "base/file.h"
#include "commands.h"
#include "download.h"
#include "source/runs.h"
#include "source/settings.h"
#include "source/token.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LAST_DEFAULT = 30 };

/* A run that is audited, and where its history is kept. */
typedef struct {
	uint64_t id;
	unsigned attempt; /* that there is; 0: not known */
	char *path;       /* NULL: it could not be had */
	const char *when; /* of the stored run */
} wanted_run;

typedef struct {
	environment *env;
	const audit_source_arguments *arguments;
	audit_store store;
	rg_repository repository;
	rg_limiter *limiter; /* of the list of runs and of all downloads */
	wanted_run *runs;
	size_t count, capacity;
	rg_arena arena;
} collector;

/* ---- which runs ---- */

static rg_error *add_run(collector *c, uint64_t id, unsigned attempt)
{
	RG_TRY(rg_grow(&c->runs, &c->capacity, c->count + 1, sizeof(*c->runs)));
	c->runs[c->count++] = (wanted_run){.id = id, .attempt = attempt};
	return NULL;
}

/* By id, the newest attempt first. */
static int compare_ids(const void *a, const void *b)
{
	const wanted_run *x = a, *y = b;

	if (x->id != y->id)
		return x->id > y->id ? 1 : -1;
	return (x->attempt < y->attempt) - (x->attempt > y->attempt);
}

static void drop_twins(collector *c)
{
	size_t i, kept = 0;

	qsort(c->runs, c->count, sizeof(*c->runs), compare_ids);
	for (i = 0; i < c->count; i++)
		if (!kept || c->runs[kept - 1].id != c->runs[i].id)
			c->runs[kept++] = c->runs[i];
	c->count = kept;
}

static rg_error *add_named(collector *c, const char *text)
{
	rg_run_name name;
	rg_error *err;

	RG_TRY(rg_error_wrap(rg_run_name_parse(&name, text), "--runs"));
	if (!c->repository.host) {
		err = rg_settings_repository(&c->repository, c->env->common->repository, &name,
					     c->env->config, c->env->worktree);
	} else if (name.has_repository && !rg_repository_equal(&name.repository, &c->repository)) {
		err = usage_error("--runs: '%s' is another repository's", text);
	} else {
		err = NULL;
	}
	if (!err)
		err = add_run(c, name.id, name.attempt);
	rg_run_name_release(&name);
	return err;
}

/* --runs ID,ID,… and again. */
static rg_error *named_runs(collector *c)
{
	const option_texts *texts = &c->arguments->runs;
	size_t i;

	for (i = 0; i < texts->count; i++) {
		const char *p = texts->items[i];

		while (p) {
			const char *comma = strchr(p, ',');
			rg_error *err;
			char *one;

			RG_TRY(rg_strndup(&one, p, comma ? (size_t)(comma - p) : strlen(p)));
			err = add_named(c, one);
			free(one);
			RG_TRY(err);
			p = comma ? comma + 1 : NULL;
		}
	}
	drop_twins(c);
	return NULL;
}

static rg_error *list_runs(collector *c, rg_http *http)
{
	const rg_run_query query = {
		.workflow = rg_path_name(c->arguments->workflow),
		.last = c->arguments->last.given ? (size_t)c->arguments->last.value : LAST_DEFAULT,
		.branch = c->arguments->branch,
		.event = c->arguments->event,
		.since = c->arguments->since};
	rg_run_list list;
	rg_error *err;
	size_t i;

	if (!*query.workflow)
		return usage_error("--workflow: '%s' names no file", c->arguments->workflow);
	err = rg_runs_list(&list, http, &c->repository, &query);
	if (err && rg_error_get_code(err) == RG_E_USAGE)
		return rg_error_wrap(err, "--since");
	RG_TRY(err);
	err = list.count ? NULL
			 : rg_error_new(RG_E_NOTFOUND, "workflow '%s': no completed run fits",
					query.workflow);
	for (i = 0; !err && i < list.count; i++)
		err = add_run(c, list.items[i].id, list.items[i].attempt);
	rg_run_list_release(&list);
	return err;
}

static rg_error *workflow_runs(collector *c)
{
	static const rg_run_name no_run;
	rg_http_options options;
	char *token = NULL, *api = NULL;
	rg_http *http = NULL;
	rg_error *err;

	RG_TRY(rg_settings_repository(&c->repository, c->env->common->repository, &no_run,
				      c->env->config, c->env->worktree));
	download_http_options(&options, c->env, c->limiter, &c->arguments->max_wait);
	err = rg_settings_api_url(&api, &c->repository);
	if (!err)
		err = rg_token_find(&token, c->repository.host);
	options.api_url = api;
	options.token = token;
	if (!err)
		err = rg_http_new(&http, &options);
	if (!err)
		err = list_runs(c, http);
	rg_http_free(http);
	rg_token_free(token);
	free(api);
	return err;
}

/* ---- what is new is fetched ---- */

/* *stored says whether the history has something of it now. */
static rg_error *fetch_run(collector *c, const wanted_run *run, bool *stored)
{
	environment env = *c->env; /* its exit code is the download's */
	download_arguments download = {.all = true,
				       .max_wait = c->arguments->max_wait,
				       .if_unfinished = "audit it once it has",
				       .without_totals = true,
				       .limiter = c->limiter};
	char id[32], *url, *folder = NULL, *staged = NULL;
	rg_manifest manifest;
	rg_error *err;

	snprintf(id, sizeof(id), "%llu", (unsigned long long)run->id);
	/* Its URL, because --runs may have named another repository than the configuration does. */
	RG_TRY(rg_textf(&url, "https://%s/%s/%s/actions/runs/%s", c->repository.host,
			c->repository.owner, c->repository.name, id));
	download.run = url;
	rg_manifest_init(&manifest);
	err = c->store.scratch ? NULL : rg_history_scratch_open(&c->store.scratch, c->store.folder);
	if (!err)
		err = rg_textf(&folder, "%s/%s", rg_history_scratch_path(c->store.scratch), id);
	if (!err)
		err = download_run(&env, &download, folder, &manifest, &staged);
	c->store.missing |= env.exit_code == EXIT_PARTIAL;
	if (!err)
		err = audit_store_run(&c->store, &manifest, folder, run->path, stored);
	if (folder)
		err = rg_error_first(err, rg_remove_tree(folder));
	rg_manifest_release(&manifest);
	free(staged);
	free(folder);
	free(url);
	return err;
}

/* One run that is gone must not stop the others. */
static rg_error *forgive(collector *c, bool earlier, rg_error *err)
{
	rg_error_code code = err ? rg_error_get_code(err) : 0;

	if (!err || (code != RG_E_NOTFOUND && code != RG_E_GONE && code != RG_E_PARSE &&
		     code != RG_E_USAGE && code != RG_E_CONFLICT))
		return err;
	rg_log_say(&c->env->log, RG_LOG_MISSING, "%s; %s", rg_error_message(err),
		   earlier ? "what the history has of it counts" : "left out");
	rg_error_free(err);
	c->store.missing = true;
	return NULL;
}

/* What the history has of a run: *found, and whether that is all of its newest attempt. A damaged
 * file is none; another regild's, and one that cannot be read, may hold what has expired since, and
 * is an error. */
static rg_error *look_up(collector *c, wanted_run *run, rg_history_run *stored, bool *found,
			 bool *whole)
{
	rg_error *err;

	RG_TRY(rg_textf(&run->path, "%s/%llu.run", c->store.folder, (unsigned long long)run->id));
	err = rg_history_peek(run->path, &c->arena, stored, found);
	if (rg_history_is_damaged(err)) {
		rg_log_say(&c->env->log, RG_LOG_WARNING, "%s; it is fetched anew",
			   rg_error_message(err));
		rg_error_free(err);
		err = NULL;
		*found = false;
	}
	*found = *found && stored->id == run->id;
	*whole = *found && stored->complete && stored->attempt >= run->attempt;
	return err;
}

/* One file that cannot be used must not stop the others. */
static rg_error *leave_out(collector *c, wanted_run *run, rg_error *err)
{
	if (rg_error_get_code(err) == RG_E_NOMEM)
		return err;
	rg_log_say(&c->env->log, RG_LOG_MISSING, "%s; left out", rg_error_message(err));
	rg_error_free(err);
	free(run->path);
	run->path = NULL;
	c->store.missing = true;
	return NULL;
}

static rg_error *have_run(collector *c, wanted_run *run, size_t number)
{
	rg_history_run stored = {0};
	bool found = false, whole = false, earlier;
	rg_error *err = look_up(c, run, &stored, &found, &whole);

	if (err)
		return leave_out(c, run, err);
	earlier = found;
	if (!whole) {
		rg_log_say(&c->env->log, RG_LOG_INFO, "fetching run %llu (%zu of %zu)",
			   (unsigned long long)run->id, number, c->count);
		RG_TRY(forgive(c, earlier, fetch_run(c, run, &found)));
		if (found)
			RG_TRY(rg_history_peek(run->path, &c->arena, &stored, &found));
	}
	if (!found) {
		free(run->path);
		run->path = NULL;
	}
	run->when = stored.when;
	return NULL;
}

/* --dry-run */
static rg_error *show_runs(collector *c)
{
	size_t i, stored_count = 0;

	for (i = 0; i < c->count; i++) {
		rg_history_run stored = {0};
		bool found = false, whole = false;
		rg_error *err = look_up(c, &c->runs[i], &stored, &found, &whole);
		bool left_out = err != NULL;

		if (err)
			RG_TRY(leave_out(c, &c->runs[i], err));
		printf("%llu  %s\n", (unsigned long long)c->runs[i].id,
		       left_out ? "left out"
		       : whole  ? "in the history"
				: "to be fetched");
		stored_count += whole ? 1 : 0;
	}
	if (c->store.missing)
		c->env->exit_code = EXIT_PARTIAL;
	rg_log_say(&c->env->log, RG_LOG_INFO, "%zu run%s, %zu of them in the history", c->count,
		   c->count == 1 ? "" : "s", stored_count);
	return NULL;
}

static int compare_runs(const void *a, const void *b)
{
	const wanted_run *x = a, *y = b;
	int order = strcmp(x->when ? x->when : "", y->when ? y->when : "");

	return order ? order : (x->id > y->id) - (x->id < y->id);
}

static void free_history(void *owner)
{
	rg_history_runs_free(owner);
}

static rg_error *open_stored(collector *c, audit_runs *out)
{
	const char **paths = calloc(c->count + 1, sizeof(*paths));
	rg_history_runs *runs = NULL;
	size_t count = 0, i;
	rg_error *err;

	if (!paths)
		return rg_error_nomem();
	qsort(c->runs, c->count, sizeof(*c->runs), compare_runs);
	for (i = 0; i < c->count; i++)
		if (c->runs[i].path)
			paths[count++] = c->runs[i].path;
	err = count ? rg_history_runs_open(&runs, paths, count)
		    : rg_error_new(RG_E_NOTFOUND, "none of the runs has goldens");
	free(paths);
	if (err)
		return err;
	out->source = rg_history_runs_source(runs, out->golden_max);
	out->owner = runs;
	out->free = free_history;
	out->missing = c->store.missing;
	return NULL;
}

static rg_error *collect(collector *c, audit_runs *out)
{
	rg_http_options timing = rg_http_options_default();
	char *store = NULL;
	rg_error *err;
	size_t i;

	rg_settings_timing(&timing);
	RG_TRY(rg_limiter_new(&c->limiter, timing.limit_base));
	err = c->arguments->workflow ? workflow_runs(c) : named_runs(c);
	RG_TRY(err);
	RG_TRY(rg_history_folder(&store));
	err = rg_textf(&c->store.folder, "%s/%s/%s/%s", store, c->repository.host,
		       c->repository.owner, c->repository.name);
	free(store);
	if (!err && c->arguments->dry_run)
		return show_runs(c);
	if (!err)
		err = rg_history_sweep(c->store.folder);
	for (i = 0; !err && i < c->count; i++)
		err = have_run(c, &c->runs[i], i + 1);
	return err ? err : open_stored(c, out);
}

rg_error *audit_open_github(audit_runs *out, environment *env,
			    const audit_source_arguments *arguments)
{
	collector c = {.env = env,
		       .arguments = arguments,
		       .store = {.env = env,
				 .options = &out->formats.options,
				 .golden_max = out->golden_max}};
	rg_error *err;
	size_t i;

	rg_arena_init(&c.arena);
	err = collect(&c, out);
	err = rg_error_first(err, rg_history_scratch_close(c.store.scratch));
	for (i = 0; i < c.count; i++)
		free(c.runs[i].path);
	free(c.runs);
	free(c.store.folder);
	rg_limiter_free(c.limiter);
	rg_repository_release(&c.repository);
	rg_arena_release(&c.arena);
	return err;
}
