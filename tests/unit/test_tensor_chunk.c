#include "random.h"
#include "unit.h"

#include "compare/tensor_chunk.h"
#include "compare/tensor_ulps.h"

/* Whatever the machine, the sums are the same to the last bit. */
static void test_widths_agree(void **state)
{
	double old[RG_CHUNK], new[RG_CHUNK];
	rg_lane_sums wanted = {0};
	rg_chunk_figures first;
	uint32_t seed = 7;
	int width, i, times;

	(void)state;
	for (i = 0; i < RG_CHUNK; i++) {
		old[i] = i % 5 ? (double)next_random(&seed) / 1e6 - 8 : 0;
		new[i] = old[i] * (1 + (double)(next_random(&seed) % 7) * 1e-9);
	}
	for (width = 2; width <= 8; width *= 2) {
		const rg_chunk_functions *f = rg_chunk_functions_of(width);
		rg_chunk_figures figures;
		rg_lane_sums sums = {0};

		if (!f)
			continue;
		for (times = 0; times < 10; times++) {
			assert_true(f->pairs[RG_CHUNK_DOUBLES](&sums, &figures, old, new));
			assert_true(f->equal[RG_CHUNK_DOUBLES](&sums, &figures, old, old));
		}
		assert_true(f->pairs[RG_CHUNK_DOUBLES](&sums, &figures, old, new));
		if (width == 2) {
			wanted = sums;
			first = figures;
		}
		assert_memory_equal(&sums, &wanted, sizeof(sums));
		assert_memory_equal(&figures, &first, sizeof(figures));
	}
}

/* A kind of element that chunks are made of as they stand. */
typedef struct {
	rg_chunk_kind kind;
	rg_dtype dtype;
	unsigned char finite; /* what of the upper byte is kept, so that no element is not finite */
} chunk_type;

static const chunk_type chunk_types[] = {
	{RG_CHUNK_FLOATS, RG_DTYPE_FLOAT32, 0xbf},
	{RG_CHUNK_HALVES, RG_DTYPE_FLOAT16, 0xbb},
	{RG_CHUNK_BRAINS, RG_DTYPE_BFLOAT16, 0xbf},
};

static void fill_chunks(const chunk_type *type, unsigned char *old, unsigned char *new,
			uint32_t *seed, bool near)
{
	size_t size = rg_dtype_size(type->dtype), i;

	for (i = 0; i < size * RG_CHUNK; i++) {
		old[i] = (unsigned char)next_random(seed);
		new[i] = near ? old[i] : (unsigned char)next_random(seed);
		if (near && i % size == 0)
			new[i] ^= 1;
		if (i % size == size - 1) {
			old[i] &= type->finite;
			new[i] &= type->finite;
		}
	}
}

/* The chunk's own way to ULPs against the one that goes pair by pair, and its way to sums against
 * the one through doubles. */
static void test_kinds_of_chunks_agree(void **state)
{
	enum { ROUNDS = 100 };
	unsigned char old[4 * RG_CHUNK], new[4 * RG_CHUNK];
	double old_values[RG_CHUNK], new_values[RG_CHUNK];
	uint32_t seed = 3;
	int round, width;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(chunk_types) / sizeof(chunk_types[0]) * ROUNDS; i++) {
		const chunk_type *type = &chunk_types[i / ROUNDS];

		round = (int)(i % ROUNDS);
		fill_chunks(type, old, new, &seed, round % 2 == 0);
		rg_dtype_to_double(type->dtype, false, old, RG_CHUNK, old_values);
		rg_dtype_to_double(type->dtype, false, new, RG_CHUNK, new_values);
		for (width = 2; width <= 8; width *= 2) {
			const rg_chunk_functions *f = rg_chunk_functions_of(width);
			rg_lane_sums sums = {0}, wanted = {0};
			rg_chunk_figures figures;

			if (!f)
				continue;
			assert_int_equal(f->ulps[type->kind](old, new),
					 rg_tensor_ulps(type->dtype, old, new, RG_CHUNK));
			assert_true(f->pairs[type->kind](&sums, &figures, old, new));
			assert_true(f->pairs[RG_CHUNK_DOUBLES](&wanted, &figures, old_values,
							       new_values));
			assert_memory_equal(&sums, &wanted, sizeof(sums));
			assert_true(f->equal[type->kind](&sums, &figures, old, old));
			assert_true(f->equal[RG_CHUNK_DOUBLES](&wanted, &figures, old_values,
							       old_values));
			assert_memory_equal(&sums, &wanted, sizeof(sums));
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_widths_agree),
		cmocka_unit_test(test_kinds_of_chunks_agree),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
