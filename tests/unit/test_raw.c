/* SPDX-License-Identifier: Apache-2.0 */
#include "format_reader.h"

#include "base/file.h"
#include "golden/raw.h"

static void test_names(void **state)
{
	static const struct {
		const char *name;
		bool is;
		size_t model_length;
		bool output;
		size_t index;
	} cases[] = {
		{"add_expected_output.bin", true, 3, true, 0},
		{"f/add_expected_output_12.bin", true, 5, true, 12},
		{"f/add_1_input_0.bin", true, 7, false, 0},
		{"add_input.bin", true, 3, false, 0},
		{"add_input_input.bin", true, 9, false, 0},
		{"f/_input.bin", false, 0, false, 0},
		{"_input.bin", false, 0, false, 0},
		{"add_output.bin", false, 0, false, 0},
		{"add_input.npy", false, 0, false, 0},
		{"add_input_x1.bin", false, 0, false, 0},
		{"add_input_99999999999999999999999.bin", false, 0, false, 0},
		{"1.bin", false, 0, false, 0},
	};
	rg_raw_name name;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_int_equal(rg_raw_name_parse(cases[i].name, &name), cases[i].is);
		if (!cases[i].is)
			continue;
		assert_int_equal(name.model_length, cases[i].model_length);
		assert_int_equal(name.output, cases[i].output);
		assert_int_equal(name.index, cases[i].index);
	}
}

typedef struct {
	rg_buf pte;
	const char *wanted; /* the only sibling there is */
} folder;

static rg_error *find_sibling(void *context, const char *sibling, rg_bytes *out)
{
	folder *f = context;

	*out = (rg_bytes){0};
	if (!strcmp(sibling, f->wanted))
		*out = (rg_bytes){f->pte.data, f->pte.length};
	return NULL;
}

static void open_folder(folder *f)
{
	rg_buf_init(&f->pte, RG_BUF_TEXT);
	f->wanted = "add.pte";
	assert_success(rg_file_read(&f->pte, "tests/formats/model.pte"));
}

static const unsigned char halves[] = {0x00, 0x3c, 0x00, 0x40, 0x00, 0xc4, 0x00, 0x7c};

static rg_input beside(folder *f, const char *name, size_t size)
{
	return (rg_input){.name = name,
			  .data = halves,
			  .size = size,
			  .sibling = find_sibling,
			  .sibling_context = f};
}

static void test_type_from_the_program(void **state)
{
	format_reading r;
	double values[4];
	folder f;

	(void)state;
	open_folder(&f);
	read_format(&r, &rg_format_raw, beside(&f, "flow/add_expected_output_0.bin", 8), NULL);
	assert_success(r.err);
	assert_int_equal(r.golden.metrics[0].count, 4);
	assert_int_equal(r.golden.metrics[0].tensor->dtype, RG_DTYPE_FLOAT16);
	rg_tensor_values(r.golden.metrics[0].tensor, 0, 4, values);
	assert_true(values[0] == 1 && values[1] == 2 && values[2] == -4);
	release_reading(&r);
	/* A number among the inputs is a scalar of eight bytes. */
	read_format(&r, &rg_format_raw, beside(&f, "add_input_1.bin", 8), NULL);
	assert_success(r.err);
	assert_int_equal(r.golden.metrics[0].tensor->dtype, RG_DTYPE_FLOAT64);
	release_reading(&r);
	rg_buf_release(&f.pte);
}

/* Numbers of a program are scalars, of the types that its runtime has for them. */
static void test_numbers_of_a_program(void **state)
{
	const rg_program_value values[] = {
		{.kind = RG_PROGRAM_INT}, {.kind = RG_PROGRAM_BOOL}, {.kind = RG_PROGRAM_DOUBLE}};
	const rg_dtype wanted[] = {RG_DTYPE_INT64, RG_DTYPE_BOOL, RG_DTYPE_FLOAT64};
	size_t i;

	(void)state;
	for (i = 0; i < 3; i++) {
		rg_tensor tensor = {0};

		assert_success(rg_raw_type_of(&tensor, &values[i]));
		assert_int_equal(tensor.dtype, wanted[i]);
		assert_int_equal(tensor.dimensions, 0);
	}
}

