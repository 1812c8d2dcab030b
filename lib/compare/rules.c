/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/rules.h"

#include "base/number.h"
#include "golden/convention.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* --- numbers --- */

static double rounded(bool f32, double x)
{
	return f32 ? (double)(float)x : x;
}

static bool both_nan(const rg_tool_pair *v)
{
	return isnan(v->old) && isnan(v->fresh);
}

static bool is_same(const rg_tool_pair *v)
{
	return v->both_whole ? v->was == v->is : v->old == v->fresh;
}

/* Bits of a whole number's type; 0: it is no such type. */
static unsigned bits_of(rg_dtype type)
{
	return rg_dtype_is_float(type) ? 0 : 8 * (unsigned)rg_dtype_size(type);
}

static bool is_unsigned(rg_dtype type)
{
	return strstr(rg_dtype_name(type), "uint") != NULL;
}

/* a - b wraps around as the type's own arithmetic does; its smallest number stays negative. */
static long double wrapped_distance(long double a, long double b, unsigned bits, bool no_sign)
{
	const long double range = ldexpl(1, (int)bits);
	long double off = a - b;

	if (no_sign)
		return off < 0 ? off + range : off;
	if (off >= range / 2)
		off -= range;
	else if (off < -range / 2)
		off += range;
	return off < 0 && off > -range / 2 ? -off : off;
}

/* --- numpy --- */

/* By rtol, atol and equal_nan. float32 rounds the bound, too, and integers are doubles. */
static bool near(const rg_tool_pair *v, const double *p)
{
	const bool f32 = v->old_f32;
	if (!isfinite(v->old) || !isfinite(v->fresh))
		return v->old == v->fresh || (p[2] != 0 && both_nan(v));
	const double share = rounded(f32, rounded(f32, p[0]) * fabs(v->old));
	return fabs(rounded(v->both_f32, v->fresh - v->old)) <=
	       rounded(f32, rounded(f32, p[1]) + share);
}

static bool array_equal(const rg_tool_pair *v, const double *p)
{
	(void)p;
	return is_same(v) || both_nan(v);
}

/* The bound is one and a half units of the last decimal, and never reached. */
static bool almost_equal(const rg_tool_pair *v, const double *p)
{
	if (!isfinite(v->old) || !isfinite(v->fresh))
		return v->old == v->fresh || both_nan(v);
	return fabs(rounded(v->both_f32, v->fresh - v->old)) <
	       rounded(v->both_f32, 1.5 * pow(10, -p[0]));
}

/* The bits as a number that ascends with the value; both zeros are 0. */
static int64_t ordinal(double value, bool f32)
{
	const float single = isnan(value) ? NAN : (float)value;
	int64_t bits;
	int32_t narrow;

	value = isnan(value) ? NAN : value;
	memcpy(&bits, &value, sizeof(bits));
	memcpy(&narrow, &single, sizeof(narrow));
	bits = f32 ? narrow : bits;
	return bits >= 0 ? bits : f32 ? INT32_MIN - bits : INT64_MIN - bits;
}

/* Numbers that straddle 0 may be few ulps apart, and the difference of far ones wraps around. */
static bool max_ulp(const rg_tool_pair *v, const double *p)
{
	const uint64_t off = (uint64_t)ordinal(v->fresh, v->both_f32) -
			     (uint64_t)ordinal(v->old, v->both_f32);
	return v->both_f32 ? fabsf((float)(int32_t)(uint32_t)off) <= p[0]
			   : fabs((double)(int64_t)off) <= p[0];
}

/* --- Python --- */

/* The larger tolerance counts, of either side. */
static bool math_isclose(const rg_tool_pair *v, const double *p)
{
	const double most = fmax(fabs(v->old), fabs(v->fresh));
	return v->old == v->fresh ||
	       (!isinf(most) && fabs(v->old - v->fresh) <= fmax(p[0] * most, p[1]));
}

/* rel has a default only without abs; whole numbers are subtracted exactly. */
static bool pytest_approx(const rg_tool_pair *v, const double *p)
{
	const double by_rel = (isnan(p[0]) ? 1e-6 : p[0]) * fabs(v->old);
	const double abs_tol = isnan(p[1]) ? 1e-12 : p[1];
	const bool no_rel = isnan(p[0]) && !isnan(p[1]);

	if (is_same(v) || !isfinite(v->old))
		return is_same(v) || (p[2] != 0 && both_nan(v));
	return (v->both_whole ? fabsl(v->was - v->is) : fabs(v->old - v->fresh)) <=
	       (no_rel ? abs_tol : fmax(by_rel, abs_tol));
}

