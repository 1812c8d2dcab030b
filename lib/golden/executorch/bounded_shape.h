/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_GOLDEN_BOUNDED_SHAPE_H
#define REGILD_GOLDEN_BOUNDED_SHAPE_H

#include "golden/golden.h"

/* How many shapes within `bounds` have `count` elements, each size being at least 1. Several, too,
 * where there are too many to go through. */
typedef enum { RG_SHAPES_NONE, RG_SHAPES_ONE, RG_SHAPES_SEVERAL } rg_shapes;

/* `shape` is the one where it is the only one. */
rg_shapes rg_shape_derive(int64_t shape[static RG_METRIC_DIMENSIONS], const int64_t *bounds,
			  size_t dimensions, uint64_t count);

#endif
