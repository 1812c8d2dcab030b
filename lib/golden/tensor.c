/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/tensor.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

void rg_shape_text(const int64_t *shape, size_t dimensions, char out[static RG_SHAPE_TEXT])
{
	size_t length = 1;
	memcpy(out, "[", 2);
	for (size_t i = 0; i < dimensions && length + 24 < RG_SHAPE_TEXT; i++)
		length += (size_t)snprintf(out + length, RG_SHAPE_TEXT - length, "%s%lld",
					   i ? ", " : "", (long long)shape[i]);
	memcpy(out + length, "]", 2);
}

void rg_unravel(const int64_t *shape, size_t dimensions, size_t position, int64_t *index)
{
	for (size_t i = dimensions; i-- > 0;) {
		size_t extent = shape[i] > 0 ? (size_t)shape[i] : 1;
		index[i] = (int64_t)(position % extent);
		position /= extent;
	}
}

/* Complex numbers: their ScalarType (NumPy's clongdouble has none), what they are called, and the
 * type of their parts. */
static const struct {
	int scalar_type;
	rg_dtype part;
	const char *names[4];
} complexes[] = {
	{8, RG_DTYPE_FLOAT16, {"complex32", "chalf"}},
	{9, RG_DTYPE_FLOAT32, {"complex64", "c8", "C64", "cfloat"}},
	{10, RG_DTYPE_FLOAT64, {"complex128", "c16", "C128", "cdouble"}},
	{-1, RG_DTYPE_LONGDOUBLE, {"clongdouble", "c32"}},
};

enum { COMPLEX_TYPES = sizeof(complexes) / sizeof(complexes[0]) };

static bool is_complex_name(size_t type, const char *name)
{
	const char *const *names = complexes[type].names;
	if (!strncmp(name, "torch.", 6))
		name += 6;
	for (size_t i = 0; i < 4 && names[i]; i++)
		if (!strcasecmp(names[i], name))
			return true;
	return false;
}

void rg_tensor_type_text(const rg_tensor *tensor, char out[static RG_TENSOR_TYPE_TEXT])
{
	const char *name = rg_dtype_name(tensor->dtype);
	char shape[RG_SHAPE_TEXT];

	for (size_t i = 0; i < COMPLEX_TYPES; i++)
		if (tensor->is_complex && complexes[i].part == tensor->dtype)
			name = complexes[i].names[0];
	rg_shape_text(tensor->shape, tensor->dimensions - tensor->is_complex, shape);
	snprintf(out, RG_TENSOR_TYPE_TEXT, "%s %s", name, shape);
}

/* A truth is its byte. */
void rg_tensor_element_text(const rg_tensor *tensor, size_t at,
			    char out[static RG_DOUBLE_REPR_SIZE])
{
	unsigned char truth;
	int64_t whole;
	double value;

	rg_tensor_values(tensor, at, 1, &value);
	if (tensor->convention && rg_is_masked(value)) {
		snprintf(out, RG_DOUBLE_REPR_SIZE, "masked");
	} else if (rg_dtype_is_float(tensor->dtype) || rg_tensor_is_packed(tensor)) {
		rg_double_repr(value, out);
	} else if (rg_dtype_size(tensor->dtype) == sizeof(whole)) {
		rg_tensor_bytes(tensor, at, 1, &whole);
		snprintf(out, RG_DOUBLE_REPR_SIZE,
			 tensor->dtype == RG_DTYPE_UINT64 ? "%" PRIu64 : "%" PRId64, whole);
	} else if (tensor->dtype == RG_DTYPE_BOOL) {
		rg_tensor_bytes(tensor, at, 1, &truth);
		snprintf(out, RG_DOUBLE_REPR_SIZE, "%u", (unsigned)truth);
	} else {
		snprintf(out, RG_DOUBLE_REPR_SIZE, "%.0f", value);
	}
}