static void test_program_refuses(void **state)
{
	folder f;

	(void)state;
	open_folder(&f);
	assert_refused(&rg_format_raw, beside(&f, "add_expected_output.bin", 6), RG_E_PARSE,
		       "6 bytes, but float16 of shape [4] is 8");
	assert_refused(&rg_format_raw, beside(&f, "add_input_0.bin", 8), RG_E_PARSE,
		       "8 bytes, but float32 of shape [2, 3] is 24");
	assert_refused(&rg_format_raw, beside(&f, "add_input_2.bin", 8), RG_E_PARSE,
		       "add.pte: method 'forward' has 2 inputs, so there is no input 2");
	assert_refused(&rg_format_raw, beside(&f, "add_expected_output_2.bin", 8), RG_E_PARSE,
		       "add.pte: method 'forward', output 2: it is neither a tensor nor a number");
	assert_refused(&rg_format_raw, beside(&f, "add_expected_output_3.bin", 8), RG_E_PARSE,
		       "add.pte: method 'forward', output 3: tensors of ScalarType 9 cannot be "
		       "read");
	f.pte.length = 9;
	assert_refused(&rg_format_raw, beside(&f, "add_input.bin", 8), RG_E_PARSE,
		       "add.pte: byte 0: an offset leads out of the file");
	rg_buf_release(&f.pte);
}

static const char nothing_says[] =
	"a raw tensor whose type nothing says: no program (.pte) beside it; give its dtype "
	"in [tensor \"PATTERN\"] of .regild, or to 'regild compare' with --dtype";

static void test_type_from_configuration(void **state)
{
	static const rg_tensor_type types[] = {
		{.pattern = "*.bin", .dtype = "float16"},
		{.pattern = "deep/*.bin", .dtype = "int16", .dimensions = 2, .shape = {2, 2}},
		{.pattern = "odd.bin", .dtype = "nonsense"},
	};
	const rg_golden_options options = {.tensor_types = types, .tensor_type_count = 3};
	format_reading r;
	rg_input in = {.name = "a/b.bin", .data = halves, .size = 8};

	(void)state;
	read_format(&r, &rg_format_raw, in, &options);
	assert_success(r.err);
	assert_int_equal(r.golden.metrics[0].tensor->dtype, RG_DTYPE_FLOAT16);
	assert_int_equal(r.golden.metrics[0].count, 4);
	release_reading(&r);
	in.name = "very/deep/b.bin";
	read_format(&r, &rg_format_raw, in, &options);
	assert_success(r.err);
	assert_int_equal(r.golden.metrics[0].tensor->dtype, RG_DTYPE_INT16);
	assert_int_equal(r.golden.metrics[0].dimensions, 2);
	release_reading(&r);
	in.size = 7;
	in.name = "a.bin";
	read_format(&r, &rg_format_raw, in, &options);
	assert_error(r.err, RG_E_PARSE, "7 bytes are not a whole number of float16");
	r.err = NULL;
	release_reading(&r);
	in.name = "odd.bin";
	read_format(&r, &rg_format_raw, in, &options);
	assert_error(r.err, RG_E_USAGE, "'nonsense' is not a tensor type; float32 is one");
	r.err = NULL;
	release_reading(&r);
	assert_refused(&rg_format_raw, in, RG_E_PARSE, nothing_says);
}

static void test_no_program_no_type(void **state)
{
	folder f;

	(void)state;
	open_folder(&f);
	f.wanted = "other.pte";
	assert_refused(&rg_format_raw, beside(&f, "add_input.bin", 8), RG_E_PARSE, nothing_says);
	rg_buf_release(&f.pte);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_type_from_the_program),
		cmocka_unit_test(test_numbers_of_a_program),
		cmocka_unit_test(test_program_refuses),
		cmocka_unit_test(test_type_from_configuration),
		cmocka_unit_test(test_no_program_no_type),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
