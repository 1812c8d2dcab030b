#include "unit/unit.h"

#include "audit/history_store.h"
#include "base/file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[] = "/tmp/regild-history-XXXXXX";
static char path[64];

static int make_folder(void **state)
{
	(void)state;
	if (!mkdtemp(folder))
		return -1;
	snprintf(path, sizeof(path), "%s/a/b/7.run", folder);
	return 0;
}

static int remove_folder(void **state)
{
	(void)state;
	rg_error_free(rg_remove_tree(folder));
	return 0;
}

static const int64_t steps[] = {1, 5, 10};
static const double values[] = {1.5, -0.0, 1e-300}, counted[] = {3, 4, NAN, INFINITY};
static const int64_t from_one[] = {1, 2, 3, 4};
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
	{.name = "text", .kind = RG_METRIC_TEXT, .count = 2, .text = "hi"},
	/* Not kept: longer than any result, and with a NUL inside. */
	{.name = "text, long", .kind = RG_METRIC_TEXT, .count = 257, .text = long_text},
	{.name = "text, odd", .kind = RG_METRIC_TEXT, .count = 3, .text = "a\0b"},
};
static const rg_golden golden = {.format = "json", .metrics = series, .count = 7};
enum { KEPT = 5 };
static const rg_history_run run = {7,          2,   "2026-04-02T10:00:00Z", "main", "0123abc",
				   "schedule", true};

static void write_run(void)
{
	const rg_golden none = {.format = "json"};
	rg_history_writer *writer;

	memset(long_text, 'x', sizeof(long_text) - 1);
	assert_null(rg_history_writer_new(&writer));
	assert_null(rg_history_writer_add(writer, "t/b.json", &golden));
	assert_null(rg_history_writer_add(writer, "t/a.json", &none));
	assert_null(rg_history_writer_finish(writer, &run, path));
	rg_history_writer_free(writer);
}

static rg_error *read_golden(const char *file, rg_golden **out)
{
	const char *paths[] = {path};
	rg_history_runs *runs;
	rg_audit_source source;
	rg_error *err = NULL;
	size_t i;
	rg_buf bytes;

	*out = NULL;
	err = rg_history_runs_open(&runs, paths, 1);
	if (err)
		return err;
	source = rg_history_runs_source(runs, RG_BUF_TEXT);
	rg_buf_init(&bytes, (size_t)1 << 20);
	for (i = 0; i < source.file_count; i++)
		if (!strcmp(source.files[i], file))
			err = source.read(source.context, 0, i, &bytes, out);
	rg_buf_release(&bytes);
	rg_history_runs_free(runs);
	return err;
}

static void test_what_is_written_comes_back(void **state)
{
	rg_history_run found;
	rg_golden *back;
	bool there;
	rg_arena arena;
	size_t i;

	(void)state;
	rg_arena_init(&arena);
	assert_null(rg_history_peek(path, &arena, &found, &there));
	assert_false(there);
	write_run();
	assert_null(rg_history_peek(path, &arena, &found, &there));
	assert_true(there && found.complete);
	assert_int_equal(found.id, 7);
	assert_int_equal(found.attempt, 2);
	assert_string_equal(found.when, "2026-04-02T10:00:00Z");
	assert_string_equal(found.event, "schedule");
	rg_arena_release(&arena);
	assert_null(read_golden("t/b.json", &back));
	assert_int_equal(back->count, KEPT);
	assert_int_equal(back->metrics[4].kind, RG_METRIC_TEXT);
	assert_string_equal(back->metrics[4].name, "text");
	assert_string_equal(back->metrics[4].text, "hi");
	for (i = 0; i < 4; i++) {
		assert_string_equal(back->metrics[i].name, series[i].name);
		assert_int_equal(back->metrics[i].count, series[i].count);
		assert_memory_equal(back->metrics[i].values, series[i].values,
				    series[i].count * sizeof(double));
	}
	assert_memory_equal(back->metrics[0].steps, steps, sizeof(steps));
	assert_null(back->metrics[1].steps);
	assert_memory_equal(back->metrics[3].steps, from_one, sizeof(from_one));
	rg_golden_free(back);
	assert_null(read_golden("t/a.json", &back));
	assert_int_equal(back->count, 0);
	rg_golden_free(back);
}

