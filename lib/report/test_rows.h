/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_REPORT_TEST_ROWS_H
#define REGILD_REPORT_TEST_ROWS_H

#include "base/buf.h"
#include "compare/row.h"

/*
 * Rows of reports of backend tests are of one step each, and there are many for each test: people
 * are told of tests by lists (report/format_view.h) and by counts instead.
 */
bool rg_is_test_row(const rg_comparison *comparison, const rg_row *row);

typedef struct {
	bool any; /* there are such rows */
	size_t newly_failing, crashed, gone, undelegated, lower_snr, fixed;
} rg_test_counts;

/* Counts what became of tests, in rows and gaps. */
void rg_test_rows_count(rg_test_counts *out, const rg_comparison *comparison);
/* "tests: 2 newly failing, 1 fixed", after "; " where something is there; nothing where there are
 * none. */
void rg_test_counts_say(rg_buf *out, const rg_test_counts *counts);

/* The comparison without such rows and gaps. Borrows texts; `out` is released, whatever comes back,
 * with rg_without_test_rows_release. */
void rg_without_test_rows(rg_comparison *out, const rg_comparison *comparison);
void rg_without_test_rows_release(rg_comparison *comparison);

#endif
