/* SPDX-License-Identifier: Apache-2.0 */
#include "report/html.h"

#include "base/memory.h"
#include "base/json.h"
#include "base/shorten.h"
#include "base/utf8.h"
#include "compare/summary.h"
#include "report/cells.h"
#include "report/coverage.h"
#include "report/curve_blocks.h"
#include "report/format_report.h"
#include "report/html_text.h"
#include "report/format_view.h"
#include "report/page_policy.h"
#include "report/strip.h"
#include "report/summary_view.h"
#include "report/template_data.h"
#include "base/templates.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
	const rg_html_page *page;
	rg_buf text; /* a figure at a time */
} maker;

/* --- the distribution --- */

/* Columns of a record's name beside a curve's mark. */
enum { MARK_NAME = 40 };

static void add_distribution(maker *m, cJSON *view)
{
	const cJSON *item, *buckets = rg_json_member(view, "buckets");
	size_t counts[RG_BUCKETS] = {0}, i = 0;
	uint64_t count;

	cJSON_ArrayForEach(item, buckets)
	{
		if (i < RG_BUCKETS && rg_json_is_count(rg_json_member(item, "n"), SIZE_MAX, &count))
			counts[i] = (size_t)count;
		i++;
	}
	rg_svg_bars_write(&m->text,
			  cJSON_IsTrue(rg_json_member(view, "any_tensors"))
				  ? "Rows by size"
				  : "Rows by |avg_rel_diff|",
			  rg_bucket_names, counts, RG_BUCKETS);
	rg_build_markup(view, "distribution", &m->text);
}

/* --- curves --- */

static void add_range(cJSON *item, const char *name, const rg_curve_side *side)
{
	char min[RG_FIGURE_SIZE], max[RG_FIGURE_SIZE];
	rg_figure_text(side->min, min);
	rg_figure_text(side->max, max);
	rg_build_textf(item, name, "%s … %s", min, max);
}

static void add_figure(maker *m, cJSON *item, const rg_curve *curve)
{
	const rg_svg_line lines[] = {{curve->old.points, curve->old.count, false},
				     {curve->new_side.points, curve->new_side.count, false}};
	const rg_row *row = curve->row;
	char largest[RG_FIGURE_SIZE], values[64] = "value";
	rg_curve_range range;
	rg_buf title, mark;
	rg_svg_area area;
	rg_svg_plot plot = {.lines = lines,
			    .line_count = 2,
			    .whole_x = true,
			    .x_label = curve->is_tensor   ? "element"
				       : curve->by_record ? "record"
							  : "step",
			    .x_names = curve->records,
			    .x_name_count = curve->record_count,
			    .y_label = values,
			    .areas = &area,
			    .area_count = row->n_steps && row->max_abs_rel > 0 ? 1 : 0};

	rg_curve_measure(&range, curve);
	plot.low = range.low;
	plot.high = range.high;
	if (range.beyond)
		snprintf(values, sizeof(values), "value (%zu beyond the frame)", range.beyond);
	rg_figure_text(row->max_abs_rel, largest);
	rg_buf_init(&mark, RG_BUF_TEXT);
	if (row->max_abs_rel_record)
		rg_text_shorten(&mark, row->max_abs_rel_record, strlen(row->max_abs_rel_record),
				MARK_NAME);
	else
		rg_buf_printf(&mark, "%s %" PRId64, plot.x_label, row->max_abs_rel_step);
	rg_buf_printf(&mark, ": %s", largest);
	area = rg_svg_line_at((double)row->max_abs_rel_step, "mark", mark.data);
	rg_buf_init(&title, RG_BUF_TEXT);
	rg_utf8_add_valid(&title, row->metric, strlen(row->metric));
	rg_buf_str(&title, " in ");
	rg_utf8_add_valid(&title, row->file, strlen(row->file));
	rg_buf_str(&title, ", old and new");
	plot.title = title.data;
	rg_svg_plot_write(&m->text, &plot);
	rg_buf_release(&mark);
	rg_build_written(item, "figure", &m->text);
	rg_buf_release(&title);
}

static void add_curve(maker *m, cJSON *list, const rg_curve *curve, size_t row_id)
{
	cJSON *item = rg_build_item(list);
	rg_build_text(item, "file", curve->row->file);
	rg_build_text(item, "metric", curve->row->metric);
	rg_build_number(item, "avg_rel_diff", curve->row->avg_rel_diff);
	rg_build_count(item, "n_steps", curve->row->n_steps);
	if (row_id)
		rg_build_count(item, "row", row_id);
	if (curve->is_tensor)
		rg_build_truth(item, "tensor", true);
	if (curve->by_record)
		rg_build_truth(item, "by_record", true);
	add_range(item, "old_range", &curve->old);
	add_range(item, "new_range", &curve->new_side);
	add_figure(m, item, curve);
}

/* The first ones as figures. `ids` has each curve's row in the table, 0 where that has it not. */
static void add_curves(maker *m, cJSON *view, const size_t *ids)
{
	const rg_curve_list *curves = m->page->curves;
	size_t drawn = 0;

	rg_build_remove(view, "curves");
	cJSON *list = rg_build_list(view, "curves");
	for (size_t i = 0; curves && i < curves->count && drawn < RG_CURVES_DRAWN; i++) {
		if (!rg_curve_is_read(&curves->items[i]))
			continue;
		add_curve(m, list, &curves->items[i], ids[i]);
		drawn++;
	}
	rg_build_remove(view, "curves_left_out");
	rg_build_count(view, "curves_left_out", curves ? curves->left_out : 0);
}

