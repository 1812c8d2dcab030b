/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "golden/tensor_gather.h"
#include "support/little.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 720 };

static size_t forgotten;

static void note(const void *from, size_t size)
{
	(void)from;
	forgotten += size;
}

/* Every range of elements is what a walk from one to the next finds. */
static void expect_same(const rg_tensor *tensor)
{
	size_t size = rg_dtype_size(tensor->dtype), first, count;
	unsigned char walked[MOST * 8], gathered[MOST * 8];

	for (first = 0; first < tensor->count; first += first < 10 ? 1 : 37)
		for (count = 1; count <= tensor->count - first; count += count < 50 ? 1 : 61) {
			rg_tensor_bytes(tensor, first, count, walked);
			rg_tensor_gather(tensor, first, count, gathered);
			assert_memory_equal(gathered, walked, count * size);
		}
	rg_tensor_gather(tensor, 0, 0, gathered);
}

TEST(ranges)
{
	static const rg_tensor tensors[] = {
		{.dimensions = 2, .shape = {24, 30}, .order = {1, 0}},
		{.dimensions = 2, .shape = {1, 7}, .order = {1, 0}},
		{.dimensions = 3, .shape = {8, 9, 10}, .order = {2, 1, 0}},
		{.dimensions = 3, .shape = {8, 9, 10}, .order = {0, 2, 1}},
		{.dimensions = 4, .shape = {2, 3, 8, 15}, .order = {0, 2, 3, 1}}, /* NHWC */
		{.dimensions = 4, .shape = {6, 1, 4, 5}, .order = {2, 0, 3, 1}},
		{.dimensions = 5, .shape = {2, 3, 4, 5, 6}, .order = {4, 2, 0, 1, 3}},
	};
	static const rg_dtype dtypes[] = {RG_DTYPE_INT8, RG_DTYPE_INT16, RG_DTYPE_FLOAT32,
					  RG_DTYPE_INT64};
	static unsigned char bytes[MOST * 8];
	size_t i, k;

	for (i = 0; i < sizeof(bytes); i++)
		bytes[i] = (unsigned char)(i * 2654435761u >> 11);
	for (i = 0; i < sizeof(tensors) / sizeof(*tensors); i++)
		for (k = 0; k < sizeof(dtypes) / sizeof(*dtypes); k++) {
			rg_tensor tensor = tensors[i];
			size_t d;

			tensor.dtype = dtypes[k];
			tensor.big_endian = big_endian;
			tensor.data = bytes;
			tensor.forget = note;
			for (tensor.size = rg_dtype_size(tensor.dtype), d = 0;
			     d < tensor.dimensions; d++)
				tensor.size *= (size_t)tensor.shape[d];
			assert_success(rg_tensor_check(&tensor));
			forgotten = 0;
			expect_same(&tensor);
			assert_true(tensor.row_major || forgotten > 0);
		}
}

TEST(counts)
{
	rg_tensor tensor = {.dtype = RG_DTYPE_FLOAT32, .dimensions = 3, .shape = {8, 9, 10}};

	assert_int_equal(rg_tensor_gather_count(&tensor, 1 << 20), 720);
	assert_int_equal(rg_tensor_gather_count(&tensor, 2 * 360), 180 / 90 * 90);
	assert_int_equal(rg_tensor_gather_count(&tensor, 4 * 50), 50);
	assert_int_equal(rg_tensor_gather_count(&tensor, 4 * 59), 50);
	assert_int_equal(rg_tensor_gather_count(&tensor, 4 * 7), 7);
	tensor.shape[1] = 0;
	assert_int_equal(rg_tensor_gather_count(&tensor, 4), 1);
}
