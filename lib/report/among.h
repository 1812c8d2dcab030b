/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_REPORT_AMONG_H
#define REGILD_REPORT_AMONG_H

#include "base/fields.h"
#include "base/json.h"
#include "base/optional.h"

/* Where goldens were taken from one of several runs that were fetched. */
typedef struct {
	const char *take; /* "median-run" or "first"; NULL: there was but one run */
	rg_texts runs;    /* their ids */
	rg_texts missed;  /* what is wrong with each that could not be fetched */
} rg_among;

/* "the middle one of 3 runs"; nothing where there was but one. */
void rg_among_say(rg_buf *out, const rg_among *among);

/* The keys of that, in JSON. */
extern const rg_json_field rg_among_fields[];

#endif
