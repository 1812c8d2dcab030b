/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_SOURCE_RUN_URL_H
#define REGILD_SOURCE_RUN_URL_H

#include "source/repository.h"

#include <stdbool.h>
#include <stdint.h>

/* What --run names. */
typedef struct {
	uint64_t id;
	unsigned attempt;         /* 0: not said */
	bool has_repository;      /* from a URL */
	rg_repository repository; /* released by rg_run_name_release */
} rg_run_name;

/* A run's id, or https://HOST/OWNER/NAME/actions/runs/ID[/attempts/N][/job/…], or
 * https://HOST/GROUP/PROJECT/-/pipelines/ID. RG_E_USAGE. */
RG_CHECKED rg_error *rg_run_name_parse(rg_run_name *out, const char *text);
void rg_run_name_release(rg_run_name *run);

#endif
