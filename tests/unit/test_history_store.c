/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What every store of runs does. REGILD_TEST_HISTORY is the address of an empty one; without it, it
 * is an SQLite file (tests/cluster/run.sh).
 */
#include "unit.h"

#include "unit/history_store.h"

#include "flow/history_prefetch.h"
#include "golden/records.h"

#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

TEST_EACH(start, stop);

TEST(what_is_put_comes_back)
{
	rg_history_run *runs;
	rg_golden *back;
	size_t count, i;

	assert_int_equal(count_runs(), 0);
	put_id(7);
	reopen();
	runs = list("0123", &count);
	assert_int_equal(count, 1);
	assert_true(runs->complete);
	assert_int_equal(runs->id, 7);
	assert_int_equal(runs->attempt, 2);
	assert_int_equal(runs->goldens, 1);
	assert_string_equal(runs->when, "2026-04-02T10:00:00Z");
	assert_string_equal(runs->commit, "0123abc");
	assert_string_equal(runs->branch, "main");
	assert_string_equal(runs->event, "schedule");
	assert_string_equal(runs->source, "github");
	assert_success(get(runs, "t/b.json", &back));
	assert_int_equal(back->count, KEPT);
	for (i = 0; i < 4; i++) {
		assert_string_equal(back->metrics[i].name, series[i].name);
		assert_int_equal(back->metrics[i].count, series[i].count);
		assert_memory_equal(back->metrics[i].values, series[i].values,
				    series[i].count * sizeof(double));
	}
	assert_memory_equal(back->metrics[0].steps, steps, sizeof(steps));
	assert_null(back->metrics[1].steps);
	assert_memory_equal(back->metrics[3].steps, from_one, sizeof(from_one));
	assert_string_equal(back->metrics[4].name, "no UTF-8 \xff");
	assert_int_equal(back->metrics[5].kind, RG_METRIC_TEXT);
	assert_string_equal(back->metrics[5].text, "hi");
	rg_golden_free(back);
}

/* What another layout's settings chose is another run. */
TEST(settings_are_kept_apart)
{
	rg_history_run run = run_of(7), *runs;
	rg_golden *back;
	size_t count;

	put_id(7);
	run.settings = "4567";
	run.fork = true;
	assert_success(put(&run, "t/b.json", &none, false));
	runs = list("4567", &count);
	assert_int_equal(count, 1);
	assert_false(runs->complete);
	assert_true(runs->fork);
	assert_success(get(runs, "t/b.json", &back));
	assert_int_equal(back->count, 0);
	rg_golden_free(back);
	runs = list("0123", &count);
	assert_int_equal(count, 1);
	assert_true(runs->complete);
	assert_false(runs->fork);
	assert_int_equal(count_runs(), 2);
}

/* What a run had once stays, though it cannot be fetched any more; what is new counts. */
TEST(what_was_there_is_kept)
{
	static const double other[] = {9};
	static const rg_metric one = {
		.name = "m", .kind = RG_METRIC_SERIES, .count = 1, .values = other};
	static const rg_golden newer = {.format = "json", .metrics = &one, .count = 1};
	rg_history_run run = run_of(7), there, *runs;
	rg_history_put *to;
	rg_golden *back;
	size_t count;

	put_id(7);
	assert_success(put(&run, "t/a.json", &none, false));
	run.attempt = 3;
	assert_success(rg_history_begin(&to, history, &run, &there));
	assert_int_not_equal(there.key, 0);
	assert_int_equal(there.attempt, 2);
	assert_false(there.complete);
	assert_success(rg_history_add(to, "t/a.json", sha256, 5, &newer));
	assert_success(rg_history_commit(to, true));
	runs = list("0123", &count);
	assert_int_equal(count, 1);
	assert_int_equal(runs->attempt, 3);
	assert_int_equal(runs->goldens, 2);
	assert_success(get(runs, "t/a.json", &back));
	assert_int_equal(back->count, 1);
	assert_true(back->metrics[0].values[0] == 9);
	rg_golden_free(back);
	assert_success(get(runs, "t/b.json", &back));
	assert_int_equal(back->count, KEPT);
	rg_golden_free(back);
	/* Nothing of what is abandoned stays. */
	assert_success(rg_history_begin(&to, history, &run, &there));
	assert_success(rg_history_add(to, "t/c.json", sha256, 5, &newer));
	rg_history_abandon(to);
	assert_int_equal(list("0123", &count)->goldens, 2);
}

