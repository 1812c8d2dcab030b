/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_UPDATE_SPLICE_H
#define REGILD_UPDATE_SPLICE_H

#include "base/buf.h"

#include <stdbool.h>

/*
 * Takes one metric's bytes of a new golden into an old one; all other bytes of the old file stay as
 * they are. Both are JSON objects as Python writes them. `metric` is a top-level key, or, as in
 * inference results, a path of keys joined by '/' ("0/logprobs"). Where the old file lacks the
 * metric it is added after the last member of its object; of a key that appears twice the last
 * counts. `out` (initialised, empty) gets the result; *found is false, and nothing is in `out`,
 * where the new file lacks the metric. RG_E_PARSE for what is not a JSON object.
 */
RG_CHECKED rg_error *rg_splice(rg_buf *out, const rg_buf *old, const rg_buf *fresh,
			       const char *metric, bool *found);

#endif
