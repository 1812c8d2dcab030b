/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/binary/rules.h"

#include "base/buf.h"
#include "base/path.h"

#include <string.h>

/* An object's own are behind it, one after the other. */
static bool is_below(const rg_binary_file *file, const char *group, size_t at)
{
	const size_t length = strlen(group);
	return at < file->count && !strncmp(file->items[at].path, group, length) &&
	       (!file->items[at].path[length] || file->items[at].path[length] == '/');
}

/* The item called GROUP/NAME, of the group at that place. */
static rg_binary_item *find_below(rg_binary_file *file, size_t at, const char *name)
{
	const char *group = file->items[at].path;
	const size_t length = strlen(group);
	for (; is_below(file, group, at); at++)
		if (!file->items[at].dropped && file->items[at].path[length] &&
		    !strcmp(file->items[at].path + length + 1, name))
			return &file->items[at];
	return NULL;
}

static bool is_numbers(const rg_binary_item *item, size_t dimensions)
{
	return item && item->values == RG_WIRE_NUMBERS && item->kind == RG_WIRE_VARIABLE &&
	       !item->why && item->tensor.dimensions == dimensions && !item->tensor.is_complex;
}

/* --- pandas --- */

/* Its notes on how a frame is kept; the names of columns and the index are read. */
static void drop_notes(rg_binary_item *item)
{
	static const char *const words[] = {
		"_variety",    "encoding", "errors", "nblocks", "ndim",           "pandas_",
		"transposed",  "kind",     "_kind",  "_dtype",  "_meta",          "data_columns",
		"index_cols",  "info",     "levels", "nan_rep", "non_index_axes", "table_type",
		"values_cols", "NROWS",    "freq",   "tz"};
	for (size_t i = 0; i < item->attribute_count; i++)
		for (size_t k = 0; k < sizeof(words) / sizeof(*words); k++)
			if (!strncmp(item->attributes[i].path, words[k], strlen(words[k])) ||
			    (*words[k] == '_' && strstr(item->attributes[i].path, words[k])))
				item->attributes[i].dropped = true;
}

rg_error *rg_binary_split(rg_binary_file *file, const char *group, size_t at,
			  const char *const *names, const int64_t *steps)
{
	const rg_binary_item block = file->items[at];
	const size_t rows = (size_t)block.tensor.shape[0], columns = (size_t)block.tensor.shape[1];
	rg_tensor turned = block.tensor;

	turned.shape[0] = (int64_t)columns;
	turned.shape[1] = (int64_t)rows;
	turned.order[0] = 1;
	turned.order[1] = 0;
	RG_TRY(rg_tensor_check(&turned));
	file->items[at].dropped = true;
	for (size_t i = 0; i < columns; i++) {
		rg_binary_item *column = rg_binary_new(file, RG_WIRE_VARIABLE, "");
		rg_tensor *tensor = &column->tensor;
		*column = block;
		column->path = rg_arena_textf(file->arena, "%s/%s", group, names[i]);
		column->attribute_count = 0;
		column->is_series = true;
		column->steps = steps;
		tensor->dimensions = 1;
		tensor->big_endian = !rg_dtype_is_host_order(tensor->dtype, false);
		tensor->size = rows * rg_dtype_size(tensor->dtype);
		RG_TRY(rg_binary_memory(file, tensor->size, &column->own, &tensor->forget));
		tensor->data = column->own;
		RG_TRY(rg_tensor_check(tensor));
		rg_tensor_bytes(&turned, i * rows, rows, column->own);
	}
	return NULL;
}

typedef struct {
	const char **list;
	size_t count, capacity;
} column_names;

/* The texts of a list that Python has pickled by protocol 0: lines of "Va" or "aVb", and "ag1" for
 * the first of them again. No more of it is understood. */
