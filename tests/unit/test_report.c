/* SPDX-License-Identifier: Apache-2.0 */
/* Columns, cells, tables, CSV, filters, JSON, markdown: all from the same few rows. */
#include "unit.h"

#include "unit/view_of.h"

#include "base/file.h"
#include "compare/compare.h"
#include "flow/facts.h"
#include "report/cells.h"
#include "report/columns.h"
#include "story/filter.h"
#include "report/markdown.h"
#include "report/table.h"
#include "support/schema.h"

#include <math.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>

static const rg_column_context context = {
	"root", "{stage}/{test}/{file}", "golden_values*.json", NULL, false, false};
static const rg_tensor_stats tensor = {
	.count = 9, .l2 = NAN, .snr_db = INFINITY, .worst = 7, .worst_text = "[1, 3]"};

static rg_row rows[] = {
	{.file = "root/s/t/a.json",
	 .old_file = "root/s/t/a.json",
	 .metric = "m,\"1\"",
	 .n_steps = 3,
	 .avg_rel_diff = -0.25,
	 .max_ulps = UINT64_MAX,
	 .max_abs_rel_step = INT64_MIN,
	 .level = RG_LEVEL_FLAG,
	 .tensor = &tensor},
	{.file = "root/s/t/a.json",
	 .old_file = "root/s/t/a.json",
	 .metric = "two\r\nlines",
	 .n_steps = 1,
	 .avg_rel_diff = INFINITY,
	 .identical = true},
	{.file = "root/z/t/b.json",
	 .old_file = "root/z/t/old.json",
	 .metric = "\xff|`",
	 .kind = RG_ROW_EXACT,
	 .file_index = 1,
	 .avg_rel_diff = NAN,
	 .first_diff_known = true,
	 .first_diff = 4,
	 .old_excerpt = "x",
	 .new_excerpt = "\x1b",
	 .verdict = {.kind = RG_VERDICT_OUTSIDE,
		     .stands_out = true,
		     .runs = 9,
		     .bound = 0.2,
		     .p = NAN,
		     .beyond = NAN,
		     .low = NAN,
		     .text = "t"}},
};
static rg_file_outcome files[] = {
	{.file = "root/s/t/a.json",
	 .old_file = "root/s/t/a.json",
	 .format = "json",
	 .row_count = 2},
	{.file = "root/z/t/b.json",
	 .old_file = "root/z/t/old.json",
	 .first_row = 2,
	 .row_count = 1,
	 .gap_count = 1},
	{.status = RG_FILE_UNREADABLE, .file = "bad", .old_file = "bad", .why = "\xc3 is bad"},
};
static rg_row gaps[] = {
	{.gap = RG_GAP_NO_STEPS, .file = "root/z/t/b.json", .file_index = 1, .metric = "gap"}};
static const rg_row *const pointers[] = {&rows[0], &rows[1], &rows[2]};

static rg_comparison sample(void)
{
	return (rg_comparison){.rows = rows,
			       .row_count = 3,
			       .series_rows = 2,
			       .files = files,
			       .file_count = 3,
			       .compared = 2,
			       .unreadable = 1,
			       .gaps = gaps,
			       .gap_count = 1};
}

TEST(columns)
{
	rg_column_list list;
	const rg_column *column;
	size_t count = 0;

	assert_success(rg_columns_parse(&list, NULL));
	assert_int_equal(list.count, 4);
	assert_string_equal(list.items[3]->name, "avg_rel_diff");
	assert_success(rg_columns_parse(&list, "all"));
	for (column = rg_columns; column->name; column++)
		count++;
	assert_int_equal(list.count, count);
	assert_true(count <= RG_COLUMNS_MAX);
	assert_success(rg_columns_parse(&list, "max_ulps,file"));
	assert_int_equal(list.count, 2);
	assert_string_equal(list.items[0]->name, "max_ulps");
	assert_error(rg_columns_parse(&list, "file,file"), RG_E_USAGE,
		     "column 'file' is asked for twice");
	assert_error(rg_columns_parse(&list, "file,"), RG_E_USAGE,
		     "'' is not a column; regild-compare(1) lists them under COLUMNS");
	assert_error(
		rg_columns_parse(&list, "verdct"), RG_E_USAGE,
		"'verdct' is not a column; did you mean 'verdict'? regild-compare(1) lists them "
		"under COLUMNS");
}

