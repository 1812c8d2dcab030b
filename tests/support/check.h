/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_TESTS_CHECK_H
#define REGILD_TESTS_CHECK_H

/* Errors in cmocka's programs. */

#include "unit/unit.h"

#include "base/error.h"

static inline void no_error(rg_error *err)
{
	if (err)
		fail_msg("%s", rg_error_message(err));
}

/* Frees the error. */
static inline void is_error(rg_error *err, rg_error_code code, const char *message)
{
	assert_non_null(err);
	assert_string_equal(rg_error_message(err), message);
	assert_int_equal(rg_error_get_code(err), code);
	rg_error_free(err);
}

#endif
