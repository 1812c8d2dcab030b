/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/binary/rules.h"

#include "base/buf.h"
#include "base/order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* An attribute of NetCDF or FITS says this of the elements; a later one counts. */
typedef enum { MASK, LOW, HIGH, RANGE, SCALE, OFFSET } meaning;
static const struct {
	const char *name;
	meaning meaning;
	bool is_fits;
} words[] = {
	{"_FillValue", MASK, false},   {"missing_value", MASK, false},
	{"valid_min", LOW, false},     {"valid_max", HIGH, false},
	{"valid_range", RANGE, false}, {"scale_factor", SCALE, false},
	{"add_offset", OFFSET, false}, {"BLANK", MASK, true},
	{"BSCALE", SCALE, true},       {"BZERO", OFFSET, true},
};

/* NetCDF's fills of what was never written, in the host's byte order. */
static const void *const fills[RG_DTYPE_COUNT] = {
	[RG_DTYPE_INT8] = &(const int8_t){-127},
	[RG_DTYPE_UINT8] = &(const uint8_t){255},
	[RG_DTYPE_INT16] = &(const int16_t){-32767},
	[RG_DTYPE_UINT16] = &(const uint16_t){65535},
	[RG_DTYPE_INT32] = &(const int32_t){-2147483647},
	[RG_DTYPE_UINT32] = &(const uint32_t){4294967295},
	[RG_DTYPE_INT64] = &(const int64_t){-9223372036854775806},
	[RG_DTYPE_UINT64] = &(const uint64_t){UINT64_MAX - 1},
	[RG_DTYPE_FLOAT32] = &(const float){9.9692099683868690e+36f},
	[RG_DTYPE_FLOAT64] = &(const double){9.9692099683868690e+36},
};

const void *rg_binary_default_fill(rg_dtype dtype)
{
	return fills[dtype];
}

/* An element of a tensor, exactly. */
static rg_exact exact(const rg_tensor *tensor, size_t at)
{
	unsigned char bytes[RG_DTYPE_SIZE_MAX];
	rg_exact out = {0, 0};
	rg_tensor_values(tensor, at, 1, &out.value);
	rg_tensor_bytes(tensor, at, 1, bytes);
	if (rg_dtype_is_wide(tensor->dtype))
		rg_dtype_rest(tensor->dtype, bytes, 1, &out.rest);
	return out;
}

static void add_mask(rg_convention *out, rg_exact mask)
{
	if (isnan(mask.value))
		out->masks_nan = rg_dtype_is_float(out->dtype);
	else if (out->mask_count < RG_MASKS_MAX)
		out->masks[out->mask_count++] = mask;
}

/* Number `at` of an attribute. Packed numbers are floats if all attributes that say so are. */
static void heed(rg_convention *out, meaning what, size_t at, rg_exact number, bool is_float)
{
	if (what == MASK)
		add_mask(out, number);
	else if (!at && (what == LOW || what == RANGE))
		out->low = number;
	else if (at == (what == RANGE) && (what == HIGH || what == RANGE))
		out->high = number;
	if (at || what < SCALE || !isfinite(number.value))
		return;
	*(what == SCALE ? &out->scale : &out->offset) = number.value;
	out->as_float &= is_float;
}

/* A NaN that stands for no value is not a fault of the file. */
static void mask_nan(rg_arena *arena, rg_tensor *tensor)
{
	rg_convention *c = rg_arena_alloc(arena, sizeof(*c));
	*c = RG_CONVENTION(tensor->dtype);
	c->masks_nan = true;
	if (rg_convention_takes(tensor->dtype))
		tensor->convention = c;
}

static void heed_all(rg_convention *out, rg_arena *arena, const rg_binary_item *item, bool is_fits,
		     bool is_unsigned)
{
	for (size_t w = 0; w < sizeof(words) / sizeof(*words); w++) {
		rg_binary_item *said = words[w].is_fits == is_fits
					       ? rg_binary_attribute(item, words[w].name)
					       : NULL;
		if (!said || said->values != RG_WIRE_NUMBERS)
			continue;
		const bool is_element = words[w].meaning < SCALE;
		rg_tensor stored = said->tensor;
		/* -1b beside _Unsigned is 255. */
		if (is_unsigned && is_element &&
		    rg_dtype_size(stored.dtype) == rg_dtype_size(out->dtype))
			stored.dtype = out->dtype;
		for (size_t i = 0; i < stored.count && i < RG_MASKS_MAX; i++) {
			rg_exact number = exact(&stored, i);
			if (!is_element || rg_dtype_is_float(out->dtype))
				number.rest = 0;
			if (is_element && out->dtype == RG_DTYPE_FLOAT32)
				number.value = (float)number.value;
			heed(out, words[w].meaning, i, number, stored.dtype == RG_DTYPE_FLOAT32);
		}
		if (words[w].meaning == MASK && out->masks_nan && rg_dtype_is_float(stored.dtype))
			mask_nan(arena, &said->tensor);
	}
}

