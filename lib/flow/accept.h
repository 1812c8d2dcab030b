/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_FLOW_ACCEPT_H
#define REGILD_FLOW_ACCEPT_H

#include "base/digest.h"
#include "base/fields.h"
#include "flow/context.h"

#include <stdint.h>

typedef struct {
	const char *golden;  /* its path from the repository's root, in the flow's arena */
	const char *variant; /* the name */
	const char *file;    /* the variant's path */
	char sha256[RG_SHA256_HEX];
	bool replaced;    /* there was a variant of that name */
	uint64_t id;      /* of the record, for undo; 0: nothing was written */
	rg_error *missed; /* why the index did not follow; the caller's. NULL: it did */
} rg_accept_result;
extern const rg_json_field rg_accept_fields[];

/*
 * Keeps what a golden has in the working tree as its variant, and brings the golden back to HEAD,
 * both or neither. RG_E_USAGE for what is not a golden, for a name that is not a variant's, and
 * where the golden has HEAD's bytes; RG_E_NOTFOUND where it is not in both.
 */
RG_CHECKED rg_error *rg_accept(rg_accept_result *out, const rg_flow *flow, const char *golden,
			       const char *variant);

#endif