/* As another process. */
static void put_elsewhere(uint64_t id)
{
	rg_history_store *ours = history;

	history = NULL;
	reopen();
	put_id(id);
	rg_history_close(history);
	history = ours;
}

static size_t count_elsewhere(void)
{
	rg_history_store *ours = history;
	size_t count;

	history = NULL;
	reopen();
	count = count_runs();
	rg_history_close(history);
	history = ours;
	return count;
}

/* Puts a run that may wait; is there place for more? */
static bool gather_id(uint64_t id)
{
	rg_history_run run = run_of(id), there;
	rg_history_put *to;
	bool full;

	assert_success(rg_history_begin(&to, history, &run, &there));
	assert_success(rg_history_add(to, "t/b.json", sha256, 59, &golden));
	assert_success(rg_history_gather(to, true, &full));
	return !full;
}

/* Runs that wait for each other count, whole, when they are sent and not before; one that is
 * committed meanwhile does not wait for them. */
TEST(gathered_runs)
{
	rg_history_run *runs;
	size_t count, i;

	assert_true(gather_id(1));
	assert_true(gather_id(2));
	assert_int_equal(count_elsewhere(), 0);
	put_id(3);
	/* A file has one transaction: the commit's. */
	assert_int_equal(count_elsewhere(), getenv("REGILD_TEST_HISTORY") ? 1 : 3);
	/* A run that waits twice counts once. */
	assert_true(gather_id(1));
	assert_success(rg_history_flush(history));
	assert_success(rg_history_flush(history));
	runs = list(NULL, &count);
	assert_int_equal(count, 3);
	for (i = 0; i < count; i++) {
		rg_golden *back;

		assert_int_equal(runs[i].goldens, 1);
		assert_success(get(&runs[i], "t/b.json", &back));
		assert_int_equal(back->count, KEPT);
		rg_golden_free(back);
	}
	/* What nobody sends is as if it had not begun. */
	gather_id(4);
	reopen();
	assert_int_equal(count_runs(), 3);
}

/* It is said in time that enough wait. */
TEST(gathered_runs_are_limited)
{
	uint64_t id = 1;

	while (id < 1000 && gather_id(id))
		id++;
	assert_in_range(id, 1, 100);
	assert_success(rg_history_flush(history));
	assert_int_equal(count_runs(), id);
}

/* What was asked of runs before they are put is used once: another time, and for runs that others
 * put meanwhile, one counts. */
TEST(expected_runs)
{
	const rg_history_run runs[] = {run_of(1), run_of(3), run_of(2)};
	rg_history_run there, *listed;
	rg_history_put *to;
	size_t count;

	put_id(3);
	drop(list(NULL, &count), 1);
	assert_success(rg_history_expect(history, runs, 3));
	put_id(1);
	put_id(2);
	put_id(3);
	assert_int_equal(count_runs(), 3);
	assert_success(rg_history_begin(&to, history, &runs[0], &there));
	assert_int_not_equal(there.key, 0);
	assert_int_equal(there.attempt, 2);
	assert_success(rg_history_clear(to));
	assert_success(rg_history_commit(to, true));
	listed = list(NULL, &count);
	assert_int_equal(count, 3);
	assert_int_equal(listed[0].goldens, 0);
	assert_int_equal(listed[1].goldens, 1);
	/* Another one puts it between the question and the answer's use. */
	assert_success(rg_history_expect(history, runs, 3));
	put_elsewhere(1);
	put_id(1);
	put_id(4);
	assert_int_equal(count_runs(), 4);
}

TEST(unsafe_paths_are_refused)
{
	rg_history_run run = run_of(7);

	assert_fails_with(put(&run, "../x", &golden, true), RG_E_UNSAFE);
	assert_int_equal(count_runs(), 0);
}

TEST(limits)
{
	rg_golden *back;
	size_t count;

	put_id(7);
	assert_error(rg_history_get(history, list(NULL, &count), "t/b.json", 58, &back), RG_E_LIMIT,
		     "59 bytes, more than the limit of 58");
	assert_null(back);
}

