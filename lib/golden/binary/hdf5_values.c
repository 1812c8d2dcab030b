/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/binary/hdf5_values.h"

#include "base/buf.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Values are read box by box, each of whole chunks; what is not numbers in one box. */
enum { BOX = 4 << 20, WHOLE = 64 << 20, TEXTS = 256 << 20, RANK = 32, LEVELS = 8, DEPTH = 8 };

typedef struct {
	rg_wire *wire;
	hid_t id, type, space; /* type: of the elements in memory */
	bool is_attribute, has_lists;
	int rank;
	hsize_t shape[RANK], chunk[RANK], box[RANK], at[RANK], extent[RANK]; /* at: -1, no box */
	size_t elements, size, room; /* size: of an element; room: for the elements of a box */
	unsigned char *buffer;
	const char *names;
	size_t names_size;
} source;

/* The place of one of the numbers or texts of an element, and how often it is there: arrays are
 * levels. */
typedef struct {
	size_t offset, levels, count;
	struct {
		size_t count, stride;
	} level[LEVELS];
} leaf;

/* hid_t type CLOSED(type) = ... is closed at the end of its block. */
#define CLOSED(what) __attribute__((cleanup(close_##what)))
static void close_type(const hid_t *id)
{
	if (*id >= 0)
		hdf5.H5Tclose(*id);
}
static void close_space(const hid_t *id)
{
	if (*id >= 0)
		hdf5.H5Sclose(*id);
}

static void say_unreadable(const source *s, const rg_wire_item *item, const char *path,
			   const char *why)
{
	const bool is_attribute = item->kind == RG_WIRE_ATTRIBUTE;
	rg_wire_say(s->wire, is_attribute ? RG_WIRE_ATTRIBUTE : RG_WIRE_UNREADABLE, path, why);
}

/* Reads the box that begins at `at`, unless it is there already. */
static bool load_box(source *s, const hsize_t *at)
{
	hid_t memory; /* of the same rank, or the library is twice as slow */

	if (s->buffer && !memcmp(s->at, at, sizeof(s->at)))
		return true;
	for (int i = 0; i < s->rank; i++) {
		const hsize_t left = s->shape[i] - at[i];
		s->extent[i] = left < s->box[i] ? left : s->box[i];
	}
	if (!s->buffer)
		s->buffer = calloc(s->room + 1, s->size);
	if (!s->buffer)
		return false;
	memcpy(s->at, at, sizeof(s->at));
	if (s->is_attribute)
		return hdf5.H5Aread(s->id, s->type, s->buffer) >= 0;
	if (!s->rank)
		return hdf5.H5Dread(s->id, s->type, H5S_ALL, H5S_ALL, H5P_DEFAULT, s->buffer) >= 0;
	if ((memory = hdf5.H5Screate_simple(s->rank, s->extent, NULL)) < 0)
		return false;
	const bool read =
		hdf5.H5Sselect_hyperslab(s->space, H5S_SELECT_SET, at, NULL, s->extent, NULL) >=
			0 &&
		hdf5.H5Dread(s->id, s->type, memory, s->space, H5P_DEFAULT, s->buffer) >= 0;
	hdf5.H5Sclose(memory);
	if (!read)
		memset(s->at, 0xff, sizeof(s->at));
	return read;
}

/* The box that follows; false after the last one. */
static bool next_box(const source *s, hsize_t *at)
{
	for (int i = s->rank; i-- > 0; at[i] = 0)
		if ((at[i] += s->box[i]) < s->shape[i])
			return true;
	return false;
}

/* A box of whole chunks grows to `most` bytes, along the fastest dimensions first. */
static void choose_box(source *s, size_t most)
{
	size_t bytes = s->size;
	for (int i = 0; i < s->rank; i++) {
		const hsize_t chunk = s->chunk[i] ? s->chunk[i] : 1;
		s->box[i] = chunk < s->shape[i] ? chunk : s->shape[i];
		bytes *= s->box[i] ? (size_t)s->box[i] : 1;
	}
	for (int i = s->rank; i-- > 0;) {
		const size_t times = bytes < most ? most / bytes : 1;
		const hsize_t was = s->box[i];
		s->box[i] = was > s->shape[i] / times ? s->shape[i] : was * times;
		bytes = was ? bytes / (size_t)was * (size_t)s->box[i] : bytes;
		if (s->box[i] < s->shape[i])
			break;
	}
	s->room = bytes / s->size;
	free(s->buffer);
	s->buffer = NULL;
}