static void add_pickled(column_names *out, rg_arena *arena, const char *list)
{
	column_names seen = {0};
	for (size_t length; list && *list; list += length + (list[length] == '\n')) {
		length = strcspn(list, "\n");
		const size_t skip = *list == 'a';
		const char kind = list[skip], *name = NULL;
		uint64_t number;
		if (kind == 'V')
			*RG_ARENA_PUSH(arena, seen.list, seen.count, seen.capacity) = name =
				rg_arena_copy(arena, list + skip + 1, length - skip - 1);
		else if (skip && kind == 'g' && rg_uint64_parse(list + 2, length - 2, &number) &&
			 number && number <= seen.count)
			name = seen.list[number - 1];
		if (name)
			*RG_ARENA_PUSH(arena, out->list, out->count, out->capacity) = name;
	}
}

/* The names of the columns of a block, and the item that lists them: numbers, or texts. */
static column_names names_of(rg_binary_file *file, size_t at, const char *name,
			     const rg_binary_item *table, rg_binary_item **listed)
{
	rg_arena *arena = file->arena;
	char text[RG_DOUBLE_REPR_SIZE];
	column_names names = {0};

	if (table && !strncmp(name, "values_block_", 13))
		add_pickled(
			&names, arena,
			rg_binary_attribute_text(table, rg_arena_textf(arena, "%s_kind", name)));
	if (table || strncmp(name, "block", 5) != 0 || !rg_ends_with(name, "_values"))
		return names;
	*listed = find_below(file, at,
			     rg_arena_textf(arena, "%.*s_items", (int)strlen(name) - 7, name));
	for (size_t i = 0; *listed && (*listed)->values != RG_WIRE_NOTHING; i++) {
		if (i == (*listed)->tensor.count)
			break;
		if ((*listed)->values == RG_WIRE_NUMBERS)
			rg_tensor_element_text(&(*listed)->tensor, i, text);
		*RG_ARENA_PUSH(arena, names.list, names.count, names.capacity) =
			(*listed)->texts ? (*listed)->texts[i] : rg_arena_text(arena, text);
	}
	return names;
}

/*
 * The group at that place is a frame or a series:
 *
 *	frame        "axis0", "axis1" (the index), "blockK_values" for each type of columns, whose
 *		     names are in "blockK_items"
 *	frame_table  "table" has the fields "index", "values_block_K", whose names are in the
 *		     attribute "values_block_K_kind", and columns of their own
 *	others       "index" and "values"
 */
static rg_error *read_frame(rg_binary_file *file, size_t at, const char *type)
{
	enum { COLUMNS_MAX = 1 << 16 };
	static const char field[] = "table.";
	const char *group = file->items[at].path;
	const size_t length = strlen(group), end = file->count;
	const bool is_table = !strcmp(type, "frame_table"), is_fixed = !strcmp(type, "frame");
	const rg_binary_item *table = is_table ? find_below(file, at, "table") : NULL;
	const char *index_name = is_table ? "table.index" : is_fixed ? "axis1" : "index";
	const rg_binary_item *index = find_below(file, at, index_name);
	const int64_t rows = is_numbers(index, 1) ? index->tensor.shape[0] : -1;
	const int64_t *const all_steps = rows < 0 ? NULL : rg_binary_steps(file->arena, index);

	for (size_t i = at + 1; i < end && is_below(file, group, i); i++) {
		rg_binary_item *item = &file->items[i], *listed = NULL;
		const int64_t *steps = item->tensor.shape[0] == rows ? all_steps : NULL;
		const char *name = item->path + length + 1;
		const bool is_field = is_table && !strncmp(name, field, strlen(field));
		column_names names = {0};

		name += is_field ? strlen(field) : 0;
		if (is_field || is_fixed)
			names = names_of(file, at, name, table, &listed);
		if (is_field)
			item->path = rg_arena_textf(file->arena, "%s/%s", group,
						    names.count && item->values == RG_WIRE_TEXTS &&
								    item->tensor.dimensions == 2 &&
								    item->tensor.shape[1] == 1
							    ? names.list[0]
							    : name);
		else if (is_table ? !strcmp(name, "table") || !strncmp(name, "_i_table", 8)
				  : is_fixed && !strcmp(name, "axis0"))
			item->dropped = true;
		if (is_numbers(item, 1) &&
		    (is_field ? strcmp(name, "index") != 0
			      : !is_table && !is_fixed && !strcmp(name, "values"))) {
			item->is_series = true;
			item->steps = steps;
		}
		if (!is_numbers(item, 2) || !item->tensor.row_major || !names.count ||
		    names.count != (size_t)item->tensor.shape[1] || names.count > COLUMNS_MAX)
			continue;
		if (listed)
			listed->dropped = true;
		RG_TRY(rg_binary_split(file, group, i, names.list, steps));
	}
	return NULL;
}