TEST(path_parts)
{
	static const struct {
		const char *path;
		rg_field part;
		const char *wanted;
	} cases[] = {
		{"root/s/t/f.json", RG_FIELD_STAGE, "s"},  {"root/s/t/f.json", RG_FIELD_TEST, "t"},
		{"root/s/t/d/f.json", RG_FIELD_FILE, "d"}, {"rooted/s/t/f", RG_FIELD_STAGE, NULL},
		{"root/s", RG_FIELD_TEST, NULL},           {"root/s/t/f", RG_FIELD_TAG, NULL},
		{"other", RG_FIELD_STAGE, NULL},
	};
	size_t i, length;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const char *part = rg_path_part(cases[i].path, cases[i].part, &context, &length);

		assert_true(!part == !cases[i].wanted);
		if (part) {
			assert_int_equal(length, strlen(cases[i].wanted));
			assert_memory_equal(part, cases[i].wanted, length);
		}
	}
}

TEST(figures)
{
	static const struct {
		double value;
		const char *wanted;
	} cases[] = {
		{0, "0"},
		{-0.0, "0"},
		{1, "1.000000"},
		{-0.0001, "-0.000100"},
		{0.000099999, "1.000e-04"},
		{9999.9, "9999.900000"},
		{10000, "1.000e+04"},
		{-1e300, "-1.000e+300"},
		{INFINITY, "inf"},
		{-INFINITY, "-inf"},
		{-NAN, "nan"},
		{-4.590055e-6, "-4.590e-06"},
	};
	char text[RG_FIGURE_SIZE];
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		rg_figure_text(cases[i].value, text);
		assert_string_equal(text, cases[i].wanted);
	}
}

/* Python's csv module quotes such a field, too: its reader skips empty lines, as pandas does. */
TEST(csv_of_one_column)
{
	rg_column_list list;

	RG_AUTO(rg_buf) out = rg_buf_of(1 << 16);
	assert_success(rg_columns_parse(&list, "verdict"));
	assert_success(rg_csv_rows(&out, pointers, 3, &list, &context));
	assert_string_equal(out.data, "verdict\r\n\"\"\r\n\"\"\r\noutside\r\n");
}

TEST(csv)
{
	rg_column_list list;

	RG_AUTO(rg_buf) out = rg_buf_of(1 << 16);
	assert_success(rg_columns_parse(&list, NULL));
	assert_success(rg_csv_rows(&out, pointers, 3, &list, &context));
	assert_string_equal(out.data, "file,metric,n_steps,avg_rel_diff\r\n"
				      "root/s/t/a.json,\"m,\"\"1\"\"\",3,-0.25\r\n"
				      "root/s/t/a.json,\"two\r\nlines\",1,inf\r\n"
				      "root/z/t/b.json,\xff|`,0,\r\n");
	rg_buf_clear(&out);
	assert_success(rg_columns_parse(&list, "stage,identical,max_ulps,max_abs_rel_step,first_"
					       "diff,verdict,l2,worst,worst_index"));
	assert_success(rg_csv_rows(&out, pointers, 3, &list, &context));
	assert_string_equal(out.data,
			    "stage,identical,max_ulps,max_abs_rel_step,first_diff,verdict,l2,worst,"
			    "worst_index\r\n"
			    "s,false,18446744073709551615,-9223372036854775808,,,,7,\"[1, 3]\"\r\n"
			    "s,true,0,0,,,,,\r\n"
			    "z,false,,,4,outside,,,\r\n");
}

static const rg_table_style plain = {0}, colored = {.color = true};

/* One name of a megabyte is as long as it is; the other rows are not. */
TEST(wide_cell)
{
	static const rg_table_column columns[] = {{.heading = "metric"},
						  {.heading = "n", .right = true}};
	enum { ROWS = 100, WIDE = 1 << 20 };
	char *name = malloc(WIDE);
	rg_table table;
	size_t i;

	assert_non_null(name);
	memset(name, 'm', WIDE);
	rg_table_init(&table, columns, 2);
	for (i = 0; i < ROWS; i++) {
		rg_table_add(&table, name, i ? 1 : WIDE);
		rg_table_add(&table, "1", 1);
	}
	RG_AUTO(rg_buf) out = rg_buf_of(SIZE_MAX / 4);
	assert_success(rg_table_write(&table, &out, &plain));
	assert_int_equal(out.length, WIDE + 4 + ROWS * (RG_TABLE_WIDTH_MAX + 4));
	assert_string_equal(out.data + out.length - 5, "   1\n");
	rg_table_release(&table);
	free(name);
}