/* The bytes of the leaf of so many elements, one after the other. */
static void gather(const source *s, const leaf *l, size_t size, size_t elements, char *out)
{
	for (size_t i = 0; i < elements; i++)
		for (size_t k = 0; k < l->count; k++, out += size) {
			size_t from = i * s->size + l->offset, rest = k;
			for (size_t d = l->levels; d-- > 0; rest /= l->level[d].count)
				from += rest % l->level[d].count * l->level[d].stride;
			memcpy(out, s->buffer + from, size);
		}
}

/* Sends a box of which each element has `size` bytes here, row by row of what lies together. */
static void send_box(const source *s, const char *bytes, size_t size)
{
	hsize_t at[RANK] = {0};
	size_t run = size;
	int inner = s->rank;

	while (inner > 0) {
		run *= (size_t)s->extent[--inner];
		if (s->extent[inner] < s->shape[inner])
			break;
	}
	for (bool more = true; more; bytes += run) {
		uint64_t to = 0;
		for (int i = 0; i < s->rank; i++)
			to = to * s->shape[i] + s->at[i] + at[i];
		rg_wire_run(s->wire, to * size, bytes, run);
		more = false;
		for (int i = inner; i-- > 0 && !more; at[i] = more ? at[i] : 0)
			more = ++at[i] < s->extent[i];
	}
}

/* Contiguous, not packed, and of a type that is the machine's but for the order of its bytes. */
static bool is_in_file(const source *s, const leaf *l, hid_t type, hid_t stored, uint64_t *offset,
		       rg_wire_item *item)
{
	if (s->is_attribute || l->levels || hdf5.H5Tget_size(type) != s->size || s->chunk[0] ||
	    !s->elements)
		return false;
	const haddr_t at = hdf5.H5Dget_offset(s->id);
	const hid_t copy CLOSED(type) = hdf5.H5Tcopy(type);
	const H5T_order_t order = hdf5.H5Tget_order(stored);
	hdf5.H5Tset_order(copy, order);
	*offset = at;
	item->flags |= order == H5T_ORDER_BE ? RG_WIRE_BIG_ENDIAN : 0;
	return at != HADDR_UNDEF && hdf5.H5Tequal(copy, stored) > 0;
}

static void send_numbers(source *s, const leaf *l, hid_t type, hid_t stored, rg_wire_item item,
			 const char *path)
{
	const size_t size = hdf5.H5Tget_size(type), each = size * l->count;
	hsize_t at[RANK] = {0};
	uint64_t offset;

	item.values = RG_WIRE_NUMBERS;
	if (is_in_file(s, l, type, stored, &offset, &item)) {
		rg_wire_in_file(s->wire, &item, path, s->names, s->names_size, offset,
				s->elements * each);
		return;
	}
	const bool whole = each == s->size;
	char *bytes = whole ? NULL : malloc(s->room * each + 1);
	item.flags &= ~(unsigned)RG_WIRE_BIG_ENDIAN;
	rg_wire_begin(s->wire, &item, path, s->names, s->names_size, s->elements * each);
	for (bool more = s->elements; more; more = next_box(s, at)) {
		if (!load_box(s, at) || (!whole && !bytes)) {
			rg_wire_fail(s->wire, "libhdf5 cannot read its values");
			break;
		}
		size_t count = 1;
		for (int i = 0; i < s->rank; i++)
			count *= (size_t)s->extent[i];
		if (!whole)
			gather(s, l, size, count, bytes);
		send_box(s, whole ? (const char *)s->buffer : bytes, each);
	}
	free(bytes);
}

