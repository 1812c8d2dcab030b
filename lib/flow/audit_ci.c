/* SPDX-License-Identifier: Apache-2.0 */
#include "base/order.h"
#include "flow/audit_runs.h"

#include "base/memory.h"
#include "base/file.h"
#include "flow/audit_store.h"
#include "flow/choose_run.h"
#include "flow/download.h"
#include "flow/open_history.h"
#include "source/settings.h"
#include "store/history_merge.h"
#include "store/scratch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LAST_DEFAULT = 30 };

/* A run that is audited. */
typedef struct {
	uint64_t id;
	unsigned attempt; /* that there is; 0: not known */
	bool earlier;     /* the history has something of it */
	bool whole;       /* and that is all of its newest attempt */
} wanted_run;

typedef struct {
	const rg_flow *flow;
	const rg_audit_runs_options *options;
	rg_audit_store store;
	rg_history_store *local; /* where runs wait that a server could not take; or NULL */
	rg_repository repository;
	rg_limiter *limiter; /* of the list of runs and of all downloads */
	wanted_run *runs;
	size_t count, capacity;
	char *scratch;          /* NULL until something is fetched */
	rg_history_run *stored; /* in `arena` */
	size_t stored_count;
	char settings[RG_LAYOUT_KEY_SIZE];
	rg_arena arena;
} collect_state;

/* ---- which runs ---- */

static void append_run(collect_state *c, uint64_t id, unsigned attempt)
{
	*RG_PUSH(c->runs, c->count, c->capacity) = (wanted_run){.id = id, .attempt = attempt};
}

/* By id, the newest attempt first. */
RG_ORDER(compare_ids, wanted_run, RG_RISING(id) || RG_FALLING(attempt));

static rg_error *append_named(collect_state *c, const char *text)
{
	RG_AUTO(rg_run_name) name = {0};

	RG_TRY(rg_error_wrap(rg_run_name_parse_whole(&name, text), "--runs"));
	if (!c->repository.host)
		RG_TRY(rg_settings_repository(&c->repository, c->options->repository, RG_SOURCE_ANY,
					      &name, c->flow->config, c->flow->worktree));
	else if (name.has_repository && !rg_repository_equal(&name.repository, &c->repository))
		return rg_error_new(RG_E_USAGE, "--runs: '%s' is another repository's", text);
	else
		c->repository.named |= name.has_repository;
	append_run(c, name.id, name.attempt);
	return NULL;
}

/* Takes --runs ID,ID,…, which may be there several times. */
static rg_error *named_runs(collect_state *c)
{
	const rg_texts *texts = &c->options->runs;
	for (size_t i = 0; i < texts->count; i++) {
		const char *p = texts->items[i];
		while (p) {
			const char *comma = strchr(p, ',');
			RG_AUTO_FREE char *one =
				rg_strndup(p, comma ? (size_t)(comma - p) : strlen(p));
			RG_TRY(append_named(c, one));
			p = comma ? comma + 1 : NULL;
		}
	}
	/* A run that is named twice counts once. */
	size_t kept = 0;
	if (c->count)
		qsort(c->runs, c->count, sizeof(*c->runs), compare_ids);
	for (size_t i = 0; i < c->count; i++)
		if (!kept || c->runs[kept - 1].id != c->runs[i].id)
			c->runs[kept++] = c->runs[i];
	c->count = kept;
	return NULL;
}

static rg_error *listed_runs(collect_state *c)
{
	const rg_source_kind kind = c->options->workflow ? RG_SOURCE_GITHUB : RG_SOURCE_GITLAB;
	const rg_source_options options = {.source = rg_source_kind_text(kind),
					   .repository_name = c->options->repository,
					   .no_cache = true,
					   .max_wait = c->options->max_wait,
					   .limiter = c->limiter};
	RG_AUTO(rg_open_source) open = {0};

	RG_TRY(rg_flow_open_source(&open, c->flow, &options));
	rg_repository_copy(&c->repository, &open.repository);
	const rg_audit_runs_options *given = c->options;
	const rg_run_query query = {
		.workflow = given->workflow ? rg_path_name(given->workflow) : NULL,
		.last = given->last.given ? (size_t)given->last.value : LAST_DEFAULT,
		.branch = given->workflow ? given->branch : given->pipelines,
		.event = given->workflow ? given->event : given->source,
		.since = given->since,
		.own = given->workflow && given->branch};
	RG_AUTO(rg_run_list) list = {0};

	if (query.workflow && !*query.workflow)
		return rg_error_new(RG_E_USAGE, "--workflow: '%s' names no file", given->workflow);
	rg_flow_waits_for(c->flow, "the list of runs");
	rg_error *err = open.source->list(open.source, &query, &list);
	if (err && rg_error_get_code(err) == RG_E_USAGE)
		return rg_error_wrap(err, "--since");
	RG_TRY(err);
	rg_flow_say_forks(c->flow, &list);
	if (!list.count && query.workflow)
		return rg_error_new(RG_E_NOTFOUND, "workflow '%s': no completed run fits",
				    query.workflow);
	if (!list.count)
		return rg_error_new(RG_E_NOTFOUND, "pipelines of '%s': none that has finished fits",
				    query.branch);
	for (size_t i = 0; i < list.count; i++)
		append_run(c, list.items[i].id, list.items[i].attempt);
	return NULL;
}

