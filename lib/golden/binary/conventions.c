/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/binary/rules.h"

#include "base/buf.h"
#include "base/order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The attributes that say what elements stand for: NetCDF's names, and FITS's. */
typedef struct {
	const char *masks[2], *range, *low, *high, *scale, *offset;
	bool has_defaults; /* what was never written is masked */
} vocabulary;

static const vocabulary of_netcdf = {{"_FillValue", "missing_value"},
				     "valid_range",
				     "valid_min",
				     "valid_max",
				     "scale_factor",
				     "add_offset",
				     true};
static const vocabulary of_fits = {{"BLANK", "BLANK"}, NULL, NULL, NULL, "BSCALE", "BZERO", false};

/* An attribute's numbers, as the variable's elements: false where it has none, or the element is
 * not there. */
static bool element_of(rg_element *out, const rg_binary_item *attribute, size_t at,
		       const rg_tensor *tensor, bool is_unsigned)
{
	if (!attribute || attribute->values != RG_WIRE_NUMBERS || at >= attribute->tensor.count)
		return false;
	rg_tensor stored = attribute->tensor;
	const bool is_real = rg_dtype_is_float(stored.dtype);
	int64_t whole = 0;
	double real;

	/* -1b beside _Unsigned is 255. */
	if (is_unsigned && rg_dtype_size(stored.dtype) == rg_dtype_size(tensor->dtype))
		stored.dtype = tensor->dtype;
	rg_tensor_values(&stored, at, 1, &real);
	if (rg_dtype_size(stored.dtype) == sizeof(whole) && !is_real)
		rg_tensor_bytes(&stored, at, 1, &whole);
	else if (!is_real)
		whole = (int64_t)real;
	return rg_element_of(out, tensor->dtype, is_real, stored.dtype == RG_DTYPE_UINT64, whole,
			     real);
}

static void add_mask(rg_convention *out, const rg_element *element)
{
	float narrow;
	double wide;
	memcpy(&narrow, element->bytes, sizeof(narrow));
	memcpy(&wide, element->bytes, sizeof(wide));
	if (out->dtype == RG_DTYPE_FLOAT32 ? isnan(narrow)
					   : out->dtype == RG_DTYPE_FLOAT64 && isnan(wide))
		out->masks_nan = true;
	else if (out->mask_count < RG_MASKS_MAX)
		out->masks[out->mask_count++] = *element;
}

/* NetCDF's default fills; a byte has none, as all of its values are in use. */
bool rg_binary_default_fill(rg_element *out, rg_dtype dtype)
{
	static const struct {
		rg_dtype dtype;
		int64_t whole;
	} fills[] = {
		{RG_DTYPE_INT16, -32767},
		{RG_DTYPE_UINT16, 65535},
		{RG_DTYPE_INT32, -2147483647},
		{RG_DTYPE_UINT32, 4294967295},
		{RG_DTYPE_INT64, -9223372036854775806},
		{RG_DTYPE_UINT64, -2}, /* its bits */
	};
	if (rg_dtype_is_float(dtype))
		return rg_element_of(out, dtype, true, false, 0, 9.9692099683868690e+36);
	for (size_t i = 0; i < sizeof(fills) / sizeof(*fills); i++)
		if (fills[i].dtype == dtype)
			return rg_element_of(out, dtype, false, dtype == RG_DTYPE_UINT64,
					     fills[i].whole, 0);
	return false;
}

/* A range that nothing is in bounds nothing. */
static void set_range(rg_convention *out, const rg_binary_item *item, const vocabulary *words,
		      const rg_tensor *tensor, bool is_unsigned)
{
	const rg_binary_item *range = rg_binary_attribute(item, words->range);
	double ends[2];
	out->has_low = element_of(&out->low, range, 0, tensor, is_unsigned) ||
		       element_of(&out->low, rg_binary_attribute(item, words->low), 0, tensor,
				  is_unsigned);
	out->has_high = element_of(&out->high, range, 1, tensor, is_unsigned) ||
			element_of(&out->high, rg_binary_attribute(item, words->high), 0, tensor,
				   is_unsigned);
	const bool big_endian = !rg_dtype_is_host_order(tensor->dtype, false);
	rg_dtype_to_double(tensor->dtype, big_endian, out->low.bytes, 1, &ends[0]);
	rg_dtype_to_double(tensor->dtype, big_endian, out->high.bytes, 1, &ends[1]);
	if (out->has_low && out->has_high && !(ends[0] <= ends[1]))
		out->has_low = out->has_high = false;
}

