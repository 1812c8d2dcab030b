/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/binary/file.h"

#include "base/file.h"
#include "base/map.h"
#include "base/temporary.h"
#include "base/utf8.h"
#include "golden/format.h"

#include <inttypes.h>
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

enum { ITEMS_MAX = 1 << 20, TEXTS_MAX = 1 << 24, SPILLED_FROM = 1 << 20, PART = 1 << 18 };
static const uint64_t values_max = (uint64_t)1 << 32, texts_max = (uint64_t)1 << 28;

rg_error *rg_binary_memory(rg_binary_file *file, uint64_t size, unsigned char **out,
			   rg_forget_fn **forget)
{
	*out = NULL;
	*forget = NULL;
	if (size > values_max - file->bytes)
		return rg_error_new(RG_E_LIMIT, "its values take more than %" PRIu64 " bytes",
				    values_max);
	file->bytes += size;
	if (size >= SPILLED_FROM && (*out = rg_spill_new((size_t)size))) {
		rg_arena_adopt_map(file->arena, *out, (size_t)size);
		*forget = rg_map_forget;
	} else if (size > RG_UNPACKED_MAX) {
		return rg_error_new(
			RG_E_LIMIT,
			"there is no room for its %" PRIu64 " bytes in the temporary folder", size);
	} else {
		*out = rg_arena_alloc(file->arena, (size_t)size + 1);
	}
	return NULL;
}

rg_error *rg_binary_own(rg_binary_file *file, rg_binary_item *item)
{
	rg_tensor *tensor = &item->tensor;
	rg_forget_fn *forget;
	if (item->own || item->values != RG_WIRE_NUMBERS)
		return NULL;
	RG_TRY(rg_binary_memory(file, tensor->size, &item->own, &forget));
	if (tensor->size)
		memcpy(item->own, tensor->data, tensor->size);
	tensor->data = item->own;
	tensor->forget = forget;
	return NULL;
}

rg_binary_item *rg_binary_new(rg_binary_file *file, rg_wire_kind kind, const char *path)
{
	rg_binary_item *item = RG_ARENA_PUSH(file->arena, file->items, file->count, file->capacity);
	*item = (rg_binary_item){
		.kind = kind, .values = RG_WIRE_NOTHING, .path = rg_arena_text(file->arena, path)};
	rg_tensor_row_major(&item->tensor);
	return item;
}

rg_binary_item *rg_binary_attribute(const rg_binary_item *item, const char *name)
{
	for (size_t i = 0; i < item->attribute_count; i++)
		if (!strcmp(item->attributes[i].path, name))
			return &item->attributes[i];
	return NULL;
}

const char *rg_binary_attribute_text(const rg_binary_item *item, const char *name)
{
	const rg_binary_item *found = rg_binary_attribute(item, name);
	return found && found->texts && found->tensor.count ? found->texts[0] : NULL;
}

/* The child is not trusted: a hostile file may rule it. */
static rg_error *hostile(void)
{
	return rg_error_new(RG_E_PARSE, "the library that reads it has told nonsense");
}

/* A name or a text as it is, if it is UTF-8. */
static const char *keep_text(rg_arena *arena, const char *text, size_t length, bool escaped)
{
	size_t at = 0, n = 1;
	while (!escaped && at < length && (n = rg_utf8_length(text + at, length - at)))
		at += n;
	if (!escaped && n)
		return rg_arena_copy(arena, text, length);
	RG_AUTO(rg_buf) out = rg_buf_of(RG_BUF_ANY);
	rg_utf8_add_escaped(&out, text, length);
	return rg_arena_copy(arena, out.data, out.length);
}

/* `size` bytes, as many NULs as `count`, the last of them at the end. */
static rg_error *split_texts(rg_arena *arena, const char *bytes, size_t size, size_t count,
			     bool escaped, const char *const **out)
{
	const char **texts = rg_arena_alloc(arena, (count + 1) * sizeof(*texts));
	const char *at = bytes, *const stop = bytes + size;
	for (size_t i = 0; i < count; i++) {
		const char *nul = at < stop ? memchr(at, '\0', (size_t)(stop - at)) : NULL;
		if (!nul)
			return hostile();
		texts[i] = keep_text(arena, at, (size_t)(nul - at), escaped);
		at = nul + 1;
	}
	*out = texts;
	return at == stop ? NULL : hostile();
}

/* Fills `to`, or the file where that is NULL, with pieces. *why: they end early, and this is why.
 */