/* ---- what is new is fetched ---- */

/* One run that is gone must not stop the others. */
static rg_error *forgive(collect_state *c, bool earlier, rg_error *err)
{
	rg_error_code code = rg_error_get_code(err);
	if (code != RG_E_NOTFOUND && code != RG_E_GONE && code != RG_E_PARSE &&
	    code != RG_E_USAGE && code != RG_E_CONFLICT)
		return err;
	rg_log_say(&c->flow->log, RG_LOG_MISSING, "%s; %s", rg_error_message(err),
		   earlier ? "what the history has of it counts" : "left out");
	rg_error_free(err);
	c->store.missing = true;
	return NULL;
}

/* A run that a server cannot take now is not lost: the local history has it until it can. */
static rg_error *store_run(collect_state *c, const rg_manifest *manifest, const char *folder)
{
	rg_audit_store local = c->store;
	rg_error *err = rg_audit_store_run(&c->store, manifest, folder);

	if (err && rg_error_get_code(err) == RG_E_MISMATCH) {
		rg_error_free(err); /* drop_incomplete names it */
		return NULL;
	}
	if (!err || !c->local || rg_error_get_code(err) != RG_E_NET)
		return err;
	rg_log_say(&c->flow->log, RG_LOG_MISSING,
		   "run %llu: %s (kept in the local history, until the next audit or 'regild "
		   "history push' sends it)",
		   (unsigned long long)manifest->run_id, rg_error_message(err));
	rg_error_free(err);
	c->store.missing = true;
	local.history = c->local;
	return rg_audit_store_run(&local, manifest, folder);
}

/* Fetches a run into the history; `number`: which of all it is. */
static rg_error *fetch_run(collect_state *c, const wanted_run *run, size_t number)
{
	char id[32];
	rg_download_options options = {.source = {.run = id,
						  .repository = &c->repository,
						  .max_wait = c->options->max_wait,
						  .limiter = c->limiter},
				       .all = true,
				       .if_unfinished = "audit it once it has"};

	if (run->whole)
		return NULL;
	rg_log_say(&c->flow->log, RG_LOG_INFO, "fetching run %llu (%zu of %zu)",
		   (unsigned long long)run->id, number, c->count);
	snprintf(id, sizeof(id), "%llu", (unsigned long long)run->id);
	if (!c->scratch)
		RG_TRY(rg_scratch_make_default(&c->scratch));
	RG_AUTO_FREE char *folder = rg_path_join(c->scratch, id);
	RG_AUTO(rg_download_result) fetched = {0};
	rg_download_result_init(&fetched);
	options.folder = folder;
	rg_error *err = rg_download(&fetched, c->flow, &options);
	c->store.missing |= fetched.missing;
	err = err ? forgive(c, run->earlier, err) : store_run(c, &fetched.manifest, folder);
	return rg_error_first(err, rg_remove_tree(folder));
}

RG_ORDER_OF_POINTERS(compare_wanted, wanted_run, RG_RISING(id));

/* Lists the wanted runs that the history has, and marks them. */
static rg_error *find_stored(collect_state *c)
{
	RG_AUTO_FREE wanted_run **by_id = rg_calloc(c->count + 1, sizeof(*by_id));
	size_t kept = 0;
	for (size_t i = 0; i < c->count; i++)
		by_id[i] = &c->runs[i];
	qsort(by_id, c->count, sizeof(*by_id), compare_wanted);
	/* An earlier list goes. */
	rg_arena_release(&c->arena);
	RG_TRY(rg_audit_store_list(&c->store, &c->arena, &c->stored, &c->stored_count));
	for (size_t i = 0; i < c->stored_count; i++) {
		const rg_history_run stored = c->stored[i];
		wanted_run key = {.id = stored.id}, *wanted = &key;
		wanted_run **found =
			bsearch(&wanted, by_id, c->count, sizeof(*by_id), compare_wanted);

		if (!found)
			continue;
		(*found)->earlier = true;
		(*found)->whole = stored.complete && stored.attempt >= (*found)->attempt;
		c->stored[kept++] = stored;
	}
	c->stored_count = kept;
	return NULL;
}

