#include "golden/npy.h"

#include "base/file.h"
#include "base/number.h"
#include "golden/format.h"

#include <string.h>

static const char magic[] = "\x93NUMPY";
enum { MAGIC_SIZE = 6, HEADER_MAX = 65536, ALIGNMENT = 64 };

/* The header: a Python dictionary, of which only what NumPy itself writes is understood. */
typedef struct {
	const char *p, *end;
} cursor;

static void skip_blanks(cursor *c)
{
	while (c->p < c->end && (*c->p == ' ' || *c->p == '\n' || *c->p == '\t' || *c->p == '\r'))
		c->p++;
}

/* Takes `byte`, and blanks before it, where it comes next. */
static bool take(cursor *c, char byte)
{
	skip_blanks(c);
	if (c->p == c->end || *c->p != byte)
		return false;
	c->p++;
	return true;
}

static bool take_word(cursor *c, const char *word)
{
	size_t length = strlen(word);

	skip_blanks(c);
	if ((size_t)(c->end - c->p) < length || memcmp(c->p, word, length) != 0)
		return false;
	c->p += length;
	return true;
}

/* A text in single or double quotes, without escapes. */
static bool take_text(cursor *c, char *out, size_t size)
{
	const char *start, *close;
	char quote;

	skip_blanks(c);
	if (c->p == c->end || (*c->p != '\'' && *c->p != '"'))
		return false;
	quote = *c->p++;
	start = c->p;
	close = memchr(start, quote, (size_t)(c->end - start));
	if (!close || (size_t)(close - start) >= size ||
	    memchr(start, '\\', (size_t)(close - start)))
		return false;
	memcpy(out, start, (size_t)(close - start));
	out[close - start] = '\0';
	c->p = close + 1;
	return true;
}

static rg_error *take_shape(cursor *c, rg_tensor *out)
{
	if (!take(c, '('))
		return rg_error_new(RG_E_PARSE, "npy: its shape is no tuple");
	for (out->dimensions = 0; !take(c, ')'); out->dimensions++) {
		const char *start;

		if (out->dimensions && !take(c, ','))
			return rg_error_new(RG_E_PARSE, "npy: its shape does not end");
		if (take(c, ')'))
			return NULL;
		if (out->dimensions == RG_METRIC_DIMENSIONS)
			return rg_error_new(RG_E_LIMIT, "npy: more than %d dimensions",
					    RG_METRIC_DIMENSIONS);
		skip_blanks(c);
		for (start = c->p; c->p < c->end && *c->p >= '0' && *c->p <= '9'; c->p++)
			;
		if (!rg_int64_parse(start, (size_t)(c->p - start), &out->shape[out->dimensions]))
			return rg_error_new(RG_E_PARSE, "npy: its shape holds what is no number");
	}
	return NULL;
}

static rg_error *set_descr(rg_tensor *out, const char *descr)
{
	const char *type = descr;

	if (*type && strchr("<>=|", *type))
		type++;
	/* NumPy's types are a letter and a size; nothing else that rg_dtype_parse takes. */
	if (strlen(type) != 2 || !strchr("biuf", type[0]) || !rg_dtype_parse(type, &out->dtype))
		return rg_error_new(RG_E_PARSE, "npy: elements of type '%s' cannot be read", descr);
	out->big_endian = *descr == '>';
	return NULL;
}

static rg_error *parse_header(rg_tensor *out, cursor c)
{
	bool fortran = false, has_descr = false, has_order = false, has_shape = false;
	char key[32], descr[32];
	size_t i;

	if (!take(&c, '{'))
		return rg_error_new(RG_E_PARSE, "npy: its header is no dictionary");
	while (!take(&c, '}')) {
		if (!take_text(&c, key, sizeof(key)) || !take(&c, ':'))
			return rg_error_new(RG_E_PARSE, "npy: a key of its header is broken");
		if (!strcmp(key, "descr") && !has_descr) {
			if (!take_text(&c, descr, sizeof(descr)))
				return rg_error_new(RG_E_PARSE,
						    "npy: records and other structured types "
						    "cannot be read");
			RG_TRY(set_descr(out, descr));
			has_descr = true;
		} else if (!strcmp(key, "fortran_order") && !has_order) {
			fortran = take_word(&c, "True");
			if (!fortran && !take_word(&c, "False"))
				return rg_error_new(RG_E_PARSE, "npy: fortran_order is no truth");
			has_order = true;
		} else if (!strcmp(key, "shape") && !has_shape) {
			RG_TRY(take_shape(&c, out));
			has_shape = true;
		} else {
			return rg_error_new(RG_E_PARSE, "npy: key '%s' in its header", key);
		}
		if (!take(&c, ',') && (skip_blanks(&c), c.p == c.end || *c.p != '}'))
			return rg_error_new(RG_E_PARSE, "npy: its header does not end");
	}
	skip_blanks(&c);
	if (c.p < c.end)
		return rg_error_new(RG_E_PARSE, "npy: its header goes on behind the dictionary");
	if (!has_descr || !has_order || !has_shape)
		return rg_error_new(RG_E_PARSE, "npy: no %s in its header",
				    !has_descr   ? "descr"
				    : !has_order ? "fortran_order"
						 : "shape");
	rg_tensor_row_major(out);
	if (fortran)
		for (i = 0; i < out->dimensions; i++)
			out->order[i] = (uint8_t)(out->dimensions - 1 - i);
	return NULL;
}

