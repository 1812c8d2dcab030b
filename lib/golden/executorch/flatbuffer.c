/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/executorch/flatbuffer.h"

#include "base/bytes.h"
#include "base/lfs.h"

#include <string.h>

enum { OFFSET_SIZE = 4, VTABLE_HEADER = 4 };

static bool inside(const rg_flat *file, size_t at, size_t size)
{
	return at <= file->size && size <= file->size - at;
}

/* Follows the offset at `at` (inside the file) to where `need` bytes must be. */
static rg_error *follow(const rg_flat *file, size_t at, size_t need, size_t *target)
{
	size_t offset = rg_le32(file->data + at);
	if (!offset)
		return rg_error_new(RG_E_PARSE, "byte %zu: an offset of zero", at);
	if (offset > file->size - at || !inside(file, at + offset, need))
		return rg_error_new(RG_E_PARSE, "byte %zu: an offset leads out of the file", at);
	*target = at + offset;
	return NULL;
}

/* The table whose offset is at `at`. */
static rg_error *open_table(rg_flat *file, size_t at, rg_flat_table *out)
{
	if (++file->tables > file->tables_max)
		return rg_error_new(RG_E_LIMIT, "more than %zu tables", file->tables_max);
	out->file = file;
	RG_TRY(follow(file, at, OFFSET_SIZE, &out->at));
	/* Signed, and counted backwards. */
	int64_t vtable = (int64_t)out->at - (int32_t)rg_le32(file->data + out->at);
	if (vtable < 0 || !inside(file, (size_t)vtable, VTABLE_HEADER))
		return rg_error_new(RG_E_PARSE, "byte %zu: its vtable is outside the file",
				    out->at);
	out->vtable = (size_t)vtable;
	out->vtable_size = rg_le16(file->data + out->vtable);
	size_t table_size = rg_le16(file->data + out->vtable + 2);
	if (out->vtable_size < VTABLE_HEADER || !inside(file, out->vtable, out->vtable_size) ||
	    table_size < OFFSET_SIZE || !inside(file, out->at, table_size))
		return rg_error_new(RG_E_PARSE, "byte %zu: a table or vtable of a wrong size",
				    out->at);
	return NULL;
}

rg_error *rg_flat_open(rg_flat *file, const void *data, size_t size,
		       const char identifier[static 4], rg_flat_table *root)
{
	*file = (rg_flat){.data = data, .size = size, .tables_max = RG_FLAT_TABLES_MAX};
	if (size < (size_t)2 * OFFSET_SIZE)
		return rg_error_new(RG_E_PARSE, "%zu byte%s too few for a flatbuffer", size,
				    size == 1 ? " is" : "s are");
	RG_TRY(rg_lfs_refuse_pointer(data, size));
	if (memcmp(file->data + OFFSET_SIZE, identifier, 4) != 0)
		return rg_error_new(RG_E_PARSE, "no '%.4s' at byte 4", identifier);
	return open_table(file, 0, root);
}

rg_error *rg_flat_field(const rg_flat_table *table, unsigned field, size_t size, size_t *at)
{
	size_t slot = VTABLE_HEADER + 2 * (size_t)field;
	*at = 0;
	if (slot + 2 > table->vtable_size)
		return NULL;
	size_t offset = rg_le16(table->file->data + table->vtable + slot);
	if (!offset)
		return NULL;
	/* Against the file, as flatbuffers' verifier does, not against the table's size: its
	 * builder for Python lets tables share a vtable whose fields are at the same places,
	 * though the last is wider than in the table that the size is of. */
	if (offset < OFFSET_SIZE || !inside(table->file, table->at + offset, size))
		return rg_error_new(RG_E_PARSE, "byte %zu: field %u is outside the file", table->at,
				    field);
	*at = table->at + offset;
	return NULL;
}

rg_error *rg_flat_u8(const rg_flat_table *table, unsigned field, uint8_t *out)
{
	size_t at;
	RG_TRY(rg_flat_field(table, field, 1, &at));
	*out = at ? table->file->data[at] : 0;
	return NULL;
}

rg_error *rg_flat_u32(const rg_flat_table *table, unsigned field, uint32_t *out)
{
	size_t at;
	RG_TRY(rg_flat_field(table, field, 4, &at));
	*out = at ? rg_le32(table->file->data + at) : 0;
	return NULL;
}

rg_error *rg_flat_u64(const rg_flat_table *table, unsigned field, uint64_t *out)
{
	size_t at;
	RG_TRY(rg_flat_field(table, field, 8, &at));
	*out = at ? rg_le64(table->file->data + at) : 0;
	return NULL;
}

rg_error *rg_flat_child(const rg_flat_table *table, unsigned field, const char *what,
			rg_flat_table *out)
{
	size_t at;
	RG_TRY(rg_flat_field(table, field, OFFSET_SIZE, &at));
	if (!at)
		return rg_error_new(RG_E_PARSE, "byte %zu: %s is missing", table->at, what);
	return open_table(table->file, at, out);
}

rg_error *rg_flat_vector_of(const rg_flat_table *table, unsigned field, size_t element_size,
			    rg_flat_vector *out)
{
	rg_flat *file = table->file;
	size_t at, start;

	*out = (rg_flat_vector){.file = file};
	RG_TRY(rg_flat_field(table, field, OFFSET_SIZE, &at));
	if (!at)
		return NULL;
	RG_TRY(follow(file, at, OFFSET_SIZE, &start));
	out->count = rg_le32(file->data + start);
	out->at = start + OFFSET_SIZE;
	if (out->count > (file->size - out->at) / element_size)
		return rg_error_new(RG_E_PARSE, "byte %zu: a vector of %zu × %zu bytes", start,
				    out->count, element_size);
	return NULL;
}

int32_t rg_flat_vector_i32(const rg_flat_vector *vector, size_t index)
{
	return (int32_t)rg_le32(vector->file->data + vector->at + 4 * index);
}

rg_error *rg_flat_vector_table(const rg_flat_vector *vector, size_t index, rg_flat_table *out)
{
	return open_table(vector->file, vector->at + OFFSET_SIZE * index, out);
}

rg_error *rg_flat_string(const rg_flat_table *table, unsigned field, const char **out,
			 size_t *length)
{
	rg_flat_vector bytes;
	RG_TRY(rg_flat_vector_of(table, field, 1, &bytes));
	*out = bytes.count ? (const char *)bytes.file->data + bytes.at : "";
	*length = bytes.count;
	if (bytes.count > RG_FLAT_TEXT_MAX)
		return rg_error_new(RG_E_LIMIT, "byte %zu: a text of more than %zu bytes", bytes.at,
				    RG_FLAT_TEXT_MAX);
	if (bytes.count && memchr(*out, '\0', bytes.count))
		return rg_error_new(RG_E_PARSE, "byte %zu: a text with a NUL in it", bytes.at);
	size_t end = bytes.at + bytes.count;
	if (bytes.at && (!inside(table->file, end, 1) || table->file->data[end]))
		return rg_error_new(RG_E_PARSE, "byte %zu: a text without the NUL that ends it",
				    bytes.at);
	return NULL;
}
