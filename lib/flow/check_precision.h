/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_FLOW_CHECK_PRECISION_H
#define REGILD_FLOW_CHECK_PRECISION_H

#include "flow/check_rules.h"

/*
 * Does a check of the project take this golden's values as they are, were they marked as being of
 * full precision? That is one without a tolerance that rounds others, that looks at a metric of the
 * golden, and whose file is beside it.
 */
RG_CHECKED rg_error *rg_check_wants_precision(bool *out, const rg_checks *checks,
					      const rg_golden *golden, const rg_check_place *place);

#endif
