/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "base/buf.h"
#include "golden/yaml_scalar.h"

#include <math.h>

typedef struct {
	int type;
	double value;
} reading;

/* clang-format off */
#define TEXT      {cJSON_String, 0}
#define NUMBER(x) {cJSON_Number, x}
#define YES       {cJSON_True, 0}
#define NO        {cJSON_False, 0}
#define NOTHING   {cJSON_NULL, 0}

/* PyYAML 6.0 and npm's yaml 2.9.1 read them so. */
static const struct {
	const char *text;
	reading by_1_1, by_1_2;
} table[] = {
	{"1e5", TEXT, NUMBER(100000)},
	{"1e-7", TEXT, NUMBER(1e-07)},
	{"1E5", TEXT, NUMBER(100000)},
	{"1.5e3", TEXT, NUMBER(1500)},
	{"1.5e+3", NUMBER(1500), NUMBER(1500)},
	{"1.0e-07", NUMBER(1e-07), NUMBER(1e-07)},
	{"1.e+5", NUMBER(100000), NUMBER(100000)},
	{"1.e5", TEXT, NUMBER(100000)},
	{".5", NUMBER(0.5), NUMBER(0.5)},
	{"-.5", TEXT, NUMBER(-0.5)},
	{"+.5", TEXT, NUMBER(0.5)},
	{".5e+3", NUMBER(500), NUMBER(500)},
	{".", TEXT, TEXT},
	{".e+5", TEXT, TEXT},
	{"1.", NUMBER(1), NUMBER(1)},
	{"-1.", NUMBER(-1), NUMBER(-1)},
	{"+1", NUMBER(1), NUMBER(1)},
	{"12:30", NUMBER(750), TEXT},
	{"-12:30", NUMBER(-750), TEXT},
	{"1:60", TEXT, TEXT},
	{"190:20:30", NUMBER(685230), TEXT},
	{"190:20:30.15", NUMBER(685230.15), TEXT},
	{"0:30", TEXT, TEXT},
	{"0:30.5", NUMBER(30.5), TEXT},
	{"012:30", TEXT, TEXT},
	{"12:3", NUMBER(723), TEXT},
	{"1:2:3", NUMBER(3723), TEXT},
	{"1:234", TEXT, TEXT},
	{"017", NUMBER(15), NUMBER(17)},
	{"-017", NUMBER(-15), NUMBER(-17)},
	{"+017", NUMBER(15), NUMBER(17)},
	{"08", TEXT, NUMBER(8)},
	{"0_7", NUMBER(7), TEXT},
	{"00", NUMBER(0), NUMBER(0)},
	{"0", NUMBER(0), NUMBER(0)},
	{"-0", NUMBER(0), NUMBER(-0.0)},
	{"1_000", NUMBER(1000), TEXT},
	{"1_000.5", NUMBER(1000.5), TEXT},
	{"1__0", NUMBER(10), TEXT},
	{"_1", TEXT, TEXT},
	{"1_", NUMBER(1), TEXT},
	{"0_", NUMBER(0), TEXT},
	{"0o17", TEXT, NUMBER(15)},
	{"0O17", TEXT, TEXT},
	{"0x1f", NUMBER(31), NUMBER(31)},
	{"0x1F", NUMBER(31), NUMBER(31)},
	{"0X1F", TEXT, TEXT},
	{"-0x1f", NUMBER(-31), TEXT},
	{"0x_1f", NUMBER(31), TEXT},
	{"0x", TEXT, TEXT},
	{"0b101", NUMBER(5), TEXT},
	{"-0b101", NUMBER(-5), TEXT},
	{"0b12", TEXT, TEXT},
	{"0b", TEXT, TEXT},
	{"0o8", TEXT, TEXT},
	{"+.NaN", TEXT, TEXT},
	{".NaN", NUMBER(NAN), NUMBER(NAN)},
	{".nan", NUMBER(NAN), NUMBER(NAN)},
	{"-.inf", NUMBER(-INFINITY), NUMBER(-INFINITY)},
	{"+.inf", NUMBER(INFINITY), NUMBER(INFINITY)},
	{".INF", NUMBER(INFINITY), NUMBER(INFINITY)},
	{".iNF", TEXT, TEXT},
	{"inf", TEXT, TEXT},
	{"nan", TEXT, TEXT},
	{"Infinity", TEXT, TEXT},
	{"NaN", TEXT, TEXT},
	{"1.5D+03", TEXT, TEXT},
	{"0.1000-119", TEXT, TEXT},
	{"yes", YES, TEXT},
	{"Yes", YES, TEXT},
	{"YES", YES, TEXT},
	{"yEs", TEXT, TEXT},
	{"no", NO, TEXT},
	{"on", YES, TEXT},
	{"On", YES, TEXT},
	{"off", NO, TEXT},
	{"OFF", NO, TEXT},
	{"y", TEXT, TEXT},
	{"n", TEXT, TEXT},
	{"true", YES, YES},
	{"True", YES, YES},
	{"tRue", TEXT, TEXT},
	{"false", NO, NO},
	{"null", NOTHING, NOTHING},
	{"Null", NOTHING, NOTHING},
	{"NULL", NOTHING, NOTHING},
	{"~", NOTHING, NOTHING},
	{"None", TEXT, TEXT},
	{"2024-01-02", TEXT, TEXT},
	{"1.2.3", TEXT, TEXT},
	{"1,000", TEXT, TEXT},
	{"12345678901234567890", NUMBER(1.2345678901234567e+19), NUMBER(1.2345678901234567e+19)},
	{"0123", NUMBER(83), NUMBER(123)},
	{"9007199254740993", NUMBER(9007199254740992), NUMBER(9007199254740992)},
	{"1e400", TEXT, NUMBER(INFINITY)},
	{"-1e400", TEXT, NUMBER(-INFINITY)},
	{"1.5e+400", NUMBER(INFINITY), NUMBER(INFINITY)},
	{"5e-324", TEXT, NUMBER(5e-324)},
	{"4.9e-324", NUMBER(5e-324), NUMBER(5e-324)},
	{"1:2_3", TEXT, TEXT},
	{"1_0:20", NUMBER(620), TEXT},
	{"1:20._5", NUMBER(80.5), TEXT},
	{"1.5_e+3", NUMBER(1500), TEXT},
	{"1._", NUMBER(1), TEXT},
	{"._5", TEXT, TEXT},
	{"1.5e+_3", TEXT, TEXT},
	{"-.5e+3", TEXT, NUMBER(-500)},
	{"1e+5", TEXT, NUMBER(100000)},
	{"0.0", NUMBER(0), NUMBER(0)},
	{"-0.0", NUMBER(-0.0), NUMBER(-0.0)},
	{"0e0", TEXT, NUMBER(0)},
	{"0.e+0", NUMBER(0), NUMBER(0)},
	{"+1_0", NUMBER(10), TEXT},
	{"--1", TEXT, TEXT},
	{"+-1", TEXT, TEXT},
	{"0x1_f", NUMBER(31), TEXT},
	{"0_b1", TEXT, TEXT},
	{"1e", TEXT, TEXT},
	{"1e+", TEXT, TEXT},
	{".1.", TEXT, TEXT},
	{"1..2", TEXT, TEXT},
	{"1:1:1:1:1:1:1", NUMBER(47446779661), TEXT},
};
/* clang-format on */

