/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/npy.h"

#include "base/bytes.h"
#include "base/path.h"
#include "base/number.h"
#include "base/utf8.h"
#include "golden/cursor.h"
#include "golden/format.h"
#include "golden/npy_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char magic[] = "\x93NUMPY";
enum { MAGIC_SIZE = 6, HEADER_MAX = 65536, ALIGNMENT = 64 };
enum { DEPTH_MAX = 8, NAME_SIZE = 256 };

/* The header is a Python dictionary. Only headers as NumPy itself writes them are understood. */

/* A text in single or double quotes, without escapes. */
static bool take_text(rg_cursor *c, char *out, size_t size)
{
	rg_cursor_skip_blanks(c);
	if (c->at == c->end || (*c->at != '\'' && *c->at != '"'))
		return false;
	char quote = *c->at++;
	const char *start = c->at;
	const char *close = memchr(start, quote, (size_t)(c->end - start));
	if (!close || (size_t)(close - start) >= size ||
	    memchr(start, '\\', (size_t)(close - start)))
		return false;
	memcpy(out, start, (size_t)(close - start));
	out[close - start] = '\0';
	c->at = close + 1;
	return true;
}

static rg_error *take_shape(rg_cursor *c, rg_tensor *out)
{
	if (!rg_cursor_take_sign(c, '('))
		return rg_error_new(RG_E_PARSE, "npy: its shape is not a tuple");
	for (out->dimensions = 0; !rg_cursor_take_sign(c, ')'); out->dimensions++) {
		const char *start;
		if (out->dimensions && !rg_cursor_take_sign(c, ','))
			return rg_error_new(RG_E_PARSE, "npy: its shape does not end");
		if (rg_cursor_take_sign(c, ')'))
			return NULL;
		if (out->dimensions == RG_METRIC_DIMENSIONS)
			return rg_error_new(RG_E_LIMIT, "npy: more than %d dimensions",
					    RG_METRIC_DIMENSIONS);
		rg_cursor_skip_blanks(c);
		for (start = c->at; c->at < c->end && *c->at >= '0' && *c->at <= '9'; c->at++)
			;
		if (!rg_int64_parse(start, (size_t)(c->at - start), &out->shape[out->dimensions]))
			return rg_error_new(RG_E_PARSE,
					    "npy: its shape has an item that is not a number");
	}
	return NULL;
}

/* NumPy's types are a letter and a size; other names that rg_tensor_set_type takes are refused. f16
 * has sixteen bytes here and sixteen bits elsewhere; it is read as x86 has it, little-endian. */
static rg_error *set_descr(rg_tensor *out, const char *descr)
{
	const char *type = descr + (*descr && strchr("<>=|", *descr));
	bool wide = !strcmp(type, "f16") || !strcmp(type, "c32");
	bool known = strlen(type) == 2 && strchr("biufc", type[0]) && rg_tensor_is_type(type);

	out->big_endian = *descr == '>';
	if (!known && !(wide && !out->big_endian) && strcmp(type, "c16") != 0)
		return rg_error_new(RG_E_PARSE, "npy: elements of type '%s' cannot be read", descr);
	return rg_error_wrap(
		rg_tensor_set_type(out, strcmp(type, "f16") != 0 ? type : "longdouble"), "npy");
}

/* A field of records, or the whole of an element. */
typedef struct {
	char name[NAME_SIZE], type[32];
	rg_tensor part; /* its type, and the shape of one alone */
	size_t offset, size;
} field;

typedef struct {
	rg_tensor array; /* the shape and order of the elements, and their bytes */
	bool records;
	field *fields;
	size_t count, capacity;
	size_t size; /* bytes of an element */
} header;

static void header_release(header *h)
{
	free(h->fields);
}

static rg_error *broken_type(void)
{
	return rg_error_new(RG_E_PARSE,
			    "npy: a type is broken, or of arrays of records inside records");
}

/* PARENT/NAME. In front of a name there may be a title. Letters of Latin-1, which version 1 has,
 * become UTF-8. */
