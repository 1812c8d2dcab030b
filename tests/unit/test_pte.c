/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "base/file.h"
#include "golden/executorch/pte.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void assert_value(const rg_program_value *v, int scalar_type, size_t dimensions,
			 int64_t first)
{
	assert_int_equal(v->kind, RG_PROGRAM_TENSOR);
	assert_int_equal(v->scalar_type, scalar_type);
	assert_int_equal(v->dimensions, dimensions);
	assert_int_equal(v->shape[0], first);
}

static void read_file(rg_buf *buf, const char *path)
{
	rg_buf_init(buf, RG_BUF_TEXT);
	assert_success(rg_file_read(buf, path));
}

TEST(inputs_and_outputs_in_order)
{
	const rg_program_plan *plan;
	rg_program program;
	rg_buf buf;

	read_file(&buf, "tests/formats/model.pte");
	assert_success(rg_program_read(&program, buf.data, buf.length));
	assert_int_equal(program.plan_count, 2);
	plan = rg_program_find(&program, NULL);
	assert_string_equal(plan->method, "forward");
	assert_int_equal(plan->input_count, 2);
	assert_int_equal(plan->output_count, 4);
	assert_value(&plan->inputs[0], 6, 2, 2);
	assert_int_equal(plan->inputs[1].kind, RG_PROGRAM_DOUBLE);
	assert_value(&plan->outputs[0], 5, 1, 4);
	assert_value(&plan->outputs[1], 6, 2, 2);
	assert_int_equal(plan->outputs[2].kind, 6);
	assert_string_equal(rg_program_find(&program, "other")->method, "other");
	assert_null(rg_program_find(&program, "none"));
	rg_program_release(&program);
	rg_buf_release(&buf);
}

/* Real programs: x + y, x + x, and a linear module. */
TEST(corpus)
{
	static const struct {
		const char *path;
		size_t inputs, dimensions;
		int64_t extent;
	} cases[] = {
		{"../shared/corpus/executorch/add.pte", 2, 1, 1},
		{"../shared/corpus/executorch/model.pte", 1, 1, 3},
		{"../shared/corpus/executorch/ModuleLinear-no-constant-segment.pte", 1, 2, 2},
	};
	rg_program program;
	rg_buf buf;
	size_t i;

	if (access(cases[0].path, R_OK))
		skip();
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const rg_program_plan *plan;

		read_file(&buf, cases[i].path);
		assert_success(rg_program_read(&program, buf.data, buf.length));
		plan = rg_program_find(&program, NULL);
		assert_string_equal(plan->method, "forward");
		assert_int_equal(plan->input_count, cases[i].inputs);
		assert_value(&plan->inputs[0], 6, cases[i].dimensions, cases[i].extent);
		assert_int_equal(plan->output_count, 1);
		assert_value(&plan->outputs[0], 6, cases[i].dimensions, cases[i].extent);
		rg_program_release(&program);
		rg_buf_release(&buf);
	}
}

static void assert_cut(const void *data, size_t size, const char *message)
{
	rg_program program;

	if (message)
		assert_error(rg_program_read(&program, data, size), RG_E_PARSE, message);
	else
		assert_success(rg_program_read(&program, data, size));
	rg_program_release(&program);
}

/* A real one, whose last four bytes are its data segment. */
TEST(corpus_cut_off)
{
	rg_buf buf;

	if (access("../shared/corpus/executorch/model.pte", R_OK))
		skip();
	read_file(&buf, "../shared/corpus/executorch/model.pte");
	assert_cut(buf.data, buf.length, NULL);
	assert_cut(buf.data, buf.length - 1,
		   "the data segments should be 4 bytes at byte 1152, but the file ends at byte "
		   "1155: cut off");
	rg_buf_release(&buf);
}

