#include "compare/tensor_pair.h"

#include <string.h>

/* The dimensions of more than one element, from the slowest to the fastest in memory. */
static size_t list_order(const rg_tensor *tensor, uint8_t *out)
{
	size_t count = 0, i;

	for (i = 0; i < tensor->dimensions; i++)
		if (tensor->shape[tensor->order[i]] != 1)
			out[count++] = tensor->order[i];
	return count;
}

/* The same elements, numbered as they lie. */
static void straighten(rg_tensor *tensor, const uint8_t *order, size_t count)
{
	const rg_tensor given = *tensor;
	size_t i;

	tensor->dimensions = count;
	for (i = 0; i < count; i++)
		tensor->shape[i] = given.shape[order[i]];
	rg_tensor_row_major(tensor);
	tensor->row_major = true;
}

void rg_tensor_pair_init(rg_tensor_pair *out, const rg_tensor *old, const rg_tensor *new)
{
	uint8_t other[RG_METRIC_DIMENSIONS];
	size_t count = list_order(old, out->order), i;
	bool alike = list_order(new, other) == count && !memcmp(out->order, other, count);

	out->old = *old;
	out->new = *new;
	out->dimensions = old->dimensions;
	memcpy(out->shape, old->shape, sizeof(out->shape));
	if (alike) {
		straighten(&out->old, out->order, count);
		straighten(&out->new, out->order, count);
	} else {
		for (i = 0; i < old->dimensions; i++)
			out->order[i] = (uint8_t)i;
	}
	out->permuted = false;
	for (i = 1; i < count; i++)
		out->permuted |= alike && out->order[i] < out->order[i - 1];
	out->copied = !alike || !rg_dtype_is_host_order(old->dtype, old->big_endian) ||
		      !rg_dtype_is_host_order(new->dtype, new->big_endian);
}

const unsigned char *rg_tensor_pair_bytes(const rg_tensor_pair *pair, const rg_tensor *side,
					  size_t at, size_t count, unsigned char *room)
{
	if (!pair->copied)
		return side->data + at * rg_dtype_size(side->dtype);
	rg_tensor_bytes(side, at, count, room);
	return room;
}

size_t rg_tensor_pair_element(const rg_tensor_pair *pair, size_t place)
{
	int64_t index[RG_METRIC_DIMENSIONS], whole[RG_METRIC_DIMENSIONS] = {0};
	size_t element = 0, i;

	rg_unravel(pair->old.shape, pair->old.dimensions, place, index);
	for (i = 0; i < pair->old.dimensions; i++)
		whole[pair->order[i]] = index[i];
	for (i = 0; i < pair->dimensions; i++)
		element = element * (size_t)pair->shape[i] + (size_t)whole[i];
	return element;
}

/* Along the last dimension of memory the numbers ascend: of each such run only the first marked
 * place matters, and that only where the run begins under what is known. */
size_t rg_tensor_pair_first(const rg_tensor_pair *pair, size_t at, size_t count, const bool *marked,
			    size_t known)
{
	size_t strides[RG_METRIC_DIMENSIONS], element, i, d, last = pair->old.dimensions - 1;
	const int64_t *shape = pair->old.shape;
	int64_t index[RG_METRIC_DIMENSIONS];

	rg_unravel(shape, last + 1, at, index);
	element = rg_tensor_pair_element(pair, at);
	for (d = 0; d <= last; d++)
		for (strides[d] = 1, i = pair->order[d] + 1u; i < pair->dimensions; i++)
			strides[d] *= (size_t)pair->shape[i];
	for (i = 0; i < count;) {
		size_t left = (size_t)(shape[last] - index[last]), k = 0;
		size_t run = left < count - i ? left : count - i;

		while (element < known && marked && k < run && !marked[i + k])
			k++;
		if (k < run && element + k * strides[last] < known)
			known = element + k * strides[last];
		i += run;
		element += run * strides[last];
		index[last] += (int64_t)run;
		for (d = last; d > 0 && index[d] == shape[d]; d--) {
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
	rg_tensor_forget(&pair->new, at, count);
}
