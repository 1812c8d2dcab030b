/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/pair_kernel.h"

#include "golden/longdouble.h"

#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

/* How bits are ordered as numbers. */
typedef enum {
	ORDER_UNSIGNED,
	ORDER_SIGNED,
	ORDER_FLOAT, /* sign and magnitude; +0 and -0 are the same */
} bit_order;

static uint64_t longdoubles(const void *old, const void *fresh, size_t count)
{
	const unsigned char *a = old, *b = fresh;
	uint64_t max = 0;

	for (size_t i = 0; i < count; i++) {
		rg_longdouble x, y;
		memcpy(&x, a + i * sizeof(x), sizeof(x));
		memcpy(&y, b + i * sizeof(y), sizeof(y));
		uint64_t far = rg_longdouble_distance(&x, &y);
		max = far > max ? far : max;
	}
	return max;
}

#define WIDTH 2
#define TARGET
#define NAME(x) x##_plain
#include "compare/pair_kernel.inc"

/* Every processor with AVX2 has F16C. */
#if defined(__x86_64__)
#define WIDTH           4
#define TARGET          __attribute__((target("avx2,f16c")))
#define NAME(x)         x##_avx2
#define LARGER(a, b)    _mm256_max_pd(a, b)
#define WIDEN_HALVES(x) _mm_cvtph_ps(_mm_cvtsi64_si128((long long)(x)))
#define TO_DOUBLES(x)   _mm256_cvtps_pd(x)
#include "compare/pair_kernel.inc"
#endif

const rg_pair_kernel *rg_pair_kernel_get(bool plain)
{
#if defined(__x86_64__)
	if (!plain && __builtin_cpu_supports("avx2"))
		return &kernel_avx2;
#endif
	(void)plain;
	return &kernel_plain;
}
