/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/unit.h"

#include <stdlib.h>

enum { MOST = 256 };

static struct {
	int line;
	unit_kind kind;
	struct CMUnitTest test;
} entries[MOST];
static size_t count;

/* Compilers may run constructors in any order: entries are kept in the order of their lines. */
void unit_register(int line, unit_kind kind, struct CMUnitTest test)
{
	size_t at = count++;

	if (count > MOST)
		abort();
	for (; at && entries[at - 1].line > line; at--)
		entries[at] = entries[at - 1];
	entries[at].line = line;
	entries[at].kind = kind;
	entries[at].test = test;
}

int unit_run(void)
{
	struct CMUnitTest tests[MOST], each = {0}, group = {0};
	size_t n = 0;
	int failed = 0;

	for (size_t i = 0; i <= count; i++) {
		if (i < count && entries[i].kind == UNIT_TEST) {
			tests[n] = entries[i].test;
			if (!tests[n].setup_func && !tests[n].teardown_func) {
				tests[n].setup_func = each.setup_func;
				tests[n].teardown_func = each.teardown_func;
			}
			n++;
		} else if (i < count && entries[i].kind == UNIT_EACH) {
			each = entries[i].test;
		} else {
			if (n)
				failed += _cmocka_run_group_tests(
					"tests", tests, n, group.setup_func, group.teardown_func);
			n = 0;
			group = i < count ? entries[i].test : group;
		}
	}
	return failed;
}

/* A program that has to do something around its tests has a main of its own. */
__attribute__((weak)) int main(void)
{
	return unit_run();
}
