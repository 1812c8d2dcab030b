/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_FLOW_REJECT_H
#define REGILD_FLOW_REJECT_H

#include "base/digest.h"
#include "base/fields.h"
#include "flow/context.h"

typedef struct {
	const char *golden; /* its path from the repository's root, in the flow's arena */
	char sha256[RG_SHA256_HEX];
	const char *why;
	bool already; /* it was rejected before; nothing was written */
	bool written; /* also after an error */
} rg_reject_result;
extern const rg_json_field rg_reject_fields[];

/* Adds the bytes that a golden has in the working tree to RG_REJECTED_FILE. RG_E_USAGE for what is
 * not a golden, and for a reason that is not one line; RG_E_NOTFOUND where there is no such file.
 */
RG_CHECKED rg_error *rg_reject(rg_reject_result *out, const rg_flow *flow, const char *golden,
			       const char *why);

#endif