/* The number that the attribute is. */
static bool number_of(double *out, const rg_binary_item *attribute)
{
	if (!attribute || attribute->values != RG_WIRE_NUMBERS || !attribute->tensor.count)
		return false;
	rg_tensor_values(&attribute->tensor, 0, 1, out);
	return isfinite(*out);
}

static void set_packing(rg_convention *out, const rg_binary_item *item, const vocabulary *words)
{
	const rg_binary_item *scale = rg_binary_attribute(item, words->scale);
	const rg_binary_item *offset = rg_binary_attribute(item, words->offset);
	double value;

	*out = (rg_convention){.scale = 1};
	out->as_float = true;
	if (number_of(&value, scale)) {
		out->scale = value;
		out->as_float &= scale->tensor.dtype == RG_DTYPE_FLOAT32;
	}
	if (number_of(&value, offset)) {
		out->offset = value;
		out->as_float &= offset->tensor.dtype == RG_DTYPE_FLOAT32;
	}
	out->packed = out->scale != 1 || out->offset != 0;
}

/* A NaN that stands for no value is not a fault of the file. */
static void mask_nan(const rg_binary_item *attribute)
{
	static const rg_convention narrow = {.dtype = RG_DTYPE_FLOAT32, .masks_nan = true};
	static const rg_convention wide = {.dtype = RG_DTYPE_FLOAT64, .masks_nan = true};
	rg_tensor *tensor = attribute ? &((rg_binary_item *)(uintptr_t)attribute)->tensor : NULL;
	if (tensor && tensor->dtype == RG_DTYPE_FLOAT32)
		tensor->convention = &narrow;
	else if (tensor && tensor->dtype == RG_DTYPE_FLOAT64)
		tensor->convention = &wide;
}

/* Attributes say how elements are to be read. */
static void set_convention(rg_binary_file *file, rg_binary_item *item, const vocabulary *words)
{
	static const rg_dtype unsigned_of[] = {[RG_DTYPE_INT8] = RG_DTYPE_UINT8,
					       [RG_DTYPE_INT16] = RG_DTYPE_UINT16,
					       [RG_DTYPE_INT32] = RG_DTYPE_UINT32,
					       [RG_DTYPE_INT64] = RG_DTYPE_UINT64};
	const char *is = rg_binary_attribute_text(item, "_Unsigned");
	rg_tensor *tensor = &item->tensor;
	rg_convention c;
	rg_element element;

	if (!rg_convention_takes(tensor->dtype) || tensor->is_complex)
		return;
	const bool is_unsigned = words->has_defaults && is && !strcmp(is, "true");
	if (is_unsigned && tensor->dtype >= RG_DTYPE_INT8 && tensor->dtype <= RG_DTYPE_INT64)
		tensor->dtype = unsigned_of[tensor->dtype];
	set_packing(&c, item, words);
	c.dtype = tensor->dtype;
	for (size_t k = 0; k < 2; k++) {
		const rg_binary_item *masks = rg_binary_attribute(item, words->masks[k]);
		for (size_t i = 0; i < RG_MASKS_MAX; i++)
			if (element_of(&element, masks, i, tensor, is_unsigned))
				add_mask(&c, &element);
	}
	for (size_t k = 0; k < 2 && c.masks_nan; k++)
		mask_nan(rg_binary_attribute(item, words->masks[k]));
	if (words->has_defaults && !rg_binary_attribute(item, "_FillValue") &&
	    rg_binary_default_fill(&element, tensor->dtype))
		add_mask(&c, &element);
	if (words->range)
		set_range(&c, item, words, tensor, is_unsigned);
	if (!c.packed && !c.mask_count && !c.masks_nan && !c.has_low && !c.has_high)
		return;
	rg_convention *kept = rg_arena_alloc(file->arena, sizeof(*kept));
	*kept = c;
	tensor->convention = kept;
}

