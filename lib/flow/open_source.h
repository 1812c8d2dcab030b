/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_FLOW_OPEN_SOURCE_H
#define REGILD_FLOW_OPEN_SOURCE_H

#include "base/optional.h"
#include "flow/context.h"
#include "net/http.h"
#include "source/run_url.h"
#include "source/settings.h"
#include "source/source.h"
#include "store/cache.h"

/* The source of new goldens, as the user says it. */
typedef struct {
	const char *run;                 /* an id or the run's URL; NULL: not named */
	const char *source;              /* "github" or "gitlab"; NULL: what the repository says */
	rg_texts from;                   /* folders and archives instead of a run's artifacts */
	bool with_jobs;                  /* with `from`: the run's jobs are needed, too */
	unsigned attempt;                /* of the run; 0: not said */
	const char *repository_name;     /* NULL: what the URL and settings say */
	const rg_repository *repository; /* the run's, where that is settled; else NULL */
	bool no_cache;
	rg_optional_integer max_wait; /* seconds; not given: 900 */
	rg_limiter *limiter;          /* of several sources in one process; NULL: its own */
} rg_source_options;

/* An open source and what it borrows from. */
typedef struct {
	rg_source *source;
	rg_run_name name; /* of the run; id 0: not named */
	rg_repository repository;
	rg_settings settings;
	rg_cache *cache; /* or NULL */
	rg_http *http;   /* NULL where no network is needed */
	rg_http *store;  /* for addresses that need no token; or NULL */
	char *beside;    /* names of settings files */
	char *filled;    /* such an address, with its fields filled in */
	const char *path[1];
} rg_open_source;

/* RG_E_USAGE for what is wrong with the names of run and repository, RG_E_AUTH where there is no
 * token. Only a GitLab job's pipeline is asked for over the network. `out` borrows flow, options
 * and limiter, and is closed whatever comes back. */
RG_CHECKED rg_error *rg_flow_open_source(rg_open_source *out, const rg_flow *flow,
					 const rg_source_options *options);
void rg_open_source_release(rg_open_source *source);

#endif
