/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_FLOW_PROPOSE_H
#define REGILD_FLOW_PROPOSE_H

#include "base/buf.h"

#include <stddef.h>

/* Adds commented-out [metric] sections for the metrics of these goldens that look like durations,
 * rates or memory: guesses, by names and units, for a person to decide on. Nothing where there are
 * none. At most 50 of the files are read, of up to 1 MiB each; what cannot be read has none. */
void rg_propose_levels(rg_buf *out, const char *top, const char *const *paths, size_t count);

#endif