/* Without the syncing of rg_file_replace, which takes its time. */
static void write_file(const char *bytes, size_t length)
{
	FILE *file = fopen(path, "wb");

	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, length, file), length);
	assert_int_equal(fclose(file), 0);
}

/* Every bit that flips, and every length, is noticed: a golden that cannot be trusted is none. */
static void test_damage_is_noticed(void **state)
{
	rg_history_run found;
	rg_golden *back;
	rg_error *err;
	rg_arena arena;
	rg_buf bytes;
	bool there;
	size_t i;

	(void)state;
	write_run();
	rg_buf_init(&bytes, (size_t)1 << 20);
	assert_null(rg_file_read(&bytes, path));
	for (i = 0; i < bytes.length; i++) {
		bytes.data[i] ^= 4;
		write_file(bytes.data, bytes.length);
		bytes.data[i] ^= 4;
		err = read_golden("t/b.json", &back);
		/* But for the other golden's block. */
		if (!err && back && back->count == KEPT) {
			rg_golden_free(back);
			err = read_golden("t/a.json", &back);
		}
		if (!err)
			fail_msg("byte %zu was changed and nothing was said", i);
		rg_golden_free(back);
		rg_error_free(err);
	}
	rg_arena_init(&arena);
	for (i = 0; i < bytes.length; i += 7) {
		write_file(bytes.data, i);
		/* Before anything of it is read, so that the run can be fetched anew. */
		err = rg_history_peek(path, &arena, &found, &there);
		assert_non_null(err);
		rg_error_free(err);
		err = read_golden("t/b.json", &back);
		if (!err && back) {
			rg_golden_free(back);
			err = read_golden("t/a.json", &back);
		}
		assert_non_null(err);
		rg_golden_free(back);
		rg_error_free(err);
	}
	rg_arena_release(&arena);
	rg_buf_release(&bytes);
}

static void test_unsafe_paths_are_refused(void **state)
{
	rg_history_writer *writer;
	rg_error *err;

	(void)state;
	assert_null(rg_history_writer_new(&writer));
	err = rg_history_writer_add(writer, "../x", &golden);
	assert_non_null(err);
	assert_int_equal(rg_error_get_code(err), RG_E_UNSAFE);
	rg_error_free(err);
	rg_history_writer_free(writer);
}

static void test_where_it_lies(void **state)
{
	rg_error *err;
	char *where;

	(void)state;
	setenv("XDG_DATA_HOME", "/data", 1);
	assert_null(rg_history_folder(&where));
	assert_string_equal(where, "/data/regild/history");
	free(where);
	/* A relative one does not count (XDG Base Directory Specification). */
	setenv("XDG_DATA_HOME", "data", 1);
	setenv("HOME", "/somebody", 1);
	assert_null(rg_history_folder(&where));
	assert_string_equal(where, "/somebody/.local/share/regild/history");
	free(where);
	setenv("XDG_DATA_HOME", "", 1);
	assert_null(rg_history_folder(&where));
	assert_string_equal(where, "/somebody/.local/share/regild/history");
	free(where);
	setenv("HOME", "", 1);
	err = rg_history_folder(&where);
	assert_non_null(err);
	assert_null(where);
	rg_error_free(err);
	setenv("HOME", "/somebody", 1);
}