/* A column that its CSV file has only whole numbers in is read as integers: no tolerance. */
static bool pytest_regressions(const rg_tool_pair *v, const double *p)
{
	rg_tool_pair read = *v; /* as float64 */
	read.old_f32 = read.both_f32 = false;
	return v->new_whole ? is_same(v) : near(&read, p);
}

static bool pandas_frame(const rg_tool_pair *v, const double *p)
{
	if (v->from != v->to && p[3] != 0)
		return false;
	return is_same(v) || both_nan(v) || (p[2] == 0 && math_isclose(v, p));
}

/* --- R and Octave --- */

static bool double_equal(const rg_tool_pair *v, const double *p)
{
	(void)p;
	return v->old == v->fresh || both_nan(v);
}

/* The mean is over the elements that differ, so that a tiny change beside it hides a large one. */
static bool all_equal(const rg_tool_sums *s, const double *p, double *mean)
{
	const double n = (double)s->count, scale = (double)(s->old / (long double)n);
	/* A large scale times n is infinite, which makes the mean 0. */
	*mean = (double)(s->off / (long double)(n * (isfinite(scale) && scale > *p ? scale : 1)));
	return *mean <= *p;
}

static bool testthat(const rg_tool_sums *s, const double *p, double *mean)
{
	const long double n = (long double)s->count, scale = s->old / n;
	*mean = (double)(s->off / n / (isfinite((double)scale) && scale > *p ? scale : 1));
	return *mean < *p;
}

/* Differences of integers saturate, and their quotients are rounded. */
static bool octave_integers(const rg_tool_pair *v, double tol)
{
	const long double most = ldexpl(1, (int)bits_of(v->from) - 1) - 1, off = v->is - v->was;
	/* Without a sign a smaller new value is 0 off. */
	const long double size = is_unsigned(v->to) ? fmaxl(off, 0) : fminl(fabsl(off), most);

	if (tol >= 0)
		return tol == 0 ? off == 0 : size <= tol;
	/* assert itself fails at a 0 without other values. */
	return v->was == 0 ? !v->alone && fabsl(v->is) <= -tol
			   : roundl(size / fabsl(v->was)) <= -tol;
}

/* A negative tol is relative to the old value; if that is 0, it is absolute. One side of float32
 * makes the other one float32. */
static bool octave_assert(const rg_tool_pair *v, const double *p)
{
	const bool f32 = v->from == RG_DTYPE_FLOAT32 || v->to == RG_DTYPE_FLOAT32;
	const double tol = isnan(p[0]) ? 0 : rounded(f32, p[0]);
	const double old = rounded(f32, v->old), fresh = rounded(f32, v->fresh);

	/* Without tol the classes are compared, too. */
	if (v->from != v->to && isnan(p[0]))
		return false;
	if (!isfinite(old) || !isfinite(fresh))
		return old == fresh || both_nan(v);
	/* Integers of two classes cannot be subtracted. */
	if (bits_of(v->from) && bits_of(v->to))
		return v->from == v->to && octave_integers(v, tol);
	const double off = fabs(rounded(f32, fresh - old));
	if (tol >= 0)
		return off <= tol;
	return old == 0 ? off <= -tol : rounded(f32, off / fabs(old)) <= -tol;
}

/* --- JavaScript --- */

static bool to_be_close(const rg_tool_pair *v, const double *p)
{
	if (isinf(v->old) && v->old == v->fresh)
		return true;
	return fabs(v->old - v->fresh) < pow(10, -p[0]) / 2;
}

/* Arrays of two types differ, and integers of 64 bits have all their digits. */
static bool is_same_typed(const rg_tool_pair *v)
{
	return v->typed ? v->from == v->to && v->was == v->is : v->old == v->fresh;
}

/* 0 and -0 differ, NaN equals NaN. */
static bool to_equal(const rg_tool_pair *v, const double *p)
{
	(void)p;
	if (isnan(v->old))
		return isnan(v->fresh) && (!v->typed || v->from == v->to);
	return is_same_typed(v) && !signbit(v->old) == !signbit(v->fresh);
}

/* A NaN equals another one in a plain array only. */
static bool node_equal(const rg_tool_pair *v, const double *p)
{
	(void)p;
	return is_same_typed(v) || (!v->typed && both_nan(v));
}

/* --- the command-line tools --- */