/* Files go by path components, as everywhere, and each is still found. */
TEST(files_go_by_path_components)
{
	static const char *const wanted[] = {"a/x.json", "a-b/x.json", "a.b/x.json"};
	const rg_history_run run = run_of(7);
	const char **files;
	double value[3] = {0, 1, 2};
	size_t count, i;
	rg_history_run *only;

	for (i = 3; i-- > 0;) {
		const rg_metric one = {
			.name = "m", .kind = RG_METRIC_SERIES, .count = 1, .values = &value[i]};
		const rg_golden each = {.format = "json", .metrics = &one, .count = 1};

		assert_success(put(&run, wanted[i], &each, true));
	}
	only = list(NULL, &count);
	assert_success(rg_history_files(history, only, 1, &arena, &files, &count));
	assert_int_equal(count, 3);
	for (i = 0; i < 3; i++) {
		rg_golden *back = NULL;

		assert_string_equal(files[i], wanted[i]);
		assert_success(get(only, files[i], &back));
		assert_true(back->metrics[0].values[0] == value[i]);
		rg_golden_free(back);
	}
	free(files);
}

/* A table's steps are places: what they mean is kept with them. */
TEST(records)
{
	const rg_history_run run = run_of(7);
	rg_golden *back;
	size_t count;

	assert_success(put(&run, "t.csv", &table, true));
	assert_success(get(list(NULL, &count), "t.csv", &back));
	assert_is_table(back);
	rg_golden_free(back);
}

/* A table without a record is still one, and what has no records is not. */
TEST(empty_tables)
{
	static const rg_records records = {.count = 0};
	static const rg_metric column = {
		.name = "time", .kind = RG_METRIC_SERIES, .values = values, .records = &records};
	static const rg_golden empty = {
		.format = "table", .metrics = &column, .count = 1, .records = &records};
	const rg_history_run run = run_of(7);
	rg_golden *back;
	size_t count;

	assert_success(put(&run, "t.csv", &empty, true));
	assert_success(put(&run, "t.json", &golden, true));
	assert_success(get(list(NULL, &count), "t.csv", &back));
	assert_non_null(back->records);
	assert_int_equal(back->records->count, 0);
	assert_int_equal(back->count, 1);
	assert_ptr_equal(back->metrics[0].records, back->records);
	rg_golden_free(back);
	assert_success(get(list(NULL, &count), "t.json", &back));
	assert_null(back->records);
	assert_null(back->metrics[0].records);
	rg_golden_free(back);
}

typedef struct {
	char text[4096];
	size_t limit; /* goldens after which it has had enough; 0: none */
	size_t count;
} seen_goldens;

/* Notes "RUN:PATH:BYTES:METRICS " of each, or why there is none. */
static rg_error *note(void *context, size_t run, rg_history_golden *found)
{
	seen_goldens *seen = context;
	size_t at = strlen(seen->text);

	snprintf(seen->text + at, sizeof(seen->text) - at, "%zu:%s:%llu:%s%zu ", run, found->path,
		 (unsigned long long)found->bytes, found->why ? rg_error_message(found->why) : "",
		 found->golden ? found->golden->count : 0);
	if (found->golden)
		assert_string_equal(found->sha256, sha256);
	rg_golden_free(found->golden);
	rg_error_free(found->why);
	return ++seen->count == seen->limit ? rg_error_new(RG_E_CANCELLED, "enough") : NULL;
}

static void put_sized(uint64_t id, const char *file, uint64_t bytes)
{
	rg_history_run run = run_of(id), there;
	rg_history_put *to;

	assert_success(rg_history_begin(&to, history, &run, &there));
	assert_success(rg_history_add(to, file, sha256, bytes, id % 2 ? &golden : &none));
	assert_success(rg_history_commit(to, true));
}

