/* SPDX-License-Identifier: Apache-2.0 */
/* The rules of tools on pairs of arrays. Each verdict is what the tool itself said, in the version
 * that the rule follows; tests/parts/rules.sh runs the tools on generated pairs, and
 * tests/cli/compare/rules.sh has tables and lists. */
#include "unit.h"

#include "compare/checks.h"
#include "golden/tensor.h"
#include "support/tensor_golden.h"

#include <math.h>
#include <string.h>

typedef struct {
	rg_dtype type;
	size_t count;
	const void *values;
} side;

#define SIDE(type, c, ...)                                                      \
	{                                                                       \
		type, sizeof((const c[]){__VA_ARGS__}) / sizeof(c), (const c[]) \
		{                                                               \
			__VA_ARGS__                                             \
		}                                                               \
	}
#define F8(...) SIDE(RG_DTYPE_FLOAT64, double, __VA_ARGS__)
#define F4(...) SIDE(RG_DTYPE_FLOAT32, float, __VA_ARGS__)
#define I8(...) SIDE(RG_DTYPE_INT64, int64_t, __VA_ARGS__)
#define I4(...) SIDE(RG_DTYPE_INT32, int32_t, __VA_ARGS__)
#define U1(...) SIDE(RG_DTYPE_UINT8, uint8_t, __VA_ARGS__)

enum { PAIRS = 25 };
/* The old or expected array comes first. */
static const side pairs[PAIRS][2] = {
	{F8(NAN, 1), F8(NAN, 1)},
	{F8(NAN, 1), F8(3, 1)},
	{F8(3, 1), F8(NAN, 1)},
	{F8(INFINITY, 1), F8(INFINITY, 1)},
	{F8(INFINITY, 1), F8(-INFINITY, 1)},
	{F8(1, 2.5), F8(INFINITY, 2.5)},
	{F8(INFINITY, 2.5), F8(1, 2.5)},
	{F8(0, 1.5), F8(-0.0, 1.5)},
	{F8(0, 1.5), F8(1e-12, 1.5)},
	{F8(1e-12, 1.5), F8(0, 1.5)},
	{F8(1.5, 2), F8(1.500001, 2)},
	{F8(1.5, 2), F8(1.5002, 2)},
	{F8(1.5, 2, 3), F8(1.5, 2)},
	{F8(1.5, 2), F8(2, 1.5)},
	{{RG_DTYPE_FLOAT64, 0, ""}, F8(5)},
	{F4(1.5F, 2), F8(1.5, 2)},
	{I8(9007199254740992, 1), I8(9007199254740993, 1)},
	{I4(INT32_MIN), I4(INT32_MAX)},
	{I8(1, 2), F8(1, 2)},
	{U1(201, 7), U1(200, 7)},
	{F4(1.5F), F4(1.5000001F)},
	{F8(1e-3, 1e6), F8(2e-3, 1000000.000001)},
	{F8(1.7e308), F8(-1.7e308)},
	{F8(1e20), F8(NAN)},
	{F8(2), F8(2.0000000000000004)},
};