/* What a run had once stays, though it cannot be fetched any more; what is new counts. */
static void test_what_was_there_is_kept(void **state)
{
	static const double other[] = {9};
	static const rg_metric one = {
		.name = "m", .kind = RG_METRIC_SERIES, .count = 1, .values = other};
	static const rg_golden newer = {.format = "json", .metrics = &one, .count = 1};
	rg_history_writer *writer;
	rg_golden *back;

	(void)state;
	write_run();
	assert_null(rg_history_writer_new(&writer));
	assert_null(rg_history_writer_add(writer, "t/z.json", &newer));
	assert_null(rg_history_writer_add(writer, "t/a.json", &newer));
	assert_null(rg_history_writer_keep(writer, path));
	assert_null(rg_history_writer_finish(writer, &run, path));
	rg_history_writer_free(writer);
	assert_null(read_golden("t/a.json", &back));
	assert_int_equal(back->count, 1);
	assert_true(back->metrics[0].values[0] == 9);
	rg_golden_free(back);
	assert_null(read_golden("t/b.json", &back));
	assert_int_equal(back->count, KEPT);
	assert_true(back->metrics[0].values[0] == 1.5);
	rg_golden_free(back);
	assert_null(read_golden("t/z.json", &back));
	assert_int_equal(back->count, 1);
	rg_golden_free(back);
}

/* A newer regild's file is told from a damaged one: it must not be written over. */
static void test_newer_files_are_known(void **state)
{
	static const char *const newer[] = {"regild history 2 x", "regild history 10 x"};
	static const char *const damaged[] = {"regild history 0 x", "regild history 01 x",
					      "regild history 2", "regild history -2 x", ""};
	rg_history_run found;
	rg_arena arena;
	bool there;
	size_t i;

	(void)state;
	write_run();
	rg_arena_init(&arena);
	for (i = 0; i < sizeof(newer) / sizeof(*newer); i++) {
		write_file(newer[i], strlen(newer[i]));
		assert_fails_with(rg_history_peek(path, &arena, &found, &there), RG_E_CONFLICT);
	}
	for (i = 0; i < sizeof(damaged) / sizeof(*damaged); i++) {
		write_file(damaged[i], strlen(damaged[i]));
		assert_fails_with(rg_history_peek(path, &arena, &found, &there), RG_E_PARSE);
	}
	rg_arena_release(&arena);
}

/* Files go by path components, as everywhere, and each is still found. */
static void test_files_go_by_path_components(void **state)
{
	static const char *const wanted[] = {"a/x.json", "a-b/x.json", "a.b/x.json"};
	const char *paths[] = {path};
	rg_history_writer *writer;
	rg_history_runs *runs;
	rg_audit_source source;
	double value[3] = {0, 1, 2};
	rg_buf bytes;
	size_t i;

	(void)state;
	assert_success(rg_history_writer_new(&writer));
	for (i = 3; i-- > 0;) {
		const rg_metric one = {
			.name = "m", .kind = RG_METRIC_SERIES, .count = 1, .values = &value[i]};
		const rg_golden each = {.format = "json", .metrics = &one, .count = 1};

		assert_success(rg_history_writer_add(writer, wanted[i], &each));
	}
	assert_success(rg_history_writer_finish(writer, &run, path));
	rg_history_writer_free(writer);
	assert_success(rg_history_runs_open(&runs, paths, 1));
	source = rg_history_runs_source(runs, RG_BUF_TEXT);
	assert_int_equal(source.file_count, 3);
	rg_buf_init(&bytes, (size_t)1 << 20);
	for (i = 0; i < 3; i++) {
		rg_golden *back = NULL;

		assert_string_equal(source.files[i], wanted[i]);
		rg_buf_clear(&bytes);
		assert_success(source.read(source.context, 0, i, &bytes, &back));
		assert_non_null(back);
		assert_true(back->metrics[0].values[0] == value[i]);
		rg_golden_free(back);
	}
	rg_buf_release(&bytes);
	rg_history_runs_free(runs);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_what_is_written_comes_back),
		cmocka_unit_test(test_what_was_there_is_kept),
		cmocka_unit_test(test_damage_is_noticed),
		cmocka_unit_test(test_newer_files_are_known),
		cmocka_unit_test(test_files_go_by_path_components),
		cmocka_unit_test(test_unsafe_paths_are_refused),
		cmocka_unit_test(test_where_it_lies),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