/* One golden over the runs that were asked for, in their order; a run's goldens by path. */
TEST(walks)
{
	static const char *const paths[] = {"a/x", "a-b/x", "none"};
	seen_goldens seen = {.limit = 0};
	rg_history_run *runs;
	size_t count;

	put_sized(3, "a/x", 10);
	put_sized(1, "a/x", 30);
	put_sized(2, "a/x", 20);
	put_sized(4, "b", 20);
	put_sized(5, "a/x", 10);
	put_sized(5, "a-b/x", 10);
	runs = list(NULL, &count);
	assert_int_equal(count, 5);
	assert_success(rg_history_walk(history, paths, 1, runs, 4, 20, note, &seen));
	assert_string_equal(seen.text,
			    "0:a/x:30:30 bytes, more than the limit of 200 1:a/x:20:0 2:a/x:10:6 ");
	seen = (seen_goldens){.limit = 0};
	assert_success(rg_history_walk(history, paths, 1, runs + 2, 3, 20, note, &seen));
	assert_string_equal(seen.text, "0:a/x:10:6 2:a/x:10:6 ");
	seen = (seen_goldens){.limit = 0};
	assert_success(rg_history_goldens(history, &runs[4], 1, 20, note, &seen));
	assert_string_equal(seen.text, "0:a/x:10:6 0:a-b/x:10:6 ");
	/* Several at once: path by path, run by run. */
	seen = (seen_goldens){.limit = 0};
	assert_success(rg_history_walk(history, paths, 3, runs + 2, 3, 20, note, &seen));
	assert_string_equal(seen.text, "0:a/x:10:6 2:a/x:10:6 2:a-b/x:10:6 ");
	seen = (seen_goldens){.limit = 0};
	assert_success(rg_history_goldens(history, runs + 2, 3, 20, note, &seen));
	assert_string_equal(seen.text, "0:a/x:10:6 1:b:20:0 2:a/x:10:6 2:a-b/x:10:6 ");
	seen = (seen_goldens){.limit = 1};
	assert_error(rg_history_walk(history, paths, 1, runs, 5, 30, note, &seen), RG_E_CANCELLED,
		     "enough");
	assert_string_equal(seen.text, "0:a/x:30:6 ");
	seen = (seen_goldens){.limit = 0};
	assert_success(rg_history_walk(history, paths, 1, runs, 0, 30, note, &seen));
	assert_success(rg_history_walk(history, paths + 2, 1, runs, 5, 30, note, &seen));
	assert_string_equal(seen.text, "");
}

static void compare_ahead(rg_history_prefetch *ahead, const char *file, size_t at,
			  const rg_history_run *runs, size_t count)
{
	seen_goldens wanted = {.limit = 0}, seen = {.limit = 0};

	assert_success(rg_history_walk(history, &file, 1, runs, count, 59, note, &wanted));
	assert_success(rg_history_prefetch_walk(ahead, at, runs, count, note, &seen));
	assert_string_equal(seen.text, wanted.text);
}

/* Goldens that are read ahead come as they do one path at a time: whatever is asked for, and
 * however little may wait, nothing, a path or more. */
TEST(read_ahead)
{
	enum { PATHS = 7, RUNS = 2 };
	static const char *const paths[PATHS] = {"a", "b", "c", "d", "e", "f", "g"};
	static const size_t most[] = {0, 10000, 40000, 1 << 20};
	rg_history_run *runs;
	size_t count, i, at;

	for (i = 0; i < PATHS * RUNS; i++)
		if (i % 5)
			put_sized(i % RUNS + 1, paths[i / RUNS], 50 + i);
	runs = list(NULL, &count);
	assert_int_equal(count, RUNS);
	for (i = 0; i < sizeof(most) / sizeof(*most); i++) {
		rg_history_prefetch *ahead =
			rg_history_prefetch_new(history, paths, PATHS, 59, most[i]);
		seen_goldens enough = {.limit = 1};

		for (at = 0; at < PATHS; at++)
			compare_ahead(ahead, paths[at], at, runs, RUNS);
		/* Other runs; backwards; one that has had enough. */
		for (at = 0; at < PATHS; at++)
			compare_ahead(ahead, paths[at], at, runs + at % 2, 1);
		for (at = PATHS; at-- > 0;)
			compare_ahead(ahead, paths[at], at, runs, RUNS);
		assert_error(rg_history_prefetch_walk(ahead, 2, runs, RUNS, note, &enough),
			     RG_E_CANCELLED, "enough");
		compare_ahead(ahead, paths[2], 2, runs, RUNS);
		rg_history_prefetch_free(ahead);
	}
}

static void assert_rows(size_t at, uint64_t wanted)
{
	uint64_t rows[8];
	size_t count;
	rg_history_run *runs = list(NULL, &count);

	assert_in_range(at, 0, count - 1);
	assert_int_equal(runs[at].rows, wanted);
	assert_success(rg_history_count_rows(history, runs, count, rows));
	assert_int_equal(rows[at], wanted);
}

/* A golden's own row, and one for each of its metrics, whichever way it came in. */
TEST(rows_are_counted)
{
	const rg_history_run run = run_of(2);
	rg_history_run there;
	rg_history_put *to;

	gather_id(1);
	gather_id(2);
	assert_success(rg_history_flush(history));
	assert_rows(0, KEPT + 1);
	/* One that stays, one that comes, and one again. */
	assert_success(put(&run, "t/a.json", &none, true));
	assert_rows(1, KEPT + 2);
	assert_success(put(&run, "t/b.json", &none, true));
	assert_rows(1, 2);
	assert_success(put(&run, "t/b.json", &golden, true));
	assert_rows(1, KEPT + 2);
	assert_success(rg_history_begin(&to, history, &run, &there));
	assert_success(rg_history_clear(to));
	assert_success(rg_history_commit(to, true));
	assert_rows(1, 0);
	assert_rows(0, KEPT + 1);
}