/* Of each pair: 'y' passes, '-' fails, '?' the tool was not asked. */
static const struct {
	const char *rule, *parameters, *verdicts;
} said[] = {
	{"numpy-allclose", "", "---y---yyyy---yyy-y-y---y"},
	{"numpy-allclose", "rtol=0.01 atol=1e-6 equal-nan=yes", "y--y---yyyyy--yyy-yyy---y"},
	{"numpy-allclose", "rtol=0 atol=0", "---y---y------yyy-y------"},
	{"numpy-testing-allclose", "", "y--y---y-------yy-y-y---y"},
	{"numpy-testing-allclose", "rtol=1e-3 atol=1e-12", "y--y---yyyyy---yy-y-y---y"},
	{"numpy-testing-array_equal", "", "y--y---y-------y--y------"},
	{"numpy-testing-almost_equal", "", "y--y---yyyy----yy-y-y---y"},
	{"numpy-testing-almost_equal", "decimal=2", "y--y---yyyyy---yy-y-yy--y"},
	{"numpy-testing-max_ulp", "", "y--y---y-------yy-y-y---y"},
	{"numpy-testing-max_ulp", "maxulp=4", "y--y---y-------yy-y-y---y"},
	{"math-isclose", "", "---y---y-------yy-y-----y"},
	{"math-isclose", "rel-tol=1e-3 abs-tol=1e-6", "---y---yyyyy---yy-y-y---y"},
	{"pytest-approx", "", "---y---yyyy----yy-y-y---y"},
	{"pytest-approx", "rel=1e-3", "---y---yyyyy---yy-y-y---y"},
	{"pytest-approx", "abs=1e-6", "---y---yyyy----y--y-y---y"},
	{"pytest-approx", "rel=0.01 abs=1e-8 nan-ok=yes", "y--y---yyyyy---yy-yyy---y"},
	{"pytest-approx", "rel=0 abs=0", "---y---y-------y--y------"},
	{"pytest-regressions", "", "y--y---yyyy----y--y-y---y"},
	{"pytest-regressions", "rtol=1e-3 atol=0", "y--y---y--yy---y--y-y---y"},
	{"pandas-frame", "", "y--y---yyyy-----y---y---y"},
	{"pandas-frame", "check-exact=yes", "y--y---y-----------------"},
	{"pandas-frame", "rtol=0.01 atol=1e-3 check-dtype=no", "y--y---yyyyy---yy-yyyy--y"},
	{"xarray", "", "y--y---yyyy----yy-y-y---y"},
	{"xarray", "rtol=0.01 atol=0", "y--y---y--yy---yy-yyy---y"},
	{"xarray-equal", "", "y--y---y-------y--y------"},
	{"r-all.equal", "", "y--y---yyy-----yy-y--y--y"},
	{"r-all.equal", "tolerance=0.01", "y--y---yyyyy---yy-yyyy--y"},
	{"testthat", "", "y--y---yyy-----yy-y--y--y"},
	{"testthat", "tolerance=0.01", "y--y---yyyyy---yy-yyyy--y"},
	{"octave-assert", "", "y--y---y-----------------"},
	{"octave-assert", "tol=1e-6", "y--y---yyyy----y--yyy---y"},
	{"octave-assert", "tol=-1e-3", "y--y---yy-yy---yy-yyy---y"},
	{"h5diff", "", "y--y--------y-yy--y------"},
	{"h5diff", "d=1e-6", "y--y---yyyy-y-yy--y-y---y"},
	{"h5diff", "d=1", "y--y---yyyyyyyyyyyyyyy--y"},
	{"h5diff", "p=1e-3", "y--yy-yy--yyy-yyyyy-y---y"},
	{"h5diff", "use-system-epsilon=yes", "y--y---y----y-yy--y------"},
	{"fitsdiff", "", "y--yy--y---------------y-"},
	{"fitsdiff", "r=1e-3 a=1e-8", "y--yy--yyyyy--------y--yy"},
	{"cdo-diffn", "", "yyyy---y------?yy-y----y-"},
	{"cdo-diffn", "abslim=1e-6", "yyyy---yyyy-?-?yy-y-y--yy"},
	{"cdo-diffn", "abslim=0.01 rellim=1e-3", "yyyy---yyyyy?-?yy-y-y--yy"},
	{"numdiff", "", "y--y---y-------y--y------"},
	{"numdiff", "a=1e-6 r=1e-3", "y--y---yyyyy---yy-y-y---y"},
	{"numdiff", "a=0.01 r=0.1 strict=yes", "y--y---y--yy---y--y-y---y"},
	{"jest-close", "", "---y---yyyyy---yy-y-yy--y"},
	{"jest-close", "precision=5", "---y---yyyy----yy-y-y---y"},
	{"jest-equal", "", "y--y---------------------"},
	{"node-equal", "", "---y---y-----------------"},
};

