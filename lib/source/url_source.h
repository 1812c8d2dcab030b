/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_SOURCE_URL_SOURCE_H
#define REGILD_SOURCE_URL_SOURCE_H

#include "source/local.h"

/*
 * A run whose artifacts are kept elsewhere: its jobs are asked for where it ran, and what they left
 * is at an address (plain_url.h). With {job_id} in it there is a zip for each test's job; else one
 * for all of them, which holds what an archive may hold (local.h).
 */
typedef struct {
	const char *url;
	rg_source *run;        /* becomes the source's own, whatever comes back */
	rg_local_options zips; /* its paths are filled in */
} rg_url_source_options;

/* RG_E_USAGE, RG_E_UNSAFE as rg_plain_url_check has them. What the options point at is borrowed. */
RG_CHECKED rg_error *rg_url_source_new(rg_source **out, const rg_url_source_options *options);

#endif