static void assert_reads(const char *text, bool as_1_2, reading expected)
{
	RG_AUTO_PTR(cJSON) is = rg_yaml_scalar_read(text, as_1_2);
	if (expected.type == cJSON_Number && isnan(expected.value)) {
		assert_string_equal(cJSON_GetStringValue(is), RG_JSON_NAN);
		return;
	}
	const double value = expected.type == cJSON_Number ? is->valuedouble : 0;
	if ((is->type & 0xff) != expected.type || value != expected.value ||
	    signbit(value) != signbit(expected.value))
		fail_msg("'%s' by %s: type %d, %.17g, not %d, %.17g", text, as_1_2 ? "1.2" : "1.1",
			 is->type, value, expected.type, expected.value);
	if (expected.type == cJSON_String)
		assert_string_equal(is->valuestring, text);
}

TEST(readers_agree)
{
	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++) {
		assert_reads(table[i].text, false, table[i].by_1_1);
		assert_reads(table[i].text, true, table[i].by_1_2);
	}
	assert_reads("", false, (reading)NOTHING);
}

TEST(long_numbers)
{
	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_TEXT);
	for (int i = 0; i < 1000; i++)
		rg_buf_str(&text, i ? ":59" : "1");
	assert_reads(text.data, false, (reading)NUMBER(INFINITY));
	assert_reads(text.data, true, (reading)TEXT);
	rg_buf_clear(&text);
	for (int i = 0; i < 1000; i++)
		rg_buf_str(&text, i ? "_0" : "1");
	assert_reads(text.data, false, (reading)NUMBER(INFINITY));
}

/* Digits that no double holds are kept, but not those of an octal number. */
TEST(digits)
{
	static const char digits[] = "123456789012345678901", octal[] = "0123456701234567012345";
	for (int as_1_2 = 0; as_1_2 < 2; as_1_2++) {
		RG_AUTO_PTR(cJSON) whole = rg_yaml_scalar_read(digits, as_1_2);
		RG_AUTO_PTR(cJSON) zero = rg_yaml_scalar_read(octal, as_1_2);
		assert_string_equal(whole->valuestring, digits);
		assert_int_equal(zero->valuestring != NULL, as_1_2);
	}
}