static rg_error *take_pieces(rg_child *child, rg_arena *arena, unsigned char *to, int fd,
			     uint64_t size, const char **why)
{
	RG_AUTO_FREE char *part = to ? NULL : rg_malloc(PART);
	uint64_t taken = 0;
	rg_wire_piece piece;

	for (*why = NULL; taken < size; taken += piece.size) {
		RG_TRY(rg_child_take(child, &piece, sizeof(piece)));
		if (!piece.size) {
			if (piece.at > RG_WIRE_TEXT_MAX)
				return hostile();
			char *text = rg_arena_alloc(arena, (size_t)piece.at + 1);
			*why = text;
			return rg_child_take(child, text, (size_t)piece.at);
		}
		if (piece.at > size || piece.size > size - piece.at || piece.size > size - taken)
			return hostile();
		if (to)
			RG_TRY(rg_child_take(child, to + piece.at, (size_t)piece.size));
		for (uint64_t at = 0; !to && at < piece.size; at += PART) {
			const size_t n = piece.size - at < PART ? (size_t)(piece.size - at) : PART;
			RG_TRY(rg_child_take(child, part, n));
			if (pwrite(fd, part, n, (off_t)(piece.at + at)) != (ssize_t)n)
				return rg_error_io(errno, "its values in a temporary file");
		}
	}
	return NULL;
}

/* Values too large for memory are written to a file, which is mapped: pages that are mapped first
 * would be cleared before. */
static rg_error *take_large(rg_binary_file *file, rg_child *child, rg_binary_item *item)
{
	const size_t size = item->tensor.size;
	struct rlimit limit;
	int fd;

	if (size > values_max - file->bytes || getrlimit(RLIMIT_FSIZE, &limit) ||
	    limit.rlim_cur < size)
		return rg_error_new(RG_E_LIMIT, "its values take more than %" PRIu64 " bytes",
				    values_max);
	file->bytes += size;
	RG_TRY(rg_file_unnamed(&fd, rg_temporary_folder()));
	rg_error *err = ftruncate(fd, (off_t)size) ? rg_error_io(errno, "a temporary file") : NULL;
	if (!err)
		err = take_pieces(child, file->arena, NULL, fd, size, &item->why);
	void *memory = err ? MAP_FAILED : mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);
	close(fd);
	RG_TRY(err);
	if (memory == MAP_FAILED)
		return rg_error_io(errno, "its values in a temporary file");
	rg_arena_adopt_map(file->arena, memory, size);
	item->tensor.data = memory;
	item->tensor.forget = rg_map_forget;
	return NULL;
}

static rg_error *take_numbers(rg_binary_file *file, rg_child *child, const rg_wire_item *head,
			      rg_binary_item *item)
{
	rg_tensor *tensor = &item->tensor;
	rg_error *wrong;

	if (!rg_dtype_known((int)head->dtype) && head->dtype != RG_DTYPE_LONGDOUBLE)
		return hostile();
	tensor->dtype = (rg_dtype)head->dtype;
	tensor->big_endian = head->flags & RG_WIRE_BIG_ENDIAN;
	tensor->size = (size_t)head->size;
	if (head->flags & RG_WIRE_IS_COMPLEX) {
		if (tensor->dimensions == RG_METRIC_DIMENSIONS)
			return hostile();
		tensor->is_complex = true;
		tensor->shape[tensor->dimensions++] = 2;
	}
	if ((wrong = rg_tensor_check(tensor))) {
		rg_error_free(wrong);
		return hostile();
	}
	if (head->flags & RG_WIRE_IN_FILE) {
		if (head->offset > file->in->size || head->size > file->in->size - head->offset)
			return hostile();
		tensor->data = (const unsigned char *)file->in->data + head->offset;
		tensor->forget = file->in->forget;
		return NULL;
	}
	if (head->size >= SPILLED_FROM)
		return take_large(file, child, item);
	RG_TRY(rg_binary_memory(file, head->size, &item->own, &tensor->forget));
	tensor->data = item->own;
	return take_pieces(child, file->arena, item->own, -1, head->size, &item->why);
}

static rg_error *take_texts(rg_binary_file *file, rg_child *child, const rg_wire_item *head,
			    rg_binary_item *item)
{
	size_t count;
	rg_error *wrong = rg_shape_count(item->tensor.shape, item->tensor.dimensions, &count);
	if (wrong) {
		rg_error_free(wrong);
		return hostile();
	}
	if (count > TEXTS_MAX || head->size > texts_max - file->unsent)
		return rg_error_new(RG_E_LIMIT,
				    "its texts are more than %d, or longer than %" PRIu64,
				    TEXTS_MAX, texts_max);
	file->unsent += head->size;
	item->tensor.count = count;
	RG_AUTO_FREE char *bytes = rg_malloc((size_t)head->size + 1);
	RG_TRY(take_pieces(child, file->arena, (unsigned char *)bytes, -1, head->size, &item->why));
	if (item->why)
		return NULL;
	return split_texts(file->arena, bytes, (size_t)head->size, count, true, &item->texts);
}

