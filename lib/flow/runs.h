/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_FLOW_RUNS_H
#define REGILD_FLOW_RUNS_H

#include "base/fields.h"
#include "base/optional.h"
#include "flow/open_source.h"

/* The newest runs of a project, with what there is to take of each. */
typedef struct {
	rg_source_options source;
	const char *workflow; /* a file's path or name; NULL: regild.workflow, else any */
	const char *branch, *event;
	rg_optional_integer pull;  /* of the head of that pull or merge request */
	const char *commit;        /* a revision or whole SHA */
	rg_optional_integer limit; /* not given: 10 */
} rg_runs_options;

typedef enum {
	RG_RUN_NOT_STORED,
	RG_RUN_PARTLY_STORED, /* or an earlier attempt of it */
	RG_RUN_STORED,
} rg_run_stored;

typedef struct {
	const rg_listed_run *run;
	char *why; /* it could not be read; NULL: it was, and the counts are known */
	size_t jobs, passed, failed, unfinished;
	size_t goldens;       /* artifacts whose names say that they have goldens */
	size_t expired;       /* and such as are gone */
	rg_run_stored stored; /* what the history has of it, by the settings of today */
} rg_run_row;

typedef struct {
	rg_open_source open;
	char *repository; /* "github.com/OWNER/NAME", as the history has it */
	rg_run_list list;
	rg_run_row *rows; /* newest first */
	size_t count;
} rg_runs;

/* Runs that are still going are listed, too. RG_E_NOTFOUND where none fits; the log hears what
 * could not be read of one. Closed whatever comes back. */
RG_CHECKED rg_error *rg_runs_open(rg_runs *out, const rg_flow *flow,
				  const rg_runs_options *options);
void rg_runs_close(rg_runs *runs);

/* A line a run, cells between tabs, headings first, for rg_table_from_lines; `numbered`: they begin
 * with their places, from 1. */
RG_CHECKED rg_error *rg_runs_lines(const rg_runs *runs, bool numbered, rg_buf *out);
/* The document regild-runs. */
RG_CHECKED rg_error *rg_runs_json(const rg_runs *runs, rg_buf *out);

extern const rg_json_field rg_runs_fields[];

#endif