/* Attributes say how elements are to be read. */
static void set_convention(rg_arena *arena, rg_binary_item *item, bool is_fits)
{
	static const rg_dtype unsigned_of[] = {[RG_DTYPE_INT8] = RG_DTYPE_UINT8,
					       [RG_DTYPE_INT16] = RG_DTYPE_UINT16,
					       [RG_DTYPE_INT32] = RG_DTYPE_UINT32,
					       [RG_DTYPE_INT64] = RG_DTYPE_UINT64};
	const char *is = is_fits ? NULL : rg_binary_attribute_text(item, "_Unsigned");
	const bool is_unsigned = is && !strcmp(is, "true");
	rg_tensor *tensor = &item->tensor, fill = {.count = 1, .row_major = true};

	if (!rg_convention_takes(tensor->dtype) || tensor->is_complex)
		return;
	if (is_unsigned && tensor->dtype >= RG_DTYPE_INT8 && tensor->dtype <= RG_DTYPE_INT64)
		tensor->dtype = unsigned_of[tensor->dtype];
	rg_convention c = RG_CONVENTION(tensor->dtype);
	c.as_float = true;
	heed_all(&c, arena, item, is_fits, is_unsigned);
	fill.dtype = tensor->dtype;
	fill.data = fills[fill.dtype];
	fill.big_endian = !rg_dtype_is_host_order(fill.dtype, false);
	/* A byte has no default, as all of its values are in use. */
	if (!is_fits && rg_dtype_size(fill.dtype) > 1 && !rg_binary_attribute(item, "_FillValue"))
		add_mask(&c, exact(&fill, 0));
	/* A range that nothing is in bounds nothing. */
	if (!(c.low.value <= c.high.value)) {
		c.low.value = -INFINITY;
		c.high.value = INFINITY;
	}
	if (c.scale == 1 && c.offset == 0 && !c.mask_count && !c.masks_nan && isinf(c.low.value) &&
	    isinf(c.high.value))
		return;
	tensor->convention = memcpy(rg_arena_alloc(arena, sizeof(c)), &c, sizeof(c));
}

/* --- dimensions and series --- */

RG_ORDER_OF_POINTERS(compare_paths, rg_binary_item, RG_BY_TEXT(path) || RG_BY(x, y));
RG_ORDER_OF_POINTERS(compare_path, rg_binary_item, RG_BY_TEXT(path));

static bool is_vector(const rg_binary_item *item)
{
	return !item->dropped && item->kind == RG_WIRE_VARIABLE &&
	       item->values == RG_WIRE_NUMBERS && item->tensor.dimensions == 1 && !item->why;
}

static const char *dimension_of(const rg_binary_item *item)
{
	return item->dimension_names ? item->dimension_names[0] : "";
}

/* The coordinate of a variable's dimension, in its group or the ones around it, out of a sorted
 * list. */
static const rg_binary_item *coordinate_of(rg_binary_item *const *list, size_t count,
					   const rg_binary_item *item)
{
	RG_AUTO(rg_buf) path = rg_buf_of(RG_BUF_ANY);
	for (size_t length = strlen(item->path); length; length -= length > 0) {
		while (length && item->path[length - 1] != '/')
			length--;
		rg_buf_clear(&path);
		rg_buf_add(&path, item->path, length);
		rg_buf_str(&path, dimension_of(item));
		const rg_binary_item key = {.path = path.data}, *const wanted = &key;
		rg_binary_item *const *found =
			bsearch(&wanted, list, count, sizeof(wanted), compare_path);
		if (found && (*found)->tensor.count == item->tensor.count)
			return *found;
	}
	return NULL;
}

const int64_t *rg_binary_steps(rg_arena *arena, const rg_binary_item *item)
{
	const rg_tensor *tensor = &item->tensor;
	const bool is_exact = tensor->dtype == RG_DTYPE_INT64;
	int64_t *steps = rg_arena_alloc(arena, (tensor->count + 1) * sizeof(*steps));
	double value;

	if (rg_dtype_is_float(tensor->dtype) || rg_tensor_is_packed(tensor))
		return NULL;
	for (size_t i = 0; i < tensor->count; i++) {
		rg_tensor_values(tensor, i, 1, &value);
		if (rg_is_masked(value) || !(is_exact || value < 0x1p63))
			return NULL;
		if (is_exact)
			rg_tensor_bytes(tensor, i, 1, &steps[i]);
		else
			steps[i] = (int64_t)value;
		if (i && steps[i - 1] >= steps[i])
			return NULL;
	}
	return steps;
}

/* Vectors along records or a coordinate, the vector "/a/x" of dimension x, are series by step. */
static void find_series(rg_binary_file *file)
{
	rg_binary_item **list = rg_arena_alloc(file->arena, (file->count + 1) * sizeof(*list));
	size_t count = 0;

	for (size_t i = 0; i < file->count; i++) {
		rg_binary_item *item = &file->items[i];
		const char *name = strrchr(item->path, '/');
		if (is_vector(item) && !strcmp(name ? name + 1 : item->path, dimension_of(item)))
			list[count++] = item;
	}
	qsort(list, count, sizeof(*list), compare_paths);
	for (size_t i = 0; i < file->count; i++) {
		rg_binary_item *item = &file->items[i];
		if (!is_vector(item) || !*dimension_of(item))
			continue;
		const rg_binary_item *along = coordinate_of(list, count, item);
		item->is_series = along || item->unlimited & 1;
		if (along && along != item)
			item->steps = rg_binary_steps(file->arena, along);
	}
}