/* Sends what the local history has of this repository to the server that all share. */
static rg_error *send_waiting(collect_state *c)
{
	const rg_history_merge_options options = {.into = c->store.history,
						  .from = c->local,
						  .repository = c->store.repository,
						  .bytes_max = c->store.golden_max,
						  .by_figures = true,
						  .log = &c->flow->log};
	rg_history_merged sent;

	RG_TRY(rg_history_merge(&sent, &options));
	if (sent.added + sent.replaced)
		rg_log_say(&c->flow->log, RG_LOG_INFO,
			   "sent %zu run%s that waited in the local history",
			   sent.added + sent.replaced, rg_plural(sent.added + sent.replaced));
	return find_stored(c);
}

/* Which runs, and what the history has of them. Another .regild of the same repository may have
 * stored other files of these runs. */
static rg_error *choose_runs(collect_state *c)
{
	rg_http_options timing = rg_http_options_default();
	rg_settings_timing(&timing);
	c->limiter = rg_limiter_new(timing.limit_base);
	RG_TRY(c->options->runs.count ? named_runs(c) : listed_runs(c));
	RG_TRY(rg_settings_layout_key(c->settings, c->flow->config));
	c->store.settings = c->settings;
	c->store.repository = rg_textf("%s/%s", c->repository.host, c->repository.path);
	RG_TRY(rg_flow_open_history(&c->store.history, c->flow));
	const char *address = rg_flow_history_address(c->flow);
	if (address && rg_history_is_remote(address))
		RG_TRY(rg_flow_open_history_at(&c->local, c->flow, NULL));
	return find_stored(c);
}

/* Opens what is here of runs; of one that is not whole nothing is measured. */
static rg_error *open_stored(collect_state *c, rg_audit_runs *out)
{
	rg_history_store *history = c->store.history;
	const size_t count = c->stored_count;

	if (!count)
		return rg_error_new(RG_E_NOTFOUND, "none of the runs has goldens");
	RG_TRY(rg_history_keep_whole(history, &c->flow->log, c->stored, &c->stored_count));
	c->store.missing |= c->stored_count < count;
	if (!c->stored_count)
		return rg_error_new(RG_E_NOTFOUND, "none of the runs is whole");
	c->store.history = NULL;
	RG_TRY(rg_stored_runs_open(&out->stored, history, c->stored, c->stored_count));
	out->source = rg_stored_runs_source(out->stored, out->golden_max);
	out->missing = c->store.missing;
	return NULL;
}

static void collect_state_release(collect_state *c)
{
	free(c->runs);
	free(c->store.repository);
	free(c->scratch);
	rg_history_close(c->store.history);
	rg_history_close(c->local);
	rg_limiter_free(c->limiter);
	rg_repository_release(&c->repository);
	rg_arena_release(&c->arena);
}

rg_error *rg_audit_ci_open(rg_audit_runs *out, const rg_flow *flow,
			   const rg_audit_runs_options *options)
{
	RG_AUTO(collect_state) c = {.flow = flow, .options = options, .store = {.log = &flow->log}};
	c.store.options = &out->formats.options;
	c.store.golden_max = out->golden_max;
	rg_error *err = choose_runs(&c);
	if (!err && c.local)
		err = send_waiting(&c);
	for (size_t i = 0; !err && i < c.count; i++)
		err = fetch_run(&c, &c.runs[i], i + 1);
	if (!err)
		err = find_stored(&c);
	if (!err)
		err = open_stored(&c, out);
	return c.scratch ? rg_error_first(err, rg_remove_tree(c.scratch)) : err;
}

rg_error *rg_audit_runs_list(rg_audit_run_list *out, const rg_flow *flow,
			     const rg_audit_runs_options *options)
{
	RG_AUTO(collect_state) c = {.flow = flow, .options = options, .store = {.log = &flow->log}};

	*out = (rg_audit_run_list){0};
	RG_TRY(choose_runs(&c));
	out->items = rg_calloc(c.count + 1, sizeof(*out->items));
	for (size_t i = 0; i < c.count; i++) {
		out->items[out->count++] = (rg_audit_listed_run){c.runs[i].id, c.runs[i].whole};
		out->stored += c.runs[i].whole ? 1 : 0;
	}
	return NULL;
}

void rg_audit_run_list_release(rg_audit_run_list *list)
{
	free(list->items);
}
