/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/meant_pair.h"

#include "compare/pair_kernel.h"

#include <math.h>
#include <string.h>

/* A side of a chunk. */
typedef struct {
	const rg_tensor *tensor;
	const unsigned char *bytes;
	double values[RG_CHUNK]; /* that its elements stand for */
	int64_t alone[RG_CHUNK]; /* the steps at which the other side is masked */
	size_t alone_count;
	unsigned char room[RG_CHUNK * sizeof(double)]; /* what both sides have */
} side;

bool rg_tensors_are_meant(const rg_tensor *old, const rg_tensor *fresh)
{
	return old->convention || fresh->convention;
}

/* True: one is masked. */
static bool read_values(side *s, const rg_tensor *tensor, const unsigned char *bytes, size_t count)
{
	const rg_dtype dtype = tensor->dtype;
	s->tensor = tensor;
	s->bytes = bytes;
	s->alone_count = 0;
	if (tensor->convention)
		return rg_convention_values(tensor->convention, bytes, count, s->values);
	rg_dtype_to_double(dtype, !rg_dtype_is_host_order(dtype, false), bytes, count, s->values);
	return false;
}

/* Two tiles of one image have a quantum each, by which their pixels are off at most by half. */
static bool within_quantum(const side *old, const side *fresh, size_t i, size_t element)
{
	const rg_tensor *a = old->tensor, *b = fresh->tensor;
	const double quantum =
		rg_convention_quantum(a->convention, a->shape, a->dimensions, element) +
		rg_convention_quantum(b->convention, b->shape, b->dimensions, element);
	return fabs(fresh->values[i] - old->values[i]) <= quantum / 2;
}

/* Are elements of both sides multiplied and moved by the same? */
static bool same_packing(const rg_convention *a, const rg_convention *b)
{
	return (a ? a->scale : 1) == (b ? b->scale : 1) &&
	       (a ? a->offset : 0) == (b ? b->offset : 0);
}

static rg_error *hand_on_alone(const side *s, rg_chunk_side which, rg_chunk_fn *take, void *context)
{
	const rg_pair_chunk part = {.side = which,
				    .count = s->alone_count,
				    .dtype = RG_DTYPE_FLOAT64,
				    .steps = s->alone};
	return s->alone_count ? take(context, &part) : NULL;
}

rg_error *rg_meant_pairs(const rg_tensor_pair *pair, const rg_pair_chunk *chunk, rg_chunk_fn *take,
			 void *context)
{
	const rg_convention *a = pair->old.convention, *b = pair->fresh.convention;
	const bool packed = rg_tensor_is_packed(&pair->old) || rg_tensor_is_packed(&pair->fresh);
	const bool lossy = (a && a->quanta) || (b && b->quanta), same = same_packing(a, b);
	const size_t stored = rg_dtype_size(chunk->dtype), size = packed ? sizeof(double) : stored;
	side old, fresh;
	int64_t steps[RG_CHUNK];
	rg_pair_chunk part = *chunk;

	bool some = read_values(&old, &pair->old, chunk->old, chunk->count);
	some |= read_values(&fresh, &pair->fresh, chunk->fresh, chunk->count);
	if (!some && !packed && !lossy)
		return take(context, chunk);
	const unsigned char *was = packed ? (const unsigned char *)old.values : old.bytes;
	const unsigned char *is = packed ? (const unsigned char *)fresh.values : fresh.bytes;
	part.count = 0;
	for (size_t i = 0; i < chunk->count; i++) {
		const int64_t step = rg_chunk_step(chunk, i);
		const bool no_old = rg_is_masked(old.values[i]);
		if (no_old != rg_is_masked(fresh.values[i])) {
			side *s = no_old ? &fresh : &old;
			s->alone[s->alone_count++] = step;
		} else if (!no_old) {
			/* Stored numbers that differ do so as fractions, too. */
			if (packed && same && fresh.values[i] == old.values[i] &&
			    memcmp(old.bytes + i * stored, fresh.bytes + i * stored, stored) != 0)
				fresh.values[i] = nextafter(fresh.values[i], INFINITY);
			const bool within = lossy && within_quantum(&old, &fresh, i, (size_t)step);
			memcpy(old.room + part.count * size, was + i * size, size);
			memcpy(fresh.room + part.count * size, (within ? was : is) + i * size,
			       size);
			steps[part.count++] = step;
		}
	}
	part.dtype = packed ? RG_DTYPE_FLOAT64 : chunk->dtype;
	part.old = old.room;
	part.fresh = fresh.room;
	part.steps = steps;
	if (part.count)
		RG_TRY(take(context, &part));
	RG_TRY(hand_on_alone(&old, RG_OLD_ONLY, take, context));
	return hand_on_alone(&fresh, RG_NEW_ONLY, take, context);
}
