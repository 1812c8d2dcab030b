/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "format_reader.h"

#include "golden/npy.h"

/* A .npy of version 1.0 with that header text and data. */
static rg_input npy(rg_buf *buf, const char *header, const void *data, size_t size)
{
	size_t length = strlen(header);

	rg_buf_clear(buf);
	rg_buf_add(buf, "\x93NUMPY\x01\x00", 8);
	rg_buf_char(buf, (char)(length & 0xff));
	rg_buf_char(buf, (char)(length >> 8));
	rg_buf_str(buf, header);
	rg_buf_add(buf, data, size);
	assert_success(rg_buf_check(buf, "npy"));
	return (rg_input){.name = "x.npy", .data = buf->data, .size = buf->length};
}

/* 1 … 6, as float32. */
static const char numbers[24] =
	"\0\0\x80\x3f\0\0\0\x40\0\0\x40\x40\0\0\x80\x40\0\0\xa0\x40\0\0\xc0\x40";
static const char usual[] = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }";

TEST(reads_floats)
{
	format_reading r;
	const rg_metric *m;
	double values[6];

	RG_AUTO(rg_buf) buf = rg_buf_of(RG_BUF_TEXT);
	read_format(&r, &rg_format_npy, npy(&buf, usual, numbers, sizeof(numbers)), NULL);
	assert_success(r.err);
	m = find_metric(&r, "tensor");
	assert_int_equal(m->count, 6);
	assert_int_equal(m->dimensions, 2);
	assert_success(m->block(m, 0, 6, values));
	assert_true(values[0] == 1 && values[5] == 6);
	release_reading(&r);
}

static void assert_values(rg_buf *buf, const char *header, const void *data, size_t size,
			  const double *wanted, size_t count)
{
	format_reading r;
	double values[8];
	size_t i;

	read_format(&r, &rg_format_npy, npy(buf, header, data, size), NULL);
	assert_success(r.err);
	assert_int_equal(r.golden.metrics[0].count, count);
	assert_success(r.golden.metrics[0].block(&r.golden.metrics[0], 0, count, values));
	for (i = 0; i < count; i++)
		assert_true(values[i] == wanted[i]);
	release_reading(&r);
}

TEST(orders_types_and_shapes)
{
	static const unsigned char big[] = {0x01, 0x02, 0xff, 0xfe};
	static const double big_values[] = {258, -2}, by_row[] = {1, 3, 5, 2, 4, 6};
	static const double ten[] = {10}, truths[] = {0, 1};

	RG_AUTO(rg_buf) buf = rg_buf_of(RG_BUF_TEXT);
	assert_values(&buf, "{'descr': '>i2', 'fortran_order': False, 'shape': (2,), }", big, 4,
		      big_values, 2);
	assert_values(&buf, "{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }", numbers,
		      24, by_row, 6);
	assert_values(&buf, "{'shape': (), 'fortran_order': False, 'descr': '|u1'}\n", "\n", 1, ten,
		      1);
	assert_values(&buf, "{\"descr\":\"|b1\",\"fortran_order\":False,\"shape\":(2,)}", "\0\1", 2,
		      truths, 2);
	assert_values(&buf, "{'descr': '<f8', 'fortran_order': False, 'shape': (0, 3), }", "", 0,
		      NULL, 0);
}

TEST(version_2)
{
	format_reading r;

	RG_AUTO(rg_buf) buf = rg_buf_of(RG_BUF_TEXT);
	rg_buf_add(&buf, "\x93NUMPY\x02\x00", 8);
	rg_buf_char(&buf, (char)strlen(usual));
	rg_buf_add(&buf, "\0\0\0", 3);
	rg_buf_str(&buf, usual);
	rg_buf_add(&buf, numbers, sizeof(numbers));
	read_format(&r, &rg_format_npy,
		    (rg_input){.name = "x", .data = buf.data, .size = buf.length}, NULL);
	assert_success(r.err);
	assert_int_equal(r.golden.metrics[0].count, 6);
	release_reading(&r);
}

