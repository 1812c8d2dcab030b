/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/tensor.h"

#include "base/number.h"

#include <stdio.h>
#include <string.h>

void rg_shape_text(const int64_t *shape, size_t dimensions, char out[static RG_SHAPE_TEXT])
{
	size_t length = 1, i;

	memcpy(out, "[", 2);
	for (i = 0; i < dimensions && length + 24 < RG_SHAPE_TEXT; i++)
		length += (size_t)snprintf(out + length, RG_SHAPE_TEXT - length, "%s%lld",
					   i ? ", " : "", (long long)shape[i]);
	memcpy(out + length, "]", 2);
}

void rg_unravel(const int64_t *shape, size_t dimensions, size_t position, int64_t *index)
{
	size_t i;

	for (i = dimensions; i-- > 0;) {
		size_t extent = shape[i] > 0 ? (size_t)shape[i] : 1;

		index[i] = (int64_t)(position % extent);
		position /= extent;
	}
}

void rg_tensor_row_major(rg_tensor *tensor)
{
	size_t i;

	for (i = 0; i < RG_METRIC_DIMENSIONS; i++)
		tensor->order[i] = (uint8_t)i;
}

/* Is `order` each dimension once? */
static bool is_permutation(const rg_tensor *tensor)
{
	unsigned seen = 0;
	size_t i;

	for (i = 0; i < tensor->dimensions; i++) {
		if (tensor->order[i] >= tensor->dimensions || seen & 1u << tensor->order[i])
			return false;
		seen |= 1u << tensor->order[i];
	}
	return true;
}

/* Dimensions of one element may be anywhere; the others must be in order. */
static bool is_row_major(const rg_tensor *tensor)
{
	size_t last = 0, i;

	for (i = 0; i < tensor->dimensions; i++) {
		if (tensor->shape[tensor->order[i]] == 1)
			continue;
		if (tensor->order[i] < last)
			return false;
		last = tensor->order[i];
	}
	return true;
}

rg_error *rg_shape_count(const int64_t *shape, size_t dimensions, size_t *count)
{
	char text[RG_SHAPE_TEXT];
	bool none = false;
	size_t n = 1, i;

	rg_shape_text(shape, dimensions, text);
	for (i = 0; i < dimensions; i++) {
		if (shape[i] < 0)
			return rg_error_new(RG_E_PARSE, "shape %s: a dimension is negative", text);
		if (shape[i] == 0)
			none = true;
		else if ((uint64_t)shape[i] > SIZE_MAX / sizeof(double) / n)
			return rg_error_new(RG_E_PARSE, "shape %s: too many elements", text);
		else
			n *= (size_t)shape[i];
	}
	*count = none ? 0 : n;
	return NULL;
}

rg_error *rg_tensor_check(rg_tensor *tensor)
{
	size_t size = rg_dtype_size(tensor->dtype);
	char text[RG_SHAPE_TEXT];

	if (tensor->dimensions > RG_METRIC_DIMENSIONS)
		return rg_error_new(RG_E_LIMIT, "%zu dimensions, more than the limit of %d",
				    tensor->dimensions, RG_METRIC_DIMENSIONS);
	rg_shape_text(tensor->shape, tensor->dimensions, text);
	RG_TRY(rg_shape_count(tensor->shape, tensor->dimensions, &tensor->count));
	if (tensor->size != tensor->count * size)
		return rg_error_new(RG_E_PARSE, "%zu byte%s, but %s of shape %s is %zu",
				    tensor->size, tensor->size == 1 ? "" : "s",
				    rg_dtype_name(tensor->dtype), text, tensor->count * size);
	if (!is_permutation(tensor))
		return rg_error_new(RG_E_PARSE, "its order of dimensions is not a permutation");
	tensor->row_major = is_row_major(tensor);
	return NULL;
}

bool rg_tensor_same_shape(const rg_tensor *a, const rg_tensor *b)
{
	return a->dimensions == b->dimensions &&
	       !memcmp(a->shape, b->shape, a->dimensions * sizeof(a->shape[0]));
}

/* A walk over elements in row-major order: where each is in memory. */
typedef struct {
	int64_t index[RG_METRIC_DIMENSIONS];
	size_t stride[RG_METRIC_DIMENSIONS]; /* in elements */
	size_t offset;
} walk;

static void walk_start(walk *w, const rg_tensor *tensor, size_t first)
{
	size_t stride = 1, i;

	rg_unravel(tensor->shape, tensor->dimensions, first, w->index);
	w->offset = 0;
	for (i = tensor->dimensions; i-- > 0;) {
		size_t d = tensor->order[i];

		w->stride[d] = stride;
		w->offset += (size_t)w->index[d] * stride;
		stride *= (size_t)tensor->shape[d];
	}
}