TEST(table)
{
	const rg_look looks[] = {RG_LOOK_MUST, RG_LOOK_NONE, RG_LOOK_MUST};
	const rg_table_rows told = {.rows = pointers, .looks = looks, .count = 3};
	rg_column_list list;

	RG_AUTO(rg_buf) out = rg_buf_of(1 << 16);
	assert_success(rg_columns_parse(&list, "metric,avg_rel_diff,first_diff,new_excerpt"));
	assert_success(rg_rows_table(&out, &told, &list, &context, &plain));
	assert_string_equal(out.data, "  metric            avg_rel_diff  first_diff  new_excerpt\n"
				      "* m,\"1\"                -0.250000           -  -\n"
				      "  two\\x0d\\x0alines           inf           -  -\n"
				      "* \\xff|`                       -           4  \\x1b\n");
	rg_buf_clear(&out);
	assert_success(rg_rows_table(&out, &(rg_table_rows){0}, &list, &context, &colored));
	assert_string_equal(out.data,
			    "\x1b[1mmetric  avg_rel_diff  first_diff  new_excerpt\x1b[0m\n");
}

TEST(sort)
{
	const rg_row *list[] = {&rows[0], &rows[1], &rows[2]};

	assert_success(rg_rows_sort(list, 3, "avg_rel_diff", &context));
	assert_true(list[0] == &rows[1] && list[1] == &rows[0] && list[2] == &rows[2]);
	/* Undefined figures stay last. */
	assert_success(rg_rows_sort(list, 3, "-avg_rel_diff", &context));
	assert_true(list[0] == &rows[0] && list[1] == &rows[1] && list[2] == &rows[2]);
	assert_success(rg_rows_sort(list, 3, "-file", &context));
	assert_true(list[0] == &rows[2] && list[1] == &rows[0] && list[2] == &rows[1]);
}

TEST(filter)
{
	const char *const texts[] = {"metric=m*", "stage=s", "metric=gap"}, *const wrong[] = {"x"};
	const rg_filter filter = {texts, 3}, none = {NULL, 0}, bad = {wrong, 1};
	rg_row row_copy[3];
	rg_file_outcome file_copy[3];
	rg_comparison c = sample();

	assert_success(rg_filter_check(&filter, NULL));
	assert_error(rg_filter_check(&bad, NULL), RG_E_USAGE,
		     "--filter: 'x' is not file=GLOB, metric=GLOB, stage=GLOB, test=GLOB, "
		     "variant=GLOB, checks=GLOB or review");
	assert_true(rg_filter_takes_file(&none, "anything", &context));
	assert_true(rg_filter_takes_file(&filter, "root/s/t/x", &context));
	assert_false(rg_filter_takes_file(&filter, "root/z/t/x", &context));
	assert_false(rg_filter_takes_file(&filter, "s", &context));
	memcpy(row_copy, rows, sizeof(rows));
	memcpy(file_copy, files, sizeof(files));
	c.rows = row_copy;
	c.files = file_copy;
	rg_filter_rows(&filter, &c);
	assert_int_equal(c.row_count, 1);
	assert_int_equal(c.series_rows, 1);
	assert_int_equal(c.gap_count, 1);
	assert_int_equal(c.files[0].row_count, 1);
	assert_int_equal(c.files[1].row_count, 0);
	assert_int_equal(c.files[1].first_row, 1);
	assert_string_equal(c.rows[0].metric, "m,\"1\"");
}

static void filter_says(const char *const *texts, size_t count, const char *wanted)
{
	const rg_filter filter = {texts, count};
	RG_AUTO(rg_buf) out = rg_buf_of(RG_BUF_TEXT);
	rg_filter_say(&out, &filter);
	assert_string_equal(out.data, wanted);
}

TEST(filter_words)
{
	static const char *const fails[] = {"checks=approximate:fails"};
	static const char *const both[] = {"review", "checks=a:b:passes", "metric=m*", "checks=*"};
	const rg_filter review = {both, 1};

	filter_says(fails, 1, "rows that fail approximate");
	filter_says(both, 4, "rows that need review, rows that pass a:b, metric=m*, checks=*");
	assert_true(rg_filter_is_of_review(&review));
	assert_false(rg_filter_is_of_checks(&review));
	assert_success(rg_filter_check(&review, NULL));
	/* The story says which rows these are. */
	assert_true(rg_filter_takes_file(&review, "anything", &context));
	assert_true(rg_filter_takes_row(&review, &rows[0], NULL));
}

