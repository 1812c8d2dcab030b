/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_TESTS_POLICY_OF_H
#define REGILD_TESTS_POLICY_OF_H

#include "unit.h"

#include "compare/policy.h"

/* "PATTERN KEY VALUE" triples, ended by NULL. */
static inline rg_policy *policy_of(const char *const *triples)
{
	rg_policy *policy;

	policy = rg_policy_new();
	for (; *triples; triples += 3) {
		rg_error *err = rg_policy_set(policy, triples[0], triples[1], triples[2]);

		if (err)
			fail_msg("%s", rg_error_message(err));
	}
	return policy;
}

#define POLICY(...) policy_of((const char *const[]){__VA_ARGS__, NULL})

#endif
