/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "format_reader.h"

#include "base/file.h"
#include "golden/executorch/formats.h"
#include "golden/executorch/bpte.h"
#include "golden/executorch/pte.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <unistd.h>

static const char real_path[] = "../shared/corpus/executorch/bundled_program.bpte";
static const char real_json[] = "../shared/corpus/executorch/bundled_program.expected.json";

static rg_input load(rg_buf *buf, const char *path)
{
	rg_buf_init(buf, RG_BUF_TEXT);
	assert_success(rg_file_read(buf, path));
	return (rg_input){.name = path, .data = buf->data, .size = buf->length};
}

static void assert_metric(const format_reading *r, const char *name, rg_dtype dtype, size_t count,
			  const double *wanted)
{
	const rg_metric *m = find_metric(r, name);
	double values[8];
	size_t i;

	assert_int_equal(m->count, count);
	assert_int_equal(m->tensor->dtype, dtype);
	assert_success(m->block(m, 0, count, values));
	for (i = 0; i < count; i++)
		assert_true(isnan(wanted[i]) ? isnan(values[i]) : values[i] == wanted[i]);
}

TEST(all_kinds_of_values)
{
	format_reading r;
	rg_buf buf;

	read_format(&r, &rg_format_bpte, load(&buf, "tests/formats/cases.bpte"), NULL);
	assert_success(r.err);
	assert_int_equal(r.golden.count, 8);
	assert_metric(&r, "forward/0/input/0", RG_DTYPE_INT32, 2, (double[]){1, -2});
	assert_metric(&r, "forward/0/input/1", RG_DTYPE_INT64, 1, (double[]){-7});
	assert_metric(&r, "forward/0/output/0", RG_DTYPE_FLOAT32, 4,
		      (double[]){1, 2, NAN, INFINITY});
	/* Columns first in memory. */
	assert_metric(&r, "forward/0/output/1", RG_DTYPE_INT8, 6, (double[]){1, 3, 5, 2, 4, 6});
	assert_metric(&r, "forward/1/output/0", RG_DTYPE_BOOL, 1, (double[]){1});
	assert_metric(&r, "forward/1/output/1", RG_DTYPE_FLOAT64, 1, (double[]){0.25});
	/* A number left out of the file is its schema's default. */
	assert_metric(&r, "encode/0/output/0", RG_DTYPE_INT64, 1, (double[]){0});
	assert_int_equal(find_metric(&r, "program")->kind, RG_METRIC_TEXT);
	assert_string_equal(
		find_metric(&r, "program")->text,
		"sha256:9289140b1ac28dbda1437b283e6ca608e33186654e7d3a995da268c35906cd4c");
	release_reading(&r);
	rg_buf_release(&buf);
}

static void assert_list(const cJSON *list, const rg_bundle *bundle, size_t *next, bool output)
{
	const cJSON *value, *number;

	cJSON_ArrayForEach(value, list)
	{
		const rg_bundle_value *v = &bundle->values[(*next)++];
		const cJSON *sizes = cJSON_GetObjectItem(value, "sizes");
		size_t i = 0;
		double got;

		assert_int_equal(v->output, output);
		assert_string_equal(cJSON_GetObjectItem(value, "dtype")->valuestring, "int");
		assert_int_equal(v->tensor.dtype, RG_DTYPE_INT32);
		assert_int_equal(v->tensor.dimensions, cJSON_GetArraySize(sizes));
		cJSON_ArrayForEach(number, sizes)
		{
			assert_int_equal(v->tensor.shape[i], number->valueint);
			i++;
		}
		i = 0;
		cJSON_ArrayForEach(number, cJSON_GetObjectItem(value, "values"))
		{
			rg_tensor_values(&v->tensor, i++, 1, &got);
			assert_true(got == number->valuedouble);
		}
		assert_int_equal(v->tensor.count, i);
	}
}

TEST(corpus_reads_as_its_json_says)
{
	const cJSON *suite, *test_case;
	rg_buf bytes, text;
	rg_bundle bundle;
	rg_input in;
	size_t next = 0;
	cJSON *json;

	if (access(real_path, R_OK))
		skip();
	in = load(&bytes, real_path);
	load(&text, real_json);
	json = cJSON_Parse(text.data);
	assert_non_null(json);
	assert_success(rg_bundle_read(&bundle, in.data, in.size));
	assert_int_equal(bundle.version, cJSON_GetObjectItem(json, "version")->valueint);
	assert_int_equal(bundle.program.size, cJSON_GetObjectItem(json, "program_bytes")->valueint);
	cJSON_ArrayForEach(suite, cJSON_GetObjectItem(json, "suites"))
	{
		size_t index = 0;

		cJSON_ArrayForEach(test_case, cJSON_GetObjectItem(suite, "cases"))
		{
			assert_string_equal(bundle.values[next].method,
					    cJSON_GetObjectItem(suite, "method")->valuestring);
			assert_int_equal(bundle.values[next].case_index, index++);
			assert_list(cJSON_GetObjectItem(test_case, "inputs"), &bundle, &next,
				    false);
			assert_list(cJSON_GetObjectItem(test_case, "expected_outputs"), &bundle,
				    &next, true);
		}
	}
	assert_int_equal(next, bundle.count);
	assert_true(next > 0);
	cJSON_Delete(json);
	rg_bundle_release(&bundle);
	rg_buf_release(&text);
	rg_buf_release(&bytes);
}