static rg_error *set_complex(rg_tensor *tensor, size_t type)
{
	size_t last = tensor->dimensions;
	if (last >= RG_METRIC_DIMENSIONS)
		return rg_error_new(RG_E_PARSE, "complex numbers of %zu dimensions cannot be read",
				    last);
	tensor->dtype = complexes[type].part;
	tensor->is_complex = true;
	tensor->shape[last] = 2;
	tensor->order[last] = (uint8_t)last;
	tensor->dimensions++;
	return NULL;
}

rg_error *rg_tensor_set_scalar_type(rg_tensor *tensor, int scalar_type)
{
	for (size_t i = 0; i < COMPLEX_TYPES; i++)
		if (scalar_type >= 0 && complexes[i].scalar_type == scalar_type)
			return set_complex(tensor, i);
	if (!rg_dtype_known(scalar_type))
		return rg_error_new(RG_E_PARSE, "tensors of ScalarType %d cannot be read",
				    scalar_type);
	tensor->dtype = (rg_dtype)scalar_type;
	return NULL;
}

rg_error *rg_tensor_set_type(rg_tensor *tensor, const char *name)
{
	for (size_t i = 0; i < COMPLEX_TYPES; i++)
		if (is_complex_name(i, name))
			return set_complex(tensor, i);
	return rg_dtype_parse(name, &tensor->dtype)
		       ? NULL
		       : rg_error_new(RG_E_PARSE, "elements of type '%s' cannot be read", name);
}

bool rg_tensor_is_type(const char *name)
{
	rg_dtype dtype;
	for (size_t i = 0; i < COMPLEX_TYPES; i++)
		if (is_complex_name(i, name))
			return true;
	return rg_dtype_parse(name, &dtype);
}

void rg_tensor_row_major(rg_tensor *tensor)
{
	for (size_t i = 0; i < RG_METRIC_DIMENSIONS; i++)
		tensor->order[i] = (uint8_t)i;
}

/* Is `order` each dimension once? */
static bool is_permutation(const rg_tensor *tensor)
{
	unsigned seen = 0;
	for (size_t i = 0; i < tensor->dimensions; i++) {
		if (tensor->order[i] >= tensor->dimensions || seen & 1u << tensor->order[i])
			return false;
		seen |= 1u << tensor->order[i];
	}
	return true;
}

