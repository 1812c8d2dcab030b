/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/npy.h"

#include "base/bytes.h"
#include "base/file.h"
#include "base/number.h"
#include "golden/cursor.h"
#include "golden/format.h"

#include <string.h>

static const char magic[] = "\x93NUMPY";
enum { MAGIC_SIZE = 6, HEADER_MAX = 65536, ALIGNMENT = 64 };

/* The header is a Python dictionary, of which only what NumPy itself writes is understood. */

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

/* NumPy's types are a letter and a size; nothing else that rg_tensor_set_type takes. f16 has
 * sixteen bytes here and sixteen bits elsewhere; it is read as x86 has it, whose bytes are never
 * the other way round. */
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

static rg_error *parse_header(rg_tensor *out, rg_cursor c)
{
	bool fortran = false, has_descr = false, has_order = false, has_shape = false;
	char key[32], descr[32];

	if (!rg_cursor_take_sign(&c, '{'))
		return rg_error_new(RG_E_PARSE, "npy: its header is not a dictionary");
	while (!rg_cursor_take_sign(&c, '}')) {
		if (!take_text(&c, key, sizeof(key)) || !rg_cursor_take_sign(&c, ':'))
			return rg_error_new(RG_E_PARSE, "npy: a key of its header is broken");
		if (!strcmp(key, "descr") && !has_descr) {
			if (!take_text(&c, descr, sizeof(descr)))
				return rg_error_new(RG_E_PARSE,
						    "npy: records and other structured types "
						    "cannot be read");
			has_descr = true;
		} else if (!strcmp(key, "fortran_order") && !has_order) {
			rg_cursor_skip_blanks(&c);
			fortran = rg_cursor_take_word(&c, "True");
			if (!fortran && !rg_cursor_take_word(&c, "False"))
				return rg_error_new(RG_E_PARSE,
						    "npy: fortran_order is neither True nor False");
			has_order = true;
		} else if (!strcmp(key, "shape") && !has_shape) {
			RG_TRY(take_shape(&c, out));
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
	rg_tensor_row_major(out);
	if (fortran)
		for (size_t i = 0; i < out->dimensions; i++)
			out->order[i] = (uint8_t)(out->dimensions - 1 - i);
	return set_descr(out, descr);
}

static bool has_magic(const void *data, size_t size)
{
	return size >= MAGIC_SIZE && !memcmp(data, magic, MAGIC_SIZE);
}

rg_error *rg_npy_read(rg_tensor *out, const void *data, size_t size)
{
	const unsigned char *bytes = data;
	*out = (rg_tensor){0};
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
	RG_TRY(parse_header(out, (rg_cursor){(const char *)bytes + start,
					     (const char *)bytes + start + length}));
	out->data = bytes + start + length;
	out->size = size - start - length;
	return rg_error_wrap(rg_tensor_check(out), "npy");
}

/* NumPy's letter and size. */
static const char *const descrs[RG_DTYPE_COUNT] = {
	[RG_DTYPE_UINT8] = "|u1",       [RG_DTYPE_INT8] = "|i1",    [RG_DTYPE_BOOL] = "|b1",
	[RG_DTYPE_INT16] = "<i2",       [RG_DTYPE_UINT16] = "<u2",  [RG_DTYPE_INT32] = "<i4",
	[RG_DTYPE_UINT32] = "<u4",      [RG_DTYPE_INT64] = "<i8",   [RG_DTYPE_UINT64] = "<u8",
	[RG_DTYPE_FLOAT16] = "<f2",     [RG_DTYPE_FLOAT32] = "<f4", [RG_DTYPE_FLOAT64] = "<f8",
	[RG_DTYPE_LONGDOUBLE] = "<f16",
};

/* NULL for what it does not know. */
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
	rg_tensor tensor;
	(void)options;
	RG_TRY(rg_npy_read(&tensor, in->data, in->size));
	tensor.forget = in->forget;
	return rg_tensor_add(builder, "tensor", &tensor);
}

const rg_format rg_format_npy = {.name = "npy", .bid = bid, .read = read_golden, .in_place = true};
