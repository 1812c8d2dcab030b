/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include <errno.h>
#include <string.h>

TEST(message_and_code)
{
	assert_error(rg_error_new(RG_E_PARSE, "line %d: no", 3), RG_E_PARSE, "line 3: no");
}

TEST(io_keeps_errno)
{
	rg_error *err = rg_error_io(ENOSPC, "a/%s", "b");

	assert_int_equal(rg_error_errno(err), ENOSPC);
	assert_string_equal(rg_error_message(err), "a/b: No space left on device");
	rg_error_free(err);
}

TEST(unknown_errno_has_its_number)
{
	char text[RG_ERRNO_TEXT];

	assert_string_equal(rg_errno_text(ENOENT, text), "No such file or directory");
	assert_ptr_equal(rg_errno_text(ENOENT, text), text);
	assert_non_null(strstr(rg_errno_text(123456, text), "123456"));
}

TEST(wrap_keeps_what_is_below)
{
	rg_error *err = rg_error_io(EACCES, "x");

	err = rg_error_wrap(err, "while reading %d", 7);
	assert_int_equal(rg_error_errno(err), EACCES);
	assert_error(err, RG_E_IO, "while reading 7: x: Permission denied");
	assert_null(rg_error_wrap(NULL, "nothing"));
}

TEST(subject_dropped)
{
	rg_error *err = rg_error_io(EACCES, "a/b");

	err = rg_error_drop_subject(err, "a");
	assert_string_equal(rg_error_message(err), "a/b: Permission denied");
	err = rg_error_drop_subject(err, "a/b");
	assert_int_equal(rg_error_errno(err), EACCES);
	assert_error(err, RG_E_IO, "Permission denied");
	assert_null(rg_error_drop_subject(NULL, "a"));
}

TEST(first_wins)
{
	rg_error *one = rg_error_new(RG_E_NET, "one");

	assert_ptr_equal(rg_error_first(one, rg_error_new(RG_E_IO, "two")), one);
	assert_ptr_equal(rg_error_first(NULL, one), one);
	assert_ptr_equal(rg_error_first(one, NULL), one);
	rg_error_free(one);
}
