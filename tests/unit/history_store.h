/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_TESTS_HISTORY_STORE_H
#define REGILD_TESTS_HISTORY_STORE_H

/*
 * What tests of every store of runs begin and end with. REGILD_TEST_HISTORY is the address of an
 * empty one; without it, it is an SQLite file (tests/cluster/run.sh).
 */
#include "unit/history_runs.h"

#include "base/file.h"

#include <stdio.h>
#include <unistd.h>

static void reopen(void)
{
	const char *address = getenv("REGILD_TEST_HISTORY");

	rg_history_close(history);
	assert_success(rg_history_open(&history, address ? address : path, NULL));
}

static void drop(const rg_history_run *runs, size_t count)
{
	uint64_t freed;

	assert_success(rg_history_remove(history, runs, count, false, &freed));
}

static void clear(void)
{
	size_t count;
	rg_history_run *runs = list(NULL, &count);

	drop(runs, count);
	assert_int_equal(count_runs(), 0);
}

FIXTURE(stop)
{
	clear();
	rg_history_close(history);
	rg_arena_release(&arena);
	rg_error_free(rg_remove_tree(folder));
	return 0;
}

#endif