static void walk_next(walk *w, const rg_tensor *tensor)
{
	size_t d = tensor->dimensions;

	while (d-- > 0) {
		w->offset += w->stride[d];
		if (++w->index[d] < tensor->shape[d])
			return;
		w->offset -= w->stride[d] * (size_t)tensor->shape[d];
		w->index[d] = 0;
	}
}

void rg_tensor_bytes(const rg_tensor *tensor, size_t first, size_t count, void *out)
{
	size_t size = rg_dtype_size(tensor->dtype), i;
	unsigned char *to = out;
	walk w;

	if (!count)
		return;
	if (tensor->row_major) {
		memcpy(to, tensor->data + first * size, count * size);
	} else {
		walk_start(&w, tensor, first);
		for (i = 0; i < count; i++, walk_next(&w, tensor))
			memcpy(to + i * size, tensor->data + w.offset * size, size);
	}
	rg_dtype_to_host(tensor->dtype, tensor->big_endian, to, count);
}

void rg_tensor_values(const rg_tensor *tensor, size_t first, size_t count, double *out)
{
	size_t size = rg_dtype_size(tensor->dtype), i;
	walk w;

	if (!count)
		return;
	if (tensor->row_major) {
		rg_dtype_to_double(tensor->dtype, tensor->big_endian, tensor->data + first * size,
				   count, out);
		return;
	}
	walk_start(&w, tensor, first);
	for (i = 0; i < count; i++, walk_next(&w, tensor))
		rg_dtype_to_double(tensor->dtype, tensor->big_endian,
				   tensor->data + w.offset * size, 1, out + i);
}

void rg_tensor_forget(const rg_tensor *tensor, size_t first, size_t count)
{
	/* Reading a page brings its neighbours in, up to a huge page of them, also such as were
	 * forgotten already. */
	enum { AROUND = 2 << 20 };
	size_t size = rg_dtype_size(tensor->dtype), start = first * size,
	       end = start + count * size;

	if (!tensor->forget || !tensor->row_major)
		return;
	start -= start < AROUND ? start : AROUND;
	end += tensor->size - end < AROUND ? tensor->size - end : AROUND;
	tensor->forget(tensor->data + start, end - start);
}

static rg_error *read_block(const rg_metric *metric, size_t first, size_t count, double *out)
{
	rg_tensor_values(metric->tensor, first, count, out);
	return NULL;
}

rg_error *rg_tensor_add(rg_golden_builder *builder, const char *name, const rg_tensor *tensor)
{
	rg_tensor *copy = rg_arena_alloc(&builder->golden->arena, sizeof(*copy));
	rg_metric *metric;

	if (!copy)
		return rg_error_nomem();
	*copy = *tensor;
	RG_TRY(rg_tensor_check(copy));
	RG_TRY(rg_golden_builder_series(builder, name, strlen(name), &metric));
	metric->count = copy->count;
	metric->steps = NULL;
	metric->values = NULL;
	metric->block = read_block;
	metric->tensor = copy;
	metric->dimensions = copy->dimensions ? copy->dimensions : 1;
	metric->shape[0] = 1;
	memcpy(metric->shape, copy->shape, copy->dimensions * sizeof(copy->shape[0]));
	return NULL;
}

rg_error *rg_shape_parse(const char *text, int64_t shape[static RG_METRIC_DIMENSIONS],
			 size_t *dimensions)
{
	const char *p = text, *end = text + strlen(text);

	*dimensions = 0;
	if (end > p && *p == '[' && end[-1] == ']') {
		p++;
		end--;
	}
	for (;;) {
		const char *start;

		p += strspn(p, " ");
		start = p;
		p += strspn(p, "0123456789");
		if (p == start && *dimensions == 0 && p == end)
			return NULL;
		if (*dimensions == RG_METRIC_DIMENSIONS)
			return rg_error_new(RG_E_USAGE, "shape '%s': more than %d dimensions", text,
					    RG_METRIC_DIMENSIONS);
		if (!rg_int64_parse(start, (size_t)(p - start), &shape[*dimensions]))
			break;
		++*dimensions;
		p += strspn(p, " ");
		if (p == end)
			return NULL;
		if (!strchr(",x", *p++))
			break;
	}
	return rg_error_new(RG_E_USAGE, "'%s' is not a shape such as 2,3", text);
}
