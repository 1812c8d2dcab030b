/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "report/columns.h"
#include "report/html.h"
#include "report/json.h"
#include "report/summary_view.h"

#include <stdio.h>
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
				    .context = &context};
	const rg_page_rows shown = {.story = &story,
				    .rows = order,
				    .told = order,
				    .row_count = count,
				    .columns = &columns,
				    .context = &context};
	const rg_json_about about = {.story = &story, .page = &shown};
	rg_page_table table;
	rg_html_page page = {.table = &table, .curves = curves, .template_text = template_text};
	rg_arena arena;
	rg_json_in in = {.arena = &arena};
	rg_error *err;
	size_t i;

	assert_non_null(order);
	for (i = 0; i < count; i++)
		order[i] = &rows[i];
	assert_success(rg_columns_parse(&columns, "file,metric"));
	file.row_count = count;
	assert_success(rg_story_make(&story, &summary));
	page.document = rg_comparison_told(&comparison, &about);
	rg_arena_init(&arena);
	in.root = page.document;
	assert_success(rg_summary_view(&page.view, &in, page.document));
	assert_success(rg_page_table_open(&table, &in, &shown));
	rg_buf_init(out, RG_BUF_TEXT);
	err = rg_html_render(out, &page);
	rg_story_release(&story);
	rg_page_table_release(&table);
	cJSON_Delete(page.view);
	cJSON_Delete(page.document);
	rg_arena_release(&arena);
	free(order);
	return err;
}

TEST(hostile_names)
{
	static rg_svg_point points[] = {{1, 1}, {2, 3}};
	rg_row row = {.file = file_name,
		      .old_file = file_name,
		      .metric = "<script>alert(1)</script>",
		      .n_steps = 2,
		      .avg_rel_diff = 0.5,
		      .max_abs_rel = 1,
		      .max_abs_rel_step = 2,
		      .level = RG_LEVEL_FAIL};
	rg_curve curve = {
		.row = &row, .old = {points, 2, 2, 1, 3}, .new_side = {points, 2, 2, 1, 3}};
	const rg_curve_list curves = {.items = &curve, .count = 1};
	char id[RG_PAGE_ROW_ID], link[80];
	rg_buf out;

	assert_success(render(&out, &row, 1, &curves, NULL));
	assert_null(strstr(out.data, "<script>alert"));
	assert_null(strstr(out.data, "<f>"));
	assert_null(strstr(out.data, "<old>"));
	assert_non_null(strstr(out.data, "title=\"&lt;f&gt;&#39;&quot;&amp;\">"));
	rg_page_row_id(id, row.file, row.metric);
	snprintf(link, sizeof(link), "Most: <a href=\"#row-%s\">", id);
	assert_non_null(strstr(out.data, link));
	assert_non_null(strstr(out.data,
			       "aria-label=\"&lt;script&gt;alert(1)&lt;/script&gt; in &lt;f&gt;"));
	assert_non_null(strstr(out.data, "step 2: 0 %</text>"));
	rg_buf_release(&out);
}

TEST(empty_curves_are_left_out)
{
	rg_row row = {.file = file_name,
		      .old_file = file_name,
		      .metric = "m",
		      .n_steps = 2,
		      .avg_rel_diff = 0.5,
		      .max_abs_rel = 1,
		      .level = RG_LEVEL_FAIL};
	rg_curve curve = {.row = &row};
	const rg_curve_list curves = {.items = &curve, .count = 1};
	rg_buf out;

	assert_success(render(&out, &row, 1, &curves, NULL));
	assert_non_null(strstr(out.data, "Most: "));
	assert_null(strstr(out.data, "<svg class=\"plot\""));
	rg_buf_release(&out);
}

TEST(rows_are_limited)
{
	enum { COUNT = RG_PAGE_ROWS + 3 };
	rg_row *rows = calloc(COUNT, sizeof(*rows));
	rg_buf out;
	size_t i;

	assert_non_null(rows);
	for (i = 0; i < COUNT; i++)
		rows[i] = (rg_row){.file = "f", .old_file = "f", .metric = "m", .n_steps = 1};
	assert_success(render(&out, rows, COUNT, NULL,
			      "{{#table}}{{#rows}}.{{/rows}}{{folded}} {{more}}{{/table}}"));
	assert_int_equal(strspn(out.data, "."), RG_HTML_ROWS);
	assert_string_equal(out.data + RG_HTML_ROWS, "19500 3");
	rg_buf_release(&out);
	free(rows);
}

/* A row's name is of its file and metric alone, and no other pair's. */
TEST(ids_last)
{
	char id[RG_PAGE_ROW_ID], other[RG_PAGE_ROW_ID];

	rg_page_row_id(id, "gpt/a.json", "lm loss");
	assert_string_equal(id, "zeXb6Mnl");
	rg_page_row_id(other, "gpt/a.jsonl", "m loss");
	assert_string_not_equal(id, other);
}

/* Up and down from 0, as far as the largest; without a letter where nothing counts. */
TEST(trends)
{
	static rg_svg_point old[] = {{1, 1}, {2, 2}, {3, 0}, {4, 4}},
			    fresh[] = {{1, 2}, {2, 1}, {3, 1}, {4, 4}};
	rg_row row = {.near_zero = 1e-12};
	rg_curve curve = {.row = &row, .old = {old, 4, 4, 0, 4}, .new_side = {fresh, 4, 4, 1, 4}};
	char trend[RG_PAGE_TREND];

	rg_page_trend(trend, &curve);
	assert_string_equal(trend, "uf.k");
	curve.by_record = true;
	rg_page_trend(trend, &curve);
	assert_string_equal(trend, "UF.K");
}

TEST(no_rows_and_wrong_template)
{
	rg_row none = {0};
	rg_buf out;

	assert_success(render(&out, &none, 0, NULL, NULL));
	assert_null(strstr(out.data, "<h2>Summary"));
	assert_null(strstr(out.data, "<h2>Rows"));
	rg_buf_release(&out);
	assert_error(render(&out, &none, 0, NULL, "{{#a}}"), RG_E_USAGE,
		     "template: line 1: '{{#a}}' is never closed");
	rg_buf_release(&out);
}
