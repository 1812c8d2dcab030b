/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "golden/tensor.h"
#include "support/little.h"
#include "support/tensor_golden.h"

#include <string.h>

static const unsigned char six[] = {1, 2, 3, 4, 5, 6};

static rg_tensor bytes_of_shape(int64_t a, int64_t b)
{
	rg_tensor t = {.dtype = RG_DTYPE_UINT8,
		       .dimensions = 2,
		       .shape = {a, b},
		       .data = six,
		       .size = sizeof(six)};

	rg_tensor_row_major(&t);
	return t;
}

TEST(size_must_fit)
{
	rg_tensor t = bytes_of_shape(2, 3);

	assert_success(rg_tensor_check(&t));
	assert_int_equal(t.count, 6);
	assert_true(t.row_major);
	t.size = 5;
	assert_error(rg_tensor_check(&t), RG_E_PARSE, "5 bytes, but uint8 of shape [2, 3] is 6");
	t.dtype = RG_DTYPE_FLOAT64;
	t.size = 6;
	assert_error(rg_tensor_check(&t), RG_E_PARSE, "6 bytes, but float64 of shape [2, 3] is 48");
	t = bytes_of_shape(-1, -6);
	assert_error(rg_tensor_check(&t), RG_E_PARSE, "shape [-1, -6]: a dimension is negative");
	t = bytes_of_shape(INT64_MAX, 4);
	assert_error(rg_tensor_check(&t), RG_E_PARSE,
		     "shape [9223372036854775807, 4]: too many elements");
	/* A product that would wrap around to something small. */
	t = bytes_of_shape((int64_t)1 << 62, (int64_t)1 << 2);
	assert_error(rg_tensor_check(&t), RG_E_PARSE,
		     "shape [4611686018427387904, 4]: too many elements");
	t = bytes_of_shape(7, 0);
	t.size = 0;
	assert_success(rg_tensor_check(&t));
	assert_int_equal(t.count, 0);
	t.dimensions = RG_METRIC_DIMENSIONS + 1;
	assert_error(rg_tensor_check(&t), RG_E_LIMIT, "17 dimensions, more than the limit of 16");
}

TEST(order_must_be_a_permutation)
{
	rg_tensor t = bytes_of_shape(2, 3);

	t.order[1] = 0;
	assert_error(rg_tensor_check(&t), RG_E_PARSE,
		     "its order of dimensions is not a permutation");
	t.order[0] = 2;
	assert_error(rg_tensor_check(&t), RG_E_PARSE,
		     "its order of dimensions is not a permutation");
	/* Where all but one dimension are 1, any order is row-major. */
	t = bytes_of_shape(1, 6);
	t.order[0] = 1;
	t.order[1] = 0;
	assert_success(rg_tensor_check(&t));
	assert_true(t.row_major);
}

TEST(column_major_is_read_row_by_row)
{
	static const double wanted[] = {1, 3, 5, 2, 4, 6};
	rg_tensor t = bytes_of_shape(2, 3);
	unsigned char raw[6];
	double values[6];
	size_t first, count, i;

	t.order[0] = 1;
	t.order[1] = 0;
	assert_success(rg_tensor_check(&t));
	assert_false(t.row_major);
	for (first = 0; first < 6; first++)
		for (count = 0; first + count <= 6; count++) {
			rg_tensor_values(&t, first, count, values);
			rg_tensor_bytes(&t, first, count, raw);
			for (i = 0; i < count; i++) {
				assert_true(values[i] == wanted[first + i]);
				assert_int_equal(raw[i], wanted[first + i]);
			}
		}
}

/* channels_last: element [n, c, h, w] is at ((n * H + h) * W + w) * C + c. */
TEST(channels_last)
{
	enum { N = 2, C = 3, H = 4, W = 5, COUNT = N * C * H * W };
	static uint16_t memory[COUNT];
	rg_tensor t = {.dtype = RG_DTYPE_UINT16,
		       .dimensions = 4,
		       .shape = {N, C, H, W},
		       .order = {0, 2, 3, 1},
		       .big_endian = big_endian,
		       .data = (const unsigned char *)memory,
		       .size = sizeof(memory)};
	int64_t index[4];
	double value;
	size_t i;

	for (i = 0; i < COUNT; i++) {
		rg_unravel(t.shape, 4, i, index);
		memory[((index[0] * H + index[2]) * W + index[3]) * C + index[1]] = (uint16_t)i;
	}
	assert_success(rg_tensor_check(&t));
	for (i = 0; i < COUNT; i++) {
		rg_tensor_values(&t, i, 1, &value);
		assert_true(value == (double)i);
	}
}