/* Differences of integers wrap around, and inf / inf is NaN, which is over no tolerance. */
static bool h5diff(const rg_tool_pair *v, const double *p)
{
	const unsigned bits = bits_of(v->from),
		       own = bits < 32 && !is_unsigned(v->from) ? 32 : bits;
	const double least = bits ? DBL_MIN : DBL_EPSILON;
	double off = fabs(rounded(v->both_f32, v->old - v->fresh));

	if (isnan(v->old) || isnan(v->fresh))
		return both_nan(v);
	if (bits && !(is_unsigned(v->from) && isnan(p[1])))
		off = (double)wrapped_distance(v->is, v->was, own, is_unsigned(v->from));
	if (!isnan(p[0]))
		return !(off > p[0]);
	/* With -p what is nearer to 0 than epsilon is 0. */
	if (!isnan(p[1]) && fabs(v->old) < least)
		return fabs(v->fresh) < least;
	if (!isnan(p[1]))
		return !(off / fabs(v->old) > p[1]);
	if (bits)
		return v->was == v->is;
	if (p[2] != 0)
		return off < (v->both_f32 ? FLT_EPSILON : DBL_EPSILON);
	return v->old == v->fresh && !signbit(v->old) == !signbit(v->fresh);
}

/* HDF5's classes: floats, integers with and without a sign, and booleans. */
static bool h5diff_types(rg_dtype old, rg_dtype fresh)
{
	return rg_dtype_is_float(old) == rg_dtype_is_float(fresh) &&
	       is_unsigned(old) == is_unsigned(fresh) &&
	       (old == RG_DTYPE_BOOL) == (fresh == RG_DTYPE_BOOL);
}

/* Equal bytes pass before any rule is asked. */
static bool same_bytes(const rg_tool_sums *s, const double *p, double *mean)
{
	(void)p;
	(void)mean;
	return s->same_bits;
}

/* NaN and infinite pixels become 1e20 first, and integers have no tolerance. */
static bool fitsdiff(const rg_tool_pair *v, const double *p)
{
	const bool f32 = v->both_f32;
	const double a = isfinite(v->old) ? v->old : rounded(f32, 1e20);
	const double b = isfinite(v->fresh) ? v->fresh : rounded(f32, 1e20);

	if (bits_of(v->from) || v->from != v->to)
		return v->from == v->to && (v->was == v->is || both_nan(v));
	if (p[0] == 0 && p[1] == 0)
		return a == b;
	return fabs(rounded(f32, a - b)) <=
	       rounded(f32, rounded(f32, p[1]) + rounded(f32, rounded(f32, p[0]) * fabs(b)));
}

/* Neither a missing value nor a difference of other signs, or from 0, has a relative size; one that
 * reaches the limit fails, so that a limit of 0 passes nothing. */
static bool cdo_diffn(const rg_tool_pair *v, const double *p)
{
	const double off = fabs(v->old - v->fresh), most = fmax(fabs(v->old), fabs(v->fresh));
	if (rg_is_masked(v->old) || rg_is_masked(v->fresh))
		return rg_is_masked(v->old) && rg_is_masked(v->fresh);
	if (isnan(v->old) || isnan(v->fresh) || p[1] == 0)
		return p[1] != 0;
	return !(off > p[0]) && !(v->old * v->fresh > 0 && off / most >= p[1]);
}

/* A value's decimal digits, which numdiff computes with. */
static long double decimal_of(double value, long double exact, rg_dtype type)
{
	char text[RG_DOUBLE_REPR_SIZE];
	if (!rg_dtype_is_float(type) || exact != (long double)value)
		return exact;
	rg_double_repr(value, text);
	return strtold(text, NULL);
}

/* One tolerance is enough without strict; the relative one is of the smaller value. */
static bool numdiff(const rg_tool_pair *v, const double *p)
{
	if (!isfinite(v->old) || !isfinite(v->fresh))
		return v->old == v->fresh || both_nan(v);
	const long double old = decimal_of(v->old, v->was, v->from);
	const long double fresh = decimal_of(v->fresh, v->is, v->to);
	const long double off = fabsl(old - fresh), least = fminl(fabsl(old), fabsl(fresh));
	const long double most = fmaxl(fabsl(old), fabsl(fresh));
	const long double slack = v->both_whole ? 0 : LDBL_EPSILON * most;
	if (off == 0)
		return true;
	const long double most_abs = decimal_of(p[0], p[0], RG_DTYPE_FLOAT64);
	const long double most_rel = decimal_of(p[1], p[1], RG_DTYPE_FLOAT64);
	const bool by_abs = p[0] > 0 && off <= most_abs + slack;
	const bool by_rel = p[1] > 0 && least > 0 && off <= most_rel * least + slack;
	return p[2] != 0 ? by_abs && by_rel : by_abs || by_rel;
}

/* --- the table --- */