/* Every prefix, every byte set to hostile values: read or refused, never harmed. */
TEST(hostile_bytes)
{
	static const unsigned char values[] = {0x00, 0x01, 0x7f, 0x80, 0xff};
	rg_program program;
	size_t i, k;
	rg_buf buf;

	read_file(&buf, "tests/formats/model.pte");
	for (i = 0; i < buf.length; i++) {
		char *prefix = malloc(i + 1), kept = buf.data[i];

		assert_non_null(prefix);
		memcpy(prefix, buf.data, i);
		rg_error_free(rg_program_read(&program, prefix, i));
		rg_program_release(&program);
		free(prefix);
		for (k = 0; k < sizeof(values); k++) {
			buf.data[i] = (char)values[k];
			rg_error_free(rg_program_read(&program, buf.data, buf.length));
			rg_program_release(&program);
		}
		buf.data[i] = kept;
	}
	rg_buf_release(&buf);
}

/* What executorch's writer makes of tests/formats/segments.pte: its extended header between the
 * identifier and the rest, data segments of 3 and of 8 bytes after it. Returns the size. */
static size_t with_segments(unsigned char out[static 1024], uint64_t data_size)
{
	enum { HEADER = 32, BASE = 512 };
	unsigned char *header = out + 8;
	rg_buf buf;

	read_file(&buf, "tests/formats/segments.pte");
	assert_true(buf.length + HEADER < BASE);
	memset(out, 0, 1024);
	memcpy(out, buf.data, 8);
	memcpy(out + 8 + HEADER, buf.data + 8, buf.length - 8);
	out[0] = (unsigned char)(out[0] + HEADER);
	memcpy(header, "eh00", 4);
	header[4] = HEADER;
	header[8] = (unsigned char)(buf.length + HEADER);
	header[9] = (unsigned char)((buf.length + HEADER) >> 8);
	header[17] = BASE >> 8;
	header[24] = (unsigned char)data_size;
	rg_buf_release(&buf);
	return BASE + 16 + 8;
}

static void assert_refused(const void *data, size_t size)
{
	rg_program program;
	rg_error *err = rg_program_read(&program, data, size);

	assert_non_null(err);
	rg_error_free(err);
	rg_program_release(&program);
}

/* A download that stopped: the flatbuffer is there, the weights are not. */
TEST(cut_off_in_data)
{
	unsigned char data[1024];
	size_t size, i;

	size = with_segments(data, 24);
	assert_cut(data, size, NULL);
	assert_cut(data, size + 100, NULL);
	assert_cut(data, size - 1,
		   "the data segments should be 24 bytes at byte 512, but the file ends at byte "
		   "535: cut off");
	/* Older writers do not say how much it is in all; the segments say it. */
	with_segments(data, 0);
	assert_cut(data, size, NULL);
	assert_cut(data, size - 1,
		   "data segment 1: its data should be 8 bytes at byte 528, but the file ends at "
		   "byte 535: cut off");
	data[12] = 24;
	assert_cut(data, 512 + 2,
		   "data segment 0: its data should be 3 bytes at byte 512, but the file ends at "
		   "byte 514: cut off");
	for (i = 0; i < 512 + 3; i++)
		assert_refused(data, i);
	data[12] = 23;
	assert_cut(data, size, "byte 12: a header of 23 bytes");
	/* Sums that would wrap. */
	with_segments(data, 24);
	memset(data + 24, 0xff, 8);
	assert_refused(data, size);
	memset(data + 16, 0xff, 8);
	assert_cut(data, size,
		   "the program should be 18446744073709551615 bytes at byte 0, but the file ends "
		   "at byte 536: cut off");
}

TEST(refused)
{
	rg_program program;

	assert_error(rg_program_read(&program, "\x10\0\0\0ET11", 8), RG_E_PARSE,
		     "no 'ET12' at byte 4");
	rg_program_release(&program);
	assert_error(rg_program_read(&program, "\x10\0\0\0ET12", 8), RG_E_PARSE,
		     "byte 0: an offset leads out of the file");
	rg_program_release(&program);
}
