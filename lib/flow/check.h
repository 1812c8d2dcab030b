/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_FLOW_CHECK_H
#define REGILD_FLOW_CHECK_H

#include "flow/context.h"

/* Looks for what is wrong with goldens in themselves. */

typedef struct {
	const char *path;       /* of the golden, as it was named or from the repository's root */
	const char *inner_path; /* from the repository's root where it is in there, else `path` */
	const char *text;       /* "METRIC: STEP: what is wrong", or why it cannot be read */
} rg_check_finding;

/* Takes a finding, which is there for the call alone. An error ends the check. */
typedef rg_error *rg_check_finding_fn(void *context, const rg_check_finding *finding);

typedef struct {
	char *const *files; /* none: every golden below regild.root */
	size_t file_count;
	bool changed;     /* only those that differ from `base` */
	const char *base; /* NULL: HEAD */
	rg_check_finding_fn *found;
	void *context;
} rg_check_options;

typedef struct {
	size_t files, findings, unreadable;
} rg_check_result;

RG_CHECKED rg_error *rg_check(rg_check_result *out, const rg_flow *flow,
			      const rg_check_options *options);

#endif
