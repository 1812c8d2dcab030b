#ifndef REGILD_CMD_DOWNLOAD_H
#define REGILD_CMD_DOWNLOAD_H

#include "command.h"
#include "net/http.h"
#include "net/limiter.h"
#include "update/manifest.h"

/* What `download` and `refresh` share: a run, a scope, and how to fetch. */
typedef struct {
	const char *run; /* --run: an id or the run's URL */
	bool only_failing, all;
	option_integer attempt; /* not given: the latest */
	bool in_progress;
	bool take_ambiguous;
	option_integer jobs;     /* not given: 8 */
	option_integer max_wait; /* seconds; not given: 900 */
	bool whole;
	bool no_cache;
	const char *if_unfinished; /* what to do about such a run; NULL: what the options offer */
	bool without_totals;       /* only what went wrong is told in the end */
	rg_limiter *limiter;       /* of several downloads in one process; NULL: its own */
} download_arguments;

/* Rows that fill a download_arguments. */
extern const option download_options[];

/* How the API is asked; *out borrows env and the limiter. */
void download_http_options(rg_http_options *out, const environment *env, rg_limiter *limiter,
			   const option_integer *max_wait);

/*
 * Fetches the run's goldens into `dir` (NULL: GITDIR/regild/runs/ID), whose path goes to *staged,
 * the caller's to free. *out must be initialised; it is the manifest that lies in the folder.
 * Where neither scope is given it asks on a terminal, else RG_E_USAGE. What is missing from the
 * scope is listed in the manifest's outcomes, and env->exit_code is then EXIT_PARTIAL. Shows
 * progress and the closing lines on stderr. On an error the folder is as it was.
 */
RG_CHECKED rg_error *download_run(environment *env, const download_arguments *arguments,
				  const char *dir, rg_manifest *out, char **staged);

#endif