/* The name of what it points to; of a region the bounds, too. */
static void add_reference(const source *s, size_t size, const void *at, rg_buf *out)
{
	const bool region = size == sizeof(hdset_reg_ref_t);
	const H5R_type_t kind = region ? H5R_DATASET_REGION : H5R_OBJECT;
	hsize_t start[RANK], last[RANK];
	char name[RG_WIRE_PATH_MAX] = "";

	if (hdf5.H5Rget_name(s->id, kind, at, name, sizeof(name)) <= 0) {
		rg_buf_str(out, "(nothing)");
		return;
	}
	rg_buf_str(out, name);
	const hid_t space CLOSED(space) = region ? hdf5.H5Rget_region(s->id, kind, at) : -1;
	const int rank = space < 0 ? 0 : hdf5.H5Sget_simple_extent_ndims(space);
	if (rank > 0 && rank <= RANK && hdf5.H5Sget_select_bounds(space, start, last) >= 0)
		for (int i = 0; i < rank; i++)
			rg_buf_printf(out, "%s%" PRIu64 ":%" PRIu64, i ? "," : " ",
				      (uint64_t)start[i], (uint64_t)last[i]);
}

static void add_text(const source *s, hid_t type, const unsigned char *at, rg_buf *out)
{
	const size_t size = hdf5.H5Tget_size(type);
	const H5T_class_t class = hdf5.H5Tget_class(type);
	char name[4096];
	const char *text = (const char *)at;

	if (class == H5T_STRING && hdf5.H5Tis_variable_str(type) > 0) {
		memcpy(&text, at, sizeof(text));
		rg_buf_str(out, text ? text : "");
	} else if (class == H5T_STRING) {
		size_t length = strnlen(text, size);
		while (hdf5.H5Tget_strpad(type) == H5T_STR_SPACEPAD && length &&
		       text[length - 1] == ' ')
			length--;
		rg_buf_add(out, text, length);
	} else if (class == H5T_ENUM && hdf5.H5Tenum_nameof(type, at, name, sizeof(name)) >= 0) {
		rg_buf_str(out, name);
	} else if (class == H5T_REFERENCE) {
		add_reference(s, size, at, out);
	} else {
		for (size_t i = 0; i < size; i++)
			rg_buf_printf(out, "%02x", at[i]);
	}
	rg_buf_char(out, '\0');
}

static void send_texts(source *s, const leaf *l, hid_t type, rg_wire_item item, const char *path)
{
	const size_t size = hdf5.H5Tget_size(type), count = s->elements * l->count;
	RG_AUTO(rg_buf) texts = rg_buf_of(TEXTS);
	hsize_t at[RANK] = {0};
	unsigned char *one = calloc(count + 1, size);

	const bool read = one && s->room >= s->elements && (!s->elements || load_box(s, at));
	if (read && s->elements)
		gather(s, l, size, s->elements, (char *)one);
	for (size_t i = 0; read && i < count; i++)
		add_text(s, type, one + i * size, &texts);
	free(one);
	if (!read || texts.is_full) {
		say_unreadable(s, &item, path,
			       read || s->room < s->elements ? "its texts are too long"
							     : "libhdf5 cannot read its values");
		return;
	}
	item.values = RG_WIRE_TEXTS;
	item.flags = hdf5.H5Tget_class(type) == H5T_STRING ? 0 : RG_WIRE_IS_CODED;
	rg_wire_put(s->wire, &item, path, texts.data, texts.length);
}

