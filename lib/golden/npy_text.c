/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/npy_text.h"

#include "base/utf8.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* An element may be empty in the file, and takes twenty bytes in memory. */
enum { ELEMENTS_MAX = 1 << 24 };

static const char *kind_of(const char *type)
{
	return type + (*type && strchr("<>=|", *type));
}

bool rg_npy_is_text(const char *type, size_t *size)
{
	const char *kind = kind_of(type);
	size_t digits = *kind ? strspn(kind + 1, "0123456789") : 0;
	uint64_t n;

	if (!*kind || !strchr("SUVMm", *kind) || !rg_uint64_parse(kind + 1, digits, &n) ||
	    n > UINT32_MAX / 4)
		return false;
	*size = (size_t)n * (*kind == 'U' ? 4 : 1);
	return strchr("Mm", *kind) ? n == 8 && kind[2] == '[' : !kind[1 + digits];
}

/* Appends a date where the C library has one, else the number and its unit. */
static void append_time(rg_buf *out, const char *type, int64_t value)
{
	static const struct {
		const char *unit;
		int64_t seconds, per_second;
		int digits;
	} units[] = {{"[W]", 604800, 1, 0},   {"[D]", 86400, 1, 0},      {"[h]", 3600, 1, 0},
		     {"[m]", 60, 1, 0},       {"[s]", 1, 1, 0},          {"[ms]", 1, 1000, 3},
		     {"[us]", 1, 1000000, 6}, {"[ns]", 1, 1000000000, 9}};
	const char *kind = kind_of(type);
	int64_t seconds;
	char text[48];
	struct tm tm;

	if (value == INT64_MIN) {
		rg_buf_str(out, "NaT");
		return;
	}
	for (size_t i = 0; *kind == 'M' && i < sizeof(units) / sizeof(*units); i++) {
		const int64_t per = units[i].per_second, whole = value / per - (value % per < 0);
		if (strcmp(units[i].unit, kind + 2) != 0 ||
		    __builtin_mul_overflow(whole, units[i].seconds, &seconds) ||
		    !gmtime_r(&(time_t){seconds}, &tm))
			continue;
		strftime(text, sizeof(text),
			 units[i].seconds < 86400 ? "%Y-%m-%dT%H:%M:%S" : "%Y-%m-%d", &tm);
		rg_buf_str(out, text);
		if (units[i].digits)
			rg_buf_printf(out, ".%0*" PRId64, units[i].digits, value - whole * per);
		return;
	}
	rg_buf_printf(out, "%" PRId64 " %.*s", value, (int)strcspn(kind + 3, "]"), kind + 3);
}

/* The parts are in the machine's order of bytes. NumPy fills a text up with NULs. */
static void append_element(rg_buf *out, const char *type, const void *parts, size_t count)
{
	const unsigned char *bytes = parts;
	const uint32_t *characters = parts;
	const char kind = *kind_of(type);

	while (kind == 'S' && count && !bytes[count - 1])
		count--;
	while (kind == 'U' && count && !characters[count - 1])
		count--;
	if (kind == 'S')
		rg_utf8_add_escaped(out, parts, count);
	for (size_t i = 0; i < count && kind == 'U'; i++)
		rg_utf8_add_character(out, characters[i]);
	for (size_t i = 0; i < count && kind == 'V'; i++)
		rg_buf_printf(out, "%02x", bytes[i]);
	if (kind == 'M' || kind == 'm')
		append_time(out, type, *(const int64_t *)parts);
}

rg_error *rg_npy_add_texts(rg_golden_builder *builder, const char *name, rg_tensor array,
			   const char *type)
{
	const char kind = *kind_of(type);
	const size_t dimensions = array.dimensions;
	size_t size = 0, count;
	rg_arena *arena = &builder->golden->arena;
	rg_metric *metric;

	RG_TRY(rg_shape_count(array.shape, dimensions, &count));
	if (dimensions == RG_METRIC_DIMENSIONS || count > ELEMENTS_MAX ||
	    !rg_npy_is_text(type, &size))
		return rg_error_new(RG_E_LIMIT, "more than %d texts, or more than %d dimensions",
				    ELEMENTS_MAX, RG_METRIC_DIMENSIONS - 1);
	array.dtype = kind == 'U'          ? RG_DTYPE_UINT32
		      : strchr("Mm", kind) ? RG_DTYPE_INT64
					   : RG_DTYPE_UINT8;
	size /= rg_dtype_size(array.dtype);
	array.big_endian = *type == '>';
	array.shape[dimensions] = (int64_t)size;
	array.order[dimensions] = (uint8_t)dimensions;
	array.dimensions++;
	RG_TRY(rg_tensor_check(&array));
	RG_TRY(rg_golden_builder_metric(builder, name, strlen(name), RG_METRIC_TEXTS, &metric));
	rg_record_text *texts = rg_arena_alloc(arena, (count + 1) * sizeof(*texts));
	int64_t *shape = rg_arena_alloc(arena, sizeof(array.shape));
	RG_AUTO_FREE void *parts = rg_malloc((size + 1) * rg_dtype_size(array.dtype));
	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_ANY);
	for (size_t i = 0; i < count; i++) {
		rg_buf_clear(&text);
		rg_tensor_bytes(&array, i * size, size, parts);
		append_element(&text, type, parts, size);
		texts[i] =
			(rg_record_text){(int64_t)i, rg_arena_copy(arena, text.data, text.length)};
	}
	metric->texts = texts;
	metric->count = metric->text_count = count;
	metric->shape = memcpy(shape, array.shape, sizeof(array.shape));
	metric->dimensions = dimensions;
	return NULL;
}
