/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/executorch/ptd.h"

#include "base/memory.h"
#include "base/bytes.h"
#include "base/file.h"
#include "base/order.h"
#include "golden/executorch/formats.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_SEGMENTS = 1, FILE_DATA = 2 };
enum { DATA_KEY = 0, DATA_SEGMENT = 1, DATA_LAYOUT = 2 };
enum { LAYOUT_SCALAR_TYPE = 0, LAYOUT_SIZES = 1, LAYOUT_ORDER = 2 };
enum { SEGMENT_OFFSET = 0, SEGMENT_SIZE = 1 };

/* extension/flat_tensor/serialize/flat_tensor_header.h */
enum { HEADER_MAGIC = 8, HEADER_BASE = 32, HEADER_END = 48 };

/* Names may share bytes, as tied weights do. So often on average, and no more: a small file must
 * not make work without end. */
enum { SHARED_MAX = 16 };

typedef struct {
	rg_external_file *out;
	rg_flat file;
	rg_flat_vector segments;
	uint64_t base; /* what segments' offsets are counted from */
	uint64_t bytes;
} reader;

static rg_error *find_bytes(reader *r, uint32_t index, rg_tensor *out)
{
	rg_flat_table segment;
	uint64_t offset, size;

	if (index >= r->segments.count)
		return rg_error_new(RG_E_PARSE, "segment %" PRIu32 " of %zu", index,
				    r->segments.count);
	RG_TRY(rg_flat_vector_table(&r->segments, index, &segment));
	RG_TRY(rg_flat_u64(&segment, SEGMENT_OFFSET, &offset));
	RG_TRY(rg_flat_u64(&segment, SEGMENT_SIZE, &size));
	if (r->base > r->file.size || offset > r->file.size - r->base ||
	    size > r->file.size - r->base - offset)
		return rg_error_new(RG_E_PARSE, "segment %" PRIu32 " is outside the file: cut off",
				    index);
	r->bytes += size;
	if (r->bytes / SHARED_MAX > r->file.size)
		return rg_error_new(RG_E_PARSE, "its data share too many bytes");
	out->data = r->file.data + r->base + offset;
	out->size = (size_t)size;
	return NULL;
}

static rg_error *read_layout(const rg_flat_table *layout, rg_external_data *item)
{
	uint8_t scalar_type;
	RG_TRY(rg_flat_u8(layout, LAYOUT_SCALAR_TYPE, &scalar_type));
	item->as.kind = RG_PROGRAM_TENSOR;
	item->as.scalar_type = scalar_type;
	return rg_program_tensor_read(layout, LAYOUT_SIZES, LAYOUT_ORDER, &item->as, &item->tensor);
}

static rg_error *read_item(reader *r, const rg_flat_table *data, rg_external_data *item)
{
	rg_flat_table layout;
	const char *name;
	uint32_t segment;
	size_t length, at;

	RG_TRY(rg_flat_string(data, DATA_KEY, &name, &length));
	item->name = rg_arena_copy(&r->out->arena, name, length);
	RG_TRY(rg_flat_u32(data, DATA_SEGMENT, &segment));
	RG_TRY(rg_error_wrap(find_bytes(r, segment, &item->tensor), "'%s'", item->name));
	RG_TRY(rg_flat_field(data, DATA_LAYOUT, 4, &at));
	item->is_tensor = at != 0;
	if (!item->is_tensor)
		return NULL;
	RG_TRY(rg_flat_child(data, DATA_LAYOUT, "a layout", &layout));
	RG_AUTO_PTR(rg_error) unread = read_layout(&layout, item);
	if (unread)
		item->unreadable = rg_arena_text(&r->out->arena, rg_error_message(unread));
	return NULL;
}

RG_ORDER(compare_names, rg_external_data, RG_BY_TEXT(name));

rg_error *rg_external_read(rg_external_file *out, const void *data, size_t size)
{
	const unsigned char *bytes = data;
	reader r = {.out = out};
	rg_flat_table root, table;
	rg_flat_vector items;

	*out = (rg_external_file){0};
	rg_arena_init(&out->arena);
	RG_TRY(rg_flat_open(&r.file, data, size, "FT01", &root));
	if (size < HEADER_END || memcmp(bytes + HEADER_MAGIC, "FH01", 4) != 0)
		return rg_error_new(RG_E_PARSE,
				    "no 'FH01' at byte %d, after which its header "
				    "says where its data are",
				    HEADER_MAGIC);
	r.base = rg_le64(bytes + HEADER_BASE);
	RG_TRY(rg_flat_vector_of(&root, FILE_SEGMENTS, 4, &r.segments));
	RG_TRY(rg_flat_vector_of(&root, FILE_DATA, 4, &items));
	for (size_t i = 0; i < items.count; i++) {
		rg_grow(&out->items, &out->capacity, out->count + 1, sizeof(*out->items));
		out->items[out->count] = (rg_external_data){0};
		RG_TRY(rg_flat_vector_table(&items, i, &table));
		RG_TRY(read_item(&r, &table, &out->items[out->count]));
		out->count++;
	}
	if (out->count)
		qsort(out->items, out->count, sizeof(*out->items), compare_names);
	return NULL;
}

void rg_external_file_release(rg_external_file *file)
{
	free(file->items);
	rg_arena_release(&file->arena);
	*file = (rg_external_file){0};
}

const rg_external_data *rg_external_find(const rg_external_file *file, const char *name)
{
	const rg_external_data wanted = {.name = name};
	return file->count
		       ? bsearch(&wanted, file->items, file->count, sizeof(wanted), compare_names)
		       : NULL;
}

char *rg_external_file_name(const char *program, size_t index)
{
	static const char *const names[] = {"_default_external_constant.ptd", "model.ptd"};

	if (index > sizeof(names) / sizeof(names[0]))
		return NULL;
	return index ? rg_strdup(names[index - 1])
		     : rg_textf("%.*s.ptd", (int)rg_program_model_length(program), program);
}

static rg_error *read_golden(rg_golden_builder *builder, const rg_input *in,
			     const rg_golden_options *options)
{
	RG_AUTO(rg_external_file) file = {0};

	(void)options;
	RG_TRY(rg_external_read(&file, in->data, in->size));
	for (size_t i = 0; i < file.count; i++) {
		const rg_external_data *item = &file.items[i];
		rg_tensor tensor = item->tensor;
		const rg_span bytes = {tensor.data, tensor.size, in->forget};

		tensor.forget = in->forget;
		if (item->unreadable)
			RG_TRY(rg_tensor_add_unreadable(
				builder, item->name, tensor.data, tensor.size,
				rg_error_new(RG_E_PARSE, "%s", item->unreadable)));
		else if (item->is_tensor)
			RG_TRY(rg_tensor_add(builder, item->name, &tensor));
		else
			RG_TRY(rg_bytes_add(builder, item->name, &bytes));
	}
	return NULL;
}

static int bid(const rg_input *in)
{
	return rg_format_bid(rg_ends_with(in->name, ".ptd"),
			     in->size >= 8 && !memcmp((const char *)in->data + 4, "FT01", 4));
}

const rg_format rg_format_ptd = {.name = "ptd", .bid = bid, .read = read_golden, .in_place = true};
