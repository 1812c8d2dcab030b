/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "base/buf.h"
#include "report/html.h"

#include <stdio.h>
#include <string.h>

static void add_row(cJSON *rows, int id, const char *metric, cJSON *size)
{
	char text[16];
	cJSON *row = cJSON_CreateObject(), *facts = cJSON_AddObjectToObject(row, "facts");

	cJSON_AddItemToArray(rows, row);
	snprintf(text, sizeof(text), "%d", id);
	cJSON_AddStringToObject(row, "id", text);
	cJSON_AddStringToObject(facts, "file", "<f>");
	cJSON_AddStringToObject(facts, "metric", metric);
	cJSON_AddItemToObject(facts, "avg_rel_diff", size);
}

static size_t count_of(const char *text, const char *part)
{
	size_t count = 0;

	while ((text = strstr(text, part)) != NULL) {
		count++;
		text += strlen(part);
	}
	return count;
}

/* Each has its place: 0 is counted, what is infinite is at the right, what has no size is left out.
 */
static void test_sizes(void **state)
{
	cJSON *rows = cJSON_CreateArray();
	rg_strip_counts counts;
	rg_buf out;

	(void)state;
	add_row(rows, 1, "m", cJSON_CreateString("inf"));
	add_row(rows, 2, "m", cJSON_CreateNumber(-0.1));
	add_row(rows, 3, "m", cJSON_CreateNumber(0.001));
	add_row(rows, 4, "m", cJSON_CreateNumber(0));
	add_row(rows, 5, "n", cJSON_CreateNumber(0.01));
	add_row(rows, 6, "n", cJSON_CreateNull());
	rg_buf_init(&out, RG_BUF_TEXT);
	rg_strip_write(&out, &counts, rows);
	assert_int_equal(counts.rows, 5);
	assert_int_equal(counts.metrics, 2);
	assert_int_equal(counts.rows_left_out, 0);
	assert_int_equal(count_of(out.data, "<a "), 4);
	assert_non_null(
		strstr(out.data, "#row-1\"><title>m inf, &lt;f&gt;</title><circle cx=\"466.0"));
	/* The ends of the axis are whole decades, and n is in the middle. */
	assert_non_null(strstr(out.data,
			       "#row-2\" tabindex=\"-1\"><title>m 0.100000, &lt;f&gt;</title>"
			       "<circle cx=\"424.0"));
	assert_non_null(strstr(out.data, "<title>m 0.001000, &lt;f&gt;</title><circle cx=\"52.0"));
	assert_non_null(strstr(out.data,
			       "#row-5\"><title>n 0.010000, &lt;f&gt;</title><circle cx=\"238.0"));
	rg_buf_release(&out);
	cJSON_Delete(rows);
}

/* Points in one place are in lanes, and then beside each other. */
static void test_lanes(void **state)
{
	static const char *const places[] = {"cx=\"52.0\" cy=\"34.0\"", "cx=\"52.0\" cy=\"39.0\"",
					     "cx=\"52.0\" cy=\"29.0\"", "cx=\"52.0\" cy=\"44.0\"",
					     "cx=\"52.0\" cy=\"24.0\"", "cx=\"53.0\" cy=\"34.0\""};
	cJSON *rows = cJSON_CreateArray();
	rg_strip_counts counts;
	rg_buf out;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(places) / sizeof(*places); i++)
		add_row(rows, (int)i + 1, "m", cJSON_CreateNumber(1));
	rg_buf_init(&out, RG_BUF_TEXT);
	rg_strip_write(&out, &counts, rows);
	for (i = 0; i < sizeof(places) / sizeof(*places); i++)
		assert_int_equal(count_of(out.data, places[i]), 1);
	rg_buf_release(&out);
	cJSON_Delete(rows);
}

static void test_limits(void **state)
{
	cJSON *rows = cJSON_CreateArray();
	rg_strip_counts counts;
	char metric[16];
	rg_buf out;
	int i;

	(void)state;
	for (i = 0; i < RG_STRIPS + 2; i++) {
		snprintf(metric, sizeof(metric), "m%d", i);
		add_row(rows, i + 1, metric, cJSON_CreateNumber(1));
	}
	for (; i < RG_STRIP_POINTS + 5; i++)
		add_row(rows, i + 1, "m0", cJSON_CreateNumber(1));
	rg_buf_init(&out, RG_BUF_TEXT);
	rg_strip_write(&out, &counts, rows);
	assert_int_equal(counts.metrics, RG_STRIPS);
	assert_int_equal(counts.rows, RG_STRIP_POINTS);
	assert_int_equal(counts.rows_left_out, 5);
	assert_int_equal(count_of(out.data, "<a "), RG_STRIP_POINTS);
	rg_buf_release(&out);
	/* Nothing has a size. */
	cJSON_Delete(rows);
	rows = cJSON_CreateArray();
	add_row(rows, 1, "m", cJSON_CreateNull());
	rg_buf_init(&out, RG_BUF_TEXT);
	rg_strip_write(&out, &counts, rows);
	assert_int_equal(out.length, 0);
	rg_buf_release(&out);
	cJSON_Delete(rows);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sizes),
		cmocka_unit_test(test_lanes),
		cmocka_unit_test(test_limits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