/* The type of numbers that the library need not change, but for float16 and its like. */
static bool is_number(hid_t type, hid_t stored, rg_wire_item *item)
{
	static const rg_dtype wholes[2][9] = {{[1] = RG_DTYPE_UINT8,
					       [2] = RG_DTYPE_UINT16,
					       [4] = RG_DTYPE_UINT32,
					       [8] = RG_DTYPE_UINT64},
					      {[1] = RG_DTYPE_INT8,
					       [2] = RG_DTYPE_INT16,
					       [4] = RG_DTYPE_INT32,
					       [8] = RG_DTYPE_INT64}};
	const size_t size = hdf5.H5Tget_size(type);
	const H5T_class_t class = hdf5.H5Tget_class(type);
	size_t sign, exponent_at, exponent, mantissa_at, mantissa;
	char names[2][8] = {"", ""};

	if (class == H5T_ENUM) { /* h5py's booleans */
		for (unsigned i = 0; i < 2 && hdf5.H5Tget_nmembers(type) == 2; i++) {
			char *name = hdf5.H5Tget_member_name(type, i);
			snprintf(names[i], sizeof(names[i]), "%s", name ? name : "");
			hdf5.H5free_memory(name);
		}
		item->dtype = RG_DTYPE_BOOL;
		return size == 1 && !strcmp(names[0], "FALSE") && !strcmp(names[1], "TRUE");
	}
	if (class == H5T_INTEGER || class == H5T_BITFIELD) {
		const bool is_signed = class == H5T_INTEGER && hdf5.H5Tget_sign(type) == H5T_SGN_2;
		item->dtype = size > 8 ? RG_DTYPE_COUNT : wholes[is_signed][size];
		return size <= 8 && size == (size & -size);
	}
	if (class != H5T_FLOAT ||
	    hdf5.H5Tget_fields(stored, &sign, &exponent_at, &exponent, &mantissa_at, &mantissa) < 0)
		return false;
	item->dtype = size == sizeof(float)    ? RG_DTYPE_FLOAT32
		      : size == sizeof(double) ? RG_DTYPE_FLOAT64
					       : RG_DTYPE_LONGDOUBLE;
	return size == sizeof(float)    ? exponent <= 8 && mantissa <= 23
	       : size == sizeof(double) ? exponent == 11 && mantissa == 52
					: size == 16 && exponent == 15 && mantissa == 64;
}

/* Two floats of one size that are called r and i, or real and imag. */
static bool is_complex(hid_t type)
{
	char *names[2] = {NULL, NULL};
	bool found = hdf5.H5Tget_nmembers(type) == 2;
	for (unsigned i = 0; i < 2 && found; i++) {
		const size_t half = hdf5.H5Tget_size(type) / 2;
		names[i] = hdf5.H5Tget_member_name(type, i);
		found = names[i] && hdf5.H5Tget_member_class(type, i) == H5T_FLOAT &&
			hdf5.H5Tget_member_offset(type, i) == i * half;
	}
	found = found && ((!strcmp(names[0], "r") && !strcmp(names[1], "i")) ||
			  (!strcmp(names[0], "real") && !strcmp(names[1], "imag")));
	for (int i = 0; i < 2; i++)
		if (names[i])
			hdf5.H5free_memory(names[i]);
	return found;
}

/* Lists of numbers, each as long as it is: one after the other, and their lengths. */
static void send_lists(source *s, const leaf *l, hid_t type, hid_t stored, rg_wire_item item,
		       const char *path)
{
	const hid_t base CLOSED(type) = hdf5.H5Tget_super(type);
	const hid_t stored_base CLOSED(type) = hdf5.H5Tget_super(stored);
	const size_t size = hdf5.H5Tget_size(base), count = s->elements * l->count;
	RG_AUTO_FREE char *lengths_path = rg_textf("%s(lengths)", path);
	RG_AUTO_FREE hvl_t *lists = rg_calloc(count + 1, sizeof(*lists));
	RG_AUTO_FREE int64_t *lengths = rg_calloc(count + 1, sizeof(*lengths));
	rg_wire_item all = item;
	hsize_t at[RANK] = {0};
	uint64_t total = 0, to = 0;

	s->has_lists = true;
	const bool known = is_number(base, stored_base, &all);
	if (!known || s->room < s->elements || (s->elements && !load_box(s, at))) {
		say_unreadable(s, &item, path,
			       known ? "libhdf5 cannot read its values, or they are too many"
				     : "lists of anything but numbers cannot be read");
	} else {
		if (s->elements)
			gather(s, l, sizeof(*lists), s->elements, (char *)lists);
		for (size_t i = 0; i < count; i++)
			total += (uint64_t)(lengths[i] = (int64_t)lists[i].len);
		all.values = item.values = RG_WIRE_NUMBERS;
		all.dimensions = 1;
		all.unlimited = 0;
		all.shape[0] = (int64_t)total;
		item.dtype = RG_DTYPE_INT64;
		rg_wire_put(s->wire, &item, lengths_path, lengths, count * sizeof(*lengths));
		rg_wire_begin(s->wire, &all, path, "", 0, total * size);
		for (size_t i = 0; i < count; to += lists[i++].len * size)
			rg_wire_run(s->wire, to, lists[i].p, lists[i].len * size);
	}
}

