/* SPDX-License-Identifier: Apache-2.0 */
/* Tables as wide as a window. */
#include "unit/unit.h"

#include "base/utf8.h"
#include "report/table.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const rg_table_column columns[] = {
	{.heading = "file"},
	{.heading = "metric"},
	{.heading = "n_steps", .right = true},
	{.heading = "avg_rel_diff", .right = true},
};

static void add(rg_table *table, const char *text)
{
	rg_table_add(table, text, strlen(text));
}

static void add_row(rg_table *table, const char *file, const char *metric, const char *n,
		    const char *figure)
{
	add(table, file);
	add(table, metric);
	add(table, n);
	add(table, figure);
}

static void assert_table(const rg_table *table, size_t width, bool color, const char *expected)
{
	const rg_table_style style = {.color = color, .width = width};

	RG_AUTO(rg_buf) out = rg_buf_of(1 << 16);
	assert_success(rg_table_write(table, &out, &style));
	assert_string_equal(out.data, expected);
}

/* The widest text gives first; figures are whole at any width. */
TEST(shortens_texts_alone)
{
	rg_table table;

	rg_table_init(&table, columns, 4);
	add_row(&table, "tests/functional_tests/gpt/golden_values_dev.json", "lm loss", "50",
		"-0.012345");
	add_row(&table, "a.json", "mem-max-allocated-bytes", "2000", "1.000e-05");
	assert_table(&table, 0, false,
		     "file                                               metric                   "
		     "n_steps  avg_rel_diff\n"
		     "tests/functional_tests/gpt/golden_values_dev.json  lm loss                   "
		     "    50     -0.012345\n"
		     "a.json                                             mem-max-allocated-bytes   "
		     "  2000     1.000e-05\n");
	assert_table(
		&table, 80, false,
		"file                              metric                   n_steps  avg_rel_diff\n"
		"tests…gpt/golden_values_dev.json  lm loss                       50     -0.012345\n"
		"a.json                            mem-max-allocated-bytes     2000     "
		"1.000e-05\n");
	assert_table(&table, 60, false,
		     "file               metric              n_steps  avg_rel_diff\n"
		     "tests…_dev.json    lm loss                  50     -0.012345\n"
		     "a.json             mem…llocated-bytes     2000     1.000e-05\n");
	rg_table_release(&table);
}

/* What has no room is named, not wrapped. */
TEST(names_columns_without_room)
{
	rg_table table;

	rg_table_init(&table, columns, 4);
	add_row(&table, "tests/functional_tests/gpt.json", "lm loss", "50", "-0.012345");
	assert_table(&table, 40, false,
		     "file                    metric   n_steps\n"
		     "tests…l_tests/gpt.json  lm loss       50\n"
		     "1 more in a wider window: avg_rel_diff\n");
	assert_table(&table, 20, false,
		     "file\n"
		     "test…_tests/gpt.json\n"
		     "3 mo…wider window: …\n");
	rg_table_release(&table);
}

/* A text with a figure in it is whole too, and goes where it has no room. */
TEST(keeps_what_a_column_must_keep)
{
	static const rg_table_column kept[] = {{.heading = "metric"},
					       {.heading = "what changed", .least = SIZE_MAX}};
	rg_table table;

	rg_table_init(&table, kept, 2);
	add(&table, "mem-max-allocated-bytes");
	add(&table, "new is 0.268 % larger");
	assert_table(&table, 40, false,
		     "metric             what changed\n"
		     "mem-…ocated-bytes  new is 0.268 % larger\n");
	assert_table(&table, 34, false,
		     "metric\n"
		     "mem-max-allocated-bytes\n"
		     "1 more in a wider window: …\n");
	rg_table_release(&table);
}

/* Marks take a column of their own; their colour says nothing that they do not. */
TEST(marks_rows)
{
	static const rg_table_column marked[] = {
		{.heading = ""}, {.heading = "metric"}, {.heading = "n", .right = true}};
	static const char *const cells[] = {
		RG_TABLE_FAILS, "lm loss", "1", RG_TABLE_MUST_LOOK, "mem", "22", "", "x", "3"};
	rg_table table;
	size_t i;

	rg_table_init(&table, marked, 3);
	table.marked = true;
	for (i = 0; i < sizeof(cells) / sizeof(*cells); i++)
		add(&table, cells[i]);
	assert_table(&table, 0, false,
		     "  metric    n\n"
		     "! lm loss   1\n"
		     "* mem      22\n"
		     "  x         3\n");
	assert_table(&table, 0, true,
		     "\x1b[1m  metric    n\x1b[0m\n"
		     "\x1b[31m! lm loss   1\x1b[0m\n"
		     "\x1b[33m* mem      22\x1b[0m\n"
		     "  x         3\n");
	rg_table_release(&table);
}

/* The columns that a line takes. */
static size_t width_of(const char *line, size_t length)
{
	size_t width;

	RG_AUTO(rg_buf) out = rg_buf_of(RG_BUF_TEXT);
	width = rg_utf8_add_safe(&out, line, length);
	return width;
}

/* Whatever the names are: 4 KB long, wide, combining, turned round, with escape sequences. */
TEST(no_row_is_too_wide)
{
	static const char *const pieces[] = {"abc/",         "\x1b[31m", "金", "e\xcc\x81",
					     "\xe2\x80\xae", "\xff\xfe", "\n"};
	static const size_t windows[] = {30, 60, 80, 120, 200};
	char *name = malloc(4200);
	const char *line, *end;
	rg_table_style style = {0};
	size_t length = 0, i;
	rg_table table;

	assert_non_null(name);
	for (i = 0; length < 4096; i++) {
		const char *piece = pieces[i * i % 7];

		memcpy(name + length, piece, strlen(piece));
		length += strlen(piece);
	}
	name[length] = '\0';
	rg_table_init(&table, columns, 4);
	add_row(&table, name, name, "50", "-0.012345");
	add_row(&table, "a.json", name + 1, "2000", "1.000e-05");
	RG_AUTO(rg_buf) out = rg_buf_of(1 << 20);
	for (i = 0; i < sizeof(windows) / sizeof(*windows); i++) {
		style.width = windows[i];
		rg_buf_clear(&out);
		assert_success(rg_table_write(&table, &out, &style));
		for (line = out.data; *line; line = end + 1) {
			end = strchr(line, '\n');
			assert_non_null(end);
			assert_true(width_of(line, (size_t)(end - line)) <= windows[i]);
		}
		assert_int_equal(strstr(out.data, "-0.012345\n") != NULL, windows[i] > 30);
	}
	rg_table_release(&table);
	free(name);
}