/* A pickle stays what it is: bytes. */
static void keep_pickle(rg_binary_file *file, rg_binary_item *item)
{
	RG_AUTO(rg_buf) hex = rg_buf_of(RG_BUF_ANY);
	const char **texts = rg_arena_alloc(file->arena, sizeof(*texts));
	for (size_t i = 0; i < item->tensor.size; i++)
		rg_buf_printf(&hex, "%02x", item->tensor.data[i]);
	texts[0] = rg_arena_copy(file->arena, hex.data, hex.length);
	item->values = RG_WIRE_TEXTS;
	item->tensor.dimensions = 0;
	item->tensor.count = 1;
	item->texts = texts;
}

static rg_error *read_pandas(rg_binary_file *file)
{
	for (size_t i = 0, count = file->count; i < count; i++) {
		const char *type = rg_binary_attribute_text(&file->items[i], "pandas_type");
		for (size_t k = i; type && k < count && is_below(file, file->items[i].path, k); k++)
			drop_notes(&file->items[k]);
		if (type)
			RG_TRY(read_frame(file, i, type));
	}
	rg_binary_tell_apart(file->arena, file->items, file->count);
	return NULL;
}

/* --- Octave --- */

/* Its dimensions are reversed, as its first runs fastest. */
static void turn(rg_tensor *tensor)
{
	const size_t count = tensor->dimensions - tensor->is_complex;
	for (size_t i = 0; i < count / 2; i++) {
		const int64_t extent = tensor->shape[i];
		tensor->shape[i] = tensor->shape[count - 1 - i];
		tensor->shape[count - 1 - i] = extent;
	}
	for (size_t i = 0; i < count; i++)
		tensor->order[i] = (uint8_t)(count - 1 - i);
}

/* The group of a variable has "type" and "value", or the fields of a range. */
static void read_octave(rg_binary_file *file)
{
	for (size_t i = 0; i < file->count; i++) {
		const char *group = file->items[i].path;
		if (!rg_binary_attribute(&file->items[i], "OCTAVE_NEW_FORMAT"))
			continue;
		rg_binary_item *value = find_below(file, i, "value");
		if (!value || !find_below(file, i, "type"))
			continue;
		for (size_t k = 0; k < file->items[i].attribute_count; k++)
			file->items[i].attributes[k].dropped = true;
		if (rg_binary_attribute(value, "OCTAVE_EMPTY_MATRIX"))
			value->path = rg_arena_textf(file->arena, "%s(shape)", group);
		else if (value->values == RG_WIRE_NUMBERS) {
			turn(&value->tensor);
			value->path = group;
		}
	}
}

/* --- NetCDF-4 --- */