static void send_type(source *s, leaf l, hid_t type, hid_t stored, rg_wire_item item,
		      const char *path, int depth);

static void send_fields(source *s, const leaf *l, hid_t type, hid_t stored,
			const rg_wire_item *item, const char *path, int depth)
{
	const int count = hdf5.H5Tget_nmembers(type);
	for (int i = 0; i < count; i++) {
		const unsigned at = (unsigned)i;
		char *name = hdf5.H5Tget_member_name(type, at);
		const hid_t one CLOSED(type) = hdf5.H5Tget_member_type(type, at);
		const hid_t stored_one CLOSED(type) = hdf5.H5Tget_member_type(stored, at);
		RG_AUTO_FREE char *full = rg_textf("%s.%s", path, name ? name : "");
		leaf field = *l;
		field.offset += hdf5.H5Tget_member_offset(type, at);
		send_type(s, field, one, stored_one, *item, full, depth + 1);
		hdf5.H5free_memory(name);
	}
}

/* An array adds dimensions at the end. */
static void send_array(source *s, leaf l, hid_t type, hid_t stored, rg_wire_item item,
		       const char *path, int depth)
{
	const hid_t base CLOSED(type) = hdf5.H5Tget_super(type);
	const hid_t stored_base CLOSED(type) = hdf5.H5Tget_super(stored);
	const int rank = hdf5.H5Tget_array_ndims(type);
	hsize_t dims[RANK];

	if (rank > 0 && rank <= RANK && l.levels < LEVELS &&
	    item.dimensions + (unsigned)rank <= RG_METRIC_DIMENSIONS &&
	    hdf5.H5Tget_array_dims2(type, dims) >= 0) {
		size_t count = 1;
		for (int i = 0; i < rank; i++) {
			item.shape[item.dimensions++] = (int64_t)dims[i];
			count *= (size_t)dims[i];
		}
		l.level[l.levels].count = count;
		l.level[l.levels++].stride = hdf5.H5Tget_size(base);
		l.count *= count;
		s->names_size = 0; /* the array's dimensions have none */
		send_type(s, l, base, stored_base, item, path, depth + 1);
	} else {
		say_unreadable(s, &item, path, "it has too many dimensions");
	}
}

static void send_type(source *s, leaf l, hid_t type, hid_t stored, rg_wire_item item,
		      const char *path, int depth)
{
	const H5T_class_t class = hdf5.H5Tget_class(type);

	if (depth > DEPTH) {
		say_unreadable(s, &item, path, "its type is nested too deeply");
	} else if (class == H5T_COMPOUND && is_complex(type)) {
		const hid_t part CLOSED(type) = hdf5.H5Tget_member_type(type, 0);
		const hid_t stored_part CLOSED(type) = hdf5.H5Tget_member_type(stored, 0);
		item.flags |= RG_WIRE_IS_COMPLEX;
		if (is_number(part, stored_part, &item) && item.dimensions < RG_METRIC_DIMENSIONS)
			send_numbers(s, &l, type, stored, item, path);
		else
			say_unreadable(s, &item, path, "its complex numbers cannot be read");
	} else if (class == H5T_COMPOUND) {
		send_fields(s, &l, type, stored, &item, path, depth);
	} else if (class == H5T_ARRAY) {
		send_array(s, l, type, stored, item, path, depth);
	} else if (class == H5T_VLEN) {
		send_lists(s, &l, type, stored, item, path);
	} else if (is_number(type, stored, &item)) {
		send_numbers(s, &l, type, stored, item, path);
	} else if (class == H5T_FLOAT || class == H5T_INTEGER) {
		say_unreadable(s, &item, path, "its numbers have a layout that no type here holds");
	} else {
		s->has_lists |= class == H5T_STRING;
		send_texts(s, &l, type, item, path);
	}
}

