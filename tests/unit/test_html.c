/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "report/columns.h"
#include "report/html.h"
#include "report/json.h"
#include "report/summary_view.h"

#include <stdlib.h>
#include <string.h>

static const rg_column_context context = {
	"", "{stage}/{test}/{file}", "golden_values*.json", NULL, false, false};
static char file_name[] = "<f>'\"&";
static rg_file_outcome file = {.file = file_name, .old_file = file_name};

static rg_error *render(rg_buf *out, rg_row *rows, size_t count, const rg_curve_list *curves,
			const char *template_text)
{
	const rg_comparison comparison = {.rows = rows,
					  .row_count = count,
					  .series_rows = count,
					  .files = &file,
					  .file_count = 1,
					  .compared = 1};
	const rg_row **order = calloc(count + 1, sizeof(const rg_row *));
	rg_column_list columns;
	rg_story story;
	const rg_summary summary = {.comparison = &comparison,
				    .root = "",
				    .old_side = "<old>",
				    .new_side = "new",
				    .columns = &columns,
				    .context = &context};
	const rg_page_rows shown = {.story = &story,
				    .rows = order,
				    .told = order,
				    .row_count = count,
				    .columns = &columns,
				    .context = &context};
	rg_json_about about = {.page = &shown};
	rg_html_page page = {.curves = curves, .template_text = template_text};
	rg_json_in in = {0};
	rg_error *err;
	size_t i;

	assert_non_null(order);
	for (i = 0; i < count; i++)
		order[i] = &rows[i];
	assert_success(rg_columns_parse(&columns, "file,metric"));
	file.row_count = count;
	assert_success(rg_story_make(&story, &summary));
	assert_success(rg_summary_view(&about.story, &story));
	assert_success(rg_comparison_told(&page.document, &comparison, &about));
	in.root = page.document;
	page.view = about.story;
	assert_success(rg_page_table_read(&page.table, &in));
	rg_buf_init(out, RG_BUF_TEXT);
	err = rg_html_render(out, &page);
	rg_story_release(&story);
	cJSON_Delete(page.table);
	cJSON_Delete(page.document);
	free(order);
	return err;
}

static void test_hostile_names(void **state)
{
	static rg_svg_point points[] = {{1, 1}, {2, 3}};
	rg_row row = {.file = file_name,
		      .old_file = file_name,
		      .metric = "<script>alert(1)</script>",
		      .n_steps = 2,
		      .avg_rel_diff = 0.5,
		      .max_abs_rel = 1,
		      .max_abs_rel_step = 2};
	rg_curve curve = {
		.row = &row, .old = {points, 2, 2, 1, 3}, .new_side = {points, 2, 2, 1, 3}};
	const rg_curve_list curves = {.items = &curve, .count = 1};
	rg_buf out;

	(void)state;
	assert_success(render(&out, &row, 1, &curves, NULL));
	assert_null(strstr(out.data, "<script>alert"));
	assert_null(strstr(out.data, "<f>"));
	assert_null(strstr(out.data, "<old>"));
	assert_non_null(strstr(out.data, "<td>&lt;f&gt;&#39;&quot;&amp;</td>"));
	assert_non_null(strstr(out.data, "<figcaption><a href=\"#row-1\"><code>&lt;script&gt;"));
	assert_non_null(strstr(out.data, "step 2: 1.000000</text>"));
	rg_buf_release(&out);
}

static void test_empty_curves_are_left_out(void **state)
{
	rg_row row = {.file = file_name, .old_file = file_name, .metric = "m", .n_steps = 2};
	rg_curve curve = {.row = &row};
	const rg_curve_list curves = {.items = &curve, .count = 1};
	rg_buf out;

	(void)state;
	assert_success(render(&out, &row, 1, &curves, "{{^curves}}none{{/curves}}"));
	assert_string_equal(out.data, "none");
	rg_buf_release(&out);
}

static void test_rows_are_limited(void **state)
{
	enum { COUNT = RG_PAGE_ROWS + 3 };
	rg_row *rows = calloc(COUNT, sizeof(*rows));
	rg_buf out;
	size_t i;

	(void)state;
	assert_non_null(rows);
	for (i = 0; i < COUNT; i++)
		rows[i] = (rg_row){.file = "f", .old_file = "f", .metric = "m", .n_steps = 1};
	assert_success(
		render(&out, rows, COUNT, NULL, "{{#table}}{{#rows}}.{{/rows}}{{more}}{{/table}}"));
	assert_int_equal(out.length, RG_PAGE_ROWS + 1);
	assert_int_equal(out.data[RG_PAGE_ROWS], '3');
	rg_buf_release(&out);
	free(rows);
}

static void test_no_rows_and_wrong_template(void **state)
{
	rg_row none = {0};
	rg_buf out;

	(void)state;
	assert_success(render(&out, &none, 0, NULL, NULL));
	assert_null(strstr(out.data, "<h2>Summary"));
	assert_null(strstr(out.data, "<h2>Rows"));
	rg_buf_release(&out);
	assert_error(render(&out, &none, 0, NULL, "{{#a}}"), RG_E_USAGE,
		     "template: line 1: '{{#a}}' is never closed");
	rg_buf_release(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_hostile_names),
		cmocka_unit_test(test_empty_curves_are_left_out),
		cmocka_unit_test(test_rows_are_limited),
		cmocka_unit_test(test_no_rows_and_wrong_template),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
