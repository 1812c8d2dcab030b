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

/*
 * A test registers itself, and the program runs its tests in the order of the file. Its argument is
 * `state`, as cmocka has it.
 *
 *	TEST(takes_empty_text) { ... }
 *	TEST_WITH(reads_back, set_up, tear_down) { ... }
 *	TEST_EACH(set_up, tear_down);     for each TEST of the file that follows
 *	TEST_GROUP(set_up, tear_down);    once, around the tests that follow
 *
 * A program that does something before or after them has its own main, which calls unit_run.
 */
typedef enum { UNIT_TEST, UNIT_EACH, UNIT_GROUP } unit_kind;

void unit_register(int line, unit_kind kind, struct CMUnitTest test);
/* How many failed. */
int unit_run(void);

#define UNIT_REGISTER(id, kind, ...)                                             \
	__attribute__((constructor)) static void register_##id(void)             \
	{                                                                        \
		unit_register(__LINE__, kind, (struct CMUnitTest){__VA_ARGS__}); \
	}
#define TEST_WITH(name, set_up, tear_down)                                                  \
	static void test_##name(void **state);                                              \
	UNIT_REGISTER(name, UNIT_TEST, "test_" #name, test_##name, set_up, tear_down, NULL) \
	static void test_##name(void **state __attribute__((unused)))
#define TEST(name) TEST_WITH(name, NULL, NULL)
/* A function that makes or removes what tests need; it returns 0, or the tests fail. */
#define FIXTURE(name) static int name(void **state __attribute__((unused)))
#define TEST_EACH(set_up, tear_down)                                               \
	UNIT_REGISTER(each_##set_up, UNIT_EACH, "", NULL, set_up, tear_down, NULL) \
	struct CMUnitTest
#define TEST_GROUP(set_up, tear_down)                                                \
	UNIT_REGISTER(group_##set_up, UNIT_GROUP, "", NULL, set_up, tear_down, NULL) \
	struct CMUnitTest

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