/* --- dimensions and series --- */

RG_ORDER_OF_POINTERS(compare_paths, rg_binary_item, RG_BY_TEXT(path));

/* The variables of one dimension, by path: what coordinates are found in. */
typedef struct {
	const rg_binary_item **list;
	size_t count;
} coordinates;

static bool is_vector(const rg_binary_item *item)
{
	return !item->dropped && item->kind == RG_WIRE_VARIABLE &&
	       item->values == RG_WIRE_NUMBERS && item->tensor.dimensions == 1 && !item->why;
}

static const char *dimension_of(const rg_binary_item *item)
{
	return item->dimension_names ? item->dimension_names[0] : "";
}

/* "/a/x" is a coordinate where its dimension is x. */
static bool is_coordinate(const rg_binary_item *item)
{
	const char *name = strrchr(item->path, '/');
	return is_vector(item) && !strcmp(name ? name + 1 : item->path, dimension_of(item));
}

/* The coordinate of a variable's dimension, in its group or the ones around it. */
static const rg_binary_item *coordinate_of(const coordinates *all, const rg_binary_item *item)
{
	RG_AUTO(rg_buf) path = rg_buf_of(RG_BUF_ANY);
	size_t length = strlen(item->path);
	while (length) {
		while (length && item->path[length - 1] != '/')
			length--;
		rg_buf_clear(&path);
		rg_buf_add(&path, item->path, length);
		rg_buf_str(&path, dimension_of(item));
		const rg_binary_item key = {.path = path.data}, *const wanted = &key;
		const rg_binary_item **found = all->count ? bsearch(&wanted, all->list, all->count,
								    sizeof(wanted), compare_paths)
							  : NULL;
		if (found && (*found)->tensor.count == item->tensor.count)
			return *found;
		length -= length > 0;
	}
	return NULL;
}

/* Whole numbers that ascend are steps; of all else the places are. */
static const int64_t *steps_of(rg_arena *arena, const rg_binary_item *coordinate)
{
	const rg_tensor *tensor = &coordinate->tensor;
	int64_t *steps = rg_arena_alloc(arena, (tensor->count + 1) * sizeof(*steps));
	double value;

	if (rg_dtype_is_float(tensor->dtype) || rg_tensor_is_packed(tensor))
		return NULL;
	for (size_t i = 0; i < tensor->count; i++) {
		rg_tensor_values(tensor, i, 1, &value);
		if (!(fabs(value) < 0x1p53) || (i && steps[i - 1] >= (int64_t)value))
			return NULL;
		steps[i] = (int64_t)value;
	}
	return steps;
}

/* Vectors along records or a coordinate are series by step. */
static void find_series(rg_binary_file *file)
{
	coordinates all = {
		.list = rg_arena_alloc(file->arena, (file->count + 1) * sizeof(*all.list))};
	for (size_t i = 0; i < file->count; i++)
		if (is_coordinate(&file->items[i]))
			all.list[all.count++] = &file->items[i];
	if (all.count)
		qsort(all.list, all.count, sizeof(*all.list), compare_paths);
	for (size_t i = 0; i < file->count; i++) {
		rg_binary_item *item = &file->items[i];
		if (!is_vector(item) || !*dimension_of(item))
			continue;
		const rg_binary_item *along = coordinate_of(&all, item);
		item->is_series = along || item->unlimited & 1;
		if (along && along != item)
			item->steps = steps_of(file->arena, along);
	}
}

static rg_binary_item *attribute_of(const rg_binary_item *item, const char *name)
{
	return (rg_binary_item *)(uintptr_t)rg_binary_attribute(item, name);
}

