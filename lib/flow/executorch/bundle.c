/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/executorch/bundle.h"

#include "base/cancel.h"
#include "base/fields.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/lfs.h"
#include "golden/npy.h"

#include <dirent.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static rg_error *bundle_open(rg_bundle_result *out, const char *file)
{
	*out = (rg_bundle_result){0};
	RG_TRY(rg_map_open(&out->map, file));
	return rg_error_wrap(rg_bundle_read(&out->bundle, out->map.data, out->map.size), "%s",
			     file);
}

/* "METHOD/CASE/output_0.npy"; the caller frees it. */
static char *bundle_file_name(const rg_bundle_value *value, const char *extension)
{
	return rg_textf("%s/%zu/%s_%zu.%s", value->method, value->case_index,
			value->output ? "output" : "input", value->index, extension);
}

static rg_error *write_file(const char *folder, const char *name, const void *bytes, size_t size)
{
	RG_AUTO_FREE char *path = rg_path_join(folder, name);
	RG_TRY(rg_make_parent_dirs(path, 0777));
	return rg_file_replace(path, bytes, size, 0666);
}

static rg_error *write_value(const rg_bundle_value *value, const char *folder, bool npy)
{
	const rg_tensor *tensor = &value->tensor;
	const size_t size = value->unreadable ? tensor->size
					      : tensor->count * rg_dtype_size(tensor->dtype);
	npy = npy && !value->unreadable && rg_npy_has_type(tensor);
	RG_AUTO_FREE char *name = bundle_file_name(value, npy ? "npy" : "bin");
	RG_AUTO(rg_buf) bytes = rg_buf_of(RG_BUF_ANY);

	if (npy)
		RG_TRY(rg_npy_header(&bytes, tensor));
	if (value->unreadable) { /* its bytes as they are */
		rg_buf_add(&bytes, tensor->data, size);
	} else if (rg_buf_reserve(&bytes, size)) {
		/* All elements in row-major order and little-endian: from this machine's byte order
		 * it is the same swap as to it. */
		rg_tensor_bytes(tensor, 0, tensor->count, bytes.data + bytes.length);
		rg_dtype_to_host(tensor->dtype, false, bytes.data + bytes.length, tensor->count);
		bytes.length += size;
	}
	RG_TRY(rg_buf_check(&bytes, "tensor"));
	return write_file(folder, name, bytes.data, bytes.length);
}

