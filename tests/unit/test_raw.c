/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "format_reader.h"

#include "base/file.h"
#include "golden/executorch/formats.h"
#include "golden/executorch/raw.h"

TEST(names)
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

TEST(type_from_the_program)
{
	format_reading r;
	double values[4];
	folder f;

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
TEST(numbers_of_a_program)
{
	const rg_program_value values[] = {
		{.kind = RG_PROGRAM_INT}, {.kind = RG_PROGRAM_BOOL}, {.kind = RG_PROGRAM_DOUBLE}};
	const rg_dtype wanted[] = {RG_DTYPE_INT64, RG_DTYPE_BOOL, RG_DTYPE_FLOAT64};
	size_t i;

	for (i = 0; i < 3; i++) {
		rg_tensor tensor = {0};

		assert_success(rg_raw_type_of(&tensor, &values[i], NULL));
		assert_int_equal(tensor.dtype, wanted[i]);
		assert_int_equal(tensor.dimensions, 0);
	}
}

TEST(program_refuses)
{
	folder f;

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
		       "8 bytes, but complex64 of shape [4] is 32");
	f.pte.length = 9;
	assert_refused(&rg_format_raw, beside(&f, "add_input.bin", 8), RG_E_PARSE,
		       "add.pte: byte 0: an offset leads out of the file");
	rg_buf_release(&f.pte);
}

static rg_program_value bounded(int scalar_type, size_t dimensions, int64_t a, int64_t b, int64_t c,
				int64_t d)
{
	return (rg_program_value){.kind = RG_PROGRAM_TENSOR,
				  .scalar_type = scalar_type,
				  .dynamism = RG_SHAPE_BOUNDED,
				  .dimensions = dimensions,
				  .shape = {a, b, c, d}};
}

static void assert_shape(const rg_program_value *value, size_t bytes, const char *type,
			 const char *why)
{
	rg_tensor tensor = {.size = bytes};
	char text[RG_TENSOR_TYPE_TEXT];
	const char *said;

	rg_tensor_row_major(&tensor);
	assert_success(rg_raw_type_of(&tensor, value, &said));
	assert_success(rg_tensor_check(&tensor));
	rg_tensor_type_text(&tensor, text);
	assert_string_equal(text, type);
	if (!why)
		assert_null(said);
	else
		assert_string_equal(said, why);
}

/* Programs of dynamic shape say the most that a dimension can be. */
TEST(bounded_shapes)
{
	static const char several[] = "several shapes within its bounds have so many",
			  none[] = "no shape within its bounds has so many";
	rg_program_value image = bounded(RG_DTYPE_FLOAT32, 4, 1, 3, 16, 16);
	rg_program_value row = bounded(RG_DTYPE_FLOAT16, 1, 9, 0, 0, 0);
	rg_program_value complexes = bounded(9, 2, 2, 3, 0, 0);
	rg_program_value huge =
		bounded(RG_DTYPE_UINT8, 4, INT32_MAX, INT32_MAX, INT32_MAX, INT32_MAX);
	rg_tensor tensor = {.size = 3077};
	const char *why;

	assert_shape(&image, (size_t)4 * 3 * 14 * 14, "float32 [1, 3, 14, 14]", NULL);
	assert_shape(&image, (size_t)4 * 3 * 16 * 16, "float32 [1, 3, 16, 16]", NULL);
	assert_shape(&image, (size_t)4 * 12, "float32 [12]", several);
	assert_shape(&image, (size_t)4 * 17, "float32 [17]", none);
	assert_shape(&image, 0, "float32 [0]", none);
	assert_shape(&row, 14, "float16 [7]", NULL);
	assert_shape(&row, 0, "float16 [0]", NULL);
	assert_shape(&complexes, (size_t)8 * 6, "complex64 [2, 3]", NULL);
	assert_shape(&complexes, (size_t)8 * 5, "complex64 [5]", none);
	assert_shape(&huge, 1 << 20, "uint8 [1048576]", several);
	assert_error(rg_raw_type_of(&tensor, &image, &why), RG_E_PARSE,
		     "3077 bytes are not a whole number of float32");
	tensor.size = 3076;
	assert_error(rg_raw_type_of(&tensor, &image, &why), RG_E_PARSE,
		     "3076 bytes are 769 elements, but its program says float32 up to [1, 3, 16, "
		     "16]");
	image.dynamism = RG_SHAPE_UNBOUNDED;
	assert_shape(&image, 3076, "float32 [769]", "the program does not bound its shape");
	row.dynamism = RG_SHAPE_UNBOUNDED;
	assert_shape(&row, 100, "float16 [50]", NULL);
}