static bool take_name(rg_cursor *c, const char *parent, char out[static NAME_SIZE])
{
	const bool titled = rg_cursor_take_sign(c, '(');
	char own[NAME_SIZE];

	if (!take_text(c, own, sizeof(own)) ||
	    (titled && (!rg_cursor_take_sign(c, ',') || !take_text(c, own, sizeof(own)) ||
			!rg_cursor_take_sign(c, ')'))) ||
	    strlen(parent) + 2 * strlen(own) + 2 > NAME_SIZE)
		return false;
	char *to = out + snprintf(out, NAME_SIZE, "%s%s", parent, *parent ? "/" : "");
	for (size_t i = 0, length; own[i]; i += length + !length, to += length) {
		length = rg_utf8_length(own + i, strlen(own + i));
		memcpy(to, own + i, length);
		if (length)
			continue;
		*to++ = (char)(0xc0 | (unsigned char)own[i] >> 6);
		*to++ = (char)(0x80 | (own[i] & 0x3f));
	}
	*to = '\0';
	return true;
}

static rg_error *take_type(header *h, rg_cursor *c, const char *name, int depth);

/* "('x', '<f8'), ('', '|V4')]": what comes after the bracket. Bytes without a name are padding. */
static rg_error *take_fields(header *h, rg_cursor *c, const char *parent, int depth)
{
	char name[NAME_SIZE];
	while (!rg_cursor_take_sign(c, ']')) {
		const size_t count = h->count;
		if (!rg_cursor_take_sign(c, '(') || !take_name(c, parent, name) ||
		    !rg_cursor_take_sign(c, ','))
			return broken_type();
		RG_TRY(take_type(h, c, name, depth + 1));
		if (!rg_cursor_take_sign(c, ')') ||
		    (!rg_cursor_take_sign(c, ',') && (c->at == c->end || *c->at != ']')))
			return broken_type();
		if ((!*name || name[strlen(name) - 1] == '/') && h->count == count + 1 &&
		    h->fields[count].type[1] == 'V')
			h->count = count;
	}
	return NULL;
}

static rg_error *take_type(header *h, rg_cursor *c, const char *name, int depth)
{
	field f = {.offset = h->size};
	size_t n;

	if (depth > DEPTH_MAX)
		return rg_error_new(RG_E_LIMIT, "npy: records in records at over %d levels",
				    DEPTH_MAX);
	if (rg_cursor_take_sign(c, '[')) {
		h->records = true;
		return take_fields(h, c, name, depth);
	}
	if (!take_text(c, f.type, sizeof(f.type)))
		return broken_type();
	if (depth && rg_cursor_take_sign(c, ','))
		RG_TRY(take_shape(c, &f.part));
	rg_tensor_row_major(&f.part);
	RG_TRY(rg_shape_count(f.part.shape, f.part.dimensions, &n));
	if (f.type[strspn(f.type, "<>=|")] == 'O')
		return rg_error_new(RG_E_PARSE, "npy: Python objects cannot be read");
	if (!rg_npy_is_text(f.type, &f.size)) {
		RG_TRY(set_descr(&f.part, f.type));
		f.size = rg_dtype_size(f.part.dtype) << f.part.is_complex;
	}
	if (__builtin_mul_overflow(f.size, n, &f.size) ||
	    __builtin_add_overflow(h->size, f.size, &h->size))
		return broken_type();
	memcpy(f.name, name, strlen(name) + 1);
	*RG_PUSH(h->fields, h->count, h->capacity) = f;
	return NULL;
}

static rg_error *parse_header(header *out, rg_cursor c)
{
	bool fortran = false, has_descr = false, has_order = false, has_shape = false;
	rg_tensor *array = &out->array;
	char key[32];

	if (!rg_cursor_take_sign(&c, '{'))
		return rg_error_new(RG_E_PARSE, "npy: its header is not a dictionary");
	while (!rg_cursor_take_sign(&c, '}')) {
		if (!take_text(&c, key, sizeof(key)) || !rg_cursor_take_sign(&c, ':'))
			return rg_error_new(RG_E_PARSE, "npy: a key of its header is broken");
		if (!strcmp(key, "descr") && !has_descr) {
			RG_TRY(take_type(out, &c, "", 0));
			has_descr = true;
		} else if (!strcmp(key, "fortran_order") && !has_order) {
			rg_cursor_skip_blanks(&c);
			fortran = rg_cursor_take_word(&c, "True");
			if (!fortran && !rg_cursor_take_word(&c, "False"))
				return rg_error_new(RG_E_PARSE,
						    "npy: fortran_order is neither True nor False");
			has_order = true;
		} else if (!strcmp(key, "shape") && !has_shape) {
			RG_TRY(take_shape(&c, array));
			has_shape = true;
		} else {
			return rg_error_new(RG_E_PARSE, "npy: key '%s' in its header", key);
		}
		if (!rg_cursor_take_sign(&c, ',') &&
		    (rg_cursor_skip_blanks(&c), c.at == c.end || *c.at != '}'))
			return rg_error_new(RG_E_PARSE, "npy: its header does not end");
	}
	rg_cursor_skip_blanks(&c);
	if (c.at < c.end)
		return rg_error_new(RG_E_PARSE, "npy: its header continues after the dictionary");
	if (!has_descr || !has_order || !has_shape)
		return rg_error_new(RG_E_PARSE, "npy: no %s in its header",
				    !has_descr   ? "descr"
				    : !has_order ? "fortran_order"
						 : "shape");
	rg_tensor_row_major(array);
	for (size_t i = 0; fortran && i < array->dimensions; i++)
		array->order[i] = (uint8_t)(array->dimensions - 1 - i);
	return NULL;
}