/* The program inside is a program. */
TEST(embedded_program)
{
	const rg_program_plan *plan;
	rg_program program;
	rg_bundle bundle;
	rg_buf bytes;
	rg_input in;

	if (access(real_path, R_OK))
		skip();
	in = load(&bytes, real_path);
	assert_success(rg_bundle_read(&bundle, in.data, in.size));
	assert_success(rg_program_read(&program, bundle.program.data, bundle.program.size));
	plan = rg_program_find(&program, NULL);
	assert_string_equal(plan->method, "forward");
	assert_int_equal(plan->outputs[0].scalar_type, RG_DTYPE_INT32);
	rg_program_release(&program);
	rg_bundle_release(&bundle);
	rg_buf_release(&bytes);
}

TEST(tensors_by_hand)
{
	/* 40 cases whose one output is the same table of 64 bytes. */
	enum { CASES = 40, DATA = 64, SIZE = 512 };
	static unsigned char file[SIZE];
	rg_bundle bundle;
	rg_error *err;
	size_t i;

	memcpy(file, (const unsigned char[]){8, 0, 0, 0, 'B', 'P', '0', '8'}, 8);
#define PUT(AT, VALUE)          \
	for (i = 0; i < 4; i++) \
	file[(AT) + i] = (unsigned char)((uint32_t)(VALUE) >> 8 * i)
	PUT(8, 8 - 500); /* root: vtable at 500 with fields 0 (none) and 1 at 4 */
	PUT(12, 4);
	PUT(16, 1); /* suites: one at 24 */
	PUT(20, 4);
	PUT(24, 24 - 500); /* suite: field 1, its cases at 32 */
	PUT(28, 4);
	PUT(32, CASES);
	for (size_t k = 0; k < CASES; k++)
		PUT(36 + 4 * k, 200 - (36 + 4 * k));
	PUT(200, 200 - 500); /* case: outputs at 208 */
	PUT(204, 4);
	PUT(208, 1);
	PUT(212, 4);
	PUT(216, 216 - 488); /* value: vtable at 488 with kind at 4 and table at 8 */
	file[220] = 1;
	PUT(224, 4);
	PUT(228, 228 - 476); /* tensor: vtable at 476 with sizes at 4 and data at 8 */
	PUT(232, 8);
	PUT(236, 12);
	PUT(240, 1);
	PUT(244, DATA);
	PUT(248, DATA);
	memcpy(file + 476, (const unsigned char[]){10, 0, 12, 0, 0, 0, 4, 0, 8, 0}, 10);
	memcpy(file + 488, (const unsigned char[]){8, 0, 12, 0, 4, 0, 8, 0}, 8);
	memcpy(file + 500, (const unsigned char[]){8, 0, 8, 0, 0, 0, 4, 0}, 8);
	err = rg_bundle_read(&bundle, file, SIZE);
	assert_int_equal(bundle.count, SIZE / DATA);
	rg_bundle_release(&bundle);
	assert_error(err, RG_E_PARSE, "its tensors share bytes");
	/* With only as many cases as there is room for, it is read. */
	PUT(32, SIZE / DATA);
	assert_success(rg_bundle_read(&bundle, file, SIZE));
	assert_int_equal(bundle.count, SIZE / DATA);
	rg_bundle_release(&bundle);
	/* Its type at the first byte of its data. */
	file[480] = 16;
	file[244] = 22;
	assert_success(rg_bundle_read(&bundle, file, SIZE));
	assert_string_equal(bundle.values[0].unreadable, "tensors of ScalarType 22 cannot be read");
	assert_int_equal(bundle.values[0].tensor.size, DATA);
	rg_bundle_release(&bundle);
	file[480] = 0;
	PUT(244, DATA);
	PUT(240, RG_METRIC_DIMENSIONS + 1);
	assert_success(rg_bundle_read(&bundle, file, SIZE));
	assert_string_equal(bundle.values[0].unreadable, "a tensor of 17 dimensions, more than 16");
	rg_bundle_release(&bundle);
#undef PUT
}

TEST(hostile_bytes)
{
	rg_buf buf;

	assert_survives(&rg_format_bpte, load(&buf, "tests/formats/cases.bpte"));
	rg_buf_release(&buf);
}

TEST(bids)
{
	rg_input in = {.name = "a.bpte", .data = "\0\0\0\0BP08", .size = 8};

	assert_int_equal(rg_format_bpte.bid(&in), 100);
	in.name = "a";
	assert_int_equal(rg_format_bpte.bid(&in), 50);
	in.size = 7;
	assert_int_equal(rg_format_bpte.bid(&in), 0);
	in.name = "a.bpte";
	assert_int_equal(rg_format_bpte.bid(&in), 10);
}