rg_error *rg_bundle_extract(rg_bundle_result *out, const char *file, const char *folder, bool npy)
{
	const rg_bundle *bundle = &out->bundle;
	RG_TRY(bundle_open(out, file));
	/* The methods' names come from the file. */
	for (size_t i = 0; i < bundle->count; i++) {
		RG_AUTO_FREE char *name = bundle_file_name(&bundle->values[i], "npy");
		RG_TRY(rg_path_check(name));
		if (rg_path_has_git(name))
			return rg_error_new(RG_E_UNSAFE, "unsafe name '%s': it has a '.git' part",
					    name);
	}
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

/* --- the keys --- */

static void write_why(rg_buf *out, const void *from)
{
	const rg_runtime_verdict *verdict = from;
	if (!verdict->passed)
		rg_buf_str(out, verdict->why);
}

#define OF rg_runtime_verdict
static const rg_json_field output_fields[] = {
	RG_KEY(passed, "By the runtime's rule."),
	RG_SAY("why", OPTIONAL, write_why, "What is wrong, where it failed."),
	RG_KEY_OF("wrong_elements", RG_JSON_WHOLE, wrong, RG_JSON_ALWAYS,
		  "Elements that break the rule; 0 where it failed by its type or shape."),
	{0}};
#undef OF

static const char *const results[] = {
	[RG_CASE_PASSED] = "passed",
	[RG_CASE_FAILED] = "failed",
	[RG_CASE_NOT_CHECKED] = "not checked",
};

#define OF rg_case_errors
static const rg_json_field error_fields[] = {
	RG_KEY(mean_abs, "The mean of |actual - expected|."),
	RG_KEY(max_abs, "The largest."),
	RG_KEY(mean_rel, "The mean of |actual - expected| / max(|actual|, |expected|, 1e-8)."),
	RG_KEY(max_rel, "The largest."),
	{0}};
#undef OF

#define OF rg_case_verdict
static const rg_json_field case_fields[] = {
	RG_KEY_AS("method", of.method, "The program's method."),
	RG_KEY_OF("case", RG_JSON_WHOLE, of.index, RG_JSON_ALWAYS, "From 0, within the method."),
	RG_KEY_WORD("result", state, results,
		    "Of the case as a whole; 'not checked': it expects no output."),
	RG_KEY_TALL_LIST("outputs", outputs, of.outputs, output_fields,
			 "The expected outputs, in order."),
	RG_KEY_TEXTS("extra_outputs", extras, extra_count, ALWAYS,
		     "Files of outputs for which nothing is expected."),
	RG_KEY_TO("errors", errors, error_fields, OPTIONAL, false,
		  "The runtime's error statistics over the case's outputs; missing where it has "
		  "none: outputs that are not float32, or not there."),
	{0}};
#undef OF

typedef struct {
	rg_verify_options options;
	rg_bundle_verdict v;
} outputs_document;

#define OF outputs_document
const rg_json_field rg_outputs_fields[] = {
	RG_KEY_AS("rtol", options.rtol, "The relative tolerance."),
	RG_KEY_AS("atol", options.atol, "The absolute tolerance."),
	RG_KEY_OF("passed", RG_JSON_WHOLE, v.passed_cases, RG_JSON_ALWAYS, "Cases that passed."),
	RG_KEY_OF("failed", RG_JSON_WHOLE, v.failed_cases, RG_JSON_ALWAYS, "Cases that failed."),
	RG_KEY_OF("not_checked", RG_JSON_WHOLE, v.unchecked_cases, RG_JSON_ALWAYS,
		  "Cases without expected outputs."),
	RG_KEY_TALL_LIST("cases", v.cases, v.file.bundle.case_count, case_fields,
			 "As they are in the file."),
	{0}};
#undef OF

const char *const rg_case_state_names[] = {
	[RG_CASE_PASSED] = "pass",
	[RG_CASE_FAILED] = "FAIL",
	[RG_CASE_NOT_CHECKED] = "not checked",
};

/* Opens METHOD/CASE/output_i with that extension; *found is false where there is none. */
static rg_error *open_actual(rg_map *map, const char *folder, const rg_bundle_value *value,
			     const char *extension, bool *found)
{
	RG_AUTO_FREE char *name = bundle_file_name(value, extension);
	RG_AUTO_FREE char *path = rg_path_join(folder, name);
	rg_error *err = rg_map_open(map, path);

	*found = !err || rg_error_errno(err) != ENOENT;
	if (*found)
		return err ? err : rg_lfs_refuse_pointer(map->data, map->size);
	rg_error_free(err);
	return NULL;
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

static rg_error *judge_output(rg_runtime_verdict *verdict, rg_case_verdict *of_case,
			      const rg_verify_options *options, const rg_bundle_value *value,
			      rg_map *map)
{
	const rg_tensor *expected = &value->tensor;
	bool found = false;
	rg_tensor actual;

	if (!value->unreadable)
		RG_TRY(open_actual(map, options->folder, value, "npy", &found));
	bool npy = found;
	if (!npy)
		RG_TRY(open_actual(map, options->folder, value, "bin", &found));
	if (!found)
		return rg_error_new(RG_E_NOTFOUND, "is missing: neither .npy nor .bin is there");
	if (value->unreadable) { /* the runtime compares what it cannot read by bytes */
		verdict->passed = map->size == expected->size &&
				  (!map->size || !memcmp(map->data, expected->data, map->size));
		verdict->wrong = !verdict->passed;
		snprintf(verdict->why, sizeof(verdict->why),
			 "its %zu bytes are not the %zu expected ones", map->size, expected->size);
		of_case->errors = NULL;
		return NULL;
	}
	RG_TRY(npy ? rg_npy_read(&actual, map->data, map->size) : read_raw(&actual, expected, map));
	rg_runtime_check(verdict, expected, &actual, options->rtol, options->atol);
	if (!rg_runtime_errors_add(&of_case->sums, expected, &actual))
		of_case->errors = NULL;
	return NULL;
}

/* --- outputs that nothing expects --- */

/* "output_12.npy": 12. False for another name. */
static bool parse_name(const char *name, uint64_t *index)
{
	static const char start[] = "output_";
	const size_t length = strlen(name), before = sizeof(start) - 1;

	return length > before + 4 && !memcmp(name, start, before) &&
	       (!strcmp(name + length - 4, ".npy") || !strcmp(name + length - 4, ".bin")) &&
	       rg_uint64_parse(name + before, length - before - 4, index);
}

static void find_extras(rg_case_verdict *of_case, rg_arena *arena, const char *outputs)
{
	const rg_bundle_case *c = &of_case->of;
	DIR *dir = opendir(rg_arena_textf(arena, "%s/%s/%zu", outputs, c->method, c->index));
	struct dirent *entry;
	uint64_t index;

	if (!dir)
		return; /* the outputs are missing, which is said */
	while ((entry = readdir(dir)) != NULL)
		if (parse_name(entry->d_name, &index) && index >= c->outputs)
			*RG_ARENA_PUSH(arena, of_case->extras, of_case->extra_count,
				       of_case->extra_capacity) =
				rg_arena_text(arena, entry->d_name);
	closedir(dir);
	if (of_case->extra_count)
		qsort(of_case->extras, of_case->extra_count, sizeof(*of_case->extras),
		      rg_compare_texts);
}

/* --- cases --- */

static void check_case(rg_bundle_verdict *out, size_t index, const rg_verify_options *options)
{
	const rg_bundle_case *c = &out->file.bundle.cases[index];
	rg_case_verdict *of_case = &out->cases[index];
	size_t at = c->first + c->inputs, failed = out->failed;

	of_case->of = *c;
	of_case->outputs = &out->verdicts[at];
	of_case->errors = c->outputs ? &of_case->means : NULL;
	for (size_t i = at; i < at + c->outputs; i++) {
		RG_AUTO(rg_map) map = {.data = ""};
		RG_AUTO_PTR(rg_error)
		err = judge_output(&out->verdicts[i], of_case, options, &out->file.bundle.values[i],
				   &map);

		if (err) {
			snprintf(out->verdicts[i].why, sizeof(out->verdicts[i].why), "%s",
				 rg_error_message(err));
			of_case->errors = NULL;
		}
		*(out->verdicts[i].passed ? &out->passed : &out->failed) += 1;
	}
	of_case->state = !c->outputs             ? RG_CASE_NOT_CHECKED
			 : out->failed == failed ? RG_CASE_PASSED
						 : RG_CASE_FAILED;
	out->passed_cases += of_case->state == RG_CASE_PASSED;
	out->failed_cases += of_case->state == RG_CASE_FAILED;
	out->unchecked_cases += of_case->state == RG_CASE_NOT_CHECKED;
	find_extras(of_case, &out->arena, options->folder);
	const rg_runtime_errors *sums = &of_case->sums;
	double count = sums->count ? (double)sums->count : 1;
	of_case->means = (rg_case_errors){sums->sum_abs / count, sums->max_abs,
					  sums->sum_rel / count, sums->max_rel};
}

rg_error *rg_bundle_verify(rg_bundle_verdict *out, const char *file,
			   const rg_verify_options *options)
{
	const rg_bundle *bundle = &out->file.bundle;
	*out = (rg_bundle_verdict){0};
	RG_TRY(bundle_open(&out->file, file));
	out->verdicts = rg_arena_alloc(&out->arena, (bundle->count + 1) * sizeof(*out->verdicts));
	out->cases = rg_arena_alloc(&out->arena, (bundle->case_count + 1) * sizeof(*out->cases));
	for (size_t i = 0; i < bundle->case_count; i++) {
		check_case(out, i, options);
		RG_TRY(rg_cancel_check());
	}
	if (!(out->passed + out->failed))
		return rg_error_new(RG_E_NOTFOUND,
				    "%s: no expected output in it; nothing to verify", file);
	return NULL;
}

/* --- JSON --- */

rg_error *rg_bundle_verdict_json(const rg_bundle_verdict *v, const rg_verify_options *options,
				 rg_buf *out)
{
	const outputs_document t = {*options, *v};
	return rg_json_write(out, "regild-outputs", rg_outputs_fields, &t, NULL);
}

void rg_bundle_verdict_release(rg_bundle_verdict *verdict)
{
	rg_arena_release(&verdict->arena);
	rg_bundle_result_release(&verdict->file);
}