/* `stored` is the type in the file. */
static void send_source(source *s, hid_t stored, rg_wire_item item, const char *path)
{
	hsize_t most[RANK];
	const leaf whole = {.count = 1};

	s->space = s->is_attribute ? hdf5.H5Aget_space(s->id) : hdf5.H5Dget_space(s->id);
	s->rank = hdf5.H5Sget_simple_extent_ndims(s->space);
	item.values = RG_WIRE_NOTHING;
	if (hdf5.H5Sget_simple_extent_type(s->space) == H5S_NULL) {
		rg_wire_put(s->wire, &item, path, "", 0);
	} else if (s->rank < 0 || s->rank > RG_METRIC_DIMENSIONS ||
		   hdf5.H5Sget_simple_extent_dims(s->space, s->shape, most) < 0) {
		say_unreadable(s, &item, path, "it has more dimensions than can be read");
	} else {
		s->type = hdf5.H5Tget_native_type(stored, H5T_DIR_ASCEND);
		if (s->type < 0) /* of times there is none */
			s->type = hdf5.H5Tcopy(stored);
		s->size = hdf5.H5Tget_size(s->type);
		s->elements = 1;
		item.dimensions = (uint32_t)s->rank;
		bool fits = s->size;
		for (int i = 0; i < s->rank; i++) {
			item.shape[i] = (int64_t)s->shape[i];
			item.unlimited |= most[i] == H5S_UNLIMITED ? 1u << i : 0;
			fits &= !__builtin_mul_overflow(s->elements, s->shape[i], &s->elements) &&
				s->shape[i] <= INT64_MAX;
		}
		fits &= !__builtin_mul_overflow(s->elements, s->size, &s->room);
		if (fits && (!s->is_attribute || s->room <= WHOLE)) {
			const H5T_class_t class = hdf5.H5Tget_class(s->type);
			choose_box(s, s->room <= WHOLE && class != H5T_INTEGER && class != H5T_FLOAT
					      ? WHOLE
					      : BOX);
			if (s->is_attribute)
				memcpy(s->box, s->shape, sizeof(s->box)), s->room = s->elements;
			send_type(s, whole, s->type, stored, item, path, 0);
		} else {
			say_unreadable(s, &item, path, "it is too large");
		}
		if (s->buffer && s->has_lists)
			hdf5.H5Dvlen_reclaim(s->type, s->space, H5P_DEFAULT, s->buffer);
		hdf5.H5Tclose(s->type);
	}
	free(s->buffer);
	hdf5.H5Sclose(s->space);
}

void rg_hdf5_attribute(rg_wire *wire, hid_t attribute, const char *name)
{
	source s = {.wire = wire, .id = attribute, .is_attribute = true};
	const hid_t stored CLOSED(type) = hdf5.H5Aget_type(attribute);
	send_source(&s, stored, (rg_wire_item){.kind = RG_WIRE_ATTRIBUTE}, name);
}

/* Why the values cannot be read, into `out`; else the chunk is known. */
static bool is_refused(source *s, hid_t plan, char *out, size_t size)
{
	enum { CHUNK_MAX = 64 << 20 };
	const H5D_layout_t layout = hdf5.H5Pget_layout(plan);
	const int filters = hdf5.H5Pget_nfilters(plan);
	const hid_t stored CLOSED(type) = hdf5.H5Dget_type(s->id);
	uint64_t bytes = hdf5.H5Tget_size(stored);

	if (layout == H5D_VIRTUAL || hdf5.H5Pget_external_count(plan) > 0)
		return snprintf(out, size, "its values are in other files") > 0;
	for (int i = 0; i < filters; i++) {
		char name[64] = "";
		size_t values = 0;
		unsigned flags, config;
		const H5Z_filter_t filter = hdf5.H5Pget_filter2(plan, (unsigned)i, &flags, &values,
								NULL, sizeof(name), name, &config);
		if (filter < 0 || hdf5.H5Zfilter_avail(filter) <= 0)
			return snprintf(
				       out, size,
				       "it is packed by the filter %.*s%s(%d), which libhdf5 lacks "
				       "here: repack it with h5repack -f GZIP=1",
				       (int)strcspn(name, ";"), name, *name ? " " : "", filter) > 0;
	}
	if (layout != H5D_CHUNKED)
		return false;
	const int rank = hdf5.H5Pget_chunk(plan, RANK, s->chunk);
	for (int i = 0; i < rank && i < RANK; i++)
		if (!s->chunk[i] || __builtin_mul_overflow(bytes, s->chunk[i], &bytes) ||
		    bytes > CHUNK_MAX)
			return snprintf(out, size, "its chunks are larger than %d bytes",
					CHUNK_MAX) > 0;
	return rank <= 0 && snprintf(out, size, "its chunks cannot be read") > 0;
}

