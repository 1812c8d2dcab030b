/* SPDX-License-Identifier: Apache-2.0 */
#include "base/library.h"
#include "golden/binary/child.h"

#include <errno.h>
#include <netcdf.h>
#include <netcdf_mem.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

/*
 * The classic formats of NetCDF (CDF-1, CDF-2, CDF-5) by libnetcdf, in a child. It tells what is
 * stored; what that stands for is the parent's to say (golden/binary/rules.h).
 */

/* clang-format off */
#define FUNCTIONS(X) \
	X(nc_open_mem) X(nc_close) X(nc_inq) X(nc_inq_dim) X(nc_inq_var) X(nc_inq_varname) \
	X(nc_inq_attname) X(nc_inq_att) X(nc_get_att) X(nc_get_vara) X(nc_strerror)
/* clang-format on */

/* A declaration takes no parentheses. NOLINTNEXTLINE(bugprone-macro-parentheses) */
#define MEMBER(name) __typeof__(name) *name;
static struct {
	FUNCTIONS(MEMBER)
} lib;

static rg_error *load(void)
{
#define NAME(name) #name,
	static const char *const names[] = {FUNCTIONS(NAME)};
	static rg_library library = {.path = REGILD_LIBRARY,
				     .package = "libnetcdf19",
				     .names = names,
				     .count = sizeof(names) / sizeof(*names),
				     .functions = &lib};
	return rg_library_load(&library);
}

enum { TEXTS_MAX = 1 << 26, RANK = RG_METRIC_DIMENSIONS };

typedef struct {
	rg_wire *wire;
	int id, variable, record_id;
	size_t size; /* of the file: no variable is larger */
	char *name;  /* of anything: libnetcdf copies one of any length */
	size_t shape[RANK];
	char names[RANK * (NC_MAX_NAME + 1)]; /* of dimensions */
	size_t names_size;
} state;

/* Why a call failed; NULL: it did not. It may not read beyond the end of the bytes. */
static const char *reason(int failed)
{
	return !failed ? NULL : failed == EPERM ? "the file is cut off" : lib.nc_strerror(failed);
}

static bool dtype_of(nc_type type, uint32_t *out)
{
	static const rg_dtype types[] = {
		[NC_BYTE] = RG_DTYPE_INT8,     [NC_CHAR] = RG_DTYPE_UINT8,
		[NC_SHORT] = RG_DTYPE_INT16,   [NC_INT] = RG_DTYPE_INT32,
		[NC_FLOAT] = RG_DTYPE_FLOAT32, [NC_DOUBLE] = RG_DTYPE_FLOAT64,
		[NC_UBYTE] = RG_DTYPE_UINT8,   [NC_USHORT] = RG_DTYPE_UINT16,
		[NC_UINT] = RG_DTYPE_UINT32,   [NC_INT64] = RG_DTYPE_INT64,
		[NC_UINT64] = RG_DTYPE_UINT64,
	};
	if (type >= NC_BYTE && type <= NC_UINT64)
		*out = types[type];
	return type >= NC_BYTE && type <= NC_UINT64;
}

static void send_attributes(const state *s, int variable, int count)
{
	for (int i = 0; i < count; i++) {
		rg_wire_item item = {.kind = RG_WIRE_ATTRIBUTE};
		nc_type type;
		size_t length;

		if (lib.nc_inq_attname(s->id, variable, i, s->name) ||
		    lib.nc_inq_att(s->id, variable, s->name, &type, &length) ||
		    !dtype_of(type, &item.dtype) || length > TEXTS_MAX)
			continue;
		const bool is_text = type == NC_CHAR;
		const size_t size = length * rg_dtype_size((rg_dtype)item.dtype);
		item.values = is_text ? RG_WIRE_TEXTS : RG_WIRE_NUMBERS;
		item.dimensions = !is_text;
		item.shape[0] = (int64_t)length;
		RG_AUTO_FREE char *values = rg_calloc(size + 1, 1);
		if (lib.nc_get_att(s->id, variable, s->name, values))
			continue;
		s->name[strnlen(s->name, NC_MAX_NAME)] = '\0';
		rg_wire_put(s->wire, &item, s->name, values, is_text ? strlen(values) + 1 : size);
	}
}

static const char *read_box(void *context, const size_t *start, const size_t *count, void *room)
{
	const state *s = context;
	return reason(lib.nc_get_vara(s->id, s->variable, start, count, room));
}

