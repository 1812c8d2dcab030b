/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_TESTS_LITTLE_H
#define REGILD_TESTS_LITTLE_H

#include <stdbool.h>
#include <stddef.h>

/* Of the machine that runs the test. */
static const bool big_endian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;

/* Numbers as files have them, the least significant byte first; in their place, which it returns.
 */
static inline void *little(void *numbers, size_t size, size_t count)
{
	unsigned char *p = numbers;

	for (size_t i = 0; big_endian && i < count; i++, p += size)
		for (size_t k = 0; k < size / 2; k++) {
			unsigned char low = p[k];
			p[k] = p[size - 1 - k];
			p[size - 1 - k] = low;
		}
	return numbers;
}

#endif