/* The names of its dimensions, each with a NUL at its end; *size 0: nothing says. */
static char *dimension_names(hid_t dataset, size_t *size)
{
	const hid_t attribute = hdf5.H5Aopen(dataset, "DIMENSION_LIST", H5P_DEFAULT);
	RG_AUTO(rg_buf) names = rg_buf_of(RG_WIRE_TEXT_MAX);
	hvl_t lists[RANK] = {{0}};
	hsize_t count = 0, most;

	*size = 0;
	if (attribute < 0)
		return NULL;
	const hid_t space CLOSED(space) = hdf5.H5Aget_space(attribute);
	const hid_t type CLOSED(type) = hdf5.H5Aget_type(attribute);
	const hid_t own CLOSED(space) = hdf5.H5Dget_space(dataset);
	if (hdf5.H5Sget_simple_extent_ndims(space) == 1 &&
	    hdf5.H5Sget_simple_extent_dims(space, &count, &most) == 1 && count <= RANK &&
	    (int)count == hdf5.H5Sget_simple_extent_ndims(own) &&
	    hdf5.H5Tget_class(type) == H5T_VLEN && hdf5.H5Aread(attribute, type, lists) >= 0)
		for (hsize_t i = 0; i < count; i++) {
			char name[RG_WIRE_PATH_MAX] = "";
			if (lists[i].len)
				hdf5.H5Rget_name(dataset, H5R_OBJECT, lists[i].p, name,
						 sizeof(name));
			const char *last = strrchr(name, '/');
			last = last ? last + 1 : name;
			rg_buf_add(&names, last, strlen(last) + 1);
		}
	hdf5.H5Dvlen_reclaim(type, space, H5P_DEFAULT, lists);
	hdf5.H5Aclose(attribute);
	if (names.is_full || !names.length)
		return NULL;
	*size = names.length;
	return rg_buf_detach(&names);
}

bool rg_hdf5_has_fields(hid_t dataset)
{
	const hid_t type CLOSED(type) = hdf5.H5Dget_type(dataset);
	return hdf5.H5Tget_class(type) == H5T_COMPOUND && !is_complex(type);
}

void rg_hdf5_dataset(rg_wire *wire, hid_t dataset, const char *path)
{
	const rg_wire_item item = {.kind = RG_WIRE_VARIABLE};
	source s = {.wire = wire, .id = dataset};
	const hid_t plan = hdf5.H5Dget_create_plist(dataset);
	H5D_space_status_t status;
	char why[512];

	if (is_refused(&s, plan, why, sizeof(why))) {
		rg_wire_say(wire, RG_WIRE_UNREADABLE, path, why);
	} else {
		const hid_t stored CLOSED(type) = hdf5.H5Dget_type(dataset);
		RG_AUTO_FREE char *names = dimension_names(dataset, &s.names_size);
		s.names = names;
		send_source(&s, stored, item, path);
	}
	if (hdf5.H5Dget_space_status(dataset, &status) >= 0 &&
	    status == H5D_SPACE_STATUS_NOT_ALLOCATED && s.elements) {
		RG_AUTO_FREE char *note = rg_textf(
			"%s: its values were never written and read as its fill value", path);
		rg_wire_say(wire, RG_WIRE_NOTE, "", note);
	}
	hdf5.H5Pclose(plan);
}
