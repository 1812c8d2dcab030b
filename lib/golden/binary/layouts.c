/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/binary/rules.h"

#include "base/utf8.h"

#include <stdio.h>
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

static void drop(rg_binary_item *item)
{
	if (item)
		item->dropped = true;
}

/* An index of whole numbers that ascend has the steps. */
static const int64_t *steps_of(rg_arena *arena, const rg_binary_item *index, int64_t rows)
{
	if (!is_numbers(index, 1) || index->tensor.shape[0] != rows ||
	    rg_dtype_is_float(index->tensor.dtype))
		return NULL;
	int64_t *steps = rg_arena_alloc(arena, (index->tensor.count + 1) * sizeof(*steps));
	for (size_t i = 0; i < index->tensor.count; i++) {
		double value;
		rg_tensor_values(&index->tensor, i, 1, &value);
		steps[i] = (int64_t)(value < 0x1p63 ? value : 0);
		if (index->tensor.dtype == RG_DTYPE_INT64)
			rg_tensor_bytes(&index->tensor, i, 1, &steps[i]);
		if (i && steps[i] <= steps[i - 1])
			return NULL;
	}
	return steps;
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

enum { COLUMNS_MAX = 1 << 16 };

/* The column `at` of a block as an item GROUP/NAME. */
static rg_error *add_column(rg_binary_file *file, const char *group, const rg_binary_item *block,
			    size_t at, const char *name, const int64_t *steps)
{
	const size_t rows = (size_t)block->tensor.shape[0],
		     columns = (size_t)block->tensor.shape[1];
	const size_t size = rg_dtype_size(block->tensor.dtype);
	rg_binary_item column = *block;
	rg_forget_fn *forget;

	RG_TRY(rg_binary_memory(file, rows * size, &column.own, &forget));
	for (size_t i = 0; i < rows; i++)
		memcpy(column.own + i * size, block->tensor.data + (i * columns + at) * size, size);
	column.tensor.data = column.own;
	column.tensor.size = rows * size;
	column.tensor.forget = forget;
	column.tensor.dimensions = 1;
	RG_TRY(rg_tensor_check(&column.tensor));
	column.attribute_count = 0;
	column.is_series = true;
	column.steps = steps;
	column.path = rg_arena_textf(file->arena, "%s/%s", group, name);
	*rg_binary_new(file, RG_WIRE_VARIABLE, "") = column;
	return NULL;
}

/* The text `at` of a list of column names, which may be numbers. */
static const char *column_name(rg_arena *arena, const rg_binary_item *names, size_t at)
{
	char text[RG_DOUBLE_REPR_SIZE];
	if (names->values == RG_WIRE_TEXTS)
		return names->texts[at];
	rg_tensor_element_text(&names->tensor, at, text);
	return rg_arena_text(arena, text);
}

/* "axis0", "axis1", and "blockK_items" and "blockK_values" for each type of columns. */
static rg_error *read_fixed(rg_binary_file *file, size_t at)
{
	const char *group = file->items[at].path;
	enum { BLOCKS_MAX = 64 };
	drop(find_below(file, at, "axis0"));
	for (int k = 0; k < BLOCKS_MAX; k++) {
		char name[32];
		snprintf(name, sizeof(name), "block%d_items", k);
		const rg_binary_item *const named = find_below(file, at, name);
		snprintf(name, sizeof(name), "block%d_values", k);
		const rg_binary_item *const found = find_below(file, at, name);
		if (!named || !is_numbers(found, 2) ||
		    named->tensor.count != (size_t)found->tensor.shape[1] ||
		    named->values == RG_WIRE_NOTHING || named->tensor.count > COLUMNS_MAX ||
		    !found->tensor.row_major)
			continue;
		const rg_binary_item names = *named, block = *found;
		const int64_t *steps =
			steps_of(file->arena, find_below(file, at, "axis1"), block.tensor.shape[0]);
		for (size_t i = 0; i < names.tensor.count; i++)
			RG_TRY(add_column(file, group, &block, i,
					  column_name(file->arena, &names, i), steps));
		drop(find_below(file, at, name));
		snprintf(name, sizeof(name), "block%d_items", k);
		drop(find_below(file, at, name));
	}
	return NULL;
}

/* The next text of a list that Python has pickled by protocol 0: a line of "Va" or "aVb". No more
 * of it is understood. */
static const char *next_name(rg_arena *arena, const char **list)
{
	const char *name = NULL;
	while (*list && **list && !name) {
		const size_t length = strcspn(*list, "\n"), skip = **list == 'a';
		if ((*list)[skip] == 'V')
			name = rg_arena_copy(arena, *list + skip + 1, length - skip - 1);
		*list += length + ((*list)[length] == '\n');
	}
	return name;
}

/* A field of GROUP/table: a column, or "values_block_K" of columns whose names are told. */
static rg_error *read_field(rg_binary_file *file, const char *group, size_t at, const char *field,
			    const char *names, const rg_binary_item *index)
{
	rg_arena *arena = file->arena;
	const rg_binary_item item = file->items[at];
	const int64_t *steps = steps_of(arena, index, item.tensor.shape[0]);
	const bool blocks = !strncmp(field, "values_block_", 13) && item.tensor.dimensions == 2;
	const char *rest = names, *name = blocks ? next_name(arena, &rest) : NULL;
	size_t count = 0;

	file->items[at].path = rg_arena_textf(
		arena, "%s/%s", group,
		name && item.values == RG_WIRE_TEXTS && item.tensor.shape[1] == 1 ? name : field);
	if (is_numbers(&item, 1) && strcmp(field, "index") != 0) {
		file->items[at].is_series = true;
		file->items[at].steps = steps;
	}
	for (; name; count++)
		name = next_name(arena, &rest);
	if (!is_numbers(&item, 2) || !count || count != (size_t)item.tensor.shape[1] ||
	    count > COLUMNS_MAX)
		return NULL;
	for (size_t k = 0; k < count; k++)
		RG_TRY(add_column(file, group, &item, k, next_name(arena, &names), steps));
	file->items[at].dropped = true;
	return NULL;
}

/* "table" has the fields "index", "values_block_K" and columns of their own. */
static rg_error *read_table(rg_binary_file *file, size_t at)
{
	const char *group = file->items[at].path;
	const size_t length = strlen(group);
	const rg_binary_item *found = find_below(file, at, "table");
	const rg_binary_item table = found ? *found : (rg_binary_item){0};
	found = find_below(file, at, "table.index");
	const rg_binary_item index = found ? *found : (rg_binary_item){0};

	drop(find_below(file, at, "table"));
	for (size_t i = at + 1; is_below(file, group, i); i++) {
		const char *name = file->items[i].path + length + 1;
		if (!strncmp(name, "_i_table", 8))
			file->items[i].dropped = true;
		if (strncmp(name, "table.", 6) != 0)
			continue;
		name += 6;
		const char *key = rg_arena_textf(file->arena, "%s_kind", name);
		RG_TRY(read_field(file, group, i, name, rg_binary_attribute_text(&table, key),
				  &index));
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
	item->is_coded = true;
}

static rg_error *read_pandas(rg_binary_file *file)
{
	for (size_t i = 0; i < file->count; i++) {
		const char *atom = rg_binary_attribute_text(&file->items[i], "PSEUDOATOM");
		if (atom && !strcmp(atom, "object") && file->items[i].values == RG_WIRE_NUMBERS)
			keep_pickle(file, &file->items[i]);
	}
	for (size_t i = 0, count = file->count; i < count; i++) {
		const rg_binary_item *item = &file->items[i];
		const char *type = rg_binary_attribute_text(item, "pandas_type");
		const char *group = item->path;
		if (!type)
			continue;
		for (size_t k = i; is_below(file, group, k); k++)
			drop_notes(&file->items[k]);
		rg_binary_item *values = find_below(file, i, "values");
		if (!strcmp(type, "frame_table"))
			RG_TRY(read_table(file, i));
		else if (!strcmp(type, "frame"))
			RG_TRY(read_fixed(file, i));
		else if (is_numbers(values, 1)) {
			values->is_series = true;
			values->steps = steps_of(file->arena, find_below(file, i, "index"),
						 values->tensor.shape[0]);
		}
	}
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

typedef struct {
	const char *name;
	int64_t length;
} record_dimension;

/* The record dimension of a variable of numbers, as long as the longest of its variables. */
static record_dimension *dimension_of(record_dimension *list, size_t *count,
				      const rg_binary_item *item)
{
	enum { DIMENSIONS_MAX = 64 };
	size_t i = 0;
	if (!(item->unlimited & 1) || !item->dimension_names || !item->tensor.dimensions)
		return NULL;
	while (i < *count && strcmp(list[i].name, *item->dimension_names) != 0)
		i++;
	if (i == DIMENSIONS_MAX)
		return NULL;
	*count += i == *count;
	list[i].name = *item->dimension_names;
	if (list[i].length < item->tensor.shape[0])
		list[i].length = item->tensor.shape[0];
	return &list[i];
}

/* A variable with fewer records than its dimension goes on with its fill. */
static rg_error *pad(rg_binary_file *file, rg_binary_item *item, int64_t length)
{
	const rg_binary_item *said = rg_binary_attribute(item, "_FillValue");
	rg_tensor longer = item->tensor;
	const size_t size = rg_dtype_size(longer.dtype);
	rg_element fill;

	longer.shape[0] = length;
	RG_TRY(rg_shape_count(longer.shape, longer.dimensions, &longer.count));
	longer.size = longer.count * size;
	if (!rg_convention_takes(longer.dtype) || longer.is_complex)
		return NULL;
	if (said && said->values == RG_WIRE_NUMBERS && said->tensor.count &&
	    said->tensor.dtype == longer.dtype)
		rg_tensor_bytes(&said->tensor, 0, 1, fill.bytes);
	else if (!rg_binary_default_fill(&fill, longer.dtype))
		*fill.bytes = longer.dtype == RG_DTYPE_INT8 ? 129 : 255; /* -127 */
	RG_TRY(rg_binary_memory(file, longer.size, &item->own, &longer.forget));
	rg_tensor_bytes(&item->tensor, 0, item->tensor.count, item->own);
	for (size_t i = item->tensor.count; i < longer.count; i++)
		memcpy(item->own + i * size, fill.bytes, size);
	longer.data = item->own;
	longer.big_endian = !rg_dtype_is_host_order(longer.dtype, false);
	item->tensor = longer;
	return NULL;
}

static rg_error *pad_records(rg_binary_file *file)
{
	record_dimension list[65] = {{0}};
	size_t count = 0;
	for (size_t i = 0; i < file->count; i++)
		(void)dimension_of(list, &count, &file->items[i]);
	for (size_t i = 0; i < file->count; i++) {
		rg_binary_item *item = &file->items[i];
		const record_dimension *d = dimension_of(list, &count, item);
		if (d && d->length > item->tensor.shape[0] && !item->dropped && !item->why &&
		    item->values == RG_WIRE_NUMBERS)
			RG_TRY(pad(file, item, d->length));
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
	bool is_netcdf = false;
	for (size_t i = 0; i < file->count && !is_netcdf; i++)
		is_netcdf = rg_binary_attribute(&file->items[i], "_NCProperties") ||
			    rg_binary_attribute(&file->items[i], "_Netcdf4Dimid");
	if (is_netcdf) {
		read_netcdf4(file);
		return pad_records(file);
	}
	for (size_t i = 0; i < file->count; i++) {
		rg_binary_item *item = &file->items[i];
		const bool along = item->dimension_names && *item->dimension_names[0];
		item->is_series |= is_numbers(item, 1) && (item->unlimited & 1 || along);
	}
	read_octave(file);
	return read_pandas(file);
}
