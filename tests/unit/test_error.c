/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include <errno.h>
#include <string.h>

static void test_message_and_code(void **state)
{
	(void)state;
	assert_error(rg_error_new(RG_E_PARSE, "line %d: no", 3), RG_E_PARSE, "line 3: no");
}

static void test_io_keeps_errno(void **state)
{
	rg_error *err = rg_error_io(ENOSPC, "a/%s", "b");

	(void)state;
	assert_int_equal(rg_error_errno(err), ENOSPC);
	assert_string_equal(rg_error_message(err), "a/b: No space left on device");
	rg_error_free(err);
}

static void test_unknown_errno_has_its_number(void **state)
{
	char text[RG_ERRNO_TEXT];

	(void)state;
	assert_string_equal(rg_errno_text(ENOENT, text), "No such file or directory");
	assert_ptr_equal(rg_errno_text(ENOENT, text), text);
	assert_non_null(strstr(rg_errno_text(123456, text), "123456"));
}

static void test_wrap_keeps_what_is_below(void **state)
{
	rg_error *err = rg_error_io(EACCES, "x");

	(void)state;
	err = rg_error_wrap(err, "while reading %d", 7);
	assert_int_equal(rg_error_errno(err), EACCES);
	assert_error(err, RG_E_IO, "while reading 7: x: Permission denied");
	assert_null(rg_error_wrap(NULL, "nothing"));
}

static void test_subject_dropped(void **state)
{
	rg_error *err = rg_error_io(EACCES, "a/b");

	(void)state;
	err = rg_error_drop_subject(err, "a");
	assert_string_equal(rg_error_message(err), "a/b: Permission denied");
	err = rg_error_drop_subject(err, "a/b");
	assert_int_equal(rg_error_errno(err), EACCES);
	assert_error(err, RG_E_IO, "Permission denied");
	assert_null(rg_error_drop_subject(NULL, "a"));
}

static void test_first_wins(void **state)
{
	rg_error *one = rg_error_new(RG_E_NET, "one");

	(void)state;
	assert_ptr_equal(rg_error_first(one, rg_error_new(RG_E_IO, "two")), one);
	assert_ptr_equal(rg_error_first(NULL, one), one);
	assert_ptr_equal(rg_error_first(one, NULL), one);
	rg_error_free(one);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_message_and_code),
		cmocka_unit_test(test_io_keeps_errno),
		cmocka_unit_test(test_unknown_errno_has_its_number),
		cmocka_unit_test(test_wrap_keeps_what_is_below),
		cmocka_unit_test(test_subject_dropped),
		cmocka_unit_test(test_first_wins),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
