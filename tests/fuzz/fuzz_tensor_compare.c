/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two tensors of one type and shape against each other; the row is held against one that goes
 * through their elements one by one, in long doubles. The first bytes: the type, byte orders and
 * dimensions, the two orders in memory, the shape. The rest are the two sides, each repeated as
 * often as its tensor is longer: what is compared in chunks of 256 is to be reached by short
 * inputs.
 */
#include "require.h"

#include "compare/series_statistics.h"
#include "golden/tensor.h"
#include "support/tensor_golden.h"

#include <float.h>
#include <math.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { HEAD = 8, DIMENSIONS = 4, COUNT_MAX = 4096 };

typedef struct {
	size_t finite, counted, above_zero, mismatches, differing;
	rg_left_out left_out;
	double max_abs, max_rel, max_any;
	size_t max_abs_at, max_rel_at, first_diff;
	bool differs;
	uint64_t max_ulps;
	/* Over pairs that are finite; then over those that count, whose differences may be
	 * infinite. */
	long double err2, ref2, new2, product, abs_err, err, max_err;
	long double relative, abs_relative, old, fresh, abs_old, abs_new;
	bool wide; /* integers of 64 bits */
} plain_row;

/* The bits of an element as a number. */
static uint64_t bits_of(const rg_tensor *tensor, size_t at)
{
	unsigned char bytes[8];
	uint32_t word;
	uint16_t half;
	uint64_t bits;

	rg_tensor_bytes(tensor, at, 1, bytes);
	switch (rg_dtype_size(tensor->dtype)) {
	case 1:
		return bytes[0];
	case 2:
		memcpy(&half, bytes, sizeof(half));
		return half;
	case 4:
		memcpy(&word, bytes, sizeof(word));
		return word;
	default:
		memcpy(&bits, bytes, sizeof(bits));
		return bits;
	}
}

static bool is_unsigned(rg_dtype dtype)
{
	return dtype == RG_DTYPE_UINT8 || dtype == RG_DTYPE_QUINT8 || dtype == RG_DTYPE_BOOL ||
	       dtype == RG_DTYPE_UINT16 || dtype == RG_DTYPE_UINT32 || dtype == RG_DTYPE_UINT64;
}

static bool is_wide_integer(rg_dtype dtype)
{
	return dtype == RG_DTYPE_INT64 || dtype == RG_DTYPE_UINT64;
}

static uint64_t distance(uint64_t a, uint64_t b)
{
	return a > b ? a - b : b - a;
}

/* How many values of the type lie between the two. */
static uint64_t ulps(rg_dtype dtype, uint64_t a, uint64_t b)
{
	uint64_t sign = (uint64_t)1 << (8 * rg_dtype_size(dtype) - 1);
	bool apart = (a & sign) != (b & sign);

	if (is_unsigned(dtype))
		return distance(a, b);
	/* Two's complement, moved up so that the least is 0. */
	if (!rg_dtype_is_float(dtype))
		return distance(a ^ sign, b ^ sign);
	return apart ? (a & ~sign) + (b & ~sign) : distance(a & ~sign, b & ~sign);
}

/* New less old; of wide integers, which doubles do not tell apart, of the integers. */
static double difference(rg_dtype dtype, uint64_t a, uint64_t b, double old, double fresh)
{
	bool less = dtype == RG_DTYPE_UINT64 ? b < a : (int64_t)b < (int64_t)a;

	if (!is_wide_integer(dtype))
		return fresh - old;
	return less ? -(double)(a - b) : (double)(b - a);
}

/* Halves are subtracted if the difference is past the doubles: its ratio may be in their range. */
static double relative_to(double old, double fresh, double error)
{
	return isfinite(error) ? error / old : (fresh / 2 - old / 2) / old * 2;
}

static void add_relative(plain_row *row, size_t at, double old, double fresh, double error)
{
	double relative = -relative_to(old, fresh, error);

	row->counted++;
	row->above_zero += relative > 0;
	row->relative += relative;
	row->abs_relative += fabs(relative);
	row->old += old;
	row->fresh += fresh;
	row->abs_old += fabs(old);
	row->abs_new += fabs(fresh);
	if (row->counted == 1 || fabs(relative) > row->max_rel) {
		row->max_rel = fabs(relative);
		row->max_rel_at = at;
	}
}

static void add_finite(plain_row *row, size_t at, double old, double fresh, double error)
{
	long double err = error == fresh - old ? (long double)fresh - old : error;

	row->finite++;
	row->err2 += err * err;
	row->ref2 += (long double)old * old;
	row->new2 += (long double)fresh * fresh;
	row->product += (long double)old * fresh;
	row->abs_err += fabsl(err);
	row->err += err;
	/* Those past the doubles are told apart. */
	if (row->finite == 1 || fabs(error) > row->max_abs ||
	    (isinf(error) && fabsl(err) > row->max_err)) {
		row->max_abs = fabs(error);
		row->max_err = fabsl(err);
		row->max_abs_at = at;
	}
	if (error != 0)
		row->max_any = fmax(row->max_any, fabs(relative_to(old, fresh, error)));
	if (fabs(old) >= RG_NEAR_ZERO)
		add_relative(row, at, old, fresh, error);
	else
		row->left_out.near_zero++;
}