/* What the configuration says of type and shape holds, whatever the program says. */
TEST(configuration_wins)
{
	rg_tensor_type type = {.dtype = "int16", .dimensions = 1, .shape = {4}};
	const rg_golden_options options = {.tensor_types = &type, .tensor_type_count = 1};
	format_reading r;
	folder f;

	open_folder(&f);
	read_format(&r, &rg_format_raw, beside(&f, "add_expected_output_0.bin", 8), &options);
	assert_success(r.err);
	assert_int_equal(r.golden.metrics[0].tensor->dtype, RG_DTYPE_INT16);
	release_reading(&r);
	/* A shape alone is of the program's type; a type alone, if it is the program's, has its
	 * shape. */
	type = (rg_tensor_type){.dimensions = 2, .shape = {2, 2}};
	read_format(&r, &rg_format_raw, beside(&f, "add_expected_output_0.bin", 8), &options);
	assert_success(r.err);
	assert_int_equal(r.golden.metrics[0].tensor->dtype, RG_DTYPE_FLOAT16);
	assert_int_equal(r.golden.metrics[0].dimensions, 2);
	release_reading(&r);
	type = (rg_tensor_type){.dtype = "f16"};
	read_format(&r, &rg_format_raw, beside(&f, "add_expected_output_0.bin", 6), &options);
	assert_error(r.err, RG_E_PARSE, "6 bytes, but float16 of shape [4] is 8");
	r.err = NULL;
	release_reading(&r);
	type = (rg_tensor_type){.dtype = "int8"};
	read_format(&r, &rg_format_raw, beside(&f, "add_expected_output_0.bin", 7), &options);
	assert_success(r.err);
	assert_int_equal(r.golden.metrics[0].count, 7);
	release_reading(&r);
	/* Nor does it have to be read. */
	f.pte.length = 9;
	read_format(&r, &rg_format_raw, beside(&f, "add_expected_output_0.bin", 8), &options);
	assert_success(r.err);
	release_reading(&r);
	f.wanted = "other.pte";
	type = (rg_tensor_type){.dimensions = 1, .shape = {8}};
	read_format(&r, &rg_format_raw, beside(&f, "add_expected_output_0.bin", 8), &options);
	assert_error(r.err, RG_E_USAGE,
		     "a shape, and no program (.pte) beside the tensor that "
		     "says its type: a dtype is needed too");
	r.err = NULL;
	release_reading(&r);
	rg_buf_release(&f.pte);
}

static const char nothing_says[] =
	"a raw tensor whose type nothing says: no program (.pte) beside it; give its dtype "
	"in [tensor \"PATTERN\"] of .regild, or to 'regild compare' with --dtype";

TEST(type_from_configuration)
{
	static const rg_tensor_type types[] = {
		{.pattern = "*.bin", .dtype = "float16"},
		{.pattern = "deep/*.bin", .dtype = "int16", .dimensions = 2, .shape = {2, 2}},
		{.pattern = "odd.bin", .dtype = "nonsense"},
	};
	const rg_golden_options options = {.tensor_types = types, .tensor_type_count = 3};
	format_reading r;
	rg_input in = {.name = "a/b.bin", .data = halves, .size = 8};

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

TEST(no_program_no_type)
{
	folder f;

	open_folder(&f);
	f.wanted = "other.pte";
	assert_refused(&rg_format_raw, beside(&f, "add_input.bin", 8), RG_E_PARSE, nothing_says);
	rg_buf_release(&f.pte);
}
