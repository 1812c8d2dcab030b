/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_FLOW_OPAQUE_DETAILS_H
#define REGILD_FLOW_OPAQUE_DETAILS_H

#include "compare/compare.h"

/* What is worth the room in a report. */
typedef struct {
	bool lines;    /* of two texts, those that differ */
	bool pictures; /* their bytes */
} rg_opaque_wanted;

/* A picture of more bytes or dots is not shown. */
#define RG_OPAQUE_PICTURE_MAX ((size_t)256 << 10)
#define RG_OPAQUE_DOTS_MAX    ((uint64_t)1 << 24)

/*
 * Adds to the file that was added to a comparison last, if it is opaque and differs, what a report
 * shows of it (rg_opaque in compare/row.h). Nothing borrows the goldens.
 */
RG_CHECKED rg_error *rg_opaque_details_add(rg_comparison *comparison, const rg_golden *old,
					   const rg_golden *fresh, const rg_opaque_wanted *wanted);

#endif