static plain_row compare_plainly(const rg_tensor *a, const rg_tensor *b)
{
	plain_row row = {.wide = is_wide_integer(a->dtype)};
	size_t i;

	for (i = 0; i < a->count; i++) {
		uint64_t old_bits = bits_of(a, i), new_bits = bits_of(b, i), apart;
		double old, fresh;

		rg_tensor_values(a, i, 1, &old);
		rg_tensor_values(b, i, 1, &fresh);
		if (old_bits != new_bits && !row.differs) {
			row.differs = true;
			row.first_diff = i;
		}
		if (isfinite(old) && isfinite(fresh)) {
			add_finite(&row, i, old, fresh,
				   difference(a->dtype, old_bits, new_bits, old, fresh));
			apart = ulps(a->dtype, old_bits, new_bits);
			/* Bools have several bytes for one value, wide integers several for one
			 * double. */
			row.differing += is_wide_integer(a->dtype) ? apart > 0 : old != fresh;
			row.max_ulps = apart > row.max_ulps ? apart : row.max_ulps;
			continue;
		}
		const bool same = (isnan(old) && isnan(fresh)) || old == fresh;
		/* One that is not finite in place of another counts as one in place of a number. */
		*(same || isfinite(fresh) ? &row.left_out.old_nonfinite
					  : &row.left_out.new_nonfinite) += 1;
		row.mismatches += !same;
		row.differing += !same;
	}
	return row;
}

/* `scale` is the size of what was added up, and may have cancelled. */
static void near(const char *what, double got, long double wanted, long double scale)
{
	double rounded = (double)wanted;

	if (isnan(rounded) ? isnan(got) : got == rounded)
		return;
	/* A sum left the range of doubles on the way, perhaps in both directions. */
	if (!isfinite(got) && (fabsl(wanted) + scale) * COUNT_MAX >= DBL_MAX)
		return;
	/* The least doubles are rounded as coarsely as they are small. */
	require(fabsl(got - wanted) <=
			1e-11L * (fabsl(wanted) + scale) + 4 * COUNT_MAX * DBL_TRUE_MIN,
		what);
}

/* The difference of two wide integers may be rounded twice. */
static void largest(const char *what, double got, double wanted, bool wide)
{
	if (wide)
		near(what, got, wanted, 0);
	else
		require(got == wanted, what);
}

static void check_counted(const rg_row *row, const plain_row *plain)
{
	long double n = (long double)plain->counted;

	largest("max_abs_rel", row->max_abs_rel, plain->max_rel, plain->wide);
	/* Where nothing differs, any element is as good as the first. */
	require(plain->wide || !(plain->max_rel > 0) ||
			row->max_abs_rel_step == (int64_t)plain->max_rel_at,
		"where max_abs_rel is");
	require(row->share_above_zero == (double)plain->above_zero / (double)n, "share_above_zero");
	near("mean_abs_rel", row->mean_abs_rel, plain->abs_relative / n, 0);
	if (isnan(plain->relative))
		require(row->avg_rel_diff == INFINITY, "avg_rel_diff of both infinities");
	else
		near("avg_rel_diff", row->avg_rel_diff, plain->relative / n,
		     plain->abs_relative / n);
	near("old_mean", row->old_mean, plain->old / n, plain->abs_old / n);
	near("new_mean", row->new_mean, plain->fresh / n, plain->abs_new / n);
}

static void check_stats(const rg_tensor_stats *stats, const plain_row *plain)
{
	long double n = (long double)plain->finite;
	long double norms = sqrtl(plain->ref2) * sqrtl(plain->new2);

	require(stats->count == plain->finite, "count");
	require(stats->nonfinite_mismatches == plain->mismatches, "nonfinite_mismatches");
	largest("max_rel", stats->max_rel, plain->mismatches ? INFINITY : plain->max_any,
		plain->wide);
	near("share_differing", stats->share_differing,
	     plain->differing / (n + plain->left_out.old_nonfinite + plain->left_out.new_nonfinite),
	     0);
	if (!plain->finite)
		return;
	require(plain->wide || !(plain->max_abs > 0) || stats->worst == plain->max_abs_at, "worst");
	near("l2", stats->l2, sqrtl(plain->err2), 0);
	near("mse", stats->mse, plain->err2 / n, 0);
	near("mean_abs", stats->mean_abs, plain->abs_err / n, 0);
	near("mean_signed", stats->mean_signed, plain->err / n, plain->abs_err / n);
	near("snr_db", stats->snr_db,
	     plain->err2 > 0 ? 20 * log10l(sqrtl(plain->new2) / sqrtl(plain->err2)) : INFINITY, 1);
	near("cosine", stats->cosine, norms > 0 ? plain->product / norms : NAN, 1);
}

