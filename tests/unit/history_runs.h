/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_TESTS_HISTORY_RUNS_H
#define REGILD_TESTS_HISTORY_RUNS_H

/* A history of runs with made-up goldens, for its tests. */

#include "unit/unit.h"

#include "golden/records.h"
#include "store/history.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char folder[64], path[96];
static rg_history_store *history;

static const char sha256[] = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
static const int64_t steps[] = {INT64_MIN, -5, INT64_MAX}, from_one[] = {1, 2, 3, 4};
static const double values[] = {1.5, -0.0, 1e-300}, counted[] = {3, 4, NAN, INFINITY};
static char long_text[258];
static const rg_metric series[] = {
	{.name = "a \"b\"", .kind = RG_METRIC_SERIES, .count = 3, .steps = steps, .values = values},
	{.name = "counted", .kind = RG_METRIC_SERIES, .count = 4, .values = counted},
	{.name = "empty", .kind = RG_METRIC_SERIES, .count = 0, .values = values},
	{.name = "from one",
	 .kind = RG_METRIC_SERIES,
	 .count = 4,
	 .steps = from_one,
	 .values = counted},
	{.name = "no UTF-8 \xff", .kind = RG_METRIC_TEXT, .count = 0, .text = ""},
	{.name = "text", .kind = RG_METRIC_TEXT, .count = 2, .text = "hi"},
	/* Not kept: longer than any result, with a NUL inside, and no series. */
	{.name = "text, long", .kind = RG_METRIC_TEXT, .count = 257, .text = long_text},
	{.name = "text, odd", .kind = RG_METRIC_TEXT, .count = 3, .text = "a\0b"},
	{.name = "tokens", .kind = RG_METRIC_TOKENS, .count = 4, .tokens = from_one},
};
static const rg_golden golden = {.format = "json", .metrics = series, .count = 9};
static const rg_golden none = {.format = "json"};
enum { KEPT = 6 };

static rg_history_run run_of(uint64_t id)
{
	return (rg_history_run){.repository = "github.com/o/r",
				.source = "github",
				.settings = "0123",
				.id = id,
				.attempt = 2,
				.commit = "0123abc",
				.branch = "main",
				.event = "schedule",
				.when = "2026-04-02T10:00:00Z"};
}

/* Puts a run with one golden. */
static inline rg_error *put(const rg_history_run *run, const char *file, const rg_golden *what,
			    bool complete)
{
	rg_history_run there;
	rg_history_put *to;
	rg_error *err;

	RG_TRY(rg_history_begin(&to, history, run, &there));
	err = rg_history_add(to, file, sha256, 59, what);
	if (!err)
		return rg_history_commit(to, complete);
	rg_history_abandon(to);
	return err;
}

static inline void put_id(uint64_t id)
{
	rg_history_run run = run_of(id);

	memset(long_text, 'x', sizeof(long_text) - 1);
	assert_success(put(&run, "t/b.json", &golden, true));
}

static rg_arena arena;

static rg_history_run *list(const char *settings, size_t *count)
{
	const rg_history_query query = {.repository = "github.com/o/r", .settings = settings};
	rg_history_run *runs;

	rg_arena_release(&arena);
	rg_arena_init(&arena);
	assert_success(rg_history_list(history, &query, &arena, &runs, count));
	return runs;
}

static size_t count_runs(void)
{
	size_t count;

	list(NULL, &count);
	return count;
}

static inline rg_error *get(const rg_history_run *run, const char *file, rg_golden **out)
{
	return rg_history_get(history, run, file, 59, out);
}

/* Opens `history` anew, each program in its own way. */
static void reopen(void);

FIXTURE(start)
{
	snprintf(folder, sizeof(folder), "/tmp/regild-history-XXXXXX");
	if (!mkdtemp(folder))
		return -1;
	snprintf(path, sizeof(path), "%s/a/history.db", folder);
	history = NULL;
	reopen();
	return 0;
}

/* A table's steps are places: their meaning is kept with them. */
static const char *const record_names[] = {"b, \"2\"", "\xff", "a\n\x1b"};
static const size_t record_order[] = {2, 0, 1};
static const int64_t record_places[] = {0, 2};
static const rg_records table_records = {.names = record_names, .order = record_order, .count = 3};
static const rg_metric table_column = {.name = "time",
				       .kind = RG_METRIC_SERIES,
				       .count = 2,
				       .steps = record_places,
				       .values = values,
				       .records = &table_records};
static const rg_golden table = {
	.format = "table", .metrics = &table_column, .count = 1, .records = &table_records};

static inline void assert_is_table(const rg_golden *back)
{
	assert_ptr_equal(back->metrics[0].records, back->records);
	assert_int_equal(back->records->count, 3);
	for (size_t i = 0; i < 3; i++)
		assert_string_equal(back->records->names[i], record_names[i]);
	assert_memory_equal(back->records->order, record_order, sizeof(record_order));
}

#endif
