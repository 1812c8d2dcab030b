/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/binary/file.h"
#include "base/buf.h"
#include "golden/unit.h"

#include <math.h>
#include <string.h>

/* Metrics out of the items that a layout or a rule has left. Longer series are tensors, whose
 * values stay where they are. */
enum { SERIES_MAX = 1 << 20 };

/* A scalar is a text of its own, all else a list. */
static rg_error *add_texts(rg_golden_builder *builder, const char *name, const rg_binary_item *item)
{
	rg_arena *arena = &builder->golden->arena;
	const rg_tensor *shape = &item->tensor;
	rg_metric *metric;

	if (item->values == RG_WIRE_TEXTS && !shape->dimensions)
		return rg_golden_builder_text(builder, name, strlen(name), item->texts[0],
					      strlen(item->texts[0]));
	RG_TRY(rg_golden_builder_metric(builder, name, strlen(name), RG_METRIC_TEXTS, &metric));
	rg_record_text *texts = rg_arena_alloc(arena, (shape->count + 1) * sizeof(*texts));
	for (size_t i = 0; i < shape->count; i++)
		texts[i] = (rg_record_text){(int64_t)i, item->texts[i]};
	metric->texts = texts;
	metric->count = metric->text_count = shape->count;
	metric->shape = shape->shape;
	metric->dimensions = shape->dimensions;
	return NULL;
}

/* Whole numbers that no double holds keep their digits; masked elements have no step. */
static rg_error *add_series(rg_golden_builder *builder, const char *name,
			    const rg_binary_item *item)
{
	const rg_tensor *tensor = &item->tensor;
	char digits[RG_DOUBLE_REPR_SIZE];

	for (size_t i = 0; i < tensor->count; i++) {
		double value;
		rg_tensor_values(tensor, i, 1, &value);
		if (tensor->convention && rg_is_masked(value))
			continue;
		if (rg_dtype_is_wide(tensor->dtype) && !rg_dtype_is_float(tensor->dtype) &&
		    !rg_tensor_is_packed(tensor)) {
			rg_tensor_element_text(tensor, i, digits);
			rg_golden_builder_note_whole(builder, digits, strlen(digits), value);
		}
		rg_golden_builder_value(builder, item->steps ? item->steps[i] : (int64_t)i, value);
	}
	rg_tensor_forget(tensor, 0, tensor->count);
	RG_TRY(rg_golden_builder_series(builder, name, strlen(name), NULL));
	const char *unit = item->unit ? rg_unit_find(item->unit, strlen(item->unit)) : NULL;
	if (unit)
		rg_golden_builder_unit(builder, unit);
	return NULL;
}

static rg_error *add_item(rg_golden_builder *builder, const rg_binary_file *file, const char *name,
			  const rg_binary_item *item)
{
	const char *why = item->why ? item->why : "no reason is known";
	if (item->kind == RG_WIRE_LINK)
		return rg_golden_builder_text(builder, name, strlen(name), why, strlen(why));
	if (item->kind == RG_WIRE_UNREADABLE || item->why)
		/* Nothing is known of its values but that they are in the file. */
		return rg_tensor_add_unreadable(builder, name, file->in->data, file->in->size,
						rg_error_new(RG_E_PARSE, "%s", why));
	if (item->values != RG_WIRE_NUMBERS)
		return add_texts(builder, name, item);
	if (item->is_series && !item->tensor.is_complex && item->tensor.count <= SERIES_MAX)
		return add_series(builder, name, item);
	return rg_tensor_add(builder, name, &item->tensor);
}

/* Attributes of HDF5 that say how the file is written, not what is in it. */
static bool is_hidden(const char *name)
{
	static const char *const names[] = {
		"CLASS",         "NAME",  "VERSION", "TITLE",      "FLAVOR",
		"_NCProperties", "NROWS", "EXTDIM",  "PSEUDOATOM", "OCTAVE_EMPTY_MATRIX"};
	static const char *const starts[] = {"_Netcdf4", "_nc3_", "FIELD_", "PYTABLES_"};
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(name, names[i]))
			return true;
	for (size_t i = 0; i < sizeof(starts) / sizeof(*starts); i++)
		if (!strncmp(name, starts[i], strlen(starts[i])))
			return true;
	return false;
}

/* A group that has nothing else to show has a row of its own. */
static bool is_bare(const rg_binary_file *file, size_t at)
{
	const char *path = file->items[at].path;
	const size_t length = strlen(path);
	const char *next = at + 1 < file->count ? file->items[at + 1].path : "";
	return strncmp(next, path, length) != 0 || (next[length] != '/' && next[length] != '.');
}

/* "time, lat" is a text of its own, as a dimension with another name is another dimension. A
 * coordinate has its own name. */
static rg_error *add_dimensions(rg_golden_builder *builder, const rg_binary_item *item)
{
	const size_t count = item->tensor.dimensions - item->tensor.is_complex;
	const char *const *names = item->dimension_names, *last = strrchr(item->path, '/');
	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_ANY);
	bool named = false;

	for (size_t i = 0; names && i < count; i++) {
		named |= *names[i] != '\0';
		rg_buf_printf(&text, "%s%s", i ? ", " : "", *names[i] ? names[i] : "?");
	}
	if (!named || (count == 1 && last && !strcmp(last + 1, *names)))
		return NULL;
	RG_AUTO_FREE char *name = rg_textf("%s(dimensions)", item->path);
	return rg_golden_builder_text(builder, name, strlen(name), text.data, text.length);
}

/* "/a/x@units"; those of the root group "@title". */
rg_error *rg_binary_add(rg_golden_builder *builder, const rg_binary_file *file)
{
	rg_arena *arena = &builder->golden->arena;
	const bool is_hdf5 = !strcmp(builder->golden->format, "hdf5");
	for (size_t i = 0; i < file->count; i++) {
		const rg_binary_item *item = &file->items[i];
		const bool is_root = !item->path[strspn(item->path, "/")];
		if (item->dropped)
			continue;
		if (item->kind != RG_WIRE_GROUP)
			RG_TRY(add_item(builder, file, item->path, item));
		else if (!is_root && is_bare(file, i))
			RG_TRY(add_texts(builder, rg_arena_textf(arena, "%s/", item->path), item));
		if (!item->why)
			RG_TRY(add_dimensions(builder, item));
		for (size_t k = 0; k < item->attribute_count; k++) {
			const rg_binary_item *one = &item->attributes[k];
			if (!one->dropped && !(is_hdf5 && is_hidden(one->path)))
				RG_TRY(add_item(builder, file,
						rg_arena_textf(arena, "%s@%s",
							       is_root ? "" : item->path,
							       one->path),
						one));
		}
	}
	return NULL;
}