/* True: it had one. */
static bool drop(const rg_binary_item *item, const char *name)
{
	rg_binary_item *attribute = attribute_of(item, name);
	if (attribute)
		attribute->dropped = true;
	return attribute;
}

void rg_binary_netcdf_rules(rg_binary_file *file, rg_golden_builder *builder, bool is_netcdf)
{
	bool dropped = false;
	for (size_t i = 0; i < file->count && !is_netcdf; i++)
		is_netcdf = rg_binary_attribute(&file->items[i], "_NCProperties") ||
			    rg_binary_attribute(&file->items[i], "_Netcdf4Dimid");
	for (size_t i = 0; i < file->count && is_netcdf; i++) {
		rg_binary_item *item = &file->items[i];
		dropped |= drop(item, "history");
		if (item->kind == RG_WIRE_VARIABLE && item->values == RG_WIRE_NUMBERS)
			set_convention(file, item, &of_netcdf);
		item->unit = item->unit ? item->unit : rg_binary_attribute_text(item, "units");
	}
	if (is_netcdf)
		find_series(file);
	if (dropped)
		rg_golden_builder_note(builder, RG_NOTE_READ,
				       "its attribute 'history' is left out");
}

/* --- FITS --- */

static void set_quanta(rg_binary_file *file, rg_binary_item *item)
{
	const rg_binary_item *scale = rg_binary_attribute(item, "ZSCALE");
	const rg_binary_item *tile = rg_binary_attribute(item, "ZTILE");
	const rg_tensor *tensor = &item->tensor;
	size_t tiles = 1;
	double value;

	if (!scale || !tile || tile->tensor.count != tensor->dimensions)
		return;
	rg_convention *c = rg_arena_alloc(file->arena, sizeof(*c));
	*c = (rg_convention){.dtype = tensor->dtype};
	for (size_t i = 0; i < tensor->dimensions; i++) {
		rg_tensor_values(&tile->tensor, i, 1, &value);
		if (!(value >= 1 && value < 0x1p31) || tensor->shape[i] < 1)
			return;
		c->tile[i] = (int64_t)value;
		const size_t across = ((size_t)tensor->shape[i] + (size_t)value - 1) /
				      (size_t)value;
		if (__builtin_mul_overflow(tiles, across, &tiles))
			return;
	}
	if (tiles != scale->tensor.count)
		return;
	double *quanta = rg_arena_alloc(file->arena, (tiles + 1) * sizeof(*quanta));
	rg_tensor_values(&scale->tensor, 0, tiles, quanta);
	c->quanta = quanta;
	item->tensor.convention = c;
}

/* Cards, and columns of a table, can have one name twice. */
static void tell_apart(rg_arena *arena, rg_binary_item *items, size_t count)
{
	enum { COMPARED_MAX = 8192 };
	for (size_t i = 1; i < count && count <= COMPARED_MAX; i++) {
		size_t times = 1;
		for (size_t k = 0; k < i; k++)
			times += !strcmp(items[k].path, items[i].path);
		if (times > 1)
			items[i].path = rg_arena_textf(arena, "%s(%zu)", items[i].path, times);
	}
}

void rg_binary_fits_rules(rg_binary_file *file)
{
	static const char *const told[] = {"BLANK", "BSCALE", "BZERO", "ZSCALE", "ZTILE"};
	tell_apart(file->arena, file->items, file->count);
	for (size_t i = 0; i < file->count; i++) {
		rg_binary_item *item = &file->items[i];
		tell_apart(file->arena, item->attributes, item->attribute_count);
		if (item->kind != RG_WIRE_VARIABLE || item->values != RG_WIRE_NUMBERS)
			continue;
		set_convention(file, item, &of_fits);
		if (!item->tensor.convention && rg_convention_takes(item->tensor.dtype))
			set_quanta(file, item);
		for (size_t k = 0; k < sizeof(told) / sizeof(*told); k++)
			drop(item, told[k]);
		item->is_series = item->tensor.dimensions == 1 && item->unlimited & 1;
	}
}
