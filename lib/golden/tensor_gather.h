/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_GOLDEN_TENSOR_GATHER_H
#define REGILD_GOLDEN_TENSOR_GATHER_H

#include "golden/tensor.h"

/*
 * Copies the elements first … first + count - 1, in row-major order and with their bytes as they
 * are, out of a tensor that may be in another order. It reads them in the order in which they lie,
 * and gives their memory back (rg_tensor.forget). As each call goes through most of the tensor, it
 * is best to ask for as many at once as there is room for.
 */
void rg_tensor_gather(const rg_tensor *tensor, size_t first, size_t count, void *out);

/* How many elements to ask for at once: whole parts of a dimension, in at most `room` bytes.
 * 1 where there are none. */
size_t rg_tensor_gather_count(const rg_tensor *tensor, size_t room);

#endif
