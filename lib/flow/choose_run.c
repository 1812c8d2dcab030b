/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/choose_run.h"

#include "base/memory.h"
#include "base/path.h"

#include <string.h>

/* How many runs are looked at for those of several workflows: one page. */
enum { RUNS_LOOKED_AT = 100 };

bool rg_run_choice_is_made(const rg_run_choice *choice)
{
	return choice->pull.given || choice->commit || choice->latest;
}

rg_error *rg_run_choice_check(const rg_run_choice *choice, const char *other)
{
	const char *const named[] = {other, choice->pull.given ? "--pr" : NULL,
				     choice->commit ? "--commit" : NULL,
				     choice->latest ? "--latest" : NULL};
	const char *first = NULL;

	for (size_t i = 0; i < sizeof(named) / sizeof(*named); i++) {
		if (first && named[i])
			return rg_error_new(RG_E_USAGE, "%s and %s exclude each other", first,
					    named[i]);
		first = first ? first : named[i];
	}
	if (choice->branch && !choice->latest)
		return rg_error_new(RG_E_USAGE, "--branch goes with --latest");
	if (choice->workflow && other)
		return rg_error_new(RG_E_USAGE, "--workflow and %s exclude each other", other);
	return NULL;
}

rg_error *rg_flow_workflow(const char **out, const rg_flow *flow, const char *given)
{
	const char *named = given ? given : rg_config_get(flow->config, "regild.workflow");
	*out = named && (given || *named) ? rg_path_name(named) : NULL;
	if (*out && !**out)
		return rg_error_new(RG_E_USAGE, "%s: '%s' names no file",
				    given ? "--workflow" : "regild.workflow", named);
	return NULL;
}

rg_error *rg_flow_commit(char out[41], const rg_flow *flow, const char *revision)
{
	if (strlen(revision) == 40 && strspn(revision, "0123456789abcdefABCDEF") == 40) {
		memcpy(out, revision, 41);
		return NULL;
	}
	*out = '\0';
	if (!flow->worktree)
		return rg_error_new(RG_E_USAGE, "--commit: '%s': %s; or give the whole SHA",
				    revision, rg_error_message(flow->no_worktree));
	return rg_error_wrap(rg_worktree_resolve(flow->worktree, revision, out), "--commit");
}

void rg_flow_say_forks(const rg_flow *flow, const rg_run_list *list)
{
	if (list->forks)
		rg_log_say(&flow->log, RG_LOG_DETAIL, "%zu run%s of forks left out", list->forks,
			   rg_plural(list->forks));
}

/* The query, and what it is called in messages. */
typedef struct {
	rg_run_query query;
	char commit[41];
	const char *what; /* "--pr 12", "branch 'main'" */
	bool cannot_wait;
} question;

static rg_error *make_question(question *q, const rg_flow *flow, const rg_run_choice *choice)
{
	RG_TRY(rg_run_choice_check(choice, NULL));
	RG_TRY(rg_flow_workflow(&q->query.workflow, flow, choice->workflow));
	q->query.unfinished = choice->unfinished;
	q->cannot_wait = choice->cannot_wait;
	q->query.last = q->query.workflow ? 1 : RUNS_LOOKED_AT;
	if (choice->pull.given) {
		q->query.pull = choice->pull.value;
		q->what = rg_arena_textf(flow->arena, "--pr %llu", choice->pull.value);
		return NULL;
	}
	if (!choice->commit) { /* the newest of a branch */
		char *checked_out = NULL;
		if (!choice->branch && flow->worktree)
			RG_TRY(rg_worktree_branch(flow->worktree, &checked_out));
		rg_arena_adopt(flow->arena, checked_out);
		q->query.branch = choice->branch ? choice->branch : checked_out;
		if (!q->query.branch)
			return rg_error_new(RG_E_USAGE, "--latest: no branch is checked out; "
							"name it with --branch");
		q->query.own = true; /* a fork's branch may have any name */
		q->what = rg_arena_textf(flow->arena, "branch '%s'", q->query.branch);
		return NULL;
	}
	RG_TRY(rg_flow_commit(q->commit, flow, choice->commit));
	q->query.commit = q->commit;
	q->what = rg_arena_textf(flow->arena, "commit %.10s", q->commit);
	return NULL;
}

static rg_error *several(const question *q, const rg_run_list *list)
{
	RG_AUTO(rg_buf) names = rg_buf_of(RG_BUF_ANY);
	for (size_t i = 0; i < list->count; i++)
		rg_buf_printf(&names, "%s%s", i ? ", " : "", rg_path_name(list->items[i].workflow));
	return rg_error_new(RG_E_USAGE,
			    "%s: %zu workflows have runs of it; name one with --workflow, "
			    "or as regild.workflow: %s",
			    q->what, list->count, names.data);
}

static rg_error *none(const question *q)
{
	const char *workflow = q->query.workflow;
	return rg_error_new(
		RG_E_NOTFOUND, "%s: has no %srun%s%s%s%s; 'regild runs' lists the runs", q->what,
		q->query.unfinished ? "" : "finished ", workflow ? " of workflow '" : "",
		workflow ? workflow : "", workflow ? "'" : "",
		q->query.unfinished || q->cannot_wait ? ""
						      : " (--wait takes one that is still going)");
}

rg_error *rg_flow_choose_run(uint64_t *id, const rg_flow *flow, rg_source *source,
			     const rg_run_choice *choice, rg_run_choose_fn *choose, void *context)
{
	question q = {0};
	*id = 0;
	RG_TRY(make_question(&q, flow, choice));
	if (!source->list)
		return rg_error_new(RG_E_USAGE, "%s: this source has no list of runs", q.what);
	RG_AUTO(rg_run_list) list = {0};
	size_t chosen = 0, kept = 0, j;

	rg_flow_waits_for(flow, "the list of runs");
	RG_TRY(source->list(source, &q.query, &list));
	rg_flow_waits_for(flow, NULL);
	rg_flow_say_forks(flow, &list);
	/* The newest of each workflow stays. */
	for (size_t i = 0; i < list.count; i++) {
		for (j = 0; j < kept; j++)
			if (!strcmp(list.items[j].workflow, list.items[i].workflow))
				break;
		if (j == kept)
			list.items[kept++] = list.items[i];
	}
	list.count = kept;
	if (!list.count)
		return none(&q);
	if (list.count > 1)
		RG_TRY(choose ? choose(context, &list, &chosen) : several(&q, &list));
	const rg_listed_run *run = &list.items[chosen];
	const char *file = rg_path_name(run->workflow);
	*id = run->id;
	rg_log_say(&flow->log, RG_LOG_INFO, "run %llu: %s%s%s, %s, commit %.10s%s",
		   (unsigned long long)run->id, file, *file ? ", " : "", run->branch,
		   run->created_at, run->commit, run->fork ? ", of a fork" : "");
	return NULL;
}
