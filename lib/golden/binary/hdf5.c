/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/binary/hdf5.h"

#include "base/buf.h"
#include "base/library.h"
#include "golden/binary/child.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

/* HDF5 by libhdf5, in a child: the walk from group to group. */

static rg_error *load(void)
{
	/* A name may be a macro for that of a version. */
#define TEXT(name) #name
#define NAME(name) TEXT(name),
	static const char *const names[] = {RG_HDF5_FUNCTIONS(NAME) RG_HDF5_VARIABLES(NAME)};
	static rg_library library = {.path = REGILD_LIBRARY,
				     .package = "libhdf5-103-1",
				     .names = names,
				     .count = sizeof(names) / sizeof(*names),
				     .functions = &hdf5};
	RG_TRY(rg_library_load(&library));
	hdf5.H5dont_atexit();
	if (hdf5.H5open() < 0 || hdf5.H5PLset_loading_state(0) < 0)
		return rg_error_new(RG_E_IO, "libhdf5 does not start");
	hdf5.H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
	return NULL;
}

/* The library takes the bytes of the file, which it must not copy, for its own memory. */
static const void *golden;

static void *image_malloc(size_t size, H5FD_file_image_op_t operation, void *data)
{
	(void)size, (void)operation, (void)data;
	return (void *)(uintptr_t)golden;
}

static void *image_memcpy(void *to, const void *from, size_t size, H5FD_file_image_op_t operation,
			  void *data)
{
	(void)from, (void)size, (void)operation, (void)data;
	return to;
}

static herr_t image_free(void *image, H5FD_file_image_op_t operation, void *data)
{
	(void)image, (void)operation, (void)data;
	return 0;
}

static hid_t open_image(const void *data, size_t size)
{
	/* Chunks of records are unpacked once for all of their fields. */
	enum { INCREMENT = 1 << 16, SLOTS = 12421, CHUNKS = 32 << 20 };
	H5FD_file_image_callbacks_t callbacks = {.image_malloc = image_malloc,
						 .image_memcpy = image_memcpy,
						 .image_free = image_free};
	const hid_t access = hdf5.H5Pcreate(*hdf5.H5P_CLS_FILE_ACCESS_ID_g);
	hid_t file = -1;
	golden = data;
	(void)hdf5.H5Pset_cache(access, 0, SLOTS, CHUNKS, 1);
	if (hdf5.H5Pset_fapl_core(access, INCREMENT, 0) >= 0 &&
	    hdf5.H5Pset_file_image_callbacks(access, &callbacks) >= 0 &&
	    hdf5.H5Pset_file_image(access, (void *)(uintptr_t)data, size) >= 0)
		file = hdf5.H5Fopen("golden", H5F_ACC_RDONLY, access);
	hdf5.H5Pclose(access);
	return file;
}

typedef struct {
	rg_wire *wire;
	void *seen; /* a tree of places, with the first path of each */
	rg_buf path;
	int depth;
} walk;

typedef struct {
	haddr_t address;
	char path[];
} place;

static int compare_places(const void *a, const void *b)
{
	const haddr_t one = ((const place *)a)->address, other = ((const place *)b)->address;
	return (one > other) - (one < other);
}

/* The path by which the object was seen before; NULL, and it is kept, if it was not. */
static const char *first_path(walk *w, haddr_t address)
{
	place *one = rg_malloc(sizeof(*one) + w->path.length + 1);
	one->address = address;
	memcpy(one->path, w->path.data, w->path.length + 1);
	place *const *found = tsearch(one, &w->seen, compare_places);
	if (!found || *found == one)
		return NULL;
	free(one);
	return (*found)->path;
}

static herr_t send_attribute(hid_t object, const char *name, const H5A_info_t *info, void *context)
{
	walk *w = context;
	(void)info;
	/* Lists of addresses; the names of dimensions are told with the dataset. */
	if (!strcmp(name, "DIMENSION_LIST") || !strcmp(name, "REFERENCE_LIST"))
		return 0;
	const hid_t attribute = hdf5.H5Aopen(object, name, H5P_DEFAULT);
	if (attribute < 0) {
		rg_wire_say(w->wire, RG_WIRE_ATTRIBUTE, name, "libhdf5 cannot read it");
		return 0;
	}
	rg_hdf5_attribute(w->wire, attribute, name);
	hdf5.H5Aclose(attribute);
	return 0;
}

static herr_t visit(hid_t group, const char *name, const H5L_info_t *info, void *context);

/* A type that has a name of its own. */
static void send_named_type(walk *w, hid_t type)
{
	static const char *const classes[H5T_NCLASSES] = {
		"integer", "float",     "time",        "string", "bits", "opaque",
		"record",  "reference", "enumeration", "list",   "array"};
	const H5T_class_t class = hdf5.H5Tget_class(type);
	RG_AUTO_FREE char *text =
		rg_textf("the type %s of %zu bytes",
			 class >= 0 && class < H5T_NCLASSES ? classes[class] : "of no class",
			 hdf5.H5Tget_size(type));
	rg_wire_say(w->wire, RG_WIRE_LINK, w->path.data, text);
}

