#include "compare/tensor_chunk.h"

#include "compare/compare.h"

#include <stdint.h>
#include <string.h>

#define WIDTH 2
#define TARGET
#define NAME(x) x##_plain
#include "compare/tensor_chunk.inc"

#if defined(__x86_64__)
#define WIDTH   4
#define TARGET  __attribute__((target("avx2")))
#define NAME(x) x##_avx2
#include "compare/tensor_chunk.inc"

#define WIDTH   8
#define TARGET  __attribute__((target("avx512f,avx512dq,avx512bw")))
#define NAME(x) x##_avx512
#include "compare/tensor_chunk.inc"
#endif

const rg_chunk_functions *rg_chunk_functions_of(int width)
{
	switch (width) {
	case 2:
		return &functions_plain;
#if defined(__x86_64__)
	case 4:
		return __builtin_cpu_supports("avx2") ? &functions_avx2 : NULL;
	case 8:
		return __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw")
			       ? &functions_avx512
			       : NULL;
#endif
	default:
		return NULL;
	}
}

const rg_chunk_functions *rg_chunk_functions_best(void)
{
	const rg_chunk_functions *best = rg_chunk_functions_of(8);

	if (!best)
		best = rg_chunk_functions_of(4);
	return best ? best : rg_chunk_functions_of(2);
}
