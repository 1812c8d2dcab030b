/* SPDX-License-Identifier: Apache-2.0 */
/* Parts are done once each, whoever does them, and the first error stops the rest. */
#include "unit.h"

#include "base/thread.h"

#include <stdatomic.h>

enum { PARTS = 1000, WORKERS = 4 };

typedef struct {
	atomic_int done[PARTS];
	int by_worker[WORKERS]; /* without a lock: one call at a time for each */
	size_t fails_at;        /* PARTS: none */
} work;

static rg_error *do_part(void *context, size_t worker, size_t part)
{
	work *w = context;

	assert_true(worker < WORKERS && part < PARTS);
	atomic_fetch_add(&w->done[part], 1);
	w->by_worker[worker]++;
	return part == w->fails_at ? rg_error_new(RG_E_GIT, "part %zu", part) : NULL;
}

TEST(each_part_once)
{
	work w = {.fails_at = PARTS};
	size_t i;
	int sum = 0;

	assert_success(rg_workers_run(WORKERS, PARTS, do_part, &w));
	for (i = 0; i < PARTS; i++)
		assert_int_equal(w.done[i], 1);
	for (i = 0; i < WORKERS; i++)
		sum += w.by_worker[i];
	assert_int_equal(sum, PARTS);
	assert_success(rg_workers_run(WORKERS, 0, do_part, &w));
}

TEST(an_error_stops_the_rest)
{
	work w = {.fails_at = 10};
	rg_error *err;
	size_t i;

	err = rg_workers_run(1, PARTS, do_part, &w);
	assert_non_null(err);
	assert_string_equal(rg_error_message(err), "part 10");
	rg_error_free(err);
	for (i = 0; i < PARTS; i++)
		assert_int_equal(w.done[i], i <= 10);
}

TEST(how_many_are_worth_it)
{
	assert_int_equal(rg_workers_for(0), 1);
	assert_int_equal(rg_workers_for(1), 1);
	assert_in_range(rg_workers_for(1000), 1, RG_WORKERS_MAX);
}
