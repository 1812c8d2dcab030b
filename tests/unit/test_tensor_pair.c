/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "compare/tensor_pair.h"

#include <string.h>

/* In every order of three dimensions, from every place on: the smallest number of what is marked.
 */
TEST(first_of_marked)
{
	enum { ALL = 4 * 3 * 5, MOST = 23 };
	static const uint8_t orders[][3] = {{2, 1, 0}, {2, 0, 1}, {1, 2, 0},
					    {1, 0, 2}, {0, 2, 1}, {0, 1, 2}};
	static const unsigned char bytes[ALL];
	size_t n, at, count, i;

	for (n = 0; n < sizeof(orders) / sizeof(*orders); n++) {
		rg_tensor tensor = {.dtype = RG_DTYPE_UINT8,
				    .dimensions = 3,
				    .shape = {4, 3, 5},
				    .data = bytes,
				    .size = ALL};
		rg_tensor_pair p;

		memcpy(tensor.order, orders[n], sizeof(orders[n]));
		rg_tensor_pair_init(&p, &tensor, &tensor, false);
		for (at = 0; at < ALL; at++) {
			size_t first = SIZE_MAX, first_marked = SIZE_MAX;
			bool marked[MOST];

			for (count = 1; count <= MOST && at + count <= ALL; count++) {
				i = rg_tensor_pair_first(&p, at + count - 1, 1, NULL, SIZE_MAX);
				marked[count - 1] = (at + count) % 7 == 3;
				first = i < first ? i : first;
				if (marked[count - 1] && i < first_marked)
					first_marked = i;
				assert_int_equal(
					rg_tensor_pair_first(&p, at, count, NULL, SIZE_MAX), first);
				assert_int_equal(rg_tensor_pair_first(&p, at, count, NULL, 20),
						 first < 20 ? first : 20);
				assert_true(rg_tensor_pair_first(&p, at, count, marked, SIZE_MAX) ==
					    first_marked);
			}
		}
	}
}