/* The last dimension is the length of a text, which a NUL can end earlier. */
static const char *send_texts(state *s, rg_wire_item *item, const char *path, uint64_t size)
{
	const size_t start[RANK] = {0};
	const size_t length = item->dimensions ? s->shape[--item->dimensions] : 1;
	size_t count = 1, used = 0, names_size = 0;

	for (size_t i = 0; i < item->dimensions; i++) {
		count *= s->shape[i];
		names_size += strlen(s->names + names_size) + 1;
	}
	if (size > TEXTS_MAX || count > TEXTS_MAX)
		return "it has more than 64 MiB of text";
	RG_AUTO_FREE char *all = rg_malloc((size_t)size + 1);
	RG_AUTO_FREE char *texts = rg_malloc((size_t)size + count);
	const char *why = size ? read_box(s, start, s->shape, all) : NULL;
	if (why)
		return why;
	for (size_t i = 0; i < count; i++) {
		const size_t n = strnlen(all + i * length, length);
		memcpy(texts + used, all + i * length, n);
		texts[used + n] = '\0';
		used += n + 1;
	}
	rg_wire_begin(s->wire, item, path, s->names, names_size, used);
	rg_wire_run(s->wire, 0, texts, used);
	return NULL;
}

/* Fills in shape and names of dimensions. Returns why the variable cannot be read, or NULL. */
static const char *read_shape(state *s, rg_wire_item *item, const int *ids, uint64_t *size)
{
	s->names_size = 0;
	*size = rg_dtype_size((rg_dtype)item->dtype);
	for (uint32_t i = 0; i < item->dimensions; i++) {
		const int failed = lib.nc_inq_dim(s->id, ids[i], s->name, &s->shape[i]);
		if (failed)
			return reason(failed);
		const size_t length = strnlen(s->name, NC_MAX_NAME);
		memcpy(s->names + s->names_size, s->name, length);
		s->names[s->names_size + length] = '\0';
		s->names_size += length + 1;
		item->shape[i] = (int64_t)s->shape[i];
		item->unlimited |= (uint32_t)(ids[i] == s->record_id) << i;
		if (__builtin_mul_overflow(*size, (uint64_t)s->shape[i], size))
			*size = UINT64_MAX;
	}
	/* A length of 0 leaves what was too large. */
	return *size > s->size ? "the file is cut off" : NULL;
}

/* Returns why it cannot be read, or NULL. */
static const char *send_values(state *s, const char *path, int dimensions)
{
	rg_wire_item item = {.kind = RG_WIRE_VARIABLE, .dimensions = (uint32_t)dimensions};
	nc_type type;
	int ids[RANK];
	uint64_t size;

	if (dimensions > RANK)
		return "it has more than 16 dimensions";
	const int failed = lib.nc_inq_var(s->id, s->variable, NULL, &type, NULL, ids, NULL);
	if (failed)
		return reason(failed);
	if (!dtype_of(type, &item.dtype))
		return "its type is unknown";
	const char *why = read_shape(s, &item, ids, &size);
	if (why)
		return why;
	if (type == NC_CHAR) {
		item.values = RG_WIRE_TEXTS;
		return send_texts(s, &item, path, size);
	}
	const rg_wire_source from = {.rank = item.dimensions,
				     .width = rg_dtype_size((rg_dtype)item.dtype),
				     .names = s->names,
				     .names_size = s->names_size,
				     .read = read_box,
				     .context = s};
	rg_wire_boxes(s->wire, &item, path, &from);
	return NULL;
}

static void send_variable(state *s)
{
	int dimensions = 0, attributes = 0;
	char path[RG_WIRE_PATH_MAX];

	memcpy(s->name, "?", 2);
	int failed = lib.nc_inq_varname(s->id, s->variable, s->name);
	snprintf(path, sizeof(path), "/%s", s->name);
	if (!failed)
		failed = lib.nc_inq_var(s->id, s->variable, NULL, NULL, &dimensions, NULL,
					&attributes);
	const char *why = failed ? reason(failed) : send_values(s, path, dimensions);
	if (why)
		rg_wire_say(s->wire, RG_WIRE_UNREADABLE, path, why);
	send_attributes(s, s->variable, attributes);
}

static rg_error *read_file(rg_wire *wire, const void *data, size_t size)
{
	state s = {.wire = wire, .size = size};
	int variables, attributes;

	int failed = lib.nc_open_mem("golden", NC_NOWRITE, size, (void *)(uintptr_t)data, &s.id);
	if (failed)
		return rg_error_new(RG_E_PARSE, "libnetcdf cannot open it: %s", reason(failed));
	/* No name is larger than the file. Of shared memory there may be as much. */
	s.name = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	failed = s.name == MAP_FAILED
			 ? NC_ENOMEM
			 : lib.nc_inq(s.id, NULL, &variables, &attributes, &s.record_id);
	if (!failed) {
		rg_wire_say(wire, RG_WIRE_GROUP, "", "");
		send_attributes(&s, NC_GLOBAL, attributes);
		for (s.variable = 0; s.variable < variables; s.variable++)
			send_variable(&s);
	}
	lib.nc_close(s.id);
	munmap(s.name, size);
	return failed ? rg_error_new(RG_E_PARSE, "%s", reason(failed)) : NULL;
}

const rg_binary_reader rg_reader_netcdf = {.name = "netcdf",
					   .format = "NetCDF",
					   .package = "libnetcdf19",
					   .load = load,
					   .read = read_file};
