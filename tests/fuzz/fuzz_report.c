/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every report of a comparison: whatever the goldens and their metrics are called, JSON and CSV can
 * be read back, a table's lines have its columns, tags are closed, and the terminal gets nothing
 * that moves the cursor.
 */
#include "page.h"
#include "two_goldens.h"

#include "compare/compare.h"
#include "golden/csv_reader.h"
#include "report/blocks.h"
#include "report/cells.h"
#include "report/html.h"
#include "report/json.h"
#include "report/markdown.h"
#include "report/story_document.h"
#include "report/summary_view.h"

#include <cJSON.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const rg_column_context context = {
	"", "{stage}/{test}/{file}", "golden_values*.json", NULL, false, false};

/* A comparison's rows as they are, with every column. */
typedef struct {
	rg_comparison comparison;
	const rg_row **rows;
	rg_column_list columns;
	rg_buf text;
} report;

static void render(rg_buf *out, const cJSON *view)
{
	rg_buf_init(out, 1 << 20);
	require(!rg_summary_render(out, view, NULL, RG_MARKDOWN_SHORT, SIZE_MAX),
		"a summary is written");
}

/* The view of a document, which loses the parts that are the view's. */
static cJSON *view_of(const rg_json_in *in, cJSON *root)
{
	cJSON *view;
	require(!rg_summary_view(&view, in, root), "a summary is made");
	return view;
}

/* The summary of the document that was read back is the one of the document in memory. */
static void check_summary(const rg_json_in *in, cJSON *root, const cJSON *view)
{
	cJSON *read = view_of(in, root);
	rg_buf own, again;

	render(&own, view);
	render(&again, read);
	require(!strcmp(own.data, again.data), "a summary is the same again");
	rg_buf_release(&again);
	rg_buf_release(&own);
	cJSON_Delete(read);
}

static bool is_continued(char byte)
{
	return ((unsigned char)byte & 0xc0) == 0x80;
}

/* No line is wider than the window. Wide characters take more columns than are counted here. */
static void check_width(const char *text, size_t width)
{
	size_t columns = 0;
	for (; *text; text++) {
		columns = *text == '\n' ? 0 : columns + !is_continued(*text);
		require(columns <= width, "a line is no wider than the window");
	}
}

/* And so are its blocks. */
static void check_blocks(const rg_json_in *in, const rg_story *story)
{
	const rg_blocks_style narrow = {.table = {.width = 60}}, wide = {.findings = 3};
	rg_blocks made, read;

	RG_AUTO(rg_buf) own = rg_buf_of(RG_BUF_ANY);
	RG_AUTO(rg_buf) again = rg_buf_of(RG_BUF_ANY);
	rg_blocks_of(&made, story);
	require(!rg_blocks_read(&read, in), "blocks are read back");
	rg_blocks_text(&own, &made, &narrow);
	rg_blocks_text(&own, &made, &wide);
	rg_blocks_text(&again, &read, &narrow);
	rg_blocks_text(&again, &read, &wide);
	require(!strcmp(own.data, again.data), "blocks are the same again");
	for (const unsigned char *p = (const unsigned char *)own.data; *p; p++)
		require((*p >= ' ' && *p != 0x7f) || *p == '\n', "nothing moves the cursor");
	rg_buf_clear(&own);
	rg_blocks_text(&own, &made, &narrow);
	check_width(own.data, narrow.table.width);
}

static void check_json(report *r, const rg_story *story)
{
	const rg_page_rows page = {.story = story,
				   .rows = r->rows,
				   .told = r->rows,
				   .row_count = r->comparison.row_count,
				   .columns = &r->columns,
				   .context = &context};
	const rg_json_about about = {.story = story, .page = &page};
	rg_arena arena;
	rg_json_in in = {.arena = &arena}, told_in = {.arena = &arena};
	rg_page_table table;
	cJSON *root, *told = rg_comparison_told(&r->comparison, &about);

	rg_arena_init(&arena);
	told_in.root = told;
	cJSON *view = view_of(&told_in, told);
	rg_buf_clear(&r->text);
	require(!rg_comparison_json(&r->text, &r->comparison, r->rows, &context, &about),
		"JSON is written");
	require(!rg_json_parse(&root, r->text.data, r->text.length), "JSON is read back");
	in.root = root;
	check_blocks(&in, story);
	check_summary(&in, root, view);
	require(!rg_page_table_open(&table, &in, NULL), "a table is read back");
	rg_page_table_release(&table);
	cJSON_Delete(view);
	cJSON_Delete(told);
	cJSON_Delete(root);
	rg_arena_release(&arena);
}