TEST(refused)
{
	static const struct {
		const char *header, *message;
		rg_error_code code;
	} cases[] = {
		{"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 4), }",
		 "npy: 24 bytes, but float32 of shape [2, 4] is 32", RG_E_PARSE},
		{"{'descr': '|O', 'fortran_order': False, 'shape': (2, 3), }",
		 "npy: Python objects cannot be read", RG_E_PARSE},
		{"{'descr': '<c8', 'fortran_order': False, 'shape': (4,), }",
		 "npy: 24 bytes, but complex64 of shape [4] is 32", RG_E_PARSE},
		{"{'descr': '>f16', 'fortran_order': False, 'shape': (1,), }",
		 "npy: elements of type '>f16' cannot be read", RG_E_PARSE},
		{"{'descr': '<i16', 'fortran_order': False, 'shape': (1,), }",
		 "npy: elements of type '<i16' cannot be read", RG_E_PARSE},
		{"{'descr': '<U4', 'fortran_order': False, 'shape': (3,), }",
		 "npy: 24 bytes, but uint32 of shape [3, 4] is 48", RG_E_PARSE},
		{"{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (5,), }",
		 "npy: 24 bytes, but 5 records of 4", RG_E_PARSE},
		{"{'descr': [('a', '<f4'), ('b', '|O')], 'fortran_order': False, 'shape': (2,), }",
		 "npy: Python objects cannot be read", RG_E_PARSE},
		{"{'descr': [('p', [('a', '<f4')], (2,))], 'fortran_order': False, 'shape': (3,), "
		 "}",
		 "npy: a type is broken, or of arrays of records inside records", RG_E_PARSE},
		{"{'descr': [('a', '<f4')",
		 "npy: a type is broken, or of arrays of records inside records", RG_E_PARSE},
		{"{'descr': [('a', [('a', [('a', [('a', [('a', [('a', [('a', [('a', [('a', '<f4'",
		 "npy: records in records at over 8 levels", RG_E_LIMIT},
		{"{'descr': [('a', '<f4', (4611686018427387904,))], 'fortran_order': False, ",
		 "shape [4611686018427387904]: too many elements", RG_E_PARSE},
		{"{'descr': '|S0', 'fortran_order': False, 'shape': (99999999,), }",
		 "npy: more than 16777216 texts, or more than 15 dimensions", RG_E_LIMIT},
		{"{'descr': '<M8', 'fortran_order': False, 'shape': (3,), }",
		 "npy: elements of type '<M8' cannot be read", RG_E_PARSE},
		{"{'descr': '<f4', 'fortran_order': 1, 'shape': (6,), }",
		 "npy: fortran_order is neither True nor False", RG_E_PARSE},
		{"{'descr': '<f4', 'fortran_order': False, 'shape': 6, }",
		 "npy: its shape is not a tuple", RG_E_PARSE},
		{"{'descr': '<f4', 'fortran_order': False, 'shape': (6 }",
		 "npy: its shape does not end", RG_E_PARSE},
		{"{'descr': '<f4', 'fortran_order': False, 'shape': (-6,), }",
		 "npy: its shape has an item that is not a number", RG_E_PARSE},
		{"{'descr': '<f4', 'fortran_order': False, "
		 "'shape': (1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,6), }",
		 "npy: more than 16 dimensions", RG_E_LIMIT},
		{"{'descr': [('a', '<f4', (1,))], 'fortran_order': False, "
		 "'shape': (1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,6), }",
		 "npy: more than 16 dimensions", RG_E_LIMIT},
		{"{'descr': '<f4', 'fortran_order': False, 'shape': (6,)",
		 "npy: its header does not end", RG_E_PARSE},
		{"{'descr': '<f4', 'shape': (6,), }", "npy: no fortran_order in its header",
		 RG_E_PARSE},
		{"{'descr': '<f4', 'descr': '<f8', }", "npy: key 'descr' in its header",
		 RG_E_PARSE},
		{"{'evil': 1}", "npy: key 'evil' in its header", RG_E_PARSE},
		{"{descr: 1}", "npy: a key of its header is broken", RG_E_PARSE},
		{"{|descr|: '<f4', 'fortran_order': False, 'shape': (6,), }",
		 "npy: a key of its header is broken", RG_E_PARSE},
		{"", "npy: its header is not a dictionary", RG_E_PARSE},
		{"{'descr': '<f4', 'fortran_order': False, 'shape': (6,), } x",
		 "npy: its header continues after the dictionary", RG_E_PARSE},
	};
	size_t i;

	RG_AUTO(rg_buf) buf = rg_buf_of(RG_BUF_TEXT);
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_refused(&rg_format_npy, npy(&buf, cases[i].header, numbers, sizeof(numbers)),
			       cases[i].code, cases[i].message);
	assert_refused(&rg_format_npy, (rg_input){.name = "x.npy", .data = "text", .size = 4},
		       RG_E_PARSE, "no .npy: its first bytes are not \\x93NUMPY");
	assert_refused(&rg_format_npy,
		       (rg_input){.name = "x.npy", .data = "\x93NUMPY\x09\0\0\0\0\0", .size = 12},
		       RG_E_PARSE, "npy: version 9.0 is not known");
	assert_refused(&rg_format_npy,
		       (rg_input){.name = "x.npy", .data = "\x93NUMPY\x01\x01\0\0\0\0", .size = 12},
		       RG_E_PARSE, "npy: version 1.1 is not known");
	assert_refused(
		&rg_format_npy,
		(rg_input){.name = "x.npy", .data = "\x93NUMPY\x02\0\xff\xff\xff\xff", .size = 12},
		RG_E_LIMIT, "npy: a header of 4294967295 bytes, more than 65536");
	assert_refused(&rg_format_npy,
		       (rg_input){.name = "x.npy", .data = "\x93NUMPY\x01\0\x09\0{}", .size = 12},
		       RG_E_PARSE, "npy: cut off in its header");
}