/* Writes the sample's JSON, which fits the schema; *out is the caller's to delete. */
static void make_json(rg_buf *text, cJSON **out, const cJSON *schema, const rg_refresh *refresh)
{
	const rg_comparison c = sample();
	const rg_summary summary = {.comparison = &c,
				    .old_side = "HEAD",
				    .new_side = "the working tree",
				    .refresh = refresh,
				    .context = &context};
	const rg_column_list columns = {0};
	const rg_page_rows page = {.columns = &columns, .context = &context, .refresh = refresh};
	const rg_curve_list curves = {0};
	rg_facts facts;
	rg_story story;
	const rg_json_about about = {.story = &story, .page = &page, .curves = &curves};

	assert_success(rg_story_make(&story, &summary));
	rg_buf_clear(text);
	assert_success(rg_comparison_json(text, &c, pointers, &context, &about));
	rg_story_release(&story);
	rg_facts_init(&facts, "regild compare");
	assert_success(rg_facts_append(&facts, text));
	rg_facts_release(&facts);
	*out = cJSON_Parse(text->data);
	assert_non_null(*out);
	RG_AUTO(rg_buf) message = rg_buf_of(RG_BUF_TEXT);
	schema_fits(schema, *out, &message);
	assert_string_equal(message.data, "");
}

TEST(json)
{
	cJSON *schema, *document;
	rg_refresh refresh;

	schema = schema_of_document("regild-compare");
	assert_non_null(schema);
	RG_AUTO(rg_buf) text = rg_buf_of(1 << 20);
	make_json(&text, &document, schema, NULL);
	assert_non_null(strstr(text.data, "\"avg_rel_diff\": \"inf\""));
	assert_non_null(strstr(text.data, "\"metric\": \"\xef\xbf\xbd|`\""));
	assert_non_null(strstr(text.data, "\"max_ulps\": \"18446744073709551615\""));
	assert_null(strstr(text.data, "from_run"));
	/* The schema holds what it says. */
	cJSON_ReplaceItemInObjectCaseSensitive(document, "version", cJSON_CreateNumber(2));
	assert_false(schema_fits(schema, document, NULL));
	cJSON_Delete(document);
	/* A refresh adds what it did. */
	rg_refresh_init(&refresh);
	rg_refresh_add(&refresh, RG_REFRESH_MISSING, "a - latest", "expired");
	rg_refresh_add(&refresh, RG_REFRESH_UPDATED, "g/b.json", NULL);
	rg_refresh_add(&refresh, RG_REFRESH_HELD, "g/a.json", "dirty");
	rg_refresh_sort(&refresh);
	assert_true(rg_refresh_is_from_run(&refresh, "g/b.json"));
	assert_false(rg_refresh_is_from_run(&refresh, "g/a.json"));
	assert_false(rg_refresh_is_from_run(&refresh, "a - latest"));
	make_json(&text, &document, schema, &refresh);
	assert_non_null(strstr(text.data, "\"from_run\": false"));
	cJSON_Delete(document);
	rg_refresh_release(&refresh);
	cJSON_Delete(schema);
}

TEST(markdown_escapes)
{
	static const struct {
		const char *text, *wanted, *code;
	} cases[] = {
		{"lm loss", "lm loss", "`lm loss`"},
		{"golden_values_dev.json", "golden_values_dev.json", "`golden_values_dev.json`"},
		{"a|b", "a\\|b", "<code>a\\|b</code>"},
		{"`x`", "\\`x\\`", "<code>\\`x\\`</code>"},
		{"a\nb", "a\\\\nb", "<code>a\\\\nb</code>"},
		{"<b>&", "\\<b\\>\\&", "`<b>&`"},
		{"@all #1", "\\@<!-- -->all \\#<!-- -->1", "`@all #1`"},
		{"__init__", "\\_\\_init\\_\\_", "`__init__`"},
		{"_a b_c_ d _e", "\\_a b_c\\_ d \\_e", "`_a b_c_ d _e`"},
		{"a\tb\rc", "a\\\\tb\\\\rc", "<code>a\\\\tb\\\\rc</code>"},
		{"*a* [l](u)", "\\*a\\* \\[l\\](u)", "`*a* [l](u)`"},
		{"back\\slash", "back\\\\slash", "<code>back\\\\slash</code>"},
		{" edge", " edge", "<code> edge</code>"},
		{"", "", "<code></code>"},
		{"\x1b\xff", "\\\\x1b\xef\xbf\xbd", "<code>\\\\x1b\xef\xbf\xbd</code>"},
		{"\xc3\xa9", "\xc3\xa9", "`\xc3\xa9`"},
		{"https://x.y", "https\\://x.y", "`https://x.y`"},
		{"www.x|a:b/", "www\\.x\\|a:b/", "<code>www\\.x\\|a:b/</code>"},
		{"a\xe2\x80\xae", "a\\\\xe2\\\\x80\\\\xae", "<code>a\\\\xe2\\\\x80\\\\xae</code>"},
	};
	size_t i;

	RG_AUTO(rg_buf) out = rg_buf_of(1 << 16);
	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		rg_buf_clear(&out);
		rg_markdown_text(&out, cases[i].text, strlen(cases[i].text));
		assert_string_equal(out.data, cases[i].wanted);
		rg_buf_clear(&out);
		rg_markdown_code(&out, cases[i].text, strlen(cases[i].text));
		assert_string_equal(out.data, cases[i].code);
	}
}

