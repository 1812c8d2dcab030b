/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/binary/hdf5.h"

#include "base/buf.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

rg_hdf5_functions hdf5;

/* Values that are not numbers are read at once. */
enum { WHOLE = 64 << 20, TEXTS = 256 << 20, RANK = 32, DEPTH = 8 };

typedef struct {
	rg_wire *wire;
	hid_t id, space;
	bool is_attribute;
	int rank;
	hsize_t shape[RANK], chunk[RANK];
	size_t elements;
	const char *names;
	size_t names_size;
} source;

/* The records and arrays around the numbers or texts that are read, from inside outwards. */
typedef struct frame {
	const struct frame *outer;
	const char *field; /* NULL: an array */
	unsigned rank;
	hsize_t dims[RANK];
} frame;

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

static const char unreadable[] = "libhdf5 cannot read its values";

/* `why` it cannot be read, if it cannot. */
static void tell(const source *s, const char *path, const char *why)
{
	if (why)
		rg_wire_say(s->wire, s->is_attribute ? RG_WIRE_ATTRIBUTE : RG_WIRE_UNREADABLE, path,
			    why);
}

/* The type in memory of records that have nothing but these values. */
static hid_t wrap(hid_t inner, const frame *f)
{
	hid_t type = hdf5.H5Tcopy(inner);
	for (; f && type >= 0; f = f->outer) {
		const hid_t part CLOSED(type) = type;
		type = f->field ? hdf5.H5Tcreate(H5T_COMPOUND, hdf5.H5Tget_size(part))
				: hdf5.H5Tarray_create2(part, f->rank, f->dims);
		if (f->field)
			hdf5.H5Tinsert(type, f->field, 0, part);
	}
	return type;
}

typedef struct {
	const source *from;
	hid_t type;
} box_reader;

static const char *read_box(void *context, const size_t *start, const size_t *count, void *room)
{
	const box_reader *r = context;
	const source *s = r->from;
	hsize_t at[RANK], extent[RANK];
	herr_t read = -1;

	for (int i = 0; i < s->rank; i++) {
		at[i] = start[i];
		extent[i] = count[i];
	}
	if (s->is_attribute) {
		read = hdf5.H5Aread(s->id, r->type, room);
	} else if (!s->rank) {
		read = hdf5.H5Dread(s->id, r->type, H5S_ALL, H5S_ALL, H5P_DEFAULT, room);
	} else {
		/* The library takes twice as long if the ranks differ. */
		const hid_t memory CLOSED(space) = hdf5.H5Screate_simple(s->rank, extent, NULL);
		if (hdf5.H5Sselect_hyperslab(s->space, H5S_SELECT_SET, at, NULL, extent, NULL) >= 0)
			read = hdf5.H5Dread(s->id, r->type, memory, s->space, H5P_DEFAULT, room);
	}
	return read < 0 ? unreadable : NULL;
}

/* All values at once, to be freed; NULL: they cannot be read. H5Dvlen_reclaim is the caller's. */
static void *read_all(const source *s, hid_t type)
{
	const size_t size = hdf5.H5Tget_size(type);
	box_reader r = {s, type};
	size_t start[RANK] = {0}, count[RANK];

	if (s->elements > WHOLE / size)
		return NULL;
	for (int i = 0; i < s->rank; i++)
		count[i] = (size_t)s->shape[i];
	void *room = rg_calloc(s->elements + 1, size);
	if (s->elements && read_box(&r, start, count, room)) {
		free(room);
		return NULL;
	}
	return room;
}

/* Contiguous, not packed, and of a type that is the machine's but for the order of its bytes. */
static bool is_in_file(const source *s, hid_t type, hid_t stored, uint64_t *offset,
		       rg_wire_item *item)
{
	if (s->is_attribute || s->chunk[0] || !s->elements)
		return false;
	const haddr_t at = hdf5.H5Dget_offset(s->id);
	const hid_t copy CLOSED(type) = hdf5.H5Tcopy(type);
	const H5T_order_t order = hdf5.H5Tget_order(stored);
	hdf5.H5Tset_order(copy, order);
	*offset = at;
	if (at == HADDR_UNDEF || hdf5.H5Tequal(copy, stored) <= 0)
		return false;
	item->flags |= order == H5T_ORDER_BE ? RG_WIRE_BIG_ENDIAN : 0;
	return true;
}

