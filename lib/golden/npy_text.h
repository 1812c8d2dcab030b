/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_GOLDEN_NPY_TEXT_H
#define REGILD_GOLDEN_NPY_TEXT_H

#include "golden/tensor.h"

/* Elements of NumPy's arrays that are no numbers: texts (S, U), dates and durations (M8, m8), and
 * bytes without a meaning (V). Each is an exact text. */

/* Is it such a type ("<U4", "|S3", ">M8[ns]"), and of how many bytes? */
bool rg_npy_is_text(const char *type, size_t *size);

/* Adds the metric. The tensor has the elements' shape, order and bytes. No two elements that differ
 * have the same text: a backslash is doubled, \xNN and \UNNNNNNNN are not characters. */
RG_CHECKED rg_error *rg_npy_add_texts(rg_golden_builder *builder, const char *name, rg_tensor array,
				      const char *type);

#endif