static void send_object(walk *w, hid_t object, H5O_type_t type)
{
	enum { DEPTH_MAX = 64 };
	const bool deep = type == H5O_TYPE_GROUP && w->depth >= DEPTH_MAX;
	const bool is_dataset = type == H5O_TYPE_DATASET;
	const bool has_fields = is_dataset && rg_hdf5_has_fields(object);

	if (deep)
		rg_wire_say(w->wire, RG_WIRE_UNREADABLE, w->path.data, "it is nested too deeply");
	else if (has_fields || type == H5O_TYPE_GROUP)
		rg_wire_say(w->wire, RG_WIRE_GROUP, w->path.data, "");
	else if (is_dataset)
		rg_hdf5_dataset(w->wire, object, w->path.data);
	else
		send_named_type(w, object);
	hdf5.H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_INC, NULL, send_attribute, w);
	if (has_fields) /* their attributes are the whole's */
		rg_hdf5_dataset(w->wire, object, w->path.data);
	w->depth++;
	if (type == H5O_TYPE_GROUP && !deep &&
	    hdf5.H5Literate(object, H5_INDEX_NAME, H5_ITER_INC, NULL, visit, w) < 0)
		rg_wire_say(w->wire, RG_WIRE_UNREADABLE, *w->path.data ? w->path.data : "/",
			    "libhdf5 cannot read all that is in it");
	w->depth--;
}

/* A link is never followed; its text is what there is to compare. */
static void send_link(walk *w, hid_t group, const char *name, const H5L_info_t *info)
{
	const size_t size = info->u.val_size;
	const char *file = "", *path = "";
	unsigned flags;
	RG_AUTO_FREE char *value = size <= RG_WIRE_TEXT_MAX ? calloc(1, size + 1) : NULL;

	if (!value || hdf5.H5Lget_val(group, name, value, size, H5P_DEFAULT) < 0 ||
	    (info->type == H5L_TYPE_EXTERNAL &&
	     hdf5.H5Lunpack_elink_val(value, size, &flags, &file, &path) < 0)) {
		rg_wire_say(w->wire, RG_WIRE_UNREADABLE, w->path.data,
			    "libhdf5 cannot read this link");
		return;
	}
	RG_AUTO_FREE char *text = info->type == H5L_TYPE_EXTERNAL
					  ? rg_textf("link to %s of %s", path, file)
					  : rg_textf("link to %s", value);
	rg_wire_say(w->wire, RG_WIRE_LINK, w->path.data, text);
}

static herr_t visit(hid_t group, const char *name, const H5L_info_t *info, void *context)
{
	walk *w = context;
	const size_t length = w->path.length;
	H5O_info_t object_info;

	rg_buf_printf(&w->path, "/%s", name);
	const hid_t object = info->type == H5L_TYPE_HARD && !w->path.is_full
				     ? hdf5.H5Oopen(group, name, H5P_DEFAULT)
				     : -1;
	if (w->path.is_full)
		return -1;
	if (info->type != H5L_TYPE_HARD) {
		send_link(w, group, name, info);
	} else if (object < 0 || hdf5.H5Oget_info(object, &object_info) < 0) {
		rg_wire_say(w->wire, RG_WIRE_UNREADABLE, w->path.data, "libhdf5 cannot open it");
	} else {
		const char *first = first_path(w, object_info.addr);
		RG_AUTO_FREE char *text =
			rg_textf("same object as %s", first && *first ? first : "/");
		if (first)
			rg_wire_say(w->wire, RG_WIRE_LINK, w->path.data, text);
		else
			send_object(w, object, object_info.type);
	}
	if (object >= 0)
		hdf5.H5Oclose(object);
	rg_buf_truncate(&w->path, length);
	return 0;
}

static rg_error *read_file(rg_wire *wire, const void *data, size_t size)
{
	walk w = {.wire = wire, .path = rg_buf_of(RG_WIRE_PATH_MAX)};
	H5O_info_t info;
	const hid_t file = open_image(data, size);
	const hid_t root = file < 0 ? -1 : hdf5.H5Oopen(file, "/", H5P_DEFAULT);
	const bool opened = root >= 0 && hdf5.H5Oget_info(root, &info) >= 0;

	if (opened) {
		(void)first_path(&w, info.addr);
		send_object(&w, root, H5O_TYPE_GROUP);
	}
	while (w.seen) {
		place *one = *(place **)w.seen;
		tdelete(one, &w.seen, compare_places);
		free(one);
	}
	rg_buf_release(&w.path);
	if (root >= 0)
		hdf5.H5Oclose(root);
	if (file >= 0)
		hdf5.H5Fclose(file);
	return opened ? NULL : rg_error_new(RG_E_PARSE, "libhdf5 cannot open it");
}

const rg_binary_reader rg_reader_hdf5 = {.name = "hdf5",
					 .format = "HDF5",
					 .package = "libhdf5-103-1",
					 .load = load,
					 .read = read_file};
