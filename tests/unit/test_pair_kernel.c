/* SPDX-License-Identifier: Apache-2.0 */
#include "random.h"
#include "unit.h"

#include "compare/pair_kernel.h"
#include "compare/policy.h"
#include "support/little.h"

#include <math.h>

/* Whatever the machine, the sums are the same to the last bit. */
TEST(machines_agree)
{
	const rg_pair_kernel *plain = rg_pair_kernel_get(true), *best = rg_pair_kernel_get(false);
	double old[RG_CHUNK], fresh[RG_CHUNK];
	rg_lane_sums sums = {0}, wanted = {0};
	rg_chunk_figures figures, first;
	uint32_t seed = 7;
	size_t count, i;

	for (i = 0; i < RG_CHUNK; i++) {
		old[i] = i % 5 ? (double)next_random(&seed) / 1e6 - 8 : 0;
		fresh[i] = old[i] * (1 + (double)(next_random(&seed) % 7) * 1e-9);
	}
	for (count = RG_LANES; count <= RG_CHUNK; count += RG_LANES) {
		assert_true(plain->add[RG_READ_DOUBLES](&wanted, &first, old, fresh, count,
							RG_NEAR_ZERO, false));
		assert_true(best->add[RG_READ_DOUBLES](&sums, &figures, old, fresh, count,
						       RG_NEAR_ZERO, false));
		assert_memory_equal(&sums, &wanted, sizeof(sums));
		assert_memory_equal(&figures, &first, sizeof(figures));
	}
	/* What is not finite adds nothing, but for differences that are asked for. */
	old[9] = 1.5e308;
	fresh[9] = -1.5e308;
	assert_false(best->add[RG_READ_DOUBLES](&sums, &figures, old, fresh, RG_CHUNK, RG_NEAR_ZERO,
						false));
	assert_memory_equal(&sums, &wanted, sizeof(sums));
	assert_true(best->add[RG_READ_DOUBLES](&sums, &figures, old, fresh, RG_CHUNK, RG_NEAR_ZERO,
					       true));
	assert_true(sums.sum[RG_SUM_ABS_ERR][1] == INFINITY);
	assert_true(figures.max_abs == INFINITY);
}

/* Each double is added with compensation: nothing of the small ones is lost beside a large one. */
TEST(doubles_are_compensated)
{
	double old[RG_CHUNK], fresh[RG_CHUNK];
	rg_lane_sums sums = {0};
	rg_chunk_figures figures;
	double total = 0;
	size_t i;

	for (i = 0; i < RG_CHUNK; i++)
		old[i] = fresh[i] = i < RG_LANES ? 0x1p40 : 0x1p-20;
	assert_true(rg_pair_kernel_get(false)->add[RG_READ_DOUBLES](&sums, &figures, old, fresh,
								    RG_CHUNK, RG_NEAR_ZERO, false));
	for (i = 0; i < RG_LANES; i++) {
		assert_true(sums.sum[RG_SUM_OLD][i] == 0x1p40);
		total += sums.correction[RG_SUM_OLD][i];
	}
	assert_true(total == (RG_CHUNK - RG_LANES) * 0x1p-20);
}

/* A type whose values are read as they are stored. */
typedef struct {
	rg_read_as as;
	rg_dtype dtype;
	unsigned char finite; /* what of the upper byte is kept, so that no element is not finite */
} stored_type;

static const stored_type types[] = {
	{RG_READ_FLOATS, RG_DTYPE_FLOAT32, 0xbf},
	{RG_READ_HALVES, RG_DTYPE_FLOAT16, 0xbb},
	{RG_READ_BRAINS, RG_DTYPE_BFLOAT16, 0xbf},
};

static void fill_chunks(const stored_type *type, unsigned char *old, unsigned char *fresh,
			uint32_t *seed, bool near)
{
	size_t size = rg_dtype_size(type->dtype), i;
	size_t upper = big_endian ? 0 : size - 1;

	for (i = 0; i < size * RG_CHUNK; i++) {
		old[i] = (unsigned char)next_random(seed);
		fresh[i] = near ? old[i] : (unsigned char)next_random(seed);
		if (near && i % size == size - 1 - upper)
			fresh[i] ^= 1;
		if (i % size == upper) {
			old[i] &= type->finite;
			fresh[i] &= type->finite;
		}
	}
}

static void assert_near(double got, double wanted)
{
	if (!(fabs(got - wanted) <= 1e-14 * fabs(wanted)))
		fail_msg("%.17g, not %.17g", got, wanted);
}

static double of_lanes(const rg_lane_sums *sums, rg_pair_sum which)
{
	double total = 0;
	size_t i;

	for (i = 0; i < RG_LANES; i++)
		total += sums->sum[which][i] + sums->correction[which][i];
	return total;
}

/* A type's own way to sums and ULPs against the one through doubles, and pair by pair. */
TEST(types_agree)
{
	enum { ROUNDS = 100 };
	const rg_pair_kernel *plain = rg_pair_kernel_get(true), *best = rg_pair_kernel_get(false);
	unsigned char old[4 * RG_CHUNK], fresh[4 * RG_CHUNK];
	double old_values[RG_CHUNK], fresh_values[RG_CHUNK];
	uint32_t seed = 3;
	size_t i, k;

	for (i = 0; i < sizeof(types) / sizeof(types[0]) * ROUNDS; i++) {
		const stored_type *type = &types[i / ROUNDS];
		rg_lane_sums sums = {0}, same = {0}, wanted = {0};
		size_t size = rg_dtype_size(type->dtype);
		rg_chunk_figures figures, first;
		uint64_t ulps = 0;

		fill_chunks(type, old, fresh, &seed, i % 2 == 0);
		rg_dtype_to_double(type->dtype, big_endian, old, RG_CHUNK, old_values);
		rg_dtype_to_double(type->dtype, big_endian, fresh, RG_CHUNK, fresh_values);
		assert_true(best->add[type->as](&sums, &figures, old, fresh, RG_CHUNK, RG_NEAR_ZERO,
						false));
		assert_true(plain->add[type->as](&same, &figures, old, fresh, RG_CHUNK,
						 RG_NEAR_ZERO, false));
		assert_memory_equal(&sums, &same, sizeof(sums));
		assert_true(best->add[RG_READ_DOUBLES](&wanted, &first, old_values, fresh_values,
						       RG_CHUNK, RG_NEAR_ZERO, false));
		assert_memory_equal(&figures, &first, sizeof(figures));
		assert_near(of_lanes(&sums, RG_SUM_ERR2), of_lanes(&wanted, RG_SUM_ERR2));
		assert_near(of_lanes(&sums, RG_SUM_ABS_RELATIVE),
			    of_lanes(&wanted, RG_SUM_ABS_RELATIVE));
		for (k = 0; k < RG_CHUNK; k++) {
			uint64_t one =
				plain->ulps[type->dtype](old + k * size, fresh + k * size, 1);

			ulps = one > ulps ? one : ulps;
		}
		assert_true(best->ulps[type->dtype](old, fresh, RG_CHUNK) == ulps);
	}
}
