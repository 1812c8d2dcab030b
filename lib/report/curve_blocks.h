/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_REPORT_CURVE_BLOCKS_H
#define REGILD_REPORT_CURVE_BLOCKS_H

#include "report/curve.h"

/*
 * What templates/page.js draws curves from: all of a list, in order, as elements of so many curves
 * each, <script type="application/json" class="curve-data">. Their JSON is a text: base64 of a zlib
 * stream of a list of objects with "old" and "new", a list of steps and a list of values each,
 * "low" and "high" where a noise model has them, "tensor", and "records", the names of a table's
 * steps, and "thin" where a side does not have all of its values. So 1,000 rows take megabytes, not
 * tens of them, and only what is opened is read.
 */
#define RG_CURVE_BLOCK 64

/* Appends them to `out`, whose state the caller checks. */
RG_CHECKED rg_error *rg_curve_blocks_add(rg_buf *out, const rg_curve_list *curves);

#endif