static void check_csv(report *r)
{
	rg_csv_reader reader;
	size_t i;
	bool more;

	rg_buf_clear(&r->text);
	require(!rg_csv_rows(&r->text, r->rows, r->comparison.row_count, &r->columns, &context),
		"CSV is written");
	rg_csv_reader_init(&reader, r->text.data, r->text.length);
	for (i = 0; i <= r->comparison.row_count; i++) {
		require(!rg_csv_next(&reader, &more) && more, "CSV is read back");
		require(reader.count == r->columns.count, "every line has its cells");
		require(!i || !strcmp(rg_csv_cell(&reader, 1), r->rows[i - 1]->metric),
			"a metric is called as it was");
	}
	require(!rg_csv_next(&reader, &more) && !more, "there is a line for each row");
	rg_csv_reader_release(&reader);
}

/* The bars of a line that part cells. */
static size_t count_bars(const char *line, size_t length)
{
	size_t i, bars = 0;

	for (i = 0; i < length; i++)
		if (line[i] == '\\')
			i++;
		else
			bars += line[i] == '|';
	return bars;
}

static void check_markdown(report *r, const cJSON *view)
{
	size_t bars = 0, length;
	const char *line;

	rg_buf_clear(&r->text);
	require(!rg_summary_render(&r->text, view, NULL, RG_MARKDOWN_SHORT, SIZE_MAX),
		"a summary is written");
	require(r->text.length <= RG_MARKDOWN_SHORT, "a summary keeps its bound");
	for (line = r->text.data; *line; line += length + (line[length] == '\n')) {
		length = strcspn(line, "\n");
		if (*line != '|')
			bars = 0;
		else if (!bars)
			bars = count_bars(line, length);
		else
			require(count_bars(line, length) == bars, "a table's lines are alike");
	}
}

/* Both of one document. */
static void check_markup(report *r, const rg_story *story)
{
	const rg_page_rows shown = {.story = story,
				    .rows = r->rows,
				    .told = r->rows,
				    .row_count = r->comparison.row_count,
				    .columns = &r->columns,
				    .context = &context};
	const rg_json_about about = {.story = story, .page = &shown};
	rg_page_table table;
	rg_html_page page = {.table = &table};
	rg_arena arena;
	rg_json_in in = {.arena = &arena};

	rg_arena_init(&arena);
	page.document = rg_comparison_told(&r->comparison, &about);
	in.root = page.document;
	page.view = view_of(&in, page.document);
	check_markdown(r, page.view);
	rg_buf_clear(&r->text);
	require(!rg_page_table_open(&table, &in, &shown), "a table is made");
	require(!rg_html_render(&r->text, &page), "a page is written");
	rg_page_table_release(&table);
	cJSON_Delete(page.view);
	cJSON_Delete(page.document);
	rg_arena_release(&arena);
	require_page(r->text.data);
}

static void check_terminal(report *r)
{
	const rg_table_style plain = {0}, narrow = {.width = 40};
	const rg_table_rows rows = {.rows = r->rows, .count = r->comparison.row_count};
	const unsigned char *p;

	rg_buf_clear(&r->text);
	require(!rg_rows_table(&r->text, &rows, &r->columns, &context, &plain),
		"a table is written");
	require(!rg_rows_table(&r->text, &rows, &r->columns, &context, &narrow),
		"a narrow table is written");
	for (p = (const unsigned char *)r->text.data; *p; p++)
		require((*p >= ' ' && *p != 0x7f) || *p == '\n', "nothing moves the cursor");
}

static void check_reports(report *r, const rg_policy *policy)
{
	const rg_summary summary = {.comparison = &r->comparison,
				    .policy = policy,
				    .run = {.id = "7"},
				    .old_side = "HEAD",
				    .new_side = "the working tree",
				    .command = "regild compare",
				    .root = "a",
				    .context = &context};
	rg_story story;

	check_csv(r);
	require(!rg_story_make(&story, &summary), "a story is made");
	check_json(r, &story);
	check_markup(r, &story);
	rg_story_release(&story);
	check_terminal(r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const rg_file_name name = {.file = "a/b|c/`golden`.json"};
	two_goldens goldens;
	report r = {.rows = NULL};
	size_t i;

	two_goldens_read(&goldens, data, size);
	if (goldens.old && goldens.fresh) {
		rg_comparison_init(&r.comparison);
		rg_buf_init(&r.text, RG_BUF_TEXT);
		require(!rg_compare_goldens(&r.comparison, &name, goldens.old, goldens.fresh,
					    goldens.policy),
			"two goldens compare");
		require(!rg_columns_parse(&r.columns, "all"), "there are columns");
		r.rows = calloc(r.comparison.row_count + 1, sizeof(*r.rows));
		require(r.rows != NULL, "there is memory");
		for (i = 0; i < r.comparison.row_count; i++)
			r.rows[i] = &r.comparison.rows[i];
		check_reports(&r, goldens.policy);
		free(r.rows);
		rg_buf_release(&r.text);
		rg_comparison_release(&r.comparison);
	}
	two_goldens_release(&goldens);
	return 0;
}
