/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/meant_pair.h"

#include "compare/pair_kernel.h"

#include <math.h>
#include <string.h>

/* A side of a chunk: its elements, and which of them are masked. */
typedef struct {
	const rg_tensor *tensor;
	const unsigned char *bytes;
	bool masked[RG_CHUNK];
	double values[RG_CHUNK]; /* if they are asked for */
	int64_t alone[RG_CHUNK]; /* the steps at which the other side is masked */
	size_t alone_count;
	unsigned char room[RG_CHUNK * sizeof(double)];
} side;

bool rg_tensors_are_meant(const rg_tensor *old, const rg_tensor *fresh)
{
	return old->convention || fresh->convention;
}

static bool find_masked(side *s, const rg_tensor *tensor, const unsigned char *bytes, size_t count)
{
	s->tensor = tensor;
	s->bytes = bytes;
	s->alone_count = 0;
	if (tensor->convention)
		return rg_convention_mask(tensor->convention, bytes, count, s->masked);
	memset(s->masked, 0, sizeof(s->masked));
	return false;
}

static void read_values(side *s, size_t count)
{
	const rg_dtype dtype = s->tensor->dtype;
	if (s->tensor->convention)
		rg_convention_values(s->tensor->convention, s->bytes, count, s->values);
	else
		rg_dtype_to_double(dtype, !rg_dtype_is_host_order(dtype, false), s->bytes, count,
				   s->values);
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

/* Copies pair i to place `at` of both rooms. Stored numbers that differ do so as fractions, too. */
static void keep(side *old, side *fresh, size_t i, size_t at, bool packed, bool same_packing)
{
	const size_t stored = rg_dtype_size(old->tensor->dtype);
	if (!packed) {
		memcpy(old->room + at * stored, old->bytes + i * stored, stored);
		memcpy(fresh->room + at * stored, fresh->bytes + i * stored, stored);
		return;
	}
	double value = fresh->values[i];
	if (same_packing && value == old->values[i] &&
	    memcmp(old->bytes + i * stored, fresh->bytes + i * stored, stored) != 0)
		value = nextafter(value, INFINITY);
	memcpy(old->room + at * sizeof(double), &old->values[i], sizeof(double));
	memcpy(fresh->room + at * sizeof(double), &value, sizeof(double));
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
	const bool lossy = (a && a->quanta) || (b && b->quanta);
	const bool same_packing = rg_convention_same_packing(a, b);
	side old, fresh;
	int64_t steps[RG_CHUNK];
	rg_pair_chunk part = *chunk;

	bool some = find_masked(&old, &pair->old, chunk->old, chunk->count);
	some |= find_masked(&fresh, &pair->fresh, chunk->fresh, chunk->count);
	if (!some && !packed && !lossy)
		return take(context, chunk);
	if (packed || lossy) {
		read_values(&old, chunk->count);
		read_values(&fresh, chunk->count);
	}
	part.count = 0;
	for (size_t i = 0; i < chunk->count; i++) {
		const int64_t step = rg_chunk_step(chunk, i);
		if (old.masked[i] && !fresh.masked[i])
			fresh.alone[fresh.alone_count++] = step;
		else if (fresh.masked[i] && !old.masked[i])
			old.alone[old.alone_count++] = step;
		if (old.masked[i] || fresh.masked[i])
			continue;
		steps[part.count] = step;
		keep(&old, &fresh, i, part.count, packed, same_packing);
		if (lossy && within_quantum(&old, &fresh, i, (size_t)step)) {
			const size_t size = packed ? sizeof(double) : rg_dtype_size(chunk->dtype);
			memcpy(fresh.room + part.count * size, old.room + part.count * size, size);
		}
		part.count++;
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