/* --- the curves of the table's rows --- */

/* A curve's place in the list, by the name of its row. */
typedef struct {
	const char *file, *metric;
	size_t place;
} named;

static int compare_named(const void *a, const void *b)
{
	const named *x = a, *y = b;
	int order = strcmp(x->file, y->file);

	return order ? order : strcmp(x->metric, y->metric);
}

/* Says of each row of the table which curve is its, and of each curve, which row. */
static void join_rows(cJSON *rows, const named *names, size_t count, size_t *ids)
{
	cJSON *row;
	cJSON_ArrayForEach(row, rows)
	{
		const cJSON *facts = rg_json_member(row, "facts");
		const char *file = cJSON_GetStringValue(rg_json_member(facts, "file"));
		const char *metric = cJSON_GetStringValue(rg_json_member(facts, "metric"));
		const named wanted = {file ? file : "", metric ? metric : "", 0};
		const named *found = bsearch(&wanted, names, count, sizeof(*names), compare_named);

		if (!found)
			continue;
		rg_build_textf(row, "curve", "%zu", found->place);
		ids[found->place] = (size_t)rg_json_member(row, "id")->valueint;
	}
}

/* *ids is freed by the caller. */
static void join_curves(maker *m, size_t **ids)
{
	const rg_curve_list *curves = m->page->curves;
	size_t count = curves ? curves->count : 0;
	named *names = rg_calloc(count + 1, sizeof(*names));

	*ids = rg_calloc(count + 1, sizeof(**ids));
	for (size_t i = 0; i < count; i++)
		names[i] = (named){curves->items[i].row->file, curves->items[i].row->metric, i};
	if (count)
		qsort(names, count, sizeof(*names), compare_named);
	join_rows(cJSON_GetObjectItemCaseSensitive(m->page->table, "rows"), names, count, *ids);
	free(names);
}

static rg_error *add_blocks(maker *m, cJSON *view, size_t max)
{
	rg_buf text;
	rg_build_remove(view, "curve_data");
	if (!m->page->curves || !m->page->curves->count)
		return NULL;
	rg_buf_init(&text, max);
	rg_error *err = rg_curve_blocks_add(&text, m->page->curves);
	if (!err)
		rg_build_markup(view, "curve_data", &text);
	rg_buf_release(&text);
	return err;
}

static void add_strips(maker *m, cJSON *view, size_t max)
{
	rg_strip_counts counts;
	rg_buf text;

	rg_buf_init(&text, max);
	rg_strip_write(&text, &counts, rg_json_member(m->page->table, "rows"));
	rg_build_markup(view, "strips", &text);
	rg_build_remove(view, "strips_left_out");
	rg_build_count(view, "strips_left_out", counts.rows_left_out);
	rg_buf_release(&text);
}

/* --- the page --- */

/* Which may be many files'. */
static rg_error *add_formats(maker *m, cJSON *view, size_t max)
{
	rg_buf text;
	rg_buf_init(&text, max);
	rg_error *err = rg_format_reports_render(&text, m->page->formats, RG_FORMAT_REPORT_HTML,
						 SIZE_MAX, NULL);
	if (!err)
		rg_build_markup(view, "formats", &text);
	/* The page's policy on content lets pictures in only where there are any. */
	rg_build_remove(view, "pictures");
	rg_build_truth(view, "pictures", rg_opaque_view_has_pictures(m->page->formats));
	rg_buf_release(&text);
	return err;
}

/* As a reference, until the page is rendered. */
static void add_table(maker *m, cJSON *view)
{
	const cJSON *rows = rg_json_member(m->page->table, "rows");
	rg_build_remove(view, "table");
	if (rows && rows->child)
		cJSON_AddItemReferenceToObject(view, "table", m->page->table);
}

static void add_origin(maker *m, cJSON *view)
{
	rg_build_remove(view, "provenance");
	if (m->page->provenance)
		cJSON_AddItemReferenceToObject(view, "provenance", m->page->provenance);
	rg_coverage_put(view, m->page->goldens, m->page->provenance);
}

static rg_error *add_page(maker *m, cJSON *view, size_t max)
{
	size_t *ids = NULL;
	join_curves(m, &ids);
	add_distribution(m, view);

	add_curves(m, view, ids);
	free(ids);
	rg_error *err = rg_summary_view_finish(m->page->table);
	if (!err)
		err = add_blocks(m, view, max);
	if (!err)
		add_strips(m, view, max);
	add_table(m, view);
	if (err)
		return err;
	add_origin(m, view);
	return NULL;
}

rg_error *rg_html_render(rg_buf *out, const rg_html_page *page)
{
	const char *text = page->template_text ? page->template_text
					       : rg_template_text("report.html");
	const rg_mustache_limits limits = {
		.items = {0, RG_HTML_ITEMS, RG_HTML_ITEMS, RG_HTML_ITEMS}};
	maker m = {.page = page};

	rg_buf_init(&m.text, RG_BUF_TEXT);
	rg_error *err = add_formats(&m, page->view, out->max);
	if (!err)
		err = add_page(&m, page->view, out->max);
	if (!err)
		err = rg_page_policy_put(page->view);
	if (!err)
		err = rg_summary_view_finish(page->view);
	if (!err)
		err = rg_mustache_render(out, text, page->view, &rg_html_style, &limits);
	rg_build_remove(page->view, "table");
	rg_buf_release(&m.text);
	return rg_error_wrap(err, "template");
}
