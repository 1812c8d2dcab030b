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
#include <sys/stat.h>
#include <unistd.h>

/* ATTRIBUTES_MAX is of an object. */
enum { ITEMS_MAX = 1 << 20, ATTRIBUTES_MAX = 1 << 16, TEXTS_MAX = 1 << 24, SPILLED_FROM = 1 << 20 };
static const uint64_t values_max = RG_WIRE_FILE_MAX, texts_max = (uint64_t)1 << 28;

rg_error *rg_binary_memory(rg_binary_file *file, uint64_t size, unsigned char **out,
			   rg_forget_fn **forget)
{
	*out = NULL;
	*forget = NULL;
	if (size > values_max - file->bytes)
		return rg_error_new(RG_E_LIMIT, "its values take more than %" PRIu64 " bytes",
				    values_max);
	file->bytes += size;
	if (size >= SPILLED_FROM && (*out = rg_spill_new((size_t)size, NULL))) {
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

/* What the child has written, of which `at` bytes are taken. */
typedef struct {
	rg_binary_file *file;
	rg_golden_builder *builder;
	unsigned char *data;
	uint64_t size, at;
	rg_forget_fn *forget; /* NULL: they are in memory */
} written;

static bool take(written *w, void *out, size_t size)
{
	if (size > w->size - w->at)
		return false;
	memcpy(out, w->data + w->at, size);
	w->at += size;
	return true;
}

/* A few bytes are copied; more are mapped, so that they need no memory. */
static rg_error *load(written *w, int fd)
{
	rg_binary_file *file = w->file;
	struct stat about;

	if (fstat(fd, &about) || about.st_size <= 0 || (uint64_t)about.st_size > values_max)
		return hostile();
	w->size = (uint64_t)about.st_size;
	file->bytes += w->size;
	if (w->size < SPILLED_FROM) {
		w->data = rg_arena_alloc(file->arena, (size_t)w->size);
		return rg_read_at(fd, 0, w->data, (size_t)w->size, "a temporary file");
	}
	w->data = mmap(NULL, (size_t)w->size, PROT_READ, MAP_SHARED, fd, 0);
	if (w->data == MAP_FAILED)
		return rg_error_io(errno, "its values in a temporary file");
	rg_arena_adopt_map(file->arena, w->data, (size_t)w->size);
	w->forget = rg_map_forget;
	return NULL;
}

static rg_error *take_numbers(written *w, const rg_wire_item *head, rg_binary_item *item)
{
	const rg_input *in = w->file->in;
	rg_tensor *tensor = &item->tensor;

	tensor->dtype = (rg_dtype)head->dtype;
	tensor->big_endian = head->flags & RG_WIRE_BIG_ENDIAN;
	tensor->is_complex = head->flags & RG_WIRE_IS_COMPLEX;
	tensor->size = (size_t)head->size;
	if ((!rg_dtype_known((int)head->dtype) && head->dtype != RG_DTYPE_LONGDOUBLE) ||
	    (tensor->is_complex && tensor->dimensions == RG_METRIC_DIMENSIONS))
		return hostile();
	if (tensor->is_complex)
		tensor->shape[tensor->dimensions++] = 2;
	RG_AUTO_PTR(rg_error) wrong = rg_tensor_check(tensor);
	if (wrong)
		return hostile();
	const bool in_file = head->flags & RG_WIRE_IN_FILE;
	tensor->data = (in_file ? (const unsigned char *)in->data : w->data) + head->offset;
	tensor->forget = in_file ? in->forget : w->forget;
	return NULL;
}

static rg_error *take_texts(written *w, const rg_wire_item *head, rg_binary_item *item)
{
	rg_binary_file *file = w->file;
	size_t *count = &item->tensor.count;
	RG_AUTO_PTR(rg_error)
	wrong = rg_shape_count(item->tensor.shape, item->tensor.dimensions, count);
	if (wrong)
		return hostile();
	if (*count > TEXTS_MAX || head->size > texts_max - file->unsent)
		return rg_error_new(RG_E_LIMIT,
				    "its texts are more than %d, or longer than %" PRIu64,
				    TEXTS_MAX, texts_max);
	file->unsent += head->size;
	/* A copy, which the child cannot change while it is looked at. */
	RG_AUTO_FREE char *bytes = rg_malloc((size_t)head->size + 1);
	memcpy(bytes, w->data + head->offset, (size_t)head->size);
	return split_texts(file->arena, bytes, (size_t)head->size, *count, true, &item->texts);
}

/* The values of an item lie in the golden, or between it and the next one. */
static rg_error *check_head(written *w, const rg_wire_item *head)
{
	rg_binary_file *file = w->file;
	const bool in_file = head->flags & RG_WIRE_IN_FILE;
	const uint64_t end = in_file ? file->in->size : w->size;

	if (head->kind >= RG_WIRE_KINDS || head->dimensions > RG_METRIC_DIMENSIONS ||
	    head->path_size > RG_WIRE_PATH_MAX || head->text_size > RG_WIRE_TEXT_MAX ||
	    head->values > RG_WIRE_NOTHING || (head->values == RG_WIRE_NOTHING && head->size) ||
	    (in_file && head->values != RG_WIRE_NUMBERS) || head->offset > end ||
	    head->size > end - head->offset ||
	    (head->size && !in_file && head->offset < w->at + head->path_size + head->text_size))
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
static rg_error *take_object(written *w, const rg_wire_item *head, const char *path,
			     const char *text)
{
	rg_binary_file *file = w->file;
	rg_arena *arena = file->arena;
	rg_binary_item *owner = file->count ? &file->items[file->count - 1] : NULL, *item;
	const bool is_attribute = head->kind == RG_WIRE_ATTRIBUTE;

	if ((is_attribute && !owner) || (head->kind == RG_WIRE_LINK && !head->text_size))
		return hostile();
	if (is_attribute && owner->attribute_count >= ATTRIBUTES_MAX)
		return rg_error_new(RG_E_LIMIT, "an object in it has more than %d attributes",
				    ATTRIBUTES_MAX);
	item = is_attribute ? RG_ARENA_PUSH(arena, owner->attributes, owner->attribute_count,
					    owner->attribute_capacity)
			    : RG_ARENA_PUSH(arena, file->items, file->count, file->capacity);
	*item = (rg_binary_item){.kind = (rg_wire_kind)head->kind,
				 .values = (rg_wire_values)head->values,
				 .path = keep_text(arena, path, head->path_size, false),
				 .unlimited = head->unlimited};
	item->tensor.dimensions = head->dimensions;
	memcpy(item->tensor.shape, head->shape, sizeof(head->shape));
	rg_tensor_row_major(&item->tensor);
	if (head->values == RG_WIRE_NOTHING)
		item->why = head->text_size ? keep_text(arena, text, head->text_size, false) : NULL;
	else if (head->text_size)
		RG_TRY(split_texts(arena, text, head->text_size, head->dimensions, false,
				   &item->dimension_names));
	return head->values == RG_WIRE_NUMBERS ? take_numbers(w, head, item)
	       : head->values == RG_WIRE_TEXTS ? take_texts(w, head, item)
					       : NULL;
}

/* The values of the last item cannot be read, or not all. */
static rg_error *take_failure(rg_binary_file *file, const char *why, size_t length)
{
	rg_binary_item *last = file->count ? &file->items[file->count - 1] : NULL;
	if (last && last->attribute_count)
		last = &last->attributes[last->attribute_count - 1];
	if (!last || !length)
		return hostile();
	last->why = keep_text(file->arena, why, length, false);
	return NULL;
}

static rg_error *take_all(written *w)
{
	RG_AUTO_FREE char *text = rg_malloc(RG_WIRE_TEXT_MAX + 1);
	char path[RG_WIRE_PATH_MAX + 1];
	rg_wire_item head;

	for (;;) {
		if (!take(w, &head, sizeof(head)))
			return hostile();
		RG_TRY(check_head(w, &head));
		if (!take(w, path, head.path_size) || !take(w, text, head.text_size))
			return hostile();
		path[head.path_size] = text[head.text_size] = '\0';
		if (head.size && !(head.flags & RG_WIRE_IN_FILE))
			w->at = head.offset + head.size;
		switch ((rg_wire_kind)head.kind) {
		case RG_WIRE_END:
			return head.text_size ? rg_error_new(RG_E_PARSE, "%s", text) : NULL;
		case RG_WIRE_MISSING:
			return rg_error_new(RG_E_NOTFOUND, "%s", text);
		case RG_WIRE_NOTE:
		case RG_WIRE_WRONG:
			rg_golden_builder_note(w->builder,
					       head.kind == RG_WIRE_NOTE ? RG_NOTE_READ
									 : RG_NOTE_WRONG,
					       "%s", text);
			break;
		case RG_WIRE_FAILED:
			RG_TRY(take_failure(w->file, text, head.text_size));
			break;
		default:
			RG_TRY(take_object(w, &head, path, text));
		}
	}
}

rg_error *rg_binary_receive(rg_binary_file *out, rg_golden_builder *builder,
			    const rg_binary_reader *reader, const rg_input *in)
{
	written w = {.file = out, .builder = builder};
	int fd;

	*out = (rg_binary_file){.arena = &builder->golden->arena, .in = in};
	if (!reader->load)
		return rg_error_new(RG_E_NOTFOUND,
				    "this program was built without its reader of %s, which needs "
				    "Debian's package %s",
				    reader->format, reader->package);
	RG_TRY(rg_file_unnamed(&fd, rg_temporary_folder()));
	rg_error *err = rg_child_read(reader, in, fd);
	if (!err)
		err = load(&w, fd);
	close(fd);
	return err ? err : take_all(&w);
}