static bool has_magic(const void *data, size_t size)
{
	return size >= MAGIC_SIZE && !memcmp(data, magic, MAGIC_SIZE);
}

/* *out begins all zero, and is released whatever comes back. */
static rg_error *read_header(header *out, const void *data, size_t size)
{
	const unsigned char *bytes = data;
	if (!has_magic(data, size))
		return rg_error_new(RG_E_PARSE, "no .npy: its first bytes are not \\x93NUMPY");
	if (size < MAGIC_SIZE + 6)
		return rg_error_new(RG_E_PARSE, "npy: cut off in its header");
	if (bytes[6] < 1 || bytes[6] > 3 || bytes[7])
		return rg_error_new(RG_E_PARSE, "npy: version %u.%u is not known",
				    (unsigned)bytes[6], (unsigned)bytes[7]);
	size_t start = bytes[6] > 1 ? 12 : 10;
	size_t length = bytes[6] > 1 ? rg_le32(bytes + 8) : rg_le16(bytes + 8);
	if (length > HEADER_MAX)
		return rg_error_new(RG_E_LIMIT, "npy: a header of %zu bytes, more than %d", length,
				    HEADER_MAX);
	if (length > size - start)
		return rg_error_new(RG_E_PARSE, "npy: cut off in its header");
	out->array.data = bytes + start + length;
	out->array.size = size - start - length;
	return parse_header(out, (rg_cursor){(const char *)bytes + start,
					     (const char *)bytes + start + length});
}

/* *out is the array's elements, each with the shape of the field. */
static rg_error *field_shape(rg_tensor *out, const rg_tensor *array, const rg_tensor *part)
{
	const size_t outer = array->dimensions;
	*out = *part;
	out->data = array->data;
	out->size = array->size;
	out->dimensions = outer + part->dimensions;
	if (out->dimensions > RG_METRIC_DIMENSIONS)
		return rg_error_new(RG_E_LIMIT, "npy: more than %d dimensions",
				    RG_METRIC_DIMENSIONS);
	memcpy(out->shape, array->shape, outer * sizeof(*out->shape));
	memcpy(out->order, array->order, outer);
	for (size_t i = outer; i < out->dimensions; i++) {
		out->shape[i] = part->shape[i - outer];
		out->order[i] = (uint8_t)i;
	}
	return NULL;
}

rg_error *rg_npy_read(rg_tensor *out, const void *data, size_t size)
{
	RG_AUTO(header) h = {0};
	size_t length;

	*out = (rg_tensor){0};
	RG_TRY(read_header(&h, data, size));
	if (h.records || rg_npy_is_text(h.fields->type, &length))
		return rg_error_new(RG_E_PARSE, "npy: its elements are not numbers");
	RG_TRY(field_shape(out, &h.array, &h.fields->part));
	return rg_error_wrap(rg_tensor_check(out), "npy");
}

/* Adds a field as a metric. Its bytes lie apart, and are copied. */
static rg_error *append_field(rg_golden_builder *builder, const char *name, const header *h,
			      const field *f, size_t elements, rg_forget_fn *forget)
{
	rg_tensor tensor;
	size_t size;

	RG_TRY(field_shape(&tensor, &h->array, &f->part));
	tensor.forget = h->records ? NULL : forget;
	if (h->records) {
		tensor.size = elements * f->size;
		unsigned char *bytes = rg_arena_alloc(&builder->golden->arena, tensor.size + 1);
		for (size_t i = 0; i < elements; i++)
			memcpy(bytes + i * f->size, h->array.data + i * h->size + f->offset,
			       f->size);
		tensor.data = bytes;
	}
	return rg_error_wrap(rg_npy_is_text(f->type, &size)
				     ? rg_npy_add_texts(builder, name, tensor, f->type)
				     : rg_tensor_add(builder, name, &tensor),
			     "npy");
}

