/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/bundle.h"

#include "base/cancel.h"
#include "base/file.h"
#include "golden/lfs.h"
#include "golden/npy.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static rg_error *open_bundle(rg_bundle_result *out, const char *file)
{
	*out = (rg_bundle_result){0};
	RG_TRY(rg_map_open(&out->map, file));
	return rg_error_wrap(rg_bundle_read(&out->bundle, out->map.data, out->map.size), "%s",
			     file);
}

/* "METHOD/CASE/output_0.npy"; *out is the caller's to free. */
static rg_error *name_of(char **out, const rg_bundle_value *value, const char *extension)
{
	return rg_textf(out, "%s/%zu/%s_%zu.%s", value->method, value->case_index,
			value->output ? "output" : "input", value->index, extension);
}

/* --- extract --- */

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

static rg_error *write_file(const char *folder, const char *name, const void *bytes, size_t size)
{
	rg_error *err;
	char *path;

	RG_TRY(rg_path_join(&path, folder, name));
	err = rg_make_parent_dirs(path, 0777);
	if (!err)
		err = rg_file_replace(path, bytes, size, 0666);
	free(path);
	return err;
}

static rg_error *write_value(const rg_bundle_value *value, const char *folder, bool npy)
{
	rg_error *err = NULL;
	rg_buf bytes;
	char *name;

	npy = npy && rg_npy_has_type(value->tensor.dtype);
	RG_TRY(name_of(&name, value, npy ? "npy" : "bin"));
	rg_buf_init(&bytes, SIZE_MAX / 4);
	if (npy)
		err = rg_npy_header(&bytes, value->tensor.dtype, value->tensor.shape,
				    value->tensor.dimensions);
	if (!err)
		err = add_elements(&bytes, &value->tensor);
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
	size_t i;

	for (i = 0; !err && i < bundle->count; i++) {
		char *name;

		RG_TRY(name_of(&name, &bundle->values[i], "npy"));
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
	size_t i;

	RG_TRY(open_bundle(out, file));
	RG_TRY(check_names(bundle));
	if (bundle->program.size) {
		RG_TRY(write_file(folder, "program.pte", bundle->program.data,
				  bundle->program.size));
		out->written++;
	}
	for (i = 0; i < bundle->count; i++) {
		RG_TRY(rg_cancel_check());
		RG_TRY(write_value(&bundle->values[i], folder, npy));
		out->written++;
	}
	return NULL;
}

/* --- verify-outputs --- */

/* Opens METHOD/CASE/output_i with that extension; *found is false where there is none. */
static rg_error *open_actual(rg_map *map, const char *folder, const rg_bundle_value *value,
			     const char *extension, bool *found)
{
	char *name, *path;
	rg_error *err;

	*found = true;
	RG_TRY(name_of(&name, value, extension));
	err = rg_path_join(&path, folder, name);
	free(name);
	if (err)
		return err;
	err = rg_map_open(map, path);
	free(path);
	if (err && rg_error_errno(err) == ENOENT) {
		rg_error_free(err);
		*found = false;
		return NULL;
	}
	return err ? err : rg_lfs_refuse_pointer(map->data, map->size);
}

/* Raw elements are of the expected type and shape, or of a wrong size. */
static rg_error *read_raw(rg_tensor *actual, const rg_tensor *expected, const rg_map *map)
{
	*actual = *expected;
	actual->data = map->data;
	actual->size = map->size;
	rg_tensor_row_major(actual);
	return rg_tensor_check(actual);
}

static rg_error *judge_output(rg_runtime_verdict *verdict, const rg_verify_options *options,
			      const rg_bundle_value *value, rg_map *map)
{
	rg_tensor actual;
	bool found;

	RG_TRY(open_actual(map, options->folder, value, "npy", &found));
	if (found) {
		RG_TRY(rg_npy_read(&actual, map->data, map->size));
	} else {
		RG_TRY(open_actual(map, options->folder, value, "bin", &found));
		if (!found)
			return rg_error_new(RG_E_NOTFOUND,
					    "is missing: neither .npy nor .bin is there");
		RG_TRY(read_raw(&actual, &value->tensor, map));
	}
	rg_runtime_check(verdict, &value->tensor, &actual, options->rtol, options->atol);
	return NULL;
}

static void check_output(rg_runtime_verdict *verdict, const rg_verify_options *options,
			 const rg_bundle_value *value)
{
	rg_map map = {.data = ""};
	rg_error *err = judge_output(verdict, options, value, &map);

	if (err)
		snprintf(verdict->why, sizeof(verdict->why), "%s", rg_error_message(err));
	rg_error_free(err);
	rg_map_release(&map);
}

static bool same_case(const rg_bundle_value *a, const rg_bundle_value *b)
{
	return a->case_index == b->case_index && a->method == b->method;
}

static void add_to_case(rg_bundle_result *out, size_t index)
{
	const rg_bundle_value *value = &out->bundle.values[index];
	bool failed = value->output && !out->verdicts[index].passed;
	rg_bundle_case *now;

	if (!index || !same_case(value - 1, value))
		out->cases[out->case_count++] = (rg_bundle_case){.first = index};
	now = &out->cases[out->case_count - 1];
	now->count++;
	out->failed_cases += failed && !now->failed ? 1 : 0;
	now->failed |= failed;
	out->failed += failed ? 1 : 0;
	out->passed += value->output && !failed ? 1 : 0;
}

rg_error *rg_bundle_verify(rg_bundle_result *out, const char *file,
			   const rg_verify_options *options)
{
	size_t i;

	RG_TRY(open_bundle(out, file));
	out->verdicts = calloc(out->bundle.count + 1, sizeof(*out->verdicts));
	out->cases = calloc(out->bundle.count + 1, sizeof(*out->cases));
	if (!out->verdicts || !out->cases)
		return rg_error_nomem();
	for (i = 0; i < out->bundle.count; i++) {
		if (out->bundle.values[i].output)
			check_output(&out->verdicts[i], options, &out->bundle.values[i]);
		add_to_case(out, i);
		RG_TRY(rg_cancel_check());
	}
	if (!(out->passed + out->failed))
		return rg_error_new(RG_E_NOTFOUND,
				    "%s: no expected output in it; nothing to verify", file);
	return NULL;
}

void rg_bundle_result_release(rg_bundle_result *result)
{
	free(result->verdicts);
	free(result->cases);
	rg_bundle_release(&result->bundle);
	rg_map_release(&result->map);
}
