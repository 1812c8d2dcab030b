/* SPDX-License-Identifier: Apache-2.0 */
#include "base/library.h"
#include "golden/binary/child.h"

#include <errno.h>
#include <netcdf.h>
#include <netcdf_mem.h>

/*
 * The classic formats of NetCDF (CDF-1, CDF-2, CDF-5) by libnetcdf, in a child. It tells what is
 * stored; what that stands for is the parent's to say (golden/binary/rules.h).
 */

/* clang-format off */
#define FUNCTIONS(X) \
	X(nc_open_mem) X(nc_close) X(nc_inq) X(nc_inq_dim) X(nc_inq_var) X(nc_inq_varname) \
	X(nc_inq_attname) X(nc_inq_att) X(nc_get_att) X(nc_get_vara) X(nc_strerror)
/* clang-format on */

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

enum { PIECE = 1 << 20, TEXTS_MAX = 1 << 26 };

/* libnetcdf copies a name of any length. */
static char name_room[1 << 20];

typedef struct {
	rg_wire *wire;
	int id;
	size_t size; /* of the file: no variable is larger */
	int variable, dimensions;
	nc_type type;
	size_t shape[RG_METRIC_DIMENSIONS];
	char path[RG_WIRE_PATH_MAX + 1];
	char names[RG_METRIC_DIMENSIONS * (NC_MAX_NAME + 1)]; /* of its dimensions */
	size_t names_size;
} state;

/* It may not read beyond the end of the bytes. */
static const char *reason(int failed)
{
	return failed == EPERM ? "the file is cut off" : lib.nc_strerror(failed);
}

static bool dtype_of(nc_type type, uint32_t *out)
{
	static const rg_dtype types[] = {
		[NC_BYTE] = RG_DTYPE_INT8,      [NC_SHORT] = RG_DTYPE_INT16,
		[NC_INT] = RG_DTYPE_INT32,      [NC_FLOAT] = RG_DTYPE_FLOAT32,
		[NC_DOUBLE] = RG_DTYPE_FLOAT64, [NC_UBYTE] = RG_DTYPE_UINT8,
		[NC_USHORT] = RG_DTYPE_UINT16,  [NC_UINT] = RG_DTYPE_UINT32,
		[NC_INT64] = RG_DTYPE_INT64,    [NC_UINT64] = RG_DTYPE_UINT64,
	};
	if (type < NC_BYTE || type > NC_UINT64)
		return false;
	*out = types[type];
	return true;
}

static void say_unreadable(const state *s, const char *path, const char *why)
{
	rg_wire_say(s->wire, RG_WIRE_UNREADABLE, path, why);
}

static void put_name(char *to, size_t size)
{
	const size_t length = strnlen(name_room, size - 1);
	memcpy(to, name_room, length);
	to[length] = '\0';
}

static void send_attributes(const state *s, int variable, int count)
{
	for (int i = 0; i < count; i++) {
		rg_wire_item item = {.kind = RG_WIRE_ATTRIBUTE, .dimensions = 1};
		char name[NC_MAX_NAME + 1];
		nc_type type;
		size_t length;

		if (lib.nc_inq_attname(s->id, variable, i, name_room) ||
		    lib.nc_inq_att(s->id, variable, name_room, &type, &length))
			continue;
		put_name(name, sizeof(name));
		const bool is_text = type == NC_CHAR;
		if ((!is_text && !dtype_of(type, &item.dtype)) || length > TEXTS_MAX)
			continue;
		item.values = is_text ? RG_WIRE_TEXTS : RG_WIRE_NUMBERS;
		item.dimensions = !is_text;
		item.shape[0] = (int64_t)length;
		const size_t size = is_text ? length : length * rg_dtype_size((rg_dtype)item.dtype);
		RG_AUTO_FREE char *values = rg_calloc(size + 1, 1);
		if (!lib.nc_get_att(s->id, variable, name_room, values))
			rg_wire_put(s->wire, &item, name, values,
				    is_text ? strlen(values) + 1 : size);
	}
}

/* Reads the part of the variable that begins at an element, as far as it lies in one block of
 * PIECE bytes at most. Returns the bytes; 0: `*why` says why they cannot be read. */
static size_t read_part(const state *s, size_t width, uint64_t at, void *room, const char **why)
{
	size_t start[RG_METRIC_DIMENSIONS] = {0}, count[RG_METRIC_DIMENSIONS] = {0};
	size_t inner = width;
	int split = s->dimensions;

	while (split && inner * s->shape[split - 1] <= PIECE) {
		split--;
		inner *= count[split] = s->shape[split];
	}
	at /= inner;
	for (int i = split; i-- > 0; at /= s->shape[i]) {
		start[i] = (size_t)(at % s->shape[i]);
		count[i] = 1;
	}
	if (split) {
		const size_t left = s->shape[split - 1] - start[split - 1], most = PIECE / inner;
		inner *= count[split - 1] = left < most ? left : most;
	}
	const int failed = lib.nc_get_vara(s->id, s->variable, start, count, room);
	*why = failed ? reason(failed) : NULL;
	return failed ? 0 : inner;
}

static void send_numbers(const state *s, const rg_wire_item *item, uint64_t size)
{
	RG_AUTO_FREE char *room = rg_malloc(PIECE);
	const size_t width = rg_dtype_size((rg_dtype)item->dtype);
	const char *why = NULL;

	rg_wire_begin(s->wire, item, s->path, s->names, s->names_size, size);
	for (uint64_t at = 0; at < size && !why;) {
		const size_t part = read_part(s, width, at, room, &why);
		rg_wire_run(s->wire, at, room, part);
		at += part;
	}
	if (why)
		rg_wire_fail(s->wire, why);
}