static bool has_magic(const void *data, size_t size)
{
	return size >= MAGIC_SIZE && !memcmp(data, magic, MAGIC_SIZE);
}

rg_error *rg_npy_read(rg_tensor *out, const void *data, size_t size)
{
	const unsigned char *bytes = data;
	size_t start, length;

	*out = (rg_tensor){0};
	if (!has_magic(data, size))
		return rg_error_new(RG_E_PARSE, "no .npy: its first bytes are not \\x93NUMPY");
	if (size < MAGIC_SIZE + 6)
		return rg_error_new(RG_E_PARSE, "npy: cut off in its header");
	if (bytes[6] < 1 || bytes[6] > 3 || bytes[7])
		return rg_error_new(RG_E_PARSE, "npy: version %u.%u is not known",
				    (unsigned)bytes[6], (unsigned)bytes[7]);
	length = (size_t)bytes[8] | (size_t)bytes[9] << 8;
	start = 10;
	if (bytes[6] > 1) {
		length |= (size_t)bytes[10] << 16 | (size_t)bytes[11] << 24;
		start = 12;
	}
	if (length > HEADER_MAX)
		return rg_error_new(RG_E_LIMIT, "npy: a header of %zu bytes, more than %d", length,
				    HEADER_MAX);
	if (length > size - start)
		return rg_error_new(RG_E_PARSE, "npy: cut off in its header");
	RG_TRY(parse_header(
		out, (cursor){(const char *)bytes + start, (const char *)bytes + start + length}));
	out->data = bytes + start + length;
	out->size = size - start - length;
	return rg_error_wrap(rg_tensor_check(out), "npy");
}

/* NumPy's letter and size; NULL for what it does not know. */
static const char *descr_of(rg_dtype dtype)
{
	switch (dtype) {
	case RG_DTYPE_UINT8:
		return "|u1";
	case RG_DTYPE_INT8:
		return "|i1";
	case RG_DTYPE_BOOL:
		return "|b1";
	case RG_DTYPE_INT16:
		return "<i2";
	case RG_DTYPE_UINT16:
		return "<u2";
	case RG_DTYPE_INT32:
		return "<i4";
	case RG_DTYPE_UINT32:
		return "<u4";
	case RG_DTYPE_INT64:
		return "<i8";
	case RG_DTYPE_UINT64:
		return "<u8";
	case RG_DTYPE_FLOAT16:
		return "<f2";
	case RG_DTYPE_FLOAT32:
		return "<f4";
	case RG_DTYPE_FLOAT64:
		return "<f8";
	default:
		return NULL;
	}
}

bool rg_npy_has_type(rg_dtype dtype)
{
	return descr_of(dtype) != NULL;
}

rg_error *rg_npy_header(rg_buf *out, rg_dtype dtype, const int64_t *shape, size_t dimensions)
{
	const char *descr = descr_of(dtype);
	size_t start = out->length, length, i;

	if (!descr)
		return rg_error_new(RG_E_USAGE, "NumPy has no type %s", rg_dtype_name(dtype));
	rg_buf_add(out, magic, MAGIC_SIZE);
	rg_buf_add(out, "\x01\x00\x00\x00", 4);
	rg_buf_printf(out, "{'descr': '%s', 'fortran_order': False, 'shape': (", descr);
	for (i = 0; i < dimensions; i++)
		rg_buf_printf(out, "%s%lld", i ? ", " : "", (long long)shape[i]);
	rg_buf_str(out, dimensions == 1 ? ",), }" : "), }");
	/* Blanks up to a newline that ends on a multiple of 64. */
	while ((out->length - start + 1) % ALIGNMENT && rg_buf_reserve(out, 1))
		rg_buf_char(out, ' ');
	rg_buf_char(out, '\n');
	RG_TRY(rg_buf_check(out, "npy header"));
	length = out->length - start - 10;
	out->data[start + 8] = (char)(length & 0xff);
	out->data[start + 9] = (char)(length >> 8);
	return NULL;
}

static int bid(const rg_input *in)
{
	bool named = rg_ends_with(in->name, ".npy");

	return has_magic(in->data, in->size) ? named ? 100 : 50 : named ? 10 : 0;
}

static rg_error *read_golden(rg_golden *golden, const rg_input *in,
			     const rg_golden_options *options)
{
	rg_tensor tensor;

	(void)options;
	RG_TRY(rg_npy_read(&tensor, in->data, in->size));
	tensor.forget = in->forget;
	return rg_tensor_golden(golden, &tensor);
}

const rg_format rg_format_npy = {.name = "npy", .bid = bid, .read = read_golden, .in_place = true};
