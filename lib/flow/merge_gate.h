/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_FLOW_MERGE_GATE_H
#define REGILD_FLOW_MERGE_GATE_H

#include "flow/check_rules.h"

/* What the merge gate of a project asks of goldens that a change touches. */

/*
 * Does a check of the project take this golden's values as they are, were they marked as being of
 * full precision? That is one without a tolerance that rounds others, that looks at a metric of the
 * golden, and whose file is beside it.
 */
RG_CHECKED rg_error *rg_check_wants_precision(bool *out, const rg_checks *checks,
					      const rg_golden *golden, const rg_check_place *place);

/* Of a golden in JSON: "PATH: nan (and 2 more)" of values, numbers or texts, that are NaN or
 * infinite and are in no series; nothing where there are none, or in another format. */
RG_CHECKED rg_error *rg_find_refused(rg_buf *out, const rg_golden *golden, const rg_input *in);

#endif
