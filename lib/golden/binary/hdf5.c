/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/binary/child.h"
#include "golden/binary/hdf5_library.h"

/* The bytes of the file, which the library must not copy. */
static void *image_malloc(size_t size, H5FD_file_image_op_t operation, void *data)
{
	(void)size;
	(void)operation;
	return data;
}

static void *image_memcpy(void *to, const void *from, size_t size, H5FD_file_image_op_t operation,
			  void *data)
{
	(void)from;
	(void)size;
	(void)operation;
	(void)data;
	return to;
}

static herr_t image_free(void *image, H5FD_file_image_op_t operation, void *data)
{
	(void)image;
	(void)operation;
	(void)data;
	return 0;
}

static void *same_data(void *data)
{
	return data;
}

static herr_t keep_data(void *data)
{
	(void)data;
	return 0;
}

static hid_t open_image(const void *data, size_t size)
{
	enum { INCREMENT = 1 << 16 };
	H5FD_file_image_callbacks_t callbacks = {
		.image_malloc = image_malloc,
		.image_memcpy = image_memcpy,
		.image_free = image_free,
		.udata_copy = same_data,
		.udata_free = keep_data,
		.udata = (void *)(uintptr_t)data,
	};
	const hid_t access = hdf5.H5Pcreate(*hdf5.H5P_CLS_FILE_ACCESS_ID_g);
	hid_t file = -1;
	if (hdf5.H5Pset_fapl_core(access, INCREMENT, 0) >= 0 &&
	    hdf5.H5Pset_file_image_callbacks(access, &callbacks) >= 0 &&
	    hdf5.H5Pset_file_image(access, (void *)(uintptr_t)data, size) >= 0)
		file = hdf5.H5Fopen("golden", H5F_ACC_RDONLY, access);
	hdf5.H5Pclose(access);
	return file;
}

static rg_error *read_file(rg_wire *wire, const void *data, size_t size)
{
	const hid_t file = open_image(data, size);
	if (file < 0)
		return rg_error_new(RG_E_PARSE, "libhdf5 cannot open it");
	rg_wire_say(wire, RG_WIRE_GROUP, "", "");
	hdf5.H5Fclose(file);
	return NULL;
}

const rg_binary_reader rg_reader_hdf5 = {.name = "hdf5",
					 .format = "HDF5",
					 .package = "libhdf5-103-1",
					 .load = rg_hdf5_load,
					 .read = read_file};
