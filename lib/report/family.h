/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_REPORT_FAMILY_H
#define REGILD_REPORT_FAMILY_H

#include "base/buf.h"

#include <stdbool.h>

/* Metrics that one reader names alike and people read as one. */

/* The family's name: "3/routing_indices/12" is of the family "* /routing_indices/ *" (without the
 * blanks), "layer12.weight" of "layer*.weight". A metric whose name has no numbered part between
 * '/' or '.' is a family of its own. */
void rg_family_add(rg_buf *out, const char *metric);

/* The family of a table's column: "*_time" and "*_mem" for "pack_time" and "max_vpr_mem", since
 * tables measure many stages in one unit; else as rg_family_add. */
void rg_family_add_column(rg_buf *out, const char *column);

/* Are its numbers names for something (ids, indices, statuses), so that a relative difference of
 * them says nothing? */
bool rg_family_is_of_ids(const char *family);

#endif
