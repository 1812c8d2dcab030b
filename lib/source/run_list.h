/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_SOURCE_RUN_LIST_H
#define REGILD_SOURCE_RUN_LIST_H

#include "base/memory.h"

#include <stdbool.h>
#include <stdint.h>

/* A project's runs, as a source lists them. */
typedef struct {
	uint64_t id;
	unsigned attempt;
	const char *created_at;              /* as the API has it */
	const char *branch, *commit, *event; /* "" where there is none */
	const char *workflow;                /* its file's path, or "" */
	const char *title;                   /* or "" */
	const char *status, *conclusion;     /* as in rg_run */
	bool fork;                           /* another repository's commit */
} rg_listed_run;

typedef struct {
	rg_listed_run *items; /* newest first, each once */
	size_t count, capacity;
	size_t forks; /* runs among them that `own` has left out */
	rg_arena arena;
} rg_run_list;

/* RG_E_NOTFOUND where there is no such workflow or pull request; RG_E_USAGE for a `since` that is
 * not a date; RG_E_PARSE for answers that make no sense; RG_E_LIMIT where `lists_max` searches, or
 * one for the runs of a second, do not reach the last. */
typedef struct {
	const char *workflow;       /* a file's name ("nightly.yml") or a workflow's number; NULL:
				       any */
	size_t last;                /* so many at most; over 0 */
	const char *branch, *event; /* NULL: any */
	const char *commit;         /* a whole SHA; NULL: any */
	uint64_t pull;              /* of the head of that pull or merge request; 0: any */
	const char *since;          /* "2026-04-01" or a time; NULL: however old */
	bool unfinished;            /* those that are not completed, too */
	bool own;                   /* no run of a fork, whose branches may have any name */
	unsigned lists_max;         /* searches, of 1,000 runs each; 0: 1,000 (fewer in tests) */
} rg_run_query;

void rg_run_list_release(rg_run_list *list);

#endif
