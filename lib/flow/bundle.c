/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/bundle.h"

#include "base/memory.h"
#include "base/cancel.h"
#include "base/file.h"
#include "golden/npy.h"

#include <stdint.h>
#include <stdlib.h>

rg_error *rg_bundle_open(rg_bundle_result *out, const char *file)
{
	*out = (rg_bundle_result){0};
	RG_TRY(rg_map_open(&out->map, file));
	return rg_error_wrap(rg_bundle_read(&out->bundle, out->map.data, out->map.size), "%s",
			     file);
}

char *rg_bundle_file_name(const rg_bundle_value *value, const char *extension)
{
	return rg_textf("%s/%zu/%s_%zu.%s", value->method, value->case_index,
			value->output ? "output" : "input", value->index, extension);
}

/* All elements in row-major order and little-endian. */
static rg_error *add_elements(rg_buf *out, const rg_tensor *tensor)
{
	size_t size = tensor->count * rg_dtype_size(tensor->dtype);
	if (!rg_buf_reserve(out, size))
		return rg_buf_check(out, "tensor");
	rg_tensor_bytes(tensor, 0, tensor->count, out->data + out->length);
	/* From this machine's byte order: the same swap as to it. */
	rg_dtype_to_host(tensor->dtype, false, out->data + out->length, tensor->count);
	out->length += size;
	return NULL;
}

/* Those of a tensor that cannot be read, as they are. */
static rg_error *add_bytes(rg_buf *out, const rg_tensor *tensor)
{
	rg_buf_add(out, tensor->data, tensor->size);
	return rg_buf_check(out, "tensor");
}

static rg_error *write_file(const char *folder, const char *name, const void *bytes, size_t size)
{
	char *path = rg_path_join(folder, name);
	rg_error *err = rg_make_parent_dirs(path, 0777);
	if (!err)
		err = rg_file_replace(path, bytes, size, 0666);
	free(path);
	return err;
}

static rg_error *write_value(const rg_bundle_value *value, const char *folder, bool npy)
{
	rg_buf bytes;
	npy = npy && !value->unreadable && rg_npy_has_type(&value->tensor);

	char *name = rg_bundle_file_name(value, npy ? "npy" : "bin");
	rg_buf_init(&bytes, SIZE_MAX / 4);
	rg_error *err = NULL;
	if (npy)
		err = rg_npy_header(&bytes, &value->tensor);
	if (!err)
		err = value->unreadable ? add_bytes(&bytes, &value->tensor)
					: add_elements(&bytes, &value->tensor);
	if (!err)
		err = write_file(folder, name, bytes.data, bytes.length);
	rg_buf_release(&bytes);
	free(name);
	return err;
}

/* The methods' names come from the file. */
static rg_error *check_names(const rg_bundle *bundle)
{
	rg_error *err = NULL;
	for (size_t i = 0; !err && i < bundle->count; i++) {
		char *name = rg_bundle_file_name(&bundle->values[i], "npy");
		err = rg_path_check(name);
		if (!err && rg_path_has_git(name))
			err = rg_error_new(RG_E_UNSAFE, "unsafe name '%s': it has a '.git' part",
					   name);
		free(name);
	}
	return err;
}

rg_error *rg_bundle_extract(rg_bundle_result *out, const char *file, const char *folder, bool npy)
{
	const rg_bundle *bundle = &out->bundle;
	RG_TRY(rg_bundle_open(out, file));
	RG_TRY(check_names(bundle));
	if (bundle->program.size) {
		RG_TRY(write_file(folder, "program.pte", bundle->program.data,
				  bundle->program.size));
		out->written++;
	}
	for (size_t i = 0; i < bundle->count; i++) {
		RG_TRY(rg_cancel_check());
		RG_TRY(write_value(&bundle->values[i], folder, npy));
		out->written++;
	}
	return NULL;
}

void rg_bundle_result_release(rg_bundle_result *result)
{
	rg_bundle_release(&result->bundle);
	rg_map_release(&result->map);
}
