/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_COMPARE_FORMATTING_H
#define REGILD_COMPARE_FORMATTING_H

#include "base/span.h"

/* How the bytes of two goldens differ whose values do not. */
typedef enum {
	RG_LAYOUT_SAME,
	RG_LAYOUT_FORMATTING, /* in blanks, quotes and how numbers are written */
	RG_LAYOUT_UNSHOWN,    /* in what no metric has, too: a remark, the order of keys */
} rg_file_layout;

/* `format`: the name of that which both are of; NULL: none. */
rg_file_layout rg_layout_compare(const rg_span *old, const rg_span *fresh, const char *format);

#endif
