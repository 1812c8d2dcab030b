/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_REPORT_REFRESH_H
#define REGILD_REPORT_REFRESH_H

#include "base/fields.h"
#include "base/memory.h"

#include <cJSON.h>
#include <stdbool.h>

/*
 * What a refresh did, golden by golden, for the reports of what changed since: made by
 * rg_refresh_init, rg_refresh_add of all goldens and of what is missing, then rg_refresh_sort.
 */
typedef enum {
	RG_REFRESH_UPDATED,
	RG_REFRESH_NEW,
	RG_REFRESH_UNCHANGED, /* the tree had the run's bytes already */
	RG_REFRESH_HELD,      /* by a guard */
	RG_REFRESH_LEFT_OUT,  /* the caller did not want it */
	RG_REFRESH_MISSING,   /* the run should have it, and it did not come */
	RG_REFRESH_GONE,      /* the run makes it no longer; it stays in the tree */
	RG_REFRESH_OUTCOMES
} rg_refresh_outcome;

/* "updated", "held back", … */
extern const char *const rg_refresh_names[RG_REFRESH_OUTCOMES];

typedef struct {
	rg_refresh_outcome outcome;
	const char *name; /* the path from the repository's root; of what is missing, the job */
	const char *why;  /* RG_REFRESH_HELD and RG_REFRESH_MISSING; else NULL */
} rg_refresh_item;

typedef struct {
	rg_refresh_item *items;
	size_t count, capacity;
	size_t counts[RG_REFRESH_OUTCOMES];
	/* Why the run has no golden at all, and what to do; borrowed. NULL: it has some. */
	const char *empty_why, *empty_next;
	rg_arena arena;
} rg_refresh;

void rg_refresh_init(rg_refresh *refresh);
void rg_refresh_release(rg_refresh *refresh);
/* Copies the texts; `why` may be NULL. */
void rg_refresh_add(rg_refresh *refresh, rg_refresh_outcome outcome, const char *name,
		    const char *why);

/* Goldens by name, then what is missing. */
void rg_refresh_sort(rg_refresh *refresh);

/* The golden at `path`; NULL where the run has none. */
const rg_refresh_item *rg_refresh_find(const rg_refresh *refresh, const char *path);
/* Are its bytes in the working tree the run's? */
bool rg_refresh_is_from_run(const rg_refresh *refresh, const char *path);
/* Is the file's change somebody's own, and not the run's? Never without a refresh (NULL). */
bool rg_refresh_is_own(const rg_refresh *refresh, const char *path);
/* Is something of the run not in the tree? */
bool rg_refresh_is_partial(const rg_refresh *refresh);

/* What became of everything that a run has: its goldens, artifacts and jobs. */

/* The list "goldens" of JSON: "name", "outcome" and "why" of each. */
extern const rg_json_field rg_coverage_golden_fields[];

/*
 * Adds "coverage" to the page's view: as "outcomes" how many "goldens", "artifacts" and "jobs" had
 * each "outcome", and as "covered" all of them, with "what", "name", "outcome" and "why". What is
 * missing or held back comes first. `goldens` is such a list; `provenance` has "artifacts" and
 * "jobs" (flow/provenance.h). Either may be NULL and, having been read, hold anything; nothing is
 * added where there is nothing to count.
 */
void rg_coverage_put(cJSON *view, const cJSON *goldens, const cJSON *provenance);

#endif
