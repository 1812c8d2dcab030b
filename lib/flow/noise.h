/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_FLOW_NOISE_H
#define REGILD_FLOW_NOISE_H

#include "audit/model.h"
#include "base/optional.h"
#include "flow/context.h"
#include "flow/settings.h"

/* The runs that a comparison is judged by: a noise model, or those of a history. */
typedef struct {
	const char *from; /* a file, or a history's address; NULL: regild.noise, else none */
	/* A history's, by id or URL, several in one text with commas between them; else the newest
	 * `last` (not given: 30) of all or of the branch. */
	rg_texts runs;
	rg_optional_integer last;
	const char *branch;
	rg_optional_number level; /* not given: RG_VERDICT_LEVEL */
} rg_noise_options;

/* *name is what it came from, NULL where there is none. Runs of a history are audited as `regild
 * audit` does it. `out` is released whatever comes back. */
RG_CHECKED rg_error *rg_flow_open_noise(rg_noise_model *out, const char **name, const rg_flow *flow,
					const rg_noise_options *options, const char *repository);

/* Is it a history's address or file, and no noise model? */
bool rg_noise_is_history(const char *from);

/* Hands the bytes of the audit's noise model to `write`. */
RG_CHECKED rg_error *rg_flow_write_noise(const rg_audit *audit,
					 rg_error *(*write)(void *context, const void *bytes,
							    size_t length),
					 void *context);

#endif
