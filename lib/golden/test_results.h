/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_GOLDEN_TEST_RESULTS_H
#define REGILD_GOLDEN_TEST_RESULTS_H

#include <stdbool.h>
#include <string.h>

/*
 * Results of tests, in goldens of formats that have any (rg_format.has_results): the text
 * TEST/Result or TEST/SUBTEST/Result of RG_SCALE_RESULT is "Pass", "Skip", or "Fail" with what
 * failed after a colon.
 *
 * A process that crashed, and a test that was skipped, has no subtests: it is a test as a whole.
 * Compared with a run that has its subtests, its result is that of each of them.
 */

/* Is the name "TEST/SUBTEST", of so many bytes, of a subtest of that test? */
static inline bool rg_is_subtest_of(const char *name, size_t length, const char *test,
				    size_t test_length)
{
	return length > test_length + 1 && !memcmp(name, test, test_length) &&
	       name[test_length] == '/' &&
	       !memchr(name + test_length + 1, '/', length - test_length - 1);
}

#endif