/* Whatever the template shows, more rows than fit are cut. */
TEST(markdown_limit)
{
	enum { MANY = 3000 };
	static char names[MANY][64];
	rg_file_outcome *many = calloc(MANY, sizeof(*many));
	rg_comparison c = {.files = many, .file_count = MANY, .new_files = MANY};
	const rg_summary summary = {.comparison = &c, .root = "root", .context = &context};
	char more[32];
	cJSON *view;
	size_t i;

	assert_non_null(many);
	for (i = 0; i < MANY; i++) {
		snprintf(names[i], sizeof(names[i]),
			 "root/stage/a-test-with-a-name-%zu/golden.json", i);
		many[i] = (rg_file_outcome){
			.status = RG_FILE_NEW, .file = names[i], .old_file = names[i]};
	}
	RG_AUTO(rg_buf) out = rg_buf_of(1 << 24);
	view = view_of(&summary);
	assert_success(rg_summary_render(&out, view, NULL, RG_MARKDOWN_SHORT, SIZE_MAX));
	cJSON_Delete(view);
	assert_true(out.length <= RG_MARKDOWN_SHORT);
	assert_non_null(strstr(out.data, "**New files** (3000)"));
	for (i = 0; i < MANY && strstr(out.data, names[i]); i++)
		;
	snprintf(more, sizeof(more), "\n- %zu more\n", MANY - i);
	assert_true(i > 100);
	assert_non_null(strstr(out.data, more));
	assert_true(out.data[out.length - 1] == '\n' && out.data[out.length - 2] != '\n');
	free(many);
}

static rg_cell text_cell(const char *text, size_t length)
{
	return (rg_cell){.kind = RG_CELL_TEXT, .text = text, .length = length};
}

static rg_cell number_cell(double number)
{
	return (rg_cell){.kind = RG_CELL_NUMBER, .number = number};
}

/* From the first to the last, whichever two are compared: what is not defined, then by value, then
 * NaN. */
TEST(order_of_cells)
{
	const rg_cell none = {.kind = RG_CELL_NONE};
	const rg_cell texts[] = {none,
				 text_cell("", 0),
				 text_cell("a", 1),
				 text_cell("ab", 2),
				 text_cell("abc", 3),
				 text_cell("b", 1)};
	const rg_cell numbers[] = {none,           number_cell(-INFINITY), number_cell(-1),
				   number_cell(0), number_cell(2),         number_cell(NAN)};
	/* One double for all of them. */
	const rg_cell counts[] = {{.kind = RG_CELL_COUNT, .count = UINT64_MAX - 1},
				  {.kind = RG_CELL_COUNT, .count = UINT64_MAX}};
	const rg_cell steps[] = {{.kind = RG_CELL_STEP, .step = INT64_MIN},
				 {.kind = RG_CELL_STEP, .step = INT64_MIN + 1}};
	int i, k;

	assert_true(rg_cell_compare(&counts[0], &counts[1]) < 0);
	assert_true(rg_cell_compare(&counts[1], &counts[0]) > 0);
	assert_true(rg_cell_compare(&steps[1], &steps[0]) > 0);
	assert_int_equal(rg_cell_compare(&steps[0], &steps[0]), 0);
	for (i = 0; i < 6; i++)
		for (k = 0; k < 6; k++) {
			int wanted = (i > k) - (i < k);
			int text = rg_cell_compare(&texts[i], &texts[k]);
			int number = rg_cell_compare(&numbers[i], &numbers[k]);

			assert_int_equal((text > 0) - (text < 0), wanted);
			assert_int_equal((number > 0) - (number < 0), wanted);
		}
}