/* A variable with fewer records than its dimension goes on with its fill. */
static rg_error *pad(rg_binary_file *file, rg_binary_item *item, int64_t length)
{
	const rg_binary_item *said = rg_binary_attribute(item, "_FillValue");
	const void *fill = rg_binary_default_fill(item->tensor.dtype);
	unsigned char own_fill[RG_DTYPE_SIZE_MAX];
	rg_tensor longer = item->tensor;
	const size_t size = rg_dtype_size(longer.dtype);

	longer.shape[0] = length;
	RG_TRY(rg_shape_count(longer.shape, longer.dimensions, &longer.count));
	longer.size = longer.count * size;
	if (!fill || longer.is_complex)
		return NULL;
	if (said && said->values == RG_WIRE_NUMBERS && said->tensor.count &&
	    said->tensor.dtype == longer.dtype) {
		rg_tensor_bytes(&said->tensor, 0, 1, own_fill);
		fill = own_fill;
	}
	RG_TRY(rg_binary_memory(file, longer.size, &item->own, &longer.forget));
	rg_tensor_bytes(&item->tensor, 0, item->tensor.count, item->own);
	for (size_t i = item->tensor.count; i < longer.count; i++)
		memcpy(item->own + i * size, fill, size);
	longer.data = item->own;
	longer.big_endian = !rg_dtype_is_host_order(longer.dtype, false);
	item->tensor = longer;
	return NULL;
}

/* A record dimension is as long as the longest of its variables. */
static rg_error *pad_records(rg_binary_file *file)
{
	enum { DIMENSIONS_MAX = 64 };
	struct {
		const char *name;
		int64_t length;
	} list[DIMENSIONS_MAX];
	size_t count = 0;

	for (size_t i = 0; i < 2 * file->count; i++) {
		const bool known = i >= file->count;
		rg_binary_item *item = &file->items[known ? i - file->count : i];
		const rg_tensor *tensor = &item->tensor;
		size_t d = 0;
		if (!(item->unlimited & 1) || !item->dimension_names || !tensor->dimensions)
			continue;
		while (d < count && strcmp(list[d].name, *item->dimension_names) != 0)
			d++;
		if (d == DIMENSIONS_MAX)
			continue;
		if (d == count) {
			list[count].name = *item->dimension_names;
			list[count++].length = 0;
		}
		if (list[d].length < tensor->shape[0])
			list[d].length = tensor->shape[0];
		if (known && list[d].length > tensor->shape[0] && !item->dropped && !item->why &&
		    item->values == RG_WIRE_NUMBERS)
			RG_TRY(pad(file, item, list[d].length));
	}
	return NULL;
}

/* Variables are called as in classic files, and dimensions alone are none. */
static void read_netcdf4(rg_binary_file *file)
{
	static const char alone[] = "This is a netCDF dimension but not a netCDF variable.";
	for (size_t i = 0; i < file->count; i++) {
		rg_binary_item *item = &file->items[i];
		const char *class = rg_binary_attribute_text(item, "CLASS");
		const char *name = rg_binary_attribute_text(item, "NAME");
		const char *last = strrchr(item->path, '/');
		if (class && !strcmp(class, "DIMENSION_SCALE")) {
			item->dropped = name && !strncmp(name, alone, strlen(alone));
			if (item->tensor.dimensions == 1 && last && !item->dimension_names) {
				const char **names = rg_arena_alloc(file->arena, sizeof(*names));
				names[0] = last + 1;
				item->dimension_names = names;
			}
		}
	}
}

rg_error *rg_binary_layouts(rg_binary_file *file)
{
	if (rg_binary_is_netcdf4(file)) {
		read_netcdf4(file);
		return pad_records(file);
	}
	for (size_t i = 0; i < file->count; i++) {
		rg_binary_item *item = &file->items[i];
		const bool along = item->dimension_names && *item->dimension_names[0];
		const char *atom = rg_binary_attribute_text(item, "PSEUDOATOM");
		item->is_series |= is_numbers(item, 1) && (item->unlimited & 1 || along);
		if (atom && !strcmp(atom, "object") && item->values == RG_WIRE_NUMBERS)
			keep_pickle(file, item);
	}
	read_octave(file);
	return read_pandas(file);
}
