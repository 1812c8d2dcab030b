#include "unit.h"

#include "audit/spill.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>

/* Values that do not fit the memory bound go through the disk and come back the same. */
static void test_spill(void **state)
{
	double values[100], back[100];
	uint64_t places[20];
	rg_spill spill;
	size_t i;

	(void)state;
	rg_spill_init(&spill, 25);
	for (i = 0; i < 100; i++)
		values[i] = (double)i;
	for (i = 0; i < 20; i++)
		assert_null(rg_spill_add(&spill, values + 5 * i, 5, &places[i]));
	assert_int_equal(spill.count, 25);
	assert_int_equal(spill.spilled, 75);
	for (i = 20; i-- > 0;) {
		assert_null(rg_spill_read(&spill, places[i] + 1, 4, back));
		assert_memory_equal(back, values + 5 * i + 1, 4 * sizeof(double));
	}
	rg_spill_release(&spill);
}

/* A write that fails half way, as on a disk that is full for a while: nothing is misplaced by it.
 */
static void test_spill_survives_a_full_disk(void **state)
{
	const double values[] = {1, 2, 3, 4, 5, 6, 7, 8};
	struct rlimit before, small;
	double back[8] = {0};
	uint64_t place;
	rg_spill spill;
	rg_error *err;

	(void)state;
	signal(SIGXFSZ, SIG_IGN);
	unsetenv("TMPDIR");
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	small = before;
	small.rlim_cur = 20;
	rg_spill_init(&spill, 0);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	err = rg_spill_add(&spill, values, 8, &place);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
	assert_non_null(err);
	assert_string_equal(rg_error_message(err), "/tmp: the runs' values: File too large");
	rg_error_free(err);
	assert_true(spill.failed);
	assert_null(rg_spill_add(&spill, values, 8, &place));
	assert_null(rg_spill_read(&spill, place, 8, back));
	assert_memory_equal(back, values, sizeof(values));
	rg_spill_release(&spill);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_spill),
		cmocka_unit_test(test_spill_survives_a_full_disk),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
