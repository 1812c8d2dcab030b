#include "unit.h"

#include "compare/tensor_ulps.h"

static uint64_t ulps(rg_dtype dtype, uint64_t a, uint64_t b)
{
	return rg_tensor_ulps(dtype, &a, &b, 1);
}

static void test_ulps_of_types(void **state)
{
	(void)state;
	assert_int_equal(ulps(RG_DTYPE_FLOAT16, 0x3c00, 0x3c01), 1);
	assert_int_equal(ulps(RG_DTYPE_FLOAT16, 0x8000, 0x0000), 0);
	assert_int_equal(ulps(RG_DTYPE_FLOAT16, 0x8001, 0x0001), 2);
	assert_int_equal(ulps(RG_DTYPE_BFLOAT16, 0x3f80, 0x3f7e), 2);
	assert_int_equal(ulps(RG_DTYPE_FLOAT8_E4M3FN, 0x38, 0xb8), 0x70);
	assert_int_equal(ulps(RG_DTYPE_FLOAT32, 0x00000001, 0x80000001), 2);
	assert_true(ulps(RG_DTYPE_FLOAT64, 0x7fefffffffffffff, 0xffefffffffffffff) ==
		    0xffdffffffffffffe);
	assert_int_equal(ulps(RG_DTYPE_FLOAT64, 0x8000000000000000, 0), 0);
	assert_int_equal(ulps(RG_DTYPE_FLOAT64, 0, 0x8000000000000000), 0);
	assert_int_equal(ulps(RG_DTYPE_FLOAT64, 0x8000000000000001, 1), 2);
	assert_int_equal(ulps(RG_DTYPE_FLOAT64, 2, 0x8000000000000001), 3);
	assert_int_equal(ulps(RG_DTYPE_FLOAT64, 0xbff0000000000000, 0xbff0000000000003), 3);
	assert_int_equal(ulps(RG_DTYPE_INT8, 0x80, 0x7f), 255);
	assert_true(ulps(RG_DTYPE_INT64, 0x8000000000000000, 0x7fffffffffffffff) == UINT64_MAX);
	assert_true(ulps(RG_DTYPE_UINT64, 0, UINT64_MAX) == UINT64_MAX);
}

/* Whichever of them is the farthest. */
static void test_ulps_of_several(void **state)
{
	enum { COUNT = 5 };
	static const rg_dtype types[] = {RG_DTYPE_FLOAT16, RG_DTYPE_BFLOAT16, RG_DTYPE_FLOAT32,
					 RG_DTYPE_FLOAT64, RG_DTYPE_UINT8,    RG_DTYPE_INT8,
					 RG_DTYPE_INT16,   RG_DTYPE_INT32,    RG_DTYPE_INT64,
					 RG_DTYPE_UINT64};
	size_t n, i;

	(void)state;
	for (n = 0; n < sizeof(types) / sizeof(*types); n++)
		for (i = 0; i < COUNT; i++) {
			uint64_t zeros[COUNT] = {0}, values[COUNT] = {0};
			unsigned char *bytes = (unsigned char *)values;

			bytes[i * rg_dtype_size(types[n])] = 3;
			bytes[(COUNT - 1 - i) * rg_dtype_size(types[n])] |= 1;
			assert_int_equal(rg_tensor_ulps(types[n], zeros, values, COUNT), 3);
			assert_int_equal(rg_tensor_ulps(types[n], values, zeros, COUNT), 3);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ulps_of_types),
		cmocka_unit_test(test_ulps_of_several),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
