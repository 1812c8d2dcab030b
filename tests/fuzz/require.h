/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_FUZZ_REQUIRE_H
#define REGILD_FUZZ_REQUIRE_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

/* What must hold for every input; a fuzzer sees the abort. */
static inline void require(bool holds, const char *what)
{
	if (holds)
		return;
	fprintf(stderr, "does not hold: %s\n", what);
	abort();
}

#endif