/* What was removed is away, and may be put again. */
TEST(removed_runs)
{
	seen_goldens seen = {.limit = 0};
	rg_history_run *runs;
	size_t count;

	put_sized(1, "a", 1);
	put_sized(2, "a", 2);
	runs = list(NULL, &count);
	assert_int_equal(count, 2);
	drop(runs, 1);
	runs = list(NULL, &count);
	assert_int_equal(count, 1);
	assert_int_equal(runs[0].id, 2);
	put_sized(1, "b", 3);
	runs = list(NULL, &count);
	assert_int_equal(count, 2);
	assert_int_equal(runs[0].goldens, 1);
	assert_success(rg_history_goldens(history, &runs[0], 1, 3, note, &seen));
	assert_string_equal(seen.text, "0:b:3:6 ");
}

/* Nothing that a name holds ends a literal, a column or a row. */
TEST(hostile_texts)
{
	static const char *const hostile[] = {
		"a'b",          "a\\",          "\\'; DROP TABLE runs; --",
		"\t\n\r",       "\x01\x7f\xff", "%27",
		"{a:Int8}",     "\\N",          "'' OR 1=1",
		"\xe2\x80\xae", "?&query=x",    "`\""};
	size_t i;

	for (i = 0; i < sizeof(hostile) / sizeof(*hostile); i++) {
		const char *text = hostile[i];
		const rg_metric each[] = {
			{.name = text, .kind = RG_METRIC_SERIES, .count = 3, .values = values},
			{.name = "text",
			 .kind = RG_METRIC_TEXT,
			 .count = strlen(text),
			 .text = text}};
		const rg_golden one = {.format = "json", .metrics = each, .count = 2};
		const rg_history_run run = {.repository = text,
					    .source = text,
					    .settings = text,
					    .id = i + 1,
					    .attempt = 1,
					    .commit = text,
					    .branch = text,
					    .event = text,
					    .when = text};
		const rg_history_query query = {.repository = text, .settings = text};
		rg_history_run *runs;
		const char **files;
		size_t count, file_count;
		rg_golden *back;

		assert_success(put(&run, "t/it's.json", &one, true));
		rg_arena_release(&arena);
		rg_arena_init(&arena);
		assert_success(rg_history_list(history, &query, &arena, &runs, &count));
		assert_int_equal(count, 1);
		assert_string_equal(runs->source, text);
		assert_string_equal(runs->commit, text);
		assert_string_equal(runs->branch, text);
		assert_string_equal(runs->event, text);
		assert_string_equal(runs->when, text);
		assert_success(rg_history_files(history, runs, 1, &arena, &files, &file_count));
		assert_int_equal(file_count, 1);
		assert_string_equal(files[0], "t/it's.json");
		free(files);
		assert_success(get(runs, "t/it's.json", &back));
		assert_int_equal(back->count, 2);
		assert_non_null(rg_golden_find(back, text));
		assert_string_equal(rg_golden_find(back, "text")->text, text);
		rg_golden_free(back);
		drop(runs, 1);
	}
}

static void *read_all(void *context)
{
	const rg_history_run *runs = context;
	size_t round, run, wrong = 0;

	for (round = 0; round < 40; round++)
		for (run = 0; run < 3; run++) {
			rg_golden *back = NULL;
			rg_error *err = get(&runs[run], "t/b.json", &back);

			wrong += err || !back || back->count != KEPT;
			rg_error_free(err);
			rg_golden_free(back);
		}
	return wrong ? context : NULL;
}

/* While a run is put again and again, readers find the old or the new one, whole. */
TEST(several_threads_read)
{
	enum { THREADS = 4 };
	pthread_t threads[THREADS];
	rg_history_run *listed;
	size_t count, i;
	void *wrong;

	for (i = 0; i < 3; i++)
		put_id(i + 1);
	listed = list(NULL, &count);
	for (i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, read_all, listed), 0);
	for (i = 0; i < 10; i++)
		put_id(2);
	for (i = 0; i < THREADS; i++) {
		assert_int_equal(pthread_join(threads[i], &wrong), 0);
		assert_null(wrong);
	}
}