static void check(const rg_row *row, const plain_row *plain)
{
	require(row->n_steps == plain->counted, "n_steps");
	require(!memcmp(&row->left_out, &plain->left_out, sizeof(plain->left_out)), "left out");
	require(row->identical == !plain->differs, "identical");
	require(row->first_diff_known == plain->differs, "is there a first difference");
	require(!plain->differs || row->first_diff == (int64_t)plain->first_diff, "first_diff");
	largest("max_abs", row->max_abs, plain->max_abs, plain->wide);
	require(row->max_ulps == plain->max_ulps, "max_ulps");
	if (plain->counted)
		check_counted(row, plain);
	check_stats(row->tensor, plain);
}

/* The n-th order of the dimensions, by Lehmer's code. */
static void set_order(rg_tensor *tensor, unsigned n)
{
	size_t i, k;

	rg_tensor_row_major(tensor);
	for (i = 0; i + 1 < tensor->dimensions; i++) {
		size_t from = i + n % (tensor->dimensions - i);
		uint8_t chosen = tensor->order[from];

		n /= (unsigned)(tensor->dimensions - i);
		for (k = from; k > i; k--)
			tensor->order[k] = tensor->order[k - 1];
		tensor->order[i] = chosen;
	}
}

/* False where the bytes describe none, or one that is too large. */
static bool describe(rg_tensor *out, const uint8_t head[static HEAD])
{
	static const rg_dtype dtypes[] = {
		RG_DTYPE_FLOAT32,         RG_DTYPE_FLOAT64,
		RG_DTYPE_FLOAT16,         RG_DTYPE_BFLOAT16,
		RG_DTYPE_UINT8,           RG_DTYPE_INT8,
		RG_DTYPE_INT16,           RG_DTYPE_INT32,
		RG_DTYPE_INT64,           RG_DTYPE_BOOL,
		RG_DTYPE_QINT8,           RG_DTYPE_QUINT8,
		RG_DTYPE_QINT32,          RG_DTYPE_UINT16,
		RG_DTYPE_UINT32,          RG_DTYPE_UINT64,
		RG_DTYPE_FLOAT8_E5M2,     RG_DTYPE_FLOAT8_E4M3FN,
		RG_DTYPE_FLOAT8_E5M2FNUZ, RG_DTYPE_FLOAT8_E4M3FNUZ,
	};
	size_t count = 1, i;

	*out = (rg_tensor){.dtype = dtypes[head[0] % (sizeof(dtypes) / sizeof(*dtypes))],
			   .dimensions = head[1] / 4 % (DIMENSIONS + 1)};
	for (i = 0; i < out->dimensions; i++) {
		out->shape[i] = head[4 + i];
		count *= head[4 + i];
		if (count > COUNT_MAX)
			return false;
	}
	out->size = count * rg_dtype_size(out->dtype);
	return true;
}

static unsigned char *repeated(const uint8_t *bytes, size_t length, size_t size)
{
	unsigned char *out = calloc(size + 1, 1);
	size_t i;

	require(out != NULL, "there is memory");
	for (i = 0; length && i < size; i++)
		out[i] = bytes[i % length];
	return out;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	rg_golden goldens[2] = {0};
	rg_metric_policy policy;
	rg_tensor tensors[2];
	unsigned char *bytes[2];
	rg_row row = {0};
	plain_row plain;
	size_t half, i;

	if (size < HEAD || !describe(&tensors[0], data))
		return 0;
	tensors[1] = tensors[0];
	half = (size - HEAD) / 2;
	for (i = 0; i < 2; i++) {
		tensors[i].data = bytes[i] =
			repeated(data + HEAD + i * half, half, tensors[i].size);
		tensors[i].big_endian = data[1] >> i & 1;
		set_order(&tensors[i], data[2 + i]);
		rg_arena_init(&goldens[i].arena);
		require(!tensor_golden(&goldens[i], &tensors[i]), "a tensor that is none");
	}
	rg_policy_resolve(NULL, NULL, "tensor", &policy);
	require(!rg_series_statistics(&row, &goldens[0].arena, &goldens[0].metrics[0],
				      &goldens[1].metrics[0], &policy),
		"there is memory");
	plain = compare_plainly(goldens[0].metrics[0].tensor, goldens[1].metrics[0].tensor);
	check(&row, &plain);
	for (i = 0; i < 2; i++) {
		rg_arena_release(&goldens[i].arena);
		free(bytes[i]);
	}
	return 0;
}