/* Dimensions of one element may be anywhere; the others must be in order. */
static bool is_row_major(const rg_tensor *tensor)
{
	size_t last = 0;
	for (size_t i = 0; i < tensor->dimensions; i++) {
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
	size_t n = 1;

	rg_shape_text(shape, dimensions, text);
	for (size_t i = 0; i < dimensions; i++) {
		if (shape[i] < 0)
			return rg_error_new(RG_E_PARSE, "shape %s: a dimension is negative", text);
		if (shape[i] == 0)
			none = true;
		else if ((uint64_t)shape[i] > SIZE_MAX / RG_DTYPE_SIZE_MAX / n)
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
	char text[RG_TENSOR_TYPE_TEXT], *shape;

	if (tensor->dimensions > RG_METRIC_DIMENSIONS)
		return rg_error_new(RG_E_LIMIT, "%zu dimensions, more than the limit of %d",
				    tensor->dimensions, RG_METRIC_DIMENSIONS);
	RG_TRY(rg_shape_count(tensor->shape, tensor->dimensions, &tensor->count));
	if (tensor->size != tensor->count * size) {
		rg_tensor_type_text(tensor, text);
		shape = strchr(text, ' ');
		*shape++ = '\0';
		return rg_error_new(RG_E_PARSE, "%zu byte%s, but %s of shape %s is %zu",
				    tensor->size, tensor->size == 1 ? "" : "s", text, shape,
				    tensor->count * size);
	}
	if (!is_permutation(tensor))
		return rg_error_new(RG_E_PARSE, "its order of dimensions is not a permutation");
	tensor->row_major = is_row_major(tensor);
	return NULL;
}

bool rg_tensor_same_shape(const rg_tensor *a, const rg_tensor *b)
{
	return a->is_complex == b->is_complex && a->dimensions == b->dimensions &&
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
	size_t stride = 1;
	rg_unravel(tensor->shape, tensor->dimensions, first, w->index);
	w->offset = 0;
	for (size_t i = tensor->dimensions; i-- > 0;) {
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
	size_t size = rg_dtype_size(tensor->dtype);
	unsigned char *to = out;
	walk w;

	if (!count)
		return;
	if (tensor->row_major) {
		memcpy(to, tensor->data + first * size, count * size);
	} else {
		walk_start(&w, tensor, first);
		for (size_t i = 0; i < count; i++, walk_next(&w, tensor))
			memcpy(to + i * size, tensor->data + w.offset * size, size);
	}
	rg_dtype_to_host(tensor->dtype, tensor->big_endian, to, count);
}

bool rg_tensor_is_packed(const rg_tensor *tensor)
{
	const rg_convention *c = tensor->convention;
	return c && (c->scale != 1 || c->offset != 0);
}

/* By its convention, in blocks of the host's byte order. */
static void convention_values(const rg_tensor *tensor, size_t first, size_t count, double *out)
{
	enum { BLOCK = 256 };
	unsigned char bytes[BLOCK * sizeof(*out)];
	for (size_t n; count; first += n, out += n, count -= n) {
		n = count < BLOCK ? count : BLOCK;
		rg_tensor_bytes(tensor, first, n, bytes);
		rg_convention_values(tensor->convention, bytes, n, out);
	}
}

void rg_tensor_values(const rg_tensor *tensor, size_t first, size_t count, double *out)
{
	size_t size = rg_dtype_size(tensor->dtype);
	walk w;

	if (!count)
		return;
	if (tensor->convention) {
		convention_values(tensor, first, count, out);
		return;
	}
	if (tensor->row_major) {
		rg_dtype_to_double(tensor->dtype, tensor->big_endian, tensor->data + first * size,
				   count, out);
		return;
	}
	walk_start(&w, tensor, first);
	for (size_t i = 0; i < count; i++, walk_next(&w, tensor))
		rg_dtype_to_double(tensor->dtype, tensor->big_endian,
				   tensor->data + w.offset * size, 1, out + i);
}

void rg_tensor_forget(const rg_tensor *tensor, size_t first, size_t count)
{
	/* Reading a page brings its neighbours in, up to a huge page of them, even if they were
	 * forgotten before. */
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
	static const int64_t one[] = {1};
	rg_tensor *copy = rg_arena_alloc(&builder->golden->arena, sizeof(*copy));
	rg_metric *metric;
	*copy = *tensor;
	RG_TRY(rg_tensor_check(copy));
	RG_TRY(rg_golden_builder_series(builder, name, strlen(name), &metric));
	metric->count = copy->count;
	metric->steps = NULL;
	metric->values = NULL;
	metric->block = read_block;
	metric->tensor = copy;
	metric->dimensions = copy->dimensions ? copy->dimensions : 1;
	metric->shape = copy->dimensions ? copy->shape : one;
	return NULL;
}

rg_error *rg_tensor_add_unreadable(rg_golden_builder *builder, const char *name, const void *data,
				   size_t size, rg_error *why)
{
	RG_AUTO_PTR(rg_error) reason = why;
	rg_metric *metric;

	RG_TRY(rg_golden_builder_metric(builder, name, strlen(name), RG_METRIC_UNREADABLE,
					&metric));
	metric->text = data;
	metric->count = size;
	metric->unreadable = rg_arena_text(&builder->golden->arena, rg_error_message(reason));
	rg_golden_builder_note(builder, RG_NOTE_UNREADABLE, "%s: %s", name, metric->unreadable);
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
