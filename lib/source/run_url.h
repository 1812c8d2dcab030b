/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_SOURCE_RUN_URL_H
#define REGILD_SOURCE_RUN_URL_H

#include "source/repository.h"

#include <stdbool.h>
#include <stdint.h>

/* The run that --run names. */
typedef struct {
	uint64_t id;              /* 0: of a job whose URL does not say it */
	uint64_t job;             /* that alone; 0: the whole run */
	unsigned attempt;         /* 0: not said */
	bool has_repository;      /* from a URL */
	rg_repository repository; /* released by rg_run_name_release */
} rg_run_name;

/* A run's id, or https://HOST/OWNER/NAME/actions/runs/ID[/attempts/N][/job/JOB], or
 * https://HOST/GROUP/PROJECT/-/pipelines/ID, or …/-/jobs/JOB. RG_E_USAGE. */
RG_CHECKED rg_error *rg_run_name_parse(rg_run_name *out, const char *text);
/* The same; RG_E_USAGE for one job, too. */
RG_CHECKED rg_error *rg_run_name_parse_whole(rg_run_name *out, const char *text);
/* Does it name one job of a run? */
bool rg_run_name_is_job(const char *text);
void rg_run_name_release(rg_run_name *run);

#endif
