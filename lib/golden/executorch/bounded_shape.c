/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/executorch/bounded_shape.h"

#include <string.h>

/* Sizes that are tried: a hostile program could ask for any number of them. */
enum { TRIES_MAX = 1 << 20 };

typedef struct {
	const int64_t *bounds;
	size_t dimensions;
	/* How many elements the dimensions from here on hold. */
	uint64_t room[RG_METRIC_DIMENSIONS + 1];
	int64_t now[RG_METRIC_DIMENSIONS];
	int64_t *found;
	size_t shapes, tries;
} search_state;

/* Tries all sizes of the dimensions from `at` on that have `left` elements. */
static void fill(search_state *s, size_t at, uint64_t left)
{
	if (at == s->dimensions) {
		if (left == 1 && !s->shapes++)
			memcpy(s->found, s->now, at * sizeof(*s->now));
		return;
	}
	uint64_t most = (uint64_t)s->bounds[at] < left ? (uint64_t)s->bounds[at] : left;
	for (uint64_t size = (left + s->room[at + 1] - 1) / s->room[at + 1]; size <= most; size++) {
		if (s->shapes > 1 || ++s->tries > TRIES_MAX)
			return;
		s->now[at] = (int64_t)size;
		if (left % size == 0)
			fill(s, at + 1, left / size);
	}
}

rg_shapes rg_shape_derive(int64_t shape[static RG_METRIC_DIMENSIONS], const int64_t *bounds,
			  size_t dimensions, uint64_t count)
{
	search_state s = {.bounds = bounds, .dimensions = dimensions, .found = shape};
	for (size_t i = 0; i < dimensions; i++)
		if (bounds[i] < 1)
			return RG_SHAPES_NONE;
	if (!count || count > UINT64_MAX / 4)
		return RG_SHAPES_NONE;
	s.room[dimensions] = 1;
	for (size_t i = dimensions; i-- > 0;) {
		uint64_t bound = (uint64_t)bounds[i];
		s.room[i] = bound > UINT64_MAX / 2 / s.room[i + 1] ? UINT64_MAX / 2
								   : bound * s.room[i + 1];
	}
	fill(&s, 0, count);
	if (s.shapes > 1 || s.tries > TRIES_MAX)
		return RG_SHAPES_SEVERAL;
	return s.shapes ? RG_SHAPES_ONE : RG_SHAPES_NONE;
}
