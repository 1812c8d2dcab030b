/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_TESTS_UNIT_H
#define REGILD_TESTS_UNIT_H

/* cmocka wants these in front of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/error.h"

/* Fails the test with the error's message where there is one. */
#define assert_success(call)                                                    \
	do {                                                                    \
		rg_error *unit_err_ = (call);                                   \
		if (unit_err_)                                                  \
			fail_msg("%s: %s", #call, rg_error_message(unit_err_)); \
	} while (0)

/* Wants an error of that code and message, and frees it. */
#define assert_error(call, code, message)                                  \
	do {                                                               \
		rg_error *unit_err_ = (call);                              \
		if (!unit_err_)                                            \
			fail_msg("%s succeeded", #call);                   \
		assert_string_equal(rg_error_message(unit_err_), message); \
		assert_int_equal(rg_error_get_code(unit_err_), code);      \
		rg_error_free(unit_err_);                                  \
	} while (0)

/* Wants an error of that code, whatever its message, and frees it. */
#define assert_fails_with(call, code)                                 \
	do {                                                          \
		rg_error *unit_err_ = (call);                         \
		if (!unit_err_)                                       \
			fail_msg("%s succeeded", #call);              \
		assert_int_equal(rg_error_get_code(unit_err_), code); \
		rg_error_free(unit_err_);                             \
	} while (0)

#endif