/* The last dimension is the length of a text, which a NUL can end earlier. */
static void send_texts(const state *s, rg_wire_item *item, uint64_t size)
{
	const size_t length = s->dimensions ? s->shape[s->dimensions - 1] : 1;
	size_t count = 1, used = 0;

	size_t names_size = 0;
	item->dimensions -= item->dimensions > 0;
	for (size_t i = 0; i < item->dimensions; i++) {
		count *= s->shape[i];
		names_size += strlen(s->names + names_size) + 1;
	}
	if (size > TEXTS_MAX || count > TEXTS_MAX) {
		say_unreadable(s, s->path, "it has more than 64 MiB of text");
		return;
	}
	RG_AUTO_FREE char *room = rg_malloc(PIECE);
	RG_AUTO_FREE char *all = rg_malloc((size_t)size + 1);
	RG_AUTO_FREE char *texts = rg_malloc((size_t)size + count);
	const char *why = NULL;
	for (uint64_t at = 0; at < size && !why;) {
		const size_t part = read_part(s, 1, at, room, &why);
		memcpy(all + at, room, part);
		at += part;
	}
	if (why) {
		say_unreadable(s, s->path, why);
		return;
	}
	for (size_t i = 0; i < count; i++) {
		const size_t n = strnlen(all + i * length, length);
		memcpy(texts + used, all + i * length, n);
		texts[used + n] = '\0';
		used += n + 1;
	}
	rg_wire_begin(s->wire, item, s->path, s->names, names_size, used);
	rg_wire_run(s->wire, 0, texts, used);
}

/* Fills in shape and names of dimensions. Returns why the variable cannot be read, or NULL. */
static const char *read_shape(state *s, rg_wire_item *item, const int *ids, int record_id,
			      uint64_t *size)
{
	s->names_size = 0;
	*size = s->type == NC_CHAR ? 1 : rg_dtype_size((rg_dtype)item->dtype);
	item->dimensions = (uint32_t)s->dimensions;
	for (int i = 0; i < s->dimensions; i++) {
		const int failed = lib.nc_inq_dim(s->id, ids[i], name_room, &s->shape[i]);
		if (failed)
			return reason(failed);
		put_name(s->names + s->names_size, NC_MAX_NAME + 1);
		s->names_size += strlen(s->names + s->names_size) + 1;
		item->shape[i] = (int64_t)s->shape[i];
		if (ids[i] == record_id)
			item->unlimited |= 1u << i;
		if (__builtin_mul_overflow(*size, (uint64_t)s->shape[i], size))
			*size = UINT64_MAX;
	}
	/* A length of 0 leaves what was too large. */
	return *size > s->size ? "the file is cut off" : NULL;
}

static void send_variable(state *s, int variable, int record_id)
{
	rg_wire_item item = {.kind = RG_WIRE_VARIABLE};
	int ids[NC_MAX_VAR_DIMS], attributes = 0;
	const char *why = NULL;
	uint64_t size = 0;

	s->variable = variable;
	memcpy(name_room, "?", 2);
	int failed = lib.nc_inq_varname(s->id, variable, name_room);
	*s->path = '/';
	put_name(s->path + 1, sizeof(s->path) - 1);
	if (!failed)
		failed = lib.nc_inq_var(s->id, variable, NULL, &s->type, &s->dimensions, NULL,
					&attributes);
	if (failed)
		why = reason(failed);
	else if (s->dimensions > RG_METRIC_DIMENSIONS)
		why = "it has more than 16 dimensions";
	else if (s->type != NC_CHAR && !dtype_of(s->type, &item.dtype))
		why = "its type is unknown";
	else if (!(failed = lib.nc_inq_var(s->id, variable, NULL, NULL, NULL, ids, NULL)))
		why = read_shape(s, &item, ids, record_id, &size);
	else
		why = reason(failed);
	item.values = s->type == NC_CHAR ? RG_WIRE_TEXTS : RG_WIRE_NUMBERS;
	if (why)
		say_unreadable(s, s->path, why);
	else if (s->type == NC_CHAR)
		send_texts(s, &item, size);
	else
		send_numbers(s, &item, size);
	send_attributes(s, variable, attributes);
}

static rg_error *read_file(rg_wire *wire, const void *data, size_t size)
{
	state s = {.wire = wire, .size = size};
	int variables, attributes, record_id;

	int failed = lib.nc_open_mem("golden", NC_NOWRITE, size, (void *)(uintptr_t)data, &s.id);
	if (failed)
		return rg_error_new(RG_E_PARSE, "libnetcdf cannot open it: %s", reason(failed));
	failed = lib.nc_inq(s.id, NULL, &variables, &attributes, &record_id);
	if (!failed) {
		rg_wire_say(wire, RG_WIRE_GROUP, "", "");
		send_attributes(&s, NC_GLOBAL, attributes);
		for (int i = 0; i < variables; i++)
			send_variable(&s, i, record_id);
	}
	lib.nc_close(s.id);
	return failed ? rg_error_new(RG_E_PARSE, "%s", reason(failed)) : NULL;
}

const rg_binary_reader rg_reader_netcdf = {.name = "netcdf",
					   .format = "NetCDF",
					   .package = "libnetcdf19",
					   .load = load,
					   .read = read_file};