bool rg_binary_is_netcdf4(const rg_binary_file *file)
{
	for (size_t i = 0; i < file->count; i++)
		if (rg_binary_attribute(&file->items[i], "_NCProperties") ||
		    rg_binary_attribute(&file->items[i], "_Netcdf4Dimid"))
			return true;
	return false;
}

void rg_binary_netcdf_rules(rg_binary_file *file, rg_golden_builder *builder)
{
	bool dropped = false;
	for (size_t i = 0; i < file->count; i++) {
		rg_binary_item *item = &file->items[i];
		rg_binary_item *history = rg_binary_attribute(item, "history");
		if (history)
			history->dropped = dropped = true;
		if (item->kind == RG_WIRE_VARIABLE && item->values == RG_WIRE_NUMBERS)
			set_convention(file->arena, item, false);
		item->unit = item->unit ? item->unit : rg_binary_attribute_text(item, "units");
	}
	find_series(file);
	if (dropped)
		rg_golden_builder_note(builder, RG_NOTE_READ,
				       "its attribute 'history' is left out");
}

/* --- FITS --- */

static void set_quanta(rg_arena *arena, rg_binary_item *item)
{
	const rg_binary_item *scale = rg_binary_attribute(item, "ZSCALE");
	const rg_binary_item *tile = rg_binary_attribute(item, "ZTILE");
	const rg_tensor *tensor = &item->tensor;
	size_t tiles = 1;
	double value;

	if (!scale || !tile || tile->tensor.count != tensor->dimensions)
		return;
	rg_convention *c = rg_arena_alloc(arena, sizeof(*c));
	*c = RG_CONVENTION(tensor->dtype);
	for (size_t i = 0; i < tensor->dimensions; i++) {
		rg_tensor_values(&tile->tensor, i, 1, &value);
		if (!(value >= 1 && value < 0x1p31) || tensor->shape[i] < 1)
			return;
		c->tile[i] = (int64_t)value;
		const int64_t across = (tensor->shape[i] + c->tile[i] - 1) / c->tile[i];
		if (__builtin_mul_overflow(tiles, (size_t)across, &tiles))
			return;
	}
	if (tiles != scale->tensor.count)
		return;
	double *quanta = rg_arena_alloc(arena, (tiles + 1) * sizeof(*quanta));
	rg_tensor_values(&scale->tensor, 0, tiles, quanta);
	c->quanta = quanta;
	item->tensor.convention = c;
}

void rg_binary_tell_apart(rg_arena *arena, rg_binary_item *items, size_t count)
{
	rg_binary_item **list = rg_arena_alloc(arena, (count + 1) * sizeof(*list));
	size_t kept = 0;
	for (size_t i = 0; i < count; i++)
		if (!items[i].dropped && items[i].kind != RG_WIRE_GROUP)
			list[kept++] = &items[i];
	qsort(list, kept, sizeof(*list), compare_paths);
	for (size_t i = 1, times = 1; i < kept; i++) {
		times = strcmp(list[i]->path, list[i - times]->path) != 0 ? 1 : times + 1;
		if (times > 1)
			list[i]->path = rg_arena_textf(arena, "%s(%zu)", list[i]->path, times);
	}
}

void rg_binary_fits_rules(rg_binary_file *file)
{
	/* These cards are heeded. One with a second name is shown, a column's by that name. */
	static const char *const heeded[][2] = {
		{"BLANK"}, {"ZSCALE"}, {"ZTILE"}, {"BSCALE", "TSCAL"}, {"BZERO", "TZERO"}};
	const char *table = "";
	rg_binary_tell_apart(file->arena, file->items, file->count);
	for (size_t i = 0; i < file->count; i++) {
		rg_binary_item *item = &file->items[i];
		rg_binary_tell_apart(file->arena, item->attributes, item->attribute_count);
		table = item->kind == RG_WIRE_GROUP ? item->path : table;
		if (item->kind != RG_WIRE_VARIABLE || item->values != RG_WIRE_NUMBERS)
			continue;
		const bool is_column = *table && !strncmp(item->path, table, strlen(table)) &&
				       item->path[strlen(table)] == '/';
		set_convention(file->arena, item, true);
		if (!item->tensor.convention && rg_convention_takes(item->tensor.dtype))
			set_quanta(file->arena, item);
		for (size_t k = 0; k < sizeof(heeded) / sizeof(*heeded); k++) {
			rg_binary_item *attribute = rg_binary_attribute(item, heeded[k][0]);
			if (attribute && !heeded[k][1])
				attribute->dropped = true;
			else if (attribute && is_column)
				attribute->path = heeded[k][1];
		}
		item->is_series = item->tensor.dimensions == 1 && item->unlimited & 1;
	}
}