rg_error *rg_npy_add(rg_golden_builder *builder, const char *name, const char *prefix,
		     const void *data, size_t size, rg_forget_fn *forget)
{
	RG_AUTO(header) h = {0};
	size_t elements, all;

	RG_TRY(read_header(&h, data, size));
	RG_TRY(rg_shape_count(h.array.shape, h.array.dimensions, &elements));
	if (h.records && (__builtin_mul_overflow(elements, h.size, &all) || all != h.array.size))
		return rg_error_new(RG_E_PARSE, "npy: %zu bytes, but %zu records of %zu",
				    h.array.size, elements, h.size);
	if (h.records && all > RG_UNPACKED_MAX)
		return rg_error_new(RG_E_LIMIT, "npy: records of %zu bytes, more than %zu", all,
				    RG_UNPACKED_MAX);
	for (size_t i = 0; i < h.count; i++) {
		const field *f = &h.fields[i];
		if (h.records)
			name = prefix ? rg_arena_textf(&builder->golden->arena, "%s/%s", prefix,
						       f->name)
				      : f->name;
		RG_TRY(append_field(builder, name, &h, f, elements, forget));
	}
	return NULL;
}

/* NumPy's letter and size. */
static const char *const descrs[RG_DTYPE_COUNT] = {
	[RG_DTYPE_UINT8] = "|u1",       [RG_DTYPE_INT8] = "|i1",    [RG_DTYPE_BOOL] = "|b1",
	[RG_DTYPE_INT16] = "<i2",       [RG_DTYPE_UINT16] = "<u2",  [RG_DTYPE_INT32] = "<i4",
	[RG_DTYPE_UINT32] = "<u4",      [RG_DTYPE_INT64] = "<i8",   [RG_DTYPE_UINT64] = "<u8",
	[RG_DTYPE_FLOAT16] = "<f2",     [RG_DTYPE_FLOAT32] = "<f4", [RG_DTYPE_FLOAT64] = "<f8",
	[RG_DTYPE_LONGDOUBLE] = "<f16",
};

/* NULL for a type that NumPy does not have. */
static const char *descr_of(const rg_tensor *tensor)
{
	static const char *const complexes[RG_DTYPE_COUNT] = {
		[RG_DTYPE_FLOAT32] = "<c8",
		[RG_DTYPE_FLOAT64] = "<c16",
		[RG_DTYPE_LONGDOUBLE] = "<c32",
	};

	return (tensor->is_complex ? complexes : descrs)[tensor->dtype];
}

bool rg_npy_has_type(const rg_tensor *tensor)
{
	return descr_of(tensor) != NULL;
}

rg_error *rg_npy_header(rg_buf *out, const rg_tensor *tensor)
{
	const char *descr = descr_of(tensor);
	size_t start = out->length, dimensions = tensor->dimensions - tensor->is_complex;
	char type[RG_TENSOR_TYPE_TEXT];

	rg_tensor_type_text(tensor, type);
	if (!descr)
		return rg_error_new(RG_E_USAGE, "NumPy has no type for %s", type);
	rg_buf_add(out, magic, MAGIC_SIZE);
	rg_buf_add(out, "\x01\x00\x00\x00", 4);
	rg_buf_printf(out, "{'descr': '%s', 'fortran_order': False, 'shape': (", descr);
	for (size_t i = 0; i < dimensions; i++)
		rg_buf_printf(out, "%s%lld", i ? ", " : "", (long long)tensor->shape[i]);
	rg_buf_str(out, dimensions == 1 ? ",), }" : "), }");
	/* Blanks up to a newline that ends on a multiple of 64. */
	while ((out->length - start + 1) % ALIGNMENT && rg_buf_reserve(out, 1))
		rg_buf_char(out, ' ');
	rg_buf_char(out, '\n');
	RG_TRY(rg_buf_check(out, "npy header"));
	size_t length = out->length - start - 10;
	out->data[start + 8] = (char)(length & 0xff);
	out->data[start + 9] = (char)(length >> 8);
	return NULL;
}

static int bid(const rg_input *in)
{
	return rg_format_bid(rg_ends_with(in->name, ".npy"), has_magic(in->data, in->size));
}

static rg_error *read_golden(rg_golden_builder *builder, const rg_input *in,
			     const rg_golden_options *options)
{
	(void)options;
	return rg_npy_add(builder, "tensor", NULL, in->data, in->size, in->forget);
}

const rg_format rg_format_npy = {
	.name = "npy", .bid = bid, .read = read_golden, .in_place = true, .has_tensors = true};
