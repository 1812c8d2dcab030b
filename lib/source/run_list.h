/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_SOURCE_RUN_LIST_H
#define REGILD_SOURCE_RUN_LIST_H

#include "net/http.h"
#include "source/run_url.h"
#include "base/memory.h"

/*
 * The completed runs of a workflow, newest first. GitHub gives out at most 1,000 runs of a search:
 * beyond them the search is narrowed to `created` up to the oldest that was seen, as often as it
 * takes.
 */
typedef struct {
	uint64_t id;
	unsigned attempt;
	const char *created_at;              /* as the API has it */
	const char *branch, *commit, *event; /* "" where there is none */
} rg_listed_run;

typedef struct {
	rg_listed_run *items; /* newest first, each once */
	size_t count, capacity;
	rg_arena arena;
} rg_run_list;

typedef struct {
	const char *workflow;       /* a file's name ("nightly.yml") or a workflow's number */
	size_t last;                /* so many at most; over 0 */
	const char *branch, *event; /* NULL: any */
	const char *since;          /* "2026-04-01" or a time; NULL: however old */
	unsigned lists_max;         /* searches, of 1,000 runs each; 0: 1,000 (fewer in tests) */
} rg_run_query;

/* RG_E_NOTFOUND where there is no such workflow; RG_E_USAGE for a `since` that is not a date;
 * RG_E_PARSE for answers that make no sense; RG_E_LIMIT where `lists_max` searches, or one for the
 * runs of a second, do not reach the last. */
RG_CHECKED rg_error *rg_runs_list(rg_run_list *out, rg_http *http, const rg_repository *repository,
				  const rg_run_query *query);
void rg_run_list_release(rg_run_list *list);

#endif
