/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/tensor_gather.h"

#include <string.h>

/* So much is read before its memory is given back. Reading a page brings its neighbours in, up to a
 * huge page of them. */
enum { FORGET_EACH = 4 << 20, AROUND = 2 << 20 };

typedef struct {
	const rg_tensor *tensor;
	size_t size;                       /* of an element */
	size_t from[RG_METRIC_DIMENSIONS]; /* strides in the tensor, in bytes */
	size_t to[RG_METRIC_DIMENSIONS];   /* in row-major order, in elements */
	size_t forgotten;                  /* bytes of the tensor before this one are */
} gather_state;

/* Everything up to `at` was read. */
static void forget(gather_state *g, size_t at)
{
	size_t start = g->forgotten < AROUND ? 0 : g->forgotten - AROUND;
	if (g->tensor->forget)
		g->tensor->forget(g->tensor->data + start, at - start);
	g->forgotten = at;
}

#define COPY(SIZE)                  \
	for (i = 0; i < count; i++) \
	memcpy(to + i * to_stride * (SIZE), from + i * from_stride, SIZE)

/* Copies one line of elements. */
static void copy_line(size_t size, unsigned char *to, size_t to_stride, const unsigned char *from,
		      size_t from_stride, size_t count)
{
	size_t i;
	switch (size) {
	case 1:
		COPY(1);
		break;
	case 2:
		COPY(2);
		break;
	case 4:
		COPY(4);
		break;
	case 8:
		COPY(8);
		break;
	default:
		COPY(size);
	}
}

/* Copies `extent` indices of dimension d, all of those after it, and one of those before it, in the
 * order in which they lie; the first element is at `at`. */
static void copy_box(gather_state *g, size_t d, size_t extent, size_t at, unsigned char *out)
{
	size_t dims[RG_METRIC_DIMENSIONS] = {0}, index[RG_METRIC_DIMENSIONS] = {0};
	size_t count = 0, i, k, place = 0;

	for (i = 0; i < g->tensor->dimensions; i++)
		if (g->tensor->order[i] >= d)
			dims[count++] = g->tensor->order[i];
	g->forgotten = at;
	for (;;) {
		size_t line = dims[count - 1];
		copy_line(g->size, out + place * g->size, g->to[line], g->tensor->data + at,
			  g->from[line], line == d ? extent : (size_t)g->tensor->shape[line]);
		if (at > g->forgotten && at - g->forgotten >= FORGET_EACH)
			forget(g, at);
		for (i = count - 1; i-- > 0;) {
			k = dims[i];
			at += g->from[k];
			place += g->to[k];
			if (++index[k] < (k == d ? extent : (size_t)g->tensor->shape[k]))
				break;
			at -= g->from[k] * index[k];
			place -= g->to[k] * index[k];
			index[k] = 0;
		}
		if (i == SIZE_MAX)
			break;
	}
	forget(g, g->tensor->size);
}

/* Copies elements of dimension d and those after it. */
static void gather(gather_state *g, size_t d, size_t first, size_t count, size_t at,
		   unsigned char *out)
{
	while (count) {
		size_t each = g->to[d], index = first / each, inner = first % each;
		size_t here = at + index * g->from[d], part;

		if (!inner && count >= each) {
			part = count / each * each;
			copy_box(g, d, count / each, here, out);
		} else {
			part = each - inner < count ? each - inner : count;
			gather(g, d + 1, inner, part, here, out);
		}
		first += part;
		count -= part;
		out += part * g->size;
	}
}

void rg_tensor_gather(const rg_tensor *tensor, size_t first, size_t count, void *out)
{
	gather_state g = {.tensor = tensor, .size = rg_dtype_size(tensor->dtype)};
	size_t stride, i;

	if (tensor->row_major) {
		if (count)
			memcpy(out, tensor->data + first * g.size, count * g.size);
		return;
	}
	for (i = 0; i < RG_METRIC_DIMENSIONS; i++)
		g.to[i] = 1;
	for (i = tensor->dimensions, stride = 1; i-- > 0; stride *= (size_t)tensor->shape[i])
		g.to[i] = stride;
	for (i = tensor->dimensions, stride = g.size; i-- > 0;) {
		size_t d = tensor->order[i];
		g.from[d] = stride;
		stride *= (size_t)tensor->shape[d];
	}
	gather(&g, 0, first, count, 0, out);
}

size_t rg_tensor_gather_count(const rg_tensor *tensor, size_t room)
{
	size_t most = room / rg_dtype_size(tensor->dtype), part = 1, d = tensor->dimensions;
	while (d > 0 && part * (size_t)tensor->shape[d - 1] <= most)
		part *= (size_t)tensor->shape[--d];
	if (d)
		return most / part * part;
	return part ? part : 1;
}
