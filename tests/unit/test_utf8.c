#include "unit/unit.h"

#include "base/utf8.h"

#include <string.h>

static void test_length(void **state)
{
	(void)state;
	assert_int_equal(rg_utf8_length("a", 1), 1);
	assert_int_equal(rg_utf8_length("\xc3\xa9", 2), 2);
	assert_int_equal(rg_utf8_length("\xe2\x82\xac", 3), 3);
	assert_int_equal(rg_utf8_length("\xf0\x9f\x98\x80", 4), 4);
	assert_int_equal(rg_utf8_length("", 0), 0);
	assert_int_equal(rg_utf8_length("\xc3", 1), 0);             /* cut off */
	assert_int_equal(rg_utf8_length("\xc0\x80", 2), 0);         /* overlong */
	assert_int_equal(rg_utf8_length("\xe0\x80\x80", 3), 0);     /* overlong */
	assert_int_equal(rg_utf8_length("\xf0\x80\x80\x80", 4), 0); /* overlong */
	assert_int_equal(rg_utf8_length("\xed\xa0\x80", 3), 0);     /* a surrogate */
	assert_int_equal(rg_utf8_length("\xf4\x90\x80\x80", 4), 0); /* past U+10FFFF */
	assert_int_equal(rg_utf8_length("\x80", 1), 0);
	assert_int_equal(rg_utf8_length("\xff", 1), 0);
}

static void test_safe(void **state)
{
	static const char hostile[] = "a\x1b[2J\xc2\x9b\xff\xc3\xa9\0b\x7f";
	rg_buf buf;

	(void)state;
	rg_buf_init(&buf, 1000);
	assert_int_equal(rg_utf8_add_safe(&buf, hostile, sizeof(hostile) - 1), 30);
	assert_string_equal(buf.data, "a\\x1b[2J\\xc2\\x9b\\xff\xc3\xa9\\x00b\\x7f");
	rg_buf_release(&buf);
}

static void test_valid(void **state)
{
	static const char broken[] = "\xffok\xc3";
	rg_buf buf;

	(void)state;
	rg_buf_init(&buf, 1000);
	rg_utf8_add_valid(&buf, broken, sizeof(broken) - 1);
	assert_string_equal(buf.data, "\xef\xbf\xbdok\xef\xbf\xbd");
	rg_buf_release(&buf);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_length),
		cmocka_unit_test(test_safe),
		cmocka_unit_test(test_valid),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