TEST(metric_reads_through)
{
	rg_golden golden = {0};
	rg_tensor t = bytes_of_shape(3, 2);
	const rg_metric *m;
	double values[3];

	rg_arena_init(&golden.arena);
	assert_success(tensor_golden(&golden, &t));
	m = &golden.metrics[0];
	assert_string_equal(m->name, "tensor");
	assert_int_equal(m->count, 6);
	assert_int_equal(m->dimensions, 2);
	assert_int_equal(m->shape[0], 3);
	assert_success(m->block(m, 2, 3, values));
	assert_true(values[0] == 3 && values[2] == 5);
	/* A scalar counts as one element of one dimension. */
	t.dimensions = 0;
	t.size = 1;
	assert_success(tensor_golden(&golden, &t));
	assert_int_equal(golden.metrics[0].dimensions, 1);
	assert_int_equal(golden.metrics[0].shape[0], 1);
	t.size = 2;
	assert_error(tensor_golden(&golden, &t), RG_E_PARSE, "2 bytes, but uint8 of shape [] is 1");
	rg_arena_release(&golden.arena);
}

static void assert_shape(const char *text, const char *wanted)
{
	int64_t shape[RG_METRIC_DIMENSIONS];
	char printed[RG_SHAPE_TEXT];
	size_t dimensions;

	assert_success(rg_shape_parse(text, shape, &dimensions));
	rg_shape_text(shape, dimensions, printed);
	assert_string_equal(printed, wanted);
}

static const unsigned char *forgotten;
static size_t forgotten_size;

static void note_forgotten(const void *from, size_t size)
{
	forgotten = from;
	forgotten_size = size;
}

/* What reading brought in around the elements goes too, as far as the tensor reaches. */
TEST(forgets_around)
{
	enum { MEBIBYTE = 1 << 20, SIZE = 16 * MEBIBYTE };
	static unsigned char data[SIZE];
	rg_tensor t = {.dtype = RG_DTYPE_UINT8,
		       .dimensions = 1,
		       .shape = {SIZE},
		       .data = data,
		       .size = SIZE,
		       .forget = note_forgotten};

	rg_tensor_row_major(&t);
	assert_success(rg_tensor_check(&t));
	rg_tensor_forget(&t, (size_t)4 * MEBIBYTE, MEBIBYTE);
	assert_ptr_equal(forgotten, data + 2 * MEBIBYTE);
	assert_int_equal(forgotten_size, 5 * MEBIBYTE);
	rg_tensor_forget(&t, 1, SIZE - 2);
	assert_ptr_equal(forgotten, data);
	assert_int_equal(forgotten_size, SIZE);
	t.row_major = false;
	forgotten = NULL;
	rg_tensor_forget(&t, 0, 1);
	assert_null(forgotten);
}

TEST(shapes_as_text)
{
	int64_t shape[RG_METRIC_DIMENSIONS];
	char printed[RG_SHAPE_TEXT];
	size_t dimensions, i;

	assert_shape("2,3", "[2, 3]");
	assert_shape("[2, 3]", "[2, 3]");
	assert_shape("2x3x4", "[2, 3, 4]");
	assert_shape("7", "[7]");
	assert_shape("", "[]");
	assert_shape("[]", "[]");
	assert_shape(" 1 , 0 ", "[1, 0]");
	assert_error(rg_shape_parse("2,", shape, &dimensions), RG_E_USAGE,
		     "'2,' is not a shape such as 2,3");
	assert_error(rg_shape_parse("-2", shape, &dimensions), RG_E_USAGE,
		     "'-2' is not a shape such as 2,3");
	assert_error(rg_shape_parse("2;3", shape, &dimensions), RG_E_USAGE,
		     "'2;3' is not a shape such as 2,3");
	assert_error(rg_shape_parse("99999999999999999999", shape, &dimensions), RG_E_USAGE,
		     "'99999999999999999999' is not a shape such as 2,3");
	assert_error(rg_shape_parse("1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1", shape, &dimensions),
		     RG_E_USAGE,
		     "shape '1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1': more than 16 dimensions");
	/* The longest shape is cut off, never overrun. */
	for (i = 0; i < RG_METRIC_DIMENSIONS; i++)
		shape[i] = INT64_MIN;
	rg_shape_text(shape, RG_METRIC_DIMENSIONS, printed);
	assert_true(strlen(printed) < RG_SHAPE_TEXT);
	assert_true(printed[strlen(printed) - 1] == ']');
}