static rg_error *check_head(rg_binary_file *file, const rg_wire_item *head)
{
	if (head->kind >= RG_WIRE_KINDS || head->dimensions > RG_METRIC_DIMENSIONS ||
	    head->path_size > RG_WIRE_PATH_MAX || head->text_size > RG_WIRE_TEXT_MAX ||
	    head->values > RG_WIRE_NOTHING || (head->values == RG_WIRE_NOTHING && head->size))
		return hostile();
	file->unsent += head->path_size + head->text_size;
	if (file->count > ITEMS_MAX || file->unsent > texts_max)
		return rg_error_new(RG_E_LIMIT,
				    "it has more than %d objects, or names longer than %" PRIu64
				    " bytes",
				    ITEMS_MAX, texts_max);
	return NULL;
}

/* An object, or an attribute of the last one. */
static rg_error *take_object(rg_binary_file *file, rg_child *child, const rg_wire_item *head,
			     const char *path, const char *text)
{
	rg_arena *arena = file->arena;
	rg_binary_item *owner = file->count ? &file->items[file->count - 1] : NULL, *item;
	const bool is_attribute = head->kind == RG_WIRE_ATTRIBUTE;

	if ((is_attribute && !owner) || (head->kind == RG_WIRE_LINK && !head->text_size))
		return hostile();
	item = is_attribute ? RG_ARENA_PUSH(arena, owner->attributes, owner->attribute_count,
					    owner->attribute_capacity)
			    : RG_ARENA_PUSH(arena, file->items, file->count, file->capacity);
	*item = (rg_binary_item){.kind = (rg_wire_kind)head->kind,
				 .values = (rg_wire_values)head->values,
				 .is_coded = head->flags & RG_WIRE_IS_CODED,
				 .path = path,
				 .unlimited = head->unlimited};
	item->tensor.dimensions = head->dimensions;
	memcpy(item->tensor.shape, head->shape, sizeof(head->shape));
	rg_tensor_row_major(&item->tensor);
	if (head->values == RG_WIRE_NOTHING)
		item->why = head->text_size ? keep_text(arena, text, head->text_size, false) : NULL;
	else if (head->text_size)
		RG_TRY(split_texts(arena, text, head->text_size, head->dimensions, false,
				   &item->dimension_names));
	return head->values == RG_WIRE_NUMBERS ? take_numbers(file, child, head, item)
	       : head->values == RG_WIRE_TEXTS ? take_texts(file, child, head, item)
					       : NULL;
}

static rg_error *take_all(rg_binary_file *file, rg_golden_builder *builder, rg_child *child,
			  bool *whole)
{
	RG_AUTO_FREE char *text = rg_malloc(RG_WIRE_TEXT_MAX + 1);
	char path[RG_WIRE_PATH_MAX + 1];
	rg_wire_item head;

	for (;;) {
		RG_TRY(rg_child_take(child, &head, sizeof(head)));
		RG_TRY(check_head(file, &head));
		RG_TRY(rg_child_take(child, path, head.path_size));
		RG_TRY(rg_child_take(child, text, head.text_size));
		path[head.path_size] = text[head.text_size] = '\0';
		*whole = head.kind == RG_WIRE_END || head.kind == RG_WIRE_MISSING;
		const rg_error_code code = head.kind == RG_WIRE_MISSING ? RG_E_NOTFOUND
									: RG_E_PARSE;
		if (*whole)
			return head.text_size ? rg_error_new(code, "%s", text) : NULL;
		if (head.kind == RG_WIRE_NOTE || head.kind == RG_WIRE_WRONG)
			rg_golden_builder_note(
				builder, head.kind == RG_WIRE_NOTE ? RG_NOTE_READ : RG_NOTE_WRONG,
				"%s", text);
		else
			RG_TRY(take_object(file, child, &head,
					   keep_text(file->arena, path, head.path_size, false),
					   text));
	}
}

rg_error *rg_binary_receive(rg_binary_file *out, rg_golden_builder *builder,
			    const rg_binary_reader *reader, const rg_input *in)
{
	rg_child *child;
	bool whole = false;

	*out = (rg_binary_file){.arena = &builder->golden->arena, .in = in};
	if (!reader->load)
		return rg_error_new(RG_E_NOTFOUND,
				    "this program was built without its reader of %s, which needs "
				    "Debian's package %s",
				    reader->format, reader->package);
	RG_TRY(rg_child_open(&child, reader, in));
	rg_error *err = take_all(out, builder, child, &whole);
	rg_child_close(child, whole);
	return err;
}
