/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_REPORT_STRIP_H
#define REGILD_REPORT_STRIP_H

#include "base/buf.h"

#include <cJSON.h>

/*
 * All rows of a page's table at a glance: a strip for each metric, on one logarithmic axis, with a
 * point for each row, which is a link to it. Rows of size 0 are a count at the left.
 */

/* Strips and points at most; what is beyond is counted. */
#define RG_STRIPS       50
#define RG_STRIP_POINTS 3000

typedef struct {
	size_t rows;    /* in the figure: points and zeros; 0: there is nothing to draw */
	size_t metrics; /* with a strip */
	size_t rows_left_out;
} rg_strip_counts;

/* `rows` is the table's list (report/page_table.h); its order is the strips'. */
void rg_strip_write(rg_buf *out, rg_strip_counts *counts, const cJSON *rows);

#endif