static void make_golden(rg_golden *golden, const side *s)
{
	rg_tensor tensor = {.dtype = s->type,
			    .dimensions = 1,
			    .shape = {(int64_t)s->count},
			    .big_endian = !rg_dtype_is_host_order(s->type, false),
			    .data = s->values,
			    .size = s->count * rg_dtype_size(s->type)};

	*golden = (rg_golden){0};
	rg_arena_init(&golden->arena);
	rg_tensor_row_major(&tensor);
	assert_success(tensor_golden(golden, &tensor));
}

static void judge(rg_checks_result *out, const rg_checks *checks, const side pair[2])
{
	rg_checks_limits limits;
	rg_golden goldens[2];

	for (size_t i = 0; i < 2; i++)
		make_golden(&goldens[i], &pair[i]);
	rg_checks_resolve(&checks->items[0], "tensor", &limits);
	assert_success(rg_tool_rule_judge(out, &limits, goldens[0].metrics, goldens[1].metrics));
	for (size_t i = 0; i < 2; i++)
		rg_arena_release(&goldens[i].arena);
}

/* "rtol=0.01 atol=1e-6" */
static rg_checks *checks_of(const char *rule, const char *parameters)
{
	rg_checks *checks = rg_checks_new();
	char words[128], *rest = NULL;

	assert_success(rg_checks_set(checks, "c", "metric", (const char *[]){"*"}, 1));
	assert_success(rg_checks_set(checks, "c", "rule", &rule, 1));
	assert_true(strlen(parameters) < sizeof(words));
	memcpy(words, parameters, strlen(parameters) + 1);
	for (char *word = strtok_r(words, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
		char *sign = strchr(word, '=');
		*sign = '\0';
		assert_success(rg_checks_set(checks, "c", word, (const char *[]){sign + 1}, 1));
	}
	return checks;
}

TEST(verdicts)
{
	for (size_t k = 0; k < sizeof(said) / sizeof(*said); k++) {
		rg_checks *checks = checks_of(said[k].rule, said[k].parameters);
		char found[PAIRS + 1] = "";
		rg_checks_result out;

		for (size_t i = 0; i < PAIRS; i++) {
			judge(&out, checks, pairs[i]);
			found[i] = said[k].verdicts[i] == '?' ? '?' : out.passes ? 'y' : '-';
		}
		if (strcmp(found, said[k].verdicts) != 0)
			fail_msg("%s %s:\n%s, but the tool said\n%s", said[k].rule,
				 said[k].parameters, found, said[k].verdicts);
		rg_checks_free(checks);
	}
}

/* Counts what changed in kind, whether the rule passes it or not. */
TEST(kinds)
{
	static const struct {
		size_t pair, nan, inf, finite, lost, gained;
		bool retyped;
	} wanted[] = {{.pair = 0},
		      {.pair = 1, .finite = 1},
		      {.pair = 2, .nan = 1},
		      {.pair = 4, .inf = 1},
		      {.pair = 5, .inf = 1},
		      {.pair = 6, .finite = 1},
		      {.pair = 7},
		      {.pair = 12, .lost = 1},
		      {.pair = 13},
		      {.pair = 14, .gained = 1},
		      {.pair = 15, .retyped = true},
		      {.pair = 17},
		      {.pair = 18, .retyped = true},
		      {.pair = 23, .nan = 1}};
	rg_checks *checks = checks_of("numpy-allclose", "");

	for (size_t i = 0; i < sizeof(wanted) / sizeof(*wanted); i++) {
		rg_checks_result out;
		judge(&out, checks, pairs[wanted[i].pair]);
		assert_int_equal(out.now_nan, wanted[i].nan);
		assert_int_equal(out.now_inf, wanted[i].inf);
		assert_int_equal(out.now_finite, wanted[i].finite);
		assert_int_equal(out.lost, wanted[i].lost);
		assert_int_equal(out.gained, wanted[i].gained);
		assert_int_equal(out.retyped, wanted[i].retyped);
	}
	rg_checks_free(checks);
}
