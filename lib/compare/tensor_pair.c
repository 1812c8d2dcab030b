/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/tensor_pair.h"

#include "golden/tensor_gather.h"

#include <string.h>

/* Elements, and bytes of elements that are gathered. */
enum { PART = 1 << 18, GATHERED = 8 << 20 };

/* The dimensions of more than one element, from the slowest to the fastest in memory. */
static size_t list_order(const rg_tensor *tensor, uint8_t *out)
{
	size_t count = 0;
	for (size_t i = 0; i < tensor->dimensions; i++)
		if (tensor->shape[tensor->order[i]] != 1)
			out[count++] = tensor->order[i];
	return count;
}

/* The same elements, numbered as they lie. */
static void straighten(rg_tensor *tensor, const uint8_t *order, size_t count)
{
	const rg_tensor given = *tensor;
	tensor->dimensions = count;
	for (size_t i = 0; i < count; i++)
		tensor->shape[i] = given.shape[order[i]];
	rg_tensor_row_major(tensor);
	tensor->row_major = true;
}

bool rg_tensor_are_alike(const rg_tensor *old, const rg_tensor *fresh)
{
	return old && fresh && old->dtype == fresh->dtype && rg_tensor_same_shape(old, fresh);
}

void rg_tensor_pair_init(rg_tensor_pair *out, const rg_tensor *old, const rg_tensor *fresh,
			 bool row_major)
{
	uint8_t order[RG_METRIC_DIMENSIONS] = {0}, other[RG_METRIC_DIMENSIONS] = {0};
	size_t count = list_order(old, order);
	bool alike = list_order(fresh, other) == count && !memcmp(order, other, count);

	alike &= !row_major || (old->row_major && fresh->row_major);
	*out = (rg_tensor_pair){.old = *old, .fresh = *fresh};
	out->gathered = !alike;
	out->copied = !alike || !rg_dtype_is_host_order(old->dtype, old->big_endian) ||
		      !rg_dtype_is_host_order(fresh->dtype, fresh->big_endian);
	if (!alike)
		return;
	straighten(&out->old, order, count);
	straighten(&out->fresh, order, count);
	for (size_t i = 0; i < count; i++) {
		out->permuted |= i && order[i] < order[i - 1];
		out->strides[i] = 1;
		for (size_t k = order[i] + 1u; k < old->dimensions; k++)
			out->strides[i] *= (size_t)old->shape[k];
	}
}

const unsigned char *rg_tensor_pair_bytes(const rg_tensor_pair *pair, const rg_tensor *side,
					  size_t at, size_t count, unsigned char *room)
{
	if (!pair->copied)
		return side->data + at * rg_dtype_size(side->dtype);
	rg_tensor_bytes(side, at, count, room);
	return room;
}

/* A tensor that is gathered is gone through once for each part. */
size_t rg_tensor_pair_part(const rg_tensor_pair *pair)
{
	const rg_tensor *side = pair->old.row_major ? &pair->fresh : &pair->old;
	return pair->gathered ? rg_tensor_gather_count(side, GATHERED) : PART;
}

void rg_tensor_pair_gather(const rg_tensor *side, size_t at, size_t count, unsigned char *out)
{
	rg_tensor_gather(side, at, count, out);
	rg_dtype_to_host(side->dtype, side->big_endian, out, count);
}

/* Along the last dimension of memory the numbers ascend: of each such run only the first marked
 * place matters, and that only where the run begins under what is known. */
size_t rg_tensor_pair_first(const rg_tensor_pair *pair, size_t at, size_t count, const bool *marked,
			    size_t known)
{
	const size_t *strides = pair->strides, last = pair->old.dimensions - 1;
	const int64_t *shape = pair->old.shape;
	int64_t index[RG_METRIC_DIMENSIONS];
	size_t element = 0;

	rg_unravel(shape, last + 1, at, index);
	for (size_t d = 0; d <= last; d++)
		element += (size_t)index[d] * strides[d];
	for (size_t i = 0; i < count;) {
		size_t left = (size_t)(shape[last] - index[last]), k = 0;
		size_t run = left < count - i ? left : count - i;

		while (element < known && marked && k < run && !marked[i + k])
			k++;
		if (k < run && element + k * strides[last] < known)
			known = element + k * strides[last];
		i += run;
		element += run * strides[last];
		index[last] += (int64_t)run;
		for (size_t d = last; d > 0 && index[d] == shape[d]; d--) {
			element += strides[d - 1] - strides[d] * (size_t)shape[d];
			index[d] = 0;
			index[d - 1]++;
		}
	}
	return known;
}

void rg_tensor_pair_forget(const rg_tensor_pair *pair, size_t at, size_t count)
{
	rg_tensor_forget(&pair->old, at, count);
	rg_tensor_forget(&pair->fresh, at, count);
}
