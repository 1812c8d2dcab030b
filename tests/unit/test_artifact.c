/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "format_reader.h"

#include "base/file.h"
#include "golden/executorch/formats.h"
#include "golden/executorch/artifact.h"

/* Files that are there by name and size alone; programs are all tests/formats/pair.pte. */
typedef struct {
	rg_buf program;
	const uint64_t *sizes;
} shelf;

static rg_error *read_program(void *context, size_t index, rg_bytes *out)
{
	shelf *s = context;

	(void)index;
	*out = (rg_bytes){s->program.data, s->program.length};
	return NULL;
}

static rg_error *size_of(void *context, size_t index, uint64_t *out)
{
	*out = ((shelf *)context)->sizes[index];
	return NULL;
}

static void check(rg_artifact_check *out, const char *const *names, const uint64_t *sizes,
		  size_t count)
{
	shelf s = {.sizes = sizes};
	rg_artifact_files files = {.names = names,
				   .count = count,
				   .read_program = read_program,
				   .size = size_of,
				   .context = &s};

	rg_buf_init(&s.program, RG_BUF_TEXT);
	assert_success(rg_file_read(&s.program, "tests/formats/pair.pte"));
	assert_success(rg_artifact_check_files(out, &files));
	rg_buf_release(&s.program);
}

TEST(whole)
{
	static const char *const names[] = {"a-b/m.pte",
					    "a-b/m_expected_output_0.bin",
					    "a-b/m_expected_output_1.bin",
					    "a-b/m_input_0.bin",
					    "a-b/m_input_1.bin",
					    "a/m.pte",
					    "a/m_expected_output_0.bin",
					    "a/m_expected_output_1.bin",
					    "a/m_input_0.bin",
					    "a/m_input_1.bin",
					    "a/notes.txt"};
	static const uint64_t sizes[] = {0, 8, 4, 8, 8, 0, 8, 4, 8, 8, 99};
	rg_artifact_check c;

	check(&c, names, sizes, 11);
	assert_int_equal(c.problem_count, 0);
	assert_int_equal(c.flows, 2);
	assert_int_equal(c.models, 2);
	assert_int_equal(c.inputs, 4);
	assert_int_equal(c.outputs, 4);
	assert_int_equal(c.strays, 1);
	assert_true(c.part[4]);
	assert_false(c.part[10]);
	rg_artifact_check_release(&c);
}

TEST(problems)
{
	/* Two inputs, so that a name without a number is none of them. */
	static const char *const names[] = {
		"a/m.pte",       "a/m_expected_output_0.bin", "a/m_expected_output_1.bin",
		"a/m_input.bin", "a/m_input_1.bin",           "b/x_input.bin"};
	static const uint64_t sizes[] = {0, 8, 5, 8, 8, 1};
	rg_artifact_check c;

	check(&c, names, sizes, 6);
	assert_int_equal(c.problem_count, 4);
	assert_string_equal(c.problems[0], "a/m_input_0.bin: is missing: input 0 of a/m.pte");
	assert_string_equal(c.problems[1], "a/m_expected_output_1.bin: 5 bytes, but float16 of "
					   "shape [2] is 4");
	assert_string_equal(c.problems[2], "a/m_input.bin: a/m.pte has no such input");
	assert_string_equal(c.problems[3],
			    "b/x_input.bin: b/x.pte is missing, which would say what it is");
	rg_artifact_check_release(&c);
}

/* What the zip refused has been named: it is not missing too, nor is the rest of its model. */
TEST(refused)
{
	static const char *const names[] = {"a/m.pte", "a/m_expected_output_0.bin",
					    "a/m_expected_output_1.bin", "a/m_input_1.bin",
					    "b/m_input_0.bin"};
	static const char *const refused[] = {"../x", "a/m_input_0.bin", "b/m.pte"};
	static const uint64_t sizes[] = {0, 8, 4, 8, 8};
	shelf s = {.sizes = sizes};
	rg_artifact_files files = {.names = names,
				   .count = 5,
				   .read_program = read_program,
				   .size = size_of,
				   .refused = refused,
				   .refused_count = 3,
				   .context = &s};
	rg_artifact_check c;

	rg_buf_init(&s.program, RG_BUF_TEXT);
	assert_success(rg_file_read(&s.program, "tests/formats/pair.pte"));
	assert_success(rg_artifact_check_files(&c, &files));
	assert_int_equal(c.problem_count, 0);
	assert_int_equal(c.inputs, 1);
	rg_artifact_check_release(&c);
	rg_buf_release(&s.program);
}

TEST(nothing)
{
	rg_artifact_check c;

	check(&c, NULL, NULL, 0);
	assert_int_equal(c.problem_count, 1);
	assert_string_equal(c.problems[0], "no program (.pte) in it");
	rg_artifact_check_release(&c);
}

/* A program as a golden: what it takes and gives. */
TEST(program_as_golden)
{
	rg_input in = {.name = "m.pte"};
	format_reading r;

	RG_AUTO(rg_buf) bytes = rg_buf_of(RG_BUF_TEXT);
	assert_success(rg_file_read(&bytes, "tests/formats/model.pte"));
	in.data = bytes.data;
	in.size = bytes.length;
	assert_int_equal(rg_format_pte.bid(&in), 100);
	read_format(&r, &rg_format_pte, in, NULL);
	assert_success(r.err);
	assert_int_equal(r.golden.count, 9);
	assert_string_equal(find_metric(&r, "forward/input/0")->text, "float32 [2, 3]");
	assert_string_equal(find_metric(&r, "forward/input/1")->text, "double");
	assert_string_equal(find_metric(&r, "forward/output/2")->text, "other");
	assert_string_equal(find_metric(&r, "forward/output/3")->text, "complex64 [4]");
	assert_string_equal(find_metric(&r, "other/input/0")->text, "int");
	assert_int_equal(find_metric(&r, "program")->count, 71);
	release_reading(&r);
	assert_survives(&rg_format_pte, in);
}