TEST(hostile_bytes)
{
	RG_AUTO(rg_buf) buf = rg_buf_of(RG_BUF_TEXT);
	assert_survives(&rg_format_npy, npy(&buf, usual, numbers, sizeof(numbers)));
	assert_survives(&rg_format_npy, npy(&buf,
					    "{'descr': [('a', '<f4'), ('', '|V2'), ('b', '|S2')], "
					    "'fortran_order': False, 'shape': (3,), }",
					    numbers, sizeof(numbers)));
	assert_survives(&rg_format_npy, npy(&buf,
					    "{'descr': [('a', '>U2'), ('b', [('t', '<M8[ns]')]), "
					    "('c', '<c8', (1, 1))], "
					    "'fortran_order': True, 'shape': (1, 1), }",
					    numbers, sizeof(numbers)));
}

/* What is written reads back, for every type that NumPy has, and its data is aligned. */
TEST(header_reads_back)
{
	static const char *const types[] = {"uint8",      "int8",      "int16",      "int32",
					    "int64",      "float16",   "float32",    "float64",
					    "bool",       "uint16",    "uint32",     "uint64",
					    "longdouble", "complex64", "complex128", "clongdouble"};
	static const unsigned char zeros[6 * 32];
	rg_tensor t;
	size_t i, dimensions;

	RG_AUTO(rg_buf) buf = rg_buf_of(RG_BUF_TEXT);
	for (i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		for (dimensions = 0; dimensions <= 2; dimensions++) {
			static const size_t counts[] = {1, 2, 6};
			rg_tensor tensor = {.dimensions = dimensions, .shape = {2, 3}};
			size_t parts;

			rg_buf_clear(&buf);
			assert_success(rg_tensor_set_type(&tensor, types[i]));
			parts = tensor.is_complex ? 2 : 1;
			assert_true(rg_npy_has_type(&tensor));
			assert_success(rg_npy_header(&buf, &tensor));
			assert_int_equal(buf.length % 64, 0);
			rg_buf_add(&buf, zeros,
				   counts[dimensions] * parts * rg_dtype_size(tensor.dtype));
			assert_success(rg_npy_read(&t, buf.data, buf.length));
			assert_int_equal(t.dtype, tensor.dtype);
			assert_int_equal(t.is_complex, tensor.is_complex);
			assert_true(rg_tensor_same_shape(&t, &tensor));
			assert_int_equal(t.count, counts[dimensions] * parts);
		}
	t = (rg_tensor){.dtype = RG_DTYPE_BFLOAT16, .dimensions = 2, .shape = {2, 3}};
	assert_false(rg_npy_has_type(&t));
	assert_error(rg_npy_header(&buf, &t), RG_E_USAGE, "NumPy has no type for bfloat16 [2, 3]");
}

TEST(bids)
{
	rg_input in = {.name = "a.npy", .data = "\x93NUMPY", .size = 6};

	assert_int_equal(rg_format_npy.bid(&in), 100);
	in.name = "a";
	assert_int_equal(rg_format_npy.bid(&in), 50);
	in.size = 5;
	assert_int_equal(rg_format_npy.bid(&in), 0);
	in.name = "a.npy";
	assert_int_equal(rg_format_npy.bid(&in), 10);
}
