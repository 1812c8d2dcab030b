/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_GOLDEN_NPY_H
#define REGILD_GOLDEN_NPY_H

#include "base/buf.h"
#include "golden/tensor.h"

/*
 * NumPy's .npy (numpy.org/doc/stable/reference/generated/numpy.lib.format.html), versions 1 to 3.
 */

/* Fills a checked tensor that borrows `data`. RG_E_PARSE for what is not a .npy or has other
 * elements than numbers. */
RG_CHECKED rg_error *rg_npy_read(rg_tensor *out, const void *data, size_t size);
/*
 * Adds the metric `name`, or of records one for each field: NAME/FIELD, or FIELD alone where
 * `prefix` is NULL. Numbers are tensors, all else is texts. Fields are copied; other numbers stay
 * in `data`, of which `forget` is told. RG_E_PARSE for Python's objects, too.
 */
RG_CHECKED rg_error *rg_npy_add(rg_golden_builder *builder, const char *name, const char *prefix,
				const void *data, size_t size, rg_forget_fn *forget);

/* Has NumPy such a type? It has no bfloat16, no 8-bit floats, no quantised integers and no
 * complex32. */
bool rg_npy_has_type(const rg_tensor *tensor);

/* Appends the header of a row-major .npy of version 1.0 with the tensor's type and shape; the
 * elements follow, little-endian. RG_E_USAGE for a type that NumPy has not. */
RG_CHECKED rg_error *rg_npy_header(rg_buf *out, const rg_tensor *tensor);

#endif
