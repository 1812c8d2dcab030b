/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_FLOW_FIND_RULES_H
#define REGILD_FLOW_FIND_RULES_H

#include "base/buf.h"

#include <stddef.h>

/* Adds commented-out [check] sections for the calls of comparing tools in these files, each with
 * the place where it was found. The files are searched as text; nothing of them is run, and only
 * numbers of theirs are copied. At most 2,000 are read, of up to 1 MiB each. */
void rg_find_rules(rg_buf *out, const char *top, const char *const *paths, size_t count);

#endif