#define NUMPY      "numpy 1.24.2"
#define SHAPE(x)   .shape = RG_SHAPE_##x
#define HAS(x)     .traits = (x)
#define TAKES(...) .parameters = {__VA_ARGS__}
/* clang-format off */
#define RULE(name_, follows_, equal_, ...) \
	{.name = (name_), .follows = (follows_), .equal = (equal_), __VA_ARGS__}
enum { DATA = RG_TOOL_DATA, ARRAYS = RG_TOOL_DATA | RG_TOOL_MASKS };
static const rg_tool_rule rules[] = {
	RULE("megatron", NULL, NULL, SHAPE(SAME)),
	RULE("numpy-allclose", NUMPY, near, HAS(ARRAYS), SHAPE(STRETCHED),
	     TAKES({"rtol", 1e-5}, {"atol", 1e-8}, {"equal-nan", 0})),
	RULE("numpy-testing-allclose", NUMPY, near, HAS(ARRAYS), SHAPE(SCALAR),
	     TAKES({"rtol", 1e-7}, {"atol", 0}, {"equal-nan", 1})),
	RULE("numpy-testing-array_equal", NUMPY, array_equal, HAS(ARRAYS), SHAPE(SCALAR)),
	RULE("numpy-testing-almost_equal", NUMPY, almost_equal, HAS(ARRAYS), SHAPE(SCALAR),
	     TAKES({"decimal", 6})),
	RULE("numpy-testing-max_ulp", NUMPY, max_ulp, HAS(DATA | RG_TOOL_RAW), TAKES({"maxulp", 1})),
	RULE("math-isclose", "Python 3.11.2", math_isclose, TAKES({"rel-tol", 1e-9}, {"abs-tol", 0})),
	RULE("pytest-approx", "pytest 7.2.1", pytest_approx,
	     TAKES({"rel", NAN}, {"abs", NAN}, {"nan-ok", 0})),
	RULE("pytest-regressions", "pytest-regressions 2.4.1", pytest_regressions,
	     TAKES({"rtol", 1e-5}, {"atol", 1e-8}, {NULL, 1})),
	RULE("pandas-frame", "pandas 1.5.3", pandas_frame,
	     TAKES({"rtol", 1e-5}, {"atol", 1e-8}, {"check-exact", 0}, {"check-dtype", 1},
		   [RG_TOOL_BY_NAME] = {"check-like", 0})),
	RULE("xarray", "xarray 2023.01.0", near, HAS(DATA | RG_TOOL_DIMENSIONS),
	     TAKES({"rtol", 1e-5}, {"atol", 1e-8}, {NULL, 1})),
	RULE("xarray-equal", "xarray 2023.01.0", array_equal, HAS(DATA | RG_TOOL_DIMENSIONS)),
	RULE("r-all.equal", "R 4.2.2", double_equal, .whole = all_equal, TAKES({"tolerance", 0x1p-26})),
	RULE("testthat", "testthat 3.1.6 (edition 3)", double_equal, .whole = testthat,
	     TAKES({"tolerance", 0x1p-26})),
	RULE("octave-assert", "Octave 7.3.0", octave_assert, HAS(RG_TOOL_NA), TAKES({"tol", NAN})),
	RULE("h5diff", "h5diff 1.10.8", h5diff, .whole = same_bytes, HAS(RG_TOOL_RAW), SHAPE(SKIPPED),
	     .types = h5diff_types, TAKES({"d", NAN}, {"p", NAN}, {"use-system-epsilon", 0})),
	RULE("fitsdiff", "astropy 5.2.1", fitsdiff, TAKES({"r", 0}, {"a", 0})),
	RULE("cdo-diffn", "cdo 2.1.1", cdo_diffn, HAS(DATA | RG_TOOL_SCALARS),
	     TAKES({"abslim", 0}, {"rellim", 1})),
	RULE("numdiff", "numdiff 5.9.0", numdiff, TAKES({"a", 0}, {"r", 0}, {"strict", 0})),
	RULE("jest-close", "jest 30.5.2", to_be_close, TAKES({"precision", 2})),
	RULE("jest-equal", "jest 30.5.2", to_equal, SHAPE(SAME)),
	RULE("node-equal", "Node 20.20", node_equal, SHAPE(SAME)),
};
/* clang-format on */

const rg_tool_rule *rg_tool_rule_find(const char *name)
{
	size_t i = 0;
	while (i < sizeof(rules) / sizeof(*rules) && strcasecmp(rules[i].name, name) != 0)
		i++;
	return i < sizeof(rules) / sizeof(*rules) ? &rules[i] : NULL;
}
