/* SPDX-License-Identifier: Apache-2.0 */
/* Values in the history: each comes back, in few bytes, and damage is noticed. */
#include "unit.h"
#include "random.h"

#include "golden/series_bytes.h"

#include <float.h>
#include <math.h>

static rg_buf packed;

static size_t pack(const double *values, size_t count)
{
	const rg_metric series = {.kind = RG_METRIC_SERIES, .count = count, .values = values};

	rg_buf_clear(&packed);
	assert_success(rg_series_bytes_pack(&packed, &series));
	assert_success(rg_buf_check(&packed, "values"));
	return packed.length;
}

/* Packs and unpacks; returns the bytes that it took. */
static size_t round_trip(const double *values, size_t count)
{
	size_t length = pack(values, count);
	double back[1000] = {0};

	assert_true(rg_series_bytes_may_hold(length, count));
	assert_success(rg_series_bytes_unpack(back, count, packed.data, length));
	assert_memory_equal(back, values, count * sizeof(*values));
	return length;
}

FIXTURE(start)
{
	rg_buf_init(&packed, RG_BUF_TEXT);
	return 0;
}

FIXTURE(stop)
{
	rg_buf_release(&packed);
	return 0;
}

TEST_EACH(start, stop);

TEST(every_value_comes_back)
{
	static const double special[] = {NAN, INFINITY, -INFINITY, -0.0, 0.0, 1, -1},
			    far[] = {9007199254740991.0, -9007199254740991.0, 5},
			    mixed[] = {1e300, 0.1, DBL_MIN, 5e-324, DBL_MAX, -DBL_MAX},
			    widened[] = {9007199254740991.0, 0.5};

	assert_int_equal(round_trip(special, 0), 5);
	assert_int_equal(round_trip(special, 7), 5 + 7);
	round_trip(far, 3);
	round_trip(mixed, 6);
	round_trip(widened, 2);
}

TEST(decimals_take_few_bytes)
{
	double values[1000];
	size_t i;

	for (i = 0; i < 1000; i++)
		values[i] = (double)(1082921 - (int)i * 37 + (int)(i * i % 41)) / 1e5;
	assert_in_range(round_trip(values, 50), 50, 75);
	for (i = 0; i < 1000; i++)
		values[i] = 17448304640.0 + 1024.0 * (double)(i % 3);
	assert_in_range(round_trip(values, 1000), 10, 50);
}

TEST(random_values_come_back)
{
	uint32_t random = 1;
	double values[1000];
	size_t round, i;

	for (round = 0; round < 200; round++) {
		double scale = pow(10, (double)(round % 24));

		for (i = 0; i < 1000; i++)
			values[i] = round % 2 ? sqrt(next_random(&random)) * scale
					      : (double)next_random(&random) / scale;
		round_trip(values, round * 5);
	}
}

/* The values alone have as many bytes as the buffer may hold; marks around them are added. */
TEST(values_that_fill_the_buffer_are_refused)
{
	double values[100];
	const rg_metric series = {.kind = RG_METRIC_SERIES, .count = 100, .values = values};
	uint32_t random = 7;

	for (size_t i = 0; i < 100; i++)
		values[i] = (double)next_random(&random) * 1e-300 + 1e-310;
	rg_buf_release(&packed);
	rg_buf_init(&packed, sizeof(values));
	assert_success(rg_series_bytes_pack(&packed, &series));
	assert_fails_with(rg_buf_check(&packed, "values"), RG_E_LIMIT);
}

TEST(damage_is_noticed)
{
	static const double values[] = {1.5,  2.25, NAN, 1.5,  2.25, NAN, 1.5,  2.25, NAN, 1.5,
					2.25, NAN,  1.5, 2.25, NAN,  1.5, 2.25, NAN,  1.5, 2.25};
	double back[21];
	size_t counts[] = {3, 20}, i, at, bit;

	for (i = 0; i < 2; i++) {
		size_t length = pack(values, counts[i]);

		for (at = 0; at < length; at++) {
			for (bit = 0; bit < 8; bit++) {
				rg_error *err;

				packed.data[at] ^= (char)(1 << bit);
				err = rg_series_bytes_unpack(back, counts[i], packed.data, length);
				/* Deflate's last byte has bits that say nothing. */
				if (err)
					assert_int_equal(rg_error_get_code(err), RG_E_MISMATCH);
				else
					assert_memory_equal(back, values,
							    counts[i] * sizeof(*values));
				rg_error_free(err);
				packed.data[at] ^= (char)(1 << bit);
			}
			assert_error(rg_series_bytes_unpack(back, counts[i], packed.data, at),
				     RG_E_MISMATCH,
				     "a series in the history is damaged; regild-history(5) says "
				     "how to have its run fetched again");
		}
		assert_fails_with(rg_series_bytes_unpack(back, counts[i] - 1, packed.data, length),
				  RG_E_MISMATCH);
	}
	assert_false(rg_series_bytes_may_hold(10, 20000));
}

/* Runs that agree to the bit are packed once, however many they are, and each is given back. */
TEST(rows_that_agree_are_kept_once)
{
	enum { ROWS = 50, COUNT = 200 };
	static double values[ROWS][COUNT], back[ROWS][COUNT];
	const double *rows[ROWS];

	for (size_t kind = 0; kind < 3; kind++) {
		for (size_t r = 0; r < ROWS; r++) {
			rows[r] = values[r];
			for (size_t i = 0; i < COUNT; i++)
				values[r][i] = kind == 0   ? 0
					       : kind == 1 ? 10.5 - (double)i
							   : sqrt((double)i);
		}
		values[0][7] = NAN;
		for (size_t r = 0; r < ROWS; r++)
			values[r][7] = values[0][7];
		rg_buf_clear(&packed);
		assert_success(rg_rows_pack(&packed, rows, ROWS, COUNT));
		assert_true(packed.length <= 8 * COUNT + 5);
		assert_true(rg_series_bytes_may_hold(packed.length, (uint64_t)ROWS * COUNT));
		assert_success(rg_rows_unpack(back[0], ROWS, COUNT, packed.data, packed.length));
		assert_memory_equal(back, values, sizeof(values));
		/* A history has no such series, and no count but theirs is right. */
		assert_error(rg_series_bytes_unpack(back[0], COUNT, packed.data, packed.length),
			     RG_E_MISMATCH,
			     "a series in the history is damaged; regild-history(5) says "
			     "how to have its run fetched again");
		assert_error(rg_rows_unpack(back[0], ROWS, COUNT - 1, packed.data, packed.length),
			     RG_E_MISMATCH,
			     "a series in the history is damaged; regild-history(5) says "
			     "how to have its run fetched again");
		/* One bit that differs makes rows of them. */
		values[ROWS - 1][0] = -0.0 - values[0][0];
		rg_buf_clear(&packed);
		assert_success(rg_rows_pack(&packed, rows, ROWS, COUNT));
		assert_success(rg_rows_unpack(back[0], ROWS, COUNT, packed.data, packed.length));
		assert_memory_equal(back, values, sizeof(values));
	}
}