/* `type` is that of the numbers in memory, without what is around them. */
static const char *send_numbers(const source *s, const frame *around, hid_t type, hid_t stored,
				rg_wire_item item, const char *path)
{
	const hid_t whole CLOSED(type) = wrap(type, around);
	size_t chunk[RANK];
	box_reader reader = {s, whole};
	const rg_wire_source boxes = {.rank = (size_t)s->rank,
				      .width = hdf5.H5Tget_size(whole),
				      .chunk = chunk,
				      .names = s->names,
				      .names_size = s->names_size,
				      .read = read_box,
				      .context = &reader};
	uint64_t offset;

	for (int i = 0; i < s->rank; i++)
		chunk[i] = (size_t)(s->is_attribute ? s->shape[i] : s->chunk[i] ? s->chunk[i] : 1);
	if (!around && is_in_file(s, type, stored, &offset, &item))
		rg_wire_in_file(s->wire, &item, path, s->names, s->names_size, offset,
				s->elements * boxes.width);
	else
		rg_wire_boxes(s->wire, &item, path, &boxes);
	return NULL;
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

static const char *send_texts(const source *s, const frame *around, hid_t type, rg_wire_item item,
			      const char *path)
{
	const hid_t whole CLOSED(type) = wrap(type, around);
	const size_t size = hdf5.H5Tget_size(type);
	const size_t count = s->elements * (hdf5.H5Tget_size(whole) / size);
	RG_AUTO(rg_buf) texts = rg_buf_of(TEXTS);
	RG_AUTO_FREE unsigned char *all = read_all(s, whole);

	if (!all)
		return s->elements > WHOLE / size ? "its texts are too long" : unreadable;
	for (size_t i = 0; i < count; i++)
		add_text(s, type, all + i * size, &texts);
	if (s->elements)
		hdf5.H5Dvlen_reclaim(whole, s->space, H5P_DEFAULT, all);
	if (texts.is_full)
		return "its texts are too long";
	item.values = RG_WIRE_TEXTS;
	rg_wire_put(s->wire, &item, path, texts.data, texts.length);
	return NULL;
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
	char no[8] = "", yes[8] = "";

	if (class == H5T_ENUM) { /* h5py's booleans */
		item->dtype = RG_DTYPE_BOOL;
		return size == 1 && hdf5.H5Tget_nmembers(type) == 2 &&
		       hdf5.H5Tenum_nameof(type, &(uint8_t){0}, no, sizeof(no)) >= 0 &&
		       hdf5.H5Tenum_nameof(type, &(uint8_t){1}, yes, sizeof(yes)) >= 0 &&
		       !strcmp(no, "FALSE") && !strcmp(yes, "TRUE");
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
	return hdf5.H5Tget_nmembers(type) == 2 && hdf5.H5Tget_member_class(type, 0) == H5T_FLOAT &&
	       hdf5.H5Tget_member_class(type, 1) == H5T_FLOAT &&
	       hdf5.H5Tget_member_offset(type, 1) == hdf5.H5Tget_size(type) / 2 &&
	       ((!hdf5.H5Tget_member_index(type, "r") &&
		 hdf5.H5Tget_member_index(type, "i") == 1) ||
		(!hdf5.H5Tget_member_index(type, "real") &&
		 hdf5.H5Tget_member_index(type, "imag") == 1));
}

/* Lists of numbers, each as long as it is: one after the other, and their lengths. */
static const char *send_lists(const source *s, const frame *around, hid_t type, hid_t stored,
			      rg_wire_item item, const char *path)
{
	const hid_t whole CLOSED(type) = wrap(type, around);
	const hid_t base CLOSED(type) = hdf5.H5Tget_super(type);
	const hid_t stored_base CLOSED(type) = hdf5.H5Tget_super(stored);
	const size_t size = hdf5.H5Tget_size(base);
	const size_t count = s->elements * (hdf5.H5Tget_size(whole) / sizeof(hvl_t));
	RG_AUTO_FREE char *lengths_path = rg_textf("%s(lengths)", path);
	rg_wire_item all = item;
	uint64_t total = 0, to = 0;

	if (!is_number(base, stored_base, &all))
		return "lists of anything but numbers cannot be read";
	RG_AUTO_FREE hvl_t *lists = read_all(s, whole);
	if (!lists)
		return "libhdf5 cannot read its values, or they are too many";
	RG_AUTO_FREE int64_t *lengths = rg_calloc(count + 1, sizeof(*lengths));
	for (size_t i = 0; i < count; i++)
		total += (uint64_t)(lengths[i] = (int64_t)lists[i].len);
	all.dimensions = 1;
	all.unlimited = 0;
	all.shape[0] = (int64_t)total;
	item.dtype = RG_DTYPE_INT64;
	rg_wire_put(s->wire, &item, lengths_path, lengths, count * sizeof(*lengths));
	rg_wire_begin(s->wire, &all, path, "", 0, total * size);
	for (size_t i = 0; i < count; to += lists[i++].len * size)
		rg_wire_run(s->wire, to, lists[i].p, lists[i].len * size);
	if (s->elements)
		hdf5.H5Dvlen_reclaim(whole, s->space, H5P_DEFAULT, lists);
	return NULL;
}

static const char *send_type(source *s, const frame *around, hid_t stored, rg_wire_item item,
			     const char *path, int depth);

/* Each field is read alone. */
static const char *send_fields(source *s, const frame *around, hid_t stored, rg_wire_item item,
			       const char *path, int depth)
{
	const int count = hdf5.H5Tget_nmembers(stored);
	for (int i = 0; i < count; i++) {
		char *name = hdf5.H5Tget_member_name(stored, (unsigned)i);
		const hid_t one CLOSED(type) = hdf5.H5Tget_member_type(stored, (unsigned)i);
		const frame field = {.outer = around, .field = name ? name : ""};
		RG_AUTO_FREE char *full = rg_textf("%s.%s", path, field.field);
		tell(s, full, send_type(s, &field, one, item, full, depth));
		hdf5.H5free_memory(name);
	}
	return NULL;
}

/* An array adds dimensions at the end. */
static const char *send_array(source *s, const frame *around, hid_t stored, rg_wire_item item,
			      const char *path, int depth)
{
	const hid_t base CLOSED(type) = hdf5.H5Tget_super(stored);
	const int rank = hdf5.H5Tget_array_ndims(stored);
	frame array = {.outer = around, .rank = (unsigned)rank};

	if (rank <= 0 || item.dimensions + (unsigned)rank > RG_METRIC_DIMENSIONS ||
	    hdf5.H5Tget_array_dims2(stored, array.dims) < 0)
		return "it has too many dimensions";
	for (int i = 0; i < rank; i++)
		item.shape[item.dimensions++] = (int64_t)array.dims[i];
	s->names_size = 0; /* the array's dimensions have none */
	return send_type(s, &array, base, item, path, depth);
}

/* `stored` is the type in the file. Returns why it cannot be read, or NULL. */
static const char *send_type(source *s, const frame *around, hid_t stored, rg_wire_item item,
			     const char *path, int depth)
{
	const H5T_class_t class = hdf5.H5Tget_class(stored);
	/* There is none of times. */
	const hid_t native CLOSED(type) = hdf5.H5Tget_native_type(stored, H5T_DIR_ASCEND);
	const hid_t copy CLOSED(type) = native < 0 ? hdf5.H5Tcopy(stored) : -1;
	const hid_t type = native < 0 ? copy : native;

	if (depth > DEPTH)
		return "its type is nested too deeply";
	if (class == H5T_COMPOUND && is_complex(type)) {
		const hid_t part CLOSED(type) = hdf5.H5Tget_member_type(type, 0);
		const hid_t stored_part CLOSED(type) = hdf5.H5Tget_member_type(stored, 0);
		item.flags |= RG_WIRE_IS_COMPLEX;
		if (!is_number(part, stored_part, &item) ||
		    2 * hdf5.H5Tget_size(part) != hdf5.H5Tget_size(type) ||
		    item.dimensions == RG_METRIC_DIMENSIONS)
			return "its complex numbers cannot be read";
		return send_numbers(s, around, type, stored, item, path);
	}
	if (class == H5T_COMPOUND)
		return send_fields(s, around, stored, item, path, depth + 1);
	if (class == H5T_ARRAY)
		return send_array(s, around, stored, item, path, depth + 1);
	if (class == H5T_VLEN)
		return send_lists(s, around, type, stored, item, path);
	if (is_number(type, stored, &item))
		return send_numbers(s, around, type, stored, item, path);
	if (class == H5T_FLOAT || class == H5T_INTEGER)
		return "its numbers have a layout that no type here holds";
	return send_texts(s, around, type, item, path);
}

/* The same. The kind of the item is given, and for a dataset the shape of its chunks. */
static const char *send_source(source *s, hid_t stored, rg_wire_item item, const char *path)
{
	const uint64_t most = s->is_attribute ? WHOLE : UINT64_MAX / 8;
	const hid_t space CLOSED(space) = s->is_attribute ? hdf5.H5Aget_space(s->id)
							  : hdf5.H5Dget_space(s->id);
	uint64_t bytes = hdf5.H5Tget_size(stored); /* in memory not over 8 times as many */
	hsize_t grown[RANK];

	s->space = space;
	s->rank = hdf5.H5Sget_simple_extent_ndims(space);
	if (hdf5.H5Sget_simple_extent_type(space) == H5S_NULL) {
		item.values = RG_WIRE_NOTHING;
		rg_wire_put(s->wire, &item, path, "", 0);
		return NULL;
	}
	if (s->rank < 0 || s->rank > RG_METRIC_DIMENSIONS ||
	    hdf5.H5Sget_simple_extent_dims(space, s->shape, grown) < 0)
		return "it has more dimensions than can be read";
	s->elements = 1;
	item.dimensions = (uint32_t)s->rank;
	for (int i = 0; i < s->rank; i++) {
		item.shape[i] = (int64_t)s->shape[i];
		item.unlimited |= grown[i] == H5S_UNLIMITED ? 1u << i : 0;
		s->elements *= (size_t)s->shape[i];
		if (s->shape[i] > INT64_MAX || __builtin_mul_overflow(bytes, s->shape[i], &bytes))
			bytes = UINT64_MAX;
	}
	return bytes > most ? "it is too large" : send_type(s, NULL, stored, item, path, 0);
}

void rg_hdf5_attribute(rg_wire *wire, hid_t attribute, const char *name)
{
	source s = {.wire = wire, .id = attribute, .is_attribute = true};
	const hid_t stored CLOSED(type) = hdf5.H5Aget_type(attribute);
	tell(&s, name, send_source(&s, stored, (rg_wire_item){.kind = RG_WIRE_ATTRIBUTE}, name));
}

/* Why the values cannot be read, maybe in `room`; NULL, and the chunk is known, if they can. */
static const char *refuse(source *s, hid_t plan, hid_t stored, char *room, size_t size)
{
	enum { CHUNK_MAX = 64 << 20 };
	const H5D_layout_t layout = hdf5.H5Pget_layout(plan);
	const int filters = hdf5.H5Pget_nfilters(plan);
	uint64_t bytes = hdf5.H5Tget_size(stored);

	if (layout == H5D_VIRTUAL || hdf5.H5Pget_external_count(plan) > 0)
		return "its values are in other files";
	for (int i = 0; i < filters; i++) {
		char name[64] = "";
		size_t values = 0;
		unsigned flags, config;
		const H5Z_filter_t filter = hdf5.H5Pget_filter2(plan, (unsigned)i, &flags, &values,
								NULL, sizeof(name), name, &config);
		if (filter >= 0 && hdf5.H5Zfilter_avail(filter) > 0)
			continue;
		snprintf(room, size,
			 "it is packed by the filter %.*s%s(%d), which libhdf5 lacks here: repack "
			 "it with h5repack -f GZIP=1",
			 (int)strcspn(name, ";"), name, *name ? " " : "", filter);
		return room;
	}
	const int rank = layout == H5D_CHUNKED ? hdf5.H5Pget_chunk(plan, RANK, s->chunk) : 0;
	for (int i = 0; i < rank && i < RANK; i++)
		if (!s->chunk[i] || __builtin_mul_overflow(bytes, s->chunk[i], &bytes) ||
		    bytes > CHUNK_MAX) {
			snprintf(room, size, "its chunks are larger than %d bytes", CHUNK_MAX);
			return room;
		}
	return layout == H5D_CHUNKED && rank <= 0 ? "its chunks cannot be read" : NULL;
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
	source s = {.wire = wire, .id = dataset};
	const hid_t plan = hdf5.H5Dget_create_plist(dataset);
	const hid_t stored CLOSED(type) = hdf5.H5Dget_type(dataset);
	RG_AUTO_FREE char *names = dimension_names(dataset, &s.names_size);
	H5D_space_status_t status;
	char room[512];

	s.names = names;
	const char *why = refuse(&s, plan, stored, room, sizeof(room));
	if (!why)
		why = send_source(&s, stored, (rg_wire_item){.kind = RG_WIRE_VARIABLE}, path);
	tell(&s, path, why);
	if (hdf5.H5Dget_space_status(dataset, &status) >= 0 &&
	    status == H5D_SPACE_STATUS_NOT_ALLOCATED && s.elements) {
		RG_AUTO_FREE char *note = rg_textf(
			"%s: its values were never written and read as its fill value", path);
		rg_wire_say(wire, RG_WIRE_NOTE, "", note);
	}
	hdf5.H5Pclose(plan);
}
